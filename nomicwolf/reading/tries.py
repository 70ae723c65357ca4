"""Longest match of many phrases at one place, in time linear in the longest phrase."""

from __future__ import annotations

from threading import Lock
from typing import Any, Generic, TypeAlias, TypeVar

from nomicwolf.reading.text import is_word

T = TypeVar("T")
_Node: TypeAlias = dict[str, Any]
"""One place in the tree of characters: the next place by each character, and under '' what the phrases stand for
that end here."""
_HERE = ""


class Trie(Generic[T]):
    """Phrases to values; letters match casefolded, one space matches any run of spaces."""

    def __init__(self) -> None:
        self._root: _Node = {}
        self._later: dict[str, list[tuple[str, T]]] = {}
        self._growing = Lock()

    def add(self, phrase: str, value: T) -> None:
        """Let *phrase* (clean text, single spaces) stand for *value*."""
        folded = phrase.casefold()
        first = folded[:1]
        self._later.setdefault(first.upper(), self._later.setdefault(first, [])).append((folded, value))

    def _grow(self, char: str) -> None:
        """Make the branch of the phrases that begin with *char*: a text asks for few of them.

        Threads that ask for it meanwhile wait: of half a branch they would take a phrase for none.
        """
        first = char.casefold()[0]
        with self._growing:
            for folded, value in self._later.get(first, ()):
                self._branch(folded, value)
            self._later.pop(first, None)
            self._later.pop(first.upper(), None)

    def _branch(self, folded: str, value: T) -> None:
        node = self._root
        for char in folded:
            step = node.get(char)
            if step is None:
                step = node[char] = {}
                if (capital := char.upper()) != char and capital.casefold() == char:
                    node[capital] = step
            node = step
        node.setdefault(_HERE, []).append(value)

    def matches(self, text: str, start: int) -> list[tuple[int, T]]:
        """All (end, value) of phrases at *start* that end where a word ends, longest first."""
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
    """The node after *char*, casefolded (which may be several characters)."""
    here: _Node | None = node
    for folded in char.casefold():
        here = here.get(folded) if here is not None else None
    return here


def _past_spaces(text: str, at: int) -> int:
    while at < len(text) and text[at] == " ":
        at += 1
    return at


def ends_word(text: str, at: int) -> bool:
    """Whether a phrase may end at *at*: no word goes on there, not even after a hyphen, a point or an apostrophe."""
    if at >= len(text) or text[at] == " ":
        return True
    if is_word(text[at]):
        return False
    if text[at] not in "-.'@" or at + 1 >= len(text) or not is_word(text[at + 1]):
        return True
    return text[at] == "'" and text[at + 1] in "sS" and (at + 2 >= len(text) or not is_word(text[at + 2]))
