"""Routes to servers: proxies, grants, and the web."""

from __future__ import annotations

import smtplib
import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.request import urlopen

import pytest
import trustme
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    load_pem_private_key,
)

from nomicwolf.cli.app import run
from nomicwolf.host.admission import outside
from nomicwolf.post import oauth
from nomicwolf.post.imap import ImapAccount, ImapSource
from nomicwolf.post.oauth import Client, renewed
from nomicwolf.post.refusals import Away, Denied, PostError
from nomicwolf.post.routes import (
    LONGEST_ANSWER,
    Proxy,
    Route,
    Unreached,
    asked,
    connected,
    deliver,
    restricted_to,
    server_time,
)
from nomicwolf.post.smtp import Fate, Job, Wire, greet, send
from nomicwolf.settings.keys import SettingsError
from nomicwolf.settings.load import load
from tests.post.scripted import ImapScript, SmtpScript, imap_server, smtp_server
from tests.servers.dovecot import PASSWORD, Dovecot, running_dovecot
from tests.servers.here import PATIENCE, free_ports, loopbacks, wait_until
from tests.servers.postfix import Postfix, running_postfix
from tests.servers.provider import running_provider
from tests.servers.tunnel import Tunnel, running_tunnel

pytestmark = pytest.mark.slow

LETTER = b"From: a@x.example\r\nSubject: hi\r\n\r\nbody\r\n"
KINDS = ("socks5", "socks4", "http")


def route(tunnel: Tunnel, kind: str, login: str = "", *direct: str) -> Route:
    """Return the way through a proxy, as the settings name it."""
    return Route(Proxy.of(f"{kind}://{f'{login}@' if login else ''}127.0.0.1:{tunnel.port}"), frozenset(direct))


def read(account: ImapAccount) -> list[bytes]:
    """Return all letters of a mailbox."""
    with closing(ImapSource(account, 10_000)) as source:
        return [each.raw.data for each in source.fetch(None, lambda _: frozenset())]


def sent(wire: Wire, recipient: str = "bex@players.example") -> Fate:
    """Send a letter and return what became of it."""
    found: dict[str, Fate] = {}
    send([Job("k", recipient, LETTER)], wire, lambda _: None, lambda job, fate, _: found.update({job.key: fate}))
    return found["k"]


@pytest.mark.parametrize("login", ["", "wolf:s%40cret"])
@pytest.mark.parametrize("kind", KINDS)
def test_mail_goes_through_a_proxy(kind: str, login: str) -> None:
    """The proxy looks the names up, which nobody else here knows; it may want a login (of SOCKS 4 a user's name)."""
    imap, smtp = ImapScript(letters={1: LETTER}), SmtpScript()
    with imap_server(imap) as at, smtp_server(smtp) as out, running_tunnel(imap=at, smtp=out) as tunnel:
        tunnel.login = login.replace("%40", "@")
        way = route(tunnel, kind, login)
        assert read(ImapAccount("imap.wolf.example", "wolf", "p", 143, "none", timeout=10, route=way)) == [LETTER]
        assert sent(Wire("smtp.wolf.example", "w@x.example", "", "", 25, "none", 10, route=way)) == "sent"

    assert tunnel.asked == [(kind, "imap.wolf.example", 143), (kind, "smtp.wolf.example", 25)]


def test_a_greeting_that_comes_with_the_proxys_answer() -> None:
    """A mail server speaks first, and both may come in one packet."""
    with imap_server(ImapScript(letters={1: LETTER})) as at, running_tunnel(imap=at) as tunnel:
        tunnel.greedy = True
        for kind in KINDS:
            way = route(tunnel, kind)
            assert read(ImapAccount("imap.wolf.example", "wolf", "p", 143, "none", timeout=10, route=way)) == [LETTER]


