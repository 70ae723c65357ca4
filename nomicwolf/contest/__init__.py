"""One pure step of a contest: `hear`.

`hear` takes a contest, a happening and the time, and returns the contest after it, the new lines of its record,
and the letters that are now owed. Nothing here knows the world.

A happening is a letter (`mail`), a command (`commands`), or the passing of time (`clock`). Each is one `step`, in which
`deeds` are executed, a session begins and ends (`sessions`), and the roster changes (`rosters`).
"""

from __future__ import annotations

from collections.abc import Mapping

from nomicwolf.contest import commands, delivery, silence
from nomicwolf.contest.clock import begin_step, guard_outage, next_alarm, settle
from nomicwolf.contest.mail import hearing, hints
from nomicwolf.contest.mail.assurance import note_posted, note_returned, note_unnamed
from nomicwolf.contest.sessions import award_after_end
from nomicwolf.contest.step import Command, Happening, LetterCame, Misuse, Outcome, Tick, Work
from nomicwolf.letters.letter import Outgoing
from nomicwolf.nomic.setup import Forum, Setup
from nomicwolf.nomic.state import Contest, Person
from nomicwolf.reports.owed_letters import letters_for
from nomicwolf.village.rules import Refusal

__all__ = [
    "Command", "Contest", "Forum", "Happening", "LetterCame", "Outcome", "Person", "Setup", "Tick", "hear",
    "next_alarm",
]


def hear(contest: Contest, happening: Happening, now: int, templates: Mapping[str, str] | None = None) -> Outcome:
    """Return the outcome of *happening* for *contest* at *now* (UTC seconds, never before its last happening).

    A command that is refused changes nothing: its outcome has status 1 and says why and what to do. What a letter of a
    run brings is posted with the run's tick, so that each reader gets one letter.
    """
    work = begin_step(contest, max(now, contest.clock), happening.run)
    verdict = None
    said, status = "", 0
    match happening:
        case LetterCame(letter):
            verdict = hearing.hear_letter(work, letter)
            commands.hear_orders(work, happening, verdict)
            note_returned(work, happening, verdict)
            note_unnamed(work, letter)
            award_after_end(work)
        case Command() as command:
            guard_outage(work, command.since)
            settle(work)
            try:
                said = commands.run(work, command)
            except Refusal as refused:
                return Outcome(contest, said=_refusal(refused), status=2 if isinstance(refused, Misuse) else 1)
            award_after_end(work)
            commands.tell_of_held(work)
            said += commands.describe(work)
        case Tick(since, passes=True):
            guard_outage(work, since)
            settle(work)
            silence.handle(work)
            commands.tell_of_held(work)
    posted, waits = contest.posted or contest, isinstance(happening, LetterCame) and bool(happening.run)
    if not waits:
        hints.tell_of_wording(work, posted)
    delivery.close_cover(work, contest)
    delivery.put_off(work, contest)
    if waits:
        letters: tuple[Outgoing, ...] = ()
        work.contest.posted = posted
    else:
        letters = _post(work, posted, templates or {})
    entries = tuple(work.entries)
    if verdict is None:
        return Outcome(work.contest, entries, letters, said=said, status=status)
    return Outcome(work.contest, entries, letters, verdict.bucket, verdict.author, verdict.why)


def _post(work: Work, posted: Contest, templates: Mapping[str, str]) -> tuple[Outgoing, ...]:
    """Return the letters owed for all that has happened since the contest was as *posted*."""
    untold = work.contest.entries[len(posted.entries):]
    letters = letters_for(posted, work.contest, untold, work.now, templates)
    note_posted(work, letters, untold)
    work.contest.posted = None
    return letters


def _refusal(refused: Refusal) -> str:
    cites = f" ({', '.join(refused.cites)})" if refused.cites else ""
    options = f" Possible: {', '.join(refused.untold)}." if refused.untold else ""
    return f"{refused.why}{cites}{options}"
