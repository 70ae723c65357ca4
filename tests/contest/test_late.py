"""What comes in late for something that is closed: held or refused, and what the contestmaster is told (D-A8)."""

from __future__ import annotations

import os
from dataclasses import replace
from random import Random

import pytest

from nomicwolf.contest import LetterCame, Tick, hear
from nomicwolf.contest.sessions import Position, people, stand
from nomicwolf.letters.letter import Letter
from nomicwolf.nomic.events import LetterHeld, Noted, Refused
from nomicwolf.nomic.law_events import IntentBlocked, IntentEffective, Objected, ObjectionWithdrawn
from nomicwolf.nomic.state import Contest
from nomicwolf.village.events import Acquitted, Ended, Lynched, Nominated, PhaseBegan, StageBegan, Tried, Voted
from nomicwolf.village.rulesets import BUILT_IN
from tests.contest.test_hearing import voters
from tests.contest.test_late_polls import Remembered
from tests.contest.test_law import intending
from tests.contest.world import HOUR, SEVEN, START, World, setup
from tests.tables import each


def trials(ruleset: str, stage: str = "discussion", settling: int = 0, **roles: str) -> World:
    """Return a session of *ruleset* on its first day, of these *roles* and as many plain ones N1, N2, ..."""
    plain = BUILT_IN[ruleset].plain
    cast = {**roles, **{f"N{number}": plain for number in range(1, 7)}}
    world = World(replace(setup(settling), ruleset=ruleset))
    known = people(world.contest, {who: (f"{who.lower()}@players.example",) for who in cast}, {"agora": 50}, START)
    world.contest = stand(known, Position(tuple(cast.items()), START, "day", 1, stage, seed="seed"))
    return world


def ended() -> tuple[World, tuple[str, ...]]:
    """A session that the villagers have won by lynching the werewolf at the hour 11, and its voters in their order."""
    world = World().start()
    wolf = world.holder("werewolf")
    four = tuple(voters(world, wolf))
    for i, who in enumerate(four):
        world.write(who, f"I vote for {wolf}.", at=8 + i)
    assert len(world.events(Ended)) == 1
    return world, four


def lynched() -> tuple[World, str, str]:
    """A villager has been lynched by four; the world, em, and one who hasn't voted."""
    world = World().start()
    whom = world.holder("villager")
    four = voters(world, whom)
    for i, who in enumerate(four):
        world.write(who, f"I vote for {whom}.", at=8 + i)
    return world, whom, next(who for who in SEVEN if who not in (*four, whom))


def test_a_late_retraction_after_the_end_is_held_and_released_by_nobody() -> None:
    """D-A8: the awards stand, and the contestmaster reads what can be done about them."""
    world, four = ended()

    world.write(four[0], "I retract my vote.", at=10.5, arrives=20)

    (held,) = world.events(LetterHeld)
    assert held.event.other == "With it, nobody would have been lynched then."  # type: ignore[attr-defined]
    refused = world.command("release", 21, number=str(next(iter(world.contest.held))))
    assert refused.status == 1
    assert "`correct` an award" in refused.said


def test_what_was_posted_after_the_end_is_only_refused() -> None:
    """NC 5: no vote was open at that instant, however late the letter is."""
    world, four = ended()

    world.write(four[0], "I retract my vote.", at=12, arrives=20)

    assert world.events(LetterHeld) == []
    assert "session is over" in world.events(Refused)[-1].event.why  # type: ignore[attr-defined]


def test_what_would_have_been_refused_in_time_is_not_held() -> None:
    """NC 3: a verdict is no vote here, late or not."""
    world, four = ended()

    world.write(four[0], "guilty", at=10.5, arrives=20)

    assert world.events(LetterHeld) == []
    assert "guilty is no townsperson" in " ".join(world.to(four[0]).split())


def test_a_late_vote_between_two_sessions_is_not_of_the_second() -> None:
    """D-A8: what was stamped before a session began is held, by its author's session before."""
    world, four = ended()
    assert world.command("start", 13, limit="agora=35").status == 0

    world.write(four[0], "I retract my vote.", at=10.5, arrives=20)

    assert len(world.events(LetterHeld)) == 1
    assert "session had ended" in " ".join(world.to(four[0]).split())


