"""Values inside of clauses: the longest ballot, judgement, person or pair of persons that begins at a place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from nomicwolf.language.words import Word
from nomicwolf.reading.deeds import BallotError, Limits
from nomicwolf.reading.lark_driver import Wording, longest
from nomicwolf.reading.law_checks import belongs
from nomicwolf.reading.names import NameBook
from nomicwolf.reading.text import Clean, is_word
from nomicwolf.reading.times import Clock
from nomicwolf.reading.vocabulary import ASKED, WRITTEN, vocabulary

NOBODY = "nobody"
_PAIRING = frozenset({"AND", "COMMA", "SLASH", "WITH"})


class Value(NamedTuple):
    """What was read up to *end* of the sentence."""

    end: int
    value: object


_COLON = "what is to be passed on stands behind a colon: “say: TEXT”, or “say pack: TEXT” to one group"
_NEAR = 12
"""Within how many characters behind "ask" the colon stands."""
_LABELLED = frozenset({"CHECK", "SAY_TO", "OBJECT", "SUPPORT", "WITHDRAW", "INTEND", "CLAIM", "RESOLVE"})
"""Words that are read here only with a colon behind them; sentences of the law are `nomicwolf.language.law`'s."""


@dataclass(frozen=True, slots=True)
class Values:
    """Reads the values of one sentence; *wording* says what "as Bex does" means in it (D-N6).

    *around* is the only other person named in it or, if it names nobody, before it.
    """

    clean: Clean
    book: NameBook
    clock: Clock
    limits: Limits
    wording: Wording = "ask"
    around: str = ""

    def written(self, at: int, stop: int) -> Value | BallotError | None:
        """Return the deed that carries text or asks for something from *at*; None where none begins.

        *stop* is where other deeds go on.
        """
        kinds = {kind: end for end, kind in vocabulary().matches(self.clean.text, at) if kind in WRITTEN | ASKED}
        kinds |= {own.kind: end for end, own in self.book.fellows.matches(self.clean.text, at) if own.kind in WRITTEN}
        if not kinds:
            return None
        kind, end = max(kinds.items(), key=lambda item: item[1])
        behind = self.clean.text[end:]
        colon = behind.lstrip().startswith(":")
        if (
            (kind in _LABELLED and not colon)
            or (kind == "ADDRESS" and not colon and "@" not in self.clean.text)
            or (kind == "ACT_FOR" and ":" not in behind and "-" not in self.clean.text[at:end])
            or (kind == "ASK" and ":" not in behind[:_NEAR])
        ):
            return None
        if not belongs(frozenset({kind}), self.clean.text[end:stop]):
            return None
        if kind in ASKED and any(is_word(c) for c in self.clean.text[end:stop]):
            return None
        rest = self.clean.text[end:stop].strip()
        if kind == "SAY" and not colon and rest.split(" ", 1)[0] in {"me", "us"}:
            return None
        read = self.longest("asked" if kind in ASKED else "written", at, stop)
        if kind == "SAY" and isinstance(read, BallotError) and rest and not colon:
            return BallotError("ambiguous", "", end + 1, (_said(rest),), _COLON)
        return read

    def longest(self, start: str, at: int, stop: int | None = None) -> Value | BallotError:
        """Return the longest value of the rule *start* from *at*, or why there is none."""
        part = self.clean.part(at, len(self.clean.text) if stop is None else stop)
        try:
            read = longest(part, start, self.book, self.clock, self.limits, self.wording, self.around)
        except BallotError as unread:
            return unread.as_value()
        return Value(at + read.end, read.value)

    def person(self, words: list[Word], at: int) -> Value | BallotError | None:
        """Return the person at the word *at*: a name, "nobody" as `NOBODY`, or the author; None where nobody is."""
        word = words[at]
        if word.person is not None:
            if len(word.person.names) > 1:
                return BallotError(
                    "ambiguous player",
                    f"“{self.clean.original(word.start, word.end)}” could be {' or '.join(word.person.names)}.",
                    word.start + 1,
                    word.person.names,
                    "use the full name",
                )
            return Value(word.end, word.person.name)
        if word.sense("NOBODY"):
            return Value(word.end, NOBODY)
        if word.sense("ME") and self.book.people.author is not None:
            return Value(word.end, self.book.people.author)
        return None

    def pair(self, words: list[Word], at: int) -> tuple[int, tuple[str, str]] | None:
        """Return the number of words of two persons from *at*, joined or side by side, and who they are."""
        first = self._one(words, at)
        if first is None:
            return None
        after = at + 1
        while after < len(words) and after - at < 3 and words[after].sense(*_PAIRING):
            after += 1
        second = self._one(words, after)
        return (after + 1 - at, (first, second)) if second is not None else None

    def _one(self, words: list[Word], at: int) -> str | None:
        """The person at the word *at*, or the author for "I" and "me"; None where there is none for certain."""
        if at >= len(words):
            return None
        if words[at].sense("I"):
            return self.book.people.author
        found = self.person(words, at)
        return str(found.value) if isinstance(found, Value) and found.value != NOBODY else None


def _said(rest: str) -> str:
    """How *rest*, to which "say" lacks its colon, is said: to a group where that is before a colon itself."""
    group, colon, words = rest.partition(":")
    return f"say the {group.strip()}:{words}" if colon and " " not in group.strip() else f"say: {rest}"
