"""Longest match of many phrases at one place, in time linear in the longest phrase."""

from __future__ import annotations

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
        self._phrases: dict[str, list[tuple[str, T]]] = {}
        self._later: set[str] = set()

    def add(self, phrase: str, value: T) -> None:
        """Let *phrase* (clean text, single spaces) stand for *value*."""
        folded = phrase.casefold()
        first = folded[:1]
        self._phrases.setdefault(first, []).append((folded, value))
        self._later.update((first, first.upper()))

    def _grow(self, char: str) -> None:
        """Make the branch of the phrases that begin with *char*: a text asks for few of them.

        It hangs on the tree when it is whole, for other threads may look meanwhile. If two make it, it is the same.
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
