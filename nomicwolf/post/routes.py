"""Routes to servers: proxies, grants, TLS and the web.

Without a host all servers may be reached, for then the settings are those of whoever runs the program; on a host, its
operator grants what isn't public.

Proxies are SOCKS 4a and 5 (RFC 1928, 1929) and HTTP's CONNECT (RFC 9110 9.3.6), and look names up. CONNECT is done here
because a mail server speaks first: python-socks takes what comes with the proxy's answer for a part of it, and the
greeting would be lost. Servers are proved by the system's authorities, and we by a certificate where one is set.

A server's greeting tells its time before anybody logs in (RFC 5321 4.2).

A redirect is an answer like any other, and is not followed. However slowly a server talks, and whatever it says on the
way, the exchange has its end.

A message to a web address is signed (Standard Webhooks), and sent, refused for now or for good, or lost. A host's
tenants reach the public network alone.
"""

from __future__ import annotations

import re
import socket
import ssl
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from hashlib import sha256
from hmac import new as keyed
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from pathlib import Path
from threading import Event, Timer
from typing import Any, Literal, Protocol, TypeAlias
from urllib.parse import quote, unquote, urlsplit

from nomicwolf.letters.headers import seconds
from nomicwolf.post.refusals import Away, Denied, unreached

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
        """Return the proxy of a valid URL, such as ``socks5://user:password@host:1080``."""
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
            with hurried(line, timeout):
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
    return unreached(error) or type(error).__name__


Address: TypeAlias = IPv4Address | IPv6Address
_TRANSLATED = IPv6Network("64:ff9b::/96")
"""IPv6 addresses whose last 32 bits are the IPv4 address that is reached by them (RFC 6052)."""


_UNICAST = IPv6Network("2000::/3")
"""All that is assigned of IPv6 for the public network (RFC 4291 2.4)."""
Found: TypeAlias = tuple[socket.AddressFamily, socket.SocketKind, int, str, tuple[Any, ...]]
"""What `socket.getaddrinfo` says of an address."""


PORTS = {"https": 443, "http": 80}
_LATE = "no whole answer in {:g} seconds"
FIRST = 10.0
"""Seconds for each of a server's addresses but the last: one of a network that leads nowhere holds up no run."""


@dataclass(frozen=True, slots=True)
class Route:
    """A route to servers: by a *proxy*, except to this machine and the *direct* hosts (in lower case)."""

    proxy: Proxy | None = field(default=None, repr=False)
    direct: frozenset[str] = frozenset()

    @classmethod
    def of(cls, proxy: str, direct: Iterable[str]) -> Route:
        """Return the route by the URL of a *proxy* ('' for none), except to the hosts that are reached directly."""
        names = frozenset(bare_host(host).lower().rstrip(".") for host in direct)
        return cls(Proxy.of(proxy) if proxy else None, names)

    def through(self, host: str) -> Proxy | None:
        """Return the proxy through which *host* is reached, None if there is none between."""
        name = bare_host(host).lower().rstrip(".")
        return None if name in self.direct or _is_here(name) else self.proxy


DIRECTLY = Route()


class Grants(Protocol):
    """A contest's grants beyond the public network."""

    def server(self, address: Address, port: int) -> bool:
        """Return whether a server at an address that isn't public may be reached."""

    def mailbox(self, path: Path) -> Path | None:
        """Return the folder in whose depths a mailbox on this machine may lie, None if it may not be read."""


_GRANTS: ContextVar[Grants | None] = ContextVar("grants", default=None)


@contextmanager
def restricted_to(grants: Grants) -> Iterator[None]:
    """Restrict connections to the public network and *grants* for the duration of the block."""
    token = _GRANTS.set(grants)
    try:
        yield
    finally:
        _GRANTS.reset(token)


def granted_folder(path: Path) -> Path | None:
    """Return the granted folder that a mailbox lies in, None where none needs to be granted; `Denied` for others."""
    grants = _GRANTS.get()
    if grants is None:
        return None
    folder = grants.mailbox(path)
    if folder is None:
        raise Denied(f"{path}: the host's operator has not granted this mailbox (grants.mailboxes in host.toml)")
    return folder


