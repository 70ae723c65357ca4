"""A poll, and its light idle path."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING

from nomicwolf.ledger.errors import Busy, Conflict, LedgerError
from nomicwolf.post.refusals import Away, Locked, PostError
from nomicwolf.post.source import Source
from nomicwolf.run.resources import Allowance, Turn, ensure_founded, source_of, turn
from nomicwolf.run.run_report import LATER, NEEDS_YOU, PollReport, defect_text, system_error_text
from nomicwolf.run.safeguards import CLOCK_SLACK, demand_right_clock, time_limit
from nomicwolf.settings import Settings, SettingsError

if TYPE_CHECKING:
    from nomicwolf.contest.step import Parse

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
    except (Locked, Away, Busy, Conflict) as error:
        return PollReport(LATER, (str(error),))
    except (PostError, LedgerError, SettingsError) as error:
        return PollReport(NEEDS_YOU, (str(error),))
    except OSError as error:
        return PollReport(NEEDS_YOU, (system_error_text(error),))
    except Exception as error:  # noqa: BLE001 - whatever it is, nobody but us can mend it
        return PollReport(NEEDS_YOU, (defect_text(error),))


def poll_in_turn(
    settings: Settings, now: Callable[[], int], held: Turn, allowance: Allowance | None = None,
    parse: Parse | None = None, *, clock_is_right: bool = False,
) -> PollReport:
    """Poll while the contest's turn is *held*; *allowance* limits sending where contests share a server."""
    report = _heard(settings, now, held, allowance, parse, clock_is_right=clock_is_right)
    if settings.archive.write:
        from nomicwolf.run.archiving import bring_up_to_date

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
            from nomicwolf.run.archiving import note_due

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
