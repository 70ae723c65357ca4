"""``read --text``: a body alone, as a value, a file or the standard input (the page on commands, part 3)."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from nomicwolf.cli.app import run

KNOWN = ["--players", "Ash,Gus", "--author", "Ash", "--to", "forum"]


def read(words: list[str], capsys: pytest.CaptureFixture[str]) -> list[list[str]]:
    """What each letter's deeds say, one list for each line of the output."""
    assert run(["read", *KNOWN, *words]) == 0
    return [[deed["says"] for deed in json.loads(line)["deeds"]] for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize("words", [["--text", "BODY", "--json"], ["--json", "--text", "BODY"],
                                   ["BODY", "--text", "--json"], ["--text", "--json", "BODY"]])
def test_a_body_is_read_from_a_file(words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The value may name a file, or be left out before one; headers are not looked for in it."""
    body = tmp_path / "body.txt"
    body.write_text("I vote for Gus.\n", encoding="utf-8")
    named = [word.replace("BODY", str(body)) for word in words]

    assert read(named, capsys) == [["vote Gus"]]


@pytest.mark.parametrize("words", [["--text", "--json"], ["--json", "--text"], ["--text", "-", "--json"],
                                   ["--text=-", "--json"]])
def test_a_body_is_read_from_the_standard_input(
    words: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where ``--text`` has no value, or ``-``."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"I vote for Gus.\n")))

    assert read(words, capsys) == [["vote Gus"]]


@pytest.mark.parametrize("text", ["I vote for Gus.", "I vote for Gus.\n" + "talk " * 2000, "I vote for Gus. \x00"])
def test_a_value_that_names_no_file_is_the_body(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    """However long it is."""
    assert read(["--json", "--text", text], capsys)[0] == ["vote Gus"]


def test_a_body_and_files_at_once_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A value that is a body leaves no place for files."""
    (tmp_path / "body.txt").write_text("I vote for Gus.\n", encoding="utf-8")

    assert run(["read", *KNOWN, "--text", "I vote for Gus.", str(tmp_path / "body.txt")]) == 2
    assert "leave out the files" in capsys.readouterr().err


def test_what_is_asked_is_told_in_sentences(capsys: pytest.CaptureFixture[str]) -> None:
    """The words that were not understood, why, and what to write: each a sentence of its own."""
    assert run(["read", *KNOWN, "--text", "No lynch"]) == 0
    assert "ambiguous: “No lynch”. If this is meant as a vote, write “I vote for NAME.”" in capsys.readouterr().out
