"""The law around the game: what has happened, what is due, and floods."""

from __future__ import annotations

from nomicwolf.nomic.awards import awarded_so_far, derive, unconfirmed
from nomicwolf.nomic.delivery import OVER, Batched, Cover, Spent, count_entry, evolve_cover, next_batch, spent_today
from nomicwolf.nomic.duties import GRACE, Chance, chance, deadline_past, put_off, term
from nomicwolf.nomic.events import Awarded, LetterHeard, Noted, PartyJoined, PersonKnown
from nomicwolf.nomic.law import KeyAdded, KeyRemoved, Law, evolve_law
from nomicwolf.nomic.law_events import (
    AbsenceAnnounced,
    AbsenceEnded,
    AwardCorrected,
    ClockTurned,
    GuardLifted,
    GuardRaised,
    IntentAnnounced,
    IntentPublished,
    Objected,
    ObjectionWithdrawn,
    PersonRenamed,
)
from nomicwolf.nomic.setup import DAY, HOUR, Forum, Setup, profile
from nomicwolf.nomic.state import Contest
from nomicwolf.village.events import Ended, Entry, Event
from tests.tables import each

SETUP = Setup(
    "w1", "Werewolves", "nomic-crossing", "Murphy", ("murphy@masters.test",), "wolf@contest.test",
    (Forum("agora", "agora@forums.test"), Forum("b", "b@forums.test", profile="b-2009")))


def after(*told: tuple[int, Event]) -> Law:
    """Return the law after what was *told*, each with its instant."""
    law = Law()
    for number, (at, event) in enumerate(told, 1):
        law = evolve_law(law, Entry(number, at, event))
    return law


def contest_of(*events: Event) -> Contest:
    """Return the contest in which *events* have happened, one a second."""
    return Contest.of(SETUP, [Entry(number, number, event) for number, event in enumerate(events, 1)])


def test_a_member_objects_once_however_often_e_says_so() -> None:
    """D-N35: the last one stands, and one withdrawal takes all of it back; others' stay."""
    told = ((5, IntentAnnounced(1, "amend")), (6, Objected(1, "Ash")), (7, Objected(1, "Bex")), (8, Objected(1, "Ash")))

    assert after(*told).intents[1].objections == (("Bex", 7), ("Ash", 8))
    withdrawn = after(*told, (9, ObjectionWithdrawn(1, "Ash"))).intents[1]
    assert (withdrawn.objections, withdrawn.withdrawn) == ((("Bex", 7),), 9)


def test_an_intent_is_published_no_sooner_than_it_is_announced() -> None:
    """CFJ 2058: a forum whose clock is behind ours doesn't let its days count from before the announcement."""
    law = after((50, IntentAnnounced(1, "amend")), (60, IntentPublished(1, "agora", 40)),
                (60, IntentPublished(1, "b", 55)))

    assert law.intents[1].published == (("agora", 50), ("b", 55))


def test_a_clock_that_is_turned_on_is_one_nomics_own() -> None:
    """4E14: it ends that nomic's stop, not the other's, and none that has ended."""
    law = after((1, ClockTurned("b", False)), (2, ClockTurned("b", True)), (3, ClockTurned("agora", False)),
                (4, ClockTurned("b", False)), (5, ClockTurned("b", True)))

    assert law.stops == (("b", 1, 2), ("agora", 3, 0), ("b", 4, 5))


def test_who_is_back_ends_what_e_announced_and_nothing_else() -> None:
    """D-N37: not an absence that was over, nor anybody else's; one that would begin now or later is none."""
    away = [(1, AbsenceAnnounced(who, *days)) for who, days in (
        ("Ash", (10, 20)), ("Ash", (30, 50)), ("Bex", (30, 50)), ("Ash", (40, 60)), ("Ash", (70, 80)))]

    assert after(*away, (40, AbsenceEnded("Ash"))).away == (("Ash", 10, 20), ("Ash", 30, 40), ("Bex", 30, 50))


def test_an_outage_is_remembered_when_it_is_over() -> None:
    """D-N39: from when nobody polled to when the contestmaster had looked into it."""
    law = after((100, GuardRaised(30)), (120, GuardLifted(30)))

    assert (law.guard, law.outages) == (0, ((30, 120),))