@pytest.mark.parametrize("kind", KINDS)
def test_this_machine_and_direct_hosts_need_no_proxy(kind: str) -> None:
    """Loopback is never asked of a proxy, nor who is named ``direct``."""
    with imap_server(ImapScript(letters={1: LETTER})) as at, running_tunnel() as tunnel:
        for host in ("127.0.0.1", "localhost"):
            assert read(ImapAccount(host, "wolf", "p", at, "none", timeout=10, route=route(tunnel, kind))) == [LETTER]
        with pytest.raises(OSError, match=r"[Nn]ame|service"):
            connected("imap.wolf.example", 143, 5, encrypted=False, route=route(tunnel, kind, "", "imap.wolf.example"))

    assert tunnel.asked == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_proxy_that_is_away(kind: str) -> None:
    """It is named, and not the mail server."""
    (port,) = free_ports(1)
    with pytest.raises(Away, match=rf"the proxy 127\.0\.0\.1:{port} \(network\.proxy\): nothing listens there"):
        read(ImapAccount("imap.wolf.example", "w", "p", 143, "none", timeout=5, route=route(Tunnel(port), kind)))
    with pytest.raises(Away, match=rf"the proxy 127\.0\.0\.1:{port} \(network\.proxy\): nothing listens there"):
        greet(Wire("smtp.wolf.example", "w@x.example", "", "", 25, "none", 5, route=route(Tunnel(port), kind)))


@pytest.mark.parametrize(("kind", "said"), [
    ("socks5", "Host unreachable"), ("socks4", "[Rr]equest rejected"), ("http", "503 Service Unavailable")])
def test_a_server_that_the_proxy_does_not_reach(kind: str, said: str) -> None:
    """What it says is told; the next run tries again."""
    with running_tunnel() as tunnel, pytest.raises(
            Away, match=rf"the proxy .* says of imap\.wolf\.example:143: .*{said}"):
        read(ImapAccount("imap.wolf.example", "w", "p", 143, "none", timeout=5, route=route(tunnel, kind)))


@pytest.mark.parametrize("login", ["", "wolf:wrong"])
@pytest.mark.parametrize("kind", ["socks5", "http"])
def test_a_proxy_that_wants_another_login(kind: str, login: str) -> None:
    """Waiting mends nothing; the password isn't told."""
    with running_tunnel() as tunnel:
        tunnel.login = "wolf:right"
        with pytest.raises(Denied, match=rf"wants a login .*network\.proxy: {kind}://USER:PASSWORD@HOST") as error:
            read(ImapAccount("imap.wolf.example", "w", "p", 143, "none", timeout=5, route=route(tunnel, kind, login)))
    assert "wrong" not in str(error.value)


@pytest.mark.parametrize(("answer", "error", "said"), [
    (b"SSH-2.0-OpenSSH_9.2\r\n\r\n", Denied, "is no HTTP proxy"), (b"HTTP/1.1 200 O", Away, "breaks off"),
    (b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 5000, Away, "breaks off")])
def test_what_is_no_proxy(answer: bytes, error: type[PostError], said: str) -> None:
    """Something else that listens there, or something that says too much."""
    with running_tunnel() as tunnel:
        tunnel.answer = answer
        with pytest.raises(error, match=said):
            read(ImapAccount("imap.wolf.example", "w", "p", 143, "none", timeout=5, route=route(tunnel, "http")))


def test_a_proxy_that_never_ends() -> None:
    """Its answer as a whole has its time, and not each byte of it."""
    with busy(b"HTTP/1.1 200 OK\r\na: ", b"b") as proxy, pytest.raises(
            Away, match=r"\(network\.proxy\): no answer in time \(no whole answer in 1 seconds\)"):
        read(ImapAccount("imap.wolf.example", "w", "p", 143, "none", timeout=1,
                         route=Route(Proxy.of(f"http://127.0.0.1:{proxy.port}"))))


def test_logins_and_webhooks_go_through_it_too() -> None:
    """All that a contest reaches: tokens, public facts, and the time that a server tells."""
    with running_provider() as provider, smtp_server(SmtpScript(
            greeting="220 mx ESMTP Tue, 1 Dec 2026 12:00:00 +0000")) as out, running_tunnel(
            login=provider.port, smtp=out) as tunnel:
        way = route(tunnel, "socks5")
        provider.refresh.add("r")
        client = oauth.Client(provider.client_id, token_url=f"http://login.wolf.example:{provider.port}/token",
                              scope="mail", route=way)
        assert oauth.renewed(client, "r").access in provider.good
        assert deliver(f"http://login.wolf.example:{provider.port}/device", "m", 1, b"{}", route=way) == ("sent", "")
        assert server_time("smtp.wolf.example", 25, tls=False, timeout=5, route=way) == 1796126400

    assert [host for _, host, _ in tunnel.asked] == ["login.wolf.example"] * 2 + ["smtp.wolf.example"]


