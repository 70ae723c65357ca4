"""Help, completion, forms of answers and colours, as somebody sees them who has never seen the program."""

from __future__ import annotations

import ast
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

import nomicwolf.cli
from nomicwolf.cli import output
from nomicwolf.cli.app import SECTIONS, app, order_of, run
from nomicwolf.cli.base import SYNONYMS
from nomicwolf.cli.output import coloured, escaped
from tests.cli.terminal import CODES, on_a_terminal
from tests.run.world import BEGIN, World, running_world
from tests.tables import each

GROUP: Any = get_command(app)
LEAVES = [[name, *below] for name, c in GROUP.commands.items() for below in ([n] for n in getattr(c, "commands", {}))]
LEAVES += [[name] for name, c in GROUP.commands.items() if not hasattr(c, "commands")]


def test_each_command_stands_in_one_section() -> None:
    """None is left out of the list that `nomicwolf` alone shows, and none is in it twice."""
    placed = [name for section in SECTIONS.values() for name in section]

    assert sorted(placed) == sorted(GROUP.commands)


def test_the_list_cuts_no_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever looks for a command reads to the end what each does, under what e wants."""
    assert run(["--help"]) == 0
    text = capsys.readouterr().out

    assert text.index("To begin:") < text.index("  init ") < text.index("Each day:") < text.index("  poll ")
    assert re.findall(r"\w\.\.\.$", text, re.MULTILINE) == []
    assert "Restore the ledger from a verified backup; the present one is kept beside it" in " ".join(text.split())


@each("words", LEAVES)
def test_help_speaks_no_python(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Arguments stand as in the handbook; a value is named by its option and not by a type."""
    assert run([*words, "--help"]) == 0
    text = capsys.readouterr().out

    assert re.findall(r"<(?:str|int|float|path|list|bool)[^>]*>", text) == []
    assert not set("{}") & set(text.partition("\n")[0])


