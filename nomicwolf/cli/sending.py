"""Letters that did not surely arrive: which they are, and how to send one again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from nomicwolf.cli.base import NEEDS_YOU, At, Json, clock, fail, fail_of, here, only_said, say, say_json, say_table

if TYPE_CHECKING:
    from nomicwolf.ledger.records import OwedLetter

Number = Annotated[
    int | None, typer.Option(metavar="N", help="Send letter N of the list once more, with the next poll.")]


def unsent(ctx: typer.Context, again: Number = None, as_json: Json = False, at: At = "") -> None:
    """List the letters whose sending failed or whose fate nobody knows; with --again, send one once more.

    Those that a server has put off, or takes no more of now, are listed with when they go, which they do by themselves.

    Look into the forum first: a letter of unknown fate may have arrived. The bytes and the Message-ID are the same.

    Example: nomicwolf unsent --again 12
    """
    from nomicwolf.ledger.errors import LedgerError
    from nomicwolf.ledger.store import Store
    from nomicwolf.run.pacing import times_of

    if again is not None:
        only_said("--again", as_json=as_json)
    settings = here(ctx).settings(mail=False)
    try:
        with Store.open(
                settings.ledger.url, settings.contest.id, readonly=again is None, keys=settings.ledger.key) as store:
            found = {o.number: o for o in store.outbox().in_state("failed", "unknown")}
            outbox, now = store.outbox(), clock(at)()
            queued = outbox.in_state("queued")
            times = times_of(settings.smtp, queued, outbox, now)
            if again is not None and again not in found:
                there = ", ".join(map(str, found)) or "none"
                fail(f"No letter {again} is unsent; unsent are: {there}.", NEEDS_YOU)
            if again is not None:
                outbox.requeue(found[again].letter.key, now)
    except LedgerError as error:
        fail_of(error)
    if again is not None:
        say(f"Letter {again} goes out with the next poll.")
        return
    if as_json:
        say_json({"schema": 1, "unsent": [row_of(owed) for owed in found.values()],
                  "waiting": [{**row_of(owed), "goes": times[owed.number]} for owed in queued]})
        return
    rows = [[str(value) for value in row_of(owed).values()] for owed in found.values()]
    if rows or not queued:
        say_table(("number", "state", "to", "subject", "tries", "error"), rows, "Nothing is unsent.")
    if queued:
        _say_waiting(queued, times, now)


def _say_waiting(queued: Sequence[OwedLetter], times: Mapping[int, int], now: int) -> None:
    """List the letters that go by themselves, with when."""
    from nomicwolf.nomic.times import when
    from nomicwolf.run.pacing import waiting_of

    say(f"{len(queued)} letter{' goes by itself' if len(queued) == 1 else 's go by themselves'}, with a poll:")
    rows = []
    for owed in queued:
        pause, at = waiting_of(owed).pause, times[owed.number]
        limited = "" if at <= now else "smtp.per_minute, per_hour, per_day"
        why = f"{owed.error[:60]} ({pause.name})" if pause else limited
        rows.append([str(owed.number), owed.letter.forum or owed.letter.person, owed.letter.subject,
                     "the next one" if at <= now else f"from {when(at)}", why])
    say_table(("number", "to", "subject", "goes with", "why it waits"), rows, "")


def row_of(owed: OwedLetter) -> dict[str, int | str]:
    """Return a letter as lists of what was not delivered show it."""
    letter = owed.letter
    return {"number": owed.number, "state": owed.state, "to": letter.forum or letter.person, "subject": letter.subject,
            "tries": owed.tries, "error": owed.error}


COMMANDS = {"unsent": unsent}