def test_a_proxy_is_no_way_around_a_hosts_grants() -> None:
    """Whoever's settings these are: on a host, only what was granted is reached."""
    class Nothing:
        def server(self, *_: object) -> bool:
            return False

        def mailbox(self, _: Path) -> None:
            return None

    with running_tunnel() as tunnel, restricted_to(Nothing()), pytest.raises(Denied, match=r"network\.proxy"):
        connected("imap.wolf.example", 143, 5, encrypted=True, route=route(tunnel, "socks5"))


needs_ipv6 = pytest.mark.skipif("::1" not in loopbacks(), reason="this machine has no IPv6")


@needs_ipv6
def test_mail_by_ipv6(dovecot: Dovecot) -> None:
    """An address in the settings, with brackets or without, for both ways."""
    with running_postfix(dovecot.lmtp_port, 9) as postfix:
        for host in ("::1", "[::1]"):
            assert sent(Wire(host, "wolf@contest.example", "", "", postfix.smtp_port, "none", 10)) == "sent"
            read(ImapAccount(host, "wolf", PASSWORD, dovecot.imap_port, "none", timeout=10))


@needs_ipv6
def test_a_browser_comes_back_by_ipv6() -> None:
    """A redirect to ``[::1]`` is as good as one to 127.0.0.1 (RFC 8252 7.3)."""
    with running_provider() as provider:
        client = oauth.Client(provider.client_id, token_url=provider.url("token"), scope="mail",
                              authorize_url=provider.url("authorize"), redirect_url="http://[::1]/")

        def say(page: str) -> None:
            back = provider.log_in_at(page)
            assert back.startswith("http://[::1]:")
            threading.Thread(target=lambda: urlopen(back).read(), daemon=True).start()

        assert oauth.by_browser(client, "wolf", say, patience=10).access in provider.good


