"""Machines' mail and our own echo: known by headers, also on lists."""

from __future__ import annotations

import pytest

from nomicwolf.letters.compose import Envelope, compose
from nomicwolf.letters.letter import ForumInfo, Letter, Outgoing, Raw
from nomicwolf.letters.machine import OwnMarks, answerable, machine, own
from nomicwolf.letters.mime import make_letter
from nomicwolf.maillist import MailingList, distributed

FORUMS = (ForumInfo("agora", ("agora@lists.agora.example",)),)
MARKS = OwnMarks(b"k" * 32, ("wolf@wolf.example",), "c1")
LISTED = "List-Id: <agora.lists.agora.example>\n"


def letter_of(data: bytes) -> Letter:
    """Return the letter in *data*."""
    return make_letter(Raw("here", 1, 0, data, len(data)), FORUMS, ("wolf@wolf.example",))


def written(head: str, sender: str = "ash@example.org") -> Letter:
    """Return a letter of *sender* with further header lines."""
    return letter_of(f"From: {sender}\nMessage-ID: <a@b>\n{head}\nI vote for Gus.\n".encode())


@pytest.mark.parametrize(
    "head",
    ["Auto-Submitted: auto-replied\n", "Auto-Submitted: Auto-Generated (x); owner=x\n", "Return-Path: <>\n",
     "Return-Path:  <> \n", "Content-Type: multipart/report; report-type=delivery-status; boundary=x\n",
     "Content-Type: message/disposition-notification\n", "X-Autoreply: yes\n", "X-Autorespond: x\n",
     "X-Failed-Recipients: bex@example.org\n", "X-Auto-Response-Suppress: All\n", "Precedence: auto_reply\n",
     "Precedence: junk\n", "Subject: Automatic reply: x\n", "Subject: Out of Office: x\n",
     "Subject: Undelivered Mail Returned to Sender\n", LISTED + "Auto-Submitted: auto-replied\n"],
)  # fmt: skip
def test_machines_are_told(head: str) -> None:
    """RFC 3834, 3464, 8098 and what answering machines add of their own; the reason is given."""
    assert machine(written(head))


@pytest.mark.parametrize(
    "sender", ["MAILER-DAEMON@example.org", "no-reply@example.org", "agora-bounces@lists.agora.example"]
)
def test_robots_are_told_by_their_address(sender: str) -> None:
    """Nobody writes from these."""
    assert machine(written("", sender))


@pytest.mark.parametrize(
    "head",
    ["", "Auto-Submitted: no\n", "Auto-Submitted:\n", "Return-Path: <ash@example.org>\n", "X-Autoreply: no\n",
     LISTED + "Precedence: list\n", LISTED + "Precedence: bulk\n", LISTED + "X-Auto-Response-Suppress: All\n",
     "To: agora@lists.agora.example\nPrecedence: bulk\n", "Subject: Re: Automatic reply: x\n", "List-Id: <x.y>\n",
     "Subject: I am out of office next week\n"],
)  # fmt: skip
def test_people_on_lists_are_not_machines(head: str) -> None:
    """Precedence and list headers stand on most people's letters on lists."""
    assert machine(written(head)) == ""


def test_our_own_mail_is_known_when_it_comes_back() -> None:
    """Directly, through a forum, and through one that rewrites From: by the seal in its Message-ID."""
    envelope = Envelope("Wolf", "wolf@wolf.example", "c1", MARKS.secret, {"agora": "agora@lists.agora.example"})
    sent = compose(Outgoing("s1/e1", "public", "Day 1", "The day begins.", 0, forum="agora"), envelope)
    forum = MailingList("agora@lists.agora.example", "Agora", "BUS:", "x", (), rewrites_from=True)

    assert own(letter_of(sent), MARKS)
    assert own(letter_of(distributed(sent, forum, 0)), MARKS)
    assert own(letter_of(distributed(sent.replace(b"X-Nomicwolf-Instance", b"X-Lost"), forum, 0)), MARKS)
    assert not own(letter_of(distributed(sent, forum, 0)), OwnMarks(b"j" * 32, ("other@wolf.example",), "c2"))


@pytest.mark.parametrize(
    ("head", "sender", "ours"),
    [("", "wolf@wolf.example", True), ("", "WOLF@wolf.example", True), ("X-Nomicwolf-Instance: c1\n", "a@b.c", True),
     ("X-Nomicwolf-Instance: c2\n", "a@b.c", False), ("Sender: wolf@wolf.example\n", "a@b.c", False)],
)  # fmt: skip
def test_marks_of_our_own(head: str, sender: str, ours: bool) -> None:
    """Our address in From or our mark: not heard, also if it is forged."""
    assert own(written(head, sender), MARKS) == ours


def test_whom_to_answer() -> None:
    """A person gets an answer; a machine, ourselves, an unclear sender and whoever has had enough today don't."""
    assert answerable(written(""), MARKS)
    assert not answerable(written(""), MARKS, ("ASH@example.org",))
    assert not answerable(written("Auto-Submitted: auto-replied\n"), MARKS)
    assert not answerable(written("", "wolf@wolf.example"), MARKS)
    assert not answerable(written("", "a@b.c, d@e.f"), MARKS)
