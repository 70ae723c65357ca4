"""A letter's own lines to deeds: sentences understood, and what stands around each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Literal, TypeAlias

from nomicwolf.language.elimination import by_elimination
from nomicwolf.language.hazards import beside
from nomicwolf.language.lexicon import Entry, lexicon
from nomicwolf.language.meanings import UNKNOWN
from nomicwolf.language.parts import Talk
from nomicwolf.language.sentence import Judged, Understood, deed_of, understand
from nomicwolf.language.situation import Situation
from nomicwolf.language.talk_features import Deed as NearDeed
from nomicwolf.reading.acts import Act, says
from nomicwolf.reading.blocks import without_blocks
from nomicwolf.reading.deeds import Deed, Ignored, People, Problem, Reading
from nomicwolf.reading.errors import BallotError
from nomicwolf.reading.limits import LIMITS, Limits
from nomicwolf.reading.literal import refuse_called_conditional, refuse_literal
from nomicwolf.reading.names import book_of
from nomicwolf.reading.quotations import without_quotations
from nomicwolf.reading.sentences import Sentence, sentences
from nomicwolf.reading.times import Clock

_VOTING = frozenset({"vote", "endorse", "unvote"})
_NOTHING = Entry()
Place: TypeAlias = Literal["forum", "contestmaster"]


def read(
    lines: Iterable[tuple[int, str]],
    people: People,
    *,
    to: Place,
    instant: int | None = 0,
    day_began: int | None = None,
    limits: Limits = LIMITS,
    role: str = "",
    open_verbs: frozenset[str] | None = None,
) -> Reading:
    """Return what the author's own *lines* (number from 1, text) do."""
    book = book_of(people)
    situation = Situation(book, Clock(instant, day_began), limits, to == "contestmaster", role, open_verbs)
    own, quoted = without_quotations(lines)
    own, _ = without_blocks(own, book)
    found = _understood(list(sentences([row for row in own if not row[1].startswith(">")], book)), situation)
    deeds: list[Deed] = []
    problems: list[Problem] = []
    governed = _governed(found)
    for number, each in enumerate(found):
        if not _replaced(found, number):
            _add(each, _around(found, number) or governed.get(number, ""), situation, deeds, problems)
    if not deeds and not problems and (meant := by_elimination(found, situation)) is not None:
        deeds, problems = meant
    ignored = tuple(
        Ignored(number, text, "quoted") for number, text in quoted if book.names_in(text) and _speaks_of_votes(text)
    )
    return _capped(Reading(tuple(_deduplicated(deeds)), tuple(problems), ignored), limits.deeds)


def _speaks_of_votes(text: str) -> bool:
    """Whether *text* has a word of voting."""
    entries = lexicon().entries
    return any(
        sense.frame in _VOTING
        for word in text.casefold().split()
        for sense in entries.get(word.strip(".,:;!?\"'*_()[]"), _NOTHING).senses
    )


def _capped(reading: Reading, most: int) -> Reading:
    """Return *reading* with everything after its first *most* deeds refused in one problem."""
    if len(reading.deeds) <= most:
        return reading
    first = reading.deeds[most]
    refused = Problem(
        first.line,
        first.text,
        "too long",
        (),
        (f"A letter may hold {most} deeds. Nothing from here on was done; send it in a letter of its own."),
    )
    problems = tuple(each for each in reading.problems if each.line < first.line)
    return replace(reading, deeds=reading.deeds[:most], problems=(*problems, refused))


def _add(each: Understood, spoilt: str, situation: Situation, deeds: list[Deed], problems: list[Problem]) -> None:
    """Add what a sentence does and what its author is asked; *spoilt* is why the sentences beside it leave no deed."""
    for judged in each.judged:
        one = judged._replace(mood="ask", row="beside", reason=spoilt) if spoilt and judged.mood == "does" else judged
        if one.mood == "does":
            try:
                deeds += [_deed(each, act, situation) for act in one.acts]
            except BallotError as error:
                problems.append(_problem(each, one._replace(error=error)))
        elif one.mood == "ask" and not any(problem.text == each.sentence.written for problem in problems):
            problems.append(_problem(each, one))
    if not each.judged and each.doubt is not None and not each.sentence.asked:
        problems.append(
            Problem(
                each.sentence.line_at(0),
                each.sentence.written,
                "ambiguous",
                (),
                "if this is meant as a deed, say it plainly",
            )
        )


