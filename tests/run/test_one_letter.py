"""One letter for each reader in a run: what its letters bring is posted when it ends, come what may."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from nomicwolf.run.contest_setup import setup_of
from nomicwolf.run.letter_intake import open_desk, open_store
from nomicwolf.run.poll_work import fetch
from nomicwolf.run.replay import recording_of, replay
from nomicwolf.run.resources import ensure_founded, source_of
from tests.post.scripted import SmtpScript, smtp_server
from tests.run.world import BEGIN, World, letter, make_world, running_world

HOUR = 3600


def joins(world: World) -> None:
    """Let three players join, each by a letter of eir own to both forums."""
    for place, who in enumerate(("Ash", "Bex", "Cam")):
        world.post(f"j{who}", who, "I join this contract.", BEGIN + place)


def subjects(world: World) -> list[tuple[str, str]]:
    """Return whom the letters sent so far went to, and their subjects, in order."""
    lines = ((to, line) for to, data in world.smtp.taken for line in data.decode().splitlines())
    return sorted((to, line.partition("] ")[2]) for to, line in lines if line.startswith("Subject: "))


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """Return a new contest, and take its letters."""
    script = SmtpScript()
    with smtp_server(script) as port:
        yield make_world(tmp_path / "contest", port, script)


def test_several_joins_in_one_run_are_one_announcement(world: World) -> None:
    """Each forum gets one letter, which names all three and has the roster once."""
    joins(world)
    world.poll(BEGIN + HOUR)

    assert [subject for _, subject in subjects(world)] == ["Ash, Bex and Cam have joined"] * 2


def test_all_that_one_player_asks_in_a_run_is_answered_by_one_letter(tmp_path: Path) -> None:
    """Three letters, of which one is a vote that belongs in a forum: the answer is called by what is not done."""
    with running_world(tmp_path) as world:
        world.smtp.taken.clear()
        for place, text in enumerate(("status", "I vote for Nobody-of-that-name.", "help")):
            came = letter(f"q{place}", "Ash", text, BEGIN + 60, "wolf@contest.test")
            world.deliver(f"q{place}", came, BEGIN + 60 + place)
        world.poll(BEGIN + HOUR)

        assert [subject for to, subject in subjects(world) if to.startswith("ash@")] == ["Day 1: not done"]


def test_what_a_run_heard_that_broke_off_is_posted_by_the_next(world: World) -> None:
    """The run ends after its letters are in the ledger and before they are told: the next one tells, once."""
    joins(world)
    settings, secret = world.settings, ensure_founded(world.settings)
    with closing(open_store(settings)) as store, closing(source_of(settings, BEGIN + HOUR)) as source:
        assert fetch(open_desk(settings, secret, store), source, lambda: BEGIN + HOUR)
    assert subjects(world) == []

    assert world.poll(BEGIN + 2 * HOUR).sent == 2
    assert world.poll(BEGIN + 3 * HOUR).idle
    assert [subject for _, subject in subjects(world)] == ["Ash, Bex and Cam have joined"] * 2
    with world.store() as store:
        assert replay(recording_of(settings, setup_of(settings, secret), store)).differs == []
