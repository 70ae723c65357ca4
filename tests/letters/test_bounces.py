"""Letters that came back, as servers report them."""

from __future__ import annotations

import pytest

from nomicwolf.letters.bounces import Bounce, bounce, return_path
from nomicwolf.letters.compose import message_id
from nomicwolf.letters.letter import Raw
from nomicwolf.letters.mime import make_letter
from tests.tables import each

SECRET = b"0123456789abcdef"
OURS = message_id("private/s1/e9/private/Gus", SECRET, "contest.example")
REPORT = """\
Return-Path: <>
From: MAILER-DAEMON@mx.example
To: {to}
Subject: Undelivered Mail Returned to Sender
Message-ID: <report@mx.example>
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b

Your letter said: I attack Ash.
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example

Final-Recipient: rfc822; gus@players.example
Action: {action}
Status: {status}
--b
Content-Type: {kind}

{back}
--b--
"""


def told(
    to: str = "wolf@contest.example", action: str = "failed", status: str = "5.1.1", kind: str = "text/rfc822-headers",
    back: str = f"Message-ID: {OURS}\nSubject: secret\n",
) -> Bounce | None:
    """Return what a report says."""
    data = REPORT.format(to=to, action=action, status=status, kind=kind, back=back).replace("\n", "\r\n").encode()
    raw = Raw("p", 1, 1, data, len(data))
    return bounce(raw, make_letter(raw, (), ("wolf@contest.example",)), "contest.example")


def test_the_return_path_names_the_letter() -> None:
    """A report to the letter's own address tells which it was, even if it brings nothing of it back (RFC 3461, 4.3)."""
    path = return_path("wolf@contest.example", OURS)
    assert path.startswith("wolf+b-")
    assert "Gus" not in path

    assert told(to=path, back="Subject: x\n") == Bounce("5.1.1", (OURS,))
    assert told(to=path.upper(), back="Subject: x\n") == Bounce("5.1.1", (OURS,))


@pytest.mark.parametrize("kind", ["text/rfc822-headers", "message/rfc822"])
def test_the_headers_that_come_back_name_it_too(kind: str) -> None:
    """Where a server knows no subaddresses, the Message-ID in what it returns tells which letter it was."""
    assert told(kind=kind) == Bounce("5.1.1", (OURS,))


@each("action", ["delayed", "relayed", "delivered", "expanded", ""])
def test_what_is_no_failure_is_none(action: str) -> None:
    """A server that goes on trying, or has passed the letter on, has not given it up (RFC 3464, 2.3.3)."""
    assert told(action=action) is None


def test_a_status_that_is_none_is_not_repeated() -> None:
    """Nothing that somebody else wrote gets into the contestmaster's letters."""
    assert told(status="I attack Ash") == Bounce("", (OURS,))
    assert told(status="5.1.1 (no such user)") == Bounce("5.1.1", (OURS,))


def test_a_sender_without_room_stays_plain() -> None:
    """A local part holds 64 bytes at most (RFC 5321, 4.5.3.1.1)."""
    long = "a" * 40 + "@contest.example"
    assert return_path(long, OURS) == long
