"""A proxy on loopback that speaks SOCKS 4a, SOCKS 5 and HTTP's CONNECT, and looks names up in a table of its own."""

from __future__ import annotations

import socket
import socketserver
import threading
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field


class _Stranger(Exception):
    """A login that isn't known."""


@dataclass
class Tunnel:
    """Which *hosts* it reaches, each at which port of loopback, and the *login* it wants (``user:password``), if any.

    Of other hosts it reaches those of the *ports* that it has another of loopback for.

    *asked* has each request: how, for which host and port. A *greedy* one sends what the server says first along with
    its own answer. Where it has an *answer*, it says that and no more.
    """

    port: int = 0
    hosts: dict[str, int] = field(default_factory=dict)
    ports: dict[int, int] = field(default_factory=dict)
    login: str = ""
    asked: list[tuple[str, str, int]] = field(default_factory=list)
    greedy: bool = False
    answer: bytes = b""

    def reached(self, kind: str, host: str, port: int) -> socket.socket | None:
        """Return a connection to a host that it reaches."""
        self.asked.append((kind, host, port))
        found = self.hosts.get(host) or self.ports.get(port)
        return socket.create_connection(("127.0.0.1", found), 10) if found else None


class _Client(socketserver.StreamRequestHandler):
    disable_nagle_algorithm = True
    tunnel: Tunnel

    def handle(self) -> None:
        with suppress(OSError, _Stranger):
            first = self.rfile.read(1)
            if self.tunnel.answer:
                self.wfile.write(self.tunnel.answer)
            elif first:
                {b"\5": self.socks5, b"\4": self.socks4}.get(first, self.http)()

    def socks5(self) -> None:
        self.rfile.read(self.rfile.read(1)[0])
        self.wfile.write(b"\5\2" if self.tunnel.login else b"\5\0")
        if self.tunnel.login:
            self.rfile.read(1)
            user, password = (self.rfile.read(self.rfile.read(1)[0]).decode() for _ in range(2))
            right = f"{user}:{password}" == self.tunnel.login
            self.wfile.write(b"\1\0" if right else b"\1\1")
            if not right:
                raise _Stranger
        kind = self.rfile.read(4)[3]
        host = (self.rfile.read(self.rfile.read(1)[0]).decode() if kind == 3 else
                socket.inet_ntop(*((socket.AF_INET, self.rfile.read(4)) if kind == 1 else
                                   (socket.AF_INET6, self.rfile.read(16)))))
        server = self.tunnel.reached("socks5", host, int.from_bytes(self.rfile.read(2), "big"))
        self.go(server, b"\5\0\0\1" + bytes(6), b"\5\4\0\1" + bytes(6))

    def socks4(self) -> None:
        self.rfile.read(1)
        port = int.from_bytes(self.rfile.read(2), "big")
        self.rfile.read(4)
        user, host = self.until(b"\0"), self.until(b"\0")
        server = self.tunnel.reached("socks4", host, port) if not self.tunnel.login or user else None
        self.go(server, b"\0\x5a" + bytes(6), b"\0\x5b" + bytes(6))

    def http(self) -> None:
        host, _, port = self.rfile.readline().split()[1].decode().rpartition(":")
        fields = dict(line.decode().strip().split(": ", 1) for line in iter(self.rfile.readline, b"\r\n"))
        given = b64decode(fields.get("Proxy-Authorization", "").removeprefix("Basic ")).decode()
        if self.tunnel.login and given != self.tunnel.login:
            self.wfile.write(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
            raise _Stranger
        server = self.tunnel.reached("http", host.strip("[]"), int(port))
        self.go(server, b"HTTP/1.1 200 Connection established\r\nVia: wolf\r\n\r\n",
                b"HTTP/1.1 503 Service Unavailable\r\n\r\n")

    def until(self, end: bytes) -> str:
        return b"".join(iter(lambda: self.rfile.read(1), end)).decode()

    def go(self, server: socket.socket | None, yes: bytes, no: bytes) -> None:
        if server is None:
            self.wfile.write(no)
            return
        with server:
            self.wfile.write(yes + (server.recv(4096) if self.tunnel.greedy else b""))
            back = threading.Thread(target=_carry, args=(server, self.connection), daemon=True)
            back.start()
            _carry(self.connection, server)
            back.join(10)


def _carry(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)


@contextmanager
def running_tunnel(**told: int) -> Iterator[Tunnel]:
    """Run a proxy that reaches hosts ``NAME.wolf.example``, each *told* with its port on loopback."""
    tunnel = Tunnel(hosts={f"{name}.wolf.example": port for name, port in told.items()})

    class Server(socketserver.ThreadingTCPServer):
        allow_reuse_address = True
        daemon_threads = True
        block_on_close = False

    with Server(("127.0.0.1", 0), type("Client", (_Client,), {"tunnel": tunnel})) as server:
        tunnel.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield tunnel
        finally:
            server.shutdown()
            thread.join(10)
