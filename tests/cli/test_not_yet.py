"""What the contestmaster is told of what waits: a ballot for earlier mail, the contest for its time."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from nomicwolf.cli.app import run
from tests.post.scripted import SmtpScript, smtp_server
from tests.run.world import BEGIN, PLAYERS, make_world


def test_a_ballot_that_waits_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """D-N9: within the ten minutes a ballot isn't counted; ``explain`` says so, and ``status`` when it will be."""
    with smtp_server(SmtpScript()) as port:
        world = make_world(tmp_path / "contest", port, SmtpScript())
        settings = world.folder / "contest.toml"
        settings.write_text(settings.read_text().replace("settling = 0", "settling = 10"))
        for who in PLAYERS:
            assert world.command("party-add", who=who, address=f"{who.lower()}@players.test").status == 0
        assert world.command("start", seed="1").status == 0
        assert run(["-C", str(world.folder), "status"]) == 0
        silent = re.search("Time acts next: (.*) by", capsys.readouterr().out)
        assert silent is not None, "day 1 has no end, but whoever is silent is named in the end"
        world.post("v1", "Bex", "I vote for Gus.", BEGIN + 3600)
        assert world.poll(BEGIN + 3660).status == 0
        assert run(["-C", str(world.folder), "explain", "Bex"]) == 0
        explained = " ".join(capsys.readouterr().out.split())
        assert run(["-C", str(world.folder), "status"]) == 0
        status = capsys.readouterr().out

    assert "Bex has no vote standing" in explained
    assert "Waiting: 'vote Gus' of " in explained
    assert "mail with earlier stamps may still come first" in explained
    acts = re.search("Time acts next: (.*) by", status)
    assert acts is not None
    assert acts[1] != silent[1]
