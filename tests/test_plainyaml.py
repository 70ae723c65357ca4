"""YAML and JSON whose scalars stay texts."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomicwolf.plainyaml import PlainYamlError, load, truth
from tests.tables import each


def test_scalars_stay_as_they_stand() -> None:
    """Names that YAML or JSON would take for something else."""
    assert load("[No, 0x44, 1e3, null, ~, 2026-12-01, yes, 007, true]") == [
        "No", "0x44", "1e3", "null", "~", "2026-12-01", "yes", "007", "true",
    ]
    assert load('{"a": 1e3, "b": 007}') == {"a": "1e3", "b": "007"}
    assert load('{"a": 1.50, "b": true, "c": null, "d": [false]}') == {
        "a": "1.50", "b": "true", "c": "", "d": ["false"],
    }
    assert load("at: 2026-12-01T12:00Z\nempty:") == {"at": "2026-12-01T12:00Z", "empty": ""}


def test_nothing_is_the_empty_text() -> None:
    """An empty file is no error of its own."""
    assert load("") == load("# a comment only\n") == ""


@each(("text", "words"), [
    ("a: 1\nb: 2\na: 3", "line 3: “a” stands twice"),
    ('{"a": 1, "a": 2}', "“a” stands twice"),
    ("a: &x [1]\nb: *x", "line 2: aliases"),
    ("[a, b", "line 1"),
    ("? [a]\n: b", "line 1: a key must be a text"),
    ("a: \x07", "no YAML"),
    ("[" * 50_000, "nested too deeply"),
    ("x" * 4_000_001, "more than 4,000,000 characters"),
])
def test_what_cannot_be_read_is_told_with_its_place(text: str, words: str) -> None:
    """Every refusal says where and what to do."""
    with pytest.raises(PlainYamlError, match="(?s)" + words.replace("*", r"\*")):
        load(text)


def test_json_with_tabs_and_halves() -> None:
    """What is JSON but not YAML is read all the same."""
    assert load('{\n\t"a":\t"\\ud83d\\ude00"\n}') == {"a": "\U0001f600"}


def test_truth() -> None:
    """Only the two words, in any case."""
    assert [truth(word) for word in ("true", "False", True, "yes", "", "1")] == [True, False, True, None, None, None]


TREES = st.recursive(st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=8)


@given(st.lists(TREES))
def test_json_of_texts_comes_back(value: object) -> None:
    """Any nest of lists, mappings and texts survives."""
    assert load(json.dumps(value)) == value
