"""Letters to addresses beyond ASCII (RFC 6531): with SMTPUTF8 where a server offers it, else refused and told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from nomicwolf.maillist import MailingList
from nomicwolf.post.smtp import Wire, greet
from tests.post.scripted import SmtpScript, smtp_server
from tests.post.test_smtp import job, run
from tests.run.world import BEGIN, PLAYERS, SEED, make_world
from tests.servers.site import MailSite

pytestmark = pytest.mark.slow

ZOE = "zoë@players.example"


def test_it_is_asked_for_only_where_it_is_needed() -> None:
    """A server may treat such letters otherwise, and the next server on the way may know nothing of it."""
    script = SmtpScript(utf8=True)
    log = run(script, job("z", ZOE), job("a", "ash@players.example"), connections=1)
    assert log.fates == {"z": ("sent", ""), "a": ("sent", "")}
    assert script.mails == ["MAIL FROM:<wolf@contest.example> SMTPUTF8 BODY=8BITMIME",
                            "MAIL FROM:<wolf@contest.example>"]
    assert [to for to, _ in script.taken] == [ZOE, "ash@players.example"]


def test_a_server_that_does_not_offer_it_is_told_nothing_of_it() -> None:
    """That letter is refused before its first byte, with what to do; the others go out."""
    script = SmtpScript()
    log = run(script, job("z", ZOE), job("a", "ash@players.example"), connections=1)
    assert log.fates["a"] == ("sent", "")
    assert log.fates["z"][0] == "refused"
    assert "smtp.utf8 = false" in log.fates["z"][1]
    assert log.begun == ["a"]
    assert script.mails == ["MAIL FROM:<wolf@contest.example>"]


@pytest.mark.parametrize("reply", ["555 5.5.4 Unsupported option: SMTPUTF8", "501 5.5.4 Bad parameter",
                                   "550 5.6.7 Non-ASCII addresses not permitted"])
def test_a_server_that_offers_it_and_refuses_it(reply: str) -> None:
    """That is about that letter alone: the others go out, however often it is tried again."""
    script = SmtpScript(utf8=True, mail_utf8=reply)
    log = run(script, job("z", ZOE), job("a", "ash@players.example"), connections=1)
    assert log.fates["a"] == ("sent", "")
    assert log.fates["z"][0] == "refused"
    assert log.fates["z"][1].startswith(reply)
    assert "smtp.utf8 = false" in log.fates["z"][1]
    assert log.begun == ["a"]


@pytest.mark.parametrize("offered", [True, False])
def test_the_setup_check_can_ask(offered: bool) -> None:
    """`greet` tells, names the sender alone, and sends nothing."""
    script = SmtpScript(utf8=offered)
    with smtp_server(script) as port:
        assert greet(Wire("127.0.0.1", "wolf@contest.example", "", "", port, "none", 5)) is offered
    assert script.mails == ["MAIL FROM:<wolf@contest.example>"]
    assert script.taken == []


def test_postfix_takes_them(mail_site: MailSite, tmp_path: Path) -> None:
    """A player at zoë@..., which is passed on to an address that Dovecot knows, gets what the others get."""
    beyond = "zoë@lists.b.example"
    mail_site.add_list(MailingList(beyond, "zoe", "", "", ("zoe@players.example",)))
    for nomic in ("agora", "b"):
        mail_site.add_list(MailingList(f"{nomic}-business@lists.{nomic}.example", nomic, "BUS:", "", ()))
    world = make_world(tmp_path / "contest", mail_site.smtp_port, SmtpScript())
    world.live_on_site(mail_site.imap_port)
    mail_site.stand_at(BEGIN)
    for who in (*PLAYERS[:6], "Zoe"):
        address = beyond if who == "Zoe" else f"{who.lower()}@players.example"
        assert world.command("party-add", who=who, address=address).status == 0
    done = world.command("start", seed=SEED)
    mail_site.settle()
    assert (done.status, len(mail_site.inbox("zoe"))) == (0, len(mail_site.inbox("ash")))
    assert any(f"\r\nTo: {beyond}\r\n".encode() in letter for letter in mail_site.inbox("zoe"))


def test_what_postfix_cannot_pass_on_comes_back_and_is_told(mail_site: MailSite, tmp_path: Path) -> None:
    """The next server may not know SMTPUTF8 (Dovecot's LMTP doesn't): the report of it (RFC 6533) is understood.

    Postfix tells by itself that it isn't offered (5.6.7), or passes on that it isn't understood (5.5.4).
    """
    world = make_world(tmp_path / "contest", mail_site.smtp_port, SmtpScript())
    world.live_on_site(mail_site.imap_port)
    mail_site.stand_at(BEGIN)
    for nomic in ("agora", "b"):
        mail_site.add_list(MailingList(f"{nomic}-business@lists.{nomic}.example", nomic, "BUS:", "", ()))
    for who in (*PLAYERS[:6], "Zoe"):
        address = ZOE if who == "Zoe" else f"{who.lower()}@players.example"
        assert world.command("party-add", who=who, address=address).status == 0
    assert world.command("start", seed=SEED).status == 0
    mail_site.settle()
    report = world.poll(BEGIN + 60)
    assert report.status == 1
    assert re.search(r"to Zoe came back \(5\.(?:6\.7|5\.4)\)", "\n".join(report.said))
