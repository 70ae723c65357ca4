"""Examination of domains, their servers and their mail."""

from __future__ import annotations

import json
import socket
import socketserver
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import trustme

from nomicwolf.cli.app import run
from nomicwolf.post.refusals import provider_of
from nomicwolf.post.routes import Proxy, Route
from nomicwolf.postmaster.examining import (
    PROVIDERS,
    Examined,
    Ports,
    Servers,
    configured,
    examine,
    incoming,
    servers_of,
)
from nomicwolf.proofs.dkim import Dns, Unanswered
from tests.postmaster.zones import SENDING, Records, examined, good, txt, without
from tests.servers.nameserver import nameserver
from tests.servers.tunnel import Tunnel, running_tunnel
from tests.tables import each

PTR = "25.2.0.192.in-addr.arpa"
DKIM = "nomicwolf._domainkey.howl.town"


def line_in(fault: str) -> tuple[str, str]:
    """Return name and text of the TXT record that a fault says to put into the DNS."""
    line = fault.rpartition(":  ")[2]
    name, _, texts = line.partition(". IN TXT ")
    return name, texts.replace('" "', "").strip('"')


def test_a_domain_that_is_set_up_well_has_no_fault() -> None:
    """It is said that letters are proven twice, and nothing else."""
    found = examined(good())
    assert found.faults == []
    assert [note for note in found.notes if "proven twice" not in note] == []
    assert len(found.notes) == 1


SPOILT: dict[str, Records] = {
    "no SPF": txt(good(), "howl.town"),
    "SPF of elsewhere": txt(good(), "howl.town", "v=spf1 ip4:198.51.100.0/24 ip6:2001:db8::/32 -all"),
    "no DKIM": without(good(), DKIM),
    "another key": txt(good(), DKIM, "v=DKIM1; p=MIGf"),
    "revoked": txt(good(), DKIM, "v=DKIM1; p="),
    "no DMARC": without(good(), "_dmarc.howl.town"),
    "DMARC without policy": txt(good(), "_dmarc.howl.town", "v=DMARC1; rua=mailto:x@howl.town"),
    "DMARC twice": txt(good(), "_dmarc.howl.town", "v=DMARC1; p=none", "v=DMARC1; p=reject"),
}


@each("name", SPOILT)
def test_the_line_that_a_fault_says_mends_it(name: str) -> None:
    """One fault, whose line is put into the DNS as it is told; then there is none."""
    zone = SPOILT[name]
    (fault,) = examined(zone).faults

    assert examined(txt(zone, *line_in(fault))).faults == []


@each(("zone", "said"), [
    (txt(good(), "howl.town", "v=spf1 mx -all", "v=spf1 a -all"), "has 2 records"),
    (txt(good(), "howl.town", "v=spf1 +all"), "the whole world"),
    (txt(good(), "howl.town", "v=spf1 ip4:nowhere -all"), "'nowhere' is no address"),
    (txt(good(), "howl.town", "v=spf1 include:gone.town -all"), "include:gone.town leads to no record"),
    (txt(good(), "howl.town", "v=spf1 " + " ".join(f"a:h{n}.howl.town" for n in range(11)) + " -all"), "more than 10"),
    (txt(good(), "howl.town", "v=spf1 redirect=howl.town"), "more than 10"),
    (without(good(), PTR), "25.2.0.192.in-addr.arpa. IN PTR mx.howl.town."),
    ({**good(), PTR: {"PTR": ["pool-25.net."]}}, "pool-25.net. IN A 192.0.2.25"),
])
def test_what_is_wrong_is_told(zone: Records, said: str) -> None:
    """Records that receivers take for broken, and reverse names that lead nowhere."""
    assert any(said in fault for fault in examined(zone).faults)


def test_what_includes_and_redirects_say_counts() -> None:
    """RFC 7208 5.2 and 6.1: one that is not passed goes on, and the last word is elsewhere's."""
    zone = txt(txt(txt(good(), "howl.town", "v=spf1 include:no.town redirect=yes.town"), "no.town", "v=spf1 -all"),
               "yes.town", "v=spf1 a:mx.howl.town/24//64 -all")
    assert examined(zone).faults == []


