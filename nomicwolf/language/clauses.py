"""Clauses that do something: Lark's LALR parser over classes of words (`grammar/clauses.lark`).

The parser is fed one word at a time, in the first of its senses that fits; the longest clause from a place is taken.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, field, replace

from lark import Token
from lark.parsers.lalr_interactive_parser import InteractiveParser

from nomicwolf.language.clause_parser import begun, can_follow, choices_of, copied, ended
from nomicwolf.language.lexicon import Sense
from nomicwolf.language.skeletons import Skeleton
from nomicwolf.language.values import Value, Values
from nomicwolf.language.words import Word
from nomicwolf.reading.acts import Act
from nomicwolf.reading.errors import BallotError
from nomicwolf.village.ballots import For

SKIPPED = frozenset({"force", "polite", "hedge", "adjective", "bygone"})
"""Marks of words that a clause may hold anywhere."""
AUXILIARIES = frozenset({
    "BE", "HAVE", "DO", "WILL", "WOULD", "CAN", "MUST", "LIKE", "CHOOSE", "PLAN", "LET", "LETS", "NOT",
})
_SUBPARSED = frozenset({"BALLOT", "FOLLOW", "JUDGEMENT", "PAIR", "TARGET"})
_CONDITIONS = frozenset({
    "if", "unless", "should", "once", "provided", "when", "assuming", "as long as", "iff", "while",
})
_APART = frozenset({"COMMA", "OPEN", "CLOSE", "DASH"})
_CHOICES = 3
"""How often one clause may go two ways."""
_LONGEST = 40
"""Words before the value of a clause."""


@dataclass(slots=True)
class Clause:
    """A clause of words ``[first, last)``: its *skeleton*, the words that were *skipped*, and what stopped its value.

    *end* is the place in the text behind it. *error* says why it has no value though one should stand there.
    """

    first: int
    last: int
    end: int
    skeleton: Skeleton | None = None
    skipped: list[Word] = field(default_factory=list)
    stopped: BallotError | None = None
    error: BallotError | None = None
    says_vote: bool = False
    whole: bool = False
    words: str = ""
    dangling: bool = False
    closed: bool = True


@dataclass(slots=True)
class _State:
    """How far a clause has been fed: to the word *at*, which begins at the place *end* or behind it."""

    parser: InteractiveParser
    at: int
    end: int
    fed: int = 0
    verb: bool = False
    auxiliaries: tuple[Word, ...] = ()
    skipped: list[Word] = field(default_factory=list)
    stopped: BallotError | None = None

    def snapshot(self) -> _State:
        """Return a copy that is fed no further."""
        return replace(self, parser=copied(self.parser), skipped=list(self.skipped))


class Clauses:
    """Finds the clauses of one sentence, of the *words* of which *values* knows the text."""

    def __init__(self, words: list[Word], values: Values, *, private: bool = False, spoken_of: str = "") -> None:
        self.words = words
        self.spoken_of = spoken_of
        self.values = values
        self.private = private

    def at(self, first: int) -> Clause | None:
        """Return the longest clause that begins at the word *first*; None where none does.

        One without a skeleton has an error: its verb wants a value that can't be read.
        """
        if (law := self._law(first)) is not None:
            return law
        state = _State(begun(), first, self.words[first].start)
        best, error, at = self._longest(state, first, _CHOICES)
        if best is None:
            return Clause(first, at, state.end, None, state.skipped, None, error) if error else None
        if (skeleton := ended(best.parser)) is None:
            return None
        skeleton = replace(skeleton, auxiliaries=best.auxiliaries,
                           commanded=skeleton.commanded and not best.auxiliaries)
        if skeleton.rule in {"tell", "take_back"}:
            clause = Clause(first, best.at, best.end, skeleton, best.skipped)
            clause.words = self.told(clause)
            return clause
        own = self.words[first:best.at]
        says_vote = any(word.sense("I") and any(after.sense("VOTE", "ENDORSE") for after in own[place:place + 4])
                        for place, word in enumerate(own))
        return Clause(first, best.at, best.end, skeleton, best.skipped, best.stopped or (
            error if error is not None and error.problem != "not understood" else None), None, says_vote,
            first == 0 and best.at >= len(self.words))

    def _longest(self, state: _State, first: int, choices: int) -> tuple[_State | None, BallotError | None, int]:
        """Feed *state* as far as it goes: the longest clause, what stopped it, and where.

        Where a word has several senses that fit, each is followed, *choices* times at most.
        """
        best: _State | None = None
        while state.at < len(self.words) and state.at - first < _LONGEST:
            senses = self._senses(state) if choices else []
            if len(senses) > 1:
                found = []
                for sense in senses[:3]:
                    branch = state.snapshot()
                    self._say(branch, sense)
                    here = branch.snapshot() if "$END" in choices_of(branch.parser) else None
                    longest, error, at = self._longest(branch, first, choices - 1)
                    found.append((longest or here, error, at))
                longest, error, at = max(found, key=lambda each: (each[0].at if each[0] else -1, each[1] is not None))
                return (longest or best, error, at)
            fed = self._feed(state)
            if isinstance(fed, BallotError):
                return best, (fed if state.verb else None), state.at
            if not fed:
                break
            if "$END" in choices_of(state.parser):
                best = state.snapshot()
        return best, None, state.at

    def _senses(self, state: _State) -> list[Sense]:
        """The senses in which the word at ``state.at`` fits."""
        choices, word = choices_of(state.parser), self.words[state.at]
        fitting = [each for each in word.senses if each.terminal in choices and not (
            each.terminal == "NAME" and state.fed) and can_follow(state.parser, each.terminal, (word, each))]
        return sorted(fitting, key=lambda each: each.terminal == "NAME")

    def _say(self, state: _State, sense: Sense) -> None:
        """Feed the word at ``state.at`` in one of its senses."""
        word = self.words[state.at]
        state.parser.feed_token(Token(sense.terminal, (word, sense)))
        state.at, state.end, state.fed = state.at + 1, word.end, state.fed + 1
        state.verb = state.verb or bool(sense.frame)
        if sense.terminal in AUXILIARIES:
            state.auxiliaries += (word,)

    def told(self, clause: Clause) -> str:
        """Return what *clause* is about, and let it reach to where that ends: another clause, or the sentence's end."""
        text, last = self.values.clean.text, len(self.words)
        for at in range(clause.last + 1, len(self.words)):
            if self._joins(at - 1) and self.words[at].sense("I", "VOTE", "LABEL") and (
                    after := self.at(at)) is not None and after.skeleton is not None:
                last = at - 1
                break
        while last > clause.last and (self.words[last - 1].breaks or self.words[last - 1].sense("AND")):
            last -= 1
        stop = self.words[last - 1].end if last > clause.last else clause.end
        words = text[clause.end:stop].strip(" ,.;:!-")
        clause.last, clause.end = last, stop
        return words

    def _joins(self, at: int) -> bool:
        """Whether another clause may follow the word *at*."""
        word = self.words[at]
        return word.sense("COMMA", "SEMI", "AND", "DASH") is not None or "joint contrast" in word.marks

    def _law(self, first: int) -> Clause | None:
        """A deed that carries text, up to where a clause with its own subject goes on; or the question about it."""
        text = self.values.clean.text
        stop, last = len(text), len(self.words)
        read = self.values.written(self.words[first].start, stop, private=self.private)
        if read is None:
            return None
        carries = self.words[first].text.startswith(("say", "ask", "check", "intend"))
        for at in range(first + 2, len(self.words) if not carries else 0):
            if self._joins(at - 1) and self.words[at].sense("I", "VOTE", "LABEL"):
                clause = self.at(at)
                if clause is not None and clause.skeleton is not None:
                    start = at - 1
                    while start > first and (self.words[start].breaks or self.words[start].sense("AND")
                                             or "joint contrast" in self.words[start].marks):
                        start -= 1
                    stop, last = self.words[start].end, start + 1
                    read = self.values.written(self.words[first].start, stop, private=self.private)
                    break
        if isinstance(read, Value) and isinstance(read.value, Act):
            return Clause(first, last, stop, Skeleton("law", read.value.verb, act=read.value))
        return Clause(first, last, stop, None, error=read) if isinstance(read, BallotError) else None

    def _feed(self, state: _State) -> bool | BallotError:
        """Feed the word at ``state.at``, or the value that begins there; whether it fitted."""
        choices = choices_of(state.parser)
        word = self.words[state.at]
        if self._whole(state, choices, word):
            return True
        fitting = self._senses(state)
        if fitting:
            self._say(state, fitting[0])
            return True
        return self._value(state, choices, word) or self._skip(state, word)

    def _skip(self, state: _State, word: Word) -> bool:
        """Step over a word that changes nothing of a clause, or the author's own name behind "I"."""
        if word.marks & SKIPPED:
            state.skipped.append(word)
            state.at, state.end = state.at + 1, word.end
            return True
        own = self.values.book.people.author
        behind_i = word.person is not None and state.at > 0 and self.words[state.at - 1].sense("I")
        if word.terminal in _APART or behind_i:
            after = state.at + (word.terminal in _APART)
            following = self.words[after] if after < len(self.words) else None
            if following is not None and following.person is not None and following.person.names == (own,):
                past = after + 1
                past += past < len(self.words) and self.words[past].terminal in _APART
                state.at = past
                return True
            if following is not None and state.fed and word.terminal == "COMMA" and (
                    following.marks & SKIPPED or (state.skipped and state.skipped[-1] is self.words[state.at - 1])):
                state.at += 1
                return True
        return False

    def _whole(self, state: _State, choices: Container[str], word: Word) -> bool:
        """Feed a value that is told by its first word: two persons, a verdict, the vote of another."""
        values, words = self.values, self.words
        if "PAIR" in choices and (pair := values.pair(words, state.at)) is not None and (
                state.fed or pair[0] > 2) and can_follow(
                state.parser, "PAIR", pair[1]):
            self._fed(state, "PAIR", pair[1], words[state.at + pair[0] - 1].end)
            return True
        for terminal, start, begins in (("JUDGEMENT", "judgement", "GUILTY"), ("FOLLOW", "ballot", "ENDORSE")):
            if terminal in choices and word.sense(begins):
                read = values.longest(start, word.start)
                if isinstance(read, Value) and can_follow(state.parser, terminal, read.value):
                    return self._take(state, terminal, read)
        return False

    def _value(self, state: _State, choices: Container[str], word: Word) -> bool | BallotError:
        """Feed the person or the ballot that begins here; False where none does, an error where one should."""
        values, words = self.values, self.words
        if word.breaks and word.terminal not in {"OPEN", "QUOTE"}:
            return False
        if "BALLOT" in choices and state.fed and word.sense("HIM") and (
                only := self._only_before(state.at)) and can_follow(state.parser, "BALLOT", For(only)):
            self._fed(state, "BALLOT", For(only), word.end)
            return True
        if "BALLOT" in choices and (state.fed or self._begins_condition(word)) and not (
                word.marks & SKIPPED and not word.senses):
            read = values.longest("ballot", word.start)
            if isinstance(read, Value) and can_follow(state.parser, "BALLOT", read.value):
                return self._take(state, "BALLOT", read)
            if isinstance(read, BallotError) and state.fed:
                return read
        if "TARGET" in choices and (state.fed or word.person is None):
            person = values.person(words, state.at)
            if isinstance(person, BallotError):
                return person
            if person is not None and can_follow(state.parser, "TARGET", person.value):
                return self._take(state, "TARGET", person)
            if word.sense("HIM") and can_follow(state.parser, "TARGET", word):
                self._fed(state, "TARGET", word, word.end)
                return True
        return False

    def _only_before(self, at: int) -> str:
        """The only other person named before the word *at*, or in the sentence before; '' for none, or several."""
        own = self.values.book.people.author
        named = {name for word in self.words[:at] if word.person for name in word.person.names if name != own}
        return named.pop() if len(named) == 1 else self.spoken_of if not named else ""

    def _begins_condition(self, word: Word) -> bool:
        return word.text in _CONDITIONS

    def _take(self, state: _State, terminal: str, read: Value) -> bool:
        if read.stopped is not None:
            state.stopped = read.stopped
        self._fed(state, terminal, read.value, read.end)
        return True

    def _fed(self, state: _State, terminal: str, value: object, end: int) -> None:
        """Feed *value*, which ends at the place *end*, and go to the first word behind it."""
        state.parser.feed_token(Token(terminal, value))
        while state.at < len(self.words) and self.words[state.at].start < end:
            state.at += 1
        state.end, state.fed = end, state.fed + 1
