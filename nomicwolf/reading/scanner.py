"""Tokens of a sentence, cut on demand.

The parser says which terminals it can take next. Comments, marks, fillers and some commas carry no meaning and are
stepped over.

At each place all possible tokens are found (a name, a phrase of the grammar, a number, a time), and the longest that
the parser accepts is taken. So names of any shape work, and each place is looked at once.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container
from dataclasses import dataclass, field
from typing import NamedTuple

from lark import Token

from nomicwolf.reading.deeds import BallotError
from nomicwolf.reading.names import NameBook, NameMatch, Person
from nomicwolf.reading.text import OPENERS, Clean, bracket_pairs, is_word
from nomicwolf.reading.times import Clock, find_hours, find_time
from nomicwolf.reading.vocabulary import (
    ENDERS,
    GROUPED,
    JOINERS,
    MARKUP,
    MOST_DIGITS,
    NUMBERS,
    SEPARATORS,
    VALUES,
    VERBS,
    reserved,
    vocabulary,
)

_SMILES = frozenset({
    ":)", ":-)", ":(", ":-(", ":d", ":-d", ":p", ":-p", ";)", ";-)", ";p", ":/", ":-/", ":|", "xd", ":o", "^^", "<3",
})
_LONGEST_SMILE = 6
_LAST = frozenset({"as well", "instead", "please", "thank you", "thanks", "too"})
COUNTED = frozenset({"NUMBER", "OR_MORE", "OR_FEWER"})
"""After these, "of" belongs to the names that follow: "two of Bex, Cam and Dov"."""


class Found(NamedTuple):
    """A possible token at a place, up to *end*."""

    end: int
    kind: str
    value: object


@dataclass(slots=True)
class Cursor:
    """A place *at* in a text, and what to skip there."""

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
        """Take the text from the clean one."""
        self.text = self.clean.text

    def here(self, start: int) -> str:
        """Return the word at *start*, as written, for an answer."""
        end = start
        while end < len(self.text) and (is_word(self.text[end]) or self.text[end] in "'-."):
            end += 1
        return self.clean.original(start, max(end, start + 1))

    def skip(self, accepts: Container[str], last: str) -> bool:
        """Skip what carries no meaning here; return whether something was skipped."""
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
        """Go to the words after a colon, past spaces and marks that end before them."""
        text = self.text
        while self.at < len(text) and text[self.at] in MARKUP and text[self.at - 1] in f":{MARKUP}":
            self.at += 1
        self.at += len(text[self.at:]) - len(text[self.at:].lstrip(" "))

    def _is_of(self, accepts: Container[str], last: str) -> bool:
        """Skip "of" between a number and names."""
        if last not in COUNTED or "NAME" not in accepts or self.text[self.at:self.at + 3].casefold() != "of ":
            return False
        if any(found.kind in accepts for found in self.phrases(self.at)):
            return False
        self.at += 3
        return True

    def _is_filler(self, accepts: Container[str]) -> bool:
        """Skip a word such as "tonight"; in conditions every word counts, except "instead" at the end."""
        found = self.phrases(self.at)
        filler = next((each for each in found if each.kind == "FILLER"), None)
        if filler is None or (self.conditional and not self._is_last(filler)) or self.name(self.at) is not None:
            return False
        if any(each.kind in accepts and each.end >= filler.end for each in found):
            return False
        self.at = filler.end
        return True

    def _is_last(self, filler: Found) -> bool:
        """Return whether *filler* ends the text and says nothing there: "..., I vote for Hal instead"."""
        return str(filler.value).casefold() in _LAST and not self.text[filler.end:].strip(" .!)")

    def _is_multiple(self) -> bool:
        """Skip "2x" or "x2": a lynch has single votes."""
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
        """Skip a comma, dash or colon before a joining word, or after the word that opens a vote.

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
        """Skip a comment; parentheses that group are not comments."""
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
        """Ask the author about a condition in brackets, which has no effect there."""
        words = self.clean.original(start, end)
        raise BallotError(
            "ambiguous", f"“({words})” stands in brackets, where words have no effect. Is it part of the vote?",
            start + 1, hint="write the condition without brackets, or leave it out",
        )

    def _closes(self, at: int) -> int | None:
        """Return where the bracket at *at* is closed; None if nowhere."""
        if self.text.startswith("/*", at):
            end = self.text.find("*/", at + 2)
            return end if end >= 0 else None
        if self.pairs is None:
            self.pairs = bracket_pairs(self.text)
        return self.pairs.get(at)

    def phrases(self, at: int) -> list[Found]:
        """Return all phrases at *at*: those with a group of the session's own, then the grammar's, longest first."""
        known = self._phrases.get(at)
        if known is None:
            text = self.text
            known = [Found(end, each.kind, each) for end, each in self.book.fellows.matches(text, at)]
            known += [Found(end, kind, text[at:end]) for end, kind in vocabulary().matches(text, at)]
            self._phrases[at] = known
        return known

    def name(self, at: int) -> NameMatch | None:
        """Return a name here, with or without quotation marks around it."""
        name = self.book.find(self.text, at)
        quote = self.text[at]
        if name is None and quote in {'"', "'"}:
            inner = self.book.find(self.text, at + 1)
            if inner is not None and self.text[inner.end:inner.end + 1] == quote:
                return NameMatch(inner.end + 1, inner.person, inner.exact)
        return name


