"""A run that takes the contest up from a snapshot does what one does that folds the whole record; none is trusted."""

from __future__ import annotations

import gzip
import pickle
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

import nomicwolf
from nomicwolf.cli.app import run
from nomicwolf.contest import Contest
from nomicwolf.ledger.records import Snapshot
from nomicwolf.run import comparing, snapshots
from nomicwolf.run.marks import Marks
from nomicwolf.run.setting import setup_of
from nomicwolf.run.snapshots import TakenUp, contents, take_up
from nomicwolf.settings import load, secret_of
from tests.post.scripted import SmtpScript, smtp_server
from tests.run.world import BEGIN, World, copied, letter, make_world, started

HOUR = 3600
HOME = "wolf@contest.test"
WRITTEN = (
    ("v1", "Ash", "I vote for Gus.", ""),
    ("q1", "Bex", "help", HOME),
    ("v2", "Cam", "I vote for Gus.\nI vote for Dov.", ""),
    ("q2", "Dov", "status\nhistory\nvotes", HOME),
    ("q3", "Eli", "Question: who may vote?", HOME),
    ("v3", "Dov", "If Ash is voting for Gus, I vote for Ash.", ""),
    ("n1", "Fay", "I attack Ash.\nI protect Bex.", HOME),
    ("v4", "Eli", "I endorse Dov.", ""),
    ("v5", "Bex", "> I vote for Gus.\nTTttPF", ""),
    ("j1", "Hal", "I join this contract.", ""),
    ("l1", "Fay", "I vote for Gus.", ""),
    ("l2", "Bex", "I vote for Gus.", ""),
    ("n2", "Ash", "I inspect Fay.", HOME),
)


@contextmanager
def world(folder: Path, ledger: str = "") -> Iterator[World]:
    """Yield a contest with a session in progress."""
    script = SmtpScript()
    with smtp_server(script) as port:
        yield started(make_world(folder, port, script, ledger))


def play(here: World) -> list[str]:
    """Let everybody write, each polled by itself; return the record and the letters owed, without names and keys."""
    for n, (name, who, text, to) in enumerate(WRITTEN, 1):
        at = BEGIN + n * HOUR
        if to:
            here.deliver(name, letter(name, who, text, at, to), at)
        else:
            here.post(name, who, text, at)
        assert here.poll(at + 60).status == 0
        here.deliver(f"{name}.again", letter(name, who, text, at, to or "b-business@lists.b.test"), at + 60)
        assert here.poll(at + 120).status == 0
    with here.store() as store:
        owed = [(o.letter.key, o.letter.kind, o.letter.person, o.letter.forum, o.letter.subject, o.letter.body)
                for o in store.outbox().each()]
    return [*here.record(), *(re.sub(r"[0-9a-z]{12,}", "", repr(line)) for line in owed)]


def taken_up(here: World) -> tuple[TakenUp, Contest]:
    """Return the contest by its snapshot, and as the whole record tells it; both have the same entries."""
    setup = setup_of(load(here.folder, {}), secret_of(here.settings).encode())
    with here.store() as store:
        found = take_up(setup, store)
        list(found.contest.letters)
        whole = Contest.of(setup, store.record())
        assert list(found.contest.entries) == list(whole.entries)
    return found, whole


@pytest.mark.parametrize("recent", [1, 256])
def test_a_contest_goes_on_from_its_snapshot(
    recent: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ledger_url: str,
) -> None:
    """With a snapshot after each run, and with none ever, the same letters lead to the same record and answers."""
    script, again = SmtpScript(), SmtpScript()
    with world(tmp_path / "without") as here, smtp_server(again) as port:
        server = ledger_url if ledger_url.startswith("postgresql") else ""
        there = copied(here, tmp_path / "with", port, script, server)
        monkeypatch.setattr(snapshots, "EVERY", 10**9)
        should = play(here)
        assert taken_up(here)[0].since == 0
        monkeypatch.setattr(snapshots, "EVERY", 1)
        monkeypatch.setattr(snapshots, "_RECENT", recent)
        monkeypatch.setattr(snapshots, "_SESSION", recent)
        monkeypatch.setattr(snapshots, "HELD", recent)

        found = play(there)

        by_snapshot, whole = taken_up(there)
        assert by_snapshot.since == whole.last
        assert run(["-C", str(there.folder), "ledger", "verify"]) == 0
    assert found == should
    assert contents(by_snapshot.contest).keys() == contents(whole).keys()
    for name in ("letters", "by_message", "by_digest", "by_seal", "said", "buckets", "persons", "parties", "spent"):
        assert dict(vars(by_snapshot.contest)[name]) == dict(vars(whole)[name])
    assert by_snapshot.contest.deeds == whole.deeds
    assert by_snapshot.contest.games.keys() == whole.games.keys()


