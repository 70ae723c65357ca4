"""Letters that are kept together: the ledger is that of letters kept one by one, whatever goes wrong in between."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from nomicwolf.contest import hear
from nomicwolf.ledger import transaction
from nomicwolf.ledger.records import write_entry, write_value
from nomicwolf.ledger.transaction import Step
from nomicwolf.letters.mime import make_letter
from nomicwolf.letters.origin import return_path
from nomicwolf.maillist import distributed
from nomicwolf.run import letter_intake, poll_work
from nomicwolf.run.letter_intake import held_letter, open_desk
from nomicwolf.run.resources import ensure_founded
from tests.letters.test_origin import REPORT
from tests.run.world import BEGIN, FORUMS, PLAYERS, World, letter, running_copy, running_world

pytestmark = pytest.mark.slow

HOUR = 3600
DAY = 24 * HOUR
LATER = BEGIN + 4 * DAY
"""When a poll finds the day's majority, the deadline after it, and all letters since the first hour."""
WHOLE = 64
RUN = re.compile(r'"run": ?\d+| \d+$')


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> World:
    """A session in progress: a day's letters through both forums, a lynching among them, and letters of other kinds."""
    with running_world(tmp_path_factory.mktemp("template") / "contest") as world:
        at = BEGIN + HOUR
        for place, who in enumerate(PLAYERS):
            world.post(f"v{place}", who, f"I vote for {PLAYERS[(place + 1) % 7]}.", at + 10 * place)
        for place, who in enumerate(PLAYERS[:5]):
            world.post(f"w{place}", who, "I vote for Gus.\n\nSorry.", at + 600 + 10 * place)
        deliver = world.deliver
        deliver("talk", distributed(letter("talk", "Fay", "> I vote for Ash.\n\nNo.", at), FORUMS["b"], at), at + 700)
        deliver("help", letter("help", "Cam", "help", at, "wolf@contest.test"), at + 701)
        deliver("zed", letter("zed", "Zed", "I vote for Ash.", at, "wolf@contest.test"), at + 702)
        deliver("bad", b"\x00\xff" * 99, at + 703)
        deliver("maybe", letter("maybe", "Dov", "I vote for someone, maybe Asch.", at), at + 704)
        for nomic in FORUMS:
            posted = next(data for to, data in world.smtp.taken if to == FORUMS[nomic].address)
            deliver(f"echo.{nomic}", distributed(posted, FORUMS[nomic], at), at + 705)
        with world.store() as store:
            lost = next(o.message_id for o in store.outbox().in_state("sent") if o.letter.person == "Bex")
        report = REPORT.format(to=return_path("wolf@contest.test", lost), action="failed", status="5.1.1",
                               kind="text/plain", back="secret")
        deliver("report", report.encode(), at + 706)
        deliver("last", letter("last", "Eli", "status", at, "wolf@contest.test"), at + 707)
        return world


@pytest.fixture
def place(template: World, tmp_path: Path) -> Iterator[Callable[[str], World]]:
    """Return what makes a copy of the contest, before its poll."""
    with ExitStack() as running:
        yield lambda name: running.enter_context(running_copy(template, tmp_path / name))


def told(world: World) -> dict[str, list[Any]]:
    """Return all that a ledger holds, byte by byte."""
    tables = ("contests", "entries", "originals", "letters", "outbox", "marks", "setups", "happenings")
    with world.store() as store:
        assert store.verify() == []
        store.check()
    with closing(sqlite3.connect(world.folder / "contest.db")) as database:
        return {table: database.execute(f"SELECT * FROM {table} ORDER BY 1, 2, 3").fetchall() for table in tables}


def polled(world: World, most: int, monkeypatch: pytest.MonkeyPatch) -> tuple[dict[str, list[Any]], object]:
    """Poll with groups of at most so many letters; return the ledger, and what the run said and counted."""
    monkeypatch.setattr(poll_work, "LETTERS", most)
    world.smtp.taken.clear()
    report = world.poll(LATER)
    found = told(world)
    found["marks"] = [mark for mark in found["marks"] if not mark[1].startswith("maildir")]
    return found, report