_MARK = re.compile(r"[,;()\[\]{}\"!?]|:(?!\d)")
"""What ends words of a condition; a colon between digits is a time's."""
_PARTING = JOINERS - {"AFTER", "BEFORE", "_UNTIL", "_AND", "_OR", "_AND_NAME", "_OR_NAME", "_ONCE"} | {"_VOTE"}
"""Phrases with which other parts of a sentence begin."""
_BEGINNING = GROUPED | {"PRONOUN", "NUMBER", "_NOT", "_IF", "ALIVE", "DEAD", "IS", "HAS", "DOES"}
"""Phrases with which another condition begins behind "and"."""
_OWN = re.compile(r"\b(?:my|me)\b", re.IGNORECASE)
_NOT_PUBLIC = re.compile(
    r"\b(?:pack|lovers?|masons?|moderator|mod|gm|contestmaster|host|witch|private(?:ly)?|mail|pm|dm|secret(?:ly)?|"
    r"truly?|truth\w*|honest\w*|false(?:ly)?|ly?ing|lies?|really|i|we|us|nobody else|somebody else)\b", re.IGNORECASE)
"""Words of what is not public, of what nobody can see, or that mean another in each voter's mouth."""
_LIMIT = re.compile(r"\b(?:by|before|until|till|within|in time|today|tonight)\b", re.IGNORECASE)
"""What says when that is settled which may still come; without it, it could be never and always (D-N10)."""
_JOINING = re.compile(r"\s*(?:,?\s*(and\b|&)|,)\s*(?=\S)", re.IGNORECASE)
_PLURAL = re.compile(r"(?:(?:both|all)\s+)?(?:are|aren['’]t|have|haven['’]t|do|don['’]t)\b", re.IGNORECASE)
_SEVERAL = frozenset({"_ALIKE", "_NOT_ALIKE", "_TIED_TOGETHER"})


class Scanner(Cursor):
    """A lexer that yields one token at a time, as the parser can take them."""

    __slots__ = ()

    def next(self, accepts: Container[str], last: str) -> Token | None:
        """Return the next token that fits *accepts*, or the one that doesn't fit; None at the end."""
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
        """Return the longest token that is accepted, else the longest that is known, else a word."""
        text, at = self.text, self.at
        if "TEXT" in accepts:
            begin = at + 1 if text[at] in ":," and last != "COLON" else at
            return Found(len(text), "TEXT", self.clean.original(begin, len(text)))
        name = None if text[at] == '"' and "STRING" in accepts else self.name(at)
        others = [*self.phrases(at), *self._values(accepts)]
        kind = next((each for each in ("WORDS", "WORDS_WITH_LIMIT") if each in accepts), "")
        if kind and (end := self._end_of_condition(accepts)) > at:
            words = self._in_public(" ".join(self.clean.original(at, end).split()))
            if words and (kind == "WORDS" or _LIMIT.search(words)):
                return Found(end, kind, words)
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
        """Return whether a word of the language is meant rather than a name of its shape."""
        if word is None:
            return False
        if word.end > name.end:
            return True
        return self._shaped(self.at, name.end) and (not name.exact or self._begins_value(word.end))

    def _shaped(self, start: int, end: int) -> bool:
        """Return whether the name there has the shape of a phrase of the grammar."""
        return " ".join(self.text[start:end].split()).casefold() in reserved()

    def _begins_value(self, at: int) -> bool:
        """Return whether a value follows at *at*, after a word: "vote Gus" with a player "vote"."""
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
        """Return the person, if the name means only one."""
        if len(name.person.names) > 1:
            raise BallotError(
                "ambiguous player", f"“{self.text[self.at:name.end]}” could be {' or '.join(name.person.names)}.",
                self.at + 1, name.person.names, "use the full name",
            )
        return name.person

    def _values(self, accepts: Container[str]) -> list[Found]:
        """Return numbers, times, quoted text, possessives and marks."""
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
        """Decide whether "or" joins names or conditions, by what follows the next name."""
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
        """Return whether more names follow, with what only several do: "(Cam) and Dov are voting alike"."""
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
        """Return an unrecognised word; raise an error for an unknown player where a name should be."""
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
                              "use a name, an alias or a former name")
        return Found(max(end, at + 1), "$WORDS", text[at:max(end, at + 1)])

    def _end_of_condition(self, accepts: Container[str]) -> int:
        """Return where words of a condition end: at a mark, or where what comes next could go on."""
        end = word = self.at
        while word < len(self.text) and not _MARK.match(self.text, word) and not self._goes_on(word, accepts):
            mark = _MARK.search(self.text, word)
            space = self.text.find(" ", word)
            end = min(each for each in (mark.start() if mark else -1, space, len(self.text)) if each >= 0)
            word = end + len(self.text[end:]) - len(self.text[end:].lstrip(" "))
        return len(self.text[:end].rstrip(" ."))

    def _in_public(self, words: str) -> str:
        """Return the *words* of a fact with its author named; '' for what is not public, or only thought (D-N8)."""
        author, others = self.book.people.author, self.book.people.others
        if _NOT_PUBLIC.search(words) or any(other.casefold() in words.casefold() for other in others):
            return ""
        if _OWN.search(words) and author is None:
            return ""
        return _OWN.sub(lambda own: f"{author}'s" if own[0].casefold() == "my" else str(author), words)

    def _goes_on(self, at: int, accepts: Container[str]) -> bool:
        """Return whether another part of a sentence begins at *at*: a vote's, or "and" with another condition."""
        for found in self.phrases(at):
            if found.kind in {"_AND", "_OR", "_BUT", "_AND_FOR"}:
                after = found.end + len(self.text[found.end:]) - len(self.text[found.end:].lstrip(" "))
                begins = after < len(self.text) and (
                    self.book.find(self.text, after) or {each.kind for each in self.phrases(after)} & _BEGINNING)
                if begins or found.kind == "_BUT":
                    return True
            elif (found.kind in accepts and found.kind != "PUBLICLY") or found.kind in _PARTING:
                return True
        return False

    def _run_of_words(self, at: int) -> int:
        """Return the end of the words at *at*, up to a phrase of the language or a mark."""
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
