"""Where an address has its mail: as its provider, its domain's own page, or the DNS has it; and whom to believe."""

from __future__ import annotations

import json
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import trustme

from nomicwolf.cli.app import run
from nomicwolf.post.pacing import provider_of
from nomicwolf.post.routes import Proxy, Route
from nomicwolf.postmaster.examining import PROVIDERS
from nomicwolf.postmaster.finding import Servers, configured, servers_of
from nomicwolf.postmaster.records import Dns
from tests.servers.nameserver import nameserver
from tests.servers.tunnel import Tunnel, running_tunnel
from tests.tables import each

WOLF = "wolf@howl.town"
SRV = {
    "_imaps._tcp.howl.town": {"SRV": ["10 1 993 second.howl.town.", "0 1 993 mail.howl.town."]},
    "_submissions._tcp.howl.town": {"SRV": ["0 1 465 mail.howl.town."]},
}
OLD = {
    "_imaps._tcp.howl.town": {"SRV": ["0 0 0 ."]}, "_imap._tcp.howl.town": {"SRV": ["0 1 143 mail.howl.town."]},
    "_submission._tcp.howl.town": {"SRV": ["0 1 587 out.howl.town."]},
}
ELSEWHERE = {
    "_imaps._tcp.howl.town": {"SRV": ["0 1 993 imap.provider.test."]},
    "_submissions._tcp.howl.town": {"SRV": ["0 1 465 smtp.provider.test."]},
}


def server(kind: str, host: str, port: int, security: str, user: str = "%EMAILADDRESS%") -> str:
    """Return a server's element, as Thunderbird reads it."""
    tag = "incomingServer" if kind != "smtp" else "outgoingServer"
    return (f'<{tag} type="{kind}">\n<hostname>{host}</hostname>\n<port>{port}</port>\n<socketType>{security}'
            f"</socketType>\n<username>{user}</username>\n<authentication>password-cleartext</authentication>\n</{tag}>")


def page(*servers: str) -> str:
    """Return a domain's page."""
    return ('<?xml version="1.0" encoding="UTF-8"?>\n<clientConfig version="1.1"><emailProvider id="howl.town">'
            f"<domain>howl.town</domain>{''.join(servers)}</emailProvider></clientConfig>")


IN, OUT = server("imap", "in.howl.town", 993, "SSL"), server("smtp", "out.howl.town", 587, "STARTTLS")


def asked_of_the_dns(zone: dict[str, dict[str, list[str]]] | None) -> Servers | None:
    """Return what the DNS alone tells; no page is reached."""
    nowhere = Route(Proxy.of("http://127.0.0.1:9"))
    with nameserver(zone) as (address, _):
        return servers_of(WOLF, Dns((address,), 5), nowhere)


def test_by_the_dns() -> None:
    """The first choice, by TLS from the first byte on where that is offered (RFC 8314), with its port else."""
    assert asked_of_the_dns(SRV) == Servers("mail.howl.town", "mail.howl.town", WOLF, "the DNS of howl.town")
    assert asked_of_the_dns(OLD) == Servers("mail.howl.town:143", "out.howl.town:587", WOLF, "the DNS of howl.town")
    assert asked_of_the_dns({}) is None
    assert asked_of_the_dns(None) is None


def test_what_a_dns_may_not_decide() -> None:
    """Whoever forges an answer could name servers of eir own, with good certificates: a person has to confirm them."""
    found = asked_of_the_dns(ELSEWHERE)
    assert found is not None
    assert not found.sure


@each(("text", "told"), (
    (page(IN, OUT), ("in.howl.town", "out.howl.town:587", WOLF)),
    (page(server("pop3", "pop.howl.town", 995, "SSL"), IN, OUT), ("in.howl.town", "out.howl.town:587", WOLF)),
    (page(server("imap", "x.howl.town", 143, "plain"), IN, OUT), ("in.howl.town", "out.howl.town:587", WOLF)),
    (page(server("imap", "%EMAILDOMAIN%", 143, "STARTTLS", "%EMAILLOCALPART%"), OUT),
     ("howl.town:143", "out.howl.town:587", "wolf")),
    (page(server("imap", "in.howl.town", 993, "SSL", "%REALNAME%"), OUT), ("in.howl.town", "out.howl.town:587", WOLF)),
    (page(IN), None), (page(OUT), None), ("<html>not here</html>", None), ("", None), ("\0" * 99, None),
    (page(server("imap", "in.howl.town", 9930, "SSL"), OUT), None),
    (page(server("imap", 'a"\nhost = "b', 993, "SSL"), OUT), None),
    (page(server("imap", "in.howl.town", 993, "SSL", "a\nb"), OUT), ("in.howl.town", "out.howl.town:587", WOLF)),
    (f'<!DOCTYPE x [<!ENTITY b "in">]>{page(server("imap", "&b;.howl.town", 993, "SSL"), OUT)}', None),
))
def test_by_a_page(text: str, told: tuple[str, str, str] | None) -> None:
    """Only encrypted ones at usual ports, and nothing that a page could put into the settings beside them."""
    found = configured(text, WOLF, "autoconfig.howl.town")
    assert (found and (found.imap, found.smtp, found.user)) == told


