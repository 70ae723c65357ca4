"""A disk that is full, that breaks, or that can't be written: the run says so, nothing is lost, the next one goes on.

The full disk is a small tmpfs where one can be mounted, and always the system's limit on a file's size.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from nomicwolf.contest import Setup
from nomicwolf.ledger.errors import LedgerError
from nomicwolf.ledger.store import Store
from nomicwolf.nomic.events import LetterHeard
from nomicwolf.run import replay
from nomicwolf.run.contest_setup import setup_of
from nomicwolf.run.replay import recording_of
from nomicwolf.settings import Settings, load, secret_of
from tests.post.scripted import SmtpScript, smtp_server
from tests.run.world import BEGIN, PLAYERS, World, copied, letter, running_world

pytestmark = pytest.mark.slow

HOUR = 3600
LETTERS = 12
PROGRAM = Path(sys.executable).with_name("nomicwolf")
AS_ANYONE: tuple[str, ...] = ("setpriv", "--bounding-set=-dac_override,-dac_read_search") if os.geteuid() == 0 else ()
"""Lets root, too, be stopped by a file's mode (capabilities(7))."""


@pytest.fixture
def world(template: World, tmp_path: Path) -> Iterator[World]:
    """A contest with long letters in its mailbox, which lies elsewhere."""
    script = SmtpScript()
    with smtp_server(script) as port:
        made = copied(template, tmp_path / "contest", port, script)
        for number in range(LETTERS):
            made.post(f"t{number}", "Ash", "What a day! " * 3000 + str(number), BEGIN + HOUR + number, ("agora",))
        made.post("v1", "Bex", "I vote for Gus.", BEGIN + HOUR + 60, ("agora",))
        (made.folder / "mail").rename(tmp_path / "mail")
        settings = made.folder / "contest.toml"
        settings.write_text(settings.read_text().replace('path = "mail"', f'path = "{tmp_path / "mail"}"'))
        script.taken.clear()
        yield made


def polled(folder: Path, *before: str | Path) -> tuple[int, str]:
    """Poll as cron does, by way of a command that limits it; return the status and what was said."""
    done = subprocess.run(
        [*before, PROGRAM, "-C", folder, "poll", "--at", "2026-12-01T03:00Z"], check=False, capture_output=True,
        text=True)
    assert done.stdout == ""
    return done.returncode, done.stderr


def whole(world: World, heard: int) -> None:
    """So many letters were heard, once; each letter out went once."""
    with world.store() as store:
        assert store.verify() == []
        assert store.check().received == heard
        assert set(store.counts().states) == {"sent"}
    lines = [line for _, data in world.smtp.taken for line in data.decode().splitlines()]
    assert set(Counter(line for line in lines if line.startswith("Message-ID")).values()) <= {1}


def test_files_that_can_not_grow(world: World) -> None:
    """The system refuses to let the ledger grow (setrlimit(2)): an error of the disk, in the middle of a letter."""
    room = (world.folder / "contest.db").stat().st_size // 1024 + 40
    status, said = polled(world.folder, "sh", "-c", f'ulimit -f {room * 1024 // 512}; exec "$@"', "sh")

    assert status == 1
    assert "ledger" in said
    assert "defect" not in said
    with world.store() as store:
        assert store.verify() == []
        assert store.check().received < LETTERS + 1
    assert world.poll(BEGIN + 3 * HOUR).status == 0
    whole(world, LETTERS + 1)


@contextmanager
def small_disk(folder: Path) -> Iterator[bool]:
    """Mount a tmpfs on *folder* with room for little more than what lies in it; tell whether that is allowed."""
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) + 150_000
    aside = folder.with_name("aside")
    shutil.copytree(folder, aside)
    mounted = not subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder], check=False, capture_output=True).returncode
    try:
        if mounted:
            shutil.copytree(aside, folder, dirs_exist_ok=True)
        yield mounted
        if mounted:
            shutil.rmtree(aside)
            shutil.copytree(folder, aside)
    finally:
        if mounted:
            subprocess.run(["umount", folder], check=True)
            shutil.copytree(aside, folder, dirs_exist_ok=True)


