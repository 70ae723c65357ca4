"""Logging in by OAuth 2.0 tokens: at a Dovecot and a Postfix that take nothing else, and as the large providers do."""

from __future__ import annotations

import re
import smtplib
import socket
import threading
from base64 import b64encode
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest

from nomicwolf.post.imap import ImapAccount, ImapSource
from nomicwolf.post.refusals import Away, Denied
from nomicwolf.post.smtp import Fate, Job, Wire, greet, send
from tests.post.scripted import ImapScript, SmtpScript, imap_server, smtp_server
from tests.servers.dovecot import PASSWORD, Dovecot, running_dovecot
from tests.servers.postfix import running_postfix
from tests.servers.provider import Provider, running_provider
from tests.tables import each

pytestmark = pytest.mark.slow

GMAIL = "IMAP4rev1 SASL-IR AUTH=XOAUTH2 AUTH=PLAIN AUTH=PLAIN-CLIENTTOKEN AUTH=OAUTHBEARER"
EXCHANGE = "IMAP4rev1 AUTH=PLAIN AUTH=XOAUTH2 SASL-IR UIDPLUS ID UNSELECT CHILDREN IDLE NAMESPACE LITERAL+"
BY_OAUTH = r"write \[oauth\] .* give nomicwolf login"


class Bearer:
    """Has some tokens, one after the other."""

    def __init__(self, *tokens: str) -> None:
        self.tokens = list(tokens)

    def __call__(self, refused: str = "") -> str:
        """Return the present token; the next one if it was refused."""
        if refused == self.tokens[0] and len(self.tokens) > 1:
            del self.tokens[0]
        return self.tokens[0]


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    """Return a provider of tokens."""
    with running_provider() as running:
        yield running


@pytest.fixture(scope="module")
def tokens_only(provider: Provider) -> Iterator[Dovecot]:
    """Return a Dovecot that takes the provider's tokens, and no password."""
    with running_dovecot(provider=provider.url("introspect")) as dovecot:
        yield dovecot


def account(port: int, bearer: Bearer | None, password: str = "") -> ImapAccount:
    """Return how to log in as the wolf."""
    return ImapAccount("127.0.0.1", "wolf", password, port, "none", timeout=10, bearer=bearer)


def read(port: int, bearer: Bearer | None, password: str = "") -> list[bytes]:
    """Return all letters of the mailbox."""
    with closing(ImapSource(account(port, bearer, password), 100_000)) as source:
        return [fetched.raw.data for fetched in source.fetch(None, lambda _: set())]


def test_dovecot_takes_a_token(tokens_only: Dovecot, provider: Provider) -> None:
    """Of the wolf, for eir own mailbox; one that is known no more is followed by a fresh one."""
    with closing(smtplib.LMTP("127.0.0.1", tokens_only.lmtp_port)) as client:
        client.sendmail("ash@p.example", ["wolf@contest.example"], b"Subject: a vote\r\n\r\nI vote for Bex.\r\n")
    good = str(provider.new()["access_token"])
    assert [b"I vote for Bex." in letter for letter in read(tokens_only.imap_port, Bearer(good))] == [True]
    assert len(read(tokens_only.imap_port, Bearer("withdrawn", good))) == 1


def test_dovecot_refuses_a_token(tokens_only: Dovecot) -> None:
    """Twice refused, the contestmaster is told to log in; the token stands nowhere in that."""
    with pytest.raises(Denied, match=r"refuses wolf: .*; give nomicwolf login anew") as caught:
        read(tokens_only.imap_port, Bearer("withdrawn-token", "another-token"))
    assert not re.search("withdrawn-token|another-token", str(caught.value))


def test_a_password_at_a_dovecot_of_tokens(tokens_only: Dovecot) -> None:
    """It isn't the password that is wrong, nor the security: nobody gets in by any."""
    with pytest.raises(Denied, match=rf"takes OAuth 2\.0 and no password: {BY_OAUTH}"):
        read(tokens_only.imap_port, None, PASSWORD)