def test_a_key_is_replaced_or_removed_by_its_fingerprint() -> None:
    """D-N45: the same key anew takes the old one's place, and no other goes with one that is removed."""
    keys = [KeyAdded("Ash", "AA", "old"), KeyAdded("Ash", "BB", "other"), KeyAdded("Ash", "AA", "new")]
    law = after(*enumerate(keys))

    assert law.keys["Ash"] == (keys[1], keys[2])
    assert after(*enumerate((*keys, KeyRemoved("Ash", "BB")))).keys["Ash"] == (keys[2],)


def test_who_takes_eir_first_name_again_is_not_eir_own_alias() -> None:
    """NC 1c: the names between stay aliases, so letters that use them are understood."""
    contest = contest_of(
        PersonKnown("Gus", ("gus@players.test",)), PersonRenamed("Gus", "Gustav"), PersonRenamed("Gustav", "Gus"))

    assert [*contest.persons] == ["Gus"]
    assert contest.persons["Gus"].aliases == ("Gustav",)


def test_the_contestmaster_does_not_count_towards_p() -> None:
    """D-N1, D-N21: a party of whom nothing is known counts, and e who keeps the contest doesn't."""
    found = derive(contest_of(PartyJoined("Murphy", "agora"), PartyJoined("Ash", "agora")), "agora")

    assert found is not None
    assert (found.points, found.counted, found.left_out) == (5, ("Ash",), (("Murphy", "the contestmaster"),))


def test_points_of_both_axes_count_together() -> None:
    """CFJ 2686: what was given in a nomic for a session is all its points, with corrections; trophies are apart."""
    contest = contest_of(
        Awarded(1, 1, "agora", "Ash", "X points", 20), Awarded(1, 2, "agora", "Bex", "Y points", 9),
        Awarded(1, 3, "b", "Ash", "silver Trophy", 1), Awarded(2, 1, "agora", "Ash", "X points", 7),
        AwardCorrected(1, 4, 1, "agora", "Ash", "X points", -3, "e was dead"))

    assert awarded_so_far(contest, 1, "agora", "X points") == awarded_so_far(contest, 1, "agora", "Y points") == 26
    assert awarded_so_far(contest, 1, "b", "silver Trophy") == 1
    assert awarded_so_far(contest, 1, "agora", "silver Trophy") == 0


def test_p_is_waited_for_only_where_somebody_has_won() -> None:
    """D-N20, D-N21: a session without winners awards nothing, so its end waits for nothing."""
    assert unconfirmed(contest_of(), Ended("villagers", ("Ash",))) == "agora"
    assert unconfirmed(contest_of(), Ended("nobody", ())) == ""


DAY_ONE = 20_000 * DAY
HOLIDAY = ("agora", DAY_ONE, DAY_ONE + 3 * DAY)
AFTER = DAY_ONE + 3 * DAY + GRACE


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


FIRST = 20_000


def held(at: int) -> LetterHeard:
    """Return a letter of Ash's that was held because eir day was used up, and arrived at *at* (UTC seconds)."""
    return LetterHeard("", "", "", "Ash", "held", "agora", f"{OVER}5 letters a day", 0, 0, at, "forum")


def test_what_no_digest_has_told_is_carried_over_midnight() -> None:
    """D-N47: the sum counts from the first day that wasn't told of; once it is told, from the next flood's."""
    spent: dict[str, Spent] = {}
    for number, day in enumerate((FIRST, FIRST, FIRST + 1), 1):
        count_entry(spent, Entry(number, day * DAY, held(day * DAY)))
    assert (spent["Ash"].over, spent["Ash"].untold, spent["Ash"].since) == (1, 3, FIRST)
    assert spent_today(spent, "Ash", (FIRST + 2) * DAY).untold == 3

    count_entry(spent, Entry(4, (FIRST + 2) * DAY, Noted("digest", "")))
    count_entry(spent, Entry(5, (FIRST + 4) * DAY, held((FIRST + 4) * DAY)))
    assert (spent["Ash"].untold, spent["Ash"].since) == (1, FIRST + 4)


def test_the_next_batch_is_later_than_the_last_and_than_the_phase() -> None:
    """D-N48: a slot before the night began tells nothing; a batch that is dated earlier takes none back."""
    midnight = FIRST * DAY
    cover = Cover(("08:00", "20:00"), midnight + 9 * HOUR)

    assert next_batch(cover) == midnight + 20 * HOUR
    assert next_batch(cover, midnight + 20 * HOUR) == midnight + 32 * HOUR
    assert evolve_cover(cover, Entry(1, midnight, Batched("turn")), "night", ()).last == cover.last
