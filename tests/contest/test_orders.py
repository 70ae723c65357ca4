"""The contestmaster's orders by mail: few, confirmed first, for the phase that they name (D-N46)."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

from nomicwolf.cli.app import order_of
from nomicwolf.contest import Command, LetterCame
from nomicwolf.contest.commands import SAFE
from nomicwolf.nomic.events import CountPosted, LetterHeld, Noted
from nomicwolf.nomic.law import Confirmed, SetAside
from tests.contest.world import SEVEN, World
from tests.tables import each

MURPHY = "Murphy <murphy@murphy.example>"


def parse(words: Sequence[str]) -> Command:
    """The command line's own parser."""
    return order_of(words)


def ordered(world: World, line: str, at: float, to: str = "contestmaster", sender: str = MURPHY) -> str:
    """Let an order come by mail; return what is noted of it."""
    letter = world.letter("Murphy", line, to, at, sender=sender)
    world._hear(LetterCame(letter, parse), letter.arrived)
    return " ".join(e.event.text for e in world.entries if isinstance(e.event, Noted))


def by_day() -> World:
    """A session, by day."""
    return World().start()


def word(world: World) -> str:
    """The token of the letter to the contestmaster."""
    found = [o for o in world.letters if o.key.endswith("/confirm")]
    assert [o.to for o in found] == ["murphy@murphy.example"]
    match = re.search(r'"confirm ([A-Z2-7-]+)"', found[0].body)
    assert match is not None
    return match[1]


def test_an_order_is_done_once_it_is_confirmed() -> None:
    """Put aside, asked about, done; the letter shows the order."""
    world = by_day()
    ordered(world, 'nomicwolf: announce --phase "day 1"', 1)
    assert world.events(CountPosted) == []
    assert "announce" in world.to("Murphy")
    text = f"confirm {word(world)}"
    assert "carried out: announce" in ordered(world, text, 2)
    assert len(world.events(CountPosted)) == 1
    ordered(world, text, 3)
    assert len(world.events(CountPosted)) == 1


@each(
    ("line", "why"),
    [
        ('nomicwolf: announce --phase "night 1"', "present phase"),
        ("nomicwolf: announce", "present phase"),
        ("nomicwolf: start", "never done by mail"),
        ('nomicwolf: end --why "x" --phase "day 1"', "never done by mail"),
        ("nomicwolf: award --limit agora=5", "never done by mail"),
        ('contestmaster: undo 3 --why "x"', "never done by mail"),
        ("contestmaster: party address Bex eve@evil.example", "never done by mail"),
        ("contestmaster: substitute Bex Eve", "never done by mail"),
        ("nomicwolf: poll", "no order"),
        ("nomicwolf: party key add Bex /etc/passwd", "no order"),
        ('nomicwolf: announce --phase "day 1', "no command"),
        ('nomicwolf: announce --phase "day 1"\nnomicwolf: announce --phase "day 1"', "one order"),
    ],
)
def test_what_is_not_taken(line: str, why: str) -> None:
    """Nothing that draws, reveals, ends or renames; nothing stale, doubled or unreadable; each is told."""
    world = by_day()
    before = len(world.contest.entries)
    said = ordered(world, line, 1)
    assert why in said or "See `nomicwolf" in said
    assert world.events(SetAside) == []
    harmless = {"LetterHeard", "Noted", "Refused", "Asked"}
    assert {type(e.event).__name__ for e in world.contest.entries[before:]} <= harmless


def test_only_the_contestmaster_orders_and_only_in_private() -> None:
    """A player's line is no order, and none counts that was posted."""
    world = by_day()
    ordered(world, 'nomicwolf: announce --phase "day 1"', 1, sender="Bex <bex@players.example>")
    assert world.events(SetAside) == []
    assert "private mail alone" in ordered(world, 'nomicwolf: announce --phase "day 1"', 2, to="agora")
    assert world.events(SetAside) == []


def test_an_order_is_for_its_phase() -> None:
    """Confirmed after the phase has passed, it does nothing (compare and set)."""
    world = by_day()
    ordered(world, 'nomicwolf: announce --phase "day 1"', 1)
    text = f"confirm {word(world)}"
    for who in SEVEN:
        world.write(who, "I vote for Gus.", at=2)
    ordered(world, text, 3)
    assert world.events(Confirmed) == []


def test_what_an_order_answers_may_be_secret_and_is_not_mailed() -> None:
    """Why one can't act for somebody tells eir role: the note doesn't say it."""
    world = by_day()
    for who in SEVEN:
        world.write(who, "I vote for Gus.", at=1)
    phase = shlex.quote("night 1")
    ordered(world, f"nomicwolf: act-for Ash 'see Bex' --phase {phase}", 2)
    said = ordered(world, f"confirm {word(world)}", 3)
    assert "was refused: give it where the contest runs" in said
    assert "owes" not in said


def test_a_held_letter_is_rejected_by_mail() -> None:
    """Orders that need no phase of their own are bound to the one in which they came."""
    world = by_day()
    world.write("Ash", "I vote for Gus.", at=1, message_id="<x@y.example>")
    world.write("Ash", "I vote for Fay.", at=1.1, message_id="<x@y.example>")
    held = world.events(LetterHeld)[-1].event.letter  # type: ignore[attr-defined]
    ordered(world, f'nomicwolf: reject {held} --why "twice"', 2)
    ordered(world, f"confirm {word(world)}", 3)
    assert world.contest.held == {}


def test_every_order_that_is_safe_is_one() -> None:
    """The names are commands of the command line."""
    from nomicwolf.contest.commands import COMMANDS

    assert set(SAFE) <= set(COMMANDS)
