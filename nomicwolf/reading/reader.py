"""A letter's own lines to deeds: each sentence performs, is talk, or is asked about.

A deed is only what its author surely did. Deeds come in the order of the lines, each good or refused by itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

from nomicwolf.reading.blocks import in_braces, without_blocks
from nomicwolf.reading.deeds import Deed, Ignored, People, Problem, Reading
from nomicwolf.reading.disowned import without_disowned
from nomicwolf.reading.doubts import only_a_name
from nomicwolf.reading.limits import LIMITS, Limits
from nomicwolf.reading.names import book_of
from nomicwolf.reading.quotations import without_quotations
from nomicwolf.reading.second_thoughts import (
    Finding,
    capped,
    considered,
    explained,
    going_on,
    headed,
    only_fenced,
    only_said,
    taken_back,
    title_above,
    undoing,
    unsettled,
)
from nomicwolf.reading.sentences import Sentence, sentences
from nomicwolf.reading.times import Clock
from nomicwolf.reading.understanding import TO_THE_END, SentenceReader
from nomicwolf.reading.vocables import about_votes

Place: TypeAlias = Literal["forum", "contestmaster"]
NOTHING = Reading()
_NEXT = 9
"""Up to which place behind a sentence those stand that it may go on with."""


def read(
    lines: Iterable[tuple[int, str]], people: People, *, to: Place, instant: int | None = 0,
    day_began: int | None = None, limits: Limits = LIMITS,
) -> Reading:
    """What the author's own *lines* (number from 1, text) do.

    *to*: where it was sent; *instant*: the letter's, None if unknown; *day_began*: of the day phase; both UTC seconds.
    Never raises on any text. Deeds that do not belong to that place are read all the same: the caller refuses them.
    """
    reader = SentenceReader(book_of(people), Clock(instant, day_began), to == "contestmaster", limits)
    findings = _letter(reader, lines)
    return Reading(
        tuple([each for each in findings if isinstance(each, Deed)]),
        tuple([each for each in findings if isinstance(each, Problem)]),
        tuple([each for each in findings if isinstance(each, Ignored)]),
    ) if findings else NOTHING


def _letter(reader: SentenceReader, lines: Iterable[tuple[int, str]], *, shown: bool = False) -> list[Finding]:
    """The findings of all sentences, in order; blocks count as such unless these lines are *shown* ones."""
    own, quoted = without_quotations(lines)
    own, fenced = (own, []) if shown else without_blocks(own, reader.book)
    findings: list[Finding] = [Ignored(number, text, "quoted") for number, text in quoted
                               if about_votes(text) and reader.book.names_in(text)]
    waiting = sentences(own, reader.book)
    _read_on(reader, own, waiting, findings)
    if not fenced and not findings and not shown:
        fenced = in_braces(own)
    if fenced and not any(isinstance(each, Deed) for each in findings):
        findings += [only_fenced(each) for each in _letter(reader, fenced, shown=True) if isinstance(each, Deed)][:1]
    if not findings:
        findings = only_a_name(waiting, reader.book, reader.private)
    return capped(explained(unsettled(without_disowned(findings, waiting))), reader.limits.deeds)


def _read_on(
    reader: SentenceReader, own: list[tuple[int, str]], waiting: list[Sentence], findings: list[Finding],
) -> None:
    """Add to *findings* what the *waiting* sentences of the lines *own* say, each beside what was found before it."""
    title: Sentence | None = None
    last: list[Finding] = []
    place = 0
    while place < len(waiting):
        sentence = waiting[place]
        after = waiting[place + 1:place + _NEXT]
        rest = [each for each in after if each.paragraph == sentence.paragraph] if after else after
        taken, found = reader.read(sentence, rest, after[:1])
        if findings and (left := taken_back(findings[-1], sentence, found, reader.book)):
            findings[-1:] = left
            place += 1
            continue
        if findings and found:
            found = [undoing(found[0], findings[-1], reader.book), *found[1:]]
            findings[:] = headed(findings, found, waiting[place - 1])
        if taken == TO_THE_END:
            taken, found = _to_the_end(reader, waiting[place:], found)
        if found:
            found = going_on(found, waiting[max(place - 1, 0):place + 1], last, reader.book)
            findings += considered(found, title, sentence, own)
        title = title_above(sentence, found, title, reader.book)
        last = found
        place += taken


def _to_the_end(
    reader: SentenceReader, waiting: list[Sentence], found: list[Finding],
) -> tuple[int, list[Finding]]:
    """How many of *waiting* are in the first one's paragraph, and what was *found*, with a deed that is only said."""
    inside = [each for each in waiting if each.paragraph == waiting[0].paragraph]
    return len(inside), found + only_said(found, inside[1:], lambda each: reader.read(each, [], [])[1])
