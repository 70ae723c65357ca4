"""A letter's own lines to deeds: sentences understood, and what stands around each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

from nomicwolf.language.elimination import by_elimination
from nomicwolf.language.hazards import beside
from nomicwolf.language.meanings import UNKNOWN
from nomicwolf.language.parts import Talk
from nomicwolf.language.place import Place
from nomicwolf.language.sentences import Judged, Understood, understand
from nomicwolf.reading.acts import Act, says
from nomicwolf.reading.blocks import without_blocks
from nomicwolf.reading.deeds import Deed, People, Problem, Reading
from nomicwolf.reading.errors import BallotError
from nomicwolf.reading.limits import LIMITS, Limits
from nomicwolf.reading.literal import refuse_literal
from nomicwolf.reading.names import book_of
from nomicwolf.reading.quotations import without_quotations
from nomicwolf.reading.sentences import Sentence, sentences
from nomicwolf.reading.times import Clock

Channel: TypeAlias = Literal["forum", "contestmaster"]


def read(
    lines: Iterable[tuple[int, str]], people: People, *, to: Channel, instant: int | None = 0,
    day_began: int | None = None, limits: Limits = LIMITS, role: str = "", open_verbs: frozenset[str] | None = None,
) -> Reading:
    """Return what the author's own *lines* (number from 1, text) do."""
    book = book_of(people)
    place = Place(book, Clock(instant, day_began), limits, to == "contestmaster", role, open_verbs)
    own, _ = without_quotations(lines)
    own, _ = without_blocks(own, book)
    found = _understood(list(sentences([row for row in own if not row[1].startswith(">")], book)), place)
    deeds: list[Deed] = []
    problems: list[Problem] = []
    for number, each in enumerate(found):
        if not _replaced(found, number):
            _add(each, _around(found, number), place, deeds, problems)
    if not deeds and not problems and (meant := by_elimination(found, place)) is not None:
        deeds, problems = meant
    return Reading(tuple(_deduplicated(deeds)), tuple(problems), ())


def _add(each: Understood, spoilt: str, place: Place, deeds: list[Deed], problems: list[Problem]) -> None:
    """Add what a sentence does and what its author is asked; *spoilt* is why the sentences beside it leave no deed."""
    for judged in each.judged:
        one = judged._replace(mood="ask", row="beside", reason=spoilt) if spoilt and judged.mood == "does" else judged
        if one.mood == "does":
            try:
                deeds += [_deed(each, act, place) for act in one.acts]
            except BallotError as error:
                problems.append(_problem(each, one._replace(error=error)))
        elif one.mood == "ask" and not any(problem.text == each.sentence.written for problem in problems):
            problems.append(_problem(each, one))
    if not each.judged and each.doubt is not None and not each.sentence.asked:
        problems.append(Problem(each.sentence.line_at(0), each.sentence.written, "ambiguous", (),
                                "if this is meant as a deed, say it plainly"))


_GOING_ON = frozenset({"otherwise", "else", "or else", "failing that", "if not", "alternatively"})
_CARRYING = frozenset({"say", "ask", "check", "intend"})


def _understood(waiting: list[Sentence], place: Place) -> list[Understood]:
    """Understand the *waiting* sentences: alone, with what goes on behind them, or to the end of their paragraph."""
    found: list[Understood] = []
    at = 0
    while at < len(waiting):
        sentence, taken = waiting[at], 1
        named = set(place.book.names_in(found[-1].sentence.text)) - {place.book.people.author} if found else set()
        one = understand(sentence, place, named.pop() if len(named) == 1 else "")
        if one.deeds and one.deeds[0].acts[0].verb in _CARRYING:
            rest = [each for each in waiting[at:] if each.paragraph == sentence.paragraph]
            one, taken = understand(sentence.to_the_end(), place), len(rest)
        elif one.deeds:
            after = at + 1
            while after < len(waiting) and waiting[after].text.casefold().startswith(tuple(_GOING_ON)):
                after += 1
            if after > at + 1:
                joined = understand(sentence.joined(*waiting[at + 1:after]), place)
                if joined.deeds and not joined.hazards:
                    one, taken = joined, after - at
        found.append(one)
        at += taken
    return found


def _replaced(found: list[Understood], number: int) -> bool:
    """Whether the next sentence takes back the deeds of this one and does something in their place."""
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


def _deed(each: Understood, act: Act, place: Place) -> Deed:
    if act.verb == UNKNOWN:
        raise BallotError("ambiguous", "Say what is to be done to em.")
    if act.ballot is not None:
        refuse_literal(act.ballot, place.book.people)
    line = each.sentence.line_at(0)
    return Deed(line, each.sentence.written, act.verb, says(act), act.names, act.ballot, act.words)


def _problem(each: Understood, one: Judged) -> Problem:
    error = one.error
    offered = tuple(says(act) for act in one.acts if act.verb != UNKNOWN)
    if error is not None:
        return Problem(each.sentence.line_at(0), each.sentence.written, error.problem, error.suggestions or offered,
                       " ".join(part for part in (error.message, error.hint) if part))
    return Problem(each.sentence.line_at(0), each.sentence.written, "ambiguous", offered, one.reason)


def _around(found: list[Understood], number: int) -> str:
    """What the sentences beside leave of a deed: '' where they are harmless."""
    for step in (1, -1):
        if not 0 <= number + step < len(found):
            continue
        other = found[number + step]
        talk = [part for part in other.parts if isinstance(part, Talk)]
        if other.deeds or len(talk) < len(other.parts):
            continue
        if (hazard := beside(talk, other.sentence.text, before=step < 0)) is not None:
            return hazard.reason
    return ""