def test_postfix_takes_a_token(tokens_only: Dovecot, provider: Provider) -> None:
    """By Dovecot's word; and with a password one is told what it does take."""
    more = ("smtpd_sasl_auth_enable = yes\nsmtpd_sasl_type = dovecot\nsmtpd_sasl_security_options = noanonymous\n"
            f"smtpd_sasl_path = {tokens_only.folder}/auth\nmynetworks =\n"
            "smtpd_relay_restrictions = permit_sasl_authenticated, reject\n"
            "smtpd_recipient_restrictions = permit_sasl_authenticated, reject\n")
    good, fates = str(provider.new()["access_token"]), dict[str, Fate]()
    with running_postfix(tokens_only.lmtp_port, 1, more) as postfix:
        def wire(bearer: Bearer | None, password: str = "") -> Wire:
            return Wire("127.0.0.1", "wolf@contest.example", "wolf", password, postfix.smtp_port, "none", 20,
                        bearer=bearer)

        job = Job("1", "ash@players.example", b"Subject: 1\r\n\r\nx\r\n")
        send([job], wire(Bearer("withdrawn", good)), lambda _: None, lambda job, fate, _: fates.update({job.key: fate}))
        with pytest.raises(Denied, match=r"refuses wolf: 535 .*; give nomicwolf login anew"):
            greet(wire(Bearer("withdrawn")))
        with pytest.raises(Denied, match=rf"takes OAuth 2\.0 and no password: {BY_OAUTH}"):
            greet(wire(None, PASSWORD))
    assert fates == {"1": "sent"}


@pytest.mark.parametrize(("offers", "said"), [
    ("AUTH=XOAUTH2", b"user=wolf\1auth=Bearer good\1\1"),
    ("AUTH=XOAUTH2 AUTH=OAUTHBEARER", b"n,a=wolf,\1auth=Bearer good\1\1"),
])
def test_what_is_said(offers: str, said: bytes) -> None:
    """The standard way where there is one, else Google's and Microsoft's."""
    script = ImapScript(capability=f"IMAP4rev1 {offers}")
    with imap_server(script) as port:
        read(port, Bearer("good"))
    assert script.authenticated == said


@pytest.mark.parametrize(("offers", "nod"), [("AUTH=XOAUTH2", b""), ("AUTH=OAUTHBEARER", b"\1")])
def test_a_refusal_is_heard_out(offers: str, nod: bytes) -> None:
    """A server tells why as a challenge, which is only nodded at (RFC 7628 3.2.3): no token is told again."""
    script = ImapScript(capability=f"IMAP4rev1 {offers}", token_answers=[INVALID])
    with imap_server(script) as port, pytest.raises(Denied):
        read(port, Bearer("bad"))
    assert f"nod {nod!r}" in script.asked


def _told(*, by_token: bool) -> tuple[str, str]:
    """Return a secret, and the words by which it is told."""
    if by_token:
        return "a-good-token", b64encode(b"user=wolf\1auth=Bearer a-good-token\1\1").decode()
    return "hunter2-secret", b64encode(b"\0wolf\0hunter2-secret").decode()


@pytest.mark.parametrize("by_token", [True, False])
@pytest.mark.parametrize("script", [
    {"rcpt": {"*": "550 5.1.1 no {0} {1}"}}, {"mail": "550 5.7.1 no {0} {1}"}, {"data": {"*": "450 4.2.0 no {0} {1}"}}])
def test_a_server_that_repeats_secrets_later(script: dict[str, Any], by_token: bool) -> None:
    """What it says of a letter is kept in the ledger and told to the contestmaster: there no password stands."""
    secret, words = _told(by_token=by_token)
    filled: dict[str, Any] = {
        key: {"*": value["*"].format(secret, words)} if isinstance(value, dict) else value.format(secret, words)
        for key, value in script.items()}
    said = list[str]()
    with smtp_server(SmtpScript(auth="235 ok", offers="PLAIN XOAUTH2", token_answers=["235 ok"] * 9, **filled)) as port:
        wire = Wire("127.0.0.1", "wolf@x.example", "wolf", "" if by_token else secret, port, "none", 5, 1,
                    bearer=Bearer(secret) if by_token else None)
        try:
            send([Job("1", "bex@p.example", b"Subject: x\r\n\r\nx\r\n")], wire, lambda _: None,
                 lambda _, fate, why: said.append(why))
        except Denied as error:
            said.append(str(error))
    assert any("no ... ..." in each for each in said), said
    assert not any(secret in each or words in each for each in said)