def test_a_late_vote_that_lynches_the_same_earlier_is_held_with_its_minute() -> None:
    """D-A8: the announced minute stands; the contestmaster reads the other."""
    world, whom, fifth = lynched()

    world.write(fifth, f"I vote for {whom}.", at=9.5, arrives=20)

    (held,) = world.events(LetterHeld)
    assert "10:00 UTC" in held.event.other  # type: ignore[attr-defined]
    assert len(world.events(Lynched)) == 1
    assert fifth not in {e.event.who for e in world.events(Voted)}  # type: ignore[attr-defined]


def test_two_late_votes_of_one_letter_are_weighed_together() -> None:
    """D-A8: though the later of them takes the first back, that one would have lynched at its minute."""
    world, whom, fifth = lynched()

    world.write(fifth, f"I vote for {whom}.\n\nI retract my vote.", at=10.5, arrives=20)

    (held,) = world.events(LetterHeld)
    assert "lynched at Tue 1 Dec 2026 10:30 UTC" in held.event.other  # type: ignore[attr-defined]
    assert world.to(fifth).count("Not done") == 2


def test_two_late_deeds_of_one_letter_that_are_no_votes_are_both_told() -> None:
    """D-A8, GA 5b: each by its own words."""
    world = trials("gadianton", G1="gadianton", G2="gadianton", P1="prophet")
    world.tick(73)
    assert world.game.phase == "night"

    world.write("N1", "I accuse G1.\n\nI accuse G2.", at=50, arrives=74)

    held = [e.event.other for e in world.events(LetterHeld)]  # type: ignore[attr-defined]
    assert held[-1] == 'By its stamp "accuse G1" was in time. By its stamp "accuse G2" was in time.'


def test_what_a_late_vote_would_have_come_to_is_said_though_somebody_was_lynched_on_an_earlier_day() -> None:
    """D-A8, LT 5b: the nominees of the second day."""
    world = trials("tabula", stage="nominations", W1="werewolf", W2="werewolf", S1="seer")
    for who in ("W1", "N1", "N2"):
        world.write(who, "I vote for N6.", at=1)
    world.tick(121)
    assert (len(world.events(Lynched)), world.game.place) == (1, "day 2")
    world.write("N3", "I vote for W1.", at=122)
    world.tick(169)

    world.write("N4", "I vote for W2.", at=123, arrives=169)

    (held,) = world.events(LetterHeld)
    assert held.event.other == "With it, W1 and W2 would have been nominated."  # type: ignore[attr-defined]


def test_of_late_votes_that_are_weighed_together_is_told_once_what_they_changed() -> None:
    """D-A8: theirs alone, though what was posted in time was read with them."""
    world = World().start(roles="")
    world.write("Ash", "I vote for Gus.", at=5)
    late = [world.letter(who, f"I vote for {whom}.", at=at, arrives=9)
            for who, whom, at in (("Bex", "Cam", 2), ("Cam", "Dov", 3), ("Dov", "Eli", 8.5))]
    for letter in late:
        world.contest = hear(world.contest, LetterCame(letter), letter.arrived).contest
    world.tick(9)

    told = world.to("agora")
    assert told.count("What changed:") == 1
    table = told.partition("What changed:\n")[2].partition("\n\n")[0]
    assert [" ".join(line.split()) for line in table.splitlines()] == ["Bex nobody -> Cam", "Cam nobody -> Dov"]


@pytest.mark.parametrize("first", ["asked", "refused"])
def test_a_copy_that_was_in_time_is_held_though_the_other_forums_copy_was_too_late(first: str) -> None:
    """D-A8, D-N9: what comes to two forums counts by its earliest stamp; once it is held a third copy is none."""
    world, whom, fifth = lynched()
    words = f"I vote for {whom}." if first == "asked" else "I retract my vote."

    outcome = [world.write(fifth, words, forum, at, arrives=arrives, message_id="<both@players.example>").bucket
               for forum, at, arrives in (("b", 12, 12), ("b", 11.5, 12.5), ("agora", 9.5, 13), ("b", 9.4, 14))]

    assert outcome == ["deeds" if first == "refused" else "no-deed", "duplicate", "deeds", "duplicate"]
    other = [e.event.other for e in world.events(LetterHeld)]  # type: ignore[attr-defined]
    assert other == [f"With it, {whom} would have been lynched at Tue 1 Dec 2026 {hour} UTC."
                     for hour in (["10:00"] if first == "asked" else ["11:00"])]


