"""Reports are coloured on a terminal alone, and no acting character leaves the program but as an escape."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest

import nomicwolf.cli
from nomicwolf.cli import output
from nomicwolf.cli.app import run
from nomicwolf.cli.output import coloured, escaped
from tests.cli.terminal import CODES, on_a_terminal
from tests.post.scripted import SmtpScript, smtp_server
from tests.run.world import BEGIN, World, make_world, started

ACTING = [chr(code) for code in (*range(0x09), *range(0x0B, 0x20), *range(0x7F, 0xA0), 0x061C, 0x200E, 0x200F,
                                 *range(0x2028, 0x202F), *range(0x2066, 0x206A), 0xE0041)]
HOSTILE = "".join(f"a{char}" for char in ACTING)


def test_each_is_escaped_and_nothing_else_is() -> None:
    """Tabs, line feeds, joiners and letters of any script stay."""
    assert not set(ACTING) & set(escaped(HOSTILE))
    plain = "Jörg\tקמיע\n天火狐 a\u200db"
    assert escaped(plain) == plain


def test_json_says_the_same_as_before(capsys: pytest.CaptureFixture[str]) -> None:
    """An escape is what the character is, to whoever reads JSON."""
    output.say_json({"name": HOSTILE})
    output.say_json_list({"schema": 1}, "names", [{"name": HOSTILE}])
    one, many = capsys.readouterr().out.splitlines()
    assert not set(ACTING) & set(one + many)
    assert json.loads(one)["name"] == HOSTILE
    assert json.loads(many)["names"] == [{"name": HOSTILE}]


def test_reports_tables_and_complaints(capsys: pytest.CaptureFixture[str]) -> None:
    """All ways by which text for people is printed."""
    output.say(HOSTILE)
    output.say_report(HOSTILE)
    output.say_table(("who",), [(HOSTILE,)])
    output.complain(HOSTILE)
    printed = capsys.readouterr()
    assert not set(ACTING) & set(printed.out + printed.err)
    assert printed.out.count("\\u202e") == 3
    assert "\\u202e" in printed.err


def printed_by(tree: ast.AST) -> list[str]:
    """What each call of `print` in a module prints first, as it is written."""
    return [ast.unparse(call.args[0]) for call in ast.walk(tree) if isinstance(call, ast.Call)
            and isinstance(call.func, ast.Name) and call.func.id == "print"]


def test_nothing_is_printed_past_it() -> None:
    """Each `print` of a command's prints what is escaped, or words of ours."""
    folder = Path(nomicwolf.cli.__file__).parent
    found = [(file.name, said) for file in sorted(folder.rglob("*.py")) for said in
             printed_by(ast.parse(file.read_text(encoding="utf-8")))]
    assert len(found) > 5
    words = {"f'nomicwolf {__version__}'", "'nomicwolf: stopped'"}
    assert [each for each in found if not each[1].startswith("escaped(") and each[1] not in words] == []


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
