"""The words of the grammar: the phrases of its terminals (`grammar/words.lark`), and where they stand in a text."""

from __future__ import annotations

import re
from functools import cache

from nomicwolf.data import grammar_text
from nomicwolf.reading.tries import Trie

_RUN = re.compile(r"[^\W_]+")
_TERMINAL = re.compile(r"^([A-Z_]+): (.*(?:\n {4}\| .*)*)", re.MULTILINE)
_PHRASE = re.compile(r'"([^"]*)"')


@cache
def phrases() -> dict[str, tuple[str, ...]]:
    """Return the phrases of each terminal, the longest first, as Lark tries them."""
    return {
        name: tuple(sorted(_PHRASE.findall(alternatives), key=len, reverse=True))
        for name, alternatives in _TERMINAL.findall(grammar_text("words"))
    }


@cache
def vocabulary() -> Trie[str]:
    """Every phrase of the grammar, to the names of the terminals that it can be."""
    found: Trie[str] = Trie()
    for terminal, alternatives in phrases().items():
        for phrase in alternatives:
            found.add(phrase, terminal)
    return found


@cache
def words() -> frozenset[str]:
    """All words, casefolded, of which the phrases of the grammar are made."""
    return frozenset(word for each in phrases().values() for one in each for word in _RUN.findall(one.casefold()))


@cache
def reserved() -> frozenset[str]:
    """Phrases, casefolded: names of these shapes count only as spelled."""
    return frozenset(phrase.casefold() for each in phrases().values() for phrase in each)


def words_of(terminal: str) -> tuple[str, ...]:
    """The phrases of one terminal, the longest first."""
    return phrases().get(terminal, ())
