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

pytestmark = pytest.mark.slow

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

    assert sum("This letter tells you alone what you are: " in line for line in private) == 7
    assert any(line.startswith("text ") and ": villager, villagers" in line for line in shown)
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