def connected(
    host: str, port: int, timeout: float, *, encrypted: bool, route: Route = DIRECTLY
) -> socket.socket:
    """Return a connection to the first address of *host* that answers, of those that `allowed` leaves.

    The name is looked up now, and only what was found is connected to. OSError if none answers. Through a proxy, that
    looks the name up.
    """
    if (proxy := proxied(host, route)) is not None:
        return proxy.connected(bare_host(host), port, timeout)
    last = OSError(f"{host}: has no address")
    found = socket.getaddrinfo(bare_host(host), port, type=socket.SOCK_STREAM)
    places = allowed(host, port, found, encrypted=encrypted)
    for number, (family, kind, protocol, _, place) in enumerate(places, 1):
        made = socket.socket(family, kind, protocol)
        try:
            made.settimeout(timeout if number == len(places) else min(timeout, FIRST))
            made.connect(place)
            made.settimeout(timeout)
        except OSError as error:
            made.close()
            last = error
        else:
            return made
    raise last


@contextmanager
def hurried(line: socket.socket, seconds: float) -> Iterator[None]:
    """Hang up on *line* after *seconds*, however busily the other side talks; TimeoutError then.

    A socket's own timeout begins anew with each byte.
    """
    late, other = Event(), line.dup()

    def cut() -> None:
        late.set()
        with suppress(OSError):
            other.shutdown(socket.SHUT_RDWR)

    timer = Timer(seconds, cut)
    timer.daemon = True
    timer.start()
    try:
        yield
    except Exception as error:
        if late.is_set():
            raise TimeoutError(_LATE.format(seconds)) from error
        raise
    finally:
        timer.cancel()
        timer.join()
        other.close()
    if late.is_set():
        raise TimeoutError(_LATE.format(seconds))


def proxied(host: str, route: Route) -> Proxy | None:
    """Return the proxy through which *host* is reached, if any; `Denied` where grants hold, which it would go round."""
    found = route.through(host)
    if found is not None and _GRANTS.get() is not None:
        raise Denied("network.proxy: a contest on a host reaches servers by the host's own network; leave it out")
    return found


def _is_here(name: str) -> bool:
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return name == "localhost"


def bare_host(host: str) -> str:
    """Return a host as names are looked up: an IPv6 address without its brackets."""
    return host.strip("[]")


def allowed(host: str, port: int, found: Sequence[Found], *, encrypted: bool) -> list[Found]:
    """Return those of the addresses that were *found* for a host which may be reached; `Denied` if there is none.

    What isn't *encrypted* goes to loopback alone where grants hold.
    """
    grants = _GRANTS.get()
    if grants is None:
        return list(found)
    may = [one for one in found
           if _may(grants, effective_address(ip_address(str(one[4][0]))), port, encrypted=encrypted)]
    if not may:
        raise Denied(f"{host}:{port}: is on this machine or in a private network, and the host's operator has not "
                     "granted it (grants.servers in host.toml), or it is asked for without encryption")
    return may


def _may(grants: Grants, address: Address, port: int, *, encrypted: bool) -> bool:
    if is_public(address):
        return encrypted
    return grants.server(address, port) and (encrypted or address.is_loopback)


def is_public(address: Address) -> bool:
    """Return whether an address is one of the public network, and of one machine there."""
    return address.is_global and not address.is_multicast and (
        isinstance(address, IPv4Address) or address in _UNICAST)


def effective_address(address: Address) -> Address:
    """Return the address that is reached by one: IPv6 has ways to write, and to carry, one of IPv4.

    >>> effective_address(ip_address("::ffff:127.0.0.1")), effective_address(ip_address("64:ff9b::a00:1"))
    (IPv4Address('127.0.0.1'), IPv4Address('10.0.0.1'))
    """
    if isinstance(address, IPv4Address):
        return address
    if address in _TRANSLATED:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or (address.teredo or (address,))[-1]


def context_of(certificate: Path | None, key: str) -> ssl.SSLContext:
    """Return how a connection is encrypted, with the *certificate* that we show: a PEM file with its private key.

    `Denied`, naming the setting's *key*, if the file can't be used.
    """
    context = ssl.create_default_context()
    if certificate is None:
        return context
    try:
        context.load_cert_chain(certificate, password=_nobody)
    except ssl.SSLError as error:
        why = (error.reason or "").replace("_", " ").lower() or "it can't be read"
        raise Denied(f"{key}: {certificate}: {why}; put the certificate, those that it rests on, and its private key "
                     "into that file, in PEM, one behind the other") from error
    except (OSError, ValueError) as error:
        why = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise Denied(f"{key}: {certificate}: {why}") from error
    return context


def _nobody() -> str:
    raise ValueError("its private key is encrypted, and nobody is there to open it; keep it unencrypted in a file that "
                     "only this user reads (openssl pkey -in KEY)")


_LONGEST_GREETING = 4096
"""Bytes of a greeting that are read; a line has 512 at most."""
_DATE = re.compile(r"(?:\w{3}, ?)?\d{1,2} \w{3} \d{4} \d\d:\d\d:\d\d [+\-\w]+", re.ASCII)


