"""From nothing to a started contest at each provider, by the handbook's servers, settings and steps.

The providers are fakes that greet, log in and refuse as they do, with TLS and their names, before mail servers on
loopback; they are reached through a proxy that knows where they are.
"""

from __future__ import annotations

import re
import smtplib
import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import trustme

from nomicwolf.cli.app import run
from nomicwolf.maillist import MailingList
from nomicwolf.mailworld import MailWorld
from tests.servers.front import BASIC, Front, running_front
from tests.servers.nameserver import nameserver
from tests.servers.provider import Provider, running_provider
from tests.servers.tunnel import running_tunnel

pytestmark = pytest.mark.slow

FORUM = "agora-business@agora.example"
PLAYERS = ("Ash", "Bex", "Cam", "Dov", "Eli")
PASSWORD = "abcd efgh ijkl mnop"
GMAIL = Front("wolf.contest@gmail.com", "IMAP4rev1 SASL-IR AUTH=XOAUTH2 AUTH=PLAIN AUTH=OAUTHBEARER",
              "LOGIN PLAIN XOAUTH2", (
                  "NO [AUTHENTICATIONFAILED] Invalid credentials (Failure)",
                  ("535-5.7.8 Username and Password not accepted. For more information, go to\r\n"
                   "535 5.7.8 https://support.google.com/mail/?p=BadCredentials - gsmtp")))
OUTLOOK = Front("wolf.contest@outlook.com", "IMAP4 IMAP4rev1 AUTH=PLAIN AUTH=XOAUTH2 SASL-IR UIDPLUS", "LOGIN XOAUTH2",
                ("NO LOGIN failed.", BASIC), starttls=True, knows_senders=True)
FASTMAIL = Front("wolf@fastmail.com", "IMAP4 IMAP4rev1 LITERAL+ SASL-IR AUTH=PLAIN", "PLAIN LOGIN", (
    "NO Incorrect username or password.", "535 5.7.8 Incorrect username or password"))
OWN = Front("wolf@contest.example", "IMAP4rev1 SASL-IR LITERAL+ AUTH=PLAIN AUTH=LOGIN", "PLAIN LOGIN", (
    "NO [AUTHENTICATIONFAILED] Authentication failed.", "535 5.7.8 Error: authentication failed: UGFzc3dvcmQ6"))


@dataclass(frozen=True, slots=True)
class Place:
    """A provider: its servers as the handbook names them, whether it takes a password, and whether they are *found*."""

    front: Front
    imap: str
    smtp: str
    ports: tuple[int, int]
    by_token: bool = False
    found: bool = True

    @property
    def servers(self) -> tuple[str, ...]:
        """Return the options that name the servers, where `init` doesn't find them by the address."""
        return () if self.found else ("--imap", self.imap, "--smtp", self.smtp)


PLACES = {
    "Gmail": Place(GMAIL, "imap.gmail.com", "smtp.gmail.com", (993, 465)),
    "Fastmail": Place(FASTMAIL, "imap.fastmail.com", "smtp.fastmail.com", (993, 465)),
    "Outlook.com": Place(OUTLOOK, "outlook.office365.com", "smtp-mail.outlook.com", (993, 587), by_token=True),
    "Exchange Online": Place(replace(OUTLOOK, user="wolf@contoso.example"), "outlook.office365.com",
                             "smtp.office365.com", (993, 587), by_token=True, found=False),
    "a server of one's own": Place(OWN, "mail.contest.example", "mail.contest.example", (993, 465)),
}


ZONE = {f"_{kind}._tcp.contest.example": {"SRV": [f"0 1 {port} mail.contest.example."]}
        for kind, port in (("imaps", 993), ("submissions", 465))}
"""What the DNS says of a domain of one's own."""
LOOKED_AT = {"autoconfig.contest.example", "contest.example"}
"""Where `init` looks for a page of that domain's; there is none."""


class Reader:
    """A newcomer with the handbook open, and a world of mail that e is in."""

    def __init__(self, place: Place, mail: MailWorld, capture: pytest.CaptureFixture[str]) -> None:
        self.place, self.mail, self._capture = place, mail, capture
        self._letters = 0

    def types(self, *words: str, status: int = 0) -> str:
        """Give a command, and return what it says; its status must be that one."""
        found = run(list(words))
        told = self._capture.readouterr()
        assert found == status, f"{words}: {found}\n{told.out}{told.err}"
        return str(told.out + told.err)

    def edits(self, change: Callable[[str], str]) -> None:
        """Change the contest's settings with an editor."""
        file = Path("crossing/contest.toml")
        after = change(file.read_text())
        assert after != file.read_text()
        file.write_text(after)

    def post(self, who: str, text: str) -> None:
        """Let a player write to the forum."""
        self._letters += 1
        sender = f"{who.lower()}@players.example"
        head = (f"From: {who} <{sender}>\r\nTo: {FORUM}\r\nSubject: wolves\r\n"
                f"Message-ID: <{self._letters}@players.example>")
        with smtplib.SMTP("127.0.0.1", self.mail.smtp_port, local_hostname="players.example") as smtp:
            smtp.sendmail(sender, [FORUM], f"{head}\r\n\r\n{text}\r\n".encode())


