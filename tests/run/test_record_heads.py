"""Public letters print the head of the record that they are from; a record that was written anew doesn't fit them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from nomicwolf.cli.app import run
from nomicwolf.ledger.records import first_head, next_head
from nomicwolf.letters.compose import record_mark
from nomicwolf.run.replay import foreign_heads, printed_heads
from tests.ledger.below import unguarded
from tests.run.world import BEGIN, World, running_world


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[World, list[bytes]]:
    """A contest whose first session has started, and the public letters that the forums got."""
    with running_world(tmp_path_factory.mktemp("heads")) as world:
        world.post("v1", "Ash", "I vote for Gus.", BEGIN + 60)
        world.poll(BEGIN + 2 * 86_400)
    return world, [data for to, data in world.smtp.taken if "-business@" in to]


def test_every_public_letter_tells_a_head_of_the_record(played: tuple[World, list[bytes]]) -> None:
    """It is the last line, of the record as it was then; the ledger's own check finds nothing amiss."""
    world, letters = played
    secret = (world.folder / "contest.key").read_bytes().strip()

    assert letters
    assert {len(printed_heads(data)) for data in letters} == {1}
    with world.store() as store:
        heads = {record_mark(head, secret) for _, head in store.heads()}
        assert {head for data in letters for head in printed_heads(data)} <= heads
        assert foreign_heads(store, secret) == []


def test_no_head_lies_open_in_a_letter(played: tuple[World, list[bytes]]) -> None:
    """The chain's own heads, on which guesses could be tried, stand in no letter."""
    world, letters = played
    with world.store() as store:
        heads = {head.encode() for _, head in store.heads()}

    assert heads
    assert not [head for head in heads for data in letters if head in data]


def test_a_record_that_was_written_anew_is_found(played: tuple[World, list[bytes]], tmp_path: Path) -> None:
    """A contestmaster who changes one entry and mends the whole chain is found by any letter of the forum's."""
    world, letters = played
    secret = (world.folder / "contest.key").read_bytes().strip()
    forum = tmp_path / "forum.mbox"
    forum.write_bytes(b"From x\n" + letters[-1] + b"\n> Record: " + b"0" * 64 + b"\n")
    with world.store() as store:
        assert [line.partition(": tells the head ")[2][:12] for line in foreign_heads(store, secret, [forum])] == [
            "000000000000"]
    with closing(sqlite3.connect(world.folder / "contest.db")) as ledger:
        for line in unguarded(world.settings.ledger.url, "entries"):
            ledger.execute(line)
        head = first_head(ledger.execute("SELECT contest FROM contests").fetchone()[0])
        for number, data in ledger.execute("SELECT number, data FROM entries ORDER BY number").fetchall():
            changed = data.replace('"Ash"', '"Bex"') if number == 3 else data
            head = next_head(head, changed)
            ledger.execute("UPDATE entries SET data = ?, head = ? WHERE number = ?", (changed, head, number))
        ledger.execute("UPDATE contests SET head = ?", (head,))
        ledger.commit()
    with world.store() as store:
        assert not [line for line in store.verify() if "chain" in line]
        assert [line for line in foreign_heads(store, secret, [forum]) if line.startswith(str(forum))]


def test_all_that_is_wrong_is_told_beside_a_letter_that_cant_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str],
) -> None:
    """An owed letter that is spoilt hides neither itself by its number nor what else `ledger verify` finds."""
    with running_world(tmp_path / "contest") as world:
        pass
    with closing(sqlite3.connect(world.folder / "contest.db")) as ledger:
        for line in (*unguarded(world.settings.ledger.url, "entries"),
                     "UPDATE outbox SET letter = '{' WHERE number = 2",
                     "UPDATE entries SET data = '{' WHERE number = 3"):
            ledger.execute(line)
        ledger.commit()

    assert run(["-C", str(world.folder), "ledger", "verify"]) == 1

    told = capsys.readouterr().err
    assert "owed letter 2: " in told
    assert "entry 3: the chain breaks here" in told
