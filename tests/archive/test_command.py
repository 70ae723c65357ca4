"""``nomicwolf archive`` and ``nomicwolf verify`` on a contest's folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nomicwolf.cli.app import run
from nomicwolf.cli.output import progress_bar
from nomicwolf.ledger.store import Store
from nomicwolf.ledger.transaction import Step
from tests.archive.stories import play
from tests.contest.world import START, World
from tests.run.world import BEGIN, letter, running_world

TOML = """
[contest]
id = "wolf"
contestmaster = {name = "Murphy", addresses = ["murphy@murphy.example"]}
[maildir]
path = "mail"
[smtp]
host = "127.0.0.1"
security = "none"
from = "wolf@wolf.example"
[nomic.agora]
forum = "agora-business@agora.example"
[nomic.b]
forum = "spoon-business@b.example"
[archive]
path = "pages"
url = "https://wolf.example/"
"""


@pytest.fixture
def contest(tmp_path: Path) -> Path:
    """A contest's folder with a ledger that tells of a whole session; all its letters are sent."""
    (tmp_path / "contest.toml").write_text(TOML)
    world = play(World())
    with Store.create(f"sqlite:///{tmp_path}/contest.db", "wolf") as store:
        store.append(Step(0, world.contest.entries, owed=world.sent, now=START))
        for owed in store.outbox().owed():
            store.outbox().mark_sending(owed.letter.key, b"", f"<{owed.number}@wolf.example>", START)
            store.outbox().mark_sent(owed.letter.key, START)
    return tmp_path


def test_an_archive_is_written_and_verified(contest: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It goes where archive.path says, tells what it did, and verifies; what is changed in it does not."""
    pages = contest / "pages"
    assert run(["-C", str(contest), "archive"]) == 0
    said = capsys.readouterr().out
    assert run(["-C", str(contest), "archive", "--json"]) == 0
    again = json.loads(capsys.readouterr().out)
    assert run(["verify", str(pages), "--json"]) == 0
    verdict = json.loads(capsys.readouterr().out)

    assert f"{pages / 'index.html'}: {again['files']} files" in said
    assert again == {"schema": 1, "folder": str(pages), "files": again["files"], "changed": 0, "removed": 0}
    assert verdict["verified"] is True
    assert "https://wolf.example/letters" in (pages / "feed.atom").read_text()
    assert "Bex is lynched" in (pages / "letters" / "session-1.html").read_text()

    (pages / "awards.html").write_text("I won.")
    assert run(["verify", str(pages)]) == 1
    out, err = capsys.readouterr()
    assert out.startswith("This differs")
    assert "awards.html: is not the file that SHA256SUMS lists" in err


def test_it_can_be_written_elsewhere(contest: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The folder may be named; one that can't be written is an error with the next step."""
    assert run(["-C", str(contest), "archive", str(contest / "elsewhere")]) == 0
    assert (contest / "elsewhere" / "index.html").is_file()
    (contest / "file").write_text("")
    assert run(["-C", str(contest), "archive", str(contest / "file")]) == 1
    assert "; name a folder" in capsys.readouterr().err
    assert run(["-C", str(contest), "archive", str(contest / "file" / "below")]) == 1
    assert "make the folder writable" in capsys.readouterr().err


def test_what_is_no_archive_is_wrong_use(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`commands.md`: exit status 2, and what to name instead."""
    assert run(["verify", str(tmp_path)]) == 2
    assert "record.json" in capsys.readouterr().err


def test_progress_is_shown_on_a_terminal_when_it_lasts(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A bar after a second of work, on standard error; nothing before, and nothing where there is no terminal."""
    with progress_bar("Writing pages") as told:
        assert told is None
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with progress_bar("Writing pages", patience=3600) as told:
        assert told is not None
        told(1, 2)
    assert capsys.readouterr() == ("", "")
    with progress_bar("Writing pages", patience=0) as told:
        assert told is not None
        told(1, 2)
    assert "Writing pages" in capsys.readouterr().err


def test_players_letters_come_from_the_ledger(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What came by mail through a forum is in the archive with its words; private letters are not, nor any address."""
    with running_world(tmp_path / "contest") as world:
        world.post("v1", "Ash", "I vote for Gus.\nSee you, ash@players.test", BEGIN + 3600)
        private = letter("p1", "Bex", "help, says bex in private", BEGIN + 3700, "wolf@contest.test")
        world.deliver("p1", private, BEGIN + 3700)
        assert world.poll(BEGIN + 4000).status == 0
    assert run(["-C", str(world.folder), "archive", str(tmp_path / "pages")]) == 0
    capsys.readouterr()
    assert run(["verify", str(tmp_path / "pages")]) == 0
    everything = b"".join(path.read_bytes() for path in (tmp_path / "pages").rglob("*") if path.is_file()).decode()

    assert "See you, ash@\u2026" in (tmp_path / "pages" / "letters" / "session-1.html").read_text()
    assert "says bex in private" not in everything
    assert "players.test" not in everything
