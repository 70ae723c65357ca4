"""Cleaned text with places in the original.

Compatibility forms are folded, quotes and dashes straightened, invisible characters dropped. Each character remembers
where it was in the original, so that answers can point at the author's own words. Linear in the length of the text
(Unicode's canonical ordering is limited to short runs of combining marks).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

_STRAIGHT = str.maketrans({
    "\u2018": "'", "\u2019": "'", "\u201a": "'", "\u201b": "'", "\u2032": "'", "\u00b4": "'", "`": "'",
    "\u201c": '"', "\u201d": '"', "\u201e": '"', "\u201f": '"', "\u00ab": '"', "\u00bb": '"', "\u2033": '"',
    "\u2010": "-", "\u2011": "-", "\u2212": "-",
    "\u3002": ".", "\u2012": " - ", "\u2013": " - ", "\u2014": " - ", "\u2015": " - ", "\u2026": "...",
})
_SPACES = str.maketrans(dict.fromkeys("\t\n\v\f\r\x1c\x1d\x1e\x1f", " "))
_LONGEST_CLUSTER = 16
_REORDERING = "\u202d\u202e"
"""They show letters in another order than that in which they are written: a name that holds one is no name."""


class Clean(NamedTuple):
    """*text* is what is read; ``origin[i]`` is the place in *raw* from which ``text[i]`` came; *stop* where it ends."""

    raw: str
    text: str
    origin: Sequence[int]
    stop: int

    def original(self, start: int, end: int) -> str:
        """Return the author's own characters for ``text[start:end]``."""
        if start >= end:
            return ""
        last = self.origin[end] if end < len(self.text) else self.stop
        return self.raw[self.origin[start]:last].strip()

    def with_text(self, text: str) -> Clean:
        """Return the same places with other characters, one for one."""
        return Clean(self.raw, text, self.origin, self.stop)

    def part(self, start: int, end: int) -> Clean:
        """Return the piece ``text[start:end]`` with its places."""
        stop = self.origin[end] if end < len(self.text) else self.stop
        return Clean(self.raw, self.text[start:end], self.origin[start:end], stop)


def clean(raw: str) -> Clean:
    """Clean *raw*: NFKC, straight quotes and dashes, single spaces, no format or control characters."""
    if raw.isascii() and "`" not in raw:
        spaced = raw if raw.isprintable() else raw.translate(_SPACES)
        if spaced.isprintable() and "  " not in spaced:
            return Clean(raw, spaced, range(len(raw)), len(raw))
    pieces: list[str] = []
    origin: list[int] = []
    for start, end in _clusters(raw):
        folded = _fold(raw[start:end])
        if folded == " " and pieces and pieces[-1] == " ":
            origin[-1] = start if raw[start] == "\n" else origin[-1]
            continue
        pieces.append(folded)
        origin.extend([start] * len(folded))
    return Clean(raw, "".join(pieces), origin, len(raw))


def _clusters(raw: str) -> list[tuple[int, int]]:
    """Return (start, end) of each base character with its combining marks."""
    found: list[tuple[int, int]] = []
    start = 0
    for at in range(1, len(raw) + 1):
        joined = at < len(raw) and at - start < _LONGEST_CLUSTER and unicodedata.combining(raw[at])
        if not joined:
            found.append((start, at))
            start = at
    return found if raw else []


def _fold(cluster: str) -> str:
    """Return the NFKC form of one cluster, without invisible characters and with plain spaces."""
    text = unicodedata.normalize("NFKC", cluster.translate(_STRAIGHT)).translate(_STRAIGHT)
    return "".join(_visible(char) for char in text)


def _visible(char: str) -> str:
    if char.isspace():
        return " "
    if char in _REORDERING:
        return char
    hidden = unicodedata.category(char) in {"Cf", "Cc", "Cs", "Co"} or "\ufe00" <= char <= "\ufe0f"
    return "" if hidden else char


def plain(raw: str) -> str:
    """Clean *raw* and reduce it to single spaces: the form in which names are kept."""
    return " ".join(clean(raw).text.split())


def is_word(char: str) -> bool:
    """Return whether *char* continues a word (letters, marks and digits of any script)."""
    return char.isalnum() or (char > "\x7f" and unicodedata.category(char).startswith("M"))


_SIMPLE = re.compile(r"[^\W_]")
_FAR = 1 << 62  # behind the end of any text


def has_words(text: str, start: int = 0, end: int = _FAR) -> bool:
    """Return whether ``text[start:end]`` has anything but marks."""
    return start < end and (
        _SIMPLE.search(text, start, end) is not None or (not text.isascii() and any(map(is_word, text[start:end]))))


OPENERS = {"(": ")", "[": "]", "{": "}"}
_BRACKET = re.compile(r"[()\[\]{}]")


def bracket_pairs(text: str) -> dict[int, int]:
    """Map each closed bracket's start to its end, in one pass."""
    pairs: dict[int, int] = {}
    open_at: list[int] = []
    for bracket in _BRACKET.finditer(text):
        at, char = bracket.start(), bracket[0]
        if char in OPENERS:
            open_at.append(at)
        else:
            while open_at and OPENERS[text[open_at[-1]]] != char:
                open_at.pop()
            if open_at:
                pairs[open_at.pop()] = at
    return pairs
