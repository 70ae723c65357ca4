"""What the live screen has seen is followed as the record grows, not read again; a replaced record is taken up anew."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path

import pytest

from nomicwolf import watch
from nomicwolf.cli.app import order_of
from nomicwolf.contest import Contest
from nomicwolf.ledger import store
from nomicwolf.ledger.records import read_entry
from nomicwolf.rehearsal import read_script, rehearse
from nomicwolf.run.contest_setup import setup_of
from nomicwolf.settings import load
from nomicwolf.village.events import Entry
from nomicwolf.watch import Lookout, Snapshot, owed_text, snapshot_of
from tests.post.scripted import SmtpScript, smtp_server
from tests.run.world import BEGIN, World, copied, letter
from tests.watch.watched import HOUR, first_day

LINES = 3


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    """A contest on its first day, of which little is shown."""
    monkeypatch.setattr(watch, "LINES", LINES)
    return first_day(tmp_path / "contest")


def should(world: World, there: Snapshot) -> Snapshot:
    """Return what is to be seen by the whole record, polled when it was *there*."""
    with closing(world.store()) as ledger:
        contest, tip = Contest.of(setup_of(world.settings, b""), ledger.record()), ledger.tip()
        unsent = ledger.outbox().in_state("queued", "sending", "unknown", "failed")
        return snapshot_of(contest, tip.alarm or 0, there.polled, unsent, ledger.counts().states)


def test_each_look_is_what_the_whole_record_shows(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Followed letter by letter through the night; each entry is read once."""
    read: list[int] = []

    def counted(line: str) -> Entry:
        entry = read_entry(line)
        read.append(entry.number)
        return entry

    lookout, looks = Lookout(load(world.folder, {}, mail=False)), list[Snapshot]()
    for number, (who, text) in enumerate((("Dov", "I vote for Gus."), ("Fay", "I vote for Gus."),
                                          ("Gus", "I vote for Eli."), ("Eli", "I attack Ash."))):
        at = BEGIN + (6 + number) * HOUR
        with closing(world.store()) as ledger:
            before = ledger.last() if looks else 0
        world.deliver(f"w{number}", letter(f"w{number}", who, text, at), at)
        world.poll(at + 60)
        with monkeypatch.context() as patch:
            patch.setattr(store, "read_entry", counted)
            read.clear()
            there = lookout.look()
        looks.append(there)

        assert there == should(world, there)
        assert read == [*range(before + 1, there.last + 1)]
    assert len({there.last for there in looks}) == len(looks)


def test_a_record_that_was_replaced_is_taken_up_anew(world: World, tmp_path: Path) -> None:
    """After a restore the record is another one from some entry on, though it may be as long as the one before."""
    with smtp_server(SmtpScript()) as port:
        other = copied(world, tmp_path / "other", port, SmtpScript())
        lookout = Lookout(load(world.folder, {}, mail=False))
        for contest, text in ((world, "I vote for Gus."), (other, "I vote for Fay.")):
            contest.post("w1", "Dov", text, BEGIN + 6 * HOUR)
            contest.poll(BEGIN + 6 * HOUR + 60)
        first = lookout.look()
        for part in world.folder.glob("contest.db*"):
            part.unlink()
        for part in other.folder.glob("contest.db*"):
            shutil.copy(part, world.folder / part.name)

        there = lookout.look()

        assert there == should(world, there)
        assert (there.last, there.count) != (first.last, first.count)


def test_without_the_contests_key_all_is_seen(world: World) -> None:
    """The record is read whole then."""
    (world.folder / "contest.key").unlink()
    there = Lookout(load(world.folder, {}, mail=False)).look()
    assert there == should(world, there)


def test_nobody_is_said_to_be_late_for_whom_nobody_can_act() -> None:
    """NC 1j, D-N3: by day the lynched Hunter's choice is late after seven days, and act-for is never open for it."""
    hunted = rehearse(read_script("""\
title: a silent Hunter
ruleset: nomic-crossing
given:
  roles: {Ash: werewolf, Bex: villager, Cam: seer, Dov: witch, Eli: hunter, Fay: villager, Gus: villager}
  phase: day 1
  at: 2026-12-01T00:00Z
  votes: {Ash: Eli, Bex: Eli, Cam: Eli}
when: [{at: 2026-12-01T09:00Z, from: Fay, says: "I vote for Eli."}]
"""), order_of).contest
    there = snapshot_of(hunted, 0, hunted.clock, (), {})
    said = owed_text(there, hunted.clock + 8 * 24 * HOUR, secrets=True).plain

    assert "Eli: shoot" in said
    assert "late since" in said
    assert "act-for is open" not in said
