"""Letters of somebody hostile by the hundred, through whole polls: each ends in one bucket, and nobody else acts.

Each day brings others; ``NOMICWOLF_SAMPLE`` repeats a day's, and NOMICWOLF_EXAMPLES scales the number of polls, each of
which brings sixty letters.
"""

from __future__ import annotations

import base64
import gzip
import os
import random
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest

from nomicwolf.letters.letter import Bucket
from nomicwolf.nomic.events import DeedHeard, LetterHeard
from tests.post.scripted import SmtpScript, smtp_server
from tests.run.steps import SAMPLE, sample
from tests.run.world import BEGIN, PLAYERS, World, make_world, started

pytestmark = pytest.mark.slow

EXAMPLES = int(os.environ.get("NOMICWOLF_EXAMPLES", "1"))
LETTERS = 60
HOUR = 3600
EVIL = "mallory@evil.test"
VICTIM = "ash@players.test"
FORGED = (
    f"From: {VICTIM} <{EVIL}>", f'From: "Ash <{VICTIM}>" <{EVIL}>', f"From: Ash <{VICTIM}>\r\nFrom: M <{EVIL}>",
    f"From: M <{EVIL}>\r\nFrom: Ash <{VICTIM}>", f"From: Ash <{VICTIM}>, M <{EVIL}>", f"From: Ash:{VICTIM};",
    "From: Ash <ash(@evil.test)@players.test>", f"From: {VICTIM} ({EVIL}) <{EVIL}>",
    f"From: Ash <@evil.test:{VICTIM}>", f"From: M <{EVIL}>\r\nReply-To: Ash <{VICTIM}>",
    f"From: M <{EVIL}>\r\nSender: Ash <{VICTIM}>", f"From: M <{EVIL}>\r\nX-Original-From: Ash <{VICTIM}>",
    f"From: Ash via agora-business <agora-business@lists.agora.test>\r\nReply-To: {VICTIM}",
    "From: Ash <\N{CYRILLIC SMALL LETTER A}sh@players.test>", "From: Ash <ash@players\N{FULLWIDTH FULL STOP}test>",
    f"From: =?utf-8?q?Ash_=3C{VICTIM}=3E?= <{EVIL}>", "From: =?utf-8?b?" + "QUFB" * 3000 + f"?= <{EVIL}>",
    f"From: \0<{VICTIM}>\0 <{EVIL}>", "From: ash@players.test.evil.test", "From: <>", "From:", "X-From: Ash",
    "From: Ash <wolf@contest.test>", f"From: \N{RIGHT-TO-LEFT OVERRIDE}{VICTIM[::-1]} <{EVIL}>",
)
MACHINE = ("Auto-Submitted: auto-replied", "Return-Path: <>", "X-Autoreply: yes", "X-Failed-Recipients: a@b.test",
           "Content-Type: multipart/report; report-type=delivery-status; boundary=b")
WORDS = ("I vote for Gus.", "attack Gus", "see Gus", "I join.", "status", "confirm AAAAAAA-AAAAAAA-AAAAAAA-AAAAAAA",
         "nomicwolf: announce", "I am also " + EVIL + ".", "help")


def bombs(chance: random.Random) -> tuple[bytes, bytes]:
    """Return header lines and a body that are meant to hurt whoever reads them."""
    word = chance.choice(WORDS).encode()
    many = chance.choice((10, 300, 3000))
    table: tuple[Callable[[], tuple[bytes, bytes]], ...] = (
        lambda: (b"", word),
        lambda: (b"Content-Type: text/plain; charset=utf-7\r\n", b"+AGE- " + word),
        lambda: (b"Content-Type: text/plain; charset=" + chance.choice((b"utf-16", b"hz", b"x" * 500, b"\0"))
                 + b"\r\n", word),
        lambda: (b"Content-Transfer-Encoding: base64\r\n", base64.b64encode(word)[:-1] + b"=*" * many),
        lambda: (b"Content-Encoding: gzip\r\n", gzip.compress(b"\0" * 10**6)),
        lambda: (b"", b"\r\n".join(b'Content-Type: multipart/mixed; boundary="%d"\r\n\r\n--%d' % (n, n)
                                   for n in range(many)) + b"\r\n\r\n" + word),
        lambda: (b"Content-Type: multipart/mixed; boundary=b\r\n", b"--b\r\n\r\n" + word + b"\r\n--b" * many),
        lambda: (b"Content-Type: text/html\r\n", b"<div><blockquote>" * many + word),
        lambda: (b"X-A: b\r\n" * many, word),
        lambda: (b"Subject: " + b"=?utf-8?q?=41?= " * many + b"\r\n", word),
        lambda: (b"", word + b"\r\n.\r\nMAIL FROM:<ash@players.test>\r\nRCPT TO:<wolf@contest.test>\r\nDATA\r\n"),
        lambda: (b"", word + b"\n.\r\nFrom: Ash <ash@players.test>\r\n\r\nI vote for Gus."),
        lambda: (b"Subject: x\r\n\tBcc: ash@players.test\r\n", word),
        lambda: (b"", b"On " * many + b"wrote:\r\n> " * many + word),
        lambda: (b"", b"I vote for " + b"(" * many + b"Gus"),
        lambda: (b"", b"-----BEGIN PGP SIGNED MESSAGE-----\r\nHash: SHA256\r\n\r\n" + word
                 + b"\r\n-----BEGIN PGP SIGNATURE-----\r\n\r\nAAAA\r\n-----END PGP SIGNATURE-----"),
    )
    return chance.choice(table)()


