"""Commands that show a contest and publish it."""

from __future__ import annotations

import codecs
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nomicwolf.cli.base import (
    NEEDS_YOU,
    WRONG_USE,
    At,
    Here,
    Json,
    clock,
    demand_one_form,
    fail,
    here,
    refuse_other_options,
)
from nomicwolf.cli.output import progress_bar, say, say_json, say_report, say_table, waiting

if TYPE_CHECKING:
    from nomicwolf.contest import Contest
    from nomicwolf.ledger.records import Conservation, OwedLetter
    from nomicwolf.nomic.events import LetterHeld
    from nomicwolf.reports.archive import Published
    from nomicwolf.settings.keys import Settings

LEDGER = "contest.db"
SECRET = (LEDGER, "contest.key", "contest.toml", "ledger.key")
"""The files of a contest as `init` names them, or of a whole export; nothing is published beside them."""


def archive(
    ctx: typer.Context,
    folder: Annotated[Path | None, typer.Argument(metavar="[DIR]", help="The folder; by default archive.path.")] = None,
    publish: Annotated[bool, typer.Option("--publish", help="Run archive.publish afterwards.")] = False,
    as_json: Json = False,
) -> None:
    """Write the contest's public archive: web pages with plots, an mbox, a feed, and the record for programs.

    A folder with other files is refused. With archive.write each poll does this by itself.

    Example: nomicwolf archive /var/www/wolf
    """
    from nomicwolf.archive import write
    from nomicwolf.archive.files import ForeignFiles

    place = here(ctx)
    settings = place.settings(mail=False)
    if publish and folder is not None:
        fail("--publish goes with archive.path alone: leave DIR out", WRONG_USE)
    target = folder or settings.archive.path
    _may_be_shared(target, settings)
    with waiting("Reading the ledger"):
        published = published_of(place)
    try:
        with progress_bar("Writing pages") as told:
            done = write(published, target, told)
    except ForeignFiles as error:
        fail(str(error), WRONG_USE)
    except OSError as error:
        mend = "name a folder" if target.is_file() else "make the folder writable"
        fail(f"{target}: the archive can't be written: {error.strerror or error}; {mend}", NEEDS_YOU)
    if as_json:
        say_json({"schema": 1, "folder": str(target), "files": done.files, "changed": done.changed,
                  "removed": done.removed})
    else:
        say(f"{target / 'index.html'}: {done.files} files, {done.changed} of them new or changed.")
    if publish:
        _publish(settings)


def _publish(settings: Settings) -> None:
    """Run the contestmaster's command; end ours if it fails, or there is none."""
    from nomicwolf.run.copies import HookFailed, run_hook

    if not settings.archive.publish:
        fail("archive.publish: names no command; docs/archive.md shows some", WRONG_USE)
    try:
        run_hook("archive.publish", settings.archive.publish, settings.folder, settings.archive.timeout)
    except HookFailed as error:
        fail(str(error), error.status)


def export(
    ctx: typer.Context,
    target: Annotated[Path | None, typer.Argument(metavar="[TARGET]", help="The folder; by default export.")] = None,
    public: Annotated[bool, typer.Option("--public", help="Only what everyone may know.")] = False,
) -> None:
    """Export the contest as data: its whole ledger, or what everyone may know.

    The ledger stays sealed if it is sealed here, and `nomicwolf restore` reads it. What --public writes has no secrets,
    and `nomicwolf verify` checks it.

    Example: nomicwolf export --public shared
    """
    from nomicwolf.archive.files import SUMS
    from nomicwolf.archive.files import export as exported
    from nomicwolf.ledger.store import backup

    place = here(ctx)
    settings = place.settings(mail=False)
    target = target or place.folder / "export"
    if public:
        _may_be_shared(target, settings)
        names = exported(published_of(place), target)
    else:
        if (target / SUMS).exists():
            fail(f"{target}: has what may be shared, which a whole ledger may not; name another folder", WRONG_USE)
        names = (LEDGER,)
        backup(settings.ledger.url, settings.contest.id, target / names[0], settings.ledger.key)
    say(f"{target}: {', '.join(names)}. " + ("All of it may be shared." if public else "It holds all secrets."))


def _may_be_shared(folder: Path, settings: Settings) -> None:
    """End the command if *folder* has what nobody else may see: whoever publishes it would publish that, too."""
    from nomicwolf.cli.check import secret_files

    names = dict.fromkeys((*SECRET, *(path.name for path in secret_files(settings))))
    if secret := [name for name in names if (folder / name).exists()]:
        fail(f"{folder}: has {', '.join(secret)} in it, which must not be shared; name another folder", WRONG_USE)