def test_nothing_proven_is_told_with_what_follows() -> None:
    """What receivers do then is what the domain's own policy says, or what they are used to."""
    bare = without(txt(good(), "howl.town"), DKIM)
    for policy, said in (("none", "put many of them into spam"), ("quarantine", "put them into spam"),
                         ("reject", "and refuse them")):
        faults = examined(txt(bare, "_dmarc.howl.town", f"v=DMARC1; p={policy}")).faults
        assert any("nothing proves" in fault and said in fault for fault in faults)


def test_a_strict_policy_is_told_with_what_lists_do_to_it() -> None:
    """A list breaks signatures, so it has to rewrite From or to seal with ARC, or the policy goes."""
    strict = txt(good(), "_dmarc.howl.town", "v=DMARC1; p=reject")
    (note,) = [note for note in examined(strict).notes if note.startswith("lists:")]
    assert "munge_from" in note
    assert "ARC" in note
    assert not [note for note in examined(strict, lists=0).notes if note.startswith("lists:")]


def test_the_domain_above_speaks_for_one_below() -> None:
    """DMARC is looked for upwards, and sp= is for those below; SPF of a sister domain proves From, if not strict."""
    zone = txt(txt(good(), "_dmarc.howl.town", "v=DMARC1; p=none; sp=reject"), "wolf.howl.town", "v=spf1 mx -all")
    changes = {"domain": "wolf.howl.town", "server": "mx.howl.town", "here": False, "selector": "", "key": ""}
    found = examined(zone, **changes)
    assert found.faults == []
    assert any("p=reject" in note and "_dmarc.howl.town" in note for note in found.notes)
    assert any("proven by SPF" in note for note in found.notes)

    apart = examined(txt(zone, "_dmarc.howl.town", "v=DMARC1; p=none; aspf=s"), **changes)
    assert any("set smtp.from and contest.address to one domain" in note for note in apart.notes)
    assert not any("proven by SPF" in note for note in apart.notes)


def test_a_provider_needs_its_include() -> None:
    """A domain of one's own at Fastmail: the record takes in Fastmail's, by however many steps."""
    changes = {"server": "smtp.fastmail.com", "here": False}
    (fault,) = examined(good(), **changes).faults
    assert line_in(fault) == ("howl.town", "v=spf1 mx include:spf.messagingengine.com -all")
    assert examined(txt(good(), *line_in(fault)), **changes).faults != [fault]
    zone = txt(txt(good(), *line_in(fault)), "spf.messagingengine.com", "v=spf1 ip4:198.51.100.0/24 -all")
    assert examined(zone, **changes).faults == []


def test_a_providers_own_domain_is_its_care() -> None:
    """Of gmail.com nothing is asked; but who sends as such from elsewhere is taken for a forger."""
    with nameserver({}) as (address, asked):
        dns = Dns((address,))
        there = examine(type(SENDING)("gmail.com", "gmail.com", "smtp.gmail.com"), dns)
        elsewhere = examine(type(SENDING)("gmail.com", "gmail.com", "mx.howl.town"), dns)
        assert asked == []
    assert there.faults == []
    assert "Google's care" in there.notes[0]
    assert "Set smtp.host to Google's server" in elsewhere.faults[0]


def test_where_letters_leave_may_be_said() -> None:
    """Addresses of one's own word are tried in place of those that the domain's mail comes to."""
    found = examined(good(), addresses=("198.51.100.7",))
    assert any("ip4:198.51.100.7" in fault and "domain.leaves_from" in fault for fault in found.faults)
    assert any("7.100.51.198.in-addr.arpa. IN PTR mail.howl.town." in fault for fault in found.faults)


def test_a_server_whose_addresses_prove_nothing_is_no_fault() -> None:
    """Someone else's server may send from other addresses than it takes letters at; that is only noted."""
    zone = {**good(), "smtp.carrier.net": {"A": ["198.51.100.9"]}}
    found = examined(zone, server="smtp.carrier.net", here=False)
    assert found.faults == []
    assert any("ip4:198.51.100.9" in note for note in found.notes)


