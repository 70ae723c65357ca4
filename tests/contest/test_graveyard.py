"""The dead talk among themselves where a contest lets them, and the living notice nothing of it (D-A20)."""

from __future__ import annotations

import pytest

from nomicwolf.contest import Contest, LetterCame, hear
from nomicwolf.contest.sessions import Position, people, stand
from nomicwolf.nomic.delivery import USUAL
from nomicwolf.village.events import Told
from nomicwolf.village.game import GRAVE
from tests.contest.world import HOUR, SEVEN, START, World, setup

DEAL = tuple(zip(SEVEN, ("werewolf", "seer", "witch", *["villager"] * 4), strict=True))


def world(phase: str, switch: str = "on") -> World:
    """Day or night 2 of a covered session in which Eli, Fay and Gus are dead, as all know."""
    given = setup(cover=USUAL, switches={"graveyard": switch})
    found = World(given)
    addresses = {who: (f"{who.lower()}@players.example",) for who in SEVEN}
    found.contest = stand(people(Contest(given), addresses, {"agora": 50}, START), Position(
        DEAL, START, phase=phase, number=2, dead=("Eli", "Fay", "Gus"), seed="5" * 64))
    return found


def seen(found: World) -> list[tuple[str, str, int, int]]:
    """What a carrier of mail sees of all letters; the order within a batch is drawn anew each time."""
    return sorted((x.person or x.forum, x.subject, x.at, x.room or len(x.body)) for x in found.sent)


@pytest.mark.parametrize("phase", ["day", "night"])
def test_each_hears_it_by_name_and_nobody_who_lives_does(phase: str) -> None:
    """At once, whatever phase it is."""
    found = world(phase)
    found.write("Fay", "say spirits: It was Ash.", "contestmaster", 1)

    told = [e.event.to for e in found.events(Told) if isinstance(e.event, Told) and e.event.topic == GRAVE]
    assert told == ["Eli", "Gus"]
    assert "Fay says among the dead: It was Ash." in found.to("Eli")
    assert {letter.person for letter in found.letters} <= {"Eli", "Fay", "Gus"}


@pytest.mark.parametrize("phase", ["day", "night"])
def test_the_living_get_the_same_letters_at_the_same_times(phase: str) -> None:
    """Two worlds, in one of which the dead write much and are read late, in one step with a batch of letters."""
    silent, loud = world(phase), world(phase)
    for found in (silent, loud):
        for at in range(1, 40, 6):
            if found is loud:
                letter = found.letter("Fay", "say spirits: " + "It was Ash, I tell you. " * 30, "contestmaster", at)
                found.contest = hear(found.contest, LetterCame(letter), START + (at + 5) * HOUR).contest
            found.tick(at + 5)
            found.write("Bex", "status", "contestmaster", at + 5)
            found.sent = [letter for letter in found.sent if letter.person not in ("Eli", "Fay", "Gus", "Murphy")]
    assert loud.events(Told)
    assert len(silent.sent) > 3
    assert seen(silent) == seen(loud)


def test_it_is_off_unless_chosen_and_the_living_are_refused_alike() -> None:
    """Whoever isn't dead, or may not, is told what is open to em."""
    found = world("day", "off")
    found.write("Fay", "say spirits: It was Ash.", "contestmaster", 1)
    assert not found.events(Told)
    found = world("day")
    found.write("Bex", "say spirits: It was Ash.", "contestmaster", 1)
    assert not found.events(Told)


def test_who_has_left_hears_nothing() -> None:
    """E takes no part any more, in no place."""
    found = world("day")
    for forum in ("agora", "b"):
        found.write("Gus", "I leave this contract.", forum, 1)
    found.write("Fay", "say spirits: It was Ash.", "contestmaster", 2)

    assert [e.event.to for e in found.events(Told) if isinstance(e.event, Told)] == ["Eli"]