def spoilt(data: bytes, chance: random.Random) -> bytes:
    """Return *data*, now and then cut short, or with bytes of its body replaced."""
    head, blank, body = data.partition(b"\r\n\r\n")
    if body and chance.random() < 0.4:
        place = chance.randrange(len(body))
        body = body[:place] + bytes(chance.randrange(256) for _ in range(chance.randrange(9))) + body[place + 3 :]
    return head + blank + (body if chance.random() < 0.8 else body[: len(body) // 2])


def mutant(chance: random.Random, number: int, sender: str, more: str = "") -> bytes:
    """Return a letter to the contest under *sender* with *more* in its header."""
    headers, body = bombs(chance)
    tag = chance.choice(("", "+" + "a" * 26, "+b-x.y"))
    head = (f"{more}{sender}\r\nTo: wolf{tag}@contest.test\r\nMessage-ID: <{number}-{chance.random()}@evil.test>\r\n"
            "Date: Tue, 01 Dec 2026 01:00:00 +0000\r\n").encode("utf-8", "surrogateescape")
    return spoilt(head + headers + b"\r\n" + body, chance)


def heard(world: World, letters: list[bytes]) -> tuple[list[LetterHeard], list[DeedHeard], set[str]]:
    """Poll them; return what became of each, the deeds, and to whom something was sent."""
    with world.store() as store:
        before = max(e.number for e in store.record())
    world.smtp.taken.clear()
    for number, data in enumerate(letters):
        world.deliver(f"m{number}", data, BEGIN + HOUR)
    report = world.poll(BEGIN + HOUR + 60)
    assert report.status in (0, 1), report
    with world.store() as store:
        assert store.verify() == []
        new = [e.event for e in store.record() if e.number > before]
    return ([e for e in new if isinstance(e, LetterHeard)], [e for e in new if isinstance(e, DeedHeard)],
            {to for to, _ in world.smtp.taken})


def world_of(port: int, script: SmtpScript, folder: str) -> World:
    """Return a session in progress."""
    return started(make_world(Path(folder) / "c", port, script))


@pytest.mark.parametrize("turn", range(EXAMPLES))
def test_forged_and_machine_letters_do_nothing_and_get_no_answer(turn: int) -> None:
    """Whatever is in them: one bucket each, no deed, and no letter to anyone but the contestmaster."""
    chance = sample(f"forged {turn}")
    letters = [mutant(chance, n, chance.choice(FORGED)) for n in range(LETTERS // 2)]
    letters += [mutant(chance, n, f"From: Ash <{VICTIM}>", chance.choice(MACHINE) + "\r\n")
                for n in range(LETTERS // 2, LETTERS)]
    script = SmtpScript()
    with tempfile.TemporaryDirectory() as folder, smtp_server(script) as port:
        ends, deeds, sent = heard(world_of(port, script, folder), letters)

    assert len(ends) == len(letters), SAMPLE
    assert {e.bucket for e in ends} <= set(get_args(Bucket)) - {"deeds"}
    assert deeds == []
    assert sent <= {"murphy@masters.test"}


@pytest.mark.parametrize("turn", range(EXAMPLES))
def test_a_players_own_bombs_hurt_nobody(turn: int) -> None:
    """Under an uncertain From of Ash's: one bucket each, no private act, and nothing goes to strangers."""
    chance = sample(f"own {turn}")
    letters = [mutant(chance, n, f"From: Ash <{VICTIM}>") for n in range(LETTERS)]
    script = SmtpScript()
    with tempfile.TemporaryDirectory() as folder, smtp_server(script) as port:
        ends, deeds, sent = heard(world_of(port, script, folder), letters)

    assert len(ends) == len(letters), SAMPLE
    assert {e.bucket for e in ends} <= set(get_args(Bucket))
    assert {d.who for d in deeds} <= {"Ash"}
    assert not any(d.verb == "attack" for d in deeds)
    forums = {"agora-business@lists.agora.test", "b-business@lists.b.test"}
    assert sent <= {f"{who.lower()}@players.test" for who in PLAYERS} | forums | {"murphy@masters.test"}
