"""Answers in several forms: a program gets the one that it asks for, or is told that it asks for two."""

from __future__ import annotations

import pytest

from nomicwolf.cli.app import run


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
