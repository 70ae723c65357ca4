"""Intents, objections and claims, as letters and commands tell of them (NC 1c, NC 1e, NC 1f, D-N40)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nomicwolf.contest import Setup
from nomicwolf.letters.compose import message_id
from nomicwolf.nomic.duties import contract_duties
from nomicwolf.nomic.events import Asked, DeedDone, Noted, PartyLeft, Refused, SessionStopped
from nomicwolf.nomic.law_events import (
    AbsenceAnnounced,
    AbsenceEnded,
    Amended,
    AwardCorrected,
    ErrorClaimed,
    IntentBlocked,
    IntentEffective,
    Objected,
    ObjectionWithdrawn,
    SubgameEnded,
)
from nomicwolf.reports.answers import public_status
from nomicwolf.reports.views import public_view
from tests.contest.test_caring import won
from tests.contest.world import HOUR, SEVEN, START, World, setup
from tests.tables import each

DAY = 24


def members(given: Setup | None = None) -> World:
    """Seven members of both nomics' contract, no session yet."""
    world = World(given)
    for name in SEVEN:
        world.write(name, "I join.", message_id=f"<join-{name}@players.example>")
        world.write(name, "I join.", "b", message_id=f"<join-{name}@players.example>")
    return world


def intending(what: str = "remove", **args: str) -> World:
    """An intent announced at hour 1."""
    world = members()
    if what == "end-session":
        world.command("start", seed="7")
    outcome = world.command("intend", 1, what=what, **({"who": "Gus"} if what == "remove" else {}), **args)
    assert outcome.status == 0, outcome.said
    return world


def effects(world: World) -> list[tuple[str, str]]:
    """In which nomics something has taken effect, and how."""
    return [(e.event.nomic, e.event.how) for e in world.events(IntentEffective)
            if isinstance(e.event, IntentEffective)]


def test_agora_waits_for_a_second_announcement_and_b_for_none() -> None:
    """D-N34: without objection it happens in B when two ndays have passed, in Agora when it is resolved."""
    world = intending()
    world.tick(3 * DAY - 0.1)
    assert effects(world) == []
    world.tick(3 * DAY)
    assert effects(world) == [("b", "by itself")]
    assert world.contest.parties["b"] == ("Ash", "Bex", "Cam", "Dov", "Eli", "Fay")
    assert "Gus" in world.contest.parties["agora"]

    assert world.command("resolve", 4 * DAY + 1, number="1").status == 0
    assert "Gus" not in world.contest.parties["agora"]
    assert [e.event.nomic for e in world.events(PartyLeft) if isinstance(e.event, PartyLeft)] == ["b", "agora"]


@pytest.mark.parametrize(("hours", "possible"), [
    (4 * DAY + 0.99, False), (4 * DAY + 1, True), (14 * DAY + 1, True), (14 * DAY + 1.01, False)])
def test_the_window_of_agora(hours: float, possible: bool) -> None:
    """R1728: at least four days after the announcement and at most fourteen, both to the second."""
    world = intending()
    outcome = world.command("resolve", hours, number="1")

    assert (outcome.status == 0) is possible
    assert possible or "Sat 5 Dec 2026 01:00 UTC" in outcome.said or "Tue 15 Dec 2026 01:00 UTC" in outcome.said


def test_a_single_objection_blocks() -> None:
    """CFJ 2700: one member's objection stops it in both nomics, and the refusal names em."""
    world = intending()
    world.write("Bex", "I object.", at=5)
    assert [e.event.who for e in world.events(Objected) if isinstance(e.event, Objected)] == ["Bex"]

    world.tick(3 * DAY)
    outcome = world.command("resolve", 5 * DAY, number="1")
    assert (outcome.status, "Bex objects" in outcome.said) == (1, True)
    assert [e.event.nomic for e in world.events(IntentBlocked) if isinstance(e.event, IntentBlocked)] == ["b"]
    assert "Gus" in world.contest.parties["b"]


def test_an_objection_can_be_withdrawn() -> None:
    """R2124: what is withdrawn in time stops nothing."""
    world = intending()
    world.write("Bex", "I object to intent 1.", at=5)
    world.write("Bex", "I withdraw my objection to intent 1.", at=6)
    world.tick(3 * DAY)

    assert effects(world) == [("b", "by itself")]


def test_an_objection_that_was_withdrawn_still_stops_it_for_a_day() -> None:
    """R2124 of 2009-06: where a nomic's law lets it cool, it can be resolved so many hours after the withdrawal."""
    usual = setup()
    forums = (replace(usual.forums[0], profile="agora-2009-06"), usual.forums[1])
    world = members(replace(usual, forums=forums))
    world.command("intend", 1, what="remove", who="Gus")
    world.write("Bex", "I object.", at=2 * DAY)
    assert whats(world) == []
    world.write("Bex", "I withdraw my objection.", at=6 * DAY)

    assert world.command("resolve", 7 * DAY - 0.01, number="1").status == 1
    assert world.command("resolve", 7 * DAY, number="1").status == 0


