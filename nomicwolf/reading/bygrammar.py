"""Text to a value by the grammar: tokens are fed one by one, limits are kept, refusals point at the word."""

from __future__ import annotations

from lark import Token
from lark.exceptions import UnexpectedToken

from nomicwolf.reading.errors import BallotError
from nomicwolf.reading.hints import MISSING, ambiguous_words, doubtful_word, what_could_stand
from nomicwolf.reading.language import Accepts, accepts, begun
from nomicwolf.reading.limits import LIMITS, Limits
from nomicwolf.reading.names import NameBook, Person
from nomicwolf.reading.text import Clean
from nomicwolf.reading.times import Clock
from nomicwolf.reading.tokens import Scanner

_WHO = frozenset({"PRONOUN", "VAGUE", "ME", "MY"})
_E = frozenset({"e", "em", "he", "her", "him", "she"})
_PARTS = frozenset({"_IF", "_UNLESS", "_BUT_IF", "_ONCE", "_AND", "_OR", "_OTHERWISE", "_THEN", "COMMA"})
"""With these another part of a sentence begins."""
_CONDITIONS = frozenset({"_IF", "_UNLESS", "_BUT_IF", "_AND", "_OR"})


class Gauge:
    """Counts tokens, nesting and conditions while they pass; refuses what is too much."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._tokens = self._conditions = self._open = self._nots = 0

    def check(self, token: Token) -> None:
        """Count *token*; BallotError ``too long`` when a limit is passed."""
        self._tokens += 1
        self._conditions += token.type in _CONDITIONS
        self._open += (token.type == "LPAR") - (token.type == "RPAR")
        self._nots = self._nots + 1 if token.type == "_NOT" else self._nots * (token.type == "LPAR")
        limits = self._limits
        if self._tokens > limits.tokens:
            raise _too_long(token, limits.tokens, "words")
        if self._open + self._nots > limits.depth:
            raise _too_long(token, limits.depth, "levels of nesting")
        if self._conditions > limits.conditions:
            raise _too_long(token, limits.conditions, "conditions")


class Mentioned:
    """The persons of whom a sentence has spoken so far, so that "em" can mean the only one (NC 3)."""

    def __init__(self) -> None:
        self._all: dict[str, None] = {}
        self._here: set[str] = set()

    def add(self, token: Token) -> None:
        """Remember whom *token* names, or that another part of the sentence begins."""
        if token.type == "NAME":
            self._all[token.value.name] = None
            self._here.add(token.value.name)
        elif token.type in _PARTS:
            self._here.clear()

    def only(self, token: Token) -> Person | None:
        """Whom the pronoun *token* means: the only one who is spoken of, outside of its own part of the sentence."""
        if str(token).casefold() not in _E:
            return None
        others = [name for name in self._all if name not in self._here]
        return Person((others[0],)) if len(others) == 1 else None


def _too_long(token: Token, most: int, what: str) -> BallotError:
    return BallotError("too long", f"That has more than {most} {what}.", token.column or 1,
                       hint=f"say it with at most {most} {what}")


def by_grammar(
    clean: Clean, start: str, book: NameBook, clock: Clock, limits: Limits = LIMITS,
) -> object:
    """The value of *clean* as *start* (``ballot`` or ``condition``); BallotError says where it stopped."""
    scanner = Scanner(clean, book, clock)
    gauge, mentioned = Gauge(limits), Mentioned()
    state = begun(start)
    last = ""
    accepted = accepts(state)
    try:
        while (token := scanner.next(accepted, last)) is not None:
            if token.type in _WHO:
                check_person(token, accepted, book, mentioned if scanner.conditional else None)
            gauge.check(token)
            mentioned.add(token)
            state.feed_token(token)
            last = token.type
            accepted = accepts(state)
        return state.feed_token(Token("$END", "", column=len(clean.text) + 1), is_end=True)
    except UnexpectedToken as error:
        raise stopped(error, scanner, accepted) from None
    except BallotError as error:
        if error.at <= 1 and scanner.at > 0:
            error.at = scanner.at
        raise


def check_person(token: Token, accepted: Accepts, book: NameBook, mentioned: Mentioned | None) -> None:
    """Tokens that need to know who speaks, or, in conditions, who was *mentioned*; or whose meaning is not one."""
    if token.type not in accepted:
        return
    if token.type == "PRONOUN" and mentioned is not None and (person := mentioned.only(token)) is not None:
        token.value = person
        return
    if token.type in {"PRONOUN", "VAGUE"}:
        raise ambiguous_words(token)
    if token.type in {"ME", "MY"}:
        author = book.people.author
        if author is None:
            raise BallotError("ambiguous", f"It is not known who “{token}” is.", token.column or 1, hint="say the name")
        token.value = Person((author,))


def stopped(error: UnexpectedToken, scanner: Scanner, accepted: Accepts) -> BallotError:
    """Where understanding stopped, and what could stand there."""
    token = error.token
    hint = what_could_stand(accepted, scanner.conditional)
    if token.type == "$END":
        return BallotError("not understood", MISSING, len(scanner.text) + 1, hint=hint)
    column = token.column or 1
    word = scanner.here(column - 1)
    if scanner.conditional and (doubt := doubtful_word(word, column)):
        return doubt
    return BallotError("not understood", f"Understanding stopped at “{word}”.", column, hint=hint)
