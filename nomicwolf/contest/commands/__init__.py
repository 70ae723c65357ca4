"""The acts that only the contestmaster may do. Each is refused with what changed when it comes too late."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from nomicwolf.contest import claiming, intending, seeding
from nomicwolf.contest.commands import (
    acting,
    holidays,
    keys,
    limiting,
    membership,
    questioning,
    running,
    substituting,
    timing,
    undoing,
)
from nomicwolf.contest.commands.persons import called
from nomicwolf.contest.happenings import Command
from nomicwolf.contest.mail import echoing, holding
from nomicwolf.contest.work import Work
from nomicwolf.reports.happened import happened
from nomicwolf.reports.times import when
from nomicwolf.village.events import Ended, Lynched, PhaseBegan
from nomicwolf.village.rules import Refusal

MOVING = ("end", "extend", "publish", "substitute", "act-for", "ruling", "undo", "party-remove", "pause", "resume")
"""What changes the session: all that was sent, or was due, until then is done first (D-A4)."""
STOPPED = ("extend", "close", "act-for", "announce")
"""What needs clocks that run: in a pause there is nothing to move, and nobody is late."""


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
    words = "; ".join(happened(e.event) for e in work.entries if isinstance(e.event, Lynched | Ended | PhaseBegan))
    return f" {words[:1].upper()}{words[1:]}." if words else ""


COMMANDS: Mapping[str, Callable[[Work, Command], str]] = {
    "start": running.start, "end": running.end, "announce": running.announce, "publish": running.publish,
    "extend": timing.extend, "close": timing.close, "seed-bind": seeding.bind,
    "release": holding.release, "reject": holding.reject, "answer": questioning.answer,
    "resend": questioning.resend,
    "limit": limiting.limit, "award": limiting.limit, "claim": claiming.claim, "correct": claiming.correct,
    "party-add": membership.add, "party-remove": membership.remove, "party-alias": membership.alias,
    "party-address": membership.address, "party-rename": membership.rename, "party-statistics": membership.statistics,
    "party-timezone": membership.timezone,
    "party-status": membership.party_status,
    "substitute": substituting.substitute, "key-add": keys.add, "key-remove": keys.remove,
    "act-for": acting.act_for, "ruling": acting.ruling, "undo": undoing.undo,
    "intend": intending.intend, "resolve": intending.resolve, "clock": intending.turn_clock,
    "pause": timing.pause,
    "resume": timing.resume, "holiday": holidays.holiday, "contestmaster": membership.contestmaster,
    "echo-missing": echoing.missing, "only-named": echoing.only_named,
}
"""What does each command: it returns what to say to the contestmaster, and raises `Refusal` if it can't be done."""
