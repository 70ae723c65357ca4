"""`check` tells of a contest's own template that no letter could be made from."""

from __future__ import annotations

from pathlib import Path

import pytest

from nomicwolf.cli.app import run
from tests.post.scripted import SmtpScript, smtp_server
from tests.run.world import make_world, started


def test_a_broken_template_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that replaces no letter, before any letter needs it."""
    with smtp_server(SmtpScript()) as port:
        world = started(make_world(tmp_path / "contest", port, SmtpScript()))
        (world.folder / "templates").mkdir()
        (world.folder / "templates" / "public-lynching.txt").write_text("x", encoding="utf-8")

        run(["-C", str(world.folder), "check"])

    told = capsys.readouterr()
    assert "public-lynching.txt replaces no letter" in told.out + told.err
