"""Erased from a server's database, and stopped at statements and commits: a person, and letters that are too old."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

import pytest
from sqlalchemy import make_url

from nomicwolf.run.personal_data import erase
from tests.post.scripted import SmtpScript, smtp_server
from tests.run.steps import Died, Fuse, burning, sample
from tests.run.test_erasing import HOUR, LATE, OWN, contest_of, dumped, files_of, lived, traces_in
from tests.run.test_keeping import keeping, old_letter
from tests.run.test_matrix_postgres import Case
from tests.run.world import World, copied
from tests.servers.postgres import Postgres

FULL = int(os.environ.get("NOMICWOLF_EXAMPLES", "50")) > 50
pytestmark = [
    pytest.mark.slow, pytest.mark.usefixtures("swept"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


Story: TypeAlias = Callable[[World], World]


@pytest.fixture
def case(template: World, postgres: Postgres, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Case]:
    """What a story (the parameter) makes of a contest, in a database that each trial gets a copy of."""
    story: Story = request.param
    base = postgres.ledger()
    with smtp_server(script := SmtpScript()) as port:
        world = story(copied(template, tmp_path / "contest", port, script, base))
        yield (found := Case(world.folder, str(make_url(base).database), postgres, script, port))
        found.clear()
    postgres.drop(base)


def stopped(case: Case, act: Callable[[World], object], folder: Path) -> Iterator[tuple[int, World]]:
    """Yield the contest after a crash at each step of *act* that is tried, and the poll that follows it."""
    with burning(Fuse()) as counted:
        act(case.stand(folder / "whole"))
    steps = len(counted.passed)
    assert "commit" in counted.passed
    every = range(1, steps + 1)
    places = every if FULL else sorted({*sample(folder.name).sample(every, 8), steps - 1, steps})
    for place in places:
        world = case.stand(folder / f"at-{place}")
        with suppress(Died), burning(Fuse(place)):
            act(world)
        with world.store() as store:
            assert store.verify() == [], place
        assert world.poll(LATE + HOUR, clock_is_right=True).status in (0, 75), place
        with world.store() as store:
            assert store.verify() == [], place
        yield place, world
        shutil.rmtree(world.folder)


@pytest.mark.parametrize("case", [lived], indirect=True)
def test_a_crash_at_any_step_of_erasing(case: Case, tmp_path: Path) -> None:
    """Whoever is erased has gone from each table and file once the next poll is over; else all is as it was."""
    outcomes = set()
    for place, world in stopped(case, lambda world: erase(world.settings, "Gus", lambda: LATE), tmp_path):
        gone = "Anon1" in contest_of(world).persons
        outcomes.add(gone)
        found = traces_in(dumped(world)) + [str(file) for file in files_of(world) if traces_in(file.read_bytes())]
        assert bool(found) != gone, (place, found)
    assert True in outcomes


@pytest.mark.parametrize("case", [old_letter], indirect=True)
def test_a_crash_at_any_step_of_forgetting(case: Case, tmp_path: Path) -> None:
    """The next poll leaves no word of a letter whose time is over in any table."""
    assert OWN.encode() in dumped(case.stand(tmp_path / "before"))
    for place, world in stopped(
            case, lambda world: keeping(world, 'letters = "20d"').poll(LATE, clock_is_right=True), tmp_path):
        assert OWN.encode() not in dumped(world), place