def test_a_small_disk(world: World) -> None:
    """No space left, for the ledger and for what lies beside it; with room again every letter is heard."""
    with small_disk(world.folder) as mounted:
        if mounted:
            said = polled(world.folder)
            assert said[0] == 1
            assert "room" in said[1]
            assert "defect" not in said[1]
            (world.folder / "filler").write_bytes(b"x" * (shutil.disk_usage(world.folder).free // 4096 * 4096))
            assert polled(world.folder)[0] == 1
            (world.folder / "filler").unlink()
            with world.store() as store:
                assert store.verify() == []
                assert store.check().received < LETTERS + 1
    assert world.poll(BEGIN + 3 * HOUR).status == 0
    whole(world, LETTERS + 1)


@pytest.mark.parametrize(("mode", "name"), [(0o400, "contest.db"), (0o500, ""), (0o400, "w1.lock")])
def test_what_can_not_be_written(world: World, mode: int, name: str) -> None:
    """The ledger, the folder, the lock: told with the file's name or what to do; nothing heard or sent."""
    before = world.record()
    place = world.folder / name
    was = place.stat().st_mode
    place.chmod(mode)
    try:
        status, said = polled(world.folder, *AS_ANYONE)
    finally:
        place.chmod(was)

    assert status == 1
    assert "defect" not in said
    assert "let this user write" in said
    assert world.record() == before
    assert world.smtp.taken == []
    assert world.poll(BEGIN + 3 * HOUR).status == 0
    whole(world, LETTERS + 1)


BEYOND = 10**6


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> World:
    """A contest with two days and a night, whose settings changed twice: how it folds, and how it doesn't."""
    folder = tmp_path_factory.mktemp("following") / "contest"
    with running_world(folder) as world:
        toml, at = world.folder / "contest.toml", BEGIN + HOUR
        for number, who in enumerate(PLAYERS):
            world.post(f"v{number}", who, f"I vote for {'Gus' if number < 4 else 'Hall'}.", at + number * 600)
            world.deliver(f"q{number}", letter(f"q{number}", who, "status", at, to="wolf@contest.test"), at + 1)
            if number == 2:
                toml.write_text(toml.read_text().replace("daily_count = false", "daily_count = true"))
            assert world.poll(at + number * 600 + 60).status == 0
        toml.write_text(toml.read_text().replace("settling = 0", "settling = 60"))
        night = (("Ash", "I attack Bex."), ("Bex", "I inspect Cam."), ("Cam", "I vote for Eli."))
        for number, (who, text) in enumerate(night):
            at = BEGIN + (10 + number) * HOUR
            world.deliver(f"n{number}", letter(f"n{number}", who, text, at, to="wolf@contest.test"), at)
            assert world.poll(at + 60).status == 0
        assert world.poll(BEGIN + 80 * HOUR).status == 0
        return world


def sql(*lines: str) -> Callable[[sqlite3.Connection], None]:
    """Return what changes a ledger behind the program's back."""
    def change(database: sqlite3.Connection) -> None:
        for line in lines:
            assert database.execute(line).rowcount != 0, line
    return change


def shifted(database: sqlite3.Connection) -> None:
    """Take an entry away, and let those behind it move up, in their columns and in their lines."""
    database.execute("DELETE FROM entries WHERE number = 30")
    behind = database.execute("SELECT number, data FROM entries WHERE number > 30 ORDER BY number").fetchall()
    for number, data in behind:
        told = json.loads(data)
        moved = [told[0] - 1, *told[1:]] if isinstance(told, list) else {**told, "number": number - 1}
        database.execute("UPDATE entries SET number = ?, data = ? WHERE number = ?",
                         (number - 1, json.dumps(moved, separators=(",", ":")), number))


DAMAGE: dict[str, Callable[[sqlite3.Connection], None]] = {
    "none": lambda _: None,
    "an entry says something else": sql("UPDATE entries SET data = replace(data, '\"Gus\"', '\"Fay\"') "
                                        "WHERE number BETWEEN 20 AND 40 AND data LIKE '%\"Gus\"%'"),
    "many entries do": sql("UPDATE entries SET data = replace(data, '\"Gus\"', '\"Fay\"')"),
    "an entry is gone": sql("DELETE FROM entries WHERE number = 30"),
    "an entry is gone, and the others moved up": shifted,
    "the last entries are gone": sql("DELETE FROM entries WHERE number > 60"),
    "an entry can't be read": sql("UPDATE entries SET data = '{' WHERE number = 50"),
    "nothing happened": sql("DELETE FROM happenings"),
    "a happening is gone": sql("DELETE FROM happenings WHERE number = 12"),
    "the first happenings are gone": sql("DELETE FROM happenings WHERE number < 9"),
    "the last happenings are gone": sql("DELETE FROM happenings WHERE number > 15"),
    "a happening begins elsewhere": sql("UPDATE happenings SET base = base - 2 WHERE number = 12"),
    "a happening begins later": sql("UPDATE happenings SET base = base + 1 WHERE number = 12"),
    "a happening ends elsewhere": sql("UPDATE happenings SET last = last + 2 WHERE number = 12"),
    "a happening ends beyond the record": sql(f"UPDATE happenings SET last = {BEYOND} WHERE number = 12"),
    "a happening begins beyond the record": sql(
        f"UPDATE happenings SET base = {BEYOND}, last = {BEYOND} WHERE number = 12"),
    "a happening was at another time": sql("UPDATE happenings SET now = now + 36000 WHERE number = 12"),
    "a happening was of other settings": sql(
        "UPDATE happenings SET setup = (SELECT setup FROM happenings ORDER BY number DESC) WHERE number = 12"),
    "happenings follow in another order": sql(
        "UPDATE happenings SET number = -number", "UPDATE happenings SET number = number + 1000"),
    "a happening can't be read": sql("UPDATE happenings SET data = '{}' WHERE kind = 'tick'"),
    "owed letters are miscounted": sql("UPDATE happenings SET owed = owed + 3 WHERE number = 12"),
    "an owed letter is gone": sql("DELETE FROM outbox WHERE number = (SELECT max(number) - 2 FROM outbox)"),
    "owed letters say something else": sql("UPDATE outbox SET letter = replace(letter, 'Gus', 'Fay')"),
    "an owed letter is under another key": sql("UPDATE outbox SET key = 'another' WHERE number = 9"),
    "an owed letter says another key": sql(
        "UPDATE outbox SET letter = replace(letter, key, 'another') WHERE number = 9"),
    "an owed letter can't be read": sql("UPDATE outbox SET letter = '{' WHERE number = 9"),
    "a letter is gone": sql("DELETE FROM letters WHERE number = 8"),
    "a letter says something else": sql(
        "UPDATE originals SET data = CAST(replace(CAST(data AS TEXT), 'Gus', 'Fay') AS BLOB)"),
    "a letter was understood otherwise": sql("UPDATE letters SET letter = replace(letter, 'Gus', 'Fay')"),
}


@contextmanager
def damaged(
    template: World, file: Path, change: Callable[[sqlite3.Connection], None],
) -> Iterator[tuple[Settings, Setup, Store]]:
    """Give a copy of the template's ledger, as *file*, to which a *change* was made that nothing refuses."""
    with closing(sqlite3.connect(template.folder / "contest.db")) as database, closing(sqlite3.connect(file)) as other:
        database.backup(other)
        for (name,) in other.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            other.execute(f"DROP TRIGGER {name}")
        with other:
            change(other)
    settings = load(template.folder, {})
    setup = setup_of(settings, secret_of(settings).encode())
    with Store.open(f"sqlite:///{file}", "w1") as store:
        yield settings, setup, store
    for part in file.parent.glob(f"{file.name}*"):
        part.unlink()


HARMLESS = {"none", "an owed letter is under another key"}
"""What makes no difference."""
GIVEN = {
    "nothing happened", "a happening is gone", "the first happenings are gone", "the last happenings are gone",
    "happenings follow in another order"}
"""What leaves entries of which nothing says what they followed from: they are taken as they stand, and counted."""
RETOLD = {"a happening is gone", "happenings follow in another order"}
"""What besides gives the letters that the end of a run makes something else to tell."""
UNREAD = {"an entry can't be read", "an owed letter can't be read", "a letter is gone"}
"""What leaves nothing to compare."""


@pytest.mark.parametrize("damage", DAMAGE)
def test_what_was_damaged_differs(damage: str, template: World, tmp_path: Path) -> None:
    """A replay names what differs, counts what it took as given, or says that something can't be read."""
    with damaged(template, tmp_path / "damaged", DAMAGE[damage]) as (settings, setup, store):
        if damage in UNREAD:
            with pytest.raises(LedgerError, match=r"no JSON|is gone from the ledger"):
                replay.replay(recording_of(settings, setup, store))
            return
        done = replay.replay(recording_of(settings, setup, store))
    assert (done.differs == []) == (damage in HARMLESS | GIVEN - RETOLD)
    assert done.given > 0 or damage not in GIVEN
    assert done.given == 0 or damage not in HARMLESS


def test_of_a_long_record_few_lines_are_compared_at_once(
    template: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What is told then is still what makes the one of the other, line by line."""
    with damaged(template, tmp_path / "whole", lambda _: None) as (settings, setup, store):
        number = next(str(entry.number) for entry in store.record() if isinstance(entry.event, LetterHeard))
        original = recording_of(settings, setup, store)
        should = replay.replay_without(original, number)
        monkeypatch.setattr(replay, "BATCH_LINES", 3)
        found = replay.replay_without(original, number)
        was = replay._lines(store.record())
    assert applied(was, should.differs) == applied(was, found.differs) != was


def applied(was: list[str], differs: list[str]) -> list[str]:
    """Return how often each line would have been there, sorted: what was, changed as is told."""
    gone, come = ([line[2:] for line in differs if line[0] == sign] for sign in "-+")
    left = [*was, *come]
    for line in gone:
        left.remove(line)
    return sorted(left)
