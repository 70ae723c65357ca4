"""Logging in by SCRAM: the password isn't told, and the server proves that it knows it."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from contextlib import closing

import pytest

from nomicwolf.post.imap import ImapAccount, ImapSource
from nomicwolf.post.refusals import Denied, Proof, by_proof
from nomicwolf.post.smtp import Wire, greet
from tests.post.scripted import ImapScript, SmtpScript, imap_server, smtp_server
from tests.servers.dovecot import PASSWORD, Dovecot, running_dovecot
from tests.servers.postfix import running_postfix

pytestmark = pytest.mark.slow

SASL = """smtpd_sasl_auth_enable = yes
smtpd_sasl_type = dovecot
smtpd_sasl_security_options = noanonymous
smtpd_sasl_path = {}/auth
mynetworks =
smtpd_relay_restrictions = permit_sasl_authenticated, reject
smtpd_recipient_restrictions = permit_sasl_authenticated, reject
"""


@pytest.fixture(scope="module")
def proving() -> Iterator[Dovecot]:
    """Return a Dovecot that takes proofs alone."""
    with running_dovecot(ways="scram-sha-256 scram-sha-1") as dovecot:
        yield dovecot


@pytest.fixture(scope="module")
def both() -> Iterator[Dovecot]:
    """Return a Dovecot that takes proofs, and passwords as they are."""
    with running_dovecot(ways="scram-sha-256 plain login") as dovecot:
        yield dovecot


def open_at(port: int, user: str, password: str) -> None:
    """Open the mailbox."""
    with closing(ImapSource(ImapAccount("127.0.0.1", user, password, port, "none", timeout=10), 100_000)) as source:
        assert [*source.fetch(None, lambda _: set())] == []


@pytest.mark.parametrize("password", [PASSWORD, "not this one"])
def test_imap(proving: Dovecot, password: str) -> None:
    """The right password gets in where none may be told; a wrong one is a wrong one."""
    if password == PASSWORD:
        open_at(proving.imap_port, "wolf", password)
        return
    with pytest.raises(Denied, match=r"set imap\.user .*and imap\.password"):
        open_at(proving.imap_port, "wolf", password)


@pytest.mark.parametrize("password", [PASSWORD, "not this one"])
def test_smtp(proving: Dovecot, password: str) -> None:
    """The same at Postfix, by Dovecot's word."""
    with running_postfix(proving.lmtp_port, 1, SASL.format(proving.folder)) as postfix:
        wire = Wire("127.0.0.1", "wolf@contest.example", "wolf", password, postfix.smtp_port, "none", 20)
        if password == PASSWORD:
            greet(wire)
            return
        with pytest.raises(Denied, match=r"set smtp\.user .*and smtp\.password"):
            greet(wire)


def test_a_password_that_is_kept_as_a_hash(both: Dovecot) -> None:
    """No proof can be made of it, so it is told, as before."""
    open_at(both.imap_port, "zoe", PASSWORD)
    open_at(both.imap_port, "wolf", PASSWORD)
    with running_postfix(both.lmtp_port, 1, SASL.format(both.folder)) as postfix:
        for user in ("zoe", "wolf"):
            greet(Wire("127.0.0.1", "w@contest.example", user, PASSWORD, postfix.smtp_port, "none", 20))
    with pytest.raises(Denied, match=r"set imap\.user .*and imap\.password"):
        open_at(both.imap_port, "zoe", "not this one")


def test_the_password_is_not_told(both: Dovecot) -> None:
    """Where a proof will do, it is in nothing that is said."""
    proof = Proof("SCRAM-SHA-256", "wolf", PASSWORD, "imap mail.example:993")
    assert PASSWORD.encode() not in proof(b"")
    assert by_proof(["PLAIN", "SCRAM-SHA-1", "scram-sha-256"]) == "SCRAM-SHA-256"
    assert by_proof(["PLAIN", "SCRAM-SHA-256-PLUS"]) == ""


@pytest.mark.parametrize("challenge", ["v=bm9uc2Vuc2U=", "r=another,s=c2FsdA==,i=4096", "nonsense", ""])
def test_somebody_elses_server(challenge: str) -> None:
    """One that doesn't know the password is found out, and is told nothing."""
    answers = [f"+ {b64encode(challenge.encode()).decode()}"]
    script = ImapScript(capability="IMAP4rev1 AUTH=SCRAM-SHA-256", challenges=answers)
    with imap_server(script) as port, pytest.raises(Denied, match="doesn't prove that it knows the password"):
        open_at(port, "wolf", PASSWORD)
    smtp = SmtpScript(offers="SCRAM-SHA-256", auth=f"334 {b64encode(challenge.encode()).decode()}")
    with smtp_server(smtp) as port, pytest.raises(Denied, match="doesn't prove that it knows the password"):
        greet(Wire("127.0.0.1", "w@x.example", "wolf", PASSWORD, port, "none", 5))


def test_a_server_that_lets_everybody_in() -> None:
    """Without a proof of its own it isn't believed: it may only want letters."""
    script = ImapScript(capability="IMAP4rev1 AUTH=SCRAM-SHA-256")
    with imap_server(script) as port, pytest.raises(Denied, match="somebody else's server"):
        open_at(port, "wolf", PASSWORD)
    with smtp_server(SmtpScript(offers="SCRAM-SHA-256", auth="235 welcome")) as port, pytest.raises(
            Denied, match="somebody else's server"):
        greet(Wire("127.0.0.1", "w@x.example", "wolf", PASSWORD, port, "none", 5))
