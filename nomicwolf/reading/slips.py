"""Turns of phrase of the nomics about whole letters: forum slips, and disclaimers that void (Agoran CFJ 2069, 3586)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

from nomicwolf.reading.text import clean, is_word

_LONGEST_WORD = 40
_VOIDING = (
    "this message is not to be taken as an action",
    "nothing in this message is an action",
    "nothing in this message constitutes an action",
    "nothing in this message has any effect",
    "this message has no effect",
    "none of the actions in this message are intended to be effective",
    "i do not perform any of the actions in this message",
    "this message does not constitute any game actions",
    "no part of this message is a game action",
)
_ITSELF = r"this (?:e ?mail|letter|mail|message|post)"
_FALSE = r"(?:(?:all|partly|possibly|probably|simply|completely) )?(?:false|untrue|an? lie|lies|lying|wrong)\b"
_LIES = re.compile(
    r"(?:\b(?<!none )(?<!none of )(?<!none of the )(?<!none of my )(?<!no )(?:of )?(?:the |my )?"
    r"(?:assertions?|claims?|sentences?|statements?)"
    rf"(?: (?:made|contained|found))? in {_ITSELF} "
    rf"(?:(?:may|might|could)(?: or (?:may|might|could) not)? (?:well )?be (?:true|{_FALSE})|(?:is|are) {_FALSE})"
    rf"|(?<!in ){_ITSELF} (?:(?:(?:may|might|could) )?contains? (?:\w+ )?"
    r"(?:false (?:statements?|claims?)|lies|untruths)"
    rf"|(?:may|might|could) be {_FALSE}|is {_FALSE})"
    rf"|nothing in {_ITSELF} is true|everything in {_ITSELF} is {_FALSE})")
"""It says of itself that it lies, or may: so everything in it is in doubt."""
_LYING = ("false", "true", "lie", "lying", "wrong")
"""One of these is in each of its words."""
_ABOUT = ("message", "mail", "post", "letter")
"""Each of them has one of these words: a letter without any needn't be looked at word by word."""


def forum_slip(text: str) -> Literal["ttpf", "nttpf"] | None:
    """``ttpf`` when *text* says "this time to the public forum", ``nttpf`` for "not this time to the public forum".

    Any number of t's stands before "pf" (CFJ 3586): ``TTttPF``, ``TtPF``, ``ttttttttttttttpf``. With an n in front it
    is talk. Only an own word on a line of at most four words counts: essays about slips are none.
    """
    for line in clean_lines(text):
        if "pf" not in line and "forum" not in line:
            continue
        words = _split(line)
        if len(words) > 4:
            continue
        for word in words:
            slip = _slip(word)
            if slip is not None:
                return slip
        if " ".join(words) in {"this time to the public forum", "to the public forum"}:
            return "ttpf"
    return None


def disclaimer(lines: Iterable[str]) -> str | None:
    """The words of *lines* that would void the letter, or None; the caller holds such a letter (CFJ 2069)."""
    cleaned = clean_lines("\n".join(lines))
    if not any(word in line for line in cleaned for word in _ABOUT):
        return None
    joined = " ".join(" ".join(_split(line)) for line in cleaned)
    lies = _LIES.search(joined) if any(word in joined for word in _LYING) else None
    return lies[0] if lies else next((each for each in _VOIDING if each in joined), None)


def clean_lines(text: str) -> list[str]:
    """Lines, readable and casefolded."""
    return [clean(line).text.casefold() for line in text.split("\n")]


def _slip(word: str) -> Literal["ttpf", "nttpf"] | None:
    if not word.endswith("pf") or len(word) > _LONGEST_WORD:
        return None
    start = word[:-2]
    if start.startswith("n") and len(start) > 1 and set(start[1:]) == {"t"}:
        return "nttpf"
    return "ttpf" if len(start) > 1 and set(start) == {"t"} else None


def _split(line: str) -> list[str]:
    """Words without marks."""
    return "".join(char if is_word(char) or char == "'" else " " for char in line).split()
