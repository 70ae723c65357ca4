"""An exchange with a web server has its end, whatever that server does; nothing is followed, and little is kept."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

import pytest

from nomicwolf.post.oauth import Client, renewed
from nomicwolf.post.refusals import Away, Denied
from nomicwolf.post.routes import told_time
from nomicwolf.post.web import LONGEST, Unreached, asked, deliver
from tests.servers.here import PATIENCE

pytestmark = pytest.mark.slow

OK = b"HTTP/1.1 200 OK\r\n"
BUSY = {
    "a field without an end": (OK, b"x"),
    "a page without an end": (OK + b"Content-Length: 90000\r\n\r\n", b"x"),
    "a page of no length": (OK + b"\r\n", b"x"),
    "a word that asks for more": (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "nothing": (b"", b""),
}


@dataclass
class Busy:
    """A server that says *first*, and then *piece* after piece until somebody hangs up: then it is *left*."""

    first: bytes
    piece: bytes
    port: int = 0
    left: threading.Event = field(default_factory=threading.Event)
    asked: bytes = b""

    def talk(self, listening: socket.socket) -> None:
        """Talk to each who comes."""
        with suppress(OSError):
            while True:
                line, _ = listening.accept()
                with line, suppress(OSError):
                    self.serve(line)
                self.left.set()

    def serve(self, line: socket.socket) -> None:
        """Take what is said, and answer it for good."""
        line.settimeout(0.05)
        begun = False
        while True:
            with suppress(TimeoutError):
                if not (found := line.recv(65536)):
                    return
                self.asked += found
                continue
            line.sendall(self.piece if begun else self.first)
            begun = True


@contextmanager
def busy(first: bytes, piece: bytes) -> Iterator[Busy]:
    """Run such a server."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = Busy(first, piece, listening.getsockname()[1])
        thread = threading.Thread(target=server.talk, args=(listening,))
        thread.start()
        try:
            yield server
        finally:
            listening.shutdown(socket.SHUT_RDWR)
            thread.join()


@pytest.mark.parametrize("name", BUSY)
def test_an_answer_that_never_ends(name: str) -> None:
    """A socket's timeout begins anew with each byte; the exchange as a whole is over, and the server is left."""
    with busy(*BUSY[name]) as server:
        with pytest.raises(OSError, match=r"no whole answer in 0\.5 seconds|timed out") as caught:
            asked("GET", f"http://127.0.0.1:{server.port}/", 0.5)
        assert server.left.wait(PATIENCE)

    assert not isinstance(caught.value, Unreached)


def test_a_handshake_that_never_ends() -> None:
    """Nothing was sent, so it may be tried again."""
    with busy(b"\x16\x03\x03\x40\x00", b"\0") as server:
        with pytest.raises(Unreached):
            asked("GET", f"https://127.0.0.1:{server.port}/", 0.5)
        assert server.left.wait(PATIENCE)


def test_what_is_told_meanwhile_is_in_doubt() -> None:
    """A fact may have been heard by who never says so; one that was answered by a long page was heard."""
    with busy(*BUSY["a field without an end"]) as server:
        assert deliver(f"http://127.0.0.1:{server.port}/", "m", 1, b"{}", timeout=0.5)[0] == "unknown"
    with busy(*BUSY["a page without an end"]) as server:
        assert deliver(f"http://127.0.0.1:{server.port}/", "m", 1, b"{}", timeout=5) == ("sent", "")


def test_a_provider_that_never_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is away, and no setting is wrong: the next run asks again."""
    monkeypatch.setattr("nomicwolf.post.oauth.WAIT", 0.5)
    with busy(*BUSY["a page without an end"]) as server, pytest.raises(Away, match="no whole answer"):
        renewed(Client("wolves", f"http://127.0.0.1:{server.port}/token", "mail"), "the-refresh-token")


def test_a_provider_that_sends_us_elsewhere() -> None:
    """The refresh token is told to nobody else (RFC 6749 10.4), and isn't repeated in the error."""
    with busy(OK, b"") as other, busy(
            f"HTTP/1.1 307 Go\r\nLocation: http://127.0.0.1:{other.port}/\r\nContent-Length: 0\r\n\r\n".encode(),
            b"") as server:
        with pytest.raises(Denied, match=r"gives no token \(307\)") as caught:
            renewed(Client("wolves", f"http://127.0.0.1:{server.port}/token", "mail"), "the-refresh-token")
        assert b"the-refresh-token" in server.asked
        assert other.asked == b""

    assert "the-refresh-token" not in str(caught.value)


def test_no_more_is_read_than_anyone_needs() -> None:
    """What comes behind is left where it is."""
    with busy(OK + b"Content-Length: 9000000\r\n\r\n" + b"y" * LONGEST, b"y") as server:
        assert asked("GET", f"http://127.0.0.1:{server.port}/", 20) == (200, b"y" * LONGEST)


def test_a_greeting_that_never_ends() -> None:
    """Nor does a mail server that is asked for the time hold a run up."""
    with busy(b"220 mx", b"x") as server, pytest.raises(Away, match="no whole answer in 1 seconds"):
        told_time("127.0.0.1", server.port, tls=False, timeout=1)
