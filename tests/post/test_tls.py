"""TLS that doesn't come about: nothing is told to such a server, and the contestmaster is."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from nomicwolf.post.imap import ImapAccount, ImapSource
from nomicwolf.post.refusals import Denied
from nomicwolf.post.smtp import Wire, greet

Kind = Literal["smtp", "imap"]
GREETING = {"smtp": b"220 hi\r\n", "imap": b"* OK hi\r\n"}


@pytest.fixture(scope="module")
def strange(tmp_path_factory: pytest.TempPathFactory) -> ssl.SSLContext:
    """Return a server's side of TLS with a certificate that nobody has signed, for another name."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "x.example")])
    now = datetime.now(UTC)
    made = (x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
            .serial_number(1).not_valid_before(now - timedelta(1)).not_valid_after(now + timedelta(1))
            .sign(key, SHA256()))
    file: Path = tmp_path_factory.mktemp("tls") / "both.pem"
    file.write_bytes(made.public_bytes(Encoding.PEM)
                     + key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    return context


@contextmanager
def serving(talk: Callable[[socket.socket], None]) -> Iterator[int]:
    """Let *talk* have each connection to a port of loopback."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        def go() -> None:
            with suppress(OSError):
                while True:
                    line, _ = server.accept()
                    with line, suppress(OSError):
                        line.settimeout(5)
                        talk(line)

        threading.Thread(target=go, daemon=True).start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)


def connect(kind: Kind, port: int, security: Literal["tls", "starttls"]) -> None:
    """Connect and log in, as a run does."""
    if kind == "smtp":
        greet(Wire("localhost", "w@x.example", "wolf", "secret", port, security, 5))
    else:
        account = ImapAccount("localhost", "wolf", "secret", port, security, timeout=5)
        list(ImapSource(account, 10).fetch(None, frozenset))


@pytest.mark.parametrize("kind", ["smtp", "imap"])
def test_a_certificate_that_nobody_signed(kind: Kind, strange: ssl.SSLContext) -> None:
    """By TLS from the first byte on, which is the usual: it may be somebody's on the way, and is never tried again."""
    with (serving(lambda line: strange.wrap_socket(line, server_side=True).close()) as port,
          pytest.raises(Denied, match=rf"{kind} localhost:\d+: its certificate is not good")):
        connect(kind, port, "tls")


@pytest.mark.parametrize("kind", ["smtp", "imap"])
def test_a_certificate_behind_starttls(kind: Kind, strange: ssl.SSLContext) -> None:
    """No name and no password is told before."""
    heard: list[bytes] = []

    def talk(line: socket.socket) -> None:
        line.sendall(GREETING[kind])
        with line.makefile("rb") as file:
            for said in file:
                heard.append(said)
                tag = said.split()[0]
                if b"STARTTLS" in said:
                    line.sendall(b"220 go\r\n" if kind == "smtp" else tag + b" OK go\r\n")
                    break
                line.sendall(b"250-x\r\n250 STARTTLS\r\n" if kind == "smtp" else
                             b"* CAPABILITY IMAP4rev1 STARTTLS\r\n" + tag + b" OK\r\n")
        strange.wrap_socket(line, server_side=True)

    with serving(talk) as port, pytest.raises(Denied, match="its certificate is not good"):
        connect(kind, port, "starttls")
    assert not any(b"LOGIN" in said or b"AUTH" in said for said in heard)


@pytest.mark.parametrize("kind", ["smtp", "imap"])
def test_a_port_without_tls(kind: Kind) -> None:
    """The wrong port or the wrong key: waiting doesn't mend it."""
    def talk(line: socket.socket) -> None:
        line.sendall(GREETING[kind])
        line.recv(1000)

    with serving(talk) as port, pytest.raises(Denied, match=rf"doesn't speak TLS at that port; set {kind}\.security"):
        connect(kind, port, "tls")
