"""``read --text``: a body alone, as a value, a file or the standard input (the page on commands, part 3)."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from nomicwolf.cli.app import run
from tests.tables import each

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


def test_a_body_alone_is_nobodys_in_a_contests_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has no headers to tell its author or its way by: it is read as a letter to the forum, not as a stranger's."""
    made = ["--yes", "--contestmaster", "Murphy", "--address", "m@x.example", "--contest-address", "c@x.example",
            "--imap", "x.example", "--smtp", "x.example", "--user", "c", "--forum", "agora=f@x.example"]
    monkeypatch.setenv("NOMICWOLF_IMAP_PASSWORD", "secret")
    monkeypatch.setenv("NOMICWOLF_SMTP_PASSWORD", "secret")
    assert run(["init", str(tmp_path / "crossing"), *made]) == 0
    assert run(["-C", str(tmp_path / "crossing"), "party", "add", "Gus", "gus@x.example"]) == 0
    capsys.readouterr()

    assert run(["-C", str(tmp_path / "crossing"), "read", "--json", "--text", "I vote for Gus."]) == 0

    found = json.loads(capsys.readouterr().out)
    assert (found["bucket"], found["letter"]["to"], found["letter"]["author"]) == ("deeds", "forum", None)
    assert [deed["says"] for deed in found["deeds"]] == ["vote Gus"]


def test_what_is_asked_is_told_in_sentences(capsys: pytest.CaptureFixture[str]) -> None:
    """The words that were not understood, why, and what to write: each a sentence of its own."""
    assert run(["read", *KNOWN, "--text", "I will vote for Gus"]) == 0
    assert ("ambiguous: “I will vote for Gus”. It says what you will do or wish to, not what you do. Did you mean "
            "vote Gus?"
            in capsys.readouterr().out)


@each(("words", "says"), [
    ("before Friday 12:00 UTC", []), ("after tomorrow 9:00 UTC", []), ("3 hours from now", []),
    ("after 5 December 12:00 UTC", []),
    ("after 2026-12-04T12:00Z", ["vote Gus if it is after 2026-12-04T12:00Z, otherwise nobody"]),
    ("after 4 December 2026 12:00 UTC", ["vote Gus if it is after 2026-12-04T12:00Z, otherwise nobody"])])
def test_a_body_alone_has_no_date(words: str, says: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """So what hangs on the day it was written is asked about; a message has a date, and is understood by it."""
    assert read(["--json", "--text", f"I vote for Gus {words}."], capsys) == [says]

    assert run(["read", *KNOWN, "--text", f"I vote for Gus {words}."]) == 0
    assert ("Did you mean vote Gus?" in capsys.readouterr().out) is (says == [])


def test_a_message_is_dated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By its own head, where no server has stamped it."""
    (tmp_path / "vote.eml").write_text(
        "From: ash@example.org\nDate: Tue, 01 Dec 2026 10:00:00 +0000\n\nI vote for Gus before Friday 12:00 UTC.\n",
        encoding="utf-8")

    assert read(["--json", str(tmp_path / "vote.eml")], capsys) == [
        ["vote Gus if it is before 2026-12-04T12:00Z, otherwise nobody"]]


@pytest.mark.parametrize(("head", "bucket"), [
    ("List-Id: <agora.lists.example>\nPrecedence: bulk\n", "deeds"),
    ("X-BeenThere: agora@lists.example\nPrecedence: bulk\n", "deeds"),
    ("List-Id: <agora.lists.example>\nX-Auto-Response-Suppress: All\n", "deeds"),
    ("List-Id: <agora.lists.example>\nAuto-Submitted: auto-replied\n", "machine"),
    ("Precedence: bulk\n", "machine"),
])
def test_a_persons_letter_on_an_unknown_list_is_no_machines(
    head: str, bucket: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without settings a list is known by its own headers; most people's letters there have such a ``Precedence``."""
    letter = tmp_path / "letter.eml"
    letter.write_text(f"From: ash@players.example\n{head}\nI vote for Gus.\n", encoding="utf-8")

    assert run(["read", *KNOWN, "--json", str(letter)]) == 0
    assert json.loads(capsys.readouterr().out)["bucket"] == bucket


def test_a_private_letter_is_read_by_its_author_s_role(capsys: pytest.CaptureFixture[str]) -> None:
    """As in a game, where the contest knows it; and a role that is not there is told with those that are."""
    told = ["--text", "I think it's Gus tonight", "--to", "contestmaster"]
    assert read(["--json", *told], capsys) == [[]]
    assert read(["--json", *told, "--role", "werewolf"], capsys) == [["attack Gus"]]
    assert read(["--json", *told, "--role", "prophet", "--ruleset", "gadianton"], capsys) == [["see Gus"]]

    assert run(["read", *KNOWN, *told, "--role", "wolf"]) == 2
    assert "in nomic-crossing there are villager, werewolf" in capsys.readouterr().err


def test_each_sentence_is_told_with_what_decides_on_it(capsys: pytest.CaptureFixture[str]) -> None:
    """``--why``: the row of the mood table, what stands beside a clause, or that it has no deed."""
    text = "I would vote for Gus. I voted for Gus. The moon is full.\n\nI vote for Gus, maybe."
    assert run(["read", *KNOWN, "--json", "--why", "--text", text]) == 0
    told = json.loads(capsys.readouterr().out)["sentences"]
    assert [(one["comes_to"], one["row"]) for one in told] == [
        ("talk", "possibility"), ("talk", "report"), ("talk", "no deed"), ("asked about", "hedged")]
    assert "modal: WOULD" in told[0]["features"]

    assert run(["read", *KNOWN, "--why", "--text", text]) == 0
    told_why = capsys.readouterr().out
    assert "why, line 1: “I would vote for Gus.” is talk: possibility. It says what could be." in told_why