@pytest.mark.parametrize("by_token", [True, False])
@pytest.mark.parametrize("answer", ["NO no {0} {1}", "BAD no {0} {1}", "NO [UNAVAILABLE] no {0} {1}"])
@pytest.mark.parametrize("command", ["EXAMINE", "UID SEARCH", "UID FETCH"])
def test_a_mailbox_that_repeats_secrets_later(command: str, answer: str, by_token: bool) -> None:
    """The same of whatever is asked once one is in."""
    secret, words = _told(by_token=by_token)
    script = ImapScript(letters={1: b"Subject: x\r\n\r\nx\r\n"}, capability=EXCHANGE,
                        refusals={command: answer.format(secret, words)})
    with imap_server(script) as port, pytest.raises((Away, Denied), match=r"no \.\.\. \.\.\.") as caught:
        read(port, Bearer(secret) if by_token else None, "" if by_token else secret)
    assert secret not in str(caught.value)
    assert words not in str(caught.value)


def test_a_server_that_asks_on_and_on() -> None:
    """Behind its reason it has nothing to ask: the run leaves it, and says nothing of what was told."""
    asked = list[bytes]()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        def answer() -> None:
            line, _ = listening.accept()
            with line, line.makefile("rb") as lines:
                line.sendall(b"* OK ready\r\n")
                tag = lines.readline().split()[0]
                line.sendall(b"* CAPABILITY IMAP4rev1 AUTH=XOAUTH2\r\n" + tag + b" OK\r\n")
                while lines.readline() and len(asked) < 100:
                    asked.append(b"+")
                    line.sendall(b"+ \r\n")

        thread = threading.Thread(target=answer)
        thread.start()
        with pytest.raises(Away, match=r"an answer that can't be understood"):
            read(listening.getsockname()[1], Bearer("good"))
        thread.join()
    assert len(asked) < 5


def test_no_token_is_told_without_a_way(provider: Provider) -> None:
    """A server that takes none is told none, and the contestmaster what to set."""
    script = ImapScript(capability="IMAP4rev1 AUTH=PLAIN")
    with imap_server(script) as port, pytest.raises(Denied, match=r"takes no OAuth 2\.0"):
        read(port, Bearer("good"))
    assert not script.authenticated
    with smtp_server(SmtpScript(auth="235 ok")) as port, pytest.raises(Denied, match=r"takes no OAuth 2\.0"):
        greet(Wire("127.0.0.1", "w@x.example", "wolf", port=port, security="none", timeout=5, bearer=Bearer("good")))


def test_a_server_that_repeats_a_token() -> None:
    """Neither the token nor the words that it stood in go into the error."""
    words = "dXNlcj13b2xmAWF1dGg9QmVhcmVyIGJhZAEB"
    script = ImapScript(capability="IMAP4rev1 AUTH=XOAUTH2", token_answers=[f"NO no bad in {words}"])
    with imap_server(script) as port, pytest.raises(Denied, match=r"no \.\.\. in \.\.\.; ") as caught:
        read(port, Bearer("bad"))
    assert words not in str(caught.value)


def test_an_answer_for_now() -> None:
    """A provider that is out of order is asked again by the next run."""
    script = ImapScript(capability=EXCHANGE, token_answers=["NO [UNAVAILABLE] later"])
    with imap_server(script) as port, pytest.raises(Away):
        read(port, Bearer("good"))


FAILED = "NO LOGIN failed."
INVALID = "NO [AUTHENTICATIONFAILED] Invalid credentials (Failure)"
APP = "NO [ALERT] Application-specific password required: https://support.google.com/accounts/answer/185833 (Failure)"
WEB = "NO [ALERT] Please log in via your web browser: https://support.google.com/mail/accounts/answer/78754 (Failure)"
OFF = "NO [ALERT] Your account is not enabled for IMAP use. Please visit your Gmail settings page. (Failure)"
BASIC = "535 5.7.139 Authentication unsuccessful, basic authentication is disabled. [AM0PR01.exchangelabs.com]"
TENANT = "535 5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled for the Tenant. Visit https://aka.ms"
EXCHANGE_NO = "535 5.7.3 Authentication unsuccessful [AM0PR01CA0001.eurprd01.prod.exchangelabs.com]"
NOT_ACCEPTED = "535-5.7.8 Username and Password not accepted. For more information, go to\r\n535 5.7.8  https://google.com"
SECOND = "534-5.7.9 Application-specific password required. For more information, go to\r\n534 5.7.9  https://google.com"
CONTINUE = "534-5.7.14 <https://google.com/> Please log in via\r\n534 5.7.14 your web browser and then try again."