def test_a_run_that_folds_the_whole_record_leaves_it_in_the_ledger(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As the first one after an update: stride by stride, with what the ledger doesn't know yet put there."""
    with world(tmp_path / "contest") as here:
        play(here)
        setup = setup_of(load(here.folder, {}), secret_of(here.settings).encode())
        for name, value in (("STRIDE", 9), ("HELD", 1), ("_RECENT", 3), ("_SESSION", 3)):
            monkeypatch.setattr(snapshots, name, value)
        with here.store() as store:
            marks, shortcuts = Marks(setup.secret), store.shortcuts()
            assert (shortcuts.snapshot(), shortcuts.found_upto(marks.name)) == (None, 0)
            found = take_up(setup, store, writes=True).contest
            whole = Contest.of(setup, store.record())

            assert 0 < whole.last - shortcuts.found_upto(marks.name) <= 9
            assert len(found.entries._last) + sum(map(len, found.entries._parts[1:])) <= 12
            assert all(found.by_message[name] == numbers for name, numbers in whole.by_message.items())
            assert list(found.entries) == list(whole.entries)
            assert list(comparing.otherwise(contents(whole), contents(found))) == []
            again = take_up(setup, store, writes=True).contest
            assert list(comparing.otherwise(contents(whole), contents(again))) == []


def tampered(change: Callable[[Snapshot], Snapshot]) -> Callable[[World, pytest.MonkeyPatch], None]:
    """Return what puts another snapshot in place of the one that is there."""
    def put(here: World, _: pytest.MonkeyPatch) -> None:
        with here.store() as store:
            found = store.shortcuts().snapshot()
            assert found is not None
            store.shortcuts().keep(change(found), [])
    return put


def another_program(_: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the program be another one."""
    monkeypatch.setattr(snapshots, "_program", lambda: b"another")


SPOILED = {
    "a byte of it": tampered(lambda found: replace(found, data=found.data[:-1] + b"?")),
    "its entry": tampered(lambda found: replace(found, last=found.last - 1)),
    "its head": tampered(lambda found: replace(found, head="0" * 64)),
    "nothing in it": tampered(lambda found: replace(found, data=b"")),
    "program": another_program,
}


@pytest.mark.parametrize("what", SPOILED)
def test_a_snapshot_that_is_not_of_this_record_is_not_used(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The whole record is folded in its place, and the next run puts a new one there."""
    monkeypatch.setattr(snapshots, "EVERY", 1)
    with world(tmp_path / "contest") as here:
        here.post("v1", "Ash", "I vote for Gus.", BEGIN + 60)
        here.poll(BEGIN + 120)
        assert taken_up(here)[0].since > 0
        SPOILED[what](here, monkeypatch)

        found, whole = taken_up(here)

        assert found.since == 0
        assert list(found.contest.entries) == list(whole.entries)
        here.post("v2", "Bex", "I vote for Gus.", BEGIN + 180)
        assert here.poll(BEGIN + 240).status == 0
        assert taken_up(here)[0].since == taken_up(here)[1].last


def test_what_was_found_of_another_record_or_by_another_key_is_found_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What can be looked up goes with the head that the record had; one that it doesn't have vouches for nothing."""
    monkeypatch.setattr(snapshots, "EVERY", 1)
    with world(tmp_path / "contest") as here:
        here.post("v1", "Ash", "I vote for Gus.", BEGIN + 60)
        here.poll(BEGIN + 120)
        name = Marks(secret_of(here.settings).encode()).name
        with here.store() as store:
            shortcuts = store.shortcuts()
            found = shortcuts.snapshot()
            assert found is not None
            assert shortcuts.found_upto(name) == store.last()
            assert shortcuts.found_upto("another") == 0
            shortcuts.keep(replace(found, head="0" * 64), [])
            assert (shortcuts.snapshot(), shortcuts.found_upto(name)) == (None, 0)


def test_verify_compares_a_snapshot_with_the_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:
    """One that is authentic and wrong is told by its part, and can be taken away; so is what can't be looked up."""
    monkeypatch.setattr(snapshots, "EVERY", 1)
    with world(tmp_path / "contest") as here:
        here.post("v1", "Ash", "I vote for Gus.", BEGIN + 60)
        here.poll(BEGIN + 120)
        setup = setup_of(load(here.folder, {}), secret_of(here.settings).encode())
        with here.store() as store:
            wrong = take_up(setup, store).contest
            wrong.parties["agora"] = ()
            wrong.public = None
            found = store.shortcuts().snapshot()
            assert found is not None
            data = snapshots._sealed(setup, found.last, found.head, contents(wrong))
            store.shortcuts().keep(replace(found, data=data), [])

        assert run(["-C", str(here.folder), "ledger", "verify"]) == 1
        assert "state, parties of the snapshot" in capsys.readouterr().err
        assert run(["-C", str(here.folder), "ledger", "verify", "--forget-snapshot"]) == 0
        assert taken_up(here)[0].since == 0
        with closing(sqlite3.connect(here.folder / "contest.db")) as raw:
            assert raw.execute("DELETE FROM finds WHERE number = (SELECT min(number) FROM finds)").rowcount
            raw.commit()
        here.post("v2", "Bex", "I vote for Gus.", BEGIN + 180)
        assert here.poll(BEGIN + 240).status == 0
        assert run(["-C", str(here.folder), "ledger", "verify"]) == 0


class _Evil:
    def __reduce__(self) -> tuple[Callable[[str], object], tuple[str]]:
        return eval, ("1 / 0",)


@pytest.mark.parametrize("data", [pickle.dumps(_Evil()), b"cnomicwolf.cli.app\nrun\n.", b"cos\nsystem\n."])
def test_nothing_but_values_of_ours_is_read(data: bytes) -> None:
    """Neither Python's own functions nor ours can be named in a snapshot, however it came to be authentic."""
    with pytest.raises(pickle.UnpicklingError, match="no place in a snapshot"):
        snapshots.load(gzip.compress(data))


def test_a_snapshot_is_of_all_that_folds() -> None:
    """Whatever module `Contest` is made of belongs to what a snapshot is bound to."""
    folder = Path(nomicwolf.__file__).parent
    bound = {path for pattern in snapshots.FOLDS for path in folder.glob(pattern)}
    listed = subprocess.run(
        [sys.executable, "-c", "import nomicwolf.nomic.state, sys; print(*sorted(sys.modules))"],
        check=True, capture_output=True, text=True).stdout.split()
    needed = {folder.parent / f"{name.replace('.', '/')}.py" for name in listed if name.startswith("nomicwolf.")}
    assert {path for path in needed if path.is_file()} <= bound
