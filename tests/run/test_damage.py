"""A ledger that was damaged behind the program's back is done again: what differs is said, or why nothing can be."""

from __future__ import annotations

import json
import sqlite3
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
from nomicwolf.settings.keys import Settings
from nomicwolf.settings.load import load, secret_of
from tests.run.world import BEGIN, PLAYERS, World, letter, running_world

pytestmark = pytest.mark.slow

HOUR = 3600
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
