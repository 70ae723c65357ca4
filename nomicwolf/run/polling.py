"""A poll, or one command of the contestmaster."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING

from nomicwolf.ledger.errors import Busy, Conflict, LedgerError
from nomicwolf.post.refusals import Away, Locked, PostError
from nomicwolf.post.source import Source
from nomicwolf.run.resources import (
    CLOCK_SLACK,
    LATER,
    NEEDS_YOU,
    Allowance,
    Done,
    PollReport,
    Turn,
    defect_text,
    demand_right_clock,
    ensure_founded,
    source_of,
    system_error_text,
    time_limit,
    turn,
)
from nomicwolf.settings.keys import Settings, SettingsError

if TYPE_CHECKING:
    from nomicwolf.contest import Outcome
    from nomicwolf.contest.step import Parse
    from nomicwolf.letters.letter import Letter
    from nomicwolf.run.letter_intake import Desk

GC_THRESHOLD = 50_000
"""New container objects after which Python's collector runs in a poll."""

DAY = 86400
"""Seconds after which a run looks again for letters that are too old to be kept."""


def poll(
    settings: Settings, now: Callable[[], int], parse: Parse | None = None, *, clock_is_right: bool = False
) -> PollReport:
    """Run once: fetch, hear, tick, send; *now* returns UTC seconds, *parse* reads commands in letters.

    Nothing is done by a clock that can't be right, unless *clock_is_right* says that it is.

    External errors are never raised, but reported. They lose nothing: the next run goes on where this one stopped.
    """

    def work() -> PollReport:
        with rare_gc(), time_limit(settings.limits.run_seconds), turn(settings) as held:
            return poll_in_turn(settings, now, held, parse=parse, clock_is_right=clock_is_right)

    return reported(work)


@contextmanager
def rare_gc() -> Iterator[None]:
    """Run Python's collector of cycles only once for `GC_THRESHOLD` new objects, rather than for 700.

    Letters leave no cycles (``tests/run/test_rubbish.py``), so it would find nothing; cycles of a package that we use
    would amount to a few megabytes before they are found.
    """
    often, *later = gc.get_threshold()
    gc.set_threshold(GC_THRESHOLD, *later)
    try:
        yield
    finally:
        gc.set_threshold(often, *later)


def reported(work: Callable[[], PollReport]) -> PollReport:
    """Return the report of *work*, or of its error."""
    try:
        return work()
    except Exception as error:  # noqa: BLE001 - whatever it is, nobody but us can mend it
        said, status = _stopped_by(error)
        return PollReport(status, (said,))


def _stopped_by(error: Exception) -> tuple[str, int]:
    """Return what to say of an *error* that ended a run, and the exit status."""
    if isinstance(error, (PostError, LedgerError, SettingsError)):
        return str(error), LATER if isinstance(error, (Locked, Away, Busy, Conflict)) else NEEDS_YOU
    return system_error_text(error) if isinstance(error, OSError) else defect_text(error), NEEDS_YOU


def poll_in_turn(
    settings: Settings, now: Callable[[], int], held: Turn, allowance: Allowance | None = None,
    parse: Parse | None = None, *, clock_is_right: bool = False,
) -> PollReport:
    """Poll while the contest's turn is *held*; *allowance* limits sending where contests share a server."""
    report = _heard(settings, now, held, allowance, parse, clock_is_right=clock_is_right)
    if settings.archive.write:
        from nomicwolf.run.copies import bring_up_to_date

        return report.then(reported(lambda: bring_up_to_date(settings, now())))
    return report


def _heard(
    settings: Settings, now: Callable[[], int], held: Turn, allowance: Allowance | None, parse: Parse | None, *,
    clock_is_right: bool,
) -> PollReport:
    secret = ensure_founded(settings)
    with closing(source_of(settings, now())) as source:
        if not clock_is_right and now() - held.since > CLOCK_SLACK:
            demand_right_clock(settings, now(), held, source.newest)
        if is_idle(settings, source, now(), held):
            held.note(now())
            return PollReport(idle=True)
        if settings.archive.write:
            from nomicwolf.run.copies import note_due

            note_due(settings)
        report: PollReport = _work().work(settings, secret, source, now, held.since, allowance, parse,
                                            clock_is_right=clock_is_right)
    if report.status != LATER:
        held.note(now())
    return report


@cache
def _work() -> ModuleType:
    """Import the module that does the work.

    Modules make a hundred thousand objects and drop none, so the collector rests while they are imported, and ignores
    them afterwards.
    """
    gc.disable()
    try:
        from nomicwolf.run import poll_work
    finally:
        gc.freeze()
        gc.enable()
    return poll_work


