"""The contest done again from its ledger: the same to the letter, and what would have been without one."""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from nomicwolf import __version__
from nomicwolf.cli.app import run
from nomicwolf.contest import hear
from nomicwolf.nomic.events import Asked
from nomicwolf.run import poll_work
from tests.run.world import BEGIN, World, letter, running_world

pytestmark = pytest.mark.slow

HOUR = 3600


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> World:
    """Return a contest in which a day was played: votes, a private letter, a held one, commands, a lynching."""
    with running_world(tmp_path_factory.mktemp("template") / "contest") as world:
        played(world)
        return world


def played(world: World) -> None:
    """Let a day be played, with four for Gus at the end, one of whom could have been held back."""
    world.post("m1", "Ash", "I vote for Gus.", BEGIN + HOUR)
    world.deliver("m2", letter("m2", "Bex", "status", BEGIN + HOUR, to="wolf@contest.test"), BEGIN + HOUR)
    world.poll(BEGIN + HOUR + 60)
    world.post("m3", "Bex", "I vote for Gus.\nI vote for Hall.", BEGIN + 2 * HOUR)
    two = letter("m4", "Cam", "I vote for Gus.", BEGIN + 2 * HOUR).replace(b"From: ", b"From: x@y.test\r\nFrom: ")
    world.deliver("m4", two, BEGIN + 2 * HOUR)
    world.poll(BEGIN + 2 * HOUR + 60)
    [held] = [e for e in world.store().record() if e.event.name == "letter-held"]
    assert world.command("release", BEGIN + 3 * HOUR, number=str(held.event.letter),  # type: ignore[attr-defined]
                         author="Cam").status == 0
    world.post("m5", "Dov", "I vote for Gus.", BEGIN + 4 * HOUR)
    assert world.poll(BEGIN + 4 * HOUR + 60).status == 0


def told(capsys: pytest.CaptureFixture[str], world: World, *words: str) -> tuple[int, dict[str, object]]:
    """Run ``replay --json`` and return its status and what it prints."""
    capsys.readouterr()
    status = run(["-C", str(world.folder), "replay", *words, "--json"])
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return status, found


def number_of(world: World, name: str) -> str:
    """Return the number of the entry that tells of the letter called *name*."""
    with world.store() as store:
        return str(next(kept.entry for kept in store.letters() if f"<{name}@" in kept.letter.message_id))


