"""Help and forms of answers, as somebody reads them who has never seen the program."""

from __future__ import annotations

import re
from typing import Any

import pytest
from typer.main import get_command

from nomicwolf.cli.app import app, order_of, run
from nomicwolf.cli.base import SECTIONS, SYNONYMS
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
    (["odds", "foo", "7"], "There is no rule set 'foo'; there are", "Possible"),
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