def whichever_run(found: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """Return what a ledger holds but for the runs in which it was heard: one that breaks off is followed by another."""
    rows = [tuple(RUN.sub("", cell) if isinstance(cell, str) else cell for cell in row) for row in found["happenings"]]
    return {**found, "happenings": rows}


def commits(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list in which stands, for each transaction of letters, how many it kept."""
    kept: list[int] = []
    real = transaction.write_steps

    def counted(connection: Any, contest: str, bundles: Any) -> None:
        real(connection, contest, bundles)
        kept.append(len(bundles))

    monkeypatch.setattr("nomicwolf.ledger.store.write_steps", counted)
    return kept


def test_the_ledger_is_that_of_letters_kept_one_by_one(
    place: Callable[[str], World], monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Byte for byte, with a lynching, a deadline, echoes, a bounce, a stranger and a question among the letters."""
    one = polled(place("one"), 1, monkeypatch)
    kept = commits(monkeypatch)
    many = polled(place("many"), WHOLE, monkeypatch)

    assert many == one
    assert kept[:4] == [1, 2, 4, 8]
    kinds = {row[3] for row in many[0]["entries"]}
    assert kinds >= {"lynched", "phase-began", "copy-heard", "letter-held", "asked", "answered"}
    assert {row[13] for row in many[0]["letters"]} == {"deeds", "no-deed", "duplicate", "held", "stranger", "own",
                                                        "machine"}


def test_a_letter_that_cannot_be_heard_takes_back_nothing(
    place: Callable[[str], World], monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is set aside within its group; what is told of it is told once, and all else is as without groups."""

    def fragile(raw: Any, *args: Any) -> Any:
        if b"Sorry" in raw.data and b"<w2@" in raw.data:
            raise RecursionError("Sorry")
        return make_letter(raw, *args)

    monkeypatch.setattr(letter_intake, "make_letter", fragile)
    one = polled(place("one"), 1, monkeypatch)
    many = polled(place("many"), WHOLE, monkeypatch)

    assert many == one
    assert sum("set aside whole" in line for line in many[1].said) == 2  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ["v0", "v3", "w2", "last"])
def test_a_letter_that_cannot_be_kept_takes_back_nothing(
    place: Callable[[str], World], monkeypatch: pytest.MonkeyPatch, name: str,
) -> None:
    """Its group goes back, and all of it is heard again, one by one; the ledger is that without groups."""

    def fragile(value: Any) -> str:
        if getattr(value, "message_id", "") == f"<{name}@players.test>" and not value.trouble:
            raise ValueError("no line for this")
        return write_value(value)

    monkeypatch.setattr(transaction, "write_value", fragile)
    one = polled(place("one"), 1, monkeypatch)
    kept = commits(monkeypatch)
    many = polled(place("many"), WHOLE, monkeypatch)

    assert many == one
    assert max(kept) > 1
    assert [row[13] for row in many[0]["letters"]].count("held") > 1


def test_a_letter_that_the_database_refuses_keeps_those_before_it(
    place: Callable[[str], World], monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The run ends with it, as without groups; the next one goes on there, and nothing was heard twice."""
    world, calm = place("contest"), place("calm")
    whole = whichever_run(polled(calm, WHOLE, monkeypatch)[0])
    with closing(sqlite3.connect(world.folder / "contest.db")) as database:
        database.execute("CREATE TRIGGER no BEFORE INSERT ON letters WHEN NEW.message_id = '<v5@players.test>' "
                         "BEGIN SELECT RAISE(ABORT, 'no room for this one'); END")
        database.commit()

    assert world.poll(LATER).status == 75
    with world.store() as store:
        assert [kept.letter.message_id[1:3] for kept in store.letters()] == [
            f"v{place}" for place in range(5) for _ in FORUMS]
        assert store.check().received == 10
    with closing(sqlite3.connect(world.folder / "contest.db")) as database:
        database.execute("DROP TRIGGER no")
        database.commit()
    assert whichever_run(polled(world, WHOLE, monkeypatch)[0]) == whole


def test_no_lock_is_held_while_letters_are_heard(
    place: Callable[[str], World], monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Another writer can write between two letters of a group; the group is kept all the same."""
    world, calm = place("contest"), place("calm")
    written: list[int] = []

    def watched(contest: Any, *args: Any) -> Any:
        with closing(sqlite3.connect(world.folder / "contest.db", timeout=0)) as other:
            other.execute("INSERT INTO marks VALUES ('w1', ?, 0, 0)", (f"other {len(written)}",))
            other.commit()
        written.append(contest.last)
        return hear(contest, *args)

    whole = polled(calm, WHOLE, monkeypatch)[0]
    monkeypatch.setattr(poll_work, "hear", watched)
    found = polled(world, WHOLE, monkeypatch)[0]
    marks = [mark for mark in found.pop("marks") if not mark[1].startswith("other")]
    assert len(written) >= len(whole["letters"])
    assert {**found, "marks": marks} == whole


def test_who_wrote_first_takes_back_the_whole_group(
    place: Callable[[str], World], monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nothing of it is written on top of what was not known; the next run hears all of it, on top of that."""
    world = place("contest")
    done: list[int] = []

    def slow(contest: Any, *args: Any) -> Any:
        outcome = hear(contest, *args)
        if len(outcome.entries) and not done and len(kept) == 2:
            done.append(contest.last)
            with world.store() as other:
                order = hear(contest, grouping_order(), BEGIN)
                other.append(Step(contest.last, order.entries, now=BEGIN))
        return outcome

    kept = commits(monkeypatch)
    monkeypatch.setattr(poll_work, "hear", slow)
    assert world.poll(LATER).status == 75
    with world.store() as store:
        assert store.verify() == []
        assert store.counts().received == sum(kept[:2]) == 3
        assert store.last() > done[0]
    assert world.poll(LATER).status == 1
    with world.store() as store:
        assert store.verify() == []
        found = [(kept.letter.message_id, kept.raw.place) for kept in store.letters()]
    assert len(found) == len(set(found))


def grouping_order() -> Any:
    """An order of the contestmaster's from elsewhere."""
    from nomicwolf.contest import Command

    return Command("party-add", {"who": "Zoe", "address": "zoe@players.test"})


def test_a_letter_that_waits_can_be_asked_for(place: Callable[[str], World]) -> None:
    """A held letter of the same group is made again for an order about it, and its place is known."""
    world = place("contest")
    settings = world.settings
    with world.store() as store:
        desk = open_desk(settings, ensure_founded(settings), store)
        attempts = letter_intake.AttemptLog(settings)
        batch = poll_work.Batch(desk, attempts)
        batch._most = WHOLE
        from nomicwolf.run.resources import source_of

        for fetched in source_of(settings, LATER).fetch(None, batch.known):
            if fetched.raw.place in ("maildir:bad", "maildir:zed"):
                batch.hear(fetched, LATER)
        held = next(pending.heard for pending in desk.pending if pending.heard.bucket == "held")
        found = held_letter(desk, held.entry)
        assert found is not None
        assert found.content == held.letter.content
        assert held_letter(desk, 0) is None
        assert batch.known(("maildir:bad", "maildir:v0.agora")) == {"maildir:bad"}
        before = store.last()
        batch.commit()
        assert store.last() > before
        assert held_letter(desk, held.entry) == found


def test_a_run_that_died_in_a_letter_goes_on_one_by_one(
    place: Callable[[str], World], monkeypatch: pytest.MonkeyPatch,
) -> None:
    """So that what was heard before that letter is kept, whatever it does again."""
    world = place("contest")
    (world.folder / "w1.attempt").write_text("1 somewhere\n")
    kept = commits(monkeypatch)
    world.poll(LATER)
    assert kept
    assert set(kept) == {1}
    assert not (world.folder / "w1.attempt").exists()


@pytest.mark.parametrize(("limit", "value"), [("SECONDS", 0.0), ("OCTETS", 0)])
def test_a_group_ends_by_time_and_size(
    place: Callable[[str], World], monkeypatch: pytest.MonkeyPatch, limit: str, value: float,
) -> None:
    """Letters that take long, or are large, aren't kept waiting."""
    monkeypatch.setattr(poll_work, limit, value)
    kept = commits(monkeypatch)
    world = place("contest")
    world.poll(LATER)
    assert set(kept) == {1}


def test_what_was_heard_is_kept_when_the_mailbox_breaks_off(
    place: Callable[[str], World], monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An unreadable letter in the Maildir ends the fetch; those before it are in the ledger, and no time passes."""
    world = place("contest")
    monkeypatch.setattr("nomicwolf.post.source.MaildirSource._read", _broken_at("w2"))
    report = world.poll(LATER)
    assert report.status == 1
    with world.store() as store:
        assert store.check().received == 18
        assert not any("lynched" in write_entry(entry) for entry in store.record())


def _broken_at(name: str) -> Any:
    from nomicwolf.post.source import MaildirSource

    real = MaildirSource._read

    def read(source: MaildirSource, file: str, base: str) -> Any:
        if base.startswith(name):
            raise source._denied(OSError(5, "Input/output error", file))
        return real(source, file, base)

    return read
