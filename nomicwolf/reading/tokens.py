"""Cutting a sentence into tokens, one at a time, as the parser can take them.

At each place all that could stand there is found (a name, a phrase of the grammar, a number, a time), and the
longest that the parser accepts is taken. So names of any shape work, and each place is looked at once.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Container
from dataclasses import dataclass, field

from lark import Token

from nomicwolf.reading.errors import BallotError
from nomicwolf.reading.language import reserved, vocabulary
from nomicwolf.reading.names import NameBook, NameMatch, Person
from nomicwolf.reading.text import Clean, is_word
from nomicwolf.reading.times import Clock, find_time

NUMBERS = {word: number for number, word in enumerate((
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
))}
JOINERS = frozenset({
    "_IF", "_UNLESS", "_THEN", "_IN_WHICH_CASE", "_BUT_IF", "_BUT", "_OTHERWISE", "_IF_NOT", "_AND", "_OR",
    "_AND_NAME", "_OR_NAME", "_NOR", "AS_OF_NOW", "_NOT_MINE", "_AND_DEED",
})
ENDERS = frozenset({"AS_OF_NOW", "_NOT_MINE"})
PUBLIC_DEEDS = frozenset({"_VOTE", "UNVOTE", "ENDORSE", "ACCUSE", "SECOND", "NOMINATE"})
OPENERS = {"(": ")", "[": "]", "{": "}"}
_SEPARATORS = ",;:-"
_MARKUP = "*_~"
_MOST_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Found:
    """Something that could stand at a place, up to *end*."""

    end: int
    kind: str
    value: object


@dataclass(slots=True)
class Scanner:
    """The tokens of *text*; *at* is where the next begins."""

    clean: Clean
    book: NameBook
    clock: Clock
    at: int = 0
    goes_on: frozenset[str] = PUBLIC_DEEDS
    conditional: bool = False
    closing: set[int] = field(default_factory=set)
    pairs: dict[int, int] | None = None

    @property
    def text(self) -> str:
        """The clean text."""
        return self.clean.text

    def next(self, accepts: Container[str], last: str) -> Token | None:
        """The next token that fits *accepts* (or the one that does not fit); None at the end."""
        while self._skip(accepts, last):
            pass
        if self.at >= len(self.text):
            return None
        start = self.at
        found = self._pick(accepts)
        self.at = found.end
        self.conditional |= found.kind in {"_IF", "_UNLESS", "_BUT_IF"}
        return Token(found.kind, found.value, start_pos=start, column=start + 1, end_pos=found.end)

    def here(self, start: int) -> str:
        """The word at *start*, as written, for an answer."""
        end = start
        while end < len(self.text) and (is_word(self.text[end]) or self.text[end] in "'-."):
            end += 1
        return self.clean.original(start, max(end, start + 1))

    def _skip(self, accepts: Container[str], last: str) -> bool:
        """Step over what carries no meaning here; True when something was stepped over."""
        text, at = self.text, self.at
        if at >= len(text):
            return False
        char = text[at]
        if char == " " or (char in _MARKUP and not self.book.find(text, at)) or at in self.closing:
            self.at = at + 1
            return True
        if char in OPENERS or text.startswith("/*", at):
            return self._skip_comment(accepts)
        if char in _SEPARATORS:
            return self._skip_separator(accepts, last)
        if char in ".!" and not text[at:].strip(" .!)*_~\"'"):
            self.at = len(text)
            return True
        if self._is_filler(accepts):
            return True
        if (char == "@" and self.book.find(text, at + 1)) or unicodedata.category(char) in {"So", "Sk"}:
            self.at = at + (0 if self.book.find(text, at) else 1)
            return self.at > at
        return False

    def _is_filler(self, accepts: Container[str]) -> bool:
        """Step over a word such as "tonight"; within conditions every word counts."""
        found = self._phrases(self.at)
        filler = next((each for each in found if each.kind == "FILLER"), None)
        if filler is None or self.conditional or self._name(self.at) is not None:
            return False
        if any(each.kind in accepts and each.end >= filler.end for each in found):
            return False
        self.at = filler.end
        return True

    def _skip_separator(self, accepts: Container[str], last: str) -> bool:
        """A comma, dash or colon means nothing before a joining word, nor after the word that opens a vote."""
        text, at = self.text, self.at
        if self.book.find(text, at) and "NAME" in accepts:
            return False
        end = at
        while end < len(text) and text[end] in _SEPARATORS + " ":
            end += 1
        if "_AND_DEED" in accepts and self._begins_deed(end):
            return False
        joins = any(found.kind in JOINERS and found.kind in accepts for found in self._phrases(end))
        led = text[at] in ":-" and (last.startswith("_VOTE") or last.endswith("_LEAD")) and "COLON" not in accepts
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
        kinds = {found.kind for found in self._phrases(inside)}
        if text[at] == "(":
            if "LPAR" in accepts and (kinds or self.book.find(text, inside) or text[inside] in '("'):
                return False
            if "_NOT_MINE" in kinds and "_NOT_MINE" in accepts:
                self.closing |= {at, end}
                return True
            if kinds & {"_IF", "_UNLESS", "_OTHERWISE", "_BUT_IF", "_IF_NOT"}:
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

    def _phrases(self, at: int) -> list[Found]:
        return [Found(end, kind, self.text[at:end]) for end, kind in vocabulary().matches(self.text, at)]

    def _pick(self, accepts: Container[str]) -> Found:
        """What stands here: the longest that is accepted, else the longest that is known, else a word."""
        text, at = self.text, self.at
        if "TEXT" in accepts:
            begin = at + 1 if text[at] in ":," else at
            return Found(len(text), "TEXT", self.clean.original(begin, len(text)))
        name = self._name(at)
        others = [*self._phrases(at), *self._values(accepts)]
        fitting = [found for found in others if found.kind != "_AND_DEED" and found.kind in accepts]
        best = max(fitting, key=lambda found: found.end) if fitting else None
        if name is not None and "NAME" in accepts and not self._is_rather_a_word(name, best):
            return Found(name.end, "NAME", self._certain(name))
        if "_AND_DEED" in accepts and (joining := self._next_deed()) is not None:
            return joining
        if best is not None:
            return self._sorted_or(best, accepts)
        if name is not None:
            return Found(name.end, "NAME", name.person)
        if others and "NAME" not in accepts:
            return max(others, key=lambda found: found.end)
        return self._unknown(accepts, others)

    def _name(self, at: int) -> NameMatch | None:
        """A name here, quotation marks around it allowed."""
        name = self.book.find(self.text, at)
        quote = self.text[at]
        if name is None and quote in {'"', "'"}:
            inner = self.book.find(self.text, at + 1)
            if inner is not None and self.text[inner.end:inner.end + 1] == quote:
                return NameMatch(inner.end + 1, inner.person, inner.exact)
        return name

    def _is_rather_a_word(self, name: NameMatch, word: Found | None) -> bool:
        """Whether a word of the language is meant: it is longer, or the name has its shape but not its spelling."""
        if word is None:
            return False
        shaped = " ".join(self.text[self.at:name.end].split()).casefold() in reserved()
        return word.end > name.end or (shaped and not name.exact)

    def _certain(self, name: NameMatch) -> Person:
        """The person, if the name means only one."""
        if len(name.person.names) > 1:
            raise BallotError(
                "ambiguous player", f"“{self.text[self.at:name.end]}” could be {' or '.join(name.person.names)}.",
                self.at + 1, name.person.names, "use the full name",
            )
        return name.person

    def _values(self, accepts: Container[str]) -> list[Found]:
        """Numbers, times, quoted text, possessives and marks."""
        text, at = self.text, self.at
        found: list[Found] = []
        if "TIME" in accepts and (time := find_time(text, at, self.clock)):
            found.append(Found(time[0], "TIME", time[1]))
        end = at
        while end < len(text) and end - at < 20 and text[end].isalnum():
            end += 1
        word = text[at:end].casefold()
        if word in NUMBERS or (word.isdecimal() and word.isascii() and len(word) <= _MOST_DIGITS):
            found.append(Found(end, "NUMBER", NUMBERS[word] if word in NUMBERS else int(word)))
        if text[at] == '"' and (close := text.find('"', at + 1)) > 0 and "STRING" in accepts:
            found.append(Found(close + 1, "STRING", " ".join(text[at + 1:close].split())))
        if text[at:at + 2].casefold() == "'s":
            found.append(Found(at + 2, "POSS", "'s"))
        mark = {"(": "LPAR", ")": "RPAR", ",": "COMMA", ";": "COMMA", "/": "SLASH", ":": "COLON", "-": "COMMA"}
        if text[at] in mark:
            kind = "COMMA" if text[at] == ":" and "COLON" not in accepts else mark[text[at]]
            found.append(Found(at + 1, kind, text[at]))
        return found

    def _begins_deed(self, at: int) -> bool:
        """Whether another deed begins at *at*; not within conditions, where "and I vote ..." could be either."""
        return not self.conditional and any(found.kind in self.goes_on for found in self._phrases(at))

    def _next_deed(self) -> Found | None:
        """A joining word or mark, when another deed follows it."""
        text, at = self.text, self.at
        ends = [found.end for found in self._phrases(at) if found.kind == "_AND_DEED"]
        if text[at] in ",;":
            ends.append(at + 1)
        for end in ends:
            after = end
            while after < len(text) and text[after] in " ,;":
                after += 1
            if self._begins_deed(after):
                return Found(end, "_AND_DEED", text[at:end])
        return None

    def _sorted_or(self, found: Found, accepts: Container[str]) -> Found:
        """"or" between names, or between conditions, when both could be: what follows the next name tells."""
        if found.kind not in {"_OR", "_OR_NAME"} or not ("_OR" in accepts and "_OR_NAME" in accepts):
            return found
        at = found.end
        while at < len(self.text) and self.text[at] == " ":
            at += 1
        name = self.book.find(self.text, at) if at < len(self.text) else None
        if name is None:
            return Found(found.end, "_OR", found.value)
        end = name.end
        while end < len(self.text) and self.text[end] == " ":
            end += 1
        follows = {each.kind for each in self._phrases(end)}
        ends = end >= len(self.text) or self.text[end] in ",;.)-!" or bool(follows & JOINERS)
        return Found(found.end, "_OR_NAME" if ends else "_OR", found.value)

    def _unknown(self, accepts: Container[str], others: list[Found]) -> Found:
        """A word that is neither: where a name should stand, an unknown player."""
        text, at = self.text, self.at
        end = self._run_of_words(at)
        if "NAME" in accepts and not others and end > at:
            words = self.clean.original(at, end)
            raise BallotError("unknown player", f"Nobody here is called “{words}”.", at + 1, self.book.near(words),
                              "use a name, an alias or a former name of a townsperson")
        return Found(max(end, at + 1), "$WORDS", text[at:max(end, at + 1)])

    def _run_of_words(self, at: int) -> int:
        """The end of the words at *at*, up to a phrase of the language or a mark."""
        text, end = self.text, at
        while end < len(text) and (is_word(text[end]) or text[end] in "'#@+$%&"):
            while end < len(text) and text[end] not in ' ,;:!?()[]{}"':
                end += 1
            if text[end - 1] == "." and not text[end:].strip():
                return end - 1
            after = end
            while after < len(text) and text[after] == " ":
                after += 1
            if after == end or self._phrases(after):
                break
            end = after
        return len(text[:end].rstrip()) if end - at < 200 else at + 200


def bracket_pairs(text: str) -> dict[int, int]:
    """Where each bracket that is closed is closed; in one pass."""
    pairs: dict[int, int] = {}
    open_at: list[int] = []
    for at, char in enumerate(text):
        if char in OPENERS:
            open_at.append(at)
        elif char in ")]}":
            while open_at and OPENERS[text[open_at[-1]]] != char:
                open_at.pop()
            if open_at:
                pairs[open_at.pop()] = at
    return pairs
