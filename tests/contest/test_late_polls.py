"""D-N9: polled at once or days later, and in whatever order its letters come in, a contest comes to the same."""

from __future__ import annotations

import os
import random

import pytest

from nomicwolf.contest import Command, LetterCame, Tick, hear
from nomicwolf.nomic.state import Contest
from nomicwolf.village.events import Entry, Killed, Removed, Voted
from tests.contest.refereed import STEPS, TOGETHER, Contested
from tests.contest.test_hearing import holder, voters
from tests.contest.world import START, World
from tests.village.test_referee import REFEREES

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
        """Let somebody leave, once: of two letters by which somebody leaves the one that is read first counts."""
        staying = [w for w in self.referee.seats if w not in self.left]
        who = self.chance.choice(staying) if staying else ""
        if who:
            self.left.add(who)
            super().leaves(at, who)

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


@pytest.mark.parametrize("name", sorted({**REFEREES, **TOGETHER}))
def test_all_letters_polled_at_once_in_any_order_come_to_the_same(name: str) -> None:
    """Deaths, trials, lots, winners, and every choice, to the second."""
    for number in range(GAMES):
        match = Remembered(name, number)
        for _ in range(STEPS):
            if match.referee.over:
                break
            match.move()
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
    whom = holder(world, "villager")
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
