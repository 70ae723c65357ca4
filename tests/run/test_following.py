"""A ledger of any length is done again and compared with little of it in memory; the same is found as in one piece.

`tests.run.whole` has the definitions; here each kind of damage is done to a ledger, and both look at it.
"""

from __future__ import annotations

import gc
import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path

import pytest

from benchmarks._decades import past, session
from nomicwolf import ledger
from nomicwolf.contest import Setup
from nomicwolf.ledger.codec import read_entry
from nomicwolf.ledger.errors import LedgerError
from nomicwolf.ledger.store import Store
from nomicwolf.nomic.events import LetterHeard
from nomicwolf.nomic.resuming import kept
from nomicwolf.reports.statistics import players
from nomicwolf.run import branching, comparing, differing, otherwise, replaying, snapshots
from nomicwolf.run.original import original_of
from nomicwolf.run.replaying import Replayed
from nomicwolf.run.setting import setup_of
from nomicwolf.run.snapshots import take_up
from nomicwolf.settings import Settings, load, secret_of
from nomicwolf.village.events import Entry
from tests.post.scripted import SmtpScript, smtp_server
from tests.run import whole
from tests.run.world import BEGIN, PLAYERS, World, letter, make_world, running_world

HOUR = 3600
STRIDE = 6
BEYOND = 10**6


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> World:
    """A contest with two days and a night, whose settings changed twice: how it folds, and how it doesn't."""
    folder = tmp_path_factory.mktemp("following") / "contest"
    with running_world(folder) as world, pytest.MonkeyPatch.context() as patch:
        patch.setattr(snapshots, "EVERY", 25)
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


def told(replay: Callable[[], Replayed]) -> tuple[object, ...]:
    """Return all that a replay tells, or why there is none; last of it what differs."""
    try:
        done = replay()
    except LedgerError as error:
        return type(error), str(error)
    state = {name: value for name, value in kept(done.contest).items() if name != "game"}
    return done.entries, done.letters, done.given, list(done.contest.entries), state, done.differs


