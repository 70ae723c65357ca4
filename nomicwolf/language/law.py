"""Deeds of the law around the game that no verb of a frame tells: being away, being back, doing what was intended."""

from __future__ import annotations

import re

from nomicwolf.language.words import Word
from nomicwolf.reading.acts import Act
from nomicwolf.reading.dates import is_span
from nomicwolf.reading.errors import BallotError
from nomicwolf.reading.lawful import away

_WHEN = re.compile(r"\b(?:from|until|till|til|through|between|for the next|for \d|this week|next week|all week)\b.*",
                   re.IGNORECASE | re.DOTALL)
_ENDS = re.compile(r"[,;.(]|\b(?:and|but|so|because|as)\b", re.IGNORECASE)
_UNTIL = re.compile(r"\b(?:til|till|'til)\b", re.IGNORECASE)
_BACK = frozenset({"back", "returned", "return"})
_PARTICIPLES = frozenset({"am", "have", "from", "i"})
_UNOPPOSED = re.compile(
    r"\b(?:(?:no|without|lack of|absence of) (?:\w+ )?objections?|nobody (?:has |having )?object\w*)\b[^,;:]*[,;:]?",
    re.IGNORECASE)
_DO = re.compile(r"\bI (?:(?:do|hereby|therefore|now|then|shall) )*(?=\w)", re.IGNORECASE)
_NOT_ACTS = frozenset({"vote", "object", "support", "intend", "am", "have", "think", "will", "resolve", "see", "was"})


def lawful(words: list[Word], text: str, *, asked: bool) -> Act | BallotError | None:
    """Return what a sentence of *words* without any other deed does by the law around the game, or None."""
    texts = {word.text for word in words}
    own = not any(word.person for word in words) and (
        "i" in texts or not texts & {"he", "she", "e", "they", "you", "we", "it"})
    if asked or texts & {"might", "may", "could", "would"} or (not own and "i" not in texts):
        return None
    if "i" in texts and (found := _UNOPPOSED.search(text)) is not None:
        return _resolved(text[found.end():])
    if not own:
        return None
    if "i" in texts and texts & _BACK and texts & {"am", "have", "from", "return"} and "not" not in texts and (
            len(words) <= 4 or texts & {"holiday", "vacation", "holidays", "trip", "leave", "lads", "all"}):
        return Act("holiday", words="over")
    if any("away" in word.marks for word in words) or texts & {"gone", "travelling", "traveling", "camping"}:
        return _away(text)
    return None


def _resolved(rest: str) -> Act | None:
    """The intent of which *rest*, what its author then says, makes a deed."""
    start = _DO.search(rest)
    said = rest[start.end():].strip(" .!") if start is not None else ""
    if not said or said.split()[0].casefold() in _NOT_ACTS or said.casefold() == "do so":
        return None
    said = re.sub(r",? (?:as (?:intended|announced|I (?:had )?announced).*)$", "", said, flags=re.IGNORECASE)
    return Act("resolve", words=f"to {said}")


def _away(text: str) -> Act | BallotError | None:
    """The days on which the author is away; the question about them where they can't be read; None without any."""
    found = _WHEN.search(_UNTIL.sub("until", text))
    if found is None:
        return None
    cut = _ENDS.search(found[0])
    words = " ".join(found[0][:cut.start() if cut else len(found[0])].split())
    while words and not is_span(words) and " " in words:
        words = words.rpartition(" ")[0]
    if not words or not is_span(words):
        return BallotError("ambiguous", "From when to when are you away?",
                           hint="write “holiday: 2026-12-20 to 2027-01-03”")
    try:
        return Act("holiday", words=away(words))
    except BallotError as error:
        return error.as_value()
