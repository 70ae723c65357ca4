"""Words by which a line may be a deed, or change one: of the lexicon, the grammar's phrases, and a session's own."""

from __future__ import annotations

from functools import lru_cache

from nomicwolf.language.lexicon import OwnFrame, lexicon
from nomicwolf.language.words import Word, words_of
from nomicwolf.reading.deeds import People
from nomicwolf.reading.names import book_of
from nomicwolf.reading.set_phrases import disclaimer, forum_slip
from nomicwolf.reading.text import clean
from nomicwolf.reading.vocabulary import ASKED, GROUPED, VERBS, WRITTEN, vocabulary

_FUNCTION_WORDS = frozenset(
    {
        "I",
        "WE",
        "YOU",
        "THEY",
        "ME",
        "HIM",
        "MY",
        "THE",
        "THIS",
        "NAME",
        "POSS",
        "WHAT",
        "BE",
        "HAVE",
        "DO",
        "WILL",
        "GOING",
        "WOULD",
        "CAN",
        "MUST",
        "LIKE",
        "PLAN",
        "LET",
        "LETS",
        "TO",
        "FOR",
        "ON",
        "WITH",
        "FROM",
        "OF",
        "OVER",
        "INTO",
        "IN",
        "AS",
        "AND",
        "OUT",
        "GO",
        "YES",
        "REQUEST",
        "THING",
        "SAFE",
        "COMMA",
        "SEMI",
        "COLON",
        "OPEN",
        "CLOSE",
        "DASH",
        "DOTS",
        "QUOTE",
        "ARROW",
        "BREAK",
        "SLASH",
    }
)
"""Classes of words that are in any sentence; one of every other class does something, or undoes it."""
_TURNING = ("law ", "joint condition", "joint choice", "joint correction", "cancel", "tracks", "pins")
"""Marks of words that turn a deed beside them into another one, or into none."""
_PHRASES = (WRITTEN | ASKED | VERBS | GROUPED) - {"MY", "ME", "_IT_IS", "_FOR", "EXACTLY", "_THERE_ARE"}
_NOBODY_KNOWN = book_of(People(()))


@lru_cache(maxsize=4096)
def may_be_deed(line: str, own: tuple[OwnFrame, ...] = ()) -> bool:
    """Return whether *line* has a word with which a deed is done, asked or turned; *own* are the session's own deeds.

    A line without any is talk, whoever it names.
    """
    if forum_slip(line) is not None or disclaimer((line,)) is not None:
        return True
    said = clean(line)
    words = words_of(said, _NOBODY_KNOWN, lexicon(own))
    return any(map(_is_of_deed, words)) or any(
        terminal in _PHRASES for word in words for _, terminal in vocabulary().matches(said.text, word.start)
    )


def _is_of_deed(word: Word) -> bool:
    return any(sense.frame or sense.terminal not in _FUNCTION_WORDS for sense in word.senses) or any(
        mark.startswith(_TURNING) for mark in word.marks
    )
