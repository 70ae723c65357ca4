"""The grammar's phrases and terminals.

The phrases are those of `grammar/words.lark`; a trie finds the longest of them at a place. In a phrase, `(a|b)` is one
of the two, and `[a|b]` one of them or neither.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from nomicwolf.data import grammar_text
from nomicwolf.reading.text import is_word

NUMBERS = {word: number for number, word in enumerate((
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
))}
JOINERS = frozenset({
    "_IF", "_UNLESS", "_THEN", "_IN_WHICH_CASE", "_BUT_IF", "_BUT", "_OTHERWISE", "_OR_IF_NONE", "_IF_NOT", "_AND",
    "_OR",
    "_AND_NAME", "_OR_NAME", "_NOR", "_ONCE", "_UNTIL", "AFTER", "BEFORE", "AS_OF_NOW", "_NOT_MINE",
    "_WHEN_COUNTED", "IN_A_TIE",
})
VALUES = frozenset({
    "NOBODY", "ENDORSE", "COPY", "PRONOUN", "VAGUE", "ALIKE", "ME", "_EITHER", "_FOR", "GUILTY", "INNOCENT",
})
GROUPED = frozenset({
    "_IF", "_UNLESS", "_NOT", "ENDORSE", "COPY", "NOBODY", "NOBODY_ELSE", "ANYBODY", "ANYBODY_ELSE", "_BOTH", "_EITHER",
    "_NEITHER", "AT_LEAST", "MORE_THAN", "AT_MOST", "FEWER_THAN", "EXACTLY", "NOT_EXACTLY", "_IT_IS", "_IT_IS_NOT",
    "MY", "ME", "_MAJORITY", "AFTER", "BEFORE", "_THE_DAY", "_THERE_ARE", "_VOTE", "_FOR", "_SO_WHEN_CAST",
    "_NOT_SO_WHEN_CAST",
})
ENDERS = frozenset({"AS_OF_NOW", "_NOT_MINE"})
VERBS = frozenset({"_VOTE", "ENDORSE", "COPY"})
SEPARATORS = ",;:-="
MARKUP = "*_~"
MOST_DIGITS = 6
WRITTEN = frozenset({
    "CHECK", "SAY", "SAY_TO", "ASK", "INTEND", "OBJECT", "SUPPORT", "WITHDRAW", "RESOLVE", "ACT_FOR",
    "CONFIRM",
    "ALIAS", "ADDRESS", "HOLIDAY", "WITHDRAW_ALL", "CLAIM", "BACK_ON",
    "STANDBY", "STANDBY_OVER", "OBSERVE", "DIGEST",
    "TIMEZONE", "STATISTICS", "UNLISTED",
})
READY = frozenset({"STANDBY", "STANDBY_OVER", "OBSERVE", "DIGEST", "TIMEZONE", "STATISTICS", "UNLISTED"})
ASKED = frozenset({"HELP", "STATUS", "VOTES_WORD", "HISTORY", "RESEND", "QUESTION"})


T = TypeVar("T")
_Node: TypeAlias = dict[str, Any]
"""One place in the tree of characters: the next place by each character, and under '' what the phrases stand for
that end here."""
_HERE = ""


class Trie(Generic[T]):
    """A map from phrases to values; letters match casefolded, one space matches any run of spaces."""

    def __init__(self) -> None:
        self._root: _Node = {}
        self._phrases: dict[str, list[tuple[str, T]]] = {}
        self._later: set[str] = set()

    def add(self, phrase: str, value: T) -> None:
        """Map *phrase* (clean text, single spaces) to *value*."""
        folded = phrase.casefold()
        first = folded[:1]
        self._phrases.setdefault(first, []).append((folded, value))
        self._later.update((first, first.upper()))

    def _grow(self, char: str) -> None:
        """Build the branch of the phrases that begin with *char*, which few texts need.

        It depends on the tree when it is whole, for other threads may look meanwhile. If two make it, it is the same.
        """
        first = char.casefold()[0]
        if first in self._later:
            branch: _Node = {}
            for folded, value in self._phrases[first]:
                self._branch(branch, folded, value)
            self._root.update(branch)
            self._later.difference_update((first, first.upper()))

    def _branch(self, node: _Node, folded: str, value: T) -> None:
        for char in folded:
            step = node.get(char)
            if step is None:
                step = node[char] = {}
                if (capital := char.upper()) != char and capital.casefold() == char:
                    node[capital] = step
            node = step
        node.setdefault(_HERE, []).append(value)

    def matches(self, text: str, start: int) -> list[tuple[int, T]]:
        """Return all (end, value) of phrases at *start* that end where a word ends, longest first."""
        found: list[tuple[int, T]] = []
        node, at, size = self._root, start, len(text)
        if at < size and ((char := text[at]) in self._later or char >= "\x80"):
            self._grow(char)
        while at < size:
            char = text[at]
            step = node.get(char)
            if step is None and (char < "\x80" or (step := _walk(node, char)) is None):
                break
            at += 1
            if char == " ":
                at = _past_spaces(text, at)
            node = step
            if _HERE in node and ends_word(text, at):
                found.extend((at, value) for value in node[_HERE])
        found.reverse()
        return found


def _walk(node: _Node, char: str) -> _Node | None:
    """Return the node after *char*, casefolded (which may be several characters)."""
    here: _Node | None = node
    for folded in char.casefold():
        here = here.get(folded) if here is not None else None
    return here


def _past_spaces(text: str, at: int) -> int:
    while at < len(text) and text[at] == " ":
        at += 1
    return at


def ends_word(text: str, at: int) -> bool:
    """Return whether a phrase may end at *at*, where no word continues, not even after a hyphen or an apostrophe."""
    if at >= len(text) or text[at] == " ":
        return True
    if is_word(text[at]):
        return False
    if text[at] not in "-.'@" or at + 1 >= len(text) or not is_word(text[at + 1]):
        return True
    return text[at] == "'" and text[at + 1] in "sS" and (at + 2 >= len(text) or not is_word(text[at + 2]))


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
    """Yield each phrase that the choices in *phrase* allow; choices may be nested."""
    if (inner := _CHOICE.search(phrase)) is None:
        yield phrase
        return
    for chosen in (*inner[2].split("|"), *([""] if inner[1] == "[" else [])):
        yield from spelled_out(phrase[: inner.start()] + chosen + phrase[inner.end() :])


@cache
def vocabulary() -> Trie[str]:
    """Map every phrase of the grammar to the names of its terminals."""
    found: Trie[str] = Trie()
    for terminal, alternatives in phrases().items():
        for phrase in alternatives:
            found.add(phrase, terminal)
    return found


class Fellows(NamedTuple):
    """Those of a session's own who talk apart: *name* is theirs, and a phrase with it is of the terminal *kind*."""

    kind: str
    name: str


_LIKE = "masons"
"""Wherever the grammar has these, a session's own groups can stand."""


def fellows(groups: Mapping[str, str]) -> Trie[Fellows]:
    """Map every phrase that is for one of *groups*, which are names by their spellings.

    >>> [end for end, _ in fellows({"raiders": "raiders"}).matches("to the raiders: no", 0)]
    [14]
    """
    found: Trie[Fellows] = Trie()
    for kind in ("GROUP", "SAY_TO") if groups else ():
        for before in (each.removesuffix(_LIKE) for each in phrases()[kind] if f" {each}".endswith(f" {_LIKE}")):
            for spelling, name in groups.items():
                found.add(before + spelling, Fellows(kind, name))
    return found


@cache
def words() -> frozenset[str]:
    """Return all words, casefolded, of the grammar's phrases."""
    return frozenset(word for each in phrases().values() for one in each for word in _RUN.findall(one.casefold()))


@cache
def reserved() -> frozenset[str]:
    """Return the phrases, casefolded; names of these shapes count only as spelled."""
    return frozenset(phrase.casefold() for each in phrases().values() for phrase in each)
