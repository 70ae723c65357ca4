"""One sentence to deeds: it performs, alone or with those behind it, or it is talk, or it is asked about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from nomicwolf.reading.acts import Act, aimed, says
from nomicwolf.reading.addressing import greeting, ungrouped, unspoken
from nomicwolf.reading.asking import asks_for, before_question
from nomicwolf.reading.bare import bare_ballot, bare_together
from nomicwolf.reading.beside import doubt_after, refuse_brackets
from nomicwolf.reading.correcting import corrects
from nomicwolf.reading.deeds import Deed, Ignored, Problem
from nomicwolf.reading.doubts import (
    failure_question,
    half_said_question,
    lawful_question,
    ticked_question,
    unchosen_question,
)
from nomicwolf.reading.errors import BallotError
from nomicwolf.reading.halfsaid import says_nobody
from nomicwolf.reading.hints import sentence_case, suited
from nomicwolf.reading.kinds import (
    ASKED,
    CHOICES,
    NIGHT_VERBS,
    PARTY,
    PRIVATE_DEEDS,
    PUBLIC,
    PUBLIC_DEEDS,
    VERDICTS,
    WRITTEN,
)
from nomicwolf.reading.lawful import DATED, INTENTS, OBJECTIONS, is_reason, on_named
from nomicwolf.reading.limits import Limits
from nomicwolf.reading.literal import refuse_called_conditional, refuse_literal, refuse_retraction_last
from nomicwolf.reading.names import NameBook
from nomicwolf.reading.nightly import UNCONDITIONAL, is_everyday, seems_called_off, seems_chosen
from nomicwolf.reading.parsing import parse
from nomicwolf.reading.performing import TALK, Opening, going_otherwise, opening, performs_later
from nomicwolf.reading.second_thoughts import Finding
from nomicwolf.reading.seeming import is_vote_meant, seems_meant
from nomicwolf.reading.sentences import Sentence
from nomicwolf.reading.signing import ANOTHERS, signature, signs_as_another
from nomicwolf.reading.text import Clean
from nomicwolf.reading.times import Clock
from nomicwolf.reading.trailing import cuts, harmless, second_target, without_tail
from nomicwolf.reading.vocables import about_votes, begins_condition

VOTING = PUBLIC | {"_IF", "_UNLESS"}
_NAMING = (VOTING | ASKED) - {"UNVOTE", "UNACCUSE"}
"""What a name behind a stroke could be about: "I vote for Gus -- Bex", "Votes so far: Gus - Bex"."""
_REASONED = PARTY | {"BACK", "SECOND"}
"""What only a reason may follow: a word more could be another's, or take back what can't be undone."""
_QUESTION = BallotError("ambiguous", "This is a question.", hint="if you mean it, write it with a full stop")
_UNASKED = INTENTS | DATED | {"BACK", "RESOLVE"}
"""What nobody does by a question."""
TO_THE_END = -1
"""In place of how many sentences were taken: all to the end of the paragraph."""


@dataclass(slots=True)
class SentenceReader:
    """What a letter's sentences are read with: *private* if it is for the contestmaster alone."""

    book: NameBook
    clock: Clock
    private: bool
    limits: Limits

    def read(self, sentence: Sentence, rest: list[Sentence], after: list[Sentence]) -> tuple[int, list[Finding]]:
        """How many sentences were taken (`TO_THE_END`: those of the paragraph), and what was found in them.

        *rest* are those behind it in its paragraph, *after* the next one, wherever that stands.
        """
        if self.private and (past := greeting(sentence.text, self.book)):
            sentence = sentence._replace(start=sentence.start + past, text=sentence.text[past:])
        if self.private and sentence.asked and (wanted := asks_for(sentence.text)):
            return 1, [Deed(sentence.line_at(0), sentence.written, wanted, wanted)]
        stands = opening(sentence, self.private)
        if not self.private and (signed := signature(sentence.text, self.book)):
            unsigned = sentence._replace(end=sentence.start + signed[0], text=sentence.text[:signed[0]])
            plainly = opening(unsigned, private=False)
            if plainly.manner in {"performs", "bare"} and not plainly.kinds & _NAMING:
                if signed[1] != self.book.people.author:
                    return 1, [self._problem(sentence, plainly, ANOTHERS)]
                sentence, stands = unsigned, plainly
        if stands.manner in {"talk", "doubt"}:
            bare_if = rest and not self.private and sentence.text.startswith(("If ", "if "))
            run = going_otherwise(rest) if bare_if else []
            if run and (bare := bare_ballot(bare_together(sentence, run), self.book, self.clock, self.limits)):
                return 1 + len(run), [bare]
            return 1, self._not_performed(sentence, stands)
        if stands.kinds & WRITTEN:
            return self._written(sentence, stands)
        if sentence.asked and not (stands.kinds & ASKED and sentence.alone):
            return 1, self._asked(sentence, stands)
        return self._alone_or_joined(sentence, stands, rest, after)

    def _alone_or_joined(
        self, sentence: Sentence, stands: Opening, rest: list[Sentence], after: list[Sentence],
    ) -> tuple[int, list[Finding]]:
        """A sentence that performs, with the next one where that says what else the vote is to be."""
        if stands.kinds & VOTING and (run := going_otherwise(rest)):
            joined = sentence.joined(*run)
            together = self._performed(joined, stands)
            if isinstance(together, list):
                return 1 + len(run), together
            if any(about_votes(each.text) for each in run):
                return 1 + len(run), [self._problem(joined, stands, together)]
        found = self._performed(sentence, stands)
        if isinstance(found, BallotError) and rest and found.at > len(sentence.text) - stands.at:
            joined = sentence.joined(rest[0])
            if isinstance(again := self._performed(joined, stands), list):
                doubt = doubt_after(joined, rest[1:], self.book, self.clock, self.limits)
                return (3, [self._problem(joined, stands, doubt)]) if doubt else (2, again)
        if isinstance(found, list):
            by_night = self.private and stands.kinds & NIGHT_VERBS
            if (by_night or stands.kinds & VOTING) and (rest or after) and (
                    doubt := doubt_after(sentence, rest or after, self.book, self.clock, self.limits)):
                return 2, [self._problem(sentence, stands, UNCONDITIONAL if by_night else doubt)]
            if not self.private and after and not stands.kinds & VOTING and (
                    signs_as_another(after[0], sentence.text, self.book)):
                return 1, [self._problem(sentence, stands, ANOTHERS)]
            return 1, found
        return 1, self._failed(sentence, stands, found)

    def _asked(self, sentence: Sentence, stands: Opening) -> list[Finding]:
        """A question: talk, unless it only follows a deed in its sentence, as in "I vote for Gus; who else does?"."""
        part, sure = before_question(sentence, stands.at) if stands.kinds & VOTING else (None, False)
        if part is None:
            return self._talk(sentence)
        if isinstance(done := self._performed(part, stands), BallotError):
            return self._failed(part, stands, done) if sure else self._talk(sentence)
        return done if sure else [half_said_question(sentence, stands, self.book.names_in(part.text))]

    def _performed(self, sentence: Sentence, stands: Opening) -> list[Finding] | BallotError:
        """The deeds of a sentence that performs, or why it can't be taken."""
        try:
            acts = self._acts(sentence.clean, stands)
            refuse_retraction_last(acts)
            if not stands.kinds & WRITTEN:
                refuse_brackets(sentence.commented, self.book, {act.verb for act in acts})
            return [self._deed(sentence, stands, act) for act in acts]
        except BallotError as error:
            return error.as_value()

    def _acts(self, clean: Clean, stands: Opening) -> tuple[Act, ...]:
        """The acts from where the sentence performs; asides that change nothing may follow a public deed."""
        text = without_tail(clean.text)
        clean = clean.part(0, len(text))
        try:
            return self._parse(clean.part(stands.at, len(text)))
        except BallotError as error:
            if not stands.kinds & (VOTING | OBJECTIONS | VERDICTS | _REASONED | (CHOICES if self.private else set())):
                raise
            for cut, aside in cuts(text, stands.at):
                if stands.kinds & PARTY and not is_reason(aside):
                    continue
                try:
                    acts = self._parse(clean.part(stands.at, cut))
                except BallotError:
                    continue
                reasoned, last = bool(stands.kinds & (CHOICES | _REASONED)), acts[-1]
                if harmless(aside, self.book, last.ballot or aimed(last), reasoned=reasoned, verb=last.verb):
                    return acts
                raise second_target(acts[-1].ballot, aside, self.book) or error from None
            raise

    def _parse(self, clean: Clean) -> tuple[Act, ...]:
        goes_on = PRIVATE_DEEDS if self.private else PUBLIC_DEEDS
        return cast(tuple[Act, ...], parse(clean, "deeds", self.book, self.clock, self.limits, goes_on))

    def _deed(self, sentence: Sentence, stands: Opening, act: Act) -> Deed:
        """The deed of *sentence*; BallotError for a literal vote that may not be cast."""
        if act.ballot is not None:
            refuse_literal(act.ballot, self.book.people)
            refuse_called_conditional(sentence.text, act.ballot)
        act = on_named(act, sentence.text[:stands.at]) if stands.at else act
        line = sentence.line_at(stands.at)
        return Deed(line, sentence.written, act.verb, says(act), act.names, act.ballot, act.words)

    def _written(self, sentence: Sentence, stands: Opening) -> tuple[int, list[Finding]]:
        """A deed that carries text: a question or a message runs to the end of its paragraph."""
        if sentence.asked and stands.kinds & _UNASKED and sentence.text[stands.at:].startswith(("I ", "I'")):
            part, _ = before_question(sentence, stands.at)
            if part is None:
                return 1, [self._problem(sentence, stands, _QUESTION)]
            sentence = part
        long = bool(stands.kinds & {"CHECK", "SAY", "SAY_TO", "ASK", "INTEND"})
        whole = sentence.to_the_end() if long else sentence
        if isinstance(found := self._performed(whole, stands), list):
            return (TO_THE_END if long else 1), found
        return 1, self._failed(sentence, stands, found)

    def _failed(self, sentence: Sentence, stands: Opening, error: BallotError) -> list[Finding]:
        """A sentence that seems to perform but can't be taken: a question, or talk where the verb is everyday's."""
        if stands.kinds & VOTING:
            meant = is_vote_meant(sentence, stands, error, self.book)
            return [self._problem(sentence, stands, error)] if meant else self._talk(sentence)
        if stands.kinds & WRITTEN and error.problem == "ambiguous":
            return [self._problem(sentence, stands, error)]
        if question := failure_question(sentence, stands, error) or (self.private and unspoken(sentence, stands)):
            return [question]
        names_in = self.book.names_in
        if not self.private and not sentence.asked and names_in(sentence.text) and (
                seems_meant(sentence.text, names_in) or performs_later(sentence.text, stands.at)):
            return [half_said_question(sentence, stands, names_in(sentence.text))]
        if not self.private:
            return self._talk(sentence)
        if not stands.kinds & CHOICES:
            return self._not_performed(sentence, TALK)
        if is_everyday(sentence, stands.kinds, error, self.book):
            return self._not_performed(sentence, TALK) if stands.kinds <= {"PASS"} else self._talk(sentence)
        if error.problem in {"not understood", "ambiguous"} and not names_in(sentence.text):
            return self._talk(sentence) if error.problem == "not understood" or " you" in sentence.text else [
                self._problem(sentence, stands, error)]
        if begins_condition(sentence.text):
            error = UNCONDITIONAL
        return [self._problem(sentence, stands, error)]

    def _not_performed(self, sentence: Sentence, stands: Opening) -> list[Finding]:
        """Talk; or a sentence that could be meant as a deed, which is asked about."""
        if not self.private and (bare := bare_ballot(sentence, self.book, self.clock, self.limits)):
            return [bare]
        if not self.private and (ticked := ticked_question(sentence, self.book)):
            return [ticked]
        corrected = corrects(sentence.text, self.book)
        text, names_in = sentence.text, self.book.names_in
        if self.private and (seems_called_off(sentence) or ((corrected or seems_chosen(sentence)) and (
                " heal" in text or set(names_in(text)) & self.book.others or says_nobody(text)))):
            return [unchosen_question(sentence)]
        doubtful = stands.manner == "doubt" or corrected or seems_meant(text, names_in) or (
            " votes for " in text and '"' not in text and names_in(text)[:1] == (self.book.people.author,))
        if doubtful and not sentence.asked and (stands.kinds == {"UNVOTE"} or "retract" in text or "my " in text
                                                or names_in(text) or says_nobody(text)):
            return [half_said_question(sentence, stands, names_in(text))]
        if question := lawful_question(sentence, stands) or (self.private and ungrouped(sentence)):
            return [question]
        return self._talk(sentence)

    def _talk(self, sentence: Sentence) -> list[Finding]:
        """Remember talk that looks like a deed; other prose is nothing."""
        if about_votes(sentence.text) and self.book.names_in(sentence.text):
            return [Ignored(sentence.line_at(0), sentence.written, "talk")]
        return []

    def _problem(self, sentence: Sentence, stands: Opening, error: BallotError) -> Problem:
        """The answer to *sentence*; what is offered has the one name that stands there."""
        error = suited(error, stands.kinds, sentence.commented)
        hint = " ".join(part for part in (error.message, sentence_case(error.hint)) if part)
        names = self.book.names_in(sentence.text[stands.at:])
        offered = tuple(each.replace("NAME", names[0]) if len(names) == 1 else each for each in error.suggestions)
        return Problem(sentence.line_at(stands.at), sentence.written, error.problem, offered, hint)
