"""Orders that put something right, as the command line understands them."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from nomicwolf.cli.app import order_of, run
from tests.post.scripted import SmtpScript, smtp_server
from tests.run.world import make_world, started
from tests.tables import each


@each(("line", "name", "args"), [
    ("substitute Gus Ida --address ida@x.example", "substitute",
     {"old": "Gus", "new": "Ida", "address": "ida@x.example"}),
    ("undo 117 --why 'a slip' --authority 'CFJ 9'", "undo", {"number": "117", "why": "a slip", "authority": "CFJ 9"}),
    ("contestmaster b Root --how elected", "contestmaster", {"nomic": "b", "who": "Root", "how": "elected"}),
    ("claim 3 --by Bex --why wrong", "claim", {"number": "3", "who": "Bex", "why": "wrong"}),
    ("claim 3 --answer denied --why right --session 2", "claim",
     {"number": "3", "answer": "denied", "why": "right", "session": "2"}),
    ("correct 3 --amount 11 --why 'P was 45'", "correct", {"number": "3", "amount": "11", "why": "P was 45"}),
    ("party status Bex agora --player yes --first-class no", "party-status",
     {"who": "Bex", "nomic": "agora", "player": "yes", "first-class": "no"}),
])
def test_an_order_says_what_was_written(line: str, name: str, args: dict[str, str]) -> None:
    """Each becomes the command of the same name, with what was given and nothing else."""
    order = order_of(shlex.split(line))

    assert (order.name, dict(order.args)) == (name, args)


def test_an_order_for_a_phase_is_refused_in_another(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What was meant for night 1 does nothing on day 1, dry or not; the award book is CSV with a head line."""
    with smtp_server(SmtpScript()) as port:
        world = started(make_world(tmp_path / "contest", port, SmtpScript()))
        folder = str(world.folder)
        at = ["--at", "2026-12-01T06:00Z"]
        assert run(["-C", folder, "substitute", "Gus", "Ida", "--phase", "night 1", *at]) == 1
        assert "meant for night 1, and it is day 1" in capsys.readouterr().err
        assert run(["-C", folder, "party", "add", "Ida", "ida@players.test", *at]) == 0
        before = world.record()
        assert run(["-C", folder, "substitute", "Gus", "Ida", "--phase", "day 1", "--dry-run", *at]) == 0
        told = capsys.readouterr().out
        assert "Nothing was done, as this was a dry run. It would have said:\nIda plays on for Gus" in told
        assert "All would see: Ida takes over from Gus\n" in told
        assert world.record() == before
        assert run(["-C", folder, "award", "--csv"]) == 0

    assert capsys.readouterr().out == "session,ruleset,number,at,nomic,who,what,amount,corrects,claim\n"
