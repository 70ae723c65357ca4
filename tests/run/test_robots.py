"""Two robots that write to each other fall silent at once: an answering machine, a rude one, another contest's own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from email import message_from_bytes
from email.policy import SMTP, default
from pathlib import Path

import pytest

from nomicwolf.ledger.store import Store
from nomicwolf.letters.letter import Bucket
from nomicwolf.run import command
from tests.post.scripted import SmtpScript, smtp_server
from tests.run.world import BEGIN, World, letter, make_world

WOLF, FOX = "wolf@contest.test", "fox@contest.test"
ROUNDS = 12


def party(world: World, name: str, address: str) -> None:
    """Let *name* be known there."""
    done = command(world.settings, "party-add", {"who": name, "address": address}, lambda: BEGIN)
    assert done.status == 0, done.said


@pytest.fixture
def two(tmp_path: Path) -> Iterator[tuple[World, World]]:
    """Two contests, in each of which the other's address is that of somebody known."""
    with ExitStack() as stack:
        made = []
        for place, (mine, other) in (("wolf", (WOLF, FOX)), ("fox", (FOX, WOLF))):
            script = SmtpScript()
            world = make_world(tmp_path / place, stack.enter_context(smtp_server(script)), script)
            world.change(WOLF, mine)
            world.change('"w1"', f'"{place}"')
            party(world, "Robin", other)
            party(world, "Ash", "ash@players.test")
            made.append(world)
        yield made[0], made[1]


def buckets(world: World) -> list[Bucket]:
    """Where each letter ended, in their order."""
    with Store.open(world.settings.ledger.url, world.settings.contest.id) as store:
        store.check()
        return [kept.bucket for kept in store.letters()]


def taken(world: World, to: str) -> list[bytes]:
    """Take the letters that a contest has sent to *to*, by whatever tag of that address."""
    name, _, host = to.partition("@")
    mine = [d for r, d in world.smtp.taken if r.partition("@")[0].partition("+")[0] == name and r.endswith(host)]
    world.smtp.taken.clear()
    return mine


def answer(data: bytes, headers: str, text: str, number: int) -> bytes:
    """What a machine at Ash's makes of a letter: it quotes all of it, and sends it to where answers should go."""
    got = message_from_bytes(data, policy=default)
    part = got.get_body(("plain",))
    assert part is not None
    quoted = "".join(f"> {line}\n" for line in part.get_content().splitlines())
    head = (f"From: Ash <ash@players.test>\nTo: {got['Reply-To'] or got['From']}\n"
            f"Message-ID: <a{number}@players.test>\nIn-Reply-To: {got['Message-ID']}\n"
            f"Subject: Re: {got['Subject']}\n{headers}")
    return message_from_bytes(f"{head}\n{text}\n\n{quoted}".encode(), policy=SMTP).as_bytes()


def answered(world: World, headers: str, text: str) -> int:
    """Return how many letters the world sends to Ash, whose machine answers each of them."""
    world.deliver("first", letter("first", "Ash", "help", BEGIN, WOLF), BEGIN)
    sent = 0
    for turn in range(ROUNDS):
        assert world.poll(BEGIN + turn * 900).status == 0
        found = taken(world, "ash@players.test")
        sent += len(found)
        for number, data in enumerate(found):
            world.deliver(f"{turn}-{number}", answer(data, headers, text, turn), BEGIN + turn * 900)
    return sent


def test_two_contests_that_know_each_other(two: tuple[World, World]) -> None:
    """A question comes to the one from the other's address: one answer goes there, and that is all."""
    wolf, fox = two
    first = letter("first", "Robin", "help", BEGIN, WOLF).replace(b"robin@players.test", FOX.encode())
    wolf.deliver("first", first, BEGIN)
    sent = []
    for turn in range(ROUNDS):
        for here, there, address in ((wolf, fox, FOX), (fox, wolf, WOLF)):
            at = BEGIN + turn * 900
            assert here.poll(at).status == 0
            found = taken(here, address)
            sent += [address] * len(found)
            for number, data in enumerate(found):
                there.deliver(f"{turn}-{number}", data, at)

    assert sent == [FOX]
    assert (buckets(wolf), buckets(fox)) == (["deeds"], ["machine"])


@pytest.mark.parametrize(("headers", "text"), [
    ("Auto-Submitted: auto-replied\n", "I am away until Monday. help"), ("X-Autoreply: yes\n", "help"),
    ("Return-Path: <>\n", "help"), ("", "Thank you for your letter. We will look at it soon."),
])
def test_an_answering_machine_gets_no_second_answer(two: tuple[World, World], headers: str, text: str) -> None:
    """One that says so, and one that doesn't but asks nothing either: what it quotes of ours is nobody's question."""
    assert answered(two[0], headers, text) == 1
    assert "deeds" not in buckets(two[0])[1:]


def test_a_rude_machine_that_asks_is_answered_to_a_cap(two: tuple[World, World]) -> None:
    """It hides what it is, and asks in each answer: after the day's answers there are none, and all is kept."""
    world = two[0]
    world.add("\n[limits]\nanswers_per_day = 4\n")
    sent = answered(world, "", "help")

    assert sent <= 5
    assert len(buckets(world)) == sent + 1
