"""The contestmaster's commands, heard and answered at once."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

from nomicwolf.ledger.errors import Busy, Conflict, LedgerError
from nomicwolf.post.refusals import Away, Locked, PostError
from nomicwolf.run.resources import Turn, ensure_founded, turn
from nomicwolf.run.run_report import LATER, NEEDS_YOU, Done, defect_text, system_error_text
from nomicwolf.run.safeguards import demand_right_clock, time_limit
from nomicwolf.settings import Settings, SettingsError

if TYPE_CHECKING:
    from nomicwolf.contest import Outcome
    from nomicwolf.letters.letter import Letter
    from nomicwolf.run.desk import Desk


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
    except (Locked, Away, Busy, Conflict) as error:
        return Done(str(error), LATER)
    except (PostError, LedgerError, SettingsError) as error:
        return Done(str(error), NEEDS_YOU)
    except OSError as error:
        return Done(system_error_text(error), NEEDS_YOU)
    except Exception as error:  # noqa: BLE001 - whatever it is, nobody but us can mend it
        return Done(defect_text(error), NEEDS_YOU)


def _command(
    settings: Settings, name: str, args: Mapping[str, str | Sequence[str]], now: Callable[[], int], held: Turn, *,
    dry_run: bool, phase: str,
) -> Done:
    from nomicwolf.contest import Command, hear
    from nomicwolf.run.archiving import note_due
    from nomicwolf.run.desk import open_desk, open_store
    from nomicwolf.run.letter_intake import rulings_in
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
    from nomicwolf.reports.history import event_line
    from nomicwolf.reports.public import is_public

    letters = tuple((letter.forum or letter.person, letter.subject) for letter in outcome.letters)
    seen = tuple(event_line(entry.event) for entry in outcome.entries if is_public(entry.event))
    return Done(outcome.said, outcome.status, letters, seen)
