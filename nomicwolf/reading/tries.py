"""Longest match of many phrases at one place, in time linear in the longest phrase."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic, TypeVar

from nomicwolf.reading.text import is_word

T = TypeVar("T")


@dataclass(slots=True)
class _Node(Generic[T]):
    """One place in the tree of characters; *values* belong to the phrases that end here."""

    steps: dict[str, _Node[T]] = field(default_factory=dict)
    values: list[T] = field(default_factory=list)


class Trie(Generic[T]):
    """Phrases to values; letters match casefolded, one space matches any run of spaces."""

    def __init__(self) -> None:
        self._root: _Node[T] = _Node()

    def add(self, phrase: str, value: T) -> None:
        """Let *phrase* (clean text, single spaces) stand for *value*."""
        node = self._root
        for char in phrase.casefold():
            node = node.steps.setdefault(char, _Node())
        node.values.append(value)

    def matches(self, text: str, start: int) -> list[tuple[int, T]]:
        """All (end, value) of phrases at *start* that end where a word ends, longest first."""
        found: list[tuple[int, T]] = []
        node, at = self._root, start
        while at < len(text):
            step = node.steps.get(text[at]) or _walk(node, text[at])
            if step is None:
                break
            at = _past_spaces(text, at + 1) if text[at] == " " else at + 1
            node = step
            if node.values and ends_word(text, at):
                found.extend((at, value) for value in node.values)
        found.reverse()
        return found


def _walk(node: _Node[T], char: str) -> _Node[T] | None:
    """The node after *char*, casefolded (which may be several characters)."""
    here: _Node[T] | None = node
    for folded in char.casefold():
        here = here.steps.get(folded) if here is not None else None
    return here


def _past_spaces(text: str, at: int) -> int:
    while at < len(text) and text[at] == " ":
        at += 1
    return at


def ends_word(text: str, at: int) -> bool:
    """Whether a phrase may end at *at*: no word goes on there, not even after a hyphen, a point or an apostrophe."""
    if at >= len(text):
        return True
    if is_word(text[at]):
        return False
    if text[at] not in "-.'@" or at + 1 >= len(text) or not is_word(text[at + 1]):
        return True
    return text[at] == "'" and text[at + 1] in "sS" and (at + 2 >= len(text) or not is_word(text[at + 2]))
