"""Whole contests of the other four rule sets are played again and are the same, letter for letter."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from nomicwolf.archive import verify
from nomicwolf.demo import run_demo
from nomicwolf.demo.play import letters_in, letters_out
from nomicwolf.ledger.store import Store
from nomicwolf.settings.load import load
from scripts.golden import EXAMPLES, PLAYED


@pytest.mark.parametrize("name", [name for name in PLAYED if name != "nomic-crossing"])
def test_a_rule_sets_contest_is_its_example(name: str, tmp_path: Path) -> None:
    """Every letter in and out is, byte for byte, that of ``examples/``; the session ends and can be verified."""
    demo = run_demo(name, *PLAYED[name], tmp_path / "demo", lambda kind, line: None)

    assert demo.ended
    settings = load(demo.folder / "contest", {})
    with closing(Store.open(settings.ledger.url, "demo", readonly=True)) as store:
        for folder, letters in (("in", letters_in(store)), ("out", letters_out(store))):
            kept = {path.name: path.read_bytes() for path in sorted((EXAMPLES / name / folder).iterdir())}
            assert letters == kept
    assert verify(demo.folder / "archive").differs == ()