def test_objections_before_the_intent_or_by_strangers_are_void() -> None:
    """CFJ 2316: one can't object in advance; and members alone can object."""
    world = members()
    world.command("party-remove", 0.2, who="Fay")
    world.write("Bex", "I object.", at=0.5)
    world.command("intend", 1, what="remove", who="Gus")
    world.write("Fay", "I object.", at=2)

    assert [(e.event.who, "void" in e.event.why or "none" in e.event.why) for e in world.events(Refused)
            if isinstance(e.event, Refused)] == [("Bex", True), ("Fay", True)]
    assert not world.events(Objected)


def test_a_late_poll_finds_the_objection_in_time() -> None:
    """D-N9: an objection posted before the ndays had passed stops it, however late it is read."""
    world = intending()
    world.write("Bex", "I object.", at=2 * DAY, arrives=3 * DAY + 5)

    assert effects(world) == []
    assert len(world.events(IntentBlocked)) == 1


def test_ndays_stand_still_while_the_clock_is_off() -> None:
    """4E14: days on which B's clock is off are no ndays."""
    world = intending()
    world.command("clock", 1.5 * DAY, nomic="b", turned="off")
    world.tick(5 * DAY)
    assert effects(world) == []
    world.command("clock", 5 * DAY, nomic="b", turned="on")
    world.tick(7 * DAY)

    assert effects(world) == [("b", "by itself")]


def test_an_amendment_is_a_version_with_its_diff() -> None:
    """NC 1e: the text changes once both nomics have it; the announcement shows the difference."""
    world = intending("amend", text="one\nthree\n", base="one\ntwo\n")
    assert "-two" in world.to("agora")
    assert "+three" in world.to("agora")
    world.tick(3 * DAY)
    world.command("resolve", 5 * DAY, number="1")

    amended = world.contest.law.amended
    assert [(a.version, a.text, a.intent) for a in amended] == [(2, "one\nthree\n", 1)]
    assert "Version 2" in world.to("b")
    assert isinstance(world.events(Amended)[0].event, Amended)


def test_a_session_ended_by_intent_has_no_winners() -> None:
    """NC 1f: after both nomics have had their say the session is over, and a new one can be started."""
    world = intending("end-session", why="too few are left")
    world.tick(3 * DAY)
    assert not world.events(SessionStopped)
    assert world.command("resolve", 5 * DAY, number="1").status == 0

    assert len(world.events(SessionStopped)) == 1
    assert not world.contest.awards
    assert world.command("start", 6 * DAY, seed="8").status == 0


def test_the_subgame_can_be_ended() -> None:
    """NC 1f: after that no session can be started."""
    world = intending("end-subgame")
    world.tick(3 * DAY)
    world.command("resolve", 5 * DAY, number="1")

    assert len(world.events(SubgameEnded)) == 1
    assert "1f" in world.command("start", 6 * DAY, seed="8").said


@pytest.mark.parametrize(("args", "says"), [
    ({"what": "dance"}, "Possible: remove"), ({"what": "remove", "who": "Zoe"}, "no contestant"),
    ({"what": "end-session"}, "No session"), ({"what": "amend", "text": ""}, "text that differs")])
def test_an_intent_names_everything(args: dict[str, str], says: str) -> None:
    """CFJ 1334: what names too little is refused and not announced."""
    world = members()
    outcome = world.command("intend", 1, **args)

    assert (outcome.status, says in outcome.said) == (2 if args["what"] in ("dance", "amend") else 1, True)
    assert not world.letters


def test_an_objection_that_names_nothing_is_against_all() -> None:
    """D-N36: "I object" stands against every open intent; a name picks one."""
    world = intending()
    world.command("intend", 2, what="remove", who="Fay")
    world.write("Bex", "I object to Murphy's intent to remove Fay.", at=3)
    assert [e.event.intent for e in world.events(Objected) if isinstance(e.event, Objected)] == [2]
    world.write("Cam", "I object.", at=4)

    assert [e.event.intent for e in world.events(Objected) if isinstance(e.event, Objected)] == [2, 1, 2]


def echo(world: World, nomic: str, at: float, number: int = 1) -> None:
    """Let the forum of *nomic* send back our announcement of an intent."""
    ours = next(o for o in world.sent if o.forum == nomic and f"Intent {number}" in o.subject)
    name = message_id(f"public/{ours.key}", world.contest.setup.secret, "wolf.example")
    assert world.write("", "an echo", nomic, at, sender="Werewolves <wolf@wolf.example>",
                       message_id=name).bucket == "own"


