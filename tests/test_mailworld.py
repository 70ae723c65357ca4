"""The demo's mail world, driven over real SMTP and IMAP."""

from __future__ import annotations

import smtplib
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email.message import EmailMessage
from typing import Any

import pytest
from imapclient import IMAPClient
from imapclient.exceptions import LoginError

from nomicwolf.letters.attribution import own_text
from nomicwolf.letters.letter import ForumInfo, Raw
from nomicwolf.letters.mime import make_letter
from nomicwolf.maillist import MailingList
from nomicwolf.mailworld import MailWorld

WOLF = "wolf@contest.example"
ASH = "ash@players.example"
RULE = "_" * 47
AGORA = MailingList(
    "agora-business@lists.agora.example", "Agora", "BUS:", f"{RULE}\nagora-business mailing list\n", (ASH, WOLF)
)
B = MailingList(
    "spoon-business@lists.b.example", "B Nomic", "[s-b]", f"{RULE}\nspoon-business mailing list\n", (WOLF,)
)


@dataclass
class Clock:
    """A clock that stands until it is set (UTC seconds)."""

    now: int = 1_796_126_400  # 2026-12-01T12:00:00Z

    def __call__(self) -> int:
        """Return the time."""
        return self.now


@pytest.fixture
def clock() -> Clock:
    """A clock at noon of the contest's first day."""
    return Clock()


@pytest.fixture
def world(clock: Clock) -> Iterator[MailWorld]:
    """Both forums, up."""
    with MailWorld((AGORA, B), clock, mailboxes=(WOLF,)) as world:
        yield world


def send(world: MailWorld, *to: str, body: str = "I vote for Gus.\n") -> None:
    """Send a letter of Ash's over SMTP."""
    letter = EmailMessage()
    letter["From"], letter["To"], letter["Subject"] = f"Ash <{ASH}>", ", ".join(to), "Day 1"
    letter.set_content(body)
    with smtplib.SMTP("127.0.0.1", world.smtp_port) as smtp:
        smtp.send_message(letter)


@contextmanager
def mailbox(world: MailWorld, address: str) -> Iterator[IMAPClient]:
    """Log in to *address*'s mailbox and open it read-only."""
    with IMAPClient("127.0.0.1", world.imap_port, ssl=False, timeout=20) as imap:
        # imapclient sends some commands in pieces: without this Nagle's algorithm stalls each for 40 ms.
        imap.socket().setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        imap.normalise_times = False
        imap.login(address, world.password)
        imap.select_folder("INBOX", readonly=True)
        yield imap


def fetched(imap: IMAPClient) -> list[dict[bytes, Any]]:
    """Return all letters in the order of their UIDs."""
    uids = imap.search()
    return [imap.fetch(uids, ["BODY.PEEK[]", "INTERNALDATE"])[uid] for uid in sorted(uids)]


def test_a_private_letter_goes_from_smtp_to_imap(world: MailWorld) -> None:
    """What was sent lies in the one mailbox that it was for, and in no other."""
    send(world, WOLF)

    with mailbox(world, WOLF) as imap:
        (letter,) = fetched(imap)
        assert b"I vote for Gus." in letter[b"BODY[]"]
    assert world.inbox(ASH) == []


def test_a_post_reaches_every_subscriber(world: MailWorld) -> None:
    """The forum's list distributes to all, the contest's mailbox included, with its tag, its id and its footer."""
    send(world, AGORA.address)

    for address in (ASH, WOLF):
        with mailbox(world, address) as imap:
            (letter,) = fetched(imap)
        assert b"Subject: BUS: Day 1\r\n" in letter[b"BODY[]"]
        assert b"List-Id: Agora <agora-business.lists.agora.example>\r\n" in letter[b"BODY[]"]
        assert letter[b"BODY[]"].endswith(f"I vote for Gus.\r\n{RULE}\r\nagora-business mailing list\r\n".encode())


def test_a_post_to_both_forums_comes_as_two_copies(world: MailWorld) -> None:
    """One act, two lists: the contest's mailbox sees each list's copy, with that list's stamp."""
    send(world, AGORA.address, B.address)

    copies = world.inbox(WOLF)
    assert len(copies) == 2
    assert [b" by lists.agora.example " in c for c in copies] == [True, False]
    assert [b" by lists.b.example " in c for c in copies] == [False, True]


