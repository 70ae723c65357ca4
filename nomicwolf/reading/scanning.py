"""A place in a sentence, and what carries no meaning there: comments, marks, fillers, some commas."""

from __future__ import annotations

import unicodedata
from collections.abc import Container
from dataclasses import dataclass, field
from typing import NamedTuple

from nomicwolf.reading.brackets import bracket_pairs
from nomicwolf.reading.errors import BallotError
from nomicwolf.reading.kinds import (
    ENDERS,
    GROUPED,
    JOINERS,
    MARKUP,
    OPENERS,
    SEPARATORS,
    VERBS,
)
from nomicwolf.reading.names import NameBook, NameMatch
from nomicwolf.reading.phrases import vocabulary
from nomicwolf.reading.text import Clean, is_word
from nomicwolf.reading.times import Clock

_SMILES = frozenset({
    ":)", ":-)", ":(", ":-(", ":d", ":-d", ":p", ":-p", ";)", ";-)", ";p", ":/", ":-/", ":|", "xd", ":o", "^^", "<3",
})
_LONGEST_SMILE = 6
_LAST = frozenset({"as well", "instead", "please", "thank you", "thanks", "too"})
COUNTED = frozenset({"NUMBER", "OR_MORE", "OR_FEWER"})
"""After these, "of" belongs to the names that follow: "two of Bex, Cam and Dov"."""


class Found(NamedTuple):
    """Something that could stand at a place, up to *end*."""

    end: int
    kind: str
    value: object


