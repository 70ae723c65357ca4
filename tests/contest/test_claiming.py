"""Claims of error by mail, and absences that end early (D-N37, D-N40)."""

from __future__ import annotations

import pytest

from nomicwolf.nomic.duties import contract_duties
from nomicwolf.nomic.events import DeedDone
from nomicwolf.nomic.law_events import AbsenceAnnounced, AbsenceEnded, AwardCorrected, ErrorClaimed
from tests.contest.test_caring import won
from tests.contest.world import HOUR, START, World


@pytest.mark.parametrize("says", [
    "I claim an error in award 2 of session 1: Fay was dead.", "CoE: award 2 (session 1): Fay was dead.",
    "Claim of error on award 2: Fay was dead", "I challenge award 2, for Fay was dead.",
])
def test_an_error_is_claimed_by_mail(says: str) -> None:
    """It is on record and public, and a second claim waits for the first."""
    world = won()
    world.write("Bex", says, at=30)
    claimed = [e.event for e in world.events(ErrorClaimed) if isinstance(e.event, ErrorClaimed)]
    assert [(c.session, c.award, c.who) for c in claimed] == [(1, 2, "Bex")]
    assert claimed[0].why.endswith("Fay was dead")
    assert "an error in award 2" in " ".join(world.to("agora").split())

    world.write("Cam", says, at=31)
    assert "already" in world.to("Cam")
    assert len(world.events(ErrorClaimed)) == 1


def test_a_claim_belongs_in_a_forum_and_names_an_award_that_there_is() -> None:
    """NC 1g: what is claimed by private mail isn't; nor is an error in an award that was never made."""
    world = won()
    world.write("Bex", "CoE: award 2: Fay was dead.", "contestmaster", at=30)
    assert "private mail: post it" in world.to("Bex")
    world.write("Bex", "CoE: award 99: Fay was dead.", at=31)
    assert "no award 99" in world.to("Bex")

    assert not world.events(ErrorClaimed)


def test_an_award_to_the_wrong_person_is_set_right_by_two_actions() -> None:
    """D-N40: one revokes what was given, the next gives it to whom it was due; nothing is edited."""
    world = won()
    first = world.contest.awards[1][0]
    other = next(p for p in world.contest.persons if p not in {a.who for a in world.contest.awards[1]})
    assert world.command("correct", 40, number="1", amount="0", why="e was dead").status == 0
    outcome = world.command("correct", 41, number="1", amount=str(first.amount), who=other, why="e was alive")

    assert outcome.status == 0, outcome.said
    made = [e.event for e in world.events(AwardCorrected) if isinstance(e.event, AwardCorrected)]
    assert [(c.who, c.amount) for c in made] == [(first.who, -first.amount), (other, first.amount)]
    assert world.command("correct", 42, number="1", amount="5", who="Murphy", why="no").status == 1
    assert world.command("correct", 42, number="1", amount="5", what="Z points", why="no").status == 1


def test_what_somebody_has_wrongly_is_pointed_at_when_another_gets_it() -> None:
    """D-N40: that is an action of its own, and is asked for no more once it is done."""
    world = won()
    first = world.contest.awards[1][0]
    other = next(p for p in world.contest.persons if p not in {a.who for a in world.contest.awards[1]})
    given = world.command("correct", 40, number="1", amount="1", who=other, why="e was alive")
    assert f"still gives {first.who} {first.amount} {first.what}: `correct 1 --amount 0`" in given.said
    assert "still gives" not in world.command("correct", 41, number="1", amount="0", why="e was dead").said
    assert "still gives" not in world.command("correct", 42, number="1", amount="2", who=other, why="so it was").said


def test_an_award_without_its_session_is_of_the_latest_that_has_any() -> None:
    """By command as by mail: while the next session is played nothing has been awarded in that."""
    world = won()
    assert world.command("start", 30, limit="agora=35").status == 0
    claimed = world.command("claim", 40, number="2", who="Bex", why="e was dead")
    assert claimed.said.endswith("in award 2 of session 1.")
    assert world.command("claim", 41, number="2", answer="accepted", why="so e was").status == 0
    assert "session 1" in world.command("correct", 42, number="2", amount="0", why="e was dead").said


def test_someone_comes_back_before_eir_time() -> None:
    """What waited for em waits no longer; who says so without having been away does nothing."""
    world = World().start()
    world.write("Bex", "I'm back.", at=1)
    assert not world.events(AbsenceEnded)
    world.write("Bex", "I'm away until 12 December.", "contestmaster", at=2)
    assert len(world.events(AbsenceAnnounced)) == 1
    world.write("Bex", "I'm back.", "contestmaster", at=30)

    assert len(world.events(AbsenceEnded)) == 1
    assert world.contest.law.away == (("Bex", START + 2 * HOUR, START + 30 * HOUR),)
    assert "you are back" in world.to("Bex")


def test_an_absence_has_to_last_beyond_now() -> None:
    """D-N37: one whose last day ends at this second is over; a second sooner it still is none too late."""
    for at, known in ((5 * 24, 0), (5 * 24 - 1 / HOUR, 1)):
        world = World().start()
        world.write("Bex", "I'm away on 2026-12-05.", "contestmaster", at=at)
        assert len(world.events(AbsenceAnnounced)) == known


def test_a_claim_says_by_which_deed_it_came_and_is_owed_until_it_is_answered() -> None:
    """NC 5i: the contestmaster owes an answer, and none any more once e has given it."""
    world = won()
    world.write("Bex", "CoE: award 2: Fay was dead.", at=30)
    (done,) = [e for e in world.events(DeedDone) if isinstance(e.event, DeedDone) and "error" in e.event.note]

    assert isinstance(done.event, DeedDone)
    assert world.events(ErrorClaimed)[0].cause == done.cause == f"deed {done.event.deed}"
    assert [d.clause for d in contract_duties(world.contest)].count("NC 5i") == 1
    world.command("claim", 31, number="2", answer="denied", why="e lived")
    assert "NC 5i" not in [d.clause for d in contract_duties(world.contest)]
