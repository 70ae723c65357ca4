"""Where sentences end: at marks, but not those of abbreviations, names, quotations and brackets."""

from __future__ import annotations

import re

from nomicwolf.reading.brackets import bracket_pairs
from nomicwolf.reading.marks import BOUNDARY
from nomicwolf.reading.names import NameBook
from nomicwolf.reading.text import has_words, is_word

_ABBREVIATIONS = frozenset("mr mrs ms dr st e.g i.e vs cf etc viz approx resp prof h hon".split())  # noqa: SIM905 - a word list
_NUMBERED = re.compile(r"\. ?\d+\b(?!\))")
_STOP = re.compile(r'[.!?"(\n]')
_QUOTE = re.compile('"')
_CLOSES = re.compile(r"[.!?]++[*_~)\"']*+(?![^ \n])")
_ENDS = frozenset({*(each[-2:] for each in _ABBREVIATIONS), " h", "no", "os", "nr"})


def spans(text: str, book: NameBook) -> list[tuple[int, int, str]]:
    """(start, end, closing marks) of each sentence of a paragraph's text."""
    quoted = _quoted(text) if '"' in text else {}
    pairs = bracket_pairs(text) if "(" in text else {}
    found: list[tuple[int, int, str]] = []
    start = at = 0
    places = [stop.start() for stop in _STOP.finditer(text)]
    for place in sorted({*places, *book.starts(text)}) if book.has_stops else places:
        if place < at:
            continue
        at = place
        if at in quoted or (text[at] == "(" and at in pairs):
            at = quoted.get(at, pairs.get(at, at)) + 1
            continue
        name = book.find(text, at) if book.has_stops and (at == 0 or not is_word(text[at - 1])) else None
        if name is not None:
            at = name.end
            if text[at - 1] in ".!?" and _new_start(text, at):
                _add(found, text, start, at, "")
                start = at
            continue
        close = _closing(text, at)
        if close:
            _add(found, text, start, at, close)
            start = at + len(close)
        at += max(len(close), 1)
    _add(found, text, start, len(text), "")
    return found


def _add(spans: list[tuple[int, int, str]], text: str, start: int, end: int, close: str) -> None:
    while start < end and text[start] in " \n":
        start += 1
    while end > start and text[end - 1] in " \n":
        end -= 1
    if start < end and has_words(text, start, end):
        spans.append((start, end, close))


def _closing(text: str, at: int) -> str:
    """The marks that end a sentence at *at*; '' if none does."""
    if text[at] == BOUNDARY:
        return BOUNDARY
    found = _CLOSES.match(text, at)
    if found is None or text.startswith("..", at):
        return ""
    single = text[at] == "." and not text.startswith((".", "!", "?"), at + 1)
    return "" if single and abbreviates(text, at) else found[0]


def abbreviates(text: str, at: int) -> bool:
    """Whether the point at *at* belongs to a short form ("no. 2"), or to a number that begins the text."""
    if text[max(0, at - 2):at].casefold() not in _ENDS and not text[at - 1:at].isdigit():
        return False
    begin, last = at, text[max(0, at - 8):at].rpartition(" ")[2]
    if last.replace(".", "").isalnum():
        begin -= len(last)
    while begin > 0 and at - begin < 8 and (is_word(text[begin - 1]) or text[begin - 1] == "."):
        begin -= 1
    word = text[begin:at].casefold()
    if word in ("no", "nos", "nr"):
        return _NUMBERED.match(text, at) is not None
    return word in _ABBREVIATIONS or (word.isdigit() and begin == 0)


def _new_start(text: str, at: int) -> bool:
    """Whether a sentence begins after a name that ends with a point."""
    while at < len(text) and text[at] == " ":
        at += 1
    return at >= len(text) or text[at] == BOUNDARY or (text[at].isupper() and not text[at:at + 3].isupper())


def _quoted(text: str) -> dict[int, int]:
    """Where each quotation that is closed begins and ends."""
    places = [mark.start() for mark in _QUOTE.finditer(text)]
    return dict(zip(places[::2], places[1::2], strict=False))
