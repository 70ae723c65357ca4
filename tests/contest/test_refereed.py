"""Whole contests by mail before the program and before a referee who knows nothing of it: they agree on it all."""

from __future__ import annotations

import os

import pytest

from tests.contest.refereed import STEPS, TOGETHER, Contested
from tests.tables import each
from tests.village.test_referee import REFEREES

pytestmark = pytest.mark.slow

GAMES = max(3, int(os.environ.get("NOMICWOLF_EXAMPLES", "50")) // 15)


@each("name", sorted({**REFEREES, **TOGETHER}))
def test_a_referee_sees_the_same_contest(name: str) -> None:
    """Letters, substitutes, deadlines that are moved, leaving, acting for the silent: what happens of it."""
    for number in range(GAMES):
        contest = Contested(name, number)
        for _ in range(STEPS):
            if contest.referee.over:
                break
            contest.move()
        game = contest.contest.game
        assert (game is None or game.over) == contest.referee.over, number