@pytest.mark.parametrize("damage", DAMAGE)
def test_the_same_differs_as_in_one_piece(
    damage: str, template: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Line by line, in what is counted and in how the contest stands, to the end and up to some hour."""
    monkeypatch.setattr(snapshots, "STRIDE", STRIDE)
    monkeypatch.setattr(snapshots, "_RECENT", 2)
    monkeypatch.setattr(snapshots, "_SESSION", 2)
    for until in (None, BEGIN + 2 * HOUR):
        with damaged(template, tmp_path / "damaged", DAMAGE[damage]) as (settings, setup, store):
            should = told(lambda: whole.replayed(original_of(settings, setup, store), until))  # noqa: B023 - called here
            assert told(lambda: replaying.replay(original_of(settings, setup, store), until)) == should  # noqa: B023


def instead(world: Callable[[], otherwise.Otherwise]) -> tuple[object, ...]:
    """Return all that is told of what would have been."""
    found = world()
    state = {name: value for name, value in kept(found.contest).items() if name != "game"}
    return found.missing, list(found.contest.entries), dict(found.contest.letters), state, found.differs


def test_the_same_would_have_been_as_in_one_piece(
    template: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without each letter in turn: with little in memory, and nothing heard again that came before it."""
    monkeypatch.setattr(snapshots, "STRIDE", STRIDE)
    monkeypatch.setattr(snapshots, "_RECENT", 2)
    monkeypatch.setattr(snapshots, "_SESSION", 2)
    monkeypatch.setattr(branching, "PAGE", 4)
    differed = 0
    with damaged(template, tmp_path / "whole", lambda _: None) as (settings, setup, store):
        letters = {str(entry.number): entry.event.digest for entry in store.record()
                   if isinstance(entry.event, LetterHeard)}
        past_ = original_of(settings, setup, store)
        for place, (number, digest) in enumerate([*letters.items()][::2]):
            for until in (None, *[BEGIN + 2 * HOUR] * (place % 5 == 2)):
                should = instead(lambda: whole.without(past_, digest, until))  # noqa: B023 - called here
                assert instead(lambda: otherwise.without(past_, number, until)) == should  # noqa: B023
                differed += bool(should[-1])
    assert differed > 3


def test_of_a_long_record_few_lines_are_compared_at_once(
    template: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What is told then is still what makes the one of the other, line by line."""
    with damaged(template, tmp_path / "whole", lambda _: None) as (settings, setup, store):
        number = next(str(entry.number) for entry in store.record() if isinstance(entry.event, LetterHeard))
        past_ = original_of(settings, setup, store)
        should = otherwise.without(past_, number)
        monkeypatch.setattr(differing, "TOGETHER", 3)
        found = otherwise.without(past_, number)
        was = differing._lines(store.record())
    assert applied(was, should.differs) == applied(was, found.differs) != was


def applied(was: list[str], differs: list[str]) -> list[str]:
    """Return how often each line would have been there, sorted: what was, changed as is told."""
    gone, come = ([line[2:] for line in differs if line[0] == sign] for sign in "-+")
    left = [*was, *come]
    for line in gone:
        left.remove(line)
    return sorted(left)


LOOKED_UP: dict[str, Callable[[sqlite3.Connection], None]] = {
    "none": lambda _: None,
    "nothing can be looked up": sql("DELETE FROM finds"),
    "a half can't": sql("DELETE FROM finds WHERE number % 2"),
    "all stands elsewhere": sql("UPDATE finds SET number = number + 1000"),
    "more is told": sql("INSERT INTO finds SELECT contest, mark, min(number) - 1 FROM finds GROUP BY contest, mark"),
    "more is told, and a half is gone": sql(
        "INSERT INTO finds SELECT contest, mark, min(number) - 1 FROM finds GROUP BY contest, mark",
        "DELETE FROM finds WHERE number % 2"),
    "by another key": sql("UPDATE snapshots SET key = 'another'", "DELETE FROM finds"),
    "there is less of it": sql("UPDATE snapshots SET found = found / 2"),
    "there is no snapshot": sql("DELETE FROM snapshots"),
    "the snapshot is another's": sql(
        "UPDATE snapshots SET data = CAST(data || 'x' AS BLOB)", "DELETE FROM finds WHERE number > 20"),
}


@pytest.mark.parametrize("damage", LOOKED_UP)
@pytest.mark.parametrize("seen", [2, 1000])
def test_the_same_is_lost_as_in_one_piece(
    damage: str, seen: int, template: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whatever is missing or wrong beside the record; also where not all words are remembered that were looked up."""
    for name, value in (("SEEN", seen), ("_TOGETHER", 5)):
        monkeypatch.setattr(comparing, name, value)
    monkeypatch.setattr(snapshots, "STRIDE", STRIDE)
    with damaged(template, tmp_path / "damaged", LOOKED_UP[damage]) as (_, setup, store):
        should = whole.compared(setup, store)
        found = comparing.problems(setup, store)
        assert set(should) <= set(found)
        assert found == should or seen == 2
        assert bool(found) == (damage in ("nothing can be looked up", "a half can't", "all stands elsewhere",
                                          "more is told, and a half is gone", "the snapshot is another's"))


def test_each_find_that_is_needed_is_missed(template: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One find gone is told by the number of its entry, if what it says was not found before."""
    monkeypatch.setattr(snapshots, "STRIDE", STRIDE)
    with closing(sqlite3.connect(template.folder / "contest.db")) as raw:
        finds = raw.execute("SELECT mark, number FROM finds ORDER BY number").fetchall()
    missed = 0
    with damaged(template, tmp_path / "damaged", lambda _: None) as (_, setup, store), closing(
            sqlite3.connect(tmp_path / "damaged", isolation_level=None)) as raw:
        for find in finds[::3]:
            raw.execute("DELETE FROM finds WHERE mark = ? AND number = ?", find)
            found = comparing.problems(setup, store)
            assert found == whole.compared(setup, store)
            missed += any(line.startswith(f"entry {find[1]}: can't be looked up") for line in found)
            raw.execute("INSERT INTO finds VALUES ('w1', ?, ?)", find)
    assert missed > len(finds) / 6


def test_little_of_a_long_record_is_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of ten sessions less than five are: the last as it stands, as it is told and as it should be, and a stride."""
    with smtp_server(SmtpScript()) as port:
        world = make_world(tmp_path / "contest", port, SmtpScript())
        for who in PLAYERS:
            assert world.command("party-add", who=who, address=f"{who.lower()}@players.test").status == 0
        size, one = past(world.settings, 4200, BEGIN), len(session()[1])
        monkeypatch.setattr(snapshots, "EVERY", 1)
        monkeypatch.setattr(snapshots, "_RECENT", 2)
        monkeypatch.setattr(snapshots, "_SESSION", 2)
        assert world.poll(BEGIN + HOUR).status == 0
    monkeypatch.setattr(snapshots, "STRIDE", 100)
    read, most = 0, 0

    def counted(line: str) -> Entry:
        nonlocal read, most
        read += 1
        if read % 600 == 0:
            gc.collect()
            most = max(most, sum(isinstance(found, Entry) for found in gc.get_objects()))
        return read_entry(line)

    for module in (ledger.store, ledger.shortcuts):
        monkeypatch.setattr(module, "read_entry", counted)
    settings = load(world.folder, {})
    setup = setup_of(settings, secret_of(settings).encode())
    with world.store() as store:
        gc.collect()
        before = sum(isinstance(found, Entry) for found in gc.get_objects())
        assert comparing.problems(setup, store) == []
        until = next(islice(store.record(), 3 * one, None)).at
        done = replaying.replay(original_of(settings, setup, store), until)
        assert [*players(take_up(setup, store).contest)]
    assert done.entries > 2 * one
    assert read > 4 * size
    assert most - before < 5 * one < size * 0.6
