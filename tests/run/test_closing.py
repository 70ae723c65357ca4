"""Closing a stage fetches no mail, and says so: what was sent and not yet polled is not counted (D-A4)."""

from __future__ import annotations

from pathlib import Path

import pytest

from nomicwolf.cli.app import run
from nomicwolf.run import command
from tests.post.scripted import SmtpScript, smtp_server
from tests.run.world import BEGIN, World, letter, make_world

HOUR = 3600
FOUR = ("Ash", "Bex", "Cam", "Dov")


def nominating(folder: Path, port: int, smtp: SmtpScript) -> World:
    """A session of six-phases in its first nominations, the last letter at BEGIN + 60, polled at BEGIN + 169 hours."""
    world = make_world(folder, port, smtp)
    file = folder / "contest.toml"
    file.write_text(file.read_text().replace('id = "w1"', 'id = "w1"\nruleset = "six-phases"'))
    for name in FOUR:
        world.post(f"join-{name}", name, "I join this contract.", BEGIN + 60)
    world.poll(BEGIN + 120)
    assert world.command("start", BEGIN + 180, roles="mafioso", seed="7" * 64).status == 0
    for hours in range(24, 170, 24):
        world.poll(BEGIN + hours * HOUR)
    world.poll(BEGIN + 169 * HOUR)
    return world


def test_close_tells_what_was_fetched_last(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The preview names the last poll, the latest letter, and what to do; the real one what it was done without."""
    script = SmtpScript()
    with smtp_server(script) as port:
        world = nominating(tmp_path / "contest", port, script)
        ballot = letter("late", "Ash", "nominate Bex", BEGIN + 170 * HOUR, "wolf@contest.test")
        world.deliver("late", ballot, BEGIN + 170 * HOUR)
        at = BEGIN + 171 * HOUR
        foreseen = command(world.settings, "close", {}, lambda: at, dry_run=True).said
        done = world.command("close", at)

    assert "The mailbox was last read at Tue 8 Dec 2026 01:00 UTC" in foreseen
    assert "the latest letter from it came at Tue 1 Dec 2026 00:01 UTC." in foreseen
    assert "not counted in this stage (D-A4): to count it, say `nomicwolf poll` first." in foreseen
    assert "last read at Tue 8 Dec 2026 01:00 UTC" in done.said
    assert "`nomicwolf poll` first" not in done.said
    assert "nomicwolf poll" not in world.command("extend", at, until="2027-01-01T00:00Z").said

    assert run(["close", "--help"]) == 0
    assert "It fetches no mail" in capsys.readouterr().out