@pytest.mark.parametrize(("words", "usage"), [
    (["party", "add"], "nomicwolf party add [OPTIONS] WHO [ADDRESS]"), (["read"], "nomicwolf read [OPTIONS] [FILE...]"),
    (["clock"], "nomicwolf clock [OPTIONS] NOMIC on|off"), (["archive"], "nomicwolf archive [OPTIONS] [DIR]"),
])
def test_the_first_line_is_the_call(words: list[str], usage: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What may be left out stands in brackets, words that are written as they are in small letters."""
    run([*words, "--help"])

    assert capsys.readouterr().out.splitlines()[0] == f"Usage: {usage}"


def test_a_wrong_choice_is_told_plainly(capsys: pytest.CaptureFixture[str]) -> None:
    """The error names what there is, and no library."""
    assert run(["party", "status", "Bex", "agora", "--player", "maybe"]) == 2

    told = capsys.readouterr().err
    assert "'maybe' is not one of 'yes', 'no'" in told
    assert "Value error" not in told


def test_what_is_missing_is_named_as_the_help_names_it(capsys: pytest.CaptureFixture[str]) -> None:
    """`party add` without a name: WHO, and what that is."""
    assert run(["party", "add"]) == 2
    assert "Missing argument WHO. The person's name" in capsys.readouterr().err


def test_an_order_that_is_wrong_leads_to_its_own_help() -> None:
    """Orders by mail and in rehearsals: the help of `party add`, not of `party`."""
    with pytest.raises(ValueError, match=r"See `nomicwolf party add --help`"):
        order_of(["party", "add", "Bex", "--foo"])


@each(("words", "meant"), [
    (["new", "crossing"], "init"), (["why", "Ash"], "explain"), (["log"], "history"), (["statsu"], "status"),
    (["join", "Ash"], "party add"),
])
def test_a_command_by_another_name_is_found(words: list[str], meant: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What other programs call it leads to what it is called here, as a slip of the finger does."""
    assert run(words) == 2
    told = capsys.readouterr().err

    assert f"Did you mean '{meant}'" in told
    assert meant.partition(" ")[0] in GROUP.commands
    assert set(SYNONYMS).isdisjoint(GROUP.commands)


@each(("words", "told", "never"), [
    (["explain"], "Missing argument WHAT. A player", "...."),
    (["odds", "nomic-crossing", "seven"], "it has to be a whole number", "parse"),
    (["odds", "foo", "7"], "foo: no such file, setup or rule set", "Traceback"),
    (["-C", __file__, "status"], f"{__file__}: is a file; -C names the folder", "Errno"),
    (["party", "key", "add", "Ash", "nope.asc"], "nope.asc: No such file or directory; look", "Errno"),
])
def test_a_slip_is_told_in_words(words: list[str], told: str, never: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What is wrong and what to write, in no library's or system's terms."""
    assert run(words) in (1, 2)
    said = capsys.readouterr().err

    assert told in said
    assert never not in said


@pytest.mark.parametrize("command", ["statistics", "award"])
def test_two_forms_of_one_answer(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is said in either; one of them was chosen in silence."""
    assert run([command, "--csv", "--json"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "--csv and --json are two forms of one answer; give one of them" in said.err


@pytest.mark.parametrize(("words", "order", "form"), [
    ("award --limit agora=50 --json", "--limit", "--json"), ("award --limit agora=50 --csv", "--limit", "--csv"),
    ("unsent --again 3 --json", "--again", "--json"),
])
def test_an_order_is_answered_in_words(
    words: str, order: str, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A program that asks for another form is told so, and nothing is done; it got words."""
    assert run(words.split()) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert f"{order} gives an order, and {form} shows how things stand" in said.err


@pytest.mark.parametrize(("words", "says"), [
    ("award --how x", "--how tells how the P of --limit comes about"), ("unsent --again x", "such as 7"),
])
def test_half_an_order_is_none(words: str, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What is missing, or what is no number, is told; it was passed over, or sought among the letters."""
    assert run(words.split()) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert says in said.err


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
    output.say_json({"schema": 1, "names": [{"name": HOSTILE}]})
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
    with running_world(tmp_path_factory.mktemp("coloured") / "contest") as made:
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


PROGRAM = [sys.executable, "-c", "from nomicwolf.cli.main import main; main()"]
SHELLS = [shell for shell in ("bash", "zsh", "fish") if shell == "bash" or shutil.which(shell)]


def asked(words: str, word: int) -> list[str]:
    """Return what bash is offered for the *word*-th of *words*."""
    told = {**os.environ, "_NOMICWOLF_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(word)}
    done = subprocess.run(PROGRAM, env=told, capture_output=True, text=True, check=True)
    return done.stdout.split()


@pytest.mark.parametrize(("words", "word", "offered"), [
    ("nomicwolf unse", 1, {"unsent"}),
    ("nomicwolf party a", 2, {"add", "alias", "address"}),
    ("nomicwolf unsent --ag", 2, {"--again"}),
    ("nomicwolf -C crossing wat", 3, {"watch"}),
])
def test_bash_is_offered_what_fits(words: str, word: int, offered: set[str]) -> None:
    """Commands, commands below commands, and options."""
    assert set(asked(words, word)) == offered


def test_completion_imports_nothing_heavy() -> None:
    """A shell asks at every press of Tab: neither the grammar nor the ledger is loaded for it."""
    code = "import sys, nomicwolf.cli.app; print(*sorted({'lark', 'sqlmodel', 'jinja2', 'textual'} & set(sys.modules)))"

    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "\n"


@pytest.mark.parametrize("shell", SHELLS)
def test_the_program_prints_its_completion(shell: str) -> None:
    """What ``--show-completion`` prints in a shell, which it looks for above it, can be read by that shell."""
    asking = f"{shlex.join([*PROGRAM, '--show-completion'])}; exit"
    done = subprocess.run([shell, "-c", asking], capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    assert "_NOMICWOLF_COMPLETE" in done.stdout
    assert subprocess.run([shell, "-n"], input=done.stdout, text=True, check=False).returncode == 0


def test_no_words_at_all_are_answered_with_the_help() -> None:
    """Whoever types the name alone is told what there is."""
    done = subprocess.run(PROGRAM, capture_output=True, text=True, check=False)

    assert done.returncode == 2
    assert "Usage: nomicwolf" in done.stderr
    assert "Traceback" not in done.stderr
