"""A provider's servers as they greet and log in, with TLS, before mail servers on loopback that do the rest.

Each lets in whoever logs in as its provider wants it, by its own words, and then carries on with the server behind.
"""

from __future__ import annotations

import re
import select
import socket
import socketserver
import ssl
import threading
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

BASIC = "535 5.7.139 Authentication unsuccessful, basic authentication is disabled."
DENIED = ("554 5.2.252 SendAsDenied; {user} not allowed to send as {sender}; STOREDRV.Submission.Exception:"
          "SendAsDeniedException.MapiExceptionSendAsDenied")


@dataclass
class Front:
    """A provider: the *user* who may log in, by the *password*, or by a token that is *good*; its words.

    *refused* is what a wrong login is told, by IMAP and by SMTP. One that *knows_senders* takes an envelope from its
    user's address alone; one that wants *starttls* speaks no TLS before it where letters go out. Logins are *told*.
    """

    user: str
    imap: str
    smtp: str
    refused: tuple[str, str]
    password: str = ""
    good: Callable[[str], bool] = lambda _: False
    starttls: bool = False
    knows_senders: bool = False
    context: ssl.SSLContext = field(default_factory=lambda: ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER))
    behind: tuple[int, int] = (0, 0)
    inner: str = ""
    ports: tuple[int, int] = (0, 0)
    told: list[str] = field(default_factory=list)

    def lets_in(self, user: str, secret: str, *, by_token: bool) -> bool:
        """Return whether a login is right, and note how it was tried."""
        right = user == self.user and (self.good(secret) if by_token else bool(self.password) and
                                       secret == self.password)
        self.told.append(f"{'token' if by_token else 'password'} {'right' if right else 'wrong'}")
        return right


def _plain(word: str) -> tuple[str, str]:
    _, user, password = b64decode(word).decode().split("\0")
    return user, password


def _token(word: str) -> tuple[str, str]:
    found = re.fullmatch("user=(.*)\1auth=Bearer (.*)\1\1", b64decode(word).decode())
    assert found
    return found[1], found[2]


class _Handler(socketserver.BaseRequestHandler):
    front: Front

    def say(self, line: str) -> None:
        self.line.sendall(line.encode() + b"\r\n")

    def word(self) -> str:
        """Return a line of the client's, read byte by byte: what follows may be another's to read."""
        got = bytearray()
        while not got.endswith(b"\n"):
            byte = self.line.recv(1)
            if not byte:
                raise ConnectionResetError
            got += byte
        return got.decode().strip()

    def handle(self) -> None:
        self.line: socket.socket = self.request
        self.line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            with suppress(OSError):
                self.talk()
        finally:
            self.line.close()

    def talk(self) -> None:
        raise NotImplementedError

    def secure(self) -> None:
        self.line = self.front.context.wrap_socket(self.line, server_side=True)


class _Imap(_Handler):
    def talk(self) -> None:
        self.secure()
        self.say("* OK ready for requests")
        while True:
            tag, _, command = self.word().partition(" ")
            verb = command.upper()
            if verb == "CAPABILITY":
                self.say(f"* CAPABILITY {self.front.imap}\r\n{tag} OK done")
            elif verb == "LOGOUT":
                self.say(f"* BYE\r\n{tag} OK bye")
                return
            elif (right := self.tried(command)) is None:
                self.say(f"{tag} BAD not here")
            elif right:
                self.go_on(tag)
                return
            else:
                self.say(f"{tag} {self.front.refused[0]}")

    def tried(self, command: str) -> bool | None:
        verb, _, rest = command.partition(" ")
        if verb.upper() == "LOGIN":
            user, _, password = rest.partition(" ")
            return self.front.lets_in(user.strip('"'), password.strip('"'), by_token=False)
        if rest.upper() not in {"PLAIN", "XOAUTH2"}:
            return None
        self.say("+ ")
        by_token = rest.upper() == "XOAUTH2"
        right = self.front.lets_in(*(_token if by_token else _plain)(self.word()), by_token=by_token)
        if by_token and not right:
            self.say("+ " + b64encode(b'{"status":"400","schemes":"Bearer"}').decode())
            self.word()
        return right

    def go_on(self, tag: str) -> None:
        with behind(self.front.behind[0]) as server, server.makefile("rb") as lines:
            lines.readline()
            server.sendall(f'{tag} LOGIN "{self.front.user}" "{self.front.inner}"\r\n'.encode())
            while not (said := lines.readline()).startswith(tag.encode()):
                assert said
            assert b" OK" in said, said
            self.say(f"{tag} OK {self.front.user} authenticated")
            carry(self.line, server)


