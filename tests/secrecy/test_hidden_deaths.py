"""Who is dead and isn't announced so, while a Hunter still has to choose by night, is treated as one who lives (NC 6b).

What a letter no longer offered would tell the killed and eir fellows of that death, and so that a Hunter is dead.
"""

from __future__ import annotations

import pytest

from nomicwolf.reports.views import people_of
from nomicwolf.village.events import Dawned, Told
from tests.secrecy.worlds import START, World, Written

HOUR = 3600
DEAL = (("Ash", "werewolf"), ("Bex", "werewolf"), ("Cam", "seer"), ("Dov", "witch"), ("Eli", "hunter"),
        ("Fay", "cupid"), ("Gus", "villager"), ("Hal", "villager"), ("Ida", "villager"))


def night(poison: str, *, seen: bool) -> World:
    """Two polls after the dawn slot of 20:00: the Hunter is dead, and who is poisoned; nobody if the Seer is silent."""
    world = World("nomic-crossing with Lovers and a Hunter", DEAL)
    world.poll(START + 2 * HOUR, [Written(START + HOUR, "Fay", "contestmaster", "match Gus and Hal")])
    living = [who for who, _ in DEAL]
    world.poll(START + 4 * HOUR, [Written(START + 3 * HOUR, who, "forum", "I vote for Ida.") for who in living[:5]])
    deeds = [("Ash", "attack Eli"), ("Bex", "attack Eli"), ("Dov", "heal nobody"), ("Dov", f"poison {poison}"),
             *[("Cam", "see Dov")] * seen]
    world.poll(START + 7 * HOUR, [Written(START + 5 * HOUR + n, who, "contestmaster", words)
                                  for n, (who, words) in enumerate(deeds)])
    world.poll(START + 12 * HOUR, [])
    return world


def told(world: World, group: str, names: tuple[str, ...]) -> list[tuple[str, int, str]]:
    """What *names* are told when they ask for help and write to one another, and with everyone's letters."""
    at = START + 14 * HOUR
    words = [Written(at + n, who, "contestmaster", text)
             for n, (who, text) in enumerate((who, text) for who in names for text in ("help", f"say {group}: Well?"))]
    sent = world.poll(at + HOUR, words)[0] + world.poll(START + 18 * HOUR, [])[0]
    return sorted((x.person, x.at, x.body) for x in sent if x.person in names)


@pytest.mark.parametrize(("poisoned", "group", "names"), [
    ("Ash", "pack", ("Ash", "Bex")), ("Gus", "lovers", ("Gus", "Hal")), ("Gus", "pack", ("Ash", "Bex")),
])
def test_nobody_but_the_hunter_is_told_before_the_announcement(
    poisoned: str, group: str, names: tuple[str, ...]
) -> None:
    """A night with a dead Hunter looks to the other dead, and to their fellows, like one that isn't done."""
    gone, on = night(poisoned, seen=True), night(poisoned, seen=False)
    assert [[bool(w.contest.running and w.contest.running.now(Dawned)) for w in (gone, on)]] == [[True, False]]
    assert any(isinstance(e.event, Told) and e.event.topic == "last shot" for e in gone.contest.entries)

    assert told(gone, group, names) == told(on, group, names)


def test_once_it_is_announced_the_dead_hear_no_more_of_their_fellows() -> None:
    """D-A6: what a fellow writes in the last hours of the night isn't told to one whose death is announced with it."""
    world = night("Ash", seen=True)
    world.poll(START + 15 * HOUR, [Written(START + 13 * HOUR, "Eli", "contestmaster", "shoot Hal")])
    said = [Written(START + 20 * HOUR, "Bex", "contestmaster", "say pack: Who lives?")]
    letters = [x for x in world.poll(START + 24 * HOUR, said)[0] if x.person == "Ash"]

    assert any("you are dead" in " ".join(x.body.split()).lower() for x in letters)
    assert not any("Who lives?" in x.body for x in letters)


def test_a_letter_that_is_late_finds_those_living_who_were_not_known_to_be_dead() -> None:
    """D-A8: stamped while the Hunter chose, it names whom everyone took for living, whenever e was killed."""
    world = night("Ash", seen=True)
    killed, chosen = START + 11 * HOUR, START + 13 * HOUR
    world.poll(START + 15 * HOUR, [Written(chosen, "Eli", "contestmaster", "shoot Hal")])
    world.poll(START + 24 * HOUR, [])
    assert world.contest.running is not None
    assert world.contest.running.place == "day 2"

    assert people_of(world.contest, "Bex", chosen).dead == people_of(world.contest, "Bex", killed - 1).dead == ("Ida",)
    assert set(people_of(world.contest, "Bex").dead) == {"Ash", "Eli", "Gus", "Hal", "Ida"}
