"""The law around the game as it stands after what has happened, and what a contest's awards come to."""

from __future__ import annotations

from nomicwolf.nomic.awards import awarded_so_far, derive, unconfirmed
from nomicwolf.nomic.events import Awarded, PartyJoined, PersonKnown
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
from nomicwolf.nomic.setup import Forum, Setup
from nomicwolf.nomic.state import Contest
from nomicwolf.village.events import Ended, Entry, Event

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
