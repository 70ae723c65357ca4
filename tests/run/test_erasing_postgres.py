"""A person erased from a server's database, stopped at its statements and commits: then it is not begun, or ended."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import make_url

from nomicwolf.run.personal_data import erase
from tests.post.scripted import SmtpScript, smtp_server
from tests.run.steps import Died, Fuse, burning, sample
from tests.run.test_erasing import HOUR, LATE, contest_of, dumped, files_of, lived, traces_in
from tests.run.test_matrix_postgres import Case
from tests.run.world import World, copied
from tests.servers.postgres import Postgres

FULL = int(os.environ.get("NOMICWOLF_EXAMPLES", "50")) > 50
pytestmark = [
    pytest.mark.slow, pytest.mark.usefixtures("swept"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture
def case(template: World, postgres: Postgres, tmp_path: Path) -> Iterator[Case]:
    """A contest that Gus has left, in a database that each trial gets a copy of."""
    base = postgres.ledger()
    with smtp_server(script := SmtpScript()) as port:
        world = lived(copied(template, tmp_path / "contest", port, script, base))
        yield (found := Case(world.folder, str(make_url(base).database), postgres, script, port))
        found.clear()
    postgres.drop(base)


def test_a_crash_at_any_step(case: Case, tmp_path: Path) -> None:
    """Whoever is erased has gone from each table and file once the next poll is over; else all is as it was."""
    with burning(Fuse()) as counted:
        erase(case.stand(tmp_path / "whole").settings, "Gus", lambda: LATE)
    steps = len(counted.passed)
    assert "commit" in counted.passed
    every = range(1, steps + 1)
    places = every if FULL else sorted({*sample("erasing from PostgreSQL").sample(every, 8), steps - 1, steps})
    outcomes = set()
    for place in places:
        world = case.stand(tmp_path / f"at-{place}")
        try:
            with burning(Fuse(place)):
                erase(world.settings, "Gus", lambda: LATE)
        except Died:
            pass
        assert world.poll(LATE + HOUR, clock_is_right=True).status in (0, 75), place
        with world.store() as store:
            assert store.verify() == [], place
        gone = "Anon1" in contest_of(world).persons
        outcomes.add(gone)
        found = traces_in(dumped(world)) + [str(file) for file in files_of(world) if traces_in(file.read_bytes())]
        assert bool(found) != gone, (place, found)
        shutil.rmtree(world.folder)
    assert True in outcomes
