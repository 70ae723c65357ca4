"""Cutting a sentence into tokens, one at a time, as the parser can take them.

At each place all that could stand there is found (a name, a phrase of the grammar, a number, a time), and the
longest that the parser accepts is taken. So names of any shape work, and each place is looked at once.
"""

from __future__ import annotations

import re
from collections.abc import Container

from lark import Token

from nomicwolf.reading.errors import BallotError
from nomicwolf.reading.kinds import (
    JOINERS,
    MOST_DIGITS,
    NUMBERS,
    VALUES,
)
from nomicwolf.reading.names import NameMatch, Person
from nomicwolf.reading.phrases import reserved
from nomicwolf.reading.scanning import Cursor, Found
from nomicwolf.reading.text import is_word
from nomicwolf.reading.times import find_hours, find_time

_JOINING = re.compile(r"\s*(?:,?\s*(and\b|&)|,)\s*(?=\S)", re.IGNORECASE)
_PLURAL = re.compile(r"(?:(?:both|all)\s+)?(?:are|aren['’]t|have|haven['’]t|do|don['’]t)\b", re.IGNORECASE)
_SEVERAL = frozenset({"_ALIKE", "_NOT_ALIKE", "_TIED_TOGETHER"})


class Scanner(Cursor):
    """The tokens of a text, one at a time."""

    __slots__ = ()

    def next(self, accepts: Container[str], last: str) -> Token | None:
        """The next token that fits *accepts* (or the one that does not fit); None at the end."""
        if last == "COLON":
            self.skip_to_words()
        else:
            while self.skip(accepts, last):
                pass
        if self.at >= len(self.text):
            return None
        start = self.at
        found = self._pick(accepts, last)
        self.at = found.end
        self.conditional |= found.kind in {"_IF", "_UNLESS", "_BUT_IF"}
        return Token(found.kind, found.value, start_pos=start, column=start + 1, end_pos=found.end)

    def _pick(self, accepts: Container[str], last: str) -> Found:
        """What stands here: the longest that is accepted, else the longest that is known, else a word."""
        text, at = self.text, self.at
        if "TEXT" in accepts:
            begin = at + 1 if text[at] in ":," and last != "COLON" else at
            return Found(len(text), "TEXT", self.clean.original(begin, len(text)))
        name = None if text[at] == '"' and "STRING" in accepts else self.name(at)
        others = [*self.phrases(at), *self._values(accepts)]
        fitting = [found for found in others if found.kind in accepts]
        best = max(fitting, key=lambda found: found.end) if fitting else None
        if name is not None and "NAME" in accepts and not self._is_rather_a_word(name, best):
            return Found(name.end, "NAME", self._certain(name))
        if best is not None:
            return self._sorted_or(best, accepts)
        if name is not None:
            return Found(name.end, "NAME", name.person)
        if others and "NAME" not in accepts:
            return max(others, key=lambda found: found.end)
        return self._unknown(accepts, others)

    def _is_rather_a_word(self, name: NameMatch, word: Found | None) -> bool:
        """Whether a word of the language is meant: it is longer, or the name has its shape but not its spelling."""
        if word is None:
            return False
        if word.end > name.end:
            return True
        return self._shaped(self.at, name.end) and (not name.exact or self._begins_value(word.end))

    def _shaped(self, start: int, end: int) -> bool:
        """Whether the name there has the shape of a phrase of the grammar."""
        return " ".join(self.text[start:end].split()).casefold() in reserved()

    def _begins_value(self, at: int) -> bool:
        """Whether a value follows at *at*, so that a word stands before it: "vote Gus" with a player "vote"."""
        text = self.text
        while at < len(text) and text[at] == " ":
            at += 1
        if at >= len(text):
            return False
        name = self.book.find(text, at)
        if text[at] in ":(" or (name is not None and (name.exact or not self._shaped(at, name.end))):
            return True
        kinds = {found.kind for found in self.phrases(at)}
        return bool(kinds & VALUES) or (not kinds and is_word(text[at]))

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
        if "HOURS" in accepts and (hours := find_hours(text, at, self.clock)):
            found.append(Found(hours[0], "HOURS", hours[1]))
        end = at
        while end < len(text) and end - at < 20 and text[end].isalnum():
            end += 1
        word = text[at:end].casefold()
        if word in NUMBERS or (word.isdecimal() and word.isascii() and len(word) <= MOST_DIGITS):
            found.append(Found(end, "NUMBER", NUMBERS[word] if word in NUMBERS else int(word)))
        if text[at] == '"' and (close := text.find('"', at + 1)) > 0 and "STRING" in accepts:
            found.append(Found(close + 1, "STRING", " ".join(text[at + 1:close].split())))
        if text[at:at + 2].casefold() == "'s":
            found.append(Found(at + 2, "POSS", "'s"))
        elif text[at:at + 2] == "' " and text[at - 1:at] in {"s", "S", "x", "z"}:
            found.append(Found(at + 1, "POSS", "'"))
        mark = {"(": "LPAR", ")": "RPAR", ",": "COMMA", ";": "COMMA", "/": "SLASH", ":": "COLON", "-": "COMMA"}
        if text[at] in mark:
            kind = "COMMA" if text[at] == ":" and "COLON" not in accepts else mark[text[at]]
            found.append(Found(at + 1, kind, text[at]))
        return found

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
        if self._are_several(end):
            return Found(found.end, "_OR", found.value)
        follows = {each.kind for each in self.phrases(end)}
        ends = end >= len(self.text) or self.text[end] in ",;.)-!" or bool(follows & JOINERS)
        return Found(found.end, "_OR_NAME" if ends else "_OR", found.value)

    def _are_several(self, at: int) -> bool:
        """Whether more names follow, behind one, and then what only several do: "(Cam) and Dov are voting alike"."""
        text, end, last = self.text, at, False
        while not last and (joining := _JOINING.match(text, end)):
            last = bool(joining[1])
            name = self.book.find(text, joining.end())
            end = name.end if name else next((me.end for me in self.phrases(joining.end()) if me.kind == "ME"), 0)
            if not end:
                return False
        after = end + len(text[end:]) - len(text[end:].lstrip(" "))
        if not last or after >= len(text):
            return False
        return bool(_SEVERAL & {each.kind for each in self.phrases(after)} or _PLURAL.match(text, after))

    def _unknown(self, accepts: Container[str], others: list[Found]) -> Found:
        """A word that is neither: where a name should stand, an unknown player."""
        text, at = self.text, self.at
        end = self._run_of_words(at)
        if "NAME" in accepts and not others and end > at:
            words = self.clean.original(at, end)
            if self.conditional and (words.casefold().startswith(("the ", "a ", "an ")) or not self.book.near(words)):
                return Found(end, "$WORDS", text[at:end])
            if len(meant := self.book.beginning(words)) > 1:
                raise BallotError("ambiguous player", f"“{words}” could be {' or '.join(meant)}.", at + 1, meant,
                                  "use the full name")
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
            if after == end or self.phrases(after):
                break
            end = after
        return len(text[:end].rstrip()) if end - at < 200 else at + 200