def is_idle(settings: Settings, source: Source, now: int, held: Turn) -> bool:
    """Return whether no letter came, none is to be sent, no instant is due, and there was no outage (D-N39)."""
    allowed = 3600 * settings.contest.guard_hours
    if held.since and allowed and now - held.since > allowed:
        return False
    seen = held.glance()
    if seen is None or seen.sendable or (seen.alarm is not None and seen.alarm <= now):
        return False
    if any(seen.marks.get(mark, ("", 0, 0))[2] for mark in ("restored", "erasing")):
        return False
    untold = (seen.marks.get(f"webhook {hook.name}", ("", 0, 0))[1] for hook in settings.webhooks)
    if any(0 < until <= now for until in untold):
        return False
    if settings.keep.letters and now - seen.marks.get("forgotten", ("", 0, 0))[2] >= DAY:
        return False
    return source.nothing_new(seen.marks.get(source.name))


def command(
    settings: Settings,
    name: str,
    args: Mapping[str, str | Sequence[str]],
    now: Callable[[], int],
    *,
    dry_run: bool = False,
    phase: str = "",
    clock_is_right: bool = False,
) -> Done:
    """Execute a command, or with *dry_run* report its effects; *phase* is the phase it is meant for (``night 1``).

    Letters owed are sent at once if the server is reachable, otherwise by the next poll.
    """
    try:
        with time_limit(settings.limits.run_seconds), turn(settings) as held:
            if not clock_is_right and not dry_run:
                demand_right_clock(settings, now(), held, lambda: None)
            return _command(settings, name, args, now, held, dry_run=dry_run, phase=phase)
    except Exception as error:  # noqa: BLE001 - whatever it is, nobody but us can mend it
        return Done(*_stopped_by(error))


def _command(
    settings: Settings, name: str, args: Mapping[str, str | Sequence[str]], now: Callable[[], int], held: Turn, *,
    dry_run: bool, phase: str,
) -> Done:
    from nomicwolf.contest import Command, hear
    from nomicwolf.run.copies import note_due
    from nomicwolf.run.letter_intake import open_desk, open_store, rulings_in
    from nomicwolf.run.sending import requeue_undelivered, send_owed

    secret = ensure_founded(settings)
    with closing(open_store(settings)) as store:
        desk = open_desk(settings, secret, store)
        given = {key: value if isinstance(value, str) else tuple(value) for key, value in args.items()}
        if name == "start" and not given.get("seed"):
            given["seed"] = os.urandom(32).hex()
        order = Command(name, given, phase, _letter_meant(desk, name, given), held.since, desk.run)
        at = now()
        outcome = hear(desk.contest, order, at, desk.templates)
        done = _done(outcome)
        if name == "close" and not outcome.status:
            done = replace(done, said=f"{done.said}\n{_fetched_last(desk, held.since, dry_run=dry_run)}")
        if dry_run or outcome.status:
            return done
        note_due(settings)
        desk.commit(order, outcome, now=at, ruled=rulings_in(desk.contest, outcome.entries))
        requeue_undelivered(store, outcome.entries, at)
        send_owed(settings, secret, store, now, desk.found, desk.contest.address_of)
        if settings.webhooks:
            from nomicwolf.run.poll_work import tell_webhooks

            tell_webhooks(desk, now)
        store.check()
        if not desk.found.said:
            return done
        said = "\n".join((done.said, *desk.found.said))
        return Done(said, NEEDS_YOU if desk.found.status == NEEDS_YOU else done.status, done.letters, done.events)


def _fetched_last(desk: Desk, since: int, *, dry_run: bool) -> str:
    """Report which letters could count in a closed stage (D-A4); *since* is the time of the last poll (UTC seconds)."""
    from nomicwolf.nomic.events import LetterHeard
    from nomicwolf.nomic.times import when

    read = f"The mailbox was last read at {when(since)}" if since else "When the mailbox was last read isn't known"
    heard = (e.event.arrived for e in reversed(desk.contest.entries) if isinstance(e.event, LetterHeard))
    last = next(heard, 0)
    newest = f"; the latest letter from it came at {when(last)}" if last else "; no letter from it has been heard"
    late = "is not counted in this stage (D-A4)"
    more = f"what came later {late}: to count it, say `nomicwolf poll` first" if dry_run else f"what came later {late}"
    return f"{read}{newest}. No mail is fetched now, and {more}."


def _letter_meant(desk: Desk, name: str, args: Mapping[str, str | Sequence[str]]) -> Letter | None:
    """Return the held letter that ``release`` names, parsed again from its bytes."""
    number = args.get("number", "")
    if name != "release" or not isinstance(number, str) or not number.isdecimal():
        return None
    from nomicwolf.run.letter_intake import held_letter

    return held_letter(desk, int(number))


def _done(outcome: Outcome) -> Done:
    from nomicwolf.reports.history import event_line, is_public, rules_played

    letters = tuple((letter.forum or letter.person, letter.subject) for letter in outcome.letters)
    rules = rules_played(outcome.contest)
    seen = tuple(event_line(entry.event, rules) for entry in outcome.entries if is_public(entry.event))
    return Done(outcome.said, outcome.status, letters, seen)