@each(("capability", "refusal", "advice"), [
    (EXCHANGE, FAILED, rf"imap\.user .*and imap\.password; if they are right, .*{BY_OAUTH}"),
    (GMAIL, INVALID, rf"imap\.password; if they are .*{BY_OAUTH}"),
    (GMAIL, APP, "make an app password .* set imap.password to it, or write"),
    (GMAIL, WEB, "in a web browser once"),
    (GMAIL, OFF, "allow IMAP in the mailbox's own settings"),
    ("IMAP4rev1 AUTH=XOAUTH2 AUTH=OAUTHBEARER LOGINDISABLED", "", rf"takes OAuth 2\.0 and no password: {BY_OAUTH}"),
    ("IMAP4rev1 LOGINDISABLED", "", r"set imap\.security$"),
    ("IMAP4rev1 AUTH=PLAIN", "NO [AUTHENTICATIONFAILED] Authentication failed.", r"set imap\.user .*imap\.password$"),
])
def test_imap_passwords(capability: str, refusal: str, advice: str) -> None:
    """What Exchange, Gmail and others say to a password leads to what would be taken."""
    script = ImapScript(capability=capability, refuse_login=refusal)
    with imap_server(script) as port, pytest.raises(Denied, match=advice):
        read(port, None, "secret")


@pytest.mark.parametrize(("answer", "advice"), [
    ("NO AUTHENTICATE failed.", r"give nomicwolf login anew, as the account that imap\.user names"),
    (INVALID, "give nomicwolf login anew"),
    (OFF, "allow IMAP"),
])
def test_imap_tokens(answer: str, advice: str) -> None:
    """The same for tokens."""
    script = ImapScript(capability=EXCHANGE, token_answers=[answer])
    with imap_server(script) as port, pytest.raises(Denied, match=advice):
        read(port, Bearer("token"))


def test_exchange_that_connects_nobody() -> None:
    """It takes the token, and no mailbox can be opened: neither its name nor the security is wrong."""
    script = ImapScript(capability=EXCHANGE, refusals={"EXAMINE": "BAD User is authenticated but not connected."})
    with imap_server(script) as port, pytest.raises(Denied, match=r"; allow IMAP .* imap\.user is the account"):
        read(port, Bearer("token"))


@each(("offers", "auth", "advice"), [
    ("LOGIN XOAUTH2", BASIC, rf"takes OAuth 2\.0 and no password: {BY_OAUTH}"),
    ("LOGIN XOAUTH2", TENANT, "as its administrator"),
    ("LOGIN PLAIN XOAUTH2", NOT_ACCEPTED, r"set smtp\.user .*and smtp\.password; if"),
    ("LOGIN PLAIN XOAUTH2", SECOND, "make an app password"),
    ("LOGIN PLAIN XOAUTH2", CONTINUE, "in a web browser once"),
    ("XOAUTH2", "535 no", rf"takes OAuth 2\.0 and no password: {BY_OAUTH}"),
    ("PLAIN", "535 5.7.8 Error: authentication failed", r"set smtp\.user .*and smtp\.password$"),
])
def test_smtp_passwords(offers: str, auth: str, advice: str) -> None:
    """What Exchange, Gmail and others say to a password leads to what would be taken."""
    with smtp_server(SmtpScript(offers=offers, auth=auth)) as port, pytest.raises(Denied, match=advice):
        greet(Wire("127.0.0.1", "w@x.example", "wolf", "secret", port, "none", 5))


@pytest.mark.parametrize(("answer", "advice"), [
    (EXCHANGE_NO, "login anew, as the account"),
    (TENANT, "administrator"),
    (NOT_ACCEPTED, r"give nomicwolf login anew, as the account that smtp\.user names"),
])
def test_smtp_tokens(answer: str, advice: str) -> None:
    """The same for tokens: a refused one is followed by a fresh one, and by no third."""
    script = SmtpScript(offers="PLAIN XOAUTH2", auth="535 no", token_answers=[answer, answer])
    with smtp_server(script) as port:
        wire = Wire("127.0.0.1", "w@x.example", "wolf", "", port, "none", 5, bearer=Bearer("stale", "fresh"))
        with pytest.raises(Denied, match=advice):
            greet(wire)
        assert script.token_answers == []
        script.token_answers = [answer]
        greet(replace(wire, bearer=Bearer("stale", "fresh")))