_GOING_ON = (
    "otherwise",
    "else",
    "or else",
    "failing that",
    "failing both",
    "if not",
    "alternatively",
    "but if",
    "but should",
    "however, if",
    "however if",
    "in all other cases",
    "in any other case",
)
_CARRYING = frozenset({"say", "ask", "check", "intend"})


def _understood(waiting: list[Sentence], situation: Situation) -> list[Understood]:
    """Understand the *waiting* sentences: alone, with what goes on behind them, or to the end of their paragraph."""
    found: list[Understood] = []
    at = 0
    while at < len(waiting):
        sentence, taken = waiting[at], 1
        named = (
            set(situation.book.names_in(found[-1].sentence.text)) - {situation.book.people.author} if found else set()
        )
        one = understand(sentence, situation, named.pop() if len(named) == 1 else "")
        if one.deeds and one.deeds[0].acts[0].verb in _CARRYING:
            rest = [each for each in waiting[at:] if each.paragraph == sentence.paragraph]
            one, taken = understand(sentence.to_the_end(), situation), len(rest)
        elif one.deeds:
            after = at + 1
            while after < len(waiting) and waiting[after].text.casefold().startswith(_GOING_ON):
                after += 1
            if after > at + 1:
                joined = understand(sentence.joined(*waiting[at + 1 : after]), situation)
                if joined.deeds and not joined.hazards:
                    one, taken = joined, after - at
        found.append(one)
        at += taken
    return found


def _replaced(found: list[Understood], number: int) -> bool:
    """Whether the next sentence takes back the deeds of this one and does something in their situation."""
    following = found[number + 1] if number + 1 < len(found) else None
    if following is None or not found[number].deeds or not following.deeds or not following.replaces:
        return False
    verbs = {act.verb for each in found[number].deeds for act in each.acts}
    return verbs <= {act.verb for each in following.deeds for act in each.acts}


def _deduplicated(deeds: list[Deed]) -> list[Deed]:
    found: list[Deed] = []
    for deed in deeds:
        if not (found and found[-1].says == deed.says and deed.verb != "object"):
            found.append(deed)
    return found


def _deed(each: Understood, act: Act, situation: Situation) -> Deed:
    if act.verb == UNKNOWN:
        raise BallotError("ambiguous", "Say what is to be done to em.")
    if act.ballot is not None:
        refuse_literal(act.ballot, situation.book.people)
        refuse_called_conditional(each.sentence.text, act.ballot)
    line = each.sentence.line_at(0)
    return Deed(line, each.sentence.written, act.verb, says(act), act.names, act.ballot, act.words)


def _problem(each: Understood, one: Judged) -> Problem:
    error = one.error
    offered = tuple(says(act) for act in one.acts if act.verb != UNKNOWN)
    if error is not None:
        return Problem(
            each.sentence.line_at(0),
            each.sentence.written,
            error.problem,
            error.suggestions or offered,
            " ".join(part for part in (error.message, error.hint) if part),
        )
    return Problem(each.sentence.line_at(0), each.sentence.written, "ambiguous", offered, one.reason)


def _governed(found: list[Understood]) -> dict[int, str]:
    """Why the sentences under a doubtful heading leave no deed, by their place: its paragraph's rest, or the next."""
    spoilt: dict[int, str] = {}
    reason, paragraph = "", -1
    for number, each in enumerate(found):
        here = each.sentence.paragraph
        if here != paragraph:
            reason = ""
        if reason:
            spoilt[number] = reason
        heading = next(
            (hazard for hazard in each.hazards if hazard.name in {"heading", "sample", "another's words"}), None
        )
        if heading is not None and any(isinstance(part, Talk) and part.parted == "COLON" for part in each.parts):
            reason, paragraph = heading.reason, here
        elif (
            not each.deeds
            and each.sentence.text.endswith(":")
            and number + 1 < len(found)
            and (hazard := beside([each.talk], each.sentence.text, NearDeed(), before=True)) is not None
        ):
            reason, paragraph = hazard.reason, found[number + 1].sentence.paragraph
    return spoilt


def _around(found: list[Understood], number: int) -> str:
    """What the sentences beside leave of a deed: '' where they are harmless."""
    clause = next((each.clause for each in found[number].judged), None)
    deed = deed_of(clause) if clause is not None else NearDeed()
    for step in (1, -1):
        other = found[number + step] if 0 <= number + step < len(found) else None
        if other is None or other.deeds or not other.words:
            continue
        if (
            hazard := beside(
                [other.talk],
                other.sentence.text,
                deed,
                before=step < 0,
                asked=other.sentence.asked,
                ended=bool(other.sentence.close),
            )
        ) is not None:
            return hazard.reason
    return ""
