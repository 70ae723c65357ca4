"""The deeds that wait, by their letters; and that a branch leaves the contest as it was, whatever changes in it."""

from __future__ import annotations

from dataclasses import fields

from nomicwolf.nomic.events import DeedDone, DeedHeard, DeedMoved, PersonKnown, Refused
from nomicwolf.nomic.law_events import DeedKept, PersonRenamed
from nomicwolf.nomic.setup import Setup
from nomicwolf.nomic.state import COPIED, Contest, PendingDeeds, Recalled
from nomicwolf.village.events import Entry, Event, Opened, PhaseBegan, Removed

SETUP = Setup("w1", "Werewolves", "nomic-crossing", "Murphy", ("murphy@masters.test",), "wolf@contest.test", ())
OPENED = Opened("nomic-crossing", 1, "seed", (("Ash", "villager", "villagers"), ("Bex", "werewolf", "werewolves")), ())


def deed(letter: int, verb: str, instant: int = 7) -> DeedHeard:
    """Return a deed of a letter, by its entry."""
    return DeedHeard(letter, "Ash", verb, (), None, "", verb, 1, verb, "contestmaster", instant, (instant,))


def told(contest: Contest, *events: Event) -> Contest:
    """Return a branch of *contest* in which *events* have happened, one a second."""
    contest = contest.branch()
    for event in events:
        contest.record(Entry(contest.last + 1, contest.last + 1, event))
    return contest


def test_deeds_wait_under_the_number_of_their_letter() -> None:
    """What is done, refused or kept waits no more; what a phase takes up waits again, behind the others."""
    heard = told(Contest(SETUP), OPENED, deed(7, "see"), deed(7, "kill"), deed(8, "pass"), deed(7, "vote"))
    assert (dict(heard.deeds.by_letter), [*heard.pending]) == ({7: (2, 3, 5), 8: (4,)}, [2, 3, 4, 5])

    kept = told(heard, DeedKept(2, "night"), DeedDone(4, "Ash", "", ""), DeedMoved(3, 4), Refused(9, "Ash", "", "", ""))
    assert (dict(kept.deeds.by_letter), {n: d.instant for n, d in kept.pending.items()}) == ({7: (3, 5)}, {3: 4, 5: 7})

    begun = told(kept, PhaseBegan("night", 1))
    assert (dict(begun.deeds.by_letter), begun.pending[2].instant) == ({7: (3, 5, 2)}, begun.last)
    assert dict(begun.deeds.kept) == {}
    assert told(begun, *(Refused(n, "Ash", "", "", "") for n in (2, 3, 5))).deeds.by_letter == {}
    assert dict(heard.deeds.by_letter) == {7: (2, 3, 5), 8: (4,)}


def test_a_kept_deed_that_was_sent_after_the_phase_began_keeps_its_instant() -> None:
    """D-A8: where the phase is found later to have begun, what was sent in it isn't done before it was sent."""
    kept = told(Contest(SETUP), OPENED, deed(7, "see", 99), DeedKept(2, "night"))

    assert told(kept, PhaseBegan("night", 1)).pending[2].instant == 99


def test_a_later_deed_takes_the_place_of_the_one_that_was_kept() -> None:
    """D-N38: what was kept first is forgotten, and one alone waits when the phase begins."""
    kept = told(Contest(SETUP), OPENED, deed(7, "see"), DeedKept(2, "night"), deed(8, "see"), DeedKept(4, "night", 2))

    assert [*kept.deeds.kept] == [4]
    assert [*told(kept, PhaseBegan("night", 1)).pending] == [4]


def test_who_is_removed_need_not_leave_and_eir_other_deeds_are_still_answered() -> None:
    """D-A4: eir leaving has been done with it; what else e wrote waits for its instant, and is refused then."""
    removed = told(Contest(SETUP), OPENED, deed(7, "vote"), deed(7, "leave"), Removed("Ash", "by eir own word"))

    assert [d.verb for d in removed.pending.values()] == ["vote"]


REPLACED = {"awards", "games", "limits", "parties", "persons", "revealed", "sessions", "stopped"}
"""What could be written to, and never is."""


def test_a_branch_has_all_for_itself_that_changes_in_place() -> None:
    """Whatever could be written to is copied; the rest is replaced when it changes, the persons too."""
    contest = told(Contest(SETUP), OPENED, PersonKnown("Ash", ("ash@players.test",)))
    branch = told(contest, PersonKnown("Bex", ()), PersonRenamed("Ash", "Dov"))
    changing = {name for name, value in vars(contest).items()
                if isinstance(value, (dict, list, set, Recalled, PendingDeeds))}

    assert changing == {*COPIED, *REPLACED}
    assert ([*contest.persons], [*branch.persons]) == (["Ash"], ["Bex", "Dov"])
    assert not [name for name in (*COPIED, "game") if getattr(branch, name) is getattr(contest, name)]
    assert not [f.name for f in fields(PendingDeeds) if getattr(branch.deeds, f.name) is getattr(contest.deeds, f.name)]
