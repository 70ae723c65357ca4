"""The demo plays whole contests, the same for the same seed, and leaves what it says."""

from __future__ import annotations

import tomllib
from contextlib import closing
from pathlib import Path

import pytest

from nomicwolf.archive import verify
from nomicwolf.demo import DemoError, run_demo
from nomicwolf.demo.play import letters_in, letters_out
from nomicwolf.ledger.store import Store
from nomicwolf.nomic.events import Awarded, Revealed
from nomicwolf.settings.load import load
from nomicwolf.village.events import Ended
from scripts.golden import EXAMPLES, PLAYED
from tests.demo.reach import letters_of, measured, opened
from tests.tables import each

EXAMPLE = Path(__file__).parents[2] / "examples" / "nomic-crossing"


def quiet(kind: str, line: str) -> None:
    """Show nothing."""


def letters(folder: Path) -> dict[str, bytes]:
    """Return the letters of an example's folder."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_the_usual_demo_is_the_example(tmp_path: Path) -> None:
    """Every letter in and out is, byte for byte, that of ``examples/nomic-crossing``."""
    demo = run_demo("nomic-crossing", 7, "8", tmp_path / "demo", quiet)

    assert demo.ended
    settings = load(demo.folder / "contest", {})
    with closing(Store.open(settings.ledger.url, "demo", readonly=True)) as store:
        assert letters_out(store) == letters(EXAMPLE / "out")
        assert letters_in(store) == letters(EXAMPLE / "in")
        assert store.verify() == []
        events = [e.event for e in store.record()]
    assert len([e for e in events if isinstance(e, Awarded)]) > 0
    assert len([e for e in events if isinstance(e, (Ended, Revealed))]) == 2
    assert len(list((demo.folder / "letters").iterdir())) == demo.letters
    assert verify(demo.folder / "archive").differs == ()


def test_the_show_tells_what_private_letters_say(tmp_path: Path) -> None:
    """They all have one subject, so whoever watches reads what stands in them: roles, and what is found out."""
    shown: list[str] = []
    run_demo("nomic-crossing", 7, "8", tmp_path / "demo", lambda kind, line: shown.append(f"{kind} {line}"))
    private = [line for line in shown if line.startswith("private ")]

    assert sum("This letter tells you alone what you are: " in line for line in shown) == 7
    assert any(line.startswith("text ") and ": villager (villagers)" in line for line in shown)
    assert any(line.startswith("text award ") and line.endswith(" in Agora") for line in shown)
    assert max(map(len, private)) <= 100 + len("private Murphy: ")


@pytest.mark.parametrize(("players", "seed"), [(5, "1"), (7, "5"), (10, "x")])
def test_any_deal_is_played_to_its_end(players: int, seed: str, tmp_path: Path) -> None:
    """However the cards fall, the players bring the session to an end by themselves."""
    demo = run_demo("nomic-crossing", players, seed, tmp_path / "demo", quiet)

    assert demo.ended


def test_it_tells_what_happens(tmp_path: Path) -> None:
    """The telling goes phase by phase, from the joining to the roles, with posts and letters between."""
    told: list[tuple[str, str]] = []
    run_demo("nomic-crossing", 5, "2", tmp_path / "demo", lambda kind, line: told.append((kind, line)))

    phases = [line for kind, line in told if kind == "phase"]
    assert phases[:2] == ["Players join", "The contestmaster starts a session"]
    assert "Day 1" in phases
    assert any(kind == "post" and "I vote for" in line for kind, line in told)
    assert [line for kind, line in told if kind == "letter"][-1].endswith("roles and seed")


def test_what_cannot_be_played_is_told(tmp_path: Path) -> None:
    """Too few players, no such rule set, a folder that is in use: a reason, and nothing started."""
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").touch()
    with pytest.raises(DemoError, match="needs 5 players"):
        run_demo("nomic-crossing", 4, "1", tmp_path / "demo", quiet)
    with pytest.raises(DemoError, match="no rule set"):
        run_demo("chess", 7, "1", tmp_path / "demo", quiet)
    with pytest.raises(DemoError, match="not empty"):
        run_demo("nomic-crossing", 7, "1", tmp_path / "full", quiet)


def test_the_examples_settings_are_good(tmp_path: Path) -> None:
    """Settings to copy can be read, once the password is there."""
    (tmp_path / "contest.toml").write_bytes((EXAMPLE / "contest.toml").read_bytes())
    (tmp_path / "mail.password").write_text("secret")

    settings = load(tmp_path, {})
    assert settings.contest.id == tomllib.loads((EXAMPLE / "contest.toml").read_text())["contest"]["id"]


@pytest.mark.parametrize("name", [name for name in PLAYED if name != "nomic-crossing"])
def test_a_rule_sets_contest_is_its_example(name: str, tmp_path: Path) -> None:
    """Every letter in and out is, byte for byte, that of ``examples/``; the session ends and can be verified."""
    demo = run_demo(name, *PLAYED[name], tmp_path / "demo", lambda kind, line: None)

    assert demo.ended
    settings = load(demo.folder / "contest", {})
    with closing(Store.open(settings.ledger.url, "demo", readonly=True)) as store:
        for folder, letters in (("in", letters_in(store)), ("out", letters_out(store))):
            kept = {path.name: path.read_bytes() for path in sorted((EXAMPLES / name / folder).iterdir())}
            assert letters == kept
    assert verify(demo.folder / "archive").differs == ()


@each("name", PLAYED)
def test_a_session_writes_to_players_when_there_is_something_to_say(name: str) -> None:
    """A whole session of each rule set, which `test_examples` and `test_demo` play again to the byte."""
    found = measured(letters_of(EXAMPLES / name))

    assert found.letters > len(found.readers)
    assert max(found.runs.values()) == 1
    assert found.news >= 0.95


@each("name", PLAYED)
def test_subjects_tell_letters_apart_and_no_secret(name: str) -> None:
    """On a phone a letter shows what it is; nothing on its lock screen names a role, a player or a deed."""
    subjects = measured(letters_of(EXAMPLES / name)).subjects
    secret = {"werewol", "seer", "witch", "hunter", "attack", "heal", "see ", "shoot", "mafia", "cop", "doctor", "ash",
              "bex", "cam", "dov", "eli", "fay", "gus", "hal"}

    assert len(subjects) >= 3
    assert not {s for s in subjects for word in secret if word in s.lower()}


@each("name", PLAYED)
def test_threads_join_letters_of_one_kind(name: str) -> None:
    """Public letters follow public ones; no private letter shares a thread with any."""
    letters = [opened(data) for data in letters_of(EXAMPLES / name)]
    public = [m for m in letters if m["Reply-To"] is None]
    ids = {str(m["Message-ID"]).strip() for m in public}

    assert {str(m["In-Reply-To"]).strip() for m in public if m["In-Reply-To"]} <= ids
    assert not {str(m["In-Reply-To"]).strip() for m in letters if m["Reply-To"] is not None} & ids
    assert all(m["List-Id"] for m in letters if m["Reply-To"] is not None)