class _Smtp(_Handler):
    def talk(self) -> None:
        if not self.front.starttls:
            self.secure()
        self.say("220 mx.provider.example ESMTP ready")
        while True:
            command = self.word()
            verb = command.upper().split(" ")[0]
            covered = isinstance(self.line, ssl.SSLSocket)
            if verb in {"EHLO", "HELO"}:
                self.say(f"250-provider\r\n250-SMTPUTF8\r\n250 {f'AUTH {self.front.smtp}' if covered else 'STARTTLS'}")
            elif verb == "STARTTLS" and not covered:
                self.say("220 2.0.0 go")
                self.secure()
            elif verb == "AUTH" and covered:
                if self.tried(command.split(" ")):
                    self.go_on()
                    return
                self.say(self.front.refused[1])
            elif verb == "QUIT":
                self.say("221 bye")
                return
            else:
                self.say("530 5.7.57 Client not authenticated to send mail.")

    def tried(self, words: list[str]) -> bool:
        if words[1].upper() == "XOAUTH2":
            return self.front.lets_in(*_token(words[2]), by_token=True)
        if words[1].upper() == "PLAIN":
            return self.front.lets_in(*_plain(words[2]), by_token=False)
        told = words[2:]
        while len(told) < 2:
            self.say("334 " + b64encode(b"Username:" if not told else b"Password:").decode())
            told.append(self.word())
        return self.front.lets_in(*(b64decode(each).decode() for each in told), by_token=False)

    def go_on(self) -> None:
        with behind(self.front.behind[1]) as server, server.makefile("rb") as lines:
            lines.readline()
            server.sendall(b"EHLO provider\r\n")
            while lines.readline()[3:4] == b"-":
                pass
            self.say("235 2.7.0 Authentication successful")
            carry(self.line, server, self.own if self.front.knows_senders else None)

    def own(self, data: bytes) -> str:
        """Return what is said to an envelope from another address."""
        found = re.match(rb"MAIL FROM:<([^>]*)>", data, re.IGNORECASE)
        sender = found[1].decode() if found else self.front.user
        return "" if sender == self.front.user else DENIED.format(user=self.front.user, sender=sender)


def behind(port: int) -> socket.socket:
    """Return a connection to a server behind a front."""
    return socket.create_connection(("127.0.0.1", port), 10)


def carry(line: socket.socket, server: socket.socket, refuse: Callable[[bytes], str] | None = None) -> None:
    """Carry both ways until one hangs up; what the client says is shown to *refuse* first."""
    with suppress(OSError):
        while True:
            waits = isinstance(line, ssl.SSLSocket) and line.pending()
            ready = [line] if waits else select.select([line, server], [], [])[0]
            if server in ready:
                data = server.recv(65536)
                line.sendall(data)
            elif (data := line.recv(65536)) and refuse is not None and (said := refuse(data)):
                line.sendall(said.encode() + b"\r\n")
            else:
                server.sendall(data)
            if not data:
                return


@contextmanager
def running_front(front: Front) -> Iterator[Front]:
    """Run both of a provider's servers while the block lasts."""
    with _serving(_Imap, front) as imap, _serving(_Smtp, front) as smtp:
        front.ports = imap, smtp
        yield front


@contextmanager
def _serving(kind: type[_Handler], front: Front) -> Iterator[int]:
    class Server(socketserver.ThreadingTCPServer):
        allow_reuse_address = True
        daemon_threads = True
        block_on_close = False

    with Server(("127.0.0.1", 0), type("Handler", (kind,), {"front": front})) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield int(server.server_address[1])
        finally:
            server.shutdown()
            thread.join(10)


