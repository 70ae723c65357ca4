"""Clauses that do something: Lark's LALR parser over classes of words (`grammar/clauses.lark`).

The parser is fed one word at a time, in each of its senses that fits; the longest clause from a place is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, replace

from lark import Token
from lark.exceptions import UnexpectedToken
from lark.parsers.lalr_interactive_parser import InteractiveParser

from nomicwolf.language.clause_parser import begun, can_end, choices_of, copied, ended
from nomicwolf.language.lexicon import Sense
from nomicwolf.language.skeletons import Skeleton
from nomicwolf.language.values import Value, Values
from nomicwolf.language.words import Word
from nomicwolf.reading.deeds import Act, BallotError
from nomicwolf.village.ballots import For

SKIPPED = frozenset({"force", "polite", "hedge", "adjective", "bygone"})
"""Marks of words that a clause may hold anywhere."""
AUXILIARIES = frozenset(
    {
        "BE",
        "HAVE",
        "DO",
        "WILL",
        "GOING",
        "WOULD",
        "CAN",
        "MUST",
        "LIKE",
        "CHOOSE",
        "CHOOSE_NOT",
        "PLAN",
        "LET",
        "LETS",
        "NOT",
    }
)
_OWNING = frozenset({"me", "my"})
_HONOURED = frozenset({"h", "hon", "honourable", "honorable"})
"""How a nomic speaks of its officers: "H. Promotor Gus"."""
_NO_DESCRIPTION = frozenset({"way", "idea", "person", "theory", "letter", "mail"})
"""What belongs to somebody who is named behind it, and is not em: "the way Fay plays"."""
_WHOEVER = frozenset({"whoever", "whomever"})
_WHILE = frozenset({"while", "whilst"})
"""Conditions where a ballot follows, and concessions elsewhere."""
_APART = frozenset({"COMMA", "OPEN", "CLOSE", "DASH"})
_CLOSED_BY = {"COMMA": "COMMA", "OPEN": "CLOSE"}
_LONGEST_ASIDE = 16
_LONGEST_DESCRIPTION = 7
_POLITE = 2
_SUBJECT = 2
"""Words of the longest subject: "my vote"."""
_CHANGING = frozenset(
    {
        "cancel",
        "sample",
        "fiction",
        "report",
        "think",
        "hedge",
        "elsewhere",
        "question",
        "joint condition",
        "joint choice",
        "joint correction",
        "joint contrast",
    }
)
"""Marks of words with which an aside may change the clause that it is in."""
_CHANGING_BUT_QUESTIONS = _CHANGING - {"question"}
_DOING = ("VOTE", "ENDORSE", "STRIKE", "MATCH", "UNDO", "CAST", "ALONE", "NOT", "HIM", "WE", "YOU")
_APART_BEHIND = frozenset({"COMMA", "OPEN", "DASH"})
_ENDING = frozenset({"SEMI", "DASH", "OPEN"})
_BEGUN_BY = (("JUDGEMENT", "judgement", "GUILTY"), ("FOLLOW", "ballot", "ENDORSE"), ("FOLLOW", "ballot", "COPY"))
_MOST_READINGS = 8
"""Whole clauses that are looked at for one that does something."""
_MOST_STATES = 400
"""States that are followed for one clause."""
_BALLOTS = frozenset({"vote", "ballot"})
_LONGEST = 40
"""Words before the value of a clause."""


@dataclass(slots=True)
class Clause:
    """A clause of words ``[first, last)``: its *skeleton*, the words that were *skipped*, and what stopped its value.

    *end* is the place in the text behind it, *meant* whom its pronoun means, *after* the word right behind it. *error*
    says why it has no value though one should be there.
    """

    first: int
    last: int
    end: int
    skeleton: Skeleton | None = None
    skipped: Sequence[Word] = ()
    stopped: BallotError | None = None
    error: BallotError | None = None
    says_vote: bool = False
    whole: bool = False
    words: str = ""
    dangling: bool = False
    closed: bool = True
    said: Sequence[Word] = ()
    own: bool = False
    emote: bool = False
    settled: bool = False
    apart: bool = False
    parted: bool = False
    requested: bool = False
    refused: bool = False
    meant: str = ""
    after: Word | None = None


@dataclass(slots=True)
class _State:
    """How far a clause has been fed: to the word *at*, which begins at the place *end* or behind it."""

    parser: InteractiveParser
    at: int
    end: int
    fed: int = 0
    verb: bool = False
    auxiliaries: tuple[Word, ...] = ()
    skipped: tuple[Word, ...] = ()
    order: int = 0


class Clauses:
    """Finds the clauses of one sentence, of the *words* of which *values* knows the text."""

    def __init__(
        self,
        words: list[Word],
        values: Values,
        means: Callable[[Clause], bool],
        *,
        private: bool = False,
        named: frozenset[str] = frozenset(),
        addressed: str = "",
    ) -> None:
        self.words = words
        self.named = named
        self.addressed = addressed
        self.means = means
        self.values = values
        self.private = private
        self._known: dict[int, Clause | None] = {}
        self._read_before: dict[tuple[str, int], Value | BallotError] = {}

    def at(self, first: int) -> Clause | None:
        """Return the longest clause that begins at the word *first*; None where none does.

        One without a skeleton has an error: its verb wants a value that can't be read.
        """
        if first not in self._known:
            self._known[first] = self._at(first)
        return self._known[first]

    def _at(self, first: int) -> Clause | None:
        law = self._law(first)
        if law is not None and law.error is None:
            return law
        whole, error, reached = self._longest(_State(begun(), first, self.words[first].start), first)
        if law is not None and not any(self._does(state, first) for state in whole):
            return law
        if not whole:
            return Clause(first, reached.at, reached.end, None, reached.skipped, None, error) if error else None
        unread = error if error is not None and error.problem != "not understood" else None
        longest: Clause | None = None
        for state in sorted(whole, key=lambda each: -each.at)[:_MOST_READINGS]:
            clause = self._clause(state, first, unread)
            if clause is not None and self.means(clause):
                return clause
            longest = longest or clause
        return longest

    def _does(self, state: _State, first: int) -> bool:
        """Whether the clause that *state* has been fed does something to somebody."""
        clause = self._clause(state, first, None)
        return (
            clause is not None and clause.skeleton is not None and bool(clause.skeleton.targets) and self.means(clause)
        )

    def _clause(self, state: _State, first: int, unread: BallotError | None) -> Clause | None:
        """The clause that *state* has been fed."""
        if (skeleton := ended(copied(state.parser))) is None:
            return None
        skeleton = replace(
            skeleton, auxiliaries=state.auxiliaries, commanded=skeleton.commanded and not state.auxiliaries
        )
        clause = Clause(
            first,
            state.at,
            state.end,
            skeleton,
            state.skipped,
            unread,
            None,
            self._says_vote(first, state.at),
            first == 0 and state.at >= len(self.words),
        )
        clause.said = self.words[first : state.at]
        clause.parted = all(
            word.breaks for word in (*self.words[max(0, first - 1) : first], *self.words[state.at :][:1])
        )
        addressed = skeleton.subject if skeleton.subject is not None and skeleton.subject.sense("YOU") else None
        pointing = [each for each in (addressed, *skeleton.targets) if isinstance(each, Word)]
        clause.meant = self._meant_by(self.words.index(pointing[-1])) if pointing else ""
        clause.own = any(
            word.terminal in {"MY", "ME", "LABEL"} or not _OWNING.isdisjoint(word.text.split())
            for word in self.words[first : state.at]
        )
        if skeleton.rule in {"tell", "take_back"}:
            clause.words = self.told(clause)
        return clause

    def _says_vote(self, first: int, last: int) -> bool:
        """Whether the words from *first* to *last* hold "I" and a verb of voting right behind it, or "my vote"."""
        own = self.words[first:last]
        return any(
            not (place and _conditional(own[place - 1]))
            and (
                (
                    word.sense("I") is not None
                    and (
                        any(after.sense("VOTE", "ENDORSE") for after in own[place : place + 4])
                        or any(before.text == "so" for before in own[max(0, place - 2) : place])
                    )
                )
                or (word.terminal == "MY" and any(after.text in _BALLOTS for after in own[place + 1 : place + 2]))
                or word.text == "mine"
                or (word.sense("I") and [after.text for after in own[place + 1 : place + 3]] == ["am", "on"])
                or word.text in {"count me", "put me"}
                or (word.sense("ME") and [after.text for after in own[place + 1 : place + 2]] == ["on"])
            )
            for place, word in enumerate(own)
        )

    def _longest(self, begun_at: _State, first: int) -> tuple[list[_State], BallotError | None, _State]:
        """Follow every sense of every word from *begun_at*: whole clauses, what stopped a value, and where.

        Of two states that expect the same at the same word the one that stepped over fewer words goes on.
        """
        whole: list[_State] = []
        error: BallotError | None = None
        reached = begun_at
        waiting, seen = [begun_at], set[tuple[int, tuple[object, ...]]]()
        while waiting:
            state = waiting.pop(
                min(
                    range(len(waiting)),
                    key=lambda each: (waiting[each].at, len(waiting[each].skipped), waiting[each].order),
                )
            )
            key = state.at, tuple(state.parser.parser_state.state_stack)
            if key in seen or len(seen) > _MOST_STATES:
                continue
            seen.add(key)
            if (
                state.fed
                and self.words[state.at - 1].terminal not in _APART_BEHIND
                and not self._thanks(state.at)
                and ("$END" in choices_of(state.parser))
                and can_end(state.parser)
            ):
                whole.append(state)
            if state.at >= len(self.words) or state.at - first >= _LONGEST:
                continue
            following, unread = self._following(state)
            if unread is not None and state.verb and (error is None or state.at >= reached.at):
                error, reached = unread, state
            waiting += following
        return whole, error, reached

    def _thanks(self, at: int) -> bool:
        """Whether the word before *at* thanks whoever is named there, or asks for more: no part of a clause before."""
        after, last = self.words[at] if at < len(self.words) else None, self.words[at - 1]
        if after is None or "polite" not in last.marks or at < _POLITE or not self.words[at - 2].breaks:
            return False
        return after.person is not None or after.sense("CAST", "GIVE", "TAKE") is not None

    def _following(self, state: _State) -> tuple[list[_State], BallotError | None]:
        """The states after the next word in each sense that fits, or the value that begins there; what was unread."""
        word, choices = self.words[state.at], choices_of(state.parser)
        found: list[_State] = []
        for sense in word.senses:
            if sense.terminal in choices and not (sense.terminal == "NAME" and state.fed):
                self._feed(state, Token(sense.terminal, (word, sense)), word.end, found, word, sense)
        unread = None
        for terminal, value in self._values(state, choices, word):
            if isinstance(value, BallotError):
                unread = value
            else:
                self._feed(state, Token(terminal, value.value), value.end, found)
        if (skipped := self._skip(state, word)) is not None:
            found.append(skipped)
        for number, each in enumerate(found):
            each.order = state.order + number
        return found, unread

    def _feed(
        self,
        state: _State,
        token: Token,
        end: int,
        found: list[_State],
        word: Word | None = None,
        sense: Sense | None = None,
    ) -> None:
        """Add to *found* the state behind *token*, which ends at the place *end*, if it fits there."""
        parser = copied(state.parser)
        try:
            parser.feed_token(token)
        except UnexpectedToken:
            return
        at = state.at + 1 if word is not None else state.at
        while word is None and at < len(self.words) and self.words[at].start < end:
            at += 1
        found.append(
            _State(
                parser,
                at,
                end,
                state.fed + 1,
                state.verb or bool(sense and sense.frame),
                (*state.auxiliaries, word)
                if word is not None and sense is not None and (sense.terminal in AUXILIARIES)
                else state.auxiliaries,
                state.skipped,
                state.order,
            )
        )

    def told(self, clause: Clause) -> str:
        """Return what *clause* is about, and let it reach to where that ends: another clause, or the sentence's end."""
        text, last = self.values.clean.text, len(self.words)
        for at in range(clause.last + 1, len(self.words)):
            if (
                self._joins(at - 1)
                and self.words[at].sense("I", "VOTE", "LABEL", "TELL")
                and (after := self.at(at)) is not None
                and after.skeleton is not None
            ):
                last = at - 1
                break
        for at in range(clause.last, last):
            begins = at == clause.last and self.words[at].marks == {"discourse"} and not self.words[at].senses
            apart = (
                begins
                or self.words[at].terminal in _ENDING
                or (
                    self.words[at].terminal == "COMMA"
                    and at + 1 < last
                    and self.words[at + 1].terminal in {"THEY", "I"}
                )
            )
            if apart:
                last = at
                break
        while last > clause.last and (self.words[last - 1].breaks or self.words[last - 1].sense("AND")):
            last -= 1
        about = last
        while about > clause.last and (
            self.words[about - 1].breaks
            or self.words[about - 1].sense("AND")
            or self.words[about - 1].marks & {"force", "manner", "discourse", "polite"}
        ):
            about -= 1
        start, stop = clause.end, self.words[about - 1].end if about > clause.last else clause.end
        clause.last, clause.end = last, max(clause.end, self.words[last - 1].end)
        return text[start:stop].strip(" .;:!-")

    def _joins(self, at: int) -> bool:
        """Whether another clause may follow the word *at*."""
        word = self.words[at]
        return word.sense("COMMA", "SEMI", "AND", "DASH") is not None or "joint contrast" in word.marks

    def _law(self, first: int) -> Clause | None:
        """A deed that carries text, up to where a clause with its own subject goes on; or the question about it."""
        text = self.values.clean.text
        stop, last = len(text), len(self.words)
        read = self.values.written(self.words[first].start, stop)
        if read is None or (
            isinstance(read, BallotError) and not self.private and self.words[first].text in {"say", "tell"}
        ):
            return None
        carries = self.words[first].text.startswith(("say", "ask", "check", "intend"))
        for at in range(first + 2, len(self.words) if not carries else 0):
            if self._joins(at - 1) and self.words[at].sense("I", "VOTE", "LABEL"):
                clause = self.at(at)
                if clause is not None and clause.skeleton is not None:
                    start = at - 1
                    while start > first and (
                        self.words[start].breaks
                        or self.words[start].sense("AND")
                        or "joint contrast" in self.words[start].marks
                    ):
                        start -= 1
                    stop, last = self.words[start].end, start + 1
                    read = self.values.written(self.words[first].start, stop)
                    break
        if isinstance(read, Value) and isinstance(read.value, Act):
            return Clause(first, last, stop, Skeleton("law", read.value.verb, act=read.value))
        return Clause(first, last, stop, None, error=read) if isinstance(read, BallotError) else None

    def _skip(self, state: _State, word: Word) -> _State | None:
        """The state behind a word that changes nothing of a clause, or behind the author's own name after "I"."""
        if word.marks & SKIPPED:
            return replace(state, at=state.at + 1, end=word.end, skipped=(*state.skipped, word))
        own = self.values.book.people.author
        behind_i = word.person is not None and state.at > 0 and self.words[state.at - 1].sense("I")
        if not (word.terminal in _APART or behind_i) or not state.fed:
            return None
        after = state.at + (word.terminal in _APART)
        following = self.words[after] if after < len(self.words) else None
        if following is None:
            return None
        if following.person is not None and following.person.names == (own,):
            past = after + 1
            apart = past < len(self.words) and self.words[past].terminal in _APART
            return replace(state, at=(apart and self._parenthesis(past)) or past + apart)
        subject = word.terminal == "COMMA" and state.fed <= _SUBJECT and not state.auxiliaries
        inside = word.terminal in _CLOSED_BY and (subject or "$END" not in choices_of(state.parser))
        if inside and (past := self._parenthesis(state.at)):
            return replace(state, at=past, skipped=(*state.skipped, *self.words[after : past - 1]))
        last = self.words[state.at - 1]
        if word.terminal == "COMMA" and (following.marks & SKIPPED or (state.skipped and state.skipped[-1] is last)):
            return replace(state, at=state.at + 1)
        return None

    def _parenthesis(self, at: int) -> int:
        """Where the words go on behind an aside that begins at the mark *at*; 0 where it may change the clause.

        ``My choice, as required by 7c, is Hal.``
        """
        closing = _CLOSED_BY.get(self.words[at].terminal, "")
        relative = at + 1 < len(self.words) and "joint relative" in self.words[at + 1].marks
        for past in range(at + 1, min(at + _LONGEST_ASIDE, len(self.words))):
            word = self.words[past]
            if word.terminal == closing and past > at + 1:
                return past + 1
            if self.private and (word.person is not None or word.sense("WE", "COMMA", "AND")):
                continue
            if relative and not (word.breaks or word.person or word.marks & _CHANGING_BUT_QUESTIONS):
                continue
            if word.breaks or word.person is not None or word.marks & _CHANGING or word.sense(*_DOING):
                return 0
        return 0

    def _values(self, state: _State, choices: Container[str], word: Word) -> Iterator[tuple[str, Value | BallotError]]:
        """The values that begin at *word* and that may stand here, each with its terminal."""
        values, words, at = self.values, self.words, state.at
        yield from self._together(state, choices, word)
        if "PAIR" in choices and (pair := values.pair(words, at)) is not None and (state.fed or pair[0] > 2):
            yield "PAIR", Value(words[at + pair[0] - 1].end, pair[1])
        if word.breaks and word.terminal not in {"OPEN", "QUOTE"}:
            return
        for terminal, start, begins in _BEGUN_BY:
            if terminal in choices and word.sense(begins) and isinstance(read := self._read(start, at), Value):
                yield terminal, read
        if "BALLOT" in choices:
            for read in self._ballots(state, word):
                yield "BALLOT", read
        himself = word.sense("HIM") or (word.text == "you" and at + 1 == len(words))
        target = values.person(words, at) or (Value(word.end, word) if himself else None)
        if target is not None and "TARGET" in choices and (state.fed or word.person is None):
            yield "TARGET", target
        elif "TARGET" in choices and state.fed and (described := self._described(at)):
            yield "TARGET", values.person(words, described) or Value(word.end, word)

    def _together(self, state: _State, choices: Container[str], word: Word) -> Iterator[tuple[str, Value]]:
        """Several words that are one: the author with others as a subject, and whoever was attacked."""
        we = self._and_i(state.at) if "WE" in choices and not state.fed else 0
        victim = self._victim(state.at) if "VICTIM" in choices else 0
        if we:
            yield "WE", Value(self.words[we - 1].end, (self.words[we - 1], Sense("WE")))
        if victim:
            yield "VICTIM", Value(self.words[victim - 1].end, (word, Sense("VICTIM")))

    def _ballots(self, state: _State, word: Word) -> Iterator[Value | BallotError]:
        """The ballots that begin at *word*: behind a description, for whom a pronoun means, or as it stands."""
        at = state.at
        if state.fed and (described := self._described(at)):
            yield self._read("ballot", described)
        if state.fed and (only := self._meant_by(at)):
            yield Value(word.end, For(only))
        elif self._may_begin(state, word) and not (word.sense("I") or (word.marks & SKIPPED and not word.senses)):
            read = self._read("ballot", at)
            if isinstance(read, Value) or state.fed:
                yield read

    def _may_begin(self, state: _State, word: Word) -> bool:
        """Whether a ballot may begin with *word*: behind others, or before its verb, "Ivy is the one I vote for"."""
        after = self.words[state.at + 1] if state.at + 1 < len(self.words) else None
        named = word.person is not None and after is not None and after.sense("BE") is not None
        return bool(state.fed) or _conditional(word) or named

    def _victim(self, at: int) -> int:
        """Where the words go on behind "whoever the wolves have picked" from *at*; 0 where it doesn't stand there."""
        words = self.words
        doer = words[at + 1] if words[at].text in _WHOEVER and at + 2 < len(words) else None
        if doer is None or not (doer.sense("THEY") or (doer.sense("WE") and doer.text.startswith("the "))):
            return 0
        verb = at + 2 + (words[at + 2].sense("HAVE") is not None)
        past = verb < len(words) and not (words[verb].breaks or words[verb].person or words[verb].sense("BE", "VOTE"))
        return (verb + 1 + (verb + 1 < len(words) and words[verb + 1].text == "for")) if past else 0

    def _and_i(self, at: int) -> int:
        """Where the words go on behind the author and others as one subject, "Bex, Dov and I"; 0 for none."""
        own, end = False, at
        while end < len(self.words):
            word = self.words[end]
            if word.person is not None or word.sense("I", "ME"):
                own = own or word.person is None
                end += 1
                if end < len(self.words) and self.words[end].sense("AND", "COMMA"):
                    following = self.words[end + 1] if end + 1 < len(self.words) else None
                    if following is not None and (following.person is not None or following.sense("I", "ME", "AND")):
                        end += 1 + (following.sense("AND") is not None)
                        continue
            break
        return end if own and end > at + 1 else 0

    def _read(self, start: str, at: int) -> Value | BallotError:
        """The value of the rule *start* that begins at the word *at*, read once."""
        key = start, at
        if key not in self._read_before:
            self._read_before[key] = self.values.longest(start, self.words[at].start)
        return self._read_before[key]

    def _meant_by(self, at: int) -> str:
        """Whom the pronoun *at* means: the only other person named before it, in the sentence or else in the letter.

        Whoever is called by "you" is named in the same sentence, or called in the letter; '' for nobody.
        """
        word, own = self.words[at], self.values.book.people.author
        above = self.named
        if word.sense("HIM") and word.text != "it":
            among: Sequence[Word] = self.words[:at]
        elif word.text in {"you", "u", "ya"}:
            among, above = self.words, frozenset({self.addressed} - {""})
        else:
            return ""
        named = {name for word in among if word.person for name in word.person.names if name != own} or set(above)
        return named.pop() if len(named) == 1 else ""

    def _described(self, at: int) -> int:
        """The name to which the words from *at* only add a description, "that liar Gus"; 0 where there is none."""
        words = self.words
        honoured = words[at].text in _HONOURED or (
            words[at].sense("THE") and at + 1 < len(words) and words[at + 1].text in _HONOURED
        )
        if not (honoured or words[at].sense("THE", "MY") or words[at].marks & {"adjective"}):
            return 0
        for place in range(at + 1, min(at + _LONGEST_DESCRIPTION, len(words))):
            word = words[place]
            if word.person is not None and (place > at + 1 or honoured or words[at].text == "the"):
                after = words[place + 1] if place + 1 < len(words) else None
                whole = len(word.person.names) == 1 and not (
                    after is not None and after.sense("POSS", "BE", "DO", "HAVE")
                )
                return place if whole else 0
            if honoured and (word.breaks or "elsewhere" in word.marks):
                continue
            joins = any(mark.startswith("joint ") for mark in word.marks) or word.text in _NO_DESCRIPTION
            if joins or word.senses or word.person or word.marks & (_CHANGING | {"vague", "author", "bygone"}):
                return 0
        return 0


def _conditional(word: Word) -> bool:
    """Whether a condition may begin with *word*."""
    return "joint condition" in word.marks or word.text in _WHILE or "tracks" in word.marks