def test_an_address_that_leads_nowhere_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """A host's IPv6 may not be reached from here: then its other address is, for both ways."""
    (dead,) = free_ports(1)
    with smtp_server(SmtpScript()) as out, imap_server(ImapScript(letters={1: LETTER})) as at:
        def found(_: object, port: int, *__: object, **___: object) -> list[object]:
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", each)) for each in (dead, port)]

        monkeypatch.setattr(socket, "getaddrinfo", found)
        assert sent(Wire("mail.example", "w@x.example", "", "", out, "none", 5)) == "sent"
        assert read(ImapAccount("mail.example", "w", "p", at, "none", timeout=5)) == [LETTER]


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder: an authority's certificate, the server's, the wolf's, and one of a stranger's authority."""
    folder = tmp_path_factory.mktemp("papers")
    folder.chmod(0o755)
    authority, other = trustme.CA(), trustme.CA()
    authority.cert_pem.write_to_path(folder / "ca.pem")
    made = {
        "server": authority.issue_cert("localhost", "127.0.0.1", "mail.wolf.example"),
        "wolf": authority.issue_cert("wolf@contest.example", common_name="wolf"),
        "stranger": other.issue_cert("wolf@contest.example", common_name="wolf"),
    }
    for name, each in made.items():
        each.private_key_and_cert_chain_pem.write_to_path(folder / f"{name}.pem")
    key = load_pem_private_key(made["wolf"].private_key_pem.bytes(), None)
    (folder / "locked.pem").write_bytes(made["wolf"].cert_chain_pems[0].bytes() + key.private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"hush")))
    return folder


@pytest.fixture(autouse=True)
def _trusted(papers: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(papers / "ca.pem"))


@pytest.fixture(scope="module")
def shown(papers: Path) -> Iterator[Dovecot]:
    """Return a Dovecot that lets in whoever shows a certificate of its authority."""
    with running_dovecot(tls=papers) as dovecot:
        yield dovecot


@pytest.fixture(scope="module")
def relaying(shown: Dovecot, papers: Path) -> Iterator[Postfix]:
    """Return a Postfix that takes letters only from whoever shows one."""
    more = (f"smtpd_tls_security_level = encrypt\nsmtpd_tls_cert_file = {papers}/server.pem\n"
            f"smtpd_tls_key_file = {papers}/server.pem\nsmtpd_tls_CAfile = {papers}/ca.pem\nsmtpd_tls_ask_ccert = yes\n"
            "smtpd_relay_restrictions = permit_tls_all_clientcerts, reject\n"
            "smtpd_recipient_restrictions = permit_tls_all_clientcerts, reject\n")
    with running_postfix(shown.lmtp_port, 9, more) as postfix:
        yield postfix


def account(shown: Dovecot, certificate: Path | None, password: str = "") -> ImapAccount:
    """Return how to log in there."""
    return ImapAccount("localhost", "wolf", password, shown.imap_port, "starttls", timeout=10,
                       certificate_file=certificate)


@pytest.mark.parametrize("password", ["", PASSWORD])
def test_a_mailbox_that_wants_a_certificate(shown: Dovecot, papers: Path, password: str) -> None:
    """It comes with the password, or instead of one (SASL EXTERNAL)."""
    shown.wipe()
    with smtplib.LMTP("127.0.0.1", shown.lmtp_port) as lmtp:
        lmtp.sendmail("a@x.example", ["wolf"], LETTER)

    (letter,) = read(account(shown, papers / "wolf.pem", password))

    assert letter.endswith(b"body\r\n")


@pytest.mark.parametrize("name", [None, "stranger.pem"])
def test_without_the_right_one_nobody_comes_in(shown: Dovecot, papers: Path, name: str | None) -> None:
    """The error says what to set."""
    with pytest.raises(Denied, match=r"imap\.certificate_file|certificate"):
        read(account(shown, papers / name if name else None, PASSWORD))


def test_letters_are_sent_by_a_certificate(shown: Dovecot, relaying: Postfix, papers: Path) -> None:
    """A relay that knows us by it wants no login; without it the letter stays."""
    wire = Wire("localhost", "wolf@contest.example", port=relaying.smtp_port, security="starttls", timeout=10,
                certificate_file=papers / "wolf.pem")
    assert sent(wire) == "sent"
    assert sent(replace(wire, certificate_file=None)) == "refused"


@pytest.mark.parametrize(("offers", "said", "taken"), [
    ("PLAIN EXTERNAL", "235 ok", True), ("PLAIN EXTERNAL", "535 5.7.8 who?", False), ("PLAIN", "235 ok", False)])
def test_a_login_by_certificate_at_smtp(papers: Path, offers: str, said: str, taken: bool) -> None:
    """Where it is offered, nothing but the certificate is told."""
    with smtp_server(SmtpScript(auth=said, offers=offers)) as port:
        wire = Wire("127.0.0.1", "w@x.example", "wolf", port=port, security="none", timeout=5,
                    certificate_file=papers / "wolf.pem")
        if taken:
            assert sent(wire) == "sent"
        else:
            with pytest.raises(Denied, match=r"smtp\.(?:user and smtp\.)?password"):
                sent(wire)


def test_a_login_by_certificate_that_imap_does_not_offer(papers: Path) -> None:
    """A password is what it wants."""
    with imap_server(ImapScript(capability="IMAP4rev1 AUTH=PLAIN")) as port, pytest.raises(
            Denied, match=r"no login by a certificate alone .*imap\.password"):
        read(ImapAccount("127.0.0.1", "wolf", "", port, "none", timeout=5, certificate_file=papers / "wolf.pem"))


@pytest.mark.parametrize(("name", "said"), [
    ("gone.pem", "No such file"), ("ca.pem", "private key"), ("locked.pem", "its private key is encrypted")])
def test_a_certificate_that_can_not_be_used(papers: Path, name: str, said: str) -> None:
    """The setting is named, and nobody is asked for a word that opens the key."""
    with pytest.raises(Denied, match=rf"imap\.certificate_file: .*{said}"):
        read(ImapAccount("localhost", "wolf", "", 9, "tls", timeout=5, certificate_file=papers / name))
    with pytest.raises(Denied, match=rf"smtp\.certificate_file: .*{said}"):
        greet(Wire("localhost", "w@x.example", port=9, security="tls", timeout=5, certificate_file=papers / name))


SETTINGS = """
[contest]
id = "crossing"
contestmaster = { name = "Murphy", addresses = ["murphy@players.example"] }

[imap]
host = "mail.wolf.example"
security = "starttls"
user = "wolf"
certificate_file = "wolf.pem"

[smtp]
host = "mail.wolf.example"
security = "starttls"
from = "wolf@contest.example"
certificate_file = "wolf.pem"

[network]
proxy_file = "proxy.url"