def test_a_copy_of_what_was_done_is_not_held() -> None:
    """D-A8: it moves nothing, be it of before a lynching that has come since."""
    world = World().start()
    whom = world.holder("villager")
    one, *others = voters(world, whom)
    world.write(one, f"I vote for {whom}.", at=8, message_id="<both@players.example>")
    for who in others:
        world.write(who, f"I vote for {whom}.", at=9)

    assert world.write(one, f"I vote for {whom}.", "b", 7, arrives=20, message_id="<both@players.example>").bucket == (
        "duplicate")
    assert (world.events(LetterHeld), len(world.events(Voted))) == ([], 4)


def test_of_two_late_ballots_in_one_letter_the_reason_is_told_once() -> None:
    """Both are quoted under it; what is refused for another reason is told by itself."""
    world, whom, fifth = lynched()
    world.write(fifth, f"I vote for {whom}.\nI vote for nobody.\nI vote for Hal.", at=9.5, arrives=13)
    told = world.to(fifth)

    assert told.count("Your letter reached us after its day had ended") == 1
    assert f"You wrote:\n> I vote for {whom}.\n> I vote for nobody." in told
    assert told.count("I vote for Hal.") == 1


@pytest.mark.parametrize("around", ["{}", "{}\n\n_____\nspoon-business mailing list", "[spoon-business]\n\n{}"])
def test_a_list_may_have_put_lines_around_the_copy_that_was_in_time(around: str) -> None:
    """D-A8: it is known for a copy by what it says, and is held like one of the very same words."""
    world, whom, fifth = lynched()
    copies = [(around, "b", 12, 12), ("{}", "agora", 9.5, 13), (around, "b", 9.4, 14), ("{}", "agora", 9.4, 15)]
    outcome = [world.write(fifth, text.format("I retract my vote."), forum, at, arrives=arrives,
                           message_id="<both@players.example>").bucket for text, forum, at, arrives in copies]

    assert outcome == ["deeds", "deeds", "duplicate", "duplicate"]
    (held,) = world.events(LetterHeld)
    assert held.event.other == (  # type: ignore[attr-defined]
        f"With it, {whom} would have been lynched at Tue 1 Dec 2026 11:00 UTC.")


@pytest.mark.parametrize(("ruleset", "stage", "hours"), [
    ("narrated-mafia", "ballot", 48), ("gadianton", "defence", 24)])
def test_what_a_late_second_opens_lasts_longer_by_as_much_as_it_was_late(ruleset: str, stage: str, hours: int) -> None:
    """D-A8: nobody knew of it, so nobody could answer; one that is as late as others with it may be is not late."""
    for settling, arrives, until in ((0, 60, 60 + hours), (3600, 3, 2 + hours)):
        world = trials(ruleset, settling=settling, N7="mafioso" if ruleset == "narrated-mafia" else "gadianton")
        world.write("N1", "I accuse N7.", at=1)
        world.write("N2", "I second N7.", at=2, arrives=arrives)
        world.tick(arrives + 2)
        assert (world.game.stage, world.game.deadline) == (stage, START + until * HOUR)


@pytest.mark.parametrize(("ruleset", "hours"), [("narrated-mafia", 48), ("gadianton", 24)])
@each(("posted", "arrives", "unknown"), [
    (10, 90, 91), (10, 40, 91), (10, 10, 91), (2, 90, 99), (2, 5, 3 + 95)])
def test_an_outage_makes_good_what_a_late_second_has_not(
    ruleset: str, hours: int, posted: int, arrives: int, unknown: int,
) -> None:
    """D-A8, D-N39: nobody polls from the hour 6 to 100; a lateness and an outage that overlap count once."""
    world = trials(ruleset, N7="mafioso" if ruleset == "narrated-mafia" else "gadianton")
    world.write("N1", "I accuse N7.", at=1)
    if arrives < 6:
        world.write("N2", "I second N7.", at=posted, arrives=arrives)
    world.contest = hear(world.contest, Tick(since=START + 6 * HOUR), START + 100 * HOUR).contest
    if arrives > 6:
        letter = world.letter("N2", "I second N7.", at=posted, arrives=arrives)
        world.contest = hear(world.contest, LetterCame(letter), START + 100 * HOUR).contest
        world.contest = hear(world.contest, Tick(), START + 100 * HOUR).contest
    assert world.command("resume", 101).status == 0

    assert world.game.deadline == START + (posted + hours + unknown) * HOUR


