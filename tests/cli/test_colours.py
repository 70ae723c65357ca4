"""On a terminal reports are coloured, in a pipe they are plain, and the words are the same."""

from __future__ import annotations

import re

import pytest

from nomicwolf.cli.app import run
from nomicwolf.cli.output import coloured
from tests.cli.terminal import CODES, on_a_terminal
from tests.post.scripted import SmtpScript, smtp_server
from tests.run.world import BEGIN, World, make_world, started


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    """A contest with a vote, a ruling that looks like markup, and a night in which something is owed."""
    with smtp_server(SmtpScript()) as port:
        made = started(make_world(tmp_path_factory.mktemp("coloured") / "contest", port, SmtpScript()))
        made.post("v1", "Ash", "I vote for Gus.", BEGIN + 3600)
        made.poll(BEGIN + 3700)
        made.command("ruling", BEGIN + 3800, text="[bold]All[/bold] [link=https://x.example]is well", authority="NC 3")
    return made


@pytest.mark.parametrize("words", ["status", "votes", "history", "parties", "award", "held"])
def test_a_pipe_gets_plain_words(world: World, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Where there is no terminal no code is printed; what would be coloured keeps every word."""
    assert run(["-C", str(world.folder), words]) == 0
    plain = capsys.readouterr().out

    assert "\x1b" not in plain
    assert coloured(plain).plain == plain


def test_a_terminal_has_colours(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    """Instants stand out, what players wrote is no markup, and NO_COLOR is heard."""
    assert run(["-C", str(world.folder), "history"]) == 0
    plain = capsys.readouterr().out
    shown = on_a_terminal("-C", str(world.folder), "history")

    assert "\x1b[36mTue 1 Dec 2026 00:00 UTC\x1b[0m" in shown
    assert CODES.sub("", shown) == plain
    assert "[bold]All[/bold] [link=https://x.example]is well" in plain
    assert not re.search(r"\x1b\[3[0-9]m", on_a_terminal("-C", str(world.folder), "history", NO_COLOR="1"))


def test_what_is_late_is_red() -> None:
    """A deadline that has passed is seen at once."""
    text = coloured("Owed:\n  Cam  see  since Tue 1 Dec 2026 10:00 UTC; act-for is open (NC 1j)")
    styles = {str(text)[span.start:span.end]: span.style for span in text.spans}

    assert styles["act-for is open"] == "bold red"
    assert styles["Owed:"] == "bold"
    assert styles["Tue 1 Dec 2026 10:00 UTC"] == "cyan"
