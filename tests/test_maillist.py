"""What a mailing list makes of a post."""

from __future__ import annotations

from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest

from nomicwolf.maillist import MailingList, been_there, distributed

AGORA = MailingList(
    address="agora-business@lists.agora.example",
    title="Agora Nomic public communications",
    tag="BUS:",
    footer="_______________________________________________\nagora-business mailing list\n",
    subscribers=("ash@players.example",),
)
NOON = 1_796_126_400  # 2026-12-01T12:00:00Z
POST = b"From: Ash <ash@players.example>\nSubject: Day 1\nMessage-ID: <1@players.example>\n\nI vote for Gus.\n"


def parsed(data: bytes) -> EmailMessage:
    """Return *data* as the standard library's modern parser sees it."""
    return message_from_bytes(data, policy=policy.default)


def test_the_list_stamps_a_post_with_its_own_time() -> None:
    """The first Received is the list's, and its date is the instant that was given."""
    stamp = str(parsed(distributed(POST, AGORA, NOON))["Received"])

    assert stamp == "from [127.0.0.1] by lists.agora.example with ESMTP; Tue, 01 Dec 2026 12:00:00 +0000"


def test_the_list_says_which_list_it_is() -> None:
    """RFC 2919, RFC 2369: a copy is known by its headers, not by its subject."""
    copy = parsed(distributed(POST, AGORA, NOON))

    assert copy["List-Id"] == "Agora Nomic public communications <agora-business.lists.agora.example>"
    assert copy["List-Post"] == "<mailto:agora-business@lists.agora.example>"
    assert copy["X-BeenThere"] == AGORA.address
    assert copy["Message-ID"] == "<1@players.example>"


@pytest.mark.parametrize(
    ("subject", "tagged"),
    [("Day 1", "BUS: Day 1"), ("Re: BUS: Day 1", "Re: BUS: Day 1"), ("Re: OFF: Day 1", "BUS: Re: OFF: Day 1")],
)
def test_the_tag_goes_on_once(subject: str, tagged: str) -> None:
    """Tags of other lists stack; one's own is not repeated."""
    post = POST.replace(b"Subject: Day 1", b"Subject: " + subject.encode())

    assert parsed(distributed(post, AGORA, NOON))["Subject"] == tagged


def test_a_post_without_a_subject_gets_the_tag_alone() -> None:
    """A missing Subject is no reason to lose a post."""
    copy = parsed(distributed(POST.replace(b"Subject: Day 1\n", b""), AGORA, NOON))

    assert str(copy["Subject"]).strip() == "BUS:"


def test_a_folded_subject_stays_whole() -> None:
    """RFC 5322, 2.2.3: a header goes on in lines that begin with white space."""
    post = POST.replace(b"Subject: Day 1", b"Subject: Day 1\n and what came\n\tof it")

    assert parsed(distributed(post, AGORA, NOON))["Subject"] == "BUS: Day 1 and what came\tof it"


def test_the_footer_follows_what_was_written() -> None:
    """A plain letter's text comes first, then the list's footer; all lines end in CRLF."""
    copy = distributed(POST, AGORA, NOON)
    body = copy.partition(b"\r\n\r\n")[2]

    assert body == (
        b"I vote for Gus.\r\n_______________________________________________\r\nagora-business mailing list\r\n"
    )
    assert copy.count(b"\n") == copy.count(b"\r\n")


@pytest.mark.parametrize("kind", ["multipart/alternative; boundary=x", "text/html", "application/octet-stream"])
def test_what_is_not_plain_gets_no_footer(kind: str) -> None:
    """Text appended to a multipart or to HTML would be lost or seen as markup."""
    post = POST.replace(b"Subject", f"Content-Type: {kind}\nSubject".encode())

    assert b"mailing list" not in distributed(post, AGORA, NOON)


def test_base64_stays_as_it_is() -> None:
    """Text after base64 would spoil it."""
    post = POST.replace(b"Subject", b"Content-Transfer-Encoding: Base64\nSubject")

    assert b"mailing list" not in distributed(post, AGORA, NOON)


def test_a_rewriting_list_keeps_the_writer_in_reply_to() -> None:
    """From becomes "NAME via LIST"; who wrote it is in Reply-To, after the list's own."""
    forum = MailingList(
        AGORA.address, "Agora", "BUS:", "", (), reply_to="agora-discussion@lists.agora.example", rewrites_from=True
    )
    post = POST.replace(b"From: Ash <", b"From: =?utf-8?q?Zo=C3=AB?= <")
    copy = parsed(distributed(post, forum, NOON))

    assert str(copy["From"]) == "Zoë via agora-business <agora-business@lists.agora.example>"
    assert copy["Reply-To"] == "agora-discussion@lists.agora.example, ash@players.example"


def test_a_copy_has_been_there_and_a_post_has_not() -> None:
    """The list knows its own mark, so it never distributes twice."""
    assert been_there(distributed(POST, AGORA, NOON), AGORA)
    assert not been_there(POST, AGORA)


def test_a_mark_in_the_body_is_no_mark() -> None:
    """Only headers count: a quoted copy is a new post."""
    assert not been_there(POST + b"\nX-BeenThere: agora-business@lists.agora.example\n", AGORA)
