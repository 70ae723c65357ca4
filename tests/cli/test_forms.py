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
