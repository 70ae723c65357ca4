"""How mail comes to a domain: its servers' TLS and its MTA-STS policy, tried against servers on loopback."""

from __future__ import annotations

import socket
import socketserver
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
import trustme

from nomicwolf.postmaster.examining import Examined
from nomicwolf.postmaster.incoming import Ports, incoming
from nomicwolf.postmaster.records import Dns
from tests.postmaster.zones import Records, txt
from tests.servers.nameserver import nameserver
from tests.tables import each

POLICY = "version: STSv1\r\nmode: {}\r\nmx: {}\r\nmax_age: 604800\r\n"
ZONE: Records = {
    "howl.town": {"MX": ["10 mx.howl.town."]}, "mx.howl.town": {"A": ["127.0.0.1"]},
    "mta-sts.howl.town": {"A": ["127.0.0.1"]}, "_mta-sts.howl.town": {"TXT": ['"v=STSv1; id=1"']},
}
AUTHORITY = trustme.CA()


def context(*names: str) -> ssl.SSLContext:
    """Return a server's side of TLS, with a certificate of *names*."""
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    AUTHORITY.issue_cert(*names).configure_cert(made)
    return made


@pytest.fixture(autouse=True)
def _trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let programs of this machine trust our authority, as they do those of browsers."""
    AUTHORITY.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))


@contextmanager
def serving(handler: type[socketserver.StreamRequestHandler]) -> Iterator[int]:
    """Serve on a port of loopback."""
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
            thread.join()


def exchanger(certificate: str) -> type[socketserver.StreamRequestHandler]:
    """Return a server that takes mail, with STARTTLS if there is a *certificate*'s name."""

    class Exchanger(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            self.connection.sendall(b"220 mx.howl.town ESMTP\r\n")
            self.talk(self.connection)

        def talk(self, line: socket.socket) -> None:
            while word := line.recv(500)[:8].upper():
                if word.startswith(b"EHLO"):
                    line.sendall(b"250-mx.howl.town\r\n250 STARTTLS\r\n" if certificate else b"250 mx.howl.town\r\n")
                elif word.startswith(b"STARTTLS"):
                    line.sendall(b"220 go on\r\n")
                    with suppress(OSError), context(certificate).wrap_socket(line, server_side=True) as covered:
                        self.talk(covered)
                    return
                else:
                    line.sendall(b"221 bye\r\n")
                    return

    return Exchanger


def page(text: str, certificate: str = "mta-sts.howl.town") -> type[socketserver.StreamRequestHandler]:
    """Return a server of the policy's page; without *text* there is none."""

    class Page(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            with suppress(OSError), context(certificate).wrap_socket(self.connection, server_side=True) as line:
                there = bool(text) and line.recv(2000).startswith(b"GET /.well-known/mta-sts.txt ")
                head = f"HTTP/1.1 {200 if there else 404} x\r\nContent-Length: {len(text)}\r\n\r\n"
                line.sendall(f"{head}{text}".encode())
                line.unwrap()

    return Page


def found_of(
    zone: Records = ZONE, certificate: str = "mx.howl.town", text: str = POLICY.format("enforce", "mx.howl.town"),
    web: str = "mta-sts.howl.town",
) -> Examined:
    """Return what is found of a domain with *zone*, a mail server's *certificate*, and the *text* of a policy."""
    with (nameserver(zone) as (address, _), serving(exchanger(certificate)) as smtp,
          serving(page(text, web)) as https):
        return incoming("howl.town", Dns((address,)), Ports(smtp, https))


def test_a_domain_that_keeps_to_its_policy_is_well() -> None:
    """TLS by a certificate of the server's name, and a policy that names the server."""
    found = found_of()
    assert found.faults == []
    assert found.notes == []


@each(("changes", "said"), [
    ({"certificate": ""}, "TLS: mx.howl.town offers no STARTTLS"),
    ({"certificate": "other.town"}, "TLS: mx.howl.town has a certificate that isn't of that name"),
    ({"text": POLICY.format("enforce", "other.town")}, "into the DNS:  mx: mx.howl.town"),
    ({"text": ""}, "it answers 404"),
    ({"text": "mode: enforce"}, "it has no version: STSv1"),
    ({"text": POLICY.format("enforce", "x").replace("604800", "long")}, "it needs max_age"),
    ({"web": "howl.town"}, "its certificate isn't one of mta-sts.howl.town"),
    ({"zone": {name: ZONE[name] for name in ZONE if name != "mta-sts.howl.town"}}, "mta-sts.howl.town has no address"),
    ({"zone": {**ZONE, "mx.howl.town": {}}}, "MX: mx.howl.town takes the domain's mail and has no address"),
    ({"zone": {}}, "howl.town. IN MX 10 mail.howl.town."),
    ({"zone": {"howl.town": {"MX": ["0 ."]}}}, "nobody can write to howl.town"),
])
def test_what_is_wrong_is_told(changes: dict[str, str], said: str) -> None:
    """Each is a fault where the policy is enforced: mail isn't brought then."""
    assert any(said in fault for fault in found_of(**changes).faults)  # type: ignore[arg-type]


def test_without_a_policy_tls_is_advice() -> None:
    """Mail comes nevertheless, so nothing is a fault; the record and the page of a policy are shown."""
    zone = {name: ZONE[name] for name in ZONE if "_" not in name}
    bare, other = found_of(zone, ""), found_of(zone, "other.town")
    assert bare.faults == other.faults == []
    assert any(note.startswith("TLS: mx.howl.town offers no") for note in bare.notes)
    assert any(note.startswith("TLS: mx.howl.town has a cert") for note in other.notes)
    (note,) = [note for note in bare.notes if note.startswith("MTA-STS:")]
    assert note.endswith('_mta-sts.howl.town. IN TXT "v=STSv1; id=1"')
    assert "mx: mx.howl.town" in note


def test_a_policy_that_is_only_tried_is_no_fault() -> None:
    """In testing mode mail comes, and what would keep it away later is noted."""
    found = found_of(text=POLICY.format("testing", "other.town"))
    assert found.faults == []
    assert any("mx: mx.howl.town" in note for note in found.notes)


def test_a_port_that_is_closed_from_here_is_noted() -> None:
    """Where nothing answers, nothing is said of TLS."""
    with socket.create_server(("127.0.0.1", 0)) as line:
        port = line.getsockname()[1]
    with nameserver(txt(ZONE, "_mta-sts.howl.town")) as (address, _):
        found = incoming("howl.town", Dns((address,)), Ports(port, port))
    assert found.faults == []
    assert any("was not tried" in note for note in found.notes)
