"""The contestmaster's commands by mail, confirmed first (D-N46).

``nomicwolf: extend 2026-12-03T20:00Z --phase "day 2"`` on a line of its own, in a private letter. Nothing that draws
lots, reveals anything or changes who is who can be ordered so.
"""

from __future__ import annotations

from dataclasses import replace

from nomicwolf.contest import commands
from nomicwolf.contest.channels import channel_of
from nomicwolf.contest.clock import begin_step, settle
from nomicwolf.contest.mail import assurance
from nomicwolf.contest.sessions import award_after_end
from nomicwolf.contest.step import Command, LetterCame, Verdict, Work, parse_order
from nomicwolf.letters.attribution import authored
from nomicwolf.letters.letter import reaches
from nomicwolf.nomic.events import LetterHeard, Noted
from nomicwolf.nomic.law import Confirmed, SetAside
from nomicwolf.nomic.setup import PRIVATE
from nomicwolf.village.events import numbered
from nomicwolf.village.rules import Refusal

MARKS = ("nomicwolf:", "contestmaster:")
PHASED = ("act-for", "ruling", "extend", "close", "announce", "publish")
SAFE = (*PHASED, "release", "reject", "pause", "resume", "holiday")
TELLING = ("act-for", "ruling", "release")
"""Commands whose answer may be secret, so that no mail repeats it."""


def hear_orders(work: Work, came: LetterCame, verdict: Verdict) -> None:
    """Put the order of a letter aside until it is confirmed, and do what this letter confirms."""
    for entry in list(work.entries):
        if isinstance(entry.event, Confirmed) and entry.event.by == "token":
            found = numbered(work.contest.entries, entry.event.aside)
            aside = found.event if found is not None else None
            if isinstance(aside, SetAside) and aside.order:
                _do(work, came, aside.order[0], aside.letter)
    if verdict.bucket not in ("deeds", "no-deed") or verdict.author != work.contest.setup.contestmaster:
        return
    said = [line.strip() for _, line in authored(came.letter).lines if line.strip().lower().startswith(MARKS)]
    number = next(e.number for e in work.entries if isinstance(e.event, LetterHeard))
    if not said:
        return
    try:
        line = _one(work, came, said)
    except Refusal as refused:
        _note(work, number, f"was not taken: {refused.why}")
        return
    if reaches(verdict.sure, "openpgp"):
        _do(work, came, line, number)
    else:
        assurance.set_aside(work, verdict.author, number, verdict.sure, (), (line,))


def _one(work: Work, came: LetterCame, said: list[str]) -> str:
    """Return the one order of a letter, without its mark; `Refusal` says why it can't be taken."""
    if channel_of(work.contest, came.letter) != PRIVATE:
        raise Refusal("orders count by private mail alone.")
    if len(said) > 1:
        raise Refusal("one letter gives one order; send each by itself.")
    line = said[0].partition(":")[2].strip()
    command = _parsed(came, line)
    if command.name not in SAFE:
        raise Refusal(f"{command.name} is never done by mail; by mail there are {', '.join(sorted(SAFE))}.")
    game = work.contest.running
    now = game.place if game is not None else ""
    if command.name in PHASED and command.phase != now:
        raise Refusal(f'it has to name the present phase: --phase "{now}".')
    return line


def _parsed(came: LetterCame, line: str) -> Command:
    """Return the command of a line, by the command line's own parser."""
    if came.parse is None:
        raise Refusal("orders by mail are heard by `nomicwolf poll` alone.")
    try:
        return parse_order(line, came.parse)
    except ValueError as error:
        raise Refusal(f"it is no command: {error}") from error


def _do(work: Work, came: LetterCame, line: str, number: int) -> None:
    """Carry an order out; one that is refused changes nothing."""
    try:
        command = _parsed(came, line)
        held = command.number("number")
        if command.name == "release" and came.again is not None and held is not None:
            command = replace(command, letter=came.again(held))
        for attempt in (begin_step(work.contest, work.now), work):
            settle(attempt)
            commands.run(attempt, command)
            award_after_end(attempt)
    except Refusal as refused:
        secret = line.split(maxsplit=1)[0] in TELLING
        _note(work, number, f"was refused: {'give it where the contest runs, to read why.' if secret else refused.why}")
    else:
        _note(work, number, f"was carried out: {command.name}.")


def _note(work: Work, number: int, what: str) -> None:
    work.add(Noted("order", f"The order in letter {number} {what}"), cites=("D-N46",), cause=f"letter {number}")
