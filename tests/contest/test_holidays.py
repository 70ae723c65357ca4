"""A nomic's holiday that was recorded by mistake is taken back, and nobody is late of it without a word (D-N37)."""

from __future__ import annotations

import pytest

from nomicwolf.contest import Outcome
from nomicwolf.nomic.duties import GRACE, chance, deeds_owed, law_of, term
from nomicwolf.nomic.events import Reminded
from nomicwolf.nomic.law_events import HolidayDeclared, HolidayUndone
from nomicwolf.nomic.times import when
from tests.contest.test_caring import night
from tests.contest.world import HOUR, START, World
from tests.tables import each

pytestmark = pytest.mark.slow

DAY = 24
WHY = "that was last year's"


def holiday(world: World, at: float, first: int, last: int, *, undo: bool = False, nomic: str = "agora") -> Outcome:
    """Record or undo a holiday of days of December 2026, *at* hours from the first of them."""
    days = {"nomic": nomic, "from": f"2026-12-{first:02}", "to": f"2026-12-{last:02}"}
    return world.command("holiday", at, **days, **({"undo": "yes", "why": WHY} if undo else {}))


def seer_due(world: World, seer: str) -> float:
    """When what *seer* owes is due, in days of December 2026 (1.0 is its first midnight)."""
    return next((o.until - START) / (DAY * HOUR) + 1 for o in deeds_owed(world.contest) if o.who == seer)


# The Seer owes from 1 December 02:00, so without a holiday until the eighth, 02:00.
@each(("others", "first", "last", "at", "due"), [
    ((), 7, 10, 2, 8 + 2 / 24),  # not begun: as if it had never been
    ((), 7, 20, 6, 9.0),  # not begun, and due soon: three days from then on
    ((), 7, 20, 8, 11.0),  # it runs, and without it all would be due that day
    ((), 7, 20, 15, 18.0),  # without it all would have been due long ago
    ((), 7, 20, 20.5, 23.5),  # the last day of it
    (((6, 9),), 7, 20, 8, 13.0),  # another stands, which it overlaps
    (((7, 20),), 6, 9, 8, 24.0),
    (((10, 12),), 7, 20, 8, 16.0),  # it put off what then falls into another
    (((7, 20),), 20, 24, 8, 24.0),  # what another put off had fallen into it
])
def test_what_it_put_off_is_due_as_without_it_but_not_before_three_days(
    others: tuple[tuple[int, int], ...], first: int, last: int, at: float, due: float
) -> None:
    """D-N37: never earlier than without it, nor than 72 hours after it was undone, nor later than with it."""
    world, seer = night()
    for one, other in others:
        holiday(world, 3, one, other)
    holiday(world, 4, first, last)
    put_off = seer_due(world, seer)

    assert holiday(world, (at - 1) * DAY, first, last, undo=True).status == 0
    assert seer_due(world, seer) == pytest.approx(due)
    assert seer_due(world, seer) <= put_off
    assert seer_due(world, seer) >= min(put_off, at + 3) or seer_due(world, seer) == pytest.approx(8 + 2 / 24)


def test_the_forums_and_the_record_tell_it() -> None:
    """All are told which, why, and from when on what it put off can be due; the record cites the ruling."""
    world, _ = night()
    holiday(world, 3, 7, 20)
    outcome = holiday(world, 4 * DAY, 7, 20, undo=True)
    earliest = when(START + 7 * DAY * HOUR)

    assert earliest in outcome.said
    for forum in ("agora", "b"):
        told = " ".join(world.to(forum).split())
        assert "there is no holiday in Agora from Mon 7 Dec 2026 00:00 UTC to Mon 21 Dec 2026 00:00 UTC" in told
        assert WHY in told
        assert f"not before {earliest}" in told
    (entry,) = world.events(HolidayUndone)
    assert (entry.cites, entry.cause) == (("D-N37",), "command")


def test_who_was_reminded_of_a_term_that_comes_earlier_is_reminded_again() -> None:
    """Nobody is acted for whom only a letter to a forum has told that e has less time."""
    world, seer = night()
    world.tick(6 * DAY)
    holiday(world, 6 * DAY, 7, 20)
    holiday(world, 10 * DAY, 7, 20, undo=True)

    told = [e.event for e in world.events(Reminded) if isinstance(e.event, Reminded) and e.event.who == seer]
    assert [e.until for e in told] == [START + (2 + 7 * DAY) * HOUR, START + 13 * DAY * HOUR]
    assert when(START + 13 * DAY * HOUR) in " ".join(world.to(seer).split())
    other = next(p for p in world.contest.running.living() if p != seer) if world.contest.running else ""
    assert world.command("act-for", 13 * DAY - 1, who=seer, deed=f"see {other}").status == 1
    assert world.command("act-for", 13 * DAY, who=seer, deed=f"see {other}").status == 0