@contextmanager
def world(
    place: Place, folder: Path, patch: pytest.MonkeyPatch, capture: pytest.CaptureFixture[str]
) -> Iterator[tuple[Reader, Provider]]:
    """Run the provider, the forum and its players' mailboxes; a proxy leads to them from the names in the handbook."""
    authority = trustme.CA()
    authority.cert_pem.write_to_path(folder / "ca.pem")
    patch.setenv("SSL_CERT_FILE", str(folder / "ca.pem"))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(place.imap, place.smtp, "login.microsoftonline.com").configure_cert(context)
    everyone = (place.front.user, *(f"{who.lower()}@players.example" for who in PLAYERS), "murphy@players.example")
    with ExitStack() as stack:
        mail = stack.enter_context(MailWorld(
            [MailingList(FORUM, "Agora", "BUS:", "a footer", everyone)], lambda: int(time.time()), everyone))
        provider = stack.enter_context(running_provider(context))
        provider.client_id, provider.user = "11111111-2222-3333-4444-555555555555", place.front.user
        front = stack.enter_context(running_front(replace(
            place.front, context=context, behind=(mail.imap_port, mail.smtp_port), inner=mail.password, told=[],
            **({"good": provider.good.__contains__} if place.by_token else {"password": PASSWORD}))))
        tunnel = stack.enter_context(running_tunnel())
        tunnel.ports = {place.ports[0]: front.ports[0], place.ports[1]: front.ports[1], 443: provider.port}
        patch.setenv("NOMICWOLF_NETWORK_PROXY", f"socks5://127.0.0.1:{tunnel.port}")
        patch.chdir(folder)
        yield Reader(replace(place, front=front), mail, capture), provider
        assert {host for _, host, _ in tunnel.asked} <= {
            place.imap, place.smtp, "login.microsoftonline.com", *(LOOKED_AT if place.front.user == OWN.user else ())}


@pytest.mark.parametrize("name", PLACES)
def test_from_nothing_to_a_started_contest(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A first evening, with nothing but what the handbook and the program say: nothing is asked for twice."""
    place = PLACES[name]
    with world(place, tmp_path, monkeypatch, capsys) as (reader, provider):
        with nameserver(ZONE) as (dns, _), monkeypatch.context() as asking:
            asking.setenv("NOMICWOLF_IDENTITY_NAMESERVERS", dns)
            said = reader.types(
                "init", "crossing", "--yes", "--contestmaster", "Murphy", "--address", "murphy@players.example",
                "--contest-address", place.front.user, *place.servers, "--forum", f"agora={FORUM}")
        assert not place.found or f"{place.imap} in, {place.smtp} out" in said
        if place.by_token:
            assert "takes no password" in said
            reader.edits(lambda text: re.sub(r"(?m)^# (\[oauth\]|provider|client_id)", r"\1", text).replace(
                "00000000-0000-0000-0000-000000000000", provider.client_id))
            assert "enter the code ABCD-EFGH" in reader.types("-C", "crossing", "login")
        else:
            assert "crossing/mail.password" in said
            Path("crossing/mail.password").write_text(f"{PASSWORD}\n")
            Path("crossing/mail.password").chmod(0o600)
            reader.edits(lambda text: text.replace("# password_file", "password_file"))
        said = reader.types("-C", "crossing", "check", "--send")
        assert "letters in: good\nletters out: good\n" in said
        for who in PLAYERS:
            reader.post(who, "I join this contract.")
        reader.types("-C", "crossing", "poll")
        reader.types("-C", "crossing", "start", "--roles", "seer", "--limit", "agora=25")
        reader.types("-C", "crossing", "poll")
        reader.types("-C", "crossing", "poll")

        assert "nothing" in reader.types("-C", "crossing", "unsent").lower()
        assert {"right" in each for each in reader.place.front.told} == {True}
        assert b"Session 1" in b"".join(reader.mail.inbox("murphy@players.example"))
        for who in PLAYERS:
            letters = b"".join(reader.mail.inbox(f"{who.lower()}@players.example"))
            assert b"Day 1 begins" in letters
            assert b"This letter tells you alone what you are" in letters


def checked(reader: Reader, place: Place, patch: pytest.MonkeyPatch) -> str:
    """Return what `check` says of a contest at *place* whose password is the account's own."""
    reader.types("init", "crossing", "--yes", "--contestmaster", "Murphy", "--address", "murphy@players.example",
                 "--contest-address", place.front.user, "--imap", place.imap, "--smtp", place.smtp,
                 "--forum", f"agora={FORUM}")
    patch.setenv("NOMICWOLF_IMAP_PASSWORD", "hunter2")
    patch.setenv("NOMICWOLF_SMTP_PASSWORD", "hunter2")
    return reader.types("-C", "crossing", "check", status=1)


@pytest.mark.parametrize(("name", "advice"), [
    ("Gmail", r"imap\.password.*OAuth"), ("Fastmail", "make an app password"),
    ("a server of one's own", r"set imap\.user and imap\.password")])
def test_the_accounts_own_password(
    name: str, advice: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first thing that people try: `check` says what to do."""
    place = PLACES[name]
    with world(place, tmp_path, monkeypatch, capsys) as (reader, _):
        said = checked(reader, place, monkeypatch)

        assert re.search(advice, said), said
        assert "hunter2" not in said


@pytest.mark.parametrize("name", ["Outlook.com", "Exchange Online"])
def test_a_password_where_none_is_taken(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever gives one all the same is sent to the login."""
    place = PLACES[name]
    with world(place, tmp_path, monkeypatch, capsys) as (reader, _):
        said = checked(reader, place, monkeypatch)

        assert said.count("write [oauth] into contest.toml without a password") == 2