def published_of(place: Here) -> Published:
    """Return what may be published of the contest in this folder."""
    from nomicwolf.run.copies import published

    return published(place.settings(mail=False))


def verify(
    folder: Annotated[Path, typer.Argument(metavar="ARCHIVE", help="The archive's folder.")],
    as_json: Json = False,
) -> None:
    """Redo every draw, count, death and award of a published archive, and say what differs.

    Exit status 1 if anything differs.

    Example: nomicwolf verify /var/www/wolf
    """
    from nomicwolf.archive import verify as verified
    from nomicwolf.archive.verification import NoArchive

    try:
        with waiting("Redoing the contest"):
            verdict = verified(folder)
    except NoArchive as error:
        fail(str(error), WRONG_USE)
    if as_json:
        say_json(verdict.json())
    else:
        counts = ", ".join(f"{number} {kind}" for kind, number in verdict.checked.items())
        if verdict.other:
            say(f"The pages are by {verdict.other}, and only that could make them again: they were compared with "
                "SHA256SUMS alone.")
        say(f"{'All is as it must be' if verdict.verified else 'This differs from what it must be'}: {counts} checked.")
    if not verdict.verified:
        fail(() if as_json else verdict.differs)


def contest_of(place: Here) -> Contest:
    """Return the contest that its ledger records; `LedgerError` if there is none to read."""
    from nomicwolf.run.contest_setup import recorded
    from nomicwolf.run.resources import read_store

    settings = place.settings(mail=False)
    with read_store(settings) as store:
        return recorded(settings, store)


def sums_of(place: Here) -> tuple[Conservation, tuple[OwedLetter, ...]]:
    """Return how many letters came and are owed, and which did not surely arrive; `Imbalance` if one was lost."""
    from nomicwolf.run.resources import read_store

    with read_store(place.settings(mail=False)) as store:
        return store.check(), store.outbox().in_state("failed", "unknown")


def _last_read(place: Here) -> int:
    """Return when the mailbox of the contest in this folder was read last (UTC seconds), 0 if it never was."""
    from nomicwolf.run.resources import last_run, read_store

    settings = place.settings(mail=False)
    if read := last_run(settings):
        return read
    with read_store(settings) as store:
        return store.tip().polled_at


def status(ctx: typer.Context, as_json: Json = False) -> None:
    """Show undelivered letters, the phase, who owes what, and what waits for you.

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
    say_report(f"{_undelivered_text(undelivered)}{status_text(contest, now)}\nLetters owed: {owed}.{acts}")


def _undelivered_text(letters: Sequence[OwedLetter]) -> str:
    """Return, for the top of the page, which letters did not surely arrive, and what to do; '' if all did."""
    if not letters:
        return ""
    from nomicwolf.reports.layout import shell_word, table

    rows = [(str(o.number), o.letter.forum or o.letter.person, f"{o.letter.subject} ({o.state}: {o.error})")
            for o in letters]
    players = dict.fromkeys(o.letter.person for o in letters if o.letter.person)
    then = "".join(f"\n  nomicwolf party address {who} ADDRESS, then nomicwolf resend {who}"
                   for who in map(shell_word, players))
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
    heard = _last_read(here(ctx)) - contest.setup.settling
    say_json(votes_json(contest, heard)) if as_json else say_report(votes_text(contest, heard))


def history(
    ctx: typer.Context,
    public: Annotated[bool, typer.Option(
        "--public", help="Only what everyone may know, numbered as in the archive.")] = False,
    as_json: Json = False,
) -> None:
    """Show the record, one line for each entry, with its clauses.

    Example: nomicwolf history --public
    """
    from nomicwolf.reports.archive import publish
    from nomicwolf.reports.json_reports import SCHEMA, event_json
    from nomicwolf.reports.terminal import history_text

    contest = contest_of(here(ctx))
    if not as_json:
        say_report(history_text(contest, public=public))
        return
    record = publish(contest).entries if public else contest.entries
    say_json({"schema": SCHEMA, "events": [*map(event_json, record)]})


def explain(
    ctx: typer.Context,
    what: Annotated[list[str], typer.Argument(
        metavar="WHAT", help="A player (for their vote), death NAME, phase, count, or the number of an entry.")],
    as_json: Json = False,
) -> None:
    """Explain why a vote counts as it does, why someone died, or what caused an event.

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
    """Show the results of players and sides over all finished sessions.

    Example: nomicwolf statistics --csv
    """
    from nomicwolf.reports.awards import statistics_csv, statistics_json, statistics_text

    demand_one_form(as_csv=as_csv, as_json=as_json)
    contest = contest_of(here(ctx))
    if as_json:
        say_json(statistics_json(contest, public=public))
    elif as_csv:
        say(statistics_csv(contest, public=public).replace("\r\n", "\n"))
    else:
        say_report(statistics_text(contest, public=public))


