"""Letters under one Message-ID, of which one has come by its forum."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from nomicwolf.cli.app import run
from nomicwolf.contest import Contest
from nomicwolf.maillist import distributed
from nomicwolf.run.contest_setup import setup_of
from nomicwolf.settings import load, secret_of
from tests.run.world import BEGIN, FORUMS, World, letter, running_world

HOUR = 3600
LIST = replace(FORUMS["agora"], footer="")
"""Without a footer its copies say the same word by word."""


def unseen(here: World) -> list[str]:
    """The letters that no forum has stamped, as the record has it."""
    with here.store() as store:
        contest = Contest.of(setup_of(load(here.folder, {}), secret_of(here.settings).encode()), store.record())
    return [heard.message_id for _, heard in contest.recalled.unseen.values()]


def came(here: World, who: str, at: int, *, stamped: bool) -> None:
    """Let one and the same vote of *who*'s come in, from the list or right from em, and poll."""
    vote = letter("v1", who, "I vote for Gus.", BEGIN + HOUR)
    here.deliver("v1.list" if stamped else "v1.right", distributed(vote, LIST, at) if stamped else vote, at)
    assert here.poll(at + 60).status == 0


def test_a_copy_that_a_forum_stamped_ends_the_wait_for_it(tmp_path: Path) -> None:
    """Nothing more is awaited once its stamped copy has come, however often the record is folded."""
    with running_world(tmp_path / "contest") as here:
        came(here, "Ash", BEGIN + HOUR, stamped=False)
        assert unseen(here) == ["<v1@players.test>"]
        assert run(["-C", str(here.folder), "ledger", "verify"]) == 0

        came(here, "Ash", BEGIN + 2 * HOUR, stamped=True)
        assert unseen(here) == []
        assert run(["-C", str(here.folder), "ledger", "verify"]) == 0


def test_who_was_a_stranger_when_eir_letter_was_stamped_waits_for_nothing(tmp_path: Path) -> None:
    """A stranger's letter is nobody's, so its copy is heard by itself once e is known; its forum has had it."""
    with running_world(tmp_path / "contest") as here:
        came(here, "Ida", BEGIN + HOUR, stamped=True)
        assert here.command("party-add", BEGIN + 2 * HOUR, who="Ida", address="ida@players.test").status == 0
        came(here, "Ida", BEGIN + 3 * HOUR, stamped=False)

        assert unseen(here) == []
        assert run(["-C", str(here.folder), "ledger", "verify"]) == 0
