"""Connections through a proxy: SOCKS 4a and 5 (RFC 1928, 1929), and HTTP's CONNECT (RFC 9110 9.3.6).

The proxy looks the name up. CONNECT is done here because a mail server speaks first: python-socks takes what comes with
the proxy's answer for a part of it, and the greeting would be lost.
"""

from __future__ import annotations

import re
import socket
from base64 import b64encode
from dataclasses import dataclass, field
from typing import Literal, TypeAlias
from urllib.parse import unquote, urlsplit

from nomicwolf.post.errors import Denied

Kind: TypeAlias = Literal["socks5", "socks4", "http"]
LONGEST = 8192
"""Bytes of an HTTP proxy's answer."""
_LIBRARY = "SOCKS needs a package that is not installed: pip install 'nomicwolf[proxy]'"
_STATUS = re.compile(rb"HTTP/1\.\d (\d{3})")


class ProxyError(OSError):
    """A proxy that can't be reached, or doesn't reach the server, now."""


@dataclass(frozen=True, slots=True)
class Proxy:
    """A proxy: its *kind* and place, and how to log in there."""

    kind: Kind
    host: str
    port: int
    user: str = ""
    password: str = field(default="", repr=False)

    @classmethod
    def of(cls, url: str) -> Proxy:
        """Return the proxy of a URL that the settings took, such as ``socks5://user:password@host:1080``."""
        parts = urlsplit(url)
        kind: Kind = "socks4" if parts.scheme == "socks4" else "socks5" if parts.scheme == "socks5" else "http"
        return cls(kind, parts.hostname or "", parts.port or (8080 if kind == "http" else 1080),
                   unquote(parts.username or ""), unquote(parts.password or ""))

    @property
    def where(self) -> str:
        """Return the proxy as a place, for errors."""
        return f"the proxy {self.host}:{self.port} (network.proxy)"

    def connected(self, host: str, port: int, timeout: float) -> socket.socket:
        """Return a connection to a server through the proxy; `ProxyError` if there is none now, `Denied` if never."""
        name = host if host.isascii() else host.encode("idna").decode()
        way = self._by_http if self.kind == "http" else self._by_socks
        made = way(name, port, timeout)
        made.settimeout(timeout)
        return made

    def _by_socks(self, host: str, port: int, timeout: float) -> socket.socket:
        try:
            from python_socks import ProxyConnectionError, ProxyTimeoutError, ProxyType
            from python_socks import ProxyError as Refused
            from python_socks.sync import Proxy as Socks
        except ImportError as error:
            raise Denied(f"network.proxy: {_LIBRARY}") from error
        kind = ProxyType.SOCKS5 if self.kind == "socks5" else ProxyType.SOCKS4
        try:
            return Socks(kind, self.host, self.port, self.user, self.password, rdns=True).connect(host, port, timeout)
        except ProxyTimeoutError:
            raise ProxyError(f"{self.where} doesn't answer in time") from None
        except ProxyConnectionError as error:
            raise ProxyError(f"{self.where}: {_why(error.__cause__ or error)}") from None
        except (Refused, OSError) as error:
            said = str(error) or type(error).__name__
            if re.search(r"auth", said, re.IGNORECASE):
                raise Denied(self._login(said)) from None
            raise ProxyError(f"{self.where} says of {host}:{port}: {said}") from None

    def _by_http(self, host: str, port: int, timeout: float) -> socket.socket:
        try:
            line = socket.create_connection((self.host, self.port), timeout)
        except OSError as error:
            raise ProxyError(f"{self.where}: {_why(error)}") from None
        try:
            self._ask(line, host, port)
        except ProxyError:
            line.close()
            raise
        except OSError as error:
            line.close()
            raise ProxyError(f"{self.where}: {_why(error)}") from None
        except BaseException:
            line.close()
            raise
        return line

    def _ask(self, line: socket.socket, host: str, port: int) -> None:
        place = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        login = b64encode(f"{self.user}:{self.password}".encode()).decode()
        fields = [f"Host: {place}", *([f"Proxy-Authorization: Basic {login}"] if self.user else [])]
        line.sendall("\r\n".join((f"CONNECT {place} HTTP/1.1", *fields, "", "")).encode())
        head = bytearray()
        while not head.endswith(b"\r\n\r\n"):
            found = line.recv(1)  # what comes behind is the server's
            if not found or len(head) >= LONGEST:
                raise ProxyError(f"{self.where} breaks off")
            head += found
        said = " ".join(head.split(b"\r\n")[0].decode("utf-8", "replace").split())
        status = _STATUS.match(head)
        if status is None:
            raise Denied(f"{self.where}: is no HTTP proxy; look at network.proxy (socks5:// or http://)")
        if status[1] == b"407":
            raise Denied(self._login(said))
        if not status[1].startswith(b"2"):
            raise ProxyError(f"{self.where} says of {place}: {said}")

    def _login(self, said: str) -> str:
        return f"{self.where}: wants a login ({said}); write it into network.proxy: {self.kind}://USER:PASSWORD@HOST:PORT"


def _why(error: BaseException) -> str:
    from nomicwolf.post.refusals import unreached

    return unreached(error) or type(error).__name__