Number = Annotated[
    int | None, typer.Option(metavar="N", help="Send letter N of the list again, with the next poll.")]


def unsent(ctx: typer.Context, again: Number = None, as_json: Json = False, at: At = "") -> None:
    """List the letters that failed or may not have arrived; with --again, send one again.

    Letters that wait for a server are listed with the time at which they will go.

    Look into the forum first: an unknown letter may have arrived.

    Example: nomicwolf unsent --again 12
    """
    from nomicwolf.ledger.store import Store
    from nomicwolf.run.sending import times_of

    if again is not None:
        refuse_other_options("--again", as_json=as_json)
    settings = here(ctx).settings(mail=False)
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
    from nomicwolf.run.sending import waiting_of

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


def held(
    ctx: typer.Context,
    number: Annotated[int | None, typer.Argument(metavar="[N]", help="Show letter N, with its text.")] = None,
    as_json: Json = False,
) -> None:
    """List the letters that wait for your ruling; with N, show one.

    A letter may contain a player's secrets.

    Example: nomicwolf held 17
    """
    from nomicwolf.reports.json_reports import held_json
    from nomicwolf.reports.terminal import held_text

    place = here(ctx)
    contest = contest_of(place)
    if number is None:
        aside = _set_aside(place)
        if as_json:
            say_json({**held_json(contest), "set_aside": [{"place": where, "why": why} for where, why in aside]})
        else:
            say_report("\n".join([held_text(contest), *(f"Set aside whole ({why}): {where}" for where, why in aside)]))
        return
    if number not in contest.held:
        fail(f"No letter {number} waits for a ruling; waiting are: {', '.join(map(str, contest.held)) or 'none'}.")
    _show(place, number, contest.held[number], as_json=as_json)


def _set_aside(place: Here) -> list[tuple[str, str]]:
    """Return (place, why) of poison letters, which have no entry in the record."""
    from nomicwolf.run.resources import read_store

    with read_store(place.settings(mail=False)) as store:
        return [(kept.letter.place, kept.why) for kept in store.held() if not kept.entry]


def _show(place: Here, number: int, held: LetterHeld, *, as_json: bool) -> None:
    from nomicwolf.reports.terminal import held_letter_json, held_letter_text
    from nomicwolf.run.resources import read_store

    with read_store(place.settings(mail=False)) as store:
        kept = store.letter_of(number)
    if kept is None:
        fail(f"The ledger has no text of letter {number}: look for it in the contest's mailbox.", NEEDS_YOU)
    if as_json:
        say_json({"schema": 1, "number": number, "why": held.why, **held_letter_json(kept.letter)})
        return
    reject = f"nomicwolf reject {number} --why ..."
    todo = (f"{held.other} What was announced stands (D-A8): {reject}, or rule on what follows" if held.other else
            f"Release it with nomicwolf release {number}, or reject it with {reject}")
    say(f"{held_letter_text(kept.letter, held.why)}\n\n{todo}")


MISSING = ("the live screen is not installed; install it with pipx inject nomicwolf 'textual>=8.2', or, without pipx, "
           "with pip install 'textual>=8.2' beside nomicwolf. Till then: nomicwolf status, votes, history")


def watch(
    ctx: typer.Context,
    every: Annotated[float, typer.Option(help="Seconds between refreshes.", min=0.5)] = 5.0,
    at: At = "",
) -> None:
    """Show the running contest on a live screen: clock, votes with reasons, who owes what, letters, outbox.

    Keys: q quits, r refreshes, s shows or hides secrets (roles, private letters), w shows or hides the
    reasons of votes, Tab goes from panel to panel, the arrow keys scroll.

    Example: nomicwolf -C crossing watch
    """
    settings = here(ctx).settings(mail=False)
    try:
        from nomicwolf.watch import WatchApp
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] != "textual":
            raise
        fail(MISSING, WRONG_USE)
    from nomicwolf.watch import look

    look(settings)
    if not (sys.stdin.isatty() and sys.stderr.isatty()):  # textual reads there, and draws here
        fail("the live screen needs a terminal, and this is a pipe or a file; nomicwolf status tells it", WRONG_USE)
    if codecs.lookup(sys.stderr.encoding).name != "utf-8":
        fail(f"the live screen draws in UTF-8, and the locale here has {sys.stderr.encoding}; where the terminal can "
             "show UTF-8, set LC_ALL=C.UTF-8, else nomicwolf status tells it", WRONG_USE)
    WatchApp(settings, clock(at) if at else lambda: int(time.time()), every).run()