def test_the_days_count_from_the_publication() -> None:
    """CFJ 2058, 4E7: a forum that moderates for a day moves its own window by that day, and no other's."""
    world = intending()
    echo(world, "b", 1.1)
    echo(world, "agora", 1 + DAY)
    assert world.command("resolve", 4 * DAY + 2, number="1").status == 1
    assert effects(world) == [("b", "by itself")]

    assert world.command("resolve", 5 * DAY + 1, number="1").status == 0


def test_nothing_happens_where_the_announcement_was_not_published() -> None:
    """CFJ 1905: a forum that echoes and hasn't sent this one back has not published it; the refusal says so."""
    world = members()
    world.command("intend", 1, what="remove", who="Fay")
    echo(world, "b", 1.1)
    echo(world, "agora", 1.1)
    world.command("intend", 2, what="remove", who="Gus")
    outcome = world.command("resolve", 6 * DAY, number="2")
    assert (outcome.status, "not published" in outcome.said) == (1, True)
    assert {e.event.intent for e in world.events(IntentEffective) if isinstance(e.event, IntentEffective)} == {1}

    echo(world, "agora", 6 * DAY + 2, 2)
    assert world.command("resolve", 10 * DAY + 1, number="2").status == 1
    assert world.command("resolve", 10 * DAY + 2, number="2").status == 0


def whats(world: World) -> list[str]:
    """What is to be done outside of the game."""
    return [d.what for d in contract_duties(world.contest) if "intent" in d.what]


def test_an_intent_is_a_duty_until_it_is_resolved_in_each_nomic() -> None:
    """What has happened in B by itself is still to be resolved in Agora, within its own window (NC 1c, D-N34)."""
    world = intending()
    assert whats(world) == ["resolve intent 1, to remove Gus from the contract, in Agora, or let it lapse"]
    world.tick(3 * DAY)
    assert effects(world) == [("b", "by itself")]
    assert whats(world) == ["resolve intent 1, to remove Gus from the contract, in Agora, or let it lapse"]

    world.command("resolve", 4 * DAY + 1, number="1")
    assert whats(world) == []


def test_a_lapsed_intent_is_owed_no_more() -> None:
    """D-N34: when Agora's fourteen days are over it can't be resolved, and nobody is late with it."""
    world = intending()
    world.tick(3 * DAY)
    assert "intent 1" in public_status(public_view(world.contest))
    world.write("Ida", "I join this contract.", at=15 * DAY)

    assert whats(world) == []
    assert "intent 1" not in public_status(public_view(world.contest))


def test_a_lost_announcement_is_to_be_made_anew() -> None:
    """CFJ 1905: an echo that doesn't come is told as what it is: the intent's days don't count."""
    world = members()
    world.command("intend", 1, what="remove", who="Fay")
    echo(world, "agora", 1.1)
    world.command("intend", 2, what="remove", who="Gus")
    assert any("see whether the forum of Agora has published intent 2" in what for what in whats(world))

    assert "announce the intent anew" in world.command("resolve", 6 * DAY, number="2").said
    world.command("echo-missing", 6 * DAY, letters=("agora 9 [Werewolves] Intent 2: to remove Gus",))
    told = [e.event.text for e in world.events(Noted) if isinstance(e.event, Noted)]
    assert len(told) == 1
    assert "announce the intent anew" in told[0]


@pytest.mark.parametrize("words", [
    "I object to Gus leaving us.", "I must object most strongly to what Murphy proposes.", "My objection: e is nice.",
    "I object unless Murphy asks em first."])
def test_a_member_who_seems_to_object_is_asked(words: str) -> None:
    """NC 1c, D-N36: words that fit nothing stop nothing, and aren't passed over while an intent is open."""
    world = intending()
    world.write("Bex", words, at=2)
    asked = [e.event.who for e in world.events(Asked) if isinstance(e.event, Asked)]

    assert asked == ["Bex"]
    assert world.contest.law.intents[1].objections == ()


@pytest.mark.parametrize("words", ["I don't object to the removal.", "No objection from me.", "I'd never object."])
def test_who_does_not_object_is_not_asked(words: str) -> None:
    """Talk about objecting is talk."""
    world = intending()
    world.write("Bex", words, at=2)

    assert world.events(Asked) == []


def test_a_stranger_who_wants_to_join_is_told_of_once() -> None:
    """NC 1c: nobody answers strangers, but the contestmaster hears of one who seems to join in other words."""
    world = members()
    for at in (1, 2):
        world.write("Joe", "I would like to join!", at=at)
    told = [e.event.text for e in world.events(Noted) if isinstance(e.event, Noted)]

    assert len(told) == 1
    assert "joe@players.example" in told[0]
    assert not any("Joe" in names for names in world.contest.parties.values())


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
    assert "that award 2 of session 1" in " ".join(world.to("agora").split())

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


