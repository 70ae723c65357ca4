"""Words that tell: without any of them a sentence surely lacks a phrase, so most talk is asked next to nothing.

The telling words of a terminal are kept with its phrases, each of which has one. That no answer changes by looking
for them first, is held by ``tests/reading/test_telling.py``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache

from nomicwolf.reading.phrases import telling_words

_RUN = re.compile(r"[^\W_]+")
_APART = bytes(code if chr(code).isalnum() else ord(" ") for code in range(128)).ljust(256)
"""What `_RUN` parts is parted by spaces: for ASCII, a third of the work."""
_DOTS = re.compile("[\u0130\u0131]")
"""Expressions that ignore case take these for an i, which casefolding does not."""


@lru_cache(maxsize=8)
def spoken(text: str) -> frozenset[str] | None:
    """The words of *text* (clean), casefolded; None where they can't be told from their look."""
    if text.isascii():
        return frozenset(text.lower().encode().translate(_APART).decode().split())
    return None if _DOTS.search(text) else frozenset(_RUN.findall(text.casefold()))


def without(text: str, words: frozenset[str]) -> bool:
    """Whether *text* (clean) surely has none of *words*, casefolded, as a word of its own."""
    said = spoken(text)
    return said is not None and words.isdisjoint(said)


def lacks(text: str, terminals: frozenset[str]) -> bool:
    """Whether *text* (clean) surely has no phrase of *terminals*, where one begins with a word and ends with one."""
    words = _telling(terminals)
    return "" not in words and without(text, words)


@cache
def _telling(terminals: frozenset[str]) -> frozenset[str]:
    return frozenset(word for terminal in terminals for word in telling_words(terminal))


class Told:
    """An *expression* that is tried only on texts with one of the *words*: each that it takes has one."""

    __slots__ = ("expression", "words")

    def __init__(self, expression: re.Pattern[str], words: Iterable[str]) -> None:
        self.expression = expression
        self.words = frozenset(words)

    def fullmatch(self, text: str, within: str = "") -> re.Match[str] | None:
        """As of an expression; *within*: the sentence *text* is of, whose words are known by now."""
        return None if without(within or text, self.words) else self.expression.fullmatch(text)

    def match(self, text: str, within: str = "") -> re.Match[str] | None:
        """The same at the beginning of *text*."""
        return None if without(within or text, self.words) else self.expression.match(text)

