"""The LALR parser of values, fed by hand.

`grammar/words.lark`, `conditions.lark`, `ballots.lark` and `written.lark` make one grammar, built once in a process
when first needed. Its terminals are lists of phrases, by which `scanner` cuts the text. Tokens are fed one by one,
limits are kept, and errors point at the word where understanding stopped.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any, Literal, NamedTuple, TypeAlias, cast

from lark import Lark, Token
from lark.common import LexerConf
from lark.exceptions import UnexpectedToken
from lark.lexer import Lexer, LexerState
from lark.parsers.lalr_analysis import ParseTableBase, Shift
from lark.parsers.lalr_parser_state import ParseConf, ParserState

from nomicwolf.data import GRAMMAR, grammar_text
from nomicwolf.reading.ballot_transformer import BallotRules
from nomicwolf.reading.condition_transformer import ConditionRules, PredicateRules, PublicRules
from nomicwolf.reading.deeds import (
    LIMITS,
    MISSING,
    BallotError,
    Limits,
    People,
    ambiguous_words,
    doubtful_word,
    what_could_follow,
)
from nomicwolf.reading.names import NameBook, Person
from nomicwolf.reading.scanner import Scanner
from nomicwolf.reading.text import Clean, clean
from nomicwolf.reading.text_deeds import WrittenRules
from nomicwolf.reading.times import Clock
from nomicwolf.reading.vocabulary import phrases
from nomicwolf.village.ballots import Ballot


class Builder(ConditionRules, PredicateRules, PublicRules, BallotRules, WrittenRules):
    """The one tree builder, with a method for every rule of the grammar."""


STARTS = ("ballot", "condition", "judgement", "written", "asked")

_OTHERS = ("NAME", "NUMBER", "TIME", "HOURS", "STRING", "TEXT", "WORDS",
           "WORDS_WITH_LIMIT", "POSS", "LPAR", "RPAR", "COMMA", "SLASH", "COLON")
"""Terminals that are no phrases."""

class _NoLexer(Lexer):
    """The lexer that Lark requires; tokens are fed one by one instead."""

    def __init__(self, conf: LexerConf) -> None:
        self.terminals = tuple(conf.terminals)

    def lex(self, lexer_state: LexerState, parser_state: object) -> Iterator[Token]:
        """Return no tokens."""
        return iter(())


@cache
def parser() -> Lark:
    """Return the parser for all of `STARTS`, with the tree builder inside.

    `nomicwolf.reading.scanner` cuts the text, so that Lark need not compile the phrases of the terminals. Two threads
    that begin at once may make two, whose states have different numbers: whoever asks about a state names its table.
    """
    declared = " ".join((*phrases(), *_OTHERS))
    rules = "\n".join((f"%declare {declared}", *map(grammar_text, GRAMMAR[1:])))
    return Lark(
        rules, parser="lalr", lexer=_NoLexer, start=list(STARTS), transformer=Builder(), maybe_placeholders=False)


class Accepts:
    """The exact set of terminals that can come next, found by simulating the parser's reductions."""

    def __init__(self, stack: tuple[Any, ...], table: ParseTableBase[Any]) -> None:
        self._stack = stack
        self._states = table.states
        self._ends = frozenset(table.end_states.values())
        self._known: dict[str, bool] = {}

    def __contains__(self, kind: object) -> bool:
        if not isinstance(kind, str):
            return False
        known = self._known.get(kind)
        if known is None:
            known = self._known[kind] = kind in self._states[self._stack[-1]] and self._fits(kind)
        return known

    def _fits(self, kind: str) -> bool:
        stack = list(self._stack)
        while (step := self._states[stack[-1]].get(kind)) is not None:
            if kind == "$END" and stack[-1] in self._ends:
                return True
            action, rule = step
            if action is Shift:
                return True
            if rule.expansion:
                del stack[-len(rule.expansion):]
            stack.append(self._states[stack[-1]][rule.origin.name][1])
        return kind == "$END" and stack[-1] in self._ends


def begun(start: str) -> ParserState[Any]:
    """Return a new parse of *start*."""
    return ParserState(_conf(start), None)  # type: ignore[arg-type]


def accepts(state: ParserState[Any]) -> Accepts:
    """Return what can come next in *state*; results are cached by the parser's stack."""
    return _accepts(tuple(state.state_stack), state.parse_conf.parse_table)


@cache
def _conf(start: str) -> ParseConf[Any]:
    conf: ParseConf[Any] = parser().parse_interactive(start=start).parser_state.parse_conf
    return conf


@lru_cache(maxsize=2048)
def _accepts(stack: tuple[Any, ...], table: ParseTableBase[Any]) -> Accepts:
    return Accepts(stack, table)


Wording: TypeAlias = Literal["ask", "track", "pin"]
"""What "as Bex does" comes to (D-N6)."""
_WHO = frozenset({"PRONOUN", "VAGUE", "ME", "MY"})
_FOLLOWING = frozenset({"ALIKE", "ENDORSE"})
_E = frozenset({"e", "em", "he", "her", "him", "she"})
_PARTS = frozenset({"_IF", "_UNLESS", "_BUT_IF", "_ONCE", "_AND", "_OR", "_OTHERWISE", "_THEN", "COMMA"})
"""With these another part of a sentence begins."""
_CONDITIONS = frozenset({"_IF", "_UNLESS", "_BUT_IF", "_AND", "_OR"})