def two_open() -> World:
    """Intent 1 is to remove Gus, intent 2 to remove Fay, intent 3 to amend the contract."""
    world = members()
    world.command("intend", 1, what="remove", who="Gus")
    world.command("intend", 1, what="remove", who="Fay")
    world.command("intend", 1, what="amend", text="one\nthree\n", base="one\ntwo\n")
    return world


def objected(world: World, who: str = "Bex") -> list[int]:
    """The intents against which an objection of *who*'s stands."""
    return [i.number for i in world.contest.law.intents.values() if who in dict(i.objections)]


@pytest.mark.slow
@each(("says", "numbers"), [
    ("I object.", [1, 2, 3]), ("I object to intent 2.", [2]), ("I object to intents 1 and 3.", [1, 3]),
    ("I object to the removal of Gus.", [1]), ("I object to Fay's removal.", [2]),
    ("I object to the amendment.", [3]), ("I object to Murphy's intent to amend the contract.", [3]),
    ("I object to removing Gus and Fay.", [1, 2]), ("I object to both removals.", []),
    ("I object to both amendments.", []),
    ("I object to all of these.", [1, 2, 3]), ("I object to Ash's intent to amend the contract.", []),
    ("I object to the removal of Hal.", []), ("I object to this intent.", []), ("I object to that.", []),
    ("I object to intent no. 2.", [2]), ("I object to no.2 and no. 3.", [2, 3]),
    ("Concerning intent no. 2: I object.", [2]),
    ("I object to number 3.", [3]), ("I object to 1, 2 and 3.", [1, 2, 3]), ("I object to no. 7.", []),
    ("I object to intents 2 and 7.", []), ("I object to intent 7.", []),
    ("I object to all future dependent actions.", []),
    ("I object to ending the session.", []), ("I object to the removal of Gus from the contract.", [1]),
])
def test_what_an_objection_is_about(says: str, numbers: list[int]) -> None:
    """A description picks what it fits; one that fits nothing, or points at one of several, picks nothing."""
    world = two_open()
    world.write("Bex", says, at=2)

    assert objected(world) == numbers
    asked = [e.event for e in world.entries if isinstance(e.event, Refused)]
    assert bool(asked) is (not numbers and "removals" not in says)


@pytest.mark.slow
def test_the_number_of_a_session_is_none_of_an_intent() -> None:
    """D-N36: "session 1" says which session, and an intent may have that number too."""
    world = members()
    world.command("start", seed="7")
    world.command("intend", 1, what="remove", who="Gus")
    world.command("intend", 1, what="end-session")
    world.write("Bex", "I object to ending session 1.", at=2)

    assert objected(world) == [2]


@pytest.mark.slow
def test_a_question_back_lists_what_is_open() -> None:
    """Who is asked which intent e means is told their numbers and what they come to."""
    world = two_open()
    world.write("Bex", "I object to the removal of Hal.", at=2)

    assert "intent 1, to remove Gus from the contract" in world.to("Bex")


@pytest.mark.slow
def test_this_intent_is_clear_where_one_is_open() -> None:
    """Pointing picks the only one."""
    world = members()
    world.command("intend", 1, what="remove", who="Gus")
    world.write("Bex", "I object to this intent.", at=2)

    assert objected(world) == [1]


@pytest.mark.slow
def test_an_objection_is_withdrawn_by_what_it_was_about() -> None:
    """One of two standing objections is named; "my objection" alone is asked about, "all" takes back both."""
    world = two_open()
    world.write("Bex", "I object to intents 1 and 3.", at=2)
    world.write("Bex", "I withdraw my objection.", at=3)
    assert objected(world) == [1, 3]
    world.write("Bex", "I withdraw my objection to the amendment.", at=4)
    assert objected(world) == [1]
    world.write("Bex", "I object to intent 3.", at=5)
    world.write("Bex", "I withdraw all my objections.", at=6)

    assert objected(world) == []
    assert len(world.events(ObjectionWithdrawn)) == 3


@pytest.mark.slow
def test_withdrawn_support_is_no_withdrawn_objection() -> None:
    """Support does nothing here, nor does taking it back."""
    world = two_open()
    world.write("Bex", "I object to intent 1.", at=2)
    world.write("Bex", "I withdraw my support for the removal of Gus.", at=3)

    assert objected(world) == [1]
    assert "still stands" in next(e.event.note for e in world.entries if isinstance(e.event, DeedDone))