def test_the_reader_knows_a_copy_for_what_it_is(world: MailWorld, clock: Clock) -> None:
    """The stamp is believed, the footer is not the author's, and both lists' copies are one act."""
    forums = [ForumInfo("agora", (AGORA.address,)), ForumInfo("b", (B.address,))]
    send(world, AGORA.address, B.address)
    arrived = enumerate(world.inbox(WOLF))
    letters = [make_letter(Raw(f"test:{n}", n, clock.now, data, len(data)), forums, (WOLF,)) for n, data in arrived]

    assert [letter.stamps for letter in letters] == [(("agora", clock.now),), (("b", clock.now),)]
    assert [own_text(letter.body).strip() for letter in letters] == ["I vote for Gus."] * 2
    assert letters[0].digest == letters[1].digest


def test_time_is_what_the_clock_says(world: MailWorld, clock: Clock) -> None:
    """The list's stamp and INTERNALDATE are those of the contest's time, not of the day."""
    clock.now += 3 * 86_400
    send(world, AGORA.address)

    with mailbox(world, WOLF) as imap:
        (letter,) = fetched(imap)
    assert letter[b"INTERNALDATE"].timestamp() == clock.now
    assert letter[b"BODY[]"].count(b"Fri, 04 Dec 2026 12:00:00 +0000") == 2


def test_a_detail_goes_to_the_same_mailbox(world: MailWorld) -> None:
    """``wolf+s3@`` is ``wolf@``, in any case."""
    send(world, "Wolf+s3@contest.example")

    assert len(world.inbox(WOLF)) == 1


def test_two_persons_with_the_same_local_part_are_two(world: MailWorld) -> None:
    """The mailbox is the whole address."""
    send(world, "ash@elsewhere.example")

    assert len(world.inbox("ash@elsewhere.example")) == 1
    assert world.inbox(ASH) == []


def test_a_list_never_distributes_twice(world: MailWorld) -> None:
    """A copy that is sent back to the list goes nowhere."""
    send(world, AGORA.address)
    copy = world.inbox(WOLF)[0]
    with smtplib.SMTP("127.0.0.1", world.smtp_port) as smtp:
        smtp.sendmail(WOLF, [AGORA.address], copy)

    assert len(world.inbox(WOLF)) == 1


def test_the_log_tells_every_letter_that_passed(world: MailWorld, clock: Clock) -> None:
    """One line a mailbox: when, from which envelope, to whom."""
    send(world, AGORA.address)
    send(world, WOLF)

    assert [(p.at, p.sender, p.recipient) for p in world.log] == [
        (clock.now, "agora-business-bounces@lists.agora.example", ASH),
        (clock.now, "agora-business-bounces@lists.agora.example", WOLF),
        (clock.now, ASH, WOLF),
    ]


def test_bytes_that_are_no_text_pass_unharmed(world: MailWorld) -> None:
    """Eight bits, a leading dot and a very long word: SMTP's framing leaves no trace."""
    body = b"\xff\xfe caf\xe9\r\n.dot\r\n" + b"x" * 900 + b"\r\n"
    with smtplib.SMTP("127.0.0.1", world.smtp_port) as smtp:
        smtp.sendmail(ASH, [WOLF], b"From: <ash@players.example>\r\n\r\n" + body)

    with mailbox(world, WOLF) as imap:
        (letter,) = fetched(imap)
    assert letter[b"BODY[]"].endswith(b"\r\n\r\n" + body)


def test_the_password_is_needed(world: MailWorld) -> None:
    """Loopback is no reason to let anyone in."""
    with IMAPClient("127.0.0.1", world.imap_port, ssl=False, timeout=20) as imap, pytest.raises(LoginError):
        imap.login(WOLF, "guess")


def test_after_the_end_nothing_listens(clock: Clock) -> None:
    """The ports are closed, and what was delivered can still be read."""
    with MailWorld((AGORA,), clock) as world:
        send(world, WOLF)

    assert len(world.inbox(WOLF)) == 1
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", world.smtp_port), 5)