def test_everything_comes_out_again(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    """Every entry and every letter owed is made again from letters, commands and ticks, and is the same."""
    with world.store() as store:
        entries, owed = store.last(), store.counts().owed
    status, found = told(capsys, world)
    assert (status, found) == (
        0, {"schema": 1, "same": True, "events": entries, "letters": owed, "differs": [], "given": 0, "worded": []})


def test_runs_of_one_second_come_out_again(file_world: World, capsys: pytest.CaptureFixture[str]) -> None:
    """Two runs in one second each answer what they hear twice once: the ledger knows one from the other (D-N47)."""
    at, taken = BEGIN + 5 * HOUR, file_world.smtp.taken
    for run_ in ("r1", "r2"):
        before = len(taken)
        for place in ("a", "b"):
            name = run_ + place
            file_world.deliver(name, letter(name, "Eli", "status", at, to="wolf@contest.test"), at)
        assert file_world.poll(at).status == 0
        assert [to for to, _ in taken[before:]] == ["eli@players.test"]

    assert told(capsys, file_world)[1]["differs"] == []


def test_a_letter_whose_file_has_an_odd_name_comes_out_again(
    file_world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    """Bytes that are no text in its name: the letter has one place, in the ledger and wherever it is told."""
    at = BEGIN + 5 * HOUR
    file_world.deliver(os.fsdecode(b"m6\xff"), letter("m6", "Eli", "status", at, to="wolf@contest.test"), at)
    assert file_world.poll(at + 60).status == 0

    assert told(capsys, file_world)[1]["differs"] == []


def test_a_holiday_that_was_undone_comes_out_again(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    """D-N37: replay makes the record again; the archive's page of letters tells it, and its proof holds."""
    days = {"nomic": "agora", "from": "2026-12-03", "to": "2026-12-09"}
    at = BEGIN + 5 * HOUR
    assert world.command("holiday", at, **days).status == 0
    assert world.command("holiday", at + 60, **days, undo="yes", why="it was last year").status == 0
    assert world.command("holiday", at + 120, **days, undo="yes", why="it was last year").status == 1
    assert world.poll(at + 180).status == 0
    status, found = told(capsys, world)
    assert (status, found["same"], found["differs"]) == (0, True, [])

    pages = world.folder / "pages"
    assert run(["-C", str(world.folder), "archive", str(pages)]) == 0
    assert run(["verify", str(pages)]) == 0
    shown = " ".join("".join(page.read_text() for page in pages.rglob("*.html")).split())
    assert "there is no holiday in Agora from Thu 3 Dec 2026 00:00 UTC to Thu 10 Dec 2026 00:00 UTC" in shown


def test_the_ledgers_proof_does_it_again(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    """`ledger verify` replays as well as it looks at the chain."""
    assert run(["-C", str(world.folder), "ledger", "verify"]) == 0
    assert "made again: all is the same" in capsys.readouterr().out


def test_how_it_stood(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    """With --until nothing later is heard, and it is told how things stood."""
    status, before = told(capsys, world, "--until", "2026-12-01T03:30:00Z")
    _, after = told(capsys, world)
    assert (status, before["phase"], before["dead"]) == (0, "day 1", [])
    assert 0 < before["events"] < after["events"]  # type: ignore[operator]


def test_what_would_have_been(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    """Without the fourth vote nobody was lynched; without a question nothing is otherwise; copies go too."""
    status, found = told(capsys, world, "--without", number_of(world, "m5"))
    differs = "\n".join(found["differs"])  # type: ignore[arg-type]
    assert (status, found["phase"], found["dead"]) == (0, "day 1", [])
    assert "lynched" in differs
    status, found = told(capsys, world, "--without", "<m2@players.test>")
    assert (status, found["differs"], found["dead"]) == (0, [], ["Gus"])


def test_commands_about_what_never_was_are_left_out(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    """A release of the letter that is taken away would have been about nothing; others keep their letters."""
    _, found = told(capsys, world, "--without", number_of(world, "m4"))
    assert found["missing"] == [f"release {number_of(world, 'm4')}"]
    assert found["dead"] == []
    _, found = told(capsys, world, "--without", number_of(world, "m1"))
    assert found["missing"] == []


def test_a_letter_that_never_came(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    """An unknown letter is told, with where the numbers are found."""
    assert run(["-C", str(world.folder), "replay", "--without", "9999"]) == 1
    assert "`nomicwolf history` shows the numbers" in capsys.readouterr().err


def test_another_program_is_found_out(
    world: World, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Words of a template that have changed since are told letter by letter; the settings of then count, not today's.

    The contest's own templates are kept with what happened, so changing them now differs in nothing.
    """
    (world.folder / "templates").mkdir()
    (world.folder / "templates" / "lynching.txt").write_text("Something else.\n")
    assert told(capsys, world)[1]["same"] is True

    def other(*args: object) -> object:
        outcome = hear(*args)  # type: ignore[arg-type]
        object.__setattr__(outcome, "letters", outcome.letters[1:])
        return outcome

    monkeypatch.setattr("nomicwolf.run.replay.hear", other)
    status, found = told(capsys, world)
    assert (status, found["same"]) == (1, False)
    assert all("isn't made now" in line for line in found["differs"])  # type: ignore[attr-defined]


def test_what_another_version_worded_otherwise_is_no_fault(
    world: World, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other words in letters, or in why something is asked, are told with both versions; by one version they differ."""

    def reworded(*args: object) -> object:
        outcome = hear(*args)  # type: ignore[arg-type]
        letters = tuple(replace(o, body=f"{o.body}P.S.\n") for o in outcome.letters)
        entries = tuple(
            replace(e, event=replace(e.event, hint="What?")) if isinstance(e.event, Asked) else e
            for e in outcome.entries)
        object.__setattr__(outcome, "letters", letters)
        object.__setattr__(outcome, "entries", entries)
        return outcome

    monkeypatch.setattr("nomicwolf.run.replay.hear", reworded)
    status, found = told(capsys, world)
    assert (status, found["same"], found["worded"]) == (1, False, [])
    assert any(line.startswith("entry ") for line in found["differs"])  # type: ignore[attr-defined]

    monkeypatch.setattr("nomicwolf.run.replay.__version__", "9.9")
    status, after = told(capsys, world)
    assert (status, after["same"], after["differs"]) == (0, True, [])
    assert after["worded"] == [f"{line}: written by nomicwolf {__version__}; this is 9.9"
                               for line in found["differs"]]  # type: ignore[attr-defined]
    assert run(["-C", str(world.folder), "ledger", "verify"]) == 0
    assert "all is the same but for words, which may differ between versions" in capsys.readouterr().out


def test_what_another_version_made_of_it_otherwise_is_a_fault(
    world: World, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Letters to others, or none, are no matter of words, whichever version it was."""

    def other(*args: object) -> object:
        outcome = hear(*args)  # type: ignore[arg-type]
        object.__setattr__(outcome, "letters", tuple(replace(o, to="x@y.test") for o in outcome.letters))
        return outcome

    monkeypatch.setattr("nomicwolf.run.replay.hear", other)
    monkeypatch.setattr("nomicwolf.run.replay.__version__", "9.9")
    status, found = told(capsys, world)
    assert (status, found["same"], found["worded"]) == (1, False, [])


def test_a_changed_ledger_is_found_out(file_world: World, capsys: pytest.CaptureFixture[str]) -> None:
    """An entry that someone rewrote, chain and all, isn't what its letter comes to."""
    with closing(sqlite3.connect(file_world.folder / "contest.db")) as database:
        database.execute("DROP TRIGGER keep_entries_update")
        database.execute("UPDATE entries SET data = replace(data, '\"Gus\"', '\"Fay\"') WHERE kind = 'lynched'")
        database.commit()
    status, found = told(capsys, file_world)
    assert status == 1
    assert any("lynched" in line and "now it is" in line for line in found["differs"])  # type: ignore[attr-defined]


def test_a_letter_in_another_bucket_is_found_out(file_world: World, capsys: pytest.CaptureFixture[str]) -> None:
    """What `status` counts is what the record tells, of letters that were held and released, too."""
    with closing(sqlite3.connect(file_world.folder / "contest.db")) as database:
        database.execute("UPDATE letters SET bucket = 'machine' WHERE author = 'Ash' AND bucket = 'deeds'")
        database.commit()
    status, found = told(capsys, file_world)
    assert status == 1
    assert any("are kept as machine, and the record has 0" in line
               for line in found["differs"])  # type: ignore[attr-defined]


def test_a_happening_that_is_gone_is_named(file_world: World, capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever takes one out, that its entries be taken as they stand, leaves a gap in the numbers."""
    with closing(sqlite3.connect(file_world.folder / "contest.db")) as database:
        database.execute("DROP TRIGGER keep_happenings_delete")
        database.execute("DELETE FROM happenings WHERE number = 2")
        database.commit()
    assert run(["-C", str(file_world.folder), "ledger", "verify"]) == 1
    assert "happening 3: number 2 is gone" in capsys.readouterr().err


def test_letters_set_aside_come_out_again(file_world: World, monkeypatch: pytest.MonkeyPatch,
                                          capsys: pytest.CaptureFixture[str]) -> None:
    """A letter that a defect set aside is set aside in the replay too."""

    def broken(contest: object, happening: object, *rest: object) -> object:
        if getattr(getattr(happening, "letter", None), "body", "").startswith("poison"):
            raise RuntimeError("a defect")
        return hear(contest, happening, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(poll_work, "hear", broken)
    file_world.deliver("m9", letter("m9", "Fay", "poison", BEGIN + 5 * HOUR), BEGIN + 5 * HOUR)
    assert file_world.poll(BEGIN + 5 * HOUR).status == 1
    assert told(capsys, file_world)[1]["same"] is True


def test_an_older_ledger_is_taken_as_it_stands(file_world: World, capsys: pytest.CaptureFixture[str]) -> None:
    """Entries of which nothing tells what they followed from are counted as given, never called proved."""
    with closing(sqlite3.connect(file_world.folder / "contest.db")) as database:
        for table in ("happenings", "setups"):
            database.execute(f"DROP TRIGGER keep_{table}_delete")
            database.execute(f"DELETE FROM {table}")
        database.commit()
    file_world.post("m6", "Eli", "I vote for Fay.", BEGIN + 5 * HOUR)
    file_world.poll(BEGIN + 5 * HOUR)
    with file_world.store() as store:
        last = store.last()
    status, found = told(capsys, file_world)
    assert (status, found["same"]) == (0, True)
    assert found["given"]
    assert found["events"]
    assert found["given"] + found["events"] == last  # type: ignore[operator]
