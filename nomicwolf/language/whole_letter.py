"""What the deeds of a whole letter come to: a pass beside choices, two votes, what is said again, too many."""

from __future__ import annotations

import re
from dataclasses import replace

from nomicwolf.language.situation import Situation
from nomicwolf.language.values import NOBODY
from nomicwolf.reading.deeds import Deed, Problem, Reading
from nomicwolf.village.ballots import Endorse, For, If, Nobody

_POINTING = frozenset({"", "it", "this", "that"})
_TOLD_AGAIN = frozenset({"heal", "support", "claim"})
"""Deeds that name nothing where another of the same letter does: "Bex must live. I use the potion on her."."""


def passed(deeds: list[Deed], situation: Situation) -> list[Deed]:
    """Return *deeds* with a pass only where nothing else is done; it is the other duties' "nobody" beside a choice.

    Who uses one and keeps "the other" keeps none that e uses.
    """
    frames = situation.lexicon.frames
    duties = {
        verb
        for verb in situation.open or ()
        if (frame := frames.get(verb)) is not None and frame.private and frame.doubt != "heard" and verb != "pass"
    }
    used = {deed.verb for deed in deeds if deed.verb in duties and deed.words != NOBODY}
    other = [deed for deed in deeds if deed.words == NOBODY and deed.verb in used and "other" in deed.text.casefold()]
    deeds = [deed for deed in deeds if deed not in other]
    answered = {deed.verb for deed in deeds if deed.verb in duties}
    nobody = {deed.verb for deed in deeds if deed.verb in duties and deed.words == NOBODY}
    if len(duties) > 1 and nobody >= duties and nobody == answered:
        last = next(deed for deed in reversed(deeds) if deed.verb in duties)
        return [
            *(deed for deed in deeds if deed.verb not in {*duties, "pass"}),
            replace(last, verb="pass", says="pass", names=(), words=""),
        ]
    found: list[Deed] = []
    for deed in deeds:
        if deed.verb != "pass" or not answered:
            found.append(deed)
            continue
        found += [replace(deed, verb=verb, says=f"{verb} {NOBODY}", words=NOBODY) for verb in sorted(duties - answered)]
    return found


def one_or_other(deeds: list[Deed]) -> tuple[list[Deed], list[Problem]]:
    """Return *deeds* without a vote that hangs on something and stands below another, and the question about both."""
    votes = [deed for deed in deeds if deed.verb == "vote"]
    last = votes[-1] if len(votes) > 1 else None
    if last is not None and _is_further(last, votes[-2]):
        hint = "A vote goes to one person, and “also” adds none. Say for whom you vote."
        kept = [deed for deed in deeds if deed is not last and deed is not votes[-2]]
        return kept, [Problem(last.line, last.text, "ambiguous", (votes[-2].says, last.says), hint)]
    if last is None or not isinstance(last.ballot, If) or not isinstance(last.ballot.otherwise, Nobody):
        return deeds, []
    said = last.text.casefold()
    if not isinstance(votes[-2].ballot, For | Endorse) or "otherwise" in said or "nobody" in said:
        return deeds, []
    hint = (
        "It stands below another vote, and nobody can tell which stands if the condition fails. Write both as one: "
        "“I vote for NAME if ..., otherwise NAME.”"
    )
    kept = [deed for deed in deeds if deed is not last and deed is not votes[-2]]
    return kept, [Problem(last.line, last.text, "ambiguous", (), hint)]


def _is_further(last: Deed, before: Deed) -> bool:
    """Whether a vote is said to stand beside the one before it: "I also vote for Eve."."""
    both = isinstance(last.ballot, For) and isinstance(before.ballot, For) and last.ballot != before.ballot
    return both and {"also", "too"} & set(re.findall(r"\w+", last.text.casefold())) != set()


def deduplicated(deeds: list[Deed]) -> list[Deed]:
    """Return *deeds* without what is only said again, or points at another of the letter."""
    found: list[Deed] = []
    told = [deed for deed in deeds if deed.names or deed.words.strip(" .") not in {*_POINTING, NOBODY}]
    named = {deed.verb for deed in told}
    for deed in deeds:
        again = found and found[-1].says == deed.says and deed.verb not in {"vote", "object"}
        points = deed.verb in _TOLD_AGAIN & named and not deed.names and deed.words.strip(" .") in _POINTING
        if not (again or points):
            found.append(deed)
    return found


def capped(reading: Reading, most: int) -> Reading:
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
