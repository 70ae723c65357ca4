"""The tests' own servers: what the other tests rest on."""

from __future__ import annotations

import smtplib

import pytest

from nomicwolf.letters.letter import ForumInfo, Raw
from nomicwolf.letters.mime import make_letter
from nomicwolf.maillist import MailingList
from tests.servers.dovecot import PEOPLE, Dovecot
from tests.servers.site import MailSite

LETTER = b"From: Ash <ash@players.example>\r\nSubject: Day 1\r\n\r\nI vote for Gus.\r\n"
NOON = 1_796_126_400  # 2026-12-01T12:00:00Z
AGORA = MailingList(
    "agora-business@lists.agora.example",
    "Agora",
    "BUS:",
    "_____\nagora-business mailing list\n",
    ("ash@players.example", "wolf@contest.example"),
)
B = MailingList("spoon-business@lists.b.example", "B Nomic", "[s-b]", "_____\nspoon\n", ("wolf@contest.example",))


def test_lmtp_brings_a_letter_to_dovecot(dovecot: Dovecot) -> None:
    """What came by LMTP lies in the Maildir of the local part, with detail or without."""
    with smtplib.LMTP("127.0.0.1", dovecot.lmtp_port) as lmtp:
        lmtp.sendmail("ash@players.example", ["wolf+s3@contest.example"], LETTER)

    assert len(list((dovecot.folder / "mail" / "wolf" / "new").iterdir())) == 1


def test_dovecot_refuses_whom_it_does_not_know(dovecot: Dovecot) -> None:
    """A wrong address is refused at once (RFC 2033), as on a real server."""
    assert "nobody" not in PEOPLE
    with smtplib.LMTP("127.0.0.1", dovecot.lmtp_port) as lmtp, pytest.raises(smtplib.SMTPRecipientsRefused):
        lmtp.sendmail("ash@players.example", ["nobody@contest.example"], LETTER)


def test_a_private_letter_goes_through_postfix(mail_site: MailSite) -> None:
    """SMTP, the queue, LMTP, IMAP: the whole way, and to nobody else."""
    mail_site.send("ash@players.example", ["wolf@contest.example"], LETTER)

    (letter,) = mail_site.inbox("wolf")
    assert letter.endswith(b"\r\n\r\nI vote for Gus.\r\n")
    assert mail_site.inbox("ash") == []


def test_a_post_comes_back_from_both_lists(mail_site: MailSite) -> None:
    """Each list stamps its copy with its own host and the host's clock."""
    mail_site.add_list(AGORA)
    mail_site.add_list(B)
    mail_site.stand_at(NOON)
    mail_site.send("ash@players.example", [AGORA.address, B.address], LETTER)

    copies = mail_site.inbox("wolf")
    assert sorted(b" by lists.agora.example " in copy for copy in copies) == [False, True]
    assert sorted(b" by lists.b.example " in copy for copy in copies) == [False, True]
    assert sorted(b"Received: from lists.agora.example (" in copy for copy in copies) == [False, True]
    assert all(b"Tue, 01 Dec 2026 12:00:00 +0000" in copy for copy in copies)
    assert len(mail_site.inbox("ash")) == 1


def test_the_reader_believes_the_lists_stamp(mail_site: MailSite) -> None:
    """Postfix and Dovecot put their own Received on top, and the list's is still known and believed."""
    mail_site.add_list(AGORA)
    mail_site.stand_at(NOON)
    mail_site.send("ash@players.example", [AGORA.address], LETTER)

    (copy,) = mail_site.inbox("wolf")
    raw = Raw("test:1", 1, NOON, copy, len(copy))
    assert make_letter(raw, [ForumInfo("agora", (AGORA.address,))]).stamps == (("agora", NOON),)


def test_internaldate_is_the_sites_time(mail_site: MailSite) -> None:
    """A test can let weeks pass: each letter has come when the site's clock said so."""
    for day in range(3):
        mail_site.stand_at(NOON + day * 86_400)
        mail_site.send("ash@players.example", ["wolf@contest.example"], LETTER)
        with mail_site.mailbox("wolf") as imap:
            came = [m[b"INTERNALDATE"].timestamp() for m in imap.fetch(imap.search(), ["INTERNALDATE"]).values()]
        assert sorted(came) == [NOON + d * 86_400 for d in range(day + 1)]


def test_mail_to_nobody_comes_back(mail_site: MailSite) -> None:
    """A refused recipient makes a bounce to the envelope's sender (RFC 3464)."""
    mail_site.send("wolf@contest.example", ["nobody@players.example"], LETTER)

    (bounce,) = mail_site.inbox("wolf")
    assert b"report-type=delivery-status" in bounce
    assert b"Auto-Submitted: auto-replied" in bounce


def test_nothing_leaves_this_host(mail_site: MailSite) -> None:
    """Whatever a test writes, no stranger gets mail: Postfix refuses the recipient."""
    with pytest.raises(smtplib.SMTPRecipientsRefused, match="nothing leaves this host"):
        mail_site.send("wolf@contest.example", ["someone@elsewhere.example"], LETTER)


def test_each_test_finds_empty_mailboxes(mail_site: MailSite) -> None:
    """What an earlier test sent is gone."""
    assert [person for person in PEOPLE if mail_site.inbox(person)] == []
