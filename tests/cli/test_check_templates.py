"""`check` tells of a contest's own template that no letter could be made from."""

from __future__ import annotations

from pathlib import Path

import pytest

from nomicwolf.cli.app import run
from tests.post.scripted import SmtpScript, smtp_server
from tests.run.world import BEGIN, make_world, started


def test_a_broken_template_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that replaces no letter, before any letter needs it."""
    with smtp_server(SmtpScript()) as port:
        world = started(make_world(tmp_path / "contest", port, SmtpScript()))
        (world.folder / "templates").mkdir()
        (world.folder / "templates" / "public-lynching.txt").write_text("x", encoding="utf-8")

        run(["-C", str(world.folder), "check"])

    told = capsys.readouterr()
    assert "public-lynching.txt replaces no letter" in told.out + told.err


def test_a_template_that_is_no_utf8_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By the check, whose test letter isn't made then, and by a poll, which has letters to hear: with what to do."""
    said = "templates/journal.txt: 'utf-8' codec can't decode byte 0xff"
    with smtp_server(SmtpScript()) as port:
        world = started(make_world(tmp_path / "contest", port, SmtpScript()))
        (world.folder / "templates").mkdir()
        (world.folder / "templates" / "journal.txt").write_bytes(b"\xff")
        world.post("m", "Ash", "hello", BEGIN + 60)
        capsys.readouterr()

        assert run(["-C", str(world.folder), "check", "--send"]) == 1
        assert capsys.readouterr().err.count(said) == 2
        report = world.poll(BEGIN + 120)

    assert report.status == 1
    assert said in report.said[0]
    assert "save it as a UTF-8 file that this user can read" in report.said[0]