def server_time(
    host: str, port: int, *, tls: bool, timeout: int, certificate: Path | None = None, route: Route = DIRECTLY
) -> int | None:
    """Return the time (UTC seconds) in the server's greeting; None if it has none.

    `Away` if it can't be reached within *timeout* seconds.
    """
    name = bare_host(host)
    try:
        with (closing(connected(host, port, timeout, encrypted=tls, route=route)) as plain, hurried(plain, timeout),
              closing(context_of(certificate, "smtp.certificate_file").wrap_socket(plain, server_hostname=name)
                      if tls else plain) as server, server.makefile("rb") as lines):
            greeting = lines.readline(_LONGEST_GREETING).decode("ascii", "replace")
            server.sendall(b"QUIT\r\n")
    except OSError as error:
        raise Away(f"smtp {host}:{port}: {unreached(error)}") from error
    found = _DATE.search(greeting)
    return seconds(found[0]) if greeting.startswith("220") and found is not None else None


LONGEST_ANSWER = 100_000
"""Bytes of an answer that are read."""


class Unreached(OSError):
    """No server was reached, or none that is who it should be: nothing was sent."""


def asked(
    method: str, url: str, seconds: float, *, fields: Mapping[str, str] | None = None, body: bytes | None = None,
    route: Route = DIRECTLY, address: str = "", longest: int = LONGEST_ANSWER,
) -> tuple[int, bytes]:
    """Return the status of the answer to a request, and the first *longest* bytes of what it holds.

    It is over after so many *seconds*. With an *address*, the server is looked for there and must still prove its name.
    `Unreached` if nothing was sent, another OSError if it isn't known what became of it; `Denied` if it may not be.
    """
    from http.client import HTTPConnection, HTTPException

    parts = urlsplit(url)
    host, tls = parts.hostname or "", parts.scheme == "https"
    kind: type[OSError] = Unreached
    with closing(HTTPConnection(host)) as connection:
        try:
            line = connected(address or host, parts.port or PORTS[parts.scheme], seconds, encrypted=tls, route=route)
            connection.sock = line
            with hurried(line, seconds):
                if tls:
                    connection.sock = ssl.create_default_context().wrap_socket(line, server_hostname=host)
                kind = OSError
                path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
                connection.request(method, path, body, {
                    "Host": parts.netloc, "User-Agent": "nomicwolf", "Connection": "close", **(fields or {})})
                with connection.getresponse() as answer:
                    return answer.status, answer.read(longest) if longest else b""
        except (OSError, HTTPException) as error:
            raise kind(str(error) or type(error).__name__) from error


Fate: TypeAlias = Literal["sent", "later", "refused", "unknown"]
PREFIX = "whsec_"


def signature(secret: str, message_id: str, at: int, body: bytes) -> str:
    """Return the signature of a message: ``v1,`` and the HMAC-SHA-256 of its id, its time and its body in base64."""
    key = b64decode(secret.removeprefix(PREFIX)) if secret.startswith(PREFIX) else secret.encode()
    signed = b".".join((message_id.encode(), str(at).encode(), body))
    return f"v1,{b64encode(keyed(key, signed, sha256).digest()).decode('ascii')}"


def deliver(
    url: str, message_id: str, at: int, body: bytes, *, secret: str = "", token: str = "", put: bool = False,
    timeout: float = 10, route: Route = DIRECTLY,
) -> tuple[Fate, str]:
    """Send a message; return its fate, and why it wasn't sent. With *put*, the id is part of the address.

    *unknown*: the connection broke, or *timeout* seconds were over, after the message was begun, so it may be there.
    """
    parts = urlsplit(url)
    if put:
        url = parts._replace(path=f"{parts.path.rstrip('/')}/{quote(message_id)}").geturl()
    fields = {"Content-Type": "application/json", "webhook-id": message_id, "webhook-timestamp": str(at)}
    if secret:
        fields["webhook-signature"] = signature(secret, message_id, at, body)
    if token:
        fields["Authorization"] = f"Bearer {token}"
    try:
        status, _ = asked("PUT" if put else "POST", url, timeout, fields=fields, body=body, route=route, longest=0)
    except Denied as error:
        return "refused", str(error)
    except Unreached as error:
        return "later", str(error)
    except OSError as error:
        return "unknown", str(error)
    return _fate(status)


def _fate(status: int) -> tuple[Fate, str]:
    if 200 <= status < 300:
        return "sent", ""
    return ("later" if status >= 500 or status in (408, 425, 429) else "refused"), f"answers {status}"
