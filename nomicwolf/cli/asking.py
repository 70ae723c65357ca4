"""How things stand, for the contestmaster's own eyes: read from the ledger, changing nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Annotated

import typer

from nomicwolf.cli.base import (
    Here,
    Json,
    clock,
    fail,
    fail_of,
    here,
    one_form,
    say,
    say_json,
    say_json_list,
    say_report,
)
from nomicwolf.cli.sending import row_of

if TYPE_CHECKING:
    from nomicwolf.contest import Contest
    from nomicwolf.ledger.records import Conservation, OwedLetter
    from nomicwolf.settings import Settings


def contest_of(place: Here) -> Contest:
    """Return the contest that its ledger records; end the command if there is no ledger to read."""
    from nomicwolf.ledger.errors import LedgerError

    try:
        return recorded(place.settings(mail=False))
    except LedgerError as error:
        fail_of(error)


def recorded(settings: Settings) -> Contest:
    """Return the contest that its ledger records; raise `LedgerError` if there is none to read."""
    from nomicwolf.contest import Contest
    from nomicwolf.ledger.store import Store
    from nomicwolf.run.contest_setup import setup_of
    from nomicwolf.settings import SettingsError, secret_of

    try:
        secret = secret_of(settings).encode()
    except SettingsError:
        secret = b""
    with closing(Store.open(
            settings.ledger.url, settings.contest.id, readonly=True, keys=settings.ledger.key)) as store:
        return Contest.of(setup_of(settings, secret), store.record())


def sums_of(place: Here) -> tuple[Conservation, tuple[OwedLetter, ...]]:
    """Return where every letter that came or is owed is now, and which did not surely arrive.

    The command ends if the sums are wrong.
    """
    from nomicwolf.ledger.errors import LedgerError
    from nomicwolf.ledger.store import Store

    settings = place.settings(mail=False)
    try:
        with Store.open(settings.ledger.url, settings.contest.id, readonly=True, keys=settings.ledger.key) as store:
            return store.check(), store.outbox().in_state("failed", "unknown")
    except LedgerError as error:
        fail_of(error)


def _polled(place: Here) -> int:
    """Return when the mailbox of the contest in this folder was read last (UTC seconds), 0 if it never was."""
    from nomicwolf.ledger.store import Store
    from nomicwolf.run.resources import last_run

    settings = place.settings(mail=False)
    if read := last_run(settings):
        return read
    with Store.open(settings.ledger.url, settings.contest.id, readonly=True, keys=settings.ledger.key) as store:
        return store.tip().polled_at


def status(ctx: typer.Context, as_json: Json = False) -> None:
    """Tell how things stand: the letters that were not delivered, the phase, who owes what, what waits for you.

    Example: nomicwolf status
    """
    from nomicwolf.contest import next_alarm
    from nomicwolf.nomic.duties import FAR
    from nomicwolf.nomic.times import when
    from nomicwolf.reports.json_reports import status_json
    from nomicwolf.reports.terminal import status_text

    contest, now, (sums, undelivered) = contest_of(here(ctx)), clock("")(), sums_of(here(ctx))
    if as_json:
        say_json({**status_json(contest, now), "mail": {
            "received": sums.received, "buckets": dict(sums.buckets), "owed": sums.owed, "states": dict(sums.states),
            "undelivered": [row_of(owed) for owed in undelivered]}})
        return
    parts = ", ".join(f"{count} {state}" for state, count in sums.states.items())
    owed = f"{sums.owed} ({parts})" if sums.owed else "none yet"
    alarm = next_alarm(contest, now + FAR)
    acts = f"\nTime acts next: {when(alarm)}, by the poll that comes then." if alarm is not None else ""
    say_report(f"{_undelivered(undelivered)}{status_text(contest, now)}\nLetters owed: {owed}.{acts}")


def _undelivered(letters: Sequence[OwedLetter]) -> str:
    """Return, for the top of the page, which letters did not surely arrive, and what to do; '' if all did."""
    if not letters:
        return ""
    from nomicwolf.reports.layout import table

    rows = [(str(o.number), o.letter.forum or o.letter.person, f"{o.letter.subject} ({o.state}: {o.error})")
            for o in letters]
    players = dict.fromkeys(o.letter.person for o in letters if o.letter.person)
    then = "".join(f"\n  nomicwolf party address {who} ADDRESS, then nomicwolf resend {who}" for who in players)
    again = "one by one by `nomicwolf unsent --again N`, or all of a player's:" if players else \
        "look into the forum, then `nomicwolf unsent --again N`."
    return f"Not delivered:\n{table(rows, width=100)}\nThey go again {again}{then}\n\n"


def votes(ctx: typer.Context, as_json: Json = False) -> None:
    """Show the count of the present day, with the reasons.

    Example: nomicwolf votes --json
    """
    from nomicwolf.reports.json_reports import votes_json
    from nomicwolf.reports.terminal import votes_text

    contest = contest_of(here(ctx))
    heard = _polled(here(ctx)) - contest.setup.settling
    say_json(votes_json(contest, heard)) if as_json else say_report(votes_text(contest, heard))


def history(
    ctx: typer.Context,
    public: Annotated[bool, typer.Option(
        "--public", help="Only what everyone may know, numbered as in the archive.")] = False,
    as_json: Json = False,
) -> None:
    """Show the record, one line for each entry with its clauses.

    Example: nomicwolf history --public
    """
    from nomicwolf.reports.archive import publish
    from nomicwolf.reports.json_reports import SCHEMA, event_json
    from nomicwolf.reports.terminal import history_parts

    contest = contest_of(here(ctx))
    if not as_json:
        for part in history_parts(contest, public=public):
            say_report(part)
        return
    record = publish(contest).entries if public else contest.entries
    say_json_list({"schema": SCHEMA}, "events", map(event_json, record))


def explain(
    ctx: typer.Context,
    what: Annotated[list[str], typer.Argument(
        metavar="WHAT", help="A player (eir vote), death NAME, phase, count, or the number of an entry.")],
    as_json: Json = False,
) -> None:
    """Tell why a vote counts as it does, why someone died, what brought an event about.

    Example: nomicwolf explain death Gus
    """
    from nomicwolf.reports.terminal import Unexplained, explain_json, explain_text

    contest, words = contest_of(here(ctx)), " ".join(what)
    try:
        say_json(explain_json(contest, words)) if as_json else say_report(explain_text(contest, words))
    except Unexplained as error:
        fail(str(error))


def parties(ctx: typer.Context, as_json: Json = False) -> None:
    """Show the roster of each nomic, and all addresses and aliases.

    Example: nomicwolf parties
    """
    from nomicwolf.reports.json_reports import parties_json
    from nomicwolf.reports.terminal import parties_text

    contest = contest_of(here(ctx))
    say_json(parties_json(contest)) if as_json else say_report(parties_text(contest))


def statistics(
    ctx: typer.Context,
    as_csv: Annotated[bool, typer.Option("--csv", help="As CSV, for a spreadsheet.")] = False,
    public: Annotated[bool, typer.Option("--public", help="Sides only where they were revealed.")] = False,
    as_json: Json = False,
) -> None:
    """Show how each player and each side has fared in all sessions that were played to their end.

    Example: nomicwolf statistics --csv
    """
    from nomicwolf.reports.statistics import statistics_csv, statistics_json, statistics_text

    one_form(as_csv=as_csv, as_json=as_json)
    contest = contest_of(here(ctx))
    if as_json:
        say_json(statistics_json(contest, public=public))
    elif as_csv:
        say(statistics_csv(contest, public=public).replace("\r\n", "\n"))
    else:
        say_report(statistics_text(contest, public=public))


COMMANDS: dict[str, Callable[..., None]] = {
    "status": status, "votes": votes, "history": history, "explain": explain, "parties": parties,
    "statistics": statistics,
}  # fmt: skip
