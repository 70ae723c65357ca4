"""D-N9: polled at once or days later, and in whatever order its letters come in, a contest comes to the same."""

from __future__ import annotations

import os
import random
from dataclasses import replace
from random import Random
from typing import Literal

import pytest

from nomicwolf.contest import Command, LetterCame, Tick, hear
from nomicwolf.letters.letter import Letter
from nomicwolf.nomic.state import Contest
from nomicwolf.village.ballots import Ballot, Before, Fixed, For, If
from nomicwolf.village.events import Entry, Killed, PhaseBegan, Removed, Voted
from tests.contest.refereed import STEPS, TOGETHER, Contested
from tests.contest.test_hearing import voters
from tests.contest.world import AGORA, START, B, World
from tests.tables import each
from tests.village.test_referee import REFEREES

pytestmark = pytest.mark.slow

GAMES = max(2, int(os.environ.get("NOMICWOLF_EXAMPLES", "50")) // 25)


class Remembered(Contested):
    """A random contest of letters alone, each a second at least after the one before, that are remembered."""

    gap = 1

    def __init__(self, name: str, number: int) -> None:
        self.came: list[LetterCame] = []
        self.left: set[str] = set()
        super().__init__(name, number)
        self.before = self.contest

    def heard(self, happening: LetterCame | Command | None, at: int) -> bool:
        """Let the program hear it, and remember letters."""
        if isinstance(happening, LetterCame):
            self.came.append(happening)
        return super().heard(happening, at)

    def leaves(self, at: int, who: str = "") -> None:
        """Let somebody leave; who has left may say so again, by which nothing happens."""
        who = self.chance.choice(self.referee.seats)
        if who in self.left:
            for forum in (AGORA, B):
                self.write(at, who, "I leave this contract.\n\nI said so.", forum)
        else:
            self.left.add(who)
            super().leaves(at, who)

    def ballot(self, who: str) -> Ballot:
        """Return a ballot that may be conditional on what has been so since some hours into the day."""
        ballot = super().ballot(who)
        if self.chance.random() < 0.8:
            return ballot
        branches = (ballot, self.branch()) if self.chance.random() < 0.5 else (self.branch(), ballot)
        return If(Fixed(branches[0] is ballot), *branches)

    def write(self, at: int, who: str, text: str, to: str = AGORA, *, private: bool = False) -> bool:
        """Let *who* write *text*, which says of hours into the day what is fixed for the referee."""
        game = self.contest.running
        began = game.began if game is not None else at
        hours = f"{self.chance.randint(0, (at - began) // 3600)} hours into the day"
        text = text.replace("it was so when cast", f"it is after {hours}")
        return super().write(at, who, text.replace("it was not so when cast", f"it is before {hours}"), to,
                             private=private)

    def play(self) -> None:
        """Make so many moves, or until the session is over."""
        for _ in range(STEPS):
            if self.referee.over:
                break
            self.move()

    def order_substitute(self, at: int) -> None:
        """Let somebody write in place of an order, which is done when it is given."""
        self.deeds(at)

    def order_extend(self, at: int) -> None:
        """Let somebody write in place of an order."""
        self.deeds(at)

    def order_undo(self, at: int) -> None:
        """Let somebody write in place of an order."""
        self.deeds(at)

    def order_act_for(self, at: int) -> None:
        """Let somebody write in place of an order."""
        self.deeds(at)


def told_of(contest: Contest) -> list[tuple[int, str]]:
    """What has happened in the session, and when; without the numbers of entries, and the ballots' letters."""
    entries: list[Entry] = list(contest.game.entries) if contest.game else []
    return sorted((e.at, f"{e.event.who}: {e.event.ballot}" if isinstance(e.event, Voted) else repr(e.event))
                  for e in entries)


class Seconding(Remembered):
    """Where it is clear whom somebody seconds, e doesn't say it."""

    def write(self, at: int, who: str, text: str, to: str = AGORA, *, private: bool = False) -> bool:
        """Let *who* write *text*, or *I second that*."""
        game = self.contest.running
        if game is not None and text.startswith("second "):
            duties = [duty for duty in self.rules.duties(game, who) if duty.verb == "second"]
            if any({*self.rules.options(game, who, duty)} - {who} == {text.split()[1]} for duty in duties):
                self.clear += 1
                text = "I second that."
        return super().write(at, who, text, to, private=private)

    clear = 0


def test_who_seconds_that_in_a_late_poll_seconds_what_was_open_then() -> None:
    """D-G19: not what any letter of the poll accuses of."""
    clear = 0
    for number in range(GAMES):
        match = Seconding("gadianton", number)
        match.play()
        last = match.contest.clock + 1
        prompt, late = hear(match.contest, Tick(), last).contest, match.before
        for letter in match.came:
            late = hear(late, letter, last).contest
        late = hear(late, Tick(), last).contest
        clear += match.clear

        assert told_of(late) == told_of(prompt), number
    assert clear


@each("name", sorted({**REFEREES, **TOGETHER}))
def test_all_letters_polled_at_once_in_any_order_come_to_the_same(name: str) -> None:
    """Deaths, trials, lots, winners, and every choice, to the second."""
    for number in range(GAMES):
        match = Remembered(name, number)
        match.play()
        last = match.contest.clock + 1
        prompt = hear(match.contest, Tick(), last).contest
        came, late = match.came.copy(), match.before
        random.Random(f"{name} {number}").shuffle(came)
        for letter in came:
            late = hear(late, letter, last).contest
        late = hear(late, Tick(), last).contest

        assert told_of(late) == told_of(prompt), number


def test_who_leaves_by_a_letter_that_is_read_first_leaves_in_its_place() -> None:
    """NC 1c, D-A4: a vote that was posted before counts, though the mailbox has it behind; e is out of both at last."""
    world = World().start()
    whom = world.holder("villager")
    one, two, three, four, *_ = voters(world, whom)
    world.write(four, "I join this contract.", "b")
    letters = [world.letter(four, "I leave this contract.", "b", 6),
               world.letter(four, "I leave this contract.", "agora", 5),
               *(world.letter(who, f"I vote for {whom}.", at=at) for at, who in enumerate((one, two, three, four), 1))]
    for letter in letters:
        world.contest = hear(world.contest, LetterCame(letter), START + 36_000).contest
    world.tick(10)

    assert [e.at for e in world.events(Killed)] == [START + 4 * 3600]
    assert [e.at for e in world.events(Removed)] == [START + 6 * 3600]


def test_of_two_letters_by_which_somebody_leaves_the_earlier_counts() -> None:
    """NC 1c, D-N9: in whichever order they are read; where e has left in both nomics by then."""
    world = World().start()
    world.write("Ash", "I join this contract.", "b")
    letters = [world.letter("Ash", "I leave this contract.", "agora", 6),
               world.letter("Ash", "I leave this contract.", "b", 4),
               world.letter("Ash", "I leave this contract.\n\nI said so.", "b", 7),
               world.letter("Ash", "I leave this contract.\n\nGood luck.", "agora", 3)]
    for letter in letters:
        world.contest = hear(world.contest, LetterCame(letter), START + 36_000).contest
    world.tick(10)

    assert [e.at for e in world.events(Removed)] == [START + 4 * 3600]


def test_hours_into_the_day_are_those_of_the_day_of_the_vote_though_it_is_read_by_another() -> None:
    """NC 3 conditional, D-N9: of the second day, that begins in the poll in which its vote comes."""
    world = World().start(roles="")
    wolves, town = world.game.living("werewolf"), world.game.living("villager")
    voters = [*wolves, *town[2:]]
    letters = [*(world.letter(who, f"I vote for {town[0]}.", at=1) for who in voters[:4]),
               *(world.letter(wolf, f"attack {town[1]}", "contestmaster", 5) for wolf in wolves),
               world.letter(town[2], f"I vote for {town[3]} if it is before 24 hours into the day.", at=60)]
    for letter in letters:
        world.contest = hear(world.contest, LetterCame(letter), START + 70 * 3600).contest
    world.tick(70)

    began = [e.at for e in world.events(PhaseBegan) if e.event == PhaseBegan("day", 2)]
    ballots = [e.event.ballot for e in world.events(Voted) if isinstance(e.event, Voted)]
    assert ballots[4:] == [If(Before(began[0] + 86_400), For(town[3]))]


STAMPS: tuple[tuple[Literal["forum", "clamped", "date"], int, int], ...] = (
    ("forum", 600, 0), ("clamped", 1800, 540), ("date", 3600, 3000))
"""What dates a letter, how long it is waited for, and by how much at most lists are late (seconds)."""


def under(contest: Contest, instant: Literal["forum", "clamped", "date"], settling: int) -> Contest:
    """Return *contest* with other settings."""
    forums = tuple(replace(forum, instant=instant) for forum in contest.setup.forums)
    return Contest.of(replace(contest.setup, settling=settling, forums=forums), contest.entries)


def delayed(letter: Letter, by: int) -> Letter:
    """Return *letter* as it comes when its list sends it on so many seconds after it was sent."""
    if not letter.stamps:
        return letter
    return replace(letter, arrived=letter.arrived + by, stamps=tuple((nomic, at + by) for nomic, at in letter.stamps))


@each("name", sorted({**REFEREES, **TOGETHER}))
def test_a_contest_comes_to_the_same_by_whatever_stamp(name: str) -> None:
    """D-N9, D-V10: polled with each letter, and settled only when none can overtake it."""
    for number in range(GAMES):
        match, chance = Remembered(name, number), Random(f"{name} {number}")
        match.play()
        last = match.contest.clock + 1
        prompt = hear(match.contest, Tick(), last).contest
        for instant, settling, late in STAMPS:
            came = [delayed(heard.letter, chance.randint(0, late)) for heard in match.came]
            waiting = under(match.before, instant, settling)
            for letter in sorted(came, key=lambda letter: letter.arrived):
                waiting = hear(waiting, LetterCame(letter), letter.arrived).contest
                waiting = hear(waiting, Tick(), letter.arrived).contest
            waiting = hear(waiting, Tick(), last + settling).contest

            assert told_of(waiting) == told_of(prompt), (number, instant)
