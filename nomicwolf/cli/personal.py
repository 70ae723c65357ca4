"""``party export`` and ``party erase``: what is kept of a person, given to em, and taken away."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nomicwolf.cli.base import WRONG_USE, At, clock, fail, fail_of, here, say, waiting
from nomicwolf.cli.orders import DryRun

if TYPE_CHECKING:
    from nomicwolf.run.erasing import Erasing

Who = Annotated[str, typer.Argument(help="Eir name; of somebody who never joined, the address.")]


def party_export(
    ctx: typer.Context,
    who: Who,
    folder: Annotated[Path | None, typer.Argument(
        metavar="[DIR]", help="Where the files go: a new folder; else export-NAME.")] = None,
    mail: Annotated[bool, typer.Option("--mail", help="Tell em by letter, at eir address; write no files.")] = False,
    at: At = "",
) -> None:
    """Give someone all that is kept of em: names, addresses, letters, and the record as far as e may know it.

    The files are data (person.json) and eir own letters as they came. What is secret in a session that goes on is left
    out, and counted.

    Example: nomicwolf party export Bex

    Example: nomicwolf party export Bex --mail
    """
    from nomicwolf.ledger.errors import LedgerError
    from nomicwolf.post.refusals import PostError
    from nomicwolf.run.personal import mail_personal, personal

    place = here(ctx)
    if place.capture:
        fail("party export: is no order; it is given where the contest runs, and nowhere else", WRONG_USE)
    settings = place.settings(mail=mail)
    try:
        if mail:
            found, address, findings = mail_personal(settings, who, clock(at))
            say(f"{found.who} is told at {address} what is kept of em.")
            if findings.said:
                fail(findings.said, findings.status)
            return
        found = personal(settings, who)
    except (LedgerError, PostError, OSError) as error:
        fail_of(error)
    target = folder or place.folder / f"export-{re.sub(r'[^A-Za-z0-9_-]+', '-', found.who).strip('-') or 'person'}"
    from nomicwolf.run.personal import data_of

    try:
        target.mkdir(mode=0o700, parents=True)
        files = {"person.json": data_of(found)} | {f"{one.number:06}.eml": one.raw.data for one in found.heard}
        for name, data in files.items():
            (target / name).write_bytes(data)
    except OSError as error:
        fail_of(error)
    more = f" {found.withheld} entries are secret still, and left out." if found.withheld else ""
    say(f"{target}: person.json, and {len(found.heard)} letters of {found.who}'s. Give it to em alone.{more}")


def party_erase(
    ctx: typer.Context,
    who: Who,
    also: Annotated[list[str] | None, typer.Option(help="A further name of eirs to look for; may come again.")] = None,
    dry_run: DryRun = False,
    at: At = "",
) -> None:
    """Take a person out of the ledger for good: a pseudonym for eir name, nothing for addresses and own letters.

    The chain and the game stay as they were. Backups and copies that nomicwolf itself has made are removed, and the
    archive is written anew. E must be no party any more, and not play. This can't be undone; docs/privacy.md says more.

    Example: nomicwolf party erase Bex --dry-run

    Example: nomicwolf party erase Bex --also Rebecca
    """
    from nomicwolf.ledger.errors import LedgerError
    from nomicwolf.post.refusals import PostError
    from nomicwolf.run.erasing import erase

    place = here(ctx)
    if place.capture:
        fail("party erase: is no order; it is given where the contest runs, and nowhere else", WRONG_USE)
    settings = place.settings(mail=False)
    try:
        with waiting("Erasing"):
            done = erase(settings, who, clock(at), also or (), dry_run=dry_run)
    except (LedgerError, PostError, OSError) as error:
        fail_of(error)
    say("\n".join(_said(done)))


def _said(done: Erasing) -> list[str]:
    looked = f"Looked for: {', '.join((*done.names, *done.addresses))}."
    if done.done is None:
        return [looked, f"E would be {done.name}. Nothing was changed.", *done.rest]
    counts = done.done
    copies = [f"Removed: {', '.join(copy.name for copy in done.copies)}."] if done.copies else []
    anew = f"{counts.entries} entries, {counts.letters} letters that came and {counts.owed} letters of ours"
    archive = [f"{done.archive}: the archive is written anew. Publish it again."] if done.archive else []
    return [looked, f"E is {done.name} now: {anew} were written anew.", *copies, *archive,
            *(f"Still: {each}." for each in done.rest)]