def test_an_objection_that_comes_after_half_of_it_stops_the_other_half() -> None:
    """D-A8, D-N34: what has happened in B stays, and the contestmaster is told; in Agora it is stopped."""
    world = intending()
    world.tick(4 * 24)
    assert [e.event.nomic for e in world.events(IntentEffective)] == ["b"]  # type: ignore[attr-defined]

    world.write("Bex", "I object.", at=30, arrives=4 * 24 + 1)

    assert len(world.events(Objected)) == 1
    assert world.events(LetterHeld) == world.events(IntentBlocked) == []
    noted = [e.event for e in world.events(Noted)]
    assert any("which has happened in B" in note.text for note in noted)  # type: ignore[attr-defined]


def test_the_contestmaster_is_told_of_a_withdrawal_that_came_after_the_objection_had_stopped_something() -> None:
    """D-A8, D-N34: in B it stays stopped, and in Agora the objection is withdrawn; another's makes it idle."""
    told = ("Bex withdrew eir objection at Wed 2 Dec 2026 11:00 UTC. Without the objection intent 1, to remove Gus "
            "from the contract, would have happened in B Nomic at Fri 4 Dec 2026 00:00 UTC.")
    for others, notes in (((), [told]), (("Cam",), [])):
        world = intending()
        for who in ("Bex", *others):
            world.write(who, "I object.", at=30)
        world.tick(3 * 24)
        assert len(world.events(IntentBlocked)) == 1

        world.write("Bex", "I withdraw my objection.", at=35, arrives=80)

        assert [e.event.text for e in world.events(Noted)] == notes  # type: ignore[attr-defined]
        assert len(world.events(ObjectionWithdrawn)) == 1
        assert world.events(LetterHeld) == []


def test_a_withdrawal_is_held_once_nothing_is_open_of_what_its_objection_stopped() -> None:
    """D-A8, D-N34: its author is told that the contestmaster rules on it."""
    world = World(replace(setup(), forums=setup().forums[1:]))
    for who in ("Ash", "Bex"):
        world.write(who, "I join.", "b")
    assert world.command("intend", 1, what="remove", who="Ash").status == 0
    world.write("Bex", "I object.", "b", at=30)
    world.tick(3 * 24)

    world.write("Bex", "I withdraw my objection.", "b", at=35, arrives=80)

    (held,) = world.events(LetterHeld)
    assert held.event.why == "came in after what it takes back had stopped something"  # type: ignore[attr-defined]
    assert held.event.other == (  # type: ignore[attr-defined]
        "Without the objection intent 1, to remove Ash from the contract, would have happened in B Nomic at Fri 4 "
        "Dec 2026 00:00 UTC.")
    assert "the contestmaster will rule on it" in " ".join(world.to("Bex").split())


