"""A run that hears much holds little of the record at once, and comes to the same as one that holds it all."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

from nomicwolf.ledger.shortcuts import Shortcuts
from nomicwolf.nomic import fetched
from nomicwolf.run import grouping, snapshots
from nomicwolf.run.working import Desk
from nomicwolf.village.events import Entry
from tests.post.scripted import SmtpScript, smtp_server
from tests.run.world import BEGIN, PLAYERS, World, copied, letter, make_world, started

LATER = BEGIN + 86_400
HOME = "wolf@contest.test"


def fill(here: World, rounds: int) -> None:
    """Put votes, their copies, questions and odd letters into the mailbox, twenty of them a round."""
    for turn in range(rounds):
        at = BEGIN + 60 + 600 * turn
        for place, who in enumerate(PLAYERS[:4]):
            here.post(f"v{turn}.{place}", who, f"I vote for {PLAYERS[(turn + place) % 4 + 1]}.", at + place)
            here.deliver(f"q{turn}.{place}", letter(f"q{turn}.{place}", who, "status", at, HOME), at + place)
        here.deliver(f"a{turn}", letter(f"v{turn // 2}.0", "Ash", f"I vote for {PLAYERS[turn // 2 % 4 + 1]}.", at), at)
        here.deliver(f"z{turn}", letter(f"z{turn}", "Zed", "I vote for Ash.", at), at)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a run hold a dozen entries, and put away all else."""
    for name, most in (("_RECENT", 4), ("_SESSION", 12), ("HELD", 10)):
        monkeypatch.setattr(snapshots, name, most)
    monkeypatch.setattr(fetched, "PAGE", 4)
    monkeypatch.setattr(fetched, "KEPT", 2)
    monkeypatch.setattr(grouping, "LETTERS", 4)


def entries() -> list[Entry]:
    """Return all entries in memory."""
    gc.collect()
    return [one for one in gc.get_objects() if type(one) is Entry]


def polled(template: World, folder: Path) -> list[str]:
    """Return what the record is after one poll of a copy of the contest."""
    script = SmtpScript()
    with smtp_server(script) as port:
        here = copied(template, folder, port, script)
        assert here.poll(LATER).status == 0
        return here.record()


@pytest.fixture
def template(tmp_path: Path) -> World:
    """A contest with a session in progress and a full mailbox."""
    script = SmtpScript()
    with smtp_server(script) as port:
        here = started(make_world(tmp_path / "template", port, script))
        fill(here, 12)
        return here


def test_little_is_held_and_nothing_is_otherwise(
    template: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest,
) -> None:
    """Entries in memory after each group of letters: some two dozen and those of a group, however many were heard."""
    should = polled(template, tmp_path / "whole")
    request.getfixturevalue("small")
    held, put_away, before = list[int](), Desk.put_away, len(entries())

    def counted(desk: Desk) -> None:
        put_away(desk)
        held.append(len(entries()) - before - (len(desk.contest.game.entries) if desk.contest.game else 0))

    monkeypatch.setattr(Desk, "put_away", counted)

    assert polled(template, tmp_path / "little") == should
    assert len(should) > 300
    assert max(held) < 50, held


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("broken", [1, 3])
def test_a_run_that_breaks_off_while_it_puts_away_loses_nothing(
    broken: int, template: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What was heard before is kept; the next run goes on behind it."""
    should, times, add = polled(template, tmp_path / "whole"), list[int](), Shortcuts.add

    def fails(self: Shortcuts, *args: object) -> None:
        times.append(1)
        if len(times) == broken:
            raise OSError(28, "No space left on device")
        add(self, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(Shortcuts, "add", fails)
    script = SmtpScript()
    with smtp_server(script) as port:
        here = copied(template, tmp_path / "broken", port, script)
        report = here.poll(LATER)
        assert report.status != 0
        assert any("No space left" in line for line in report.said)
        assert here.poll(LATER).status == 0
        assert here.record() == should