def test_who_has_not_been_reminded_yet_is_so_in_the_term_that_is_left() -> None:
    """Those whose reminders are still to come get them as ever: here the first is due when the holiday is undone."""
    world, seer = night()
    holiday(world, 3, 7, 20)
    holiday(world, 9 * DAY, 7, 20, undo=True)

    for at in (10, 11, 11.5):
        world.tick(at * DAY)
    told = [e for e in world.events(Reminded) if isinstance(e.event, Reminded) and e.event.who == seer]
    assert [e.at for e in told] == [START + 9 * DAY * HOUR, START + 11 * DAY * HOUR]
    assert {e.event.until for e in told} == {START + 12 * DAY * HOUR}  # type: ignore[attr-defined]


def test_one_that_does_not_stand_is_not_undone() -> None:
    """What is on record is named; twice is too often, and so it is for recording one."""
    world, _ = night()
    assert "on record" in holiday(world, 3, 7, 20, undo=True).said
    holiday(world, 3, 7, 20)
    assert "on record already" in holiday(world, 3, 7, 20).said
    wrong = holiday(world, 4, 7, 10, undo=True)
    assert (wrong.status, wrong.said.partition("Possible: ")[2]) == (1, "2026-12-07 2026-12-20.")
    assert holiday(world, 4, 7, 20, undo=True, nomic="b").status == 1
    before = len(world.events(HolidayDeclared) + world.events(HolidayUndone))

    assert holiday(world, 4, 7, 20, undo=True).status == 0
    assert holiday(world, 4, 7, 20, undo=True).status == 1
    assert len(world.events(HolidayDeclared) + world.events(HolidayUndone)) == before + 1
    assert holiday(world, 5, 7, 20).status == 0


def test_one_that_is_over_stays() -> None:
    """It can make nothing due earlier that is not due yet: three days after it are less than three days from now."""
    world, seer = night()
    holiday(world, 3, 7, 10)
    outcome = holiday(world, 10 * DAY, 7, 10, undo=True)

    assert outcome.status == 1
    assert "It ended at Fri 11 Dec 2026 00:00 UTC" in outcome.said
    assert when(START + 13 * DAY * HOUR) in outcome.said
    assert seer_due(world, seer) == 14.0


def test_it_is_told_why_and_only_then() -> None:
    """A reason is needed to undo one, and none is lost that nobody would be told."""
    world, _ = night()
    days = {"nomic": "agora", "from": "2026-12-07", "to": "2026-12-20"}
    assert "--undo" in world.command("holiday", 3, **days, why=WHY).said
    holiday(world, 3, 7, 20)

    assert "--why" in world.command("holiday", 4, **days, undo="yes").said
    assert not world.events(HolidayUndone)


def test_it_needs_no_session() -> None:
    """Before and after one there are terms as well: of intents, and of what the contestmaster owes."""
    world = World()
    for name in ("Ash", "Bex", "Cam", "Dov", "Eli"):
        world.write(name, "I join.")
    setup, agora = world.contest.setup, law_of(world.contest.setup, "agora").window
    usual = chance(world.contest.law, "agora", agora, START).last
    holiday(world, 1, 7, 20, nomic="b")
    holiday(world, 1, 14, 20)
    assert term(setup, world.contest.law, START) == START + 23 * DAY * HOUR
    assert chance(world.contest.law, "agora", agora, START).last == START + 23 * DAY * HOUR

    assert holiday(world, 2, 14, 20, undo=True).status == 0
    assert holiday(world, 2, 7, 20, undo=True, nomic="b").status == 0
    assert term(setup, world.contest.law, START) == START + 7 * DAY * HOUR
    assert chance(world.contest.law, "agora", agora, START).last == usual == START + 14 * DAY * HOUR
    assert GRACE == 3 * DAY * HOUR


def test_a_player_takes_eir_own_back() -> None:
    """``holiday: over`` ends an absence that has begun, and one that has not: what e owes is due as without it."""
    world, seer = night()
    world.write(seer, "holiday: 2026-12-05 to 2026-12-12", "contestmaster", at=3)
    assert seer_due(world, seer) == pytest.approx(16 + 2 / 24)
    world.write(seer, "holiday: over", "contestmaster", at=4)
    assert seer_due(world, seer) == pytest.approx(8 + 2 / 24)
    world.write(seer, "holiday: 2026-12-05 to 2026-12-12", "contestmaster", at=5)
    world.write(seer, "holiday: cancelled", "contestmaster", at=5 * DAY)

    assert seer_due(world, seer) == pytest.approx(9 + 2 / 24)