class Gauge:
    """A counter of tokens, nesting and conditions that enforces the limits."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._tokens = self._conditions = self._open = self._nots = 0

    def check(self, token: Token) -> None:
        """Count *token*; BallotError ``too long`` when a limit is exceeded."""
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
    """The persons mentioned so far in a sentence, so that "em" can mean the only one (NC 3)."""

    def __init__(self) -> None:
        self._all: dict[str, None] = {}
        self._here: set[str] = set()

    def add(self, token: Token) -> None:
        """Remember a name in *token*, or the beginning of another part of the sentence."""
        if token.type == "NAME":
            self._all[token.value.name] = None
            self._here.add(token.value.name)
        elif token.type in _PARTS:
            self._here.clear()

    def only(self, token: Token) -> Person | None:
        """Return the person that the pronoun *token* means: the only one mentioned in other parts of the sentence."""
        if str(token).casefold() not in _E:
            return None
        others = [name for name in self._all if name not in self._here]
        return Person((others[0],)) if len(others) == 1 else None


def _too_long(token: Token, most: int, what: str) -> BallotError:
    return BallotError("too long", f"That has more than {most} {what}.", token.column or 1,
                       hint=f"say it with at most {most} {what}")


class Read(NamedTuple):
    """A *value* up to the place *end* of a text; *stopped* says why no more of it was taken, None where all was."""

    end: int
    value: object
    stopped: BallotError | None


def longest(
    clean: Clean, start: str, book: NameBook, clock: Clock, limits: Limits = LIMITS, wording: Wording = "ask",
    around: str = "",
) -> Read:
    """Return the longest value of the rule *start* with which *clean* begins.

    `BallotError` says where parsing stopped if there is none. *wording* says what "as Bex does" means (D-N6), *around*
    who "she" is in "whoever she votes for": the only one named around it, if anybody is.
    """
    scanner = Scanner(clean, book, clock)
    gauge, mentioned, state = Gauge(limits), Mentioned(), begun(start)
    tokens: list[Token] = []
    whole, last = 0, ""
    error: BallotError | None = None
    accepted = accepts(state)
    try:
        while (token := scanner.next(accepted, last)) is not None:
            if around and token.type == "PRONOUN" and last in _FOLLOWING and str(token).casefold() in _E:
                token.type, token.value = "NAME", Person((around,))
            if token.type in _WHO:
                check_person(token, accepted, book, mentioned if scanner.conditional else None)
            if token.type == "ALIKE":
                token.value = wording
            gauge.check(token)
            mentioned.add(token)
            state.feed_token(token)
            tokens.append(token)
            last, accepted = token.type, accepts(state)
            whole = len(tokens) if "$END" in accepted else whole
        if whole < len(tokens) or not tokens:
            error = _missing(scanner, accepted)
    except UnexpectedToken as unexpected:
        error = stopped(unexpected, scanner, accepted)
    except BallotError as unread:
        unread.at = scanner.at if unread.at <= 1 and scanner.at > 0 else unread.at
        error = unread.as_value()
    if not whole:
        raise error or _missing(scanner, accepted)
    again = begun(start) if error is not None else state
    for token in tokens[:whole] if error is not None else ():
        again.feed_token(token)
    value = again.feed_token(Token("$END", "", column=len(clean.text) + 1), is_end=True)
    return Read(tokens[whole - 1].end_pos or 0, value, error)


def by_grammar(clean: Clean, start: str, book: NameBook, clock: Clock, limits: Limits = LIMITS) -> object:
    """Parse all of *clean* as *start* (``ballot`` or ``condition``); BallotError says where parsing stopped."""
    read = longest(clean, start, book, clock, limits)
    if read.stopped is not None:
        raise read.stopped
    return read.value


def check_person(token: Token, accepted: Accepts, book: NameBook, mentioned: Mentioned | None) -> None:
    """Resolve a *token* that means the author or someone *mentioned*; BallotError if it is ambiguous."""
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


def _missing(scanner: Scanner, accepted: Accepts) -> BallotError:
    """Return the error for a text that ends too soon, with what could be written there."""
    hint = what_could_follow(accepted, scanner.conditional)
    return BallotError("not understood", MISSING, len(scanner.text) + 1, hint=hint)


def stopped(error: UnexpectedToken, scanner: Scanner, accepted: Accepts) -> BallotError:
    """Return an error with the place where parsing stopped and what could be written there."""
    token = error.token
    hint = what_could_follow(accepted, scanner.conditional)
    column = token.column or 1
    word = scanner.here(column - 1)
    if scanner.conditional and (doubt := doubtful_word(word, column)):
        return doubt
    return BallotError("not understood", f"Understanding stopped at “{word}”.", column, hint=hint)


def read_ballot(
    text: str, people: People, instant: int = 0, day_began: int | None = None, limits: Limits = LIMITS,
) -> Ballot:
    """Return the ballot in *text*; BallotError (with its problem, place and hint) if there is none.

    *instant* is the letter's, *day_began* the day phase's beginning, UTC seconds: relative times are turned by
    them. A vote for the voter themself, the dead or a known stranger is a ballot here; a letter's reader refuses
    it, the calculator makes it null (D-N27).
    """
    clock = Clock(instant, day_began)
    return cast(Ballot, by_grammar(clean(text), "ballot", NameBook(people), clock, limits))
