"""Whatever a nomic's stamps are worth, and however long letters are waited for, a contest comes to the same."""

from __future__ import annotations

import os
from dataclasses import replace
from random import Random
from typing import Literal

import pytest

from nomicwolf.contest import LetterCame, Tick, hear
from nomicwolf.letters.letter import Letter
from nomicwolf.nomic.state import Contest
from tests.contest.refereed import TOGETHER
from tests.contest.test_late_polls import Remembered, told_of
from tests.tables import each
from tests.village.test_referee import REFEREES

pytestmark = pytest.mark.slow

GAMES = max(2, int(os.environ.get("NOMICWOLF_EXAMPLES", "50")) // 25)
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
