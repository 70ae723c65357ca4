"""The words of the grammar: the phrases of its terminals (`grammar/words.lark`), and where they stand in a text.

In a phrase, `(a|b)` is one of the two, and `[a|b]` one of them or neither.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from nomicwolf.data import grammar_text
from nomicwolf.reading.tries import Trie

_RUN = re.compile(r"[^\W_]+")
_TERMINAL = re.compile(r"^([A-Z_]+): (.*(?:\n {4}\| .*)*)", re.MULTILINE)
_PHRASE = re.compile(r'"([^"]*)"')
_CHOICE = re.compile(r"([\[(])([^\[\]()]*)[\])]")


@cache
def phrases() -> dict[str, tuple[str, ...]]:
    """Return the phrases of each terminal, the longest first, as Lark tries them."""
    found = {}
    for name, alternatives in _TERMINAL.findall(grammar_text("words")):
        spelled = {" ".join(one.split()) for each in _PHRASE.findall(alternatives) for one in spelled_out(each)}
        found[name] = tuple(sorted(spelled, key=lambda one: (-len(one), one)))
    return found


def spelled_out(phrase: str) -> Iterator[str]:
    """Yield each phrase that *phrase* with its choices comes to; choices may hold others."""
    if (inner := _CHOICE.search(phrase)) is None:
        yield phrase
        return
    for chosen in (*inner[2].split("|"), *([""] if inner[1] == "[" else [])):
        yield from spelled_out(phrase[: inner.start()] + chosen + phrase[inner.end() :])


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