def test_providers_own_domains() -> None:
    """Nobody is asked; each server is written as its provider wants it."""
    for provider in (one for one in PROVIDERS if one.domains):
        for domain in provider.domains:
            found = servers_of(f"wolf@{domain}", Dns(("127.0.0.1:9",), 0))
            assert found is not None
            assert (found.imap, found.smtp) == provider.servers
            assert all("." in host for host in provider.servers)
    assert all(provider_of(host) for host in ("smtp.gmail.com", "smtp-mail.outlook.com", "smtp.fastmail.com"))


@contextmanager
def paged(told: dict[str, str], folder: Path, *names: str) -> Iterator[Tunnel]:
    """Serve pages by their addresses, with certificates of *names*; a proxy leads there from each host."""
    authority = trustme.CA()
    authority.cert_pem.write_to_path(folder / "ca.pem")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(*names).configure_cert(context)

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            text = told.get(f"{self.headers['Host']}{self.path}")
            data = (text or "").encode()
            self.send_response(200 if text else 404)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as running, running_tunnel() as tunnel:
        running.socket = context.wrap_socket(running.socket, server_side=True)
        tunnel.ports = {443: running.server_port}
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield tunnel
        finally:
            running.shutdown()
            thread.join()


WELL = "howl.town/.well-known/autoconfig/mail/config-v1.1.xml"
AUTO = "autoconfig.howl.town/mail/config-v1.1.xml?emailaddress=wolf%40howl.town"


@pytest.mark.parametrize(("told", "names", "found"), [
    ({AUTO: page(IN, OUT)}, ("autoconfig.howl.town",), "in.howl.town"),
    ({WELL: page(IN, OUT)}, ("autoconfig.howl.town", "howl.town"), "in.howl.town"),
    ({AUTO: page(IN, OUT)}, ("eve.test",), "mail.howl.town"),
    ({AUTO: "<html>"}, ("autoconfig.howl.town", "howl.town"), "mail.howl.town"),
])
def test_who_is_believed(
    told: dict[str, str], names: tuple[str, ...], found: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The domain's page, if its certificate is good; else the DNS."""
    with paged(told, tmp_path, *names) as tunnel, nameserver(SRV) as (address, _):
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
        servers = servers_of(WOLF, Dns((address,), 5), Route(Proxy.of(f"socks5://127.0.0.1:{tunnel.port}")))
    assert servers is not None
    assert servers.imap == found


INIT = ("init", "crossing", "--yes", "--contestmaster", "Murphy", "--address", "murphy@players.example",
        "--contest-address", WOLF, "--forum", "agora=a@agora.example")


def test_a_contest_whose_servers_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """They stand in the settings with the security of their ports, and who said so is told; what was given stays."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NOMICWOLF_NETWORK_PROXY", "http://127.0.0.1:9")
    with nameserver(OLD) as (address, _):
        monkeypatch.setenv("NOMICWOLF_IDENTITY_NAMESERVERS", json.dumps([address]).strip('[]"'))
        assert run([*INIT, "--smtp", "smtp.example.org"]) == 0
    assert "Its mail servers, as the DNS of howl.town has them: mail.howl.town:143 in" in capsys.readouterr().out
    text = Path("crossing/contest.toml").read_text()
    assert '[imap]\nhost = "mail.howl.town"\nport = 143\nsecurity = "starttls"\nuser = "wolf@howl.town"\n' in text
    assert '[smtp]\nhost = "smtp.example.org"\nuser' in text


def test_servers_of_others_are_confirmed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a terminal they are named, with what to type; nothing is founded."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NOMICWOLF_NETWORK_PROXY", "http://127.0.0.1:9")
    with nameserver(ELSEWHERE) as (address, _):
        monkeypatch.setenv("NOMICWOLF_IDENTITY_NAMESERVERS", address)
        assert run([*INIT]) == 2
    out, err = capsys.readouterr()
    assert "if they are your provider's, say --imap imap.provider.test --smtp smtp.provider.test" in out
    assert "--imap is missing" in err
    assert not Path("crossing").exists()


def test_nobody_is_asked_about_examples(tmp_path: Path) -> None:
    """The DNS of the world doesn't have them; a wrong key in the environment is told at once."""
    words = [sys.executable, "-m", "nomicwolf", *INIT[:-4], "--contest-address", "wolf@contest.example", *INIT[-2:]]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, "--imap is missing" in done.stderr) == (2, True)
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False,
                          env={"NOMICWOLF_NETWORK_PROXY": "ftp://x"})
    assert "network.proxy: must be like socks5://" in done.stderr
