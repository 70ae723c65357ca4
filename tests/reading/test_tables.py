"""The kept parse tables are the grammar's own, and others are not taken."""

from __future__ import annotations

import json

import pytest
from lark import Lark
from lark.parsers.lalr_analysis import Shift

from nomicwolf.data import grammar_phrases, grammar_tables
from nomicwolf.reading import phrases
from nomicwolf.reading.language import STARTS, _FedByHand, _texts, made, parser, tables
from nomicwolf.reading.phrases import _table, kept_phrases, words_of
from nomicwolf.reading.tables import key_of, restored
from nomicwolf.reading.trees import Builder


def same(one: Lark, other: Lark) -> bool:
    """Walk through both automata at once, whatever numbers their states have: shifts and reductions are the same."""
    mine, theirs = one.parser.parser._parse_table, other.parser.parser._parse_table
    assert set(mine.start_states) == set(theirs.start_states) == set(STARTS)
    todo = [(mine.start_states[start], theirs.start_states[start]) for start in STARTS]
    seen = set(todo)
    while todo:
        here, there = todo.pop()
        if mine.states[here].keys() != theirs.states[there].keys():
            return False
        for name, (action, arg) in mine.states[here].items():
            as_there, arg_there = theirs.states[there][name]
            if (action is Shift) != (as_there is Shift) or (action is not Shift and arg != arg_there):
                return False
            if action is Shift and (arg, arg_there) not in seen:
                seen.add((arg, arg_there))
                todo.append((arg, arg_there))
    return len(seen) > 100


def test_the_kept_tables_are_those_of_the_grammar() -> None:
    """They are taken, and say the same as tables worked out anew: after a change, run ``scripts/tables.py``."""
    assert json.loads(grammar_tables())["key"] == key_of(_texts(), STARTS), "run: python scripts/tables.py"
    anew = made()
    assert same(parser(), anew)
    assert [t.name for t in parser().terminals] == [t.name for t in anew.terminals]
    assert [str(t.pattern) for t in parser().terminals] == [str(t.pattern) for t in anew.terminals]


def test_tables_of_another_grammar_are_not_taken() -> None:
    """Nor is a file that isn't there; what `tables` writes is taken."""
    key = key_of(_texts(), STARTS)
    assert restored("", key, _FedByHand, Builder()) is None
    assert restored(grammar_tables(), key_of([*_texts(), "more"], STARTS), _FedByHand, Builder()) is None
    found = restored(tables(), key, _FedByHand, Builder())
    assert found is not None
    assert same(found, parser())


def test_the_kept_phrases_are_those_of_the_grammar() -> None:
    """After a change, run ``scripts/tables.py``."""
    assert grammar_phrases() == kept_phrases(), "run: python scripts/tables.py"
    assert "i vote for" in words_of("_VOTE")


def test_phrases_of_another_grammar_are_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are made anew where there is no file, or one of another grammar."""
    kept = json.loads(grammar_phrases())
    for text in ("", json.dumps({**kept, "key": "another", "phrases": {}})):
        monkeypatch.setattr(phrases, "grammar_phrases", lambda text=text: text)
        found = _table.__wrapped__()
        assert (list(found.phrases.items()), found.words) == (list(kept["phrases"].items()), frozenset(kept["words"]))
        assert found.telling == kept["telling"]
