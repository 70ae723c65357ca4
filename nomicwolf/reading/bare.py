"""Conditional ballots and fall-backs that stand alone on their lines, without "I vote" (Agora's bare values)."""

from __future__ import annotations

from nomicwolf.reading.ballots import book_ballot
from nomicwolf.reading.deeds import Deed, Problem
from nomicwolf.reading.errors import BallotError
from nomicwolf.reading.limits import Limits
from nomicwolf.reading.names import NameBook
from nomicwolf.reading.phrases import names_condition, phrases_at
from nomicwolf.reading.sentences import Sentence
from nomicwolf.reading.text import has_words
from nomicwolf.reading.times import Clock
from nomicwolf.village.ballots import FirstOf, If, ballot_text

BEGINNINGS = frozenset({
    "ME", "PRONOUN", "NOBODY", "_IF", "_UNLESS", "_ONCE", "ONE_OF", "_EITHER", "ENDORSE", "COPY", "_FOR", "_VOTE",
    "_AGAINST",
    "_CHANGE_FROM", "VAGUE", "FILLER",
})
"""Terminals with phrases that begin a ballot, or are stepped over there (``tests/reading/test_telling.py``)."""


def bare_ballot(sentence: Sentence, book: NameBook, clock: Clock, limits: Limits) -> Deed | Problem | None:
    """A vote if *sentence* is a canonical ballot and nothing else, a question if it is one in other words.

    A name by itself is neither: too much of what people write is a name on a line.
    """
    if not sentence.alone or sentence.asked:
        return None
    text = " ".join(sentence.text.split()).rstrip(".")
    if not _begins(text, book) or not names_condition(text):
        return None
    try:
        ballot = book_ballot(text, book, clock, limits)
    except BallotError:
        return None
    if not isinstance(ballot, If | FirstOf):
        return None
    form = ballot_text(ballot)
    if text.casefold() == form.casefold():
        return Deed(sentence.line_at(0), sentence.written, "vote", f"vote {form}", ballot=ballot)
    return Problem(sentence.line_at(0), sentence.written, "ambiguous", (f"vote {form}",),
                   "if this is meant as a vote, write “I vote” before it, or the form that is offered")


def bare_together(sentence: Sentence, run: list[Sentence]) -> Sentence:
    """*sentence* and the *run* after it as one, that stands alone if they are all of their paragraph."""
    whole = not has_words(sentence.whole.text, 0, sentence.start) and run[-1].closes_paragraph
    return sentence.joined(*run)._replace(alone=whole)


def _begins(text: str, book: NameBook) -> bool:
    """Whether a ballot could begin with the first word of *text*: else, the grammar stops there."""
    first = text[:1]
    if first in {"x", "X"} or not (first.isascii() and first.isalpha()):
        return True
    return book.find(text, 0) is not None or not BEGINNINGS.isdisjoint(
        [kind for _, kind in phrases_at(text, 0)])
