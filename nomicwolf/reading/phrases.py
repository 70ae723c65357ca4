"""The words of the language: the phrases of the grammar's terminals, and where they stand in a text.

They are kept as JSON beside the grammar, so that a plain letter is read without the parser's tables, or Lark.
``scripts/tables.py`` writes them; they are taken only if the grammar's text is that which they were made from.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from typing import NamedTuple

from nomicwolf.data import GRAMMAR, grammar_phrases, grammar_text
from nomicwolf.reading.tries import Trie

_RUN = re.compile(r"[^\W_]+")
_COMMON = frozenset(
    "a about all am an and any are as at be but by can could d do don for had has have i if in is it ll m may me "  # noqa: SIM905 - a word list
    "my no not now of on or out re s shall should so t that the there this to up ve was we were what will with "
    "would you".split())
"""Words that tell of a phrase only where it has no other."""


class _Table(NamedTuple):
    """The *phrases* of each terminal, in the grammar's order, which decides between equals; *words*: all of theirs.

    *telling* are words of each terminal such that every phrase has one.
    """

    phrases: dict[str, list[str]]
    words: frozenset[str]
    telling: dict[str, list[str]]


def kept_phrases() -> str:
    """What ``grammar/phrases.json`` is to hold."""
    table = _made()
    found = {"key": _key(), "phrases": table.phrases, "words": sorted(table.words), "telling": table.telling}
    return json.dumps(found, separators=(",", ":")) + "\n"


@cache
def _table() -> _Table:
    text = grammar_phrases()
    found = json.loads(text) if text else {}
    if found.get("key") == _key():
        return _Table(found["phrases"], frozenset(found["words"]), found["telling"])
    return _made()


def _made() -> _Table:
    from nomicwolf.reading.language import phrases_of_terminals

    phrases = phrases_of_terminals()
    words = frozenset(word for each in phrases.values() for phrase in each for word in _runs(phrase))
    return _Table(phrases, words, {terminal: _covering(each) for terminal, each in phrases.items()})


def _runs(phrase: str) -> list[str]:
    return _RUN.findall(phrase.casefold())


def _covering(phrases: Iterable[str]) -> list[str]:
    """A few words such that each of *phrases* that has any has one of them: again and again, that of most of the rest.

    ['']: some phrase has no words, and nothing can be told.
    """
    left = [frozenset(_runs(phrase)) for phrase in phrases]
    if not all(left):
        return [""]
    left = [words - _COMMON or words for words in left]
    found = []
    while left:
        counts = Counter(word for words in left for word in words)
        found.append(max(counts, key=lambda word: (counts[word], len(word), word)))
        left = [words for words in left if found[-1] not in words]
    return sorted(found)


def _key() -> str:
    made_by = str(sorted(_COMMON))
    return sha256("\0".join([made_by, *map(grammar_text, GRAMMAR)]).encode()).hexdigest()


@cache
def vocabulary() -> Trie[str]:
    """Every phrase of the grammar, to the names of the terminals that it can be."""
    phrases: Trie[str] = Trie()
    for terminal, alternatives in _table().phrases.items():
        for phrase in alternatives:
            phrases.add(phrase, terminal)
    return phrases


def words() -> frozenset[str]:
    """All words, casefolded, of which the phrases of the grammar are made."""
    return _table().words


def telling_words(terminal: str) -> tuple[str, ...]:
    """Words, casefolded, of which each phrase of *terminal* has one; with '' if some phrase has no words."""
    return tuple(_table().telling.get(terminal, ()))


@cache
def reserved() -> frozenset[str]:
    """Phrases, casefolded: names of these shapes count only as spelled."""
    return frozenset(phrase.casefold() for phrases in _table().phrases.values() for phrase in phrases)


def words_of(terminal: str) -> tuple[str, ...]:
    """The phrases of one terminal, the most usual first as the grammar has them sorted by length."""
    return tuple(_table().phrases.get(terminal, ()))