def test_a_server_that_signs_by_a_selector_nobody_knows() -> None:
    """It is said where to look, and that nomicwolf could sign."""
    found = examined(good(), selector="", key="")
    assert any("nomicwolf dkim says how" in note for note in found.notes)
    assert any("perhaps by DKIM" in note for note in found.notes)


def test_macros_are_left_to_receivers() -> None:
    """What hangs on each letter can't be told here, and isn't guessed."""
    found = examined(txt(good(), "howl.town", "v=spf1 exists:%{i}.spf.howl.town -all"))
    assert found.faults == []
    assert any("depends on each letter" in note for note in found.notes)


def test_a_name_server_that_fails_is_not_an_empty_zone() -> None:
    """Whoever is not answered says so, and finds no fault."""
    with nameserver(None) as (address, _), pytest.raises(Unanswered, match=r"no answer about .* from 127\.0\.0\.1"):
        examine(SENDING, Dns((address,)))


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


def autoconfig(*servers: str) -> str:
    """Return a domain's autoconfig."""
    return ('<?xml version="1.0" encoding="UTF-8"?>\n<clientConfig version="1.1"><emailProvider id="howl.town">'
            f"<domain>howl.town</domain>{''.join(servers)}</emailProvider></clientConfig>")


IN, OUT = server("imap", "in.howl.town", 993, "SSL"), server("smtp", "out.howl.town", 587, "STARTTLS")


def asked_of_the_dns(zone: dict[str, dict[str, list[str]]] | None) -> Servers | None:
    """Return what the DNS alone tells; no autoconfig is reached."""
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
    (autoconfig(IN, OUT), ("in.howl.town", "out.howl.town:587", WOLF)),
    (autoconfig(server("pop3", "pop.howl.town", 995, "SSL"), IN, OUT), ("in.howl.town", "out.howl.town:587", WOLF)),
    (autoconfig(server("imap", "x.howl.town", 143, "plain"), IN, OUT), ("in.howl.town", "out.howl.town:587", WOLF)),
    (autoconfig(server("imap", "%EMAILDOMAIN%", 143, "STARTTLS", "%EMAILLOCALPART%"), OUT),
     ("howl.town:143", "out.howl.town:587", "wolf")),
    (autoconfig(server("imap", "in.howl.town", 993, "SSL", "%REALNAME%"), OUT),
     ("in.howl.town", "out.howl.town:587", WOLF)),
    (autoconfig(IN), None), (autoconfig(OUT), None), ("<html>not here</html>", None), ("", None), ("\0" * 99, None),
    (autoconfig(server("imap", "in.howl.town", 9930, "SSL"), OUT), None),
    (autoconfig(server("imap", 'a"\nhost = "b', 993, "SSL"), OUT), None),
    (autoconfig(server("imap", "in.howl.town", 993, "SSL", "a\nb"), OUT), ("in.howl.town", "out.howl.town:587", WOLF)),
    (f'<!DOCTYPE x [<!ENTITY b "in">]>{autoconfig(server("imap", "&b;.howl.town", 993, "SSL"), OUT)}', None),
))
def test_by_a_page(text: str, told: tuple[str, str, str] | None) -> None:
    """Only encrypted ones at usual ports, and nothing that a autoconfig could put into the settings beside them."""
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
    ({AUTO: autoconfig(IN, OUT)}, ("autoconfig.howl.town",), "in.howl.town"),
    ({WELL: autoconfig(IN, OUT)}, ("autoconfig.howl.town", "howl.town"), "in.howl.town"),
    ({AUTO: autoconfig(IN, OUT)}, ("eve.test",), "mail.howl.town"),
    ({AUTO: "<html>"}, ("autoconfig.howl.town", "howl.town"), "mail.howl.town"),
])
def test_who_is_believed(
    told: dict[str, str], names: tuple[str, ...], found: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The domain's autoconfig, if its certificate is good; else the DNS."""
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
def test_what_is_wrong_with_incoming_mail_is_told(changes: dict[str, str], said: str) -> None:
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