[nomic.agora]
forum = "agora-business@lists.agora.example"
"""


def test_a_contest_behind_a_proxy(
    shown: Dovecot, relaying: Postfix, papers: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """All by its settings: it is checked, a letter is read, and the answer sent; nothing goes past the proxy."""
    shown.wipe()
    (tmp_path / "contest.toml").write_text(SETTINGS)
    (tmp_path / "wolf.pem").write_bytes((papers / "wolf.pem").read_bytes())
    with running_tunnel() as tunnel:
        tunnel.login = "wolf:hush"
        (tmp_path / "proxy.url").write_text(f"socks5://wolf:hush@127.0.0.1:{tunnel.port}\n")
        for name in ("contest.toml", "wolf.pem", "proxy.url"):
            (tmp_path / name).chmod(0o600)

        def told(*words: str) -> tuple[int, str]:
            status = run(["-C", str(tmp_path), *words])
            captured = capsys.readouterr()
            return status, captured.out + captured.err

        with smtplib.LMTP("127.0.0.1", shown.lmtp_port) as lmtp:
            lmtp.sendmail("bex@players.example", ["wolf"], b"From: Bex <bex@players.example>\r\n"
                          b"To: wolf@contest.example\r\nSubject: hi\r\nMessage-ID: <1@p.example>\r\n\r\nhelp\r\n")
        tunnel.ports = {143: shown.imap_port, 587: relaying.smtp_port}
        said = told("check")[1]
        assert "hush" not in said
        assert "letters in: good\nletters out: good\n" in said
        assert told("party", "add", "Bex", "bex@players.example")[0] == 0
        status, said = told("poll", "-v")
        assert status == 0, said

    assert {(kind, host) for kind, host, _ in tunnel.asked} == {("socks5", "mail.wolf.example")}
    wait_until("the answer", lambda: any((shown.folder / "mail").glob("bex/new/*")))


def test_a_tenant_names_no_proxy(tmp_path: Path) -> None:
    """A worker's network is its operator's."""
    assert [*outside({"network": {"proxy": "socks5://127.0.0.1:1"}}, tmp_path)] == [
        "network: workers reach servers by the host's own network; leave it out"]


@pytest.mark.parametrize(("old", "new", "said"), [
    ('proxy_file = "proxy.url"', 'proxy = "127.0.0.1:9050"', r"network\.proxy: must be like socks5://"),
    ('host = "mail.wolf.example"\nsecurity = "starttls"\nuser', 'host = "localhost"\nsecurity = "none"\nuser',
     r"imap\.certificate_file: is shown with encryption alone; set imap\.security"),
])
def test_wrong_settings(tmp_path: Path, old: str, new: str, said: str) -> None:
    """Each is told before anything connects, and no password with it."""
    (tmp_path / "proxy.url").write_text("http://p.example:8080")
    (tmp_path / "contest.toml").write_text(SETTINGS.replace(old, new))

    with pytest.raises(SettingsError, match=said) as error:
        load(tmp_path, {})

    assert "hush" not in str(error.value)


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
        renewed(Client("wolves", token_url=f"http://127.0.0.1:{server.port}/token", scope="mail"), "the-refresh-token")


def test_a_provider_that_sends_us_elsewhere() -> None:
    """The refresh token is told to nobody else (RFC 6749 10.4), and isn't repeated in the error."""
    with busy(OK, b"") as other, busy(
            f"HTTP/1.1 307 Go\r\nLocation: http://127.0.0.1:{other.port}/\r\nContent-Length: 0\r\n\r\n".encode(),
            b"") as server:
        with pytest.raises(Denied, match=r"gives no token \(307\)") as caught:
            renewed(Client("wolves", token_url=f"http://127.0.0.1:{server.port}/token", scope="mail"),
                    "the-refresh-token")
        assert b"the-refresh-token" in server.asked
        assert other.asked == b""

    assert "the-refresh-token" not in str(caught.value)


def test_no_more_is_read_than_anyone_needs() -> None:
    """What comes behind is left where it is."""
    with busy(OK + b"Content-Length: 9000000\r\n\r\n" + b"y" * LONGEST_ANSWER, b"y") as server:
        assert asked("GET", f"http://127.0.0.1:{server.port}/", 20) == (200, b"y" * LONGEST_ANSWER)


def test_a_greeting_that_never_ends() -> None:
    """Nor does a mail server that is asked for the time hold a run up."""
    with busy(b"220 mx", b"x") as server, pytest.raises(Away, match="no whole answer in 1 seconds"):
        server_time("127.0.0.1", server.port, tls=False, timeout=1)
