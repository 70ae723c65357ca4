"""The contestmaster's commands by name, and by mail.

``nomicwolf: extend 2026-12-03T20:00Z --phase "day 2"`` on a line of its own, in a private letter. Nothing that draws
lots, reveals anything or changes who is who can be ordered so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from nomicwolf.contest import ballots, clock, law, sessions, silence
from nomicwolf.contest.channels import channel_of
from nomicwolf.contest.clock import begin_step, settle
from nomicwolf.contest.commands import parties, session
from nomicwolf.contest.commands.parties import called
from nomicwolf.contest.mail import assurance, held_letters, routing
from nomicwolf.contest.sessions import award_after_end
from nomicwolf.contest.step import Command, LetterCame, Verdict, Work, parse_order
from nomicwolf.letters.attribution import authored
from nomicwolf.letters.letter import reaches
from nomicwolf.nomic.events import LetterHeard, Noted
from nomicwolf.nomic.law import Confirmed, SetAside
from nomicwolf.nomic.setup import PRIVATE
from nomicwolf.nomic.times import when
from nomicwolf.reports.history import event_line
from nomicwolf.village.events import Ended, Lynched, PhaseBegan, numbered
from nomicwolf.village.rules import Refusal

MOVING = ("end", "extend", "publish", "substitute", "act-for", "ruling", "undo", "party-remove", "pause", "resume")
"""Commands that change the session; all that was sent, or was due, until then is done first (D-A4)."""
STOPPED = ("extend", "close", "act-for", "announce")
"""Commands that need running clocks; in a pause there is nothing to move, and nobody is late."""


def run(work: Work, command: Command) -> str:
    """Do *command* and return what to say to the contestmaster; raise `Refusal` if it can't be done."""
    doing = COMMANDS.get(command.name)
    if doing is None:
        raise Refusal(f"There is no command {command.name!r}; there are {', '.join(sorted(COMMANDS))}.")
    if command.name in MOVING:
        work.catch_up(work.now)
    game, paused = work.contest.running, work.contest.law.paused
    if paused and command.name in STOPPED:
        raise Refusal(f"The session is paused since {when(paused)}: say `nomicwolf resume` first.", ("D-A15",))
    if command.phase and (game is None or game.place != command.phase):
        now = game.place if game is not None else "no session in progress"
        raise Refusal(f"This was meant for {command.phase}, and it is {now}: nothing was done.")
    return doing(work, called(work.contest, command))


def describe(work: Work) -> str:
    """Return what everyone sees happen with the command, in one sentence more, for the terminal; '' if nothing is."""
    words = "; ".join(event_line(e.event) for e in work.entries if isinstance(e.event, Lynched | Ended | PhaseBegan))
    return f" {words[:1].upper()}{words[1:]}." if words else ""


COMMANDS: Mapping[str, Callable[[Work, Command], str]] = {
    "start": session.start, "end": session.end, "announce": session.announce, "publish": session.publish,
    "extend": clock.extend, "close": clock.close, "seed-bind": sessions.bind_seed,
    "release": held_letters.release, "reject": held_letters.reject, "answer": session.answer,
    "resend": session.resend,
    "limit": law.confirm_limit, "award": law.confirm_limit, "claim": law.claim, "correct": law.correct,
    "party-add": parties.add_party, "party-remove": parties.remove_party, "party-alias": parties.add_aliases,
    "party-address": parties.link_address, "party-rename": parties.rename_party, "party-statistics": parties.set_listed,
    "party-timezone": parties.set_zone, "party-status": parties.party_status,
    "substitute": silence.substitute, "key-add": parties.add_key, "key-remove": parties.remove_key,
    "act-for": session.act_for, "ruling": session.ruling, "undo": ballots.undo,
    "intend": law.intend, "resolve": law.resolve, "clock": law.turn_clock,
    "pause": clock.pause,
    "resume": clock.resume, "holiday": parties.holiday, "contestmaster": parties.contestmaster,
    "echo-missing": routing.echo_missing, "only-named": routing.only_named,
}
"""The function of each command: it returns what to say to the contestmaster, or raises `Refusal`."""


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
            run(attempt, command)
            award_after_end(attempt)
    except Refusal as refused:
        secret = line.split(maxsplit=1)[0] in TELLING
        _note(work, number, f"was refused: {'give it where the contest runs, to read why.' if secret else refused.why}")
    else:
        _note(work, number, f"was carried out: {command.name}.")


def _note(work: Work, number: int, what: str) -> None:
    work.add(Noted("order", f"The order in letter {number} {what}"), cites=("D-N46",), cause=f"letter {number}")
