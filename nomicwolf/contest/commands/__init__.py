"""The contestmaster's commands by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from nomicwolf.contest import ballots, clock, law, sessions, silence
from nomicwolf.contest.commands import parties, session
from nomicwolf.contest.commands.parties import called
from nomicwolf.contest.mail import held_letters, own_letters
from nomicwolf.contest.step import Command, Work
from nomicwolf.nomic.times import when
from nomicwolf.reports.history import event_line
from nomicwolf.village.events import Ended, Lynched, PhaseBegan
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
    "party-status": parties.party_status,
    "substitute": silence.substitute, "key-add": parties.add_key, "key-remove": parties.remove_key,
    "act-for": session.act_for, "ruling": session.ruling, "undo": ballots.undo,
    "intend": law.intend, "resolve": law.resolve, "clock": law.turn_clock,
    "pause": clock.pause,
    "resume": clock.resume, "holiday": parties.holiday, "contestmaster": parties.contestmaster,
    "echo-missing": own_letters.echo_missing, "only-named": own_letters.only_named,
}
"""The function of each command: it returns what to say to the contestmaster, or raises `Refusal`."""
