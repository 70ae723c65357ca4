"""A poll, as cheap as can be: whether there is work is found out by a glance at the ledger and one question."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING

from nomicwolf.ledger.errors import Busy, Conflict, LedgerError
from nomicwolf.post.errors import Away, Locked, PostError
from nomicwolf.post.source import Source
from nomicwolf.run.reports import LATER, NEEDS_YOU, PollReport, defect, hindered
from nomicwolf.run.turn import Allowance, Turn, turn
from nomicwolf.run.watchdog import watched
from nomicwolf.run.world import prepared_secret, source_of
from nomicwolf.settings import Settings, SettingsError

if TYPE_CHECKING:
    from nomicwolf.contest.happenings import Parse

TIDIED = 50_000
"""So many more things that could be part of a cycle than there were, before Python looks for cycles in a poll."""

SLACK = 3600
"""Seconds after which a run asks whether its clock can be right: a clock that is ahead has gone so much further."""


def poll(
    settings: Settings, now: Callable[[], int], parse: Parse | None = None, *, clock_is_right: bool = False
) -> PollReport:
    """Do one cron run: fetch, hear, tick, send; *now* tells UTC seconds, *parse* reads orders that come by mail.

    Nothing is done by a clock that can't be right, unless somebody says that *clock_is_right*.

    Never raises for what can go wrong in the world: the report's status and lines say it. Nothing is lost by any
    of it, and the next run goes on where this one stopped.
    """

    def work() -> PollReport:
        with seldom_tidied(), watched(settings.limits.run_seconds), turn(settings) as held:
            return in_turn(settings, now, held, parse=parse, clock_is_right=clock_is_right)

    return reported(work)


@contextmanager
def seldom_tidied() -> Iterator[None]:
    """Let Python look for cyclic rubbish once for `TIDIED` things made, not once for each 700, while this lasts.

    What is made of letters leaves none (``tests/run/test_rubbish.py``), so it would find nothing for its trouble; if
    some came nevertheless, from a package that we use, it would be a few megabytes before it is found.
    """
    often, *later = gc.get_threshold()
    gc.set_threshold(TIDIED, *later)
    try:
        yield
    finally:
        gc.set_threshold(often, *later)


def reported(work: Callable[[], PollReport]) -> PollReport:
    """Return the report of *work*, or one that says what went wrong in it."""
    try:
        return work()
    except (Locked, Away, Busy, Conflict) as error:
        return PollReport(LATER, (str(error),))
    except (PostError, LedgerError, SettingsError) as error:
        return PollReport(NEEDS_YOU, (str(error),))
    except OSError as error:
        return PollReport(NEEDS_YOU, (hindered(error),))
    except Exception as error:  # noqa: BLE001 - whatever it is, nobody but us can mend it
        return PollReport(NEEDS_YOU, (defect(error),))


def in_turn(
    settings: Settings, now: Callable[[], int], held: Turn, allowance: Allowance | None = None,
    parse: Parse | None = None, *, clock_is_right: bool = False,
) -> PollReport:
    """Poll while the contest's turn is *held*; *allowance* is what may be sent, where others send there too."""
    secret = prepared_secret(settings)
    with closing(source_of(settings, now())) as source:
        if not clock_is_right and now() - held.since > SLACK:
            from nomicwolf.run.rightness import demand_right

            demand_right(settings, now(), held, source.newest)
        if nothing_to_do(settings, source, now(), held):
            held.note(now())
            return PollReport(idle=True)
        report: PollReport = _working().work(settings, secret, source, now, held.since, allowance, parse,
                                            clock_is_right=clock_is_right)
    if report.status != LATER:
        held.note(now())
    return report


@cache
def _working() -> ModuleType:
    """Return what does the work, imported at the first letter.

    Python looks for cycles after every 700 things that were made, and modules make a hundred thousand and throw none
    away: so it doesn't look while they are imported, and never at them afterwards. It would be a tenth of a poll.
    """
    gc.disable()
    try:
        from nomicwolf.run import working
    finally:
        gc.freeze()
        gc.enable()
    return working


def nothing_to_do(settings: Settings, source: Source, now: int, held: Turn) -> bool:
    """Tell whether no letter came, none is to be sent, no instant hangs on the clock, and no outage was (D-N39)."""
    allowed = 3600 * settings.contest.guard_hours
    if held.since and allowed and now - held.since > allowed:
        return False
    seen = held.glance()
    if seen is None or seen.sendable or (seen.alarm is not None and seen.alarm <= now):
        return False
    if seen.marks.get("restored", ("", 0, 0))[2]:
        return False
    return source.nothing_new(seen.marks.get(source.name))
