"""The ``party`` commands: names, addresses, keys, personal data."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from nomicwolf.cli.base import WRONG_USE, At, Commands, clock, fail, here, said_of
from nomicwolf.cli.orders import Args, DryRun, Nomic, Nomics, give, order
from nomicwolf.cli.output import say, waiting

if TYPE_CHECKING:
    from nomicwolf.run.personal_data import Erasing

Who = Annotated[str, typer.Argument(help="The person's name; or the address, if they never joined.")]


def party_export(
    ctx: typer.Context,
    who: Who,
    folder: Annotated[Path | None, typer.Argument(
        metavar="[DIR]", help="A new folder; by default export-NAME.")] = None,
    mail: Annotated[bool, typer.Option("--mail", help="Mail it to the person, and write no files.")] = False,
    at: At = "",
) -> None:
    """Export all that is kept of someone: names, addresses, letters, and the record as far as they may know it.

    The files are data (person.json) and the person's letters as they came. Secrets of a running session are left out,
    and counted.

    Example: nomicwolf party export Bex

    Example: nomicwolf party export Bex --mail
    """
    from nomicwolf.run.personal_data import mail_personal, personal_data

    place = here(ctx)
    if place.capture:
        fail("party export: is no order; it is given where the contest runs, and nowhere else", WRONG_USE)
    settings = place.settings(mail=mail)
    if mail:
        found, address, findings = mail_personal(settings, who, clock(at))
        say(f"{found.who} is told at {address} what is kept of em.")
        if findings.said:
            fail(findings.said, findings.status)
        return
    found = personal_data(settings, who)
    target = folder or place.folder / f"export-{re.sub(r'[^A-Za-z0-9_-]+', '-', found.who).strip('-') or 'person'}"
    from nomicwolf.run.personal_data import data_of

    target.mkdir(mode=0o700, parents=True)
    files = {"person.json": data_of(found)} | {f"{one.number:06}.eml": one.raw.data for one in found.heard}
    for name, data in files.items():
        (target / name).write_bytes(data)
    more = f" {found.withheld} entries are secret still, and left out." if found.withheld else ""
    say(f"{target}: person.json, and {len(found.heard)} letters of {found.who}'s. Give it to em alone.{more}")


def party_erase(
    ctx: typer.Context,
    who: Who,
    also: Annotated[list[str] | None, typer.Option(help="A further name to look for. Can be repeated.")] = None,
    dry_run: DryRun = False,
    at: At = "",
) -> None:
    """Erase a person from the ledger for good: a pseudonym for the name, nothing for addresses and own letters.

    The person must be neither a party nor playing. The contest's own backups go, too. This can't be undone; see
    docs/privacy.md.

    Example: nomicwolf party erase Bex --dry-run

    Example: nomicwolf party erase Bex --also Rebecca
    """
    from nomicwolf.run.personal_data import erase

    place = here(ctx)
    if place.capture:
        fail("party erase: is no order; it is given where the contest runs, and nowhere else", WRONG_USE)
    settings = place.settings(mail=False)
    with waiting("Erasing"):
        done = erase(settings, who, clock(at), also or (), dry_run=dry_run)
    say("\n".join(_erasure_text(done)))


def _erasure_text(done: Erasing) -> list[str]:
    looked = f"Looked for: {', '.join((*done.names, *done.addresses))}."
    if done.done is None:
        return [looked, f"E would be {done.name}. Nothing was changed.", *done.rest]
    counts = done.done
    copies = [f"Removed: {', '.join(copy.name for copy in done.copies)}."] if done.copies else []
    anew = f"{counts.entries} entries, {counts.letters} letters that came and {counts.owed} letters of ours"
    archive = [f"{done.archive}: the archive is written anew. Publish it again."] if done.archive else []
    return [looked, f"E is {done.name} now: {anew} were written anew.", *copies, *archive,
            *(f"Still: {each}." for each in done.rest)]


LARGEST = 200_000
"""Bytes of an OpenPGP key in a file: one key with all its signatures has a few thousand."""
YesNo = Literal["yes", "no"]

party = Commands(help="Manage parties: their names, addresses, keys, time zones, and what is kept of them.")


@party.command("add")
@order("party-add")
def party_add(
    who: Annotated[str, typer.Argument(help="The person's name.")],
    address: Annotated[str, typer.Argument(help="The person's address; needed for someone new.")] = "",
    nomic: Nomics = None,
) -> None:
    """Make someone a party, in every nomic or in some.

    Example: nomicwolf party add Bex bex@example.org --nomic agora
    """


@party.command("remove")
@order("party-remove")
def party_remove(
    who: Annotated[str, typer.Argument(help="The person's name.")],
    why: Annotated[str, typer.Option(help="The reason, for the record.")] = "",
    nomic: Nomics = None,
) -> None:
    """Take someone off the roster.

    Example: nomicwolf party remove Bex --why "left Agora"
    """


@party.command("alias")
@order("party-alias")
def party_alias(
    who: Annotated[str, typer.Argument(help="The person's name.")],
    alias: Annotated[list[str], typer.Argument(help="A further name.")],
) -> None:
    """Add further names for someone.

    Example: nomicwolf party alias Gus Gustav GG
    """


@party.command("address")
@order("party-address")
def party_address(
    who: Annotated[str, typer.Argument(help="The person's name.")],
    address: Annotated[list[str], typer.Argument(help="The person's addresses; mail goes to the first.")],
    only: Annotated[bool, typer.Option("--only", help="Forget the addresses known so far.")] = False,
) -> None:
    """Add an address for someone.

    Example: nomicwolf party address Bex bex@new.example
    """


@party.command("key")
def party_key(
    ctx: typer.Context,
    action: Annotated[Literal["add", "remove"], typer.Argument(help="What to do: add or remove.")],
    who: Annotated[str, typer.Argument(help="Whose key it is.")],
    what: Annotated[str, typer.Argument(
        metavar="FILE|FINGERPRINT", help="add: a file, as `gpg --armor --export` writes it; remove: all hex digits.")],
    dry_run: DryRun = False,
    at: At = "",
) -> None:
    """Register or remove an OpenPGP key; compare fingerprints by another way than mail.

    Example: nomicwolf party key add Bex bex.asc
    """
    args = {"who": who, "fingerprint": what}
    if action == "add":
        if here(ctx).capture:
            fail("party key add: reads a file, so it is given where the contest runs, and nowhere else", WRONG_USE)
        args["fingerprint"], args["certificate"] = _read_key(Path(what))
    give(ctx, f"key-{action}", args, at, dry_run=dry_run)


def _read_key(file: Path) -> tuple[str, str]:
    """Return (fingerprint, certificate) of the key in *file*; end the command if there is none."""
    from nomicwolf.proofs.prover import certificate_of

    try:
        data = file.read_bytes()
        if len(data) > LARGEST:
            fail(f"{file}: is larger than {LARGEST} bytes; export one key alone", WRONG_USE)
        return certificate_of(data)
    except OSError as error:
        fail(said_of(error), WRONG_USE)
    except ValueError as error:
        fail(f"{file}: {error}", WRONG_USE)


@party.command("rename")
@order("party-rename")
def party_rename(
    who: Annotated[str, typer.Argument(help="The present name.")],
    new: Annotated[str, typer.Argument(help="The new name; the former one still works.")],
) -> None:
    """Rename someone.

    Example: nomicwolf party rename Bex Rebecca
    """


@party.command("statistics")
@order("party-statistics")
def party_statistics(
    who: Annotated[str, typer.Argument(help="The person's name.")],
    listed: Annotated[YesNo, typer.Argument(help="Whether they are listed.")],
) -> None:
    """List someone in the statistics, or not.

    Example: nomicwolf party statistics Bex no
    """


@party.command("timezone")
@order("party-timezone")
def party_timezone(
    who: Annotated[str, typer.Argument(help="The person's name.")],
    zone: Annotated[str, typer.Argument(help="A time zone's name, like Europe/Berlin; UTC for none.")],
) -> None:
    """Set someone's time zone, which their letters show beside UTC.

    Example: nomicwolf party timezone Bex Europe/Berlin
    """


@party.command("status")
@order("party-status")
def party_status(
    who: Annotated[str, typer.Argument(help="The person's name.")],
    nomic: Nomic,
    player: Annotated[YesNo | None, typer.Option(help="Whether they are a player of that nomic.")] = None,
    first_class: Annotated[YesNo | None, typer.Option(help="Whether they are a first-class person.")] = None,
    active: Annotated[YesNo | None, typer.Option(help="Whether they are active.")] = None,
) -> Args:
    """Record someone's status in a nomic, which decides who counts towards P and who should join there, too.

    Example: nomicwolf party status Bex agora --player yes --active no
    """
    return {"who": who, "nomic": nomic, "player": player, "first-class": first_class, "active": active}


party.command("export")(party_export)
party.command("erase")(party_erase)
