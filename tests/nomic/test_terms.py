"""Until when something is to be done, and when an intent can happen: to the second, at both ends."""

from __future__ import annotations

from nomicwolf.nomic.duties import deadline_past, term
from nomicwolf.nomic.intents import GRACE, Chance, chance, put_off
from nomicwolf.nomic.law import Law
from nomicwolf.nomic.setup import DAY, Forum, Setup, profile
from tests.tables import each

DAY_ONE = 20_000 * DAY
HOLIDAY = ("agora", DAY_ONE, DAY_ONE + 3 * DAY)
AFTER = DAY_ONE + 3 * DAY + GRACE
SETUP = Setup(
    "w1", "Werewolves", "nomic-crossing", "Murphy", ("murphy@masters.test",), "wolf@contest.test",
    (Forum("agora", "agora@forums.test"), Forum("b", "b@forums.test", profile="b-2009")))


@each(("due", "then"), [
    (DAY_ONE - 1, DAY_ONE - 1), (DAY_ONE, AFTER), (DAY_ONE + 3 * DAY, AFTER), (AFTER - 1, AFTER), (AFTER, AFTER),
    (AFTER + 1, AFTER + 1),
])
def test_what_falls_due_in_a_holiday_or_three_days_after_it_is_put_off(due: int, then: int) -> None:
    """D-N37, CFJ 2321: from its first second on, to three days after its end; the other nomic's dates stay."""
    law = Law(holidays=(HOLIDAY,))

    assert put_off(law, "agora", due) == then
    assert put_off(law, "b", due) == due


def test_one_holiday_puts_off_into_the_next_in_whatever_order_they_were_told() -> None:
    """D-N37: what the first holiday puts off falls into the second, and is put off again."""
    later = ("agora", AFTER - DAY, AFTER + DAY)

    for holidays in ((HOLIDAY, later), (later, HOLIDAY)):
        assert put_off(Law(holidays=holidays), "agora", DAY_ONE) == AFTER + DAY + GRACE


def test_an_absence_is_ones_own_and_counts_for_fourteen_days() -> None:
    """D-N37: it puts off what its player owes, by its first fourteen days, and nothing of anybody else's."""
    law = Law(away=(("Ash", DAY_ONE + DAY, DAY_ONE + 31 * DAY),))

    assert term(SETUP, law, DAY_ONE, "Ash") == DAY_ONE + (7 + 14) * DAY
    assert term(SETUP, law, DAY_ONE, "Bex") == term(SETUP, law, DAY_ONE) == DAY_ONE + 7 * DAY


def test_an_outage_that_is_over_puts_off_what_everyone_owes() -> None:
    """D-N39: the time between doesn't count; while nobody has looked into it there is no end of it."""
    over = Law(outages=((DAY_ONE + DAY, DAY_ONE + 4 * DAY),))

    assert term(SETUP, over, DAY_ONE, "Ash") == term(SETUP, over, DAY_ONE) == DAY_ONE + 10 * DAY
    assert term(SETUP, Law(guard=DAY_ONE + DAY), DAY_ONE) > DAY_ONE + 9_000 * DAY


def test_a_pause_that_begins_when_the_time_is_up_does_not_count() -> None:
    """NC 1j: the term has passed at that second; a pause that holds before it begins takes off what is left of it."""
    assert deadline_past(100, 50, [(150, 160)]) == 150
    assert deadline_past(100, 50, [(149, 160)]) == 161
    assert deadline_past(100, 50, [(90, 110)]) == 160


@each(("stops", "first"), [
    ((), 3), (((1, 2),), 4), (((2, 3),), 4), (((1, 2.5),), 5), (((2.9, 3),), 4), (((1.5, 0),), None),
])
def test_a_day_counts_if_the_clock_was_on_for_all_of_it(
    stops: tuple[tuple[float, float], ...], first: int | None
) -> None:
    """4E14, 4E21: B's second nday after the announcement's own; one turned off or on at midnight leaves no gap.

    *stops* are days after the announcement's midnight, and *first* is when it can happen; 0 is not on again.
    """
    law = Law(stops=tuple(("b", DAY_ONE + int(off * DAY), DAY_ONE + int(on * DAY) if on else 0) for off, on in stops))
    found = chance(law, "b", profile("b-2009").window, DAY_ONE + 3600)

    assert found.first == (None if first is None else DAY_ONE + first * DAY)
    assert chance(law, "agora", profile("b-2009").window, DAY_ONE + 3600) == Chance(
        DAY_ONE + 3 * DAY, DAY_ONE + 5 * DAY)