@dataclass(slots=True)
class Cursor:
    """A place *at* in a text, and what to step over there."""

    clean: Clean
    book: NameBook
    clock: Clock
    at: int = 0
    conditional: bool = False
    closing: set[int] = field(default_factory=set)
    pairs: dict[int, int] | None = None
    text: str = field(init=False)
    _phrases: dict[int, list[Found]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        """Keep the clean text at hand."""
        self.text = self.clean.text

    def here(self, start: int) -> str:
        """The word at *start*, as written, for an answer."""
        end = start
        while end < len(self.text) and (is_word(self.text[end]) or self.text[end] in "'-."):
            end += 1
        return self.clean.original(start, max(end, start + 1))

    def skip(self, accepts: Container[str], last: str) -> bool:
        """Step over what carries no meaning here; True when something was stepped over."""
        text, at = self.text, self.at
        if at >= len(text):
            return False
        char = text[at]
        if char.isalnum() and char < "\x7f" and at < len(text) - _LONGEST_SMILE:
            return self._is_of(accepts, last) or self._is_filler(accepts) or self._is_multiple()
        if char == " " or (char in MARKUP and not self.book.find(text, at)) or at in self.closing:
            self.at = at + 1
            return True
        if at >= len(text) - _LONGEST_SMILE and text[at:].strip(" .!").casefold() in _SMILES:
            self.at = len(text)
            return True
        if char in OPENERS or text.startswith("/*", at):
            return self._skip_comment(accepts)
        if char in SEPARATORS:
            return self._skip_separator(accepts, last)
        if char in ".!" and not text[at:].strip(" .!)*_~\"'"):
            self.at = len(text)
            return True
        if self._is_filler(accepts) or self._is_multiple():
            return True
        if (char == "@" and self.book.find(text, at + 1)) or unicodedata.category(char) in {"So", "Sk"}:
            self.at = at + (0 if self.book.find(text, at) else 1)
            return self.at > at
        return False

    def skip_to_words(self) -> None:
        """Go to the words behind a colon, all of which count: over spaces, and over marks that end before them."""
        text = self.text
        while self.at < len(text) and text[self.at] in MARKUP and text[self.at - 1] in f":{MARKUP}":
            self.at += 1
        self.at += len(text[self.at:]) - len(text[self.at:].lstrip(" "))

    def _is_of(self, accepts: Container[str], last: str) -> bool:
        """Step over "of" between a number and names."""
        if last not in COUNTED or "NAME" not in accepts or self.text[self.at:self.at + 3].casefold() != "of ":
            return False
        if any(found.kind in accepts for found in self.phrases(self.at)):
            return False
        self.at += 3
        return True

    def _is_filler(self, accepts: Container[str]) -> bool:
        """Step over a word such as "tonight"; within conditions every word counts, but for "instead" at the end."""
        found = self.phrases(self.at)
        filler = next((each for each in found if each.kind == "FILLER"), None)
        if filler is None or (self.conditional and not self._is_last(filler)) or self.name(self.at) is not None:
            return False
        if any(each.kind in accepts and each.end >= filler.end for each in found):
            return False
        self.at = filler.end
        return True

    def _is_last(self, filler: Found) -> bool:
        """Whether *filler* ends the text, and says nothing there: "..., I vote for Hal instead"."""
        return str(filler.value).casefold() in _LAST and not self.text[filler.end:].strip(" .!)")

    def _is_multiple(self) -> bool:
        """Step over "2x" or "x2": a lynch has single votes."""
        if self.text[self.at] not in "xX" and not self.text[self.at].isdecimal():
            return False
        end = self.at
        while end < len(self.text) and end - self.at < 4 and self.text[end].isalnum():
            end += 1
        word = self.text[self.at:end].casefold()
        if len(word) < 2 or not (word.strip("x").isdecimal() and word.count("x") == 1) or word.startswith("0"):
            return False
        self.at = end
        return True

    def _skip_separator(self, accepts: Container[str], last: str) -> bool:
        """A comma, dash or colon means nothing before a joining word, nor after the word that opens a vote.

        Not so a colon behind which words can stand that are taken as they are.
        """
        text, at = self.text, self.at
        if (self.book.find(text, at) and "NAME" in accepts) or (text[at] == ":" and "COLON" in accepts):
            return False
        end = at
        while end < len(text) and text[end] in SEPARATORS + " ":
            end += 1
        filler = not self.conditional and any(found.kind == "FILLER" for found in self.phrases(end))
        joins = filler or any(found.kind in JOINERS and found.kind in accepts for found in self.phrases(end))
        led = text[at] in ":-=" and last in VERBS and "COLON" not in accepts
        if joins or led or last in JOINERS - ENDERS or end >= len(text):
            self.at = end
            return True
        return False

    def _skip_comment(self, accepts: Container[str]) -> bool:
        """A comment is stepped over; parentheses that group are not comments."""
        text, at = self.text, self.at
        if self.book.find(text, at) and "NAME" in accepts:
            return False
        end = self._closes(at)
        if end is None:
            return False
        inside = at + 1
        while inside < end and text[inside] == " ":
            inside += 1
        kinds = {found.kind for found in self.phrases(inside)}
        if text[at] == "(":
            groups = kinds & GROUPED or self.book.find(text, inside) or text[inside] in '("0123456789'
            if "LPAR" in accepts and groups:
                return False
            if "_NOT_MINE" in kinds and "_NOT_MINE" in accepts:
                self.closing |= {at, end}
                return True
            inner = text[inside:end].casefold()
            turns = (" if " in inner or " unless " in inner) and (kinds & GROUPED or self.book.find(text, inside))
            if turns or kinds & {"_IF", "_UNLESS", "_OTHERWISE", "_BUT_IF", "_IF_NOT"}:
                self._doubt_condition(inside, end, kinds)
        self.at = end + (2 if text.startswith("/*", at) else 1)
        return True

    def _doubt_condition(self, start: int, end: int, kinds: set[str]) -> None:
        """A condition in brackets is a reason, not a condition; if it could be meant, the author is asked."""
        words = self.clean.original(start, end)
        raise BallotError(
            "ambiguous", f"“({words})” stands in brackets, where words have no effect. Is it part of the vote?",
            start + 1, hint="write the condition without brackets, or leave it out",
        )

    def _closes(self, at: int) -> int | None:
        """Where the bracket at *at* is closed; None if nowhere."""
        if self.text.startswith("/*", at):
            end = self.text.find("*/", at + 2)
            return end if end >= 0 else None
        if self.pairs is None:
            self.pairs = bracket_pairs(self.text)
        return self.pairs.get(at)

    def phrases(self, at: int) -> list[Found]:
        """All phrases of the grammar at *at*, longest first."""
        known = self._phrases.get(at)
        if known is None:
            text = self.text
            known = self._phrases[at] = [Found(end, kind, text[at:end]) for end, kind in vocabulary().matches(text, at)]
        return known

    def name(self, at: int) -> NameMatch | None:
        """A name here, quotation marks around it allowed."""
        name = self.book.find(self.text, at)
        quote = self.text[at]
        if name is None and quote in {'"', "'"}:
            inner = self.book.find(self.text, at + 1)
            if inner is not None and self.text[inner.end:inner.end + 1] == quote:
                return NameMatch(inner.end + 1, inner.person, inner.exact)
        return name
