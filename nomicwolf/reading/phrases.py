"""The words of the language: the phrases of the grammar's terminals, and where they stand in a text.

They are kept as JSON beside the grammar, so that a plain letter is read without the parser's tables, or Lark.
``scripts/tables.py`` writes them; they are taken only if the grammar's text is that which they were made from.
"""

from __future__ import annotations

import json
import re
from functools import cache, lru_cache
from hashlib import sha256

from nomicwolf.data import grammar_phrases, grammar_text
from nomicwolf.reading.tries import Trie

FILES = ("words", "conditions", "ballots", "deeds")
"""The files that make the grammar, in their order."""
CONDITIONAL = (
    "_IF", "_UNLESS", "_ONCE", "_BUT_IF", "_BUT", "_OTHERWISE", "_UNTIL", "AFTER", "BEFORE", "_OR", "_OR_IF_NONE",
)
"""One of these, or HOURS, is in all that comes to an `If` or a `FirstOf` (``grammar/ballots.lark``)."""
_RUN = re.compile(r"[^\W_]+")


def kept_phrases() -> str:
    """What ``grammar/phrases.json`` is to hold."""
    phrases = _made()
    found = {"key": _key(), "phrases": phrases, "words": sorted(_words(phrases))}
    return json.dumps(found, separators=(",", ":")) + "\n"


@cache
def _table() -> tuple[dict[str, list[str]], frozenset[str]]:
    """The phrases of each terminal, in the grammar's order, which decides between equals; and all their words."""
    text = grammar_phrases()
    found = json.loads(text) if text else {}
    if found.get("key") == _key():
        return found["phrases"], frozenset(found["words"])
    phrases = _made()
    return phrases, _words(phrases)


def _made() -> dict[str, list[str]]:
    from nomicwolf.reading.language import phrases_of_terminals

    return phrases_of_terminals()


def _words(phrases: dict[str, list[str]]) -> frozenset[str]:
    return frozenset(word for each in phrases.values() for phrase in each for word in _RUN.findall(phrase.casefold()))


def _key() -> str:
    return sha256("\0".join(map(grammar_text, FILES)).encode()).hexdigest()


@cache
def vocabulary() -> Trie[str]:
    """Every phrase of the grammar, to the names of the terminals that it can be."""
    phrases: Trie[str] = Trie()
    for terminal, alternatives in _table()[0].items():
        for phrase in alternatives:
            phrases.add(phrase, terminal)
    return phrases


def words() -> frozenset[str]:
    """All words, casefolded, of which the phrases of the grammar are made."""
    return _table()[1]


def names_condition(text: str) -> bool:
    """Whether a phrase of `CONDITIONAL` begins a word of *text* (clean), or a number one: else, it has no condition."""
    heads, phrases = _conditional()
    return any(
        run[0].isdecimal() or (run[0].casefold() in heads and phrases.matches(text, run.start()))
        for run in _RUN.finditer(text))


@cache
def _conditional() -> tuple[frozenset[str], Trie[str]]:
    """The first words of the phrases of `CONDITIONAL`, casefolded, and the phrases."""
    phrases: Trie[str] = Trie()
    heads = set()
    for terminal in CONDITIONAL:
        for phrase in words_of(terminal):
            phrases.add(phrase, terminal)
            heads.add(_RUN.findall(phrase)[0].casefold())
    return frozenset(heads), phrases


@lru_cache(maxsize=32)
def phrases_at(text: str, at: int) -> tuple[tuple[int, str], ...]:
    """Every phrase of the grammar that stands in *text* at *at*, as its end and its terminal, longest first."""
    return tuple(vocabulary().matches(text, at))


@cache
def reserved() -> frozenset[str]:
    """Phrases, casefolded: names of these shapes count only as spelled."""
    return frozenset(phrase.casefold() for phrases in _table()[0].values() for phrase in phrases)


def words_of(terminal: str) -> tuple[str, ...]:
    """The phrases of one terminal, the most usual first as the grammar has them sorted by length."""
    return tuple(_table()[0].get(terminal, ()))
