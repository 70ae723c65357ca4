"""Letters that did not surely arrive: which they are, and how to send one again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from nomicwolf.cli.base import NEEDS_YOU, At, Json, clock, fail, fail_of, here, only_said, say, say_json, say_table

if TYPE_CHECKING:
    from nomicwolf.ledger.records import OwedLetter

Number = Annotated[
    int | None, typer.Option(metavar="N", help="Send letter N of the list once more, with the next poll.")]


def unsent(ctx: typer.Context, again: Number = None, as_json: Json = False, at: At = "") -> None:
    """List the letters whose sending failed or whose fate nobody knows; with --again, send one once more.

    Look into the forum first: a letter of unknown fate may have arrived. The bytes and the Message-ID are the same.

    Example: nomicwolf unsent --again 12
    """
    from nomicwolf.ledger.errors import LedgerError
    from nomicwolf.ledger.store import Store

    if again is not None:
        only_said("--again", as_json=as_json)
    settings = here(ctx).settings(mail=False)
    try:
        with Store.open(
                settings.ledger.url, settings.contest.id, readonly=again is None, keys=settings.ledger.key) as store:
            found = {o.number: o for o in store.outbox().in_state("failed", "unknown")}
            queued = len(store.outbox().in_state("queued")) if not found else 0
            if again is not None and again not in found:
                there = ", ".join(map(str, found)) or "none"
                fail(f"No letter {again} is unsent; unsent are: {there}.", NEEDS_YOU)
            if again is not None:
                store.outbox().requeue(found[again].letter.key, clock(at)())
    except LedgerError as error:
        fail_of(error)
    if again is not None:
        say(f"Letter {again} goes out with the next poll.")
        return
    if as_json:
        say_json({"schema": 1, "unsent": [row_of(owed) for owed in found.values()]})
        return
    rows = [[str(value) for value in row_of(owed).values()] for owed in found.values()]
    say_table(("number", "state", "to", "subject", "tries", "error"), rows, _none(queued))


def _none(queued: int) -> str:
    """Say that no letter needs anyone; those that wait for a server go by themselves."""
    waiting = f" {queued} letter{' waits' if queued == 1 else 's wait'} for the next poll." if queued else ""
    return f"Nothing is unsent that needs you.{waiting}" if queued else "Nothing is unsent."


def row_of(owed: OwedLetter) -> dict[str, int | str]:
    """Return a letter as lists of what was not delivered show it."""
    letter = owed.letter
    return {"number": owed.number, "state": owed.state, "to": letter.forum or letter.person, "subject": letter.subject,
            "tries": owed.tries, "error": owed.error}


COMMANDS = {"unsent": unsent}
