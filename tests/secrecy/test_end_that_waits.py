"""While an end waits for P (D-N21), only the contestmaster knows of it: who died, what e was, who has won (NC 5)."""

from __future__ import annotations

import pytest

from nomicwolf.archive.files import record_file
from nomicwolf.contest import Contest
from nomicwolf.nomic.events import AwardsHeld
from nomicwolf.reports.archive import pages, publish
from nomicwolf.reports.json_reports import status_json
from nomicwolf.reports.terminal import history_text, status_text
from nomicwolf.reports.views import public_view
from nomicwolf.watch import snapshot_of
from tests.contest.world import SEVEN, World, setup

FIVE = SEVEN[:5]
LEAKS = ("ession 1 is over", "won by", "The winners are", "villagers win", "werewolves win")
SLOTS = "00:00, 06:00, 12:00, 18:00"


def begun(cover: str) -> tuple[World, str, list[str]]:
    """A session of five without P; who is the werewolf, and who the villagers are."""
    world = World(setup(cover=tuple(cover.split(", ")) if cover else ()))
    for name in FIVE:
        world.write(name, "I join.")
    assert world.command("start", seed="7").status == 0
    game = world.game
    good = [who for who in FIVE if game.sides[who] == "villagers"]
    return world, next(who for who in FIVE if who not in good), good


def by_lynching(world: World, wolf: str, good: list[str]) -> float:
    """The villagers lynch the werewolf on day 1; return the hour."""
    for who in good[:3]:
        world.write(who, f"I vote for {wolf}.", at=1)
    return 1


def by_night(world: World, wolf: str, good: list[str]) -> float:
    """Two villagers are lynched, and two killed by night: the second death makes the numbers even at 20:00."""
    for day, (lynched, killed) in enumerate([good[:2], good[2:]]):
        voters = [who for who in (wolf, *good[2 * day:]) if who != lynched][: 3 - day]
        for who in voters:
            world.write(who, f"I vote for {lynched}.", at=24 * day + 9)
        if not world.events(AwardsHeld):
            world.write(wolf, f"attack {killed}", to="contestmaster", at=24 * day + 10)
            world.tick(at=24 * day + 20.5)
    return 24 * day + 21


def told(contest: Contest) -> str:
    """All that whoever reads the archive can find in it, with what `history --public` prints."""
    found = publish(contest)
    return "\n".join([record_file(found).decode(), history_text(contest, public=True),
                      *(page.make().decode("utf-8", "replace") for page in pages(found))])


@pytest.mark.parametrize("cover", ["", SLOTS])
@pytest.mark.parametrize("end", [by_lynching, by_night])
def test_nobody_but_the_contestmaster_knows_of_an_end_that_waits(end: type, cover: str) -> None:
    """Status, history, votes, help, the archive and all letters tell what they told before; all is told with P."""
    world, wolf, good = begun(cover)
    hour = end(world, wolf, good)
    assert world.events(AwardsHeld)
    public = public_view(world.contest)
    assert public.phase in ("day", "night")
    assert wolf in public.living
    assert not public.disclosed or wolf not in public.disclosed
    for who in FIVE:
        for question in ("status", "history", "votes", "help"):
            world.write(who, question, to="contestmaster", at=hour + 1)
    world.write(good[3], f"I vote for {wolf}.", at=hour + 1)
    world.write(wolf, f"attack {good[3]}", to="contestmaster", at=hour + 1)
    letters = [x for x in world.sent if x.person != "Murphy"]
    assert {x.person for x in letters} >= set(FIVE)
    for text in [told(world.contest), *(x.subject + x.body for x in letters)]:
        flat = " ".join(text.split())
        for never in (*LEAKS, f"{wolf} was a werewolf"):
            assert never not in flat, never
    assert '"Ended"' not in told(world.contest)
    assert '"ended"' not in told(world.contest)

    for text in (status_text(world.contest), history_text(world.contest)):
        assert "over" in text
    assert status_json(world.contest)["phase"] == "over"
    assert "over" in snapshot_of(world.contest, 0, 0, (), {}).place

    assert world.command("award", at=hour + 2, limit="agora=35").status == 0
    assert any("is over" in x.subject for x in world.letters)
    assert public_view(world.contest).phase == "over"
    assert "is over" in told(world.contest)


def test_a_journal_in_the_clear_tells_of_no_end_that_waits() -> None:
    """The contestmaster reads that the end waits; who has won stands in what is for eir eyes alone."""
    world, wolf, good = begun("")
    by_lynching(world, wolf, good)
    (journal,) = [x for x in world.letters if x.person == "Murphy"]
    assert "waits until you confirm" in " ".join(journal.body.split())
    assert "winners" not in journal.body
    assert "werewolf" not in journal.body