GAMES = max(3, int(os.environ.get("NOMICWOLF_EXAMPLES", "50")) // 15)
TRIES = 12
CLOSING = (PhaseBegan, StageBegan, Lynched, Acquitted, Ended)


def heard(contest: Contest, letter: Letter) -> Contest:
    """Return *contest* once *letter* has been heard and what is due has been done."""
    contest = hear(contest, LetterCame(letter), letter.arrived).contest
    return hear(contest, Tick(), letter.arrived).contest


def decided(contest: Contest) -> list[tuple[int, str]]:
    """Return who was lynched, tried and nominated, and when."""
    entries = contest.game.entries if contest.game else []
    return sorted((e.at, repr(e.event)) for e in entries if isinstance(e.event, (Lynched, Tried, Nominated)))


def votes(contest: Contest) -> int:
    """Return how many ballots have been cast."""
    return len(contest.game.lines(Voted)) if contest.game else 0


def counted(contest: Contest) -> dict[str, str] | None:
    """Return who votes for whom now; None once somebody has been lynched."""
    game = contest.game
    if game is None or game.phase != "day" or game.now(Lynched):
        return None
    return {who: whom for who, whom in game.table.items() if whom}


def closed(contest: Contest, since: int, *kinds: type[object]) -> bool:
    """Return whether a vote has been closed since the instant *since*."""
    return any(isinstance(e.event, kinds) and e.at >= since for e in (contest.game.entries if contest.game else ()))


def late_at_random(name: str, number: int) -> int:
    """Play a contest and let some of its ballots be late, which are compared; return how often.

    Where votes come in turn there are none: one that is late is held (D-T22).
    """
    match, chance = Remembered(name, number), Random(number)
    game = match.contest.game
    if game is None or game.switches.get("ballot_order") == "sequential":
        return 0
    match.play()
    letters, states, ballots = [came.letter for came in match.came], [match.before], set[int]()
    for place, letter in enumerate(letters):
        before = hear(states[-1], Tick(), letter.arrived).contest
        states.append(heard(before, letter))
        if letter.stamps and votes(states[-1]) > votes(before):
            ballots.add(place)
    tried = 0
    for _ in range(TRIES):
        first = chance.randrange(len(letters))
        last = min(first + chance.randint(1, 6), len(letters) - 1)
        late = [place for place in range(first, last + 1) if place in ballots and chance.random() < 0.6]
        now, contest = letters[last].arrived + 30, states[first]
        for place in range(first, last + 1):
            contest = contest if place in late else heard(contest, letters[place])
        contest = hear(contest, Tick(), now).contest
        prompt = hear(states[last + 1], Tick(), now).contest
        since = letters[late[0]].arrived if late else 0
        if not late or closed(contest, since, *CLOSING) or closed(prompt, since, Acquitted):
            continue
        for place in chance.sample(late, len(late)):
            contest = hear(contest, LetterCame(replace(letters[place], arrived=now)), now).contest
        contest = hear(contest, Tick(), now).contest

        assert decided(contest) == decided(prompt), (number, late)
        assert counted(contest) == counted(prompt), (number, late)
        tried += 1
    return tried


@pytest.mark.slow
@pytest.mark.parametrize("name", ["gadianton", "narrated-mafia", "nomic-crossing", "tabula"])
def test_late_ballots_come_to_what_they_had_in_time(name: str) -> None:
    """Whichever is read first: lynchings and trials to the second, and every vote."""
    assert sum(late_at_random(name, number) for number in range(3 * GAMES))


def with_a_leaving(departure: str, who: str, whom: str) -> World:
    """Let Ash, Bex and Dov vote for the werewolf Cam, Ash no longer; then read Eli's late vote, Fay's leaving, *who*'s.

    Eli's, of five o'clock, is the fourth; Fay left at six, *who* voted for *whom* at seven, and it is nine o'clock.
    """
    world = World(setup(switches={"departure": departure})).start(roles="")
    assert world.game.living("werewolf") == ("Cam",)
    for hour, voter in enumerate(("Ash", "Bex", "Dov"), 1):
        world.write(voter, "I vote for Cam.", at=hour)
    world.write("Ash", "I vote for nobody.", at=8)
    late = [world.letter("Eli", "I vote for Cam.", at=5, arrives=9),
            world.letter("Fay", "I leave this contract.", at=6, arrives=9),
            world.letter(who, f"I vote for {whom}.", at=7, arrives=9)]
    for letter in late:
        world.contest = hear(world.contest, LetterCame(letter), letter.arrived).contest
    world.tick(9)
    return world


@pytest.mark.slow
@pytest.mark.parametrize("departure", ["stay", "kill"])
@each(("who", "whom"), [("Fay", "Ash"), ("Gus", "Fay"), ("Gus", "Ash")])
def test_what_a_late_vote_brings_about_comes_though_somebody_left_after_it(departure: str, who: str, whom: str) -> None:
    """D-A8, D-N11: at its minute, also where the next late vote can't be cast any more since its author has left."""
    world = with_a_leaving(departure, who, whom)

    assert [(e.at, e.event) for e in world.events(Lynched)] == [(START + 5 * HOUR, Lynched("Cam"))]
