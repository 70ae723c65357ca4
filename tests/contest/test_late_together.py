"""D-A8: ballots that come in late, several at once, while the vote is open, come to what they would have in time."""

from __future__ import annotations

import os
from dataclasses import replace
from random import Random

import pytest

from nomicwolf.contest import LetterCame, Tick, hear
from nomicwolf.letters.letter import Letter
from nomicwolf.nomic.state import Contest
from nomicwolf.village.events import Acquitted, Ended, Lynched, Nominated, PhaseBegan, StageBegan, Tried, Voted
from tests.contest.test_late_polls import Remembered
from tests.contest.world import HOUR, START, World, setup
from tests.tables import each

pytestmark = pytest.mark.slow

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


@pytest.mark.parametrize("name", ["gadianton", "narrated-mafia", "nomic-crossing", "tabula"])
def test_late_ballots_come_to_what_they_had_in_time(name: str) -> None:
    """Whichever is read first: lynchings and trials to the second, and every vote."""
    assert sum(late_at_random(name, number) for number in range(3 * GAMES))


def with_a_leaving(departure: str, who: str, whom: str) -> World:
    """Let Ash, Bex and Dov vote for the werewolf Cam, Ash no longer; then read Eli's late vote, Fay's leaving, *who*'s.

    Eli's, of five o'clock, is the fourth; Fay left at six, *who* voted for *whom* at seven, and it is nine o'clock.
    """
    world = World(setup(switches={"departure": departure})).start(roles="")
    assert world.contest.game is not None
    assert world.contest.game.living("werewolf") == ("Cam",)
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


@pytest.mark.parametrize("departure", ["stay", "kill"])
@each(("who", "whom"), [("Fay", "Ash"), ("Gus", "Fay"), ("Gus", "Ash")])
def test_what_a_late_vote_brings_about_comes_though_somebody_left_after_it(departure: str, who: str, whom: str) -> None:
    """D-A8, D-N11: at its minute, also where the next late vote can't be cast any more since its author has left."""
    world = with_a_leaving(departure, who, whom)

    assert [(e.at, e.event) for e in world.events(Lynched)] == [(START + 5 * HOUR, Lynched("Cam"))]
