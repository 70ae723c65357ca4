"""``party``: who is a party, how e is called, where e writes from, by which keys e signs, what e is in a nomic."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from nomicwolf.cli.base import WRONG_USE, At, fail, here, said_of
from nomicwolf.cli.helping import Commands
from nomicwolf.cli.lawful import Nomic
from nomicwolf.cli.orders import DryRun, Nomics, Phase, give
from nomicwolf.cli.personal import party_erase, party_export

LARGEST = 200_000
"""Bytes of an OpenPGP key in a file: one key with all its signatures has a few thousand."""
YesNo = Literal["yes", "no"]

party = Commands(help="Add or remove a party, and say how e is called and where e writes from.")


@party.command("add")
def party_add(
    ctx: typer.Context,
    who: Annotated[str, typer.Argument(help="Eir name.")],
    address: Annotated[str, typer.Argument(help="Where e writes from; needed for someone new.")] = "",
    nomic: Nomics = None,
    phase: Phase = "",
    dry_run: DryRun = False,
    at: At = "",
) -> None:
    """Make someone a party, in every nomic or in some.

    Example: nomicwolf party add Bex bex@example.org --nomic agora
    """
    give(ctx, "party-add", {"who": who, "address": address, "nomic": nomic}, at, dry_run=dry_run, phase=phase)


@party.command("remove")
def party_remove(
    ctx: typer.Context,
    who: Annotated[str, typer.Argument(help="Eir name.")],
    why: Annotated[str, typer.Option(help="The reason, for the record.")] = "",
    nomic: Nomics = None,
    phase: Phase = "",
    dry_run: DryRun = False,
    at: At = "",
) -> None:
    """Take someone off the roster.

    Example: nomicwolf party remove Bex --why "left Agora"
    """
    give(ctx, "party-remove", {"who": who, "why": why, "nomic": nomic}, at, dry_run=dry_run, phase=phase)


@party.command("alias")
def party_alias(
    ctx: typer.Context,
    who: Annotated[str, typer.Argument(help="Eir name.")],
    alias: Annotated[list[str], typer.Argument(help="What else e is called.")],
    phase: Phase = "",
    dry_run: DryRun = False,
    at: At = "",
) -> None:
    """Let someone be known by further names.

    Example: nomicwolf party alias Gus Gustav GG
    """
    give(ctx, "party-alias", {"who": who, "alias": alias}, at, dry_run=dry_run, phase=phase)


@party.command("address")
def party_address(
    ctx: typer.Context,
    who: Annotated[str, typer.Argument(help="Eir name.")],
    address: Annotated[list[str], typer.Argument(help="Where e writes from; the first is where mail goes.")],
    only: Annotated[bool, typer.Option("--only", help="Forget the addresses known so far.")] = False,
    phase: Phase = "",
    dry_run: DryRun = False,
    at: At = "",
) -> None:
    """Link an address to someone.

    Example: nomicwolf party address Bex bex@new.example
    """
    args = {"who": who, "address": address, "only": "yes" if only else ""}
    give(ctx, "party-address", args, at, dry_run=dry_run, phase=phase)


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
    """Register an OpenPGP key, or let one prove nothing any longer; compare fingerprints by another way than mail.

    Example: nomicwolf party key add Bex bex.asc
    """
    args = {"who": who, "fingerprint": what}
    if action == "add":
        if here(ctx).capture:
            fail("party key add: reads a file, so it is given where the contest runs, and nowhere else", WRONG_USE)
        args["fingerprint"], args["certificate"] = _read(Path(what))
    give(ctx, f"key-{action}", args, at, dry_run=dry_run)


def _read(file: Path) -> tuple[str, str]:
    """Return (fingerprint, certificate) of the key in *file*; end the command if there is none."""
    from nomicwolf.proofs.openpgp import certificate_of

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
def party_rename(
    ctx: typer.Context,
    who: Annotated[str, typer.Argument(help="Eir present name.")],
    new: Annotated[str, typer.Argument(help="Eir new name; the former one still means em.")],
    phase: Phase = "",
    dry_run: DryRun = False,
    at: At = "",
) -> None:
    """Call someone by a new name.

    Example: nomicwolf party rename Bex Rebecca
    """
    give(ctx, "party-rename", {"who": who, "new": new}, at, dry_run=dry_run, phase=phase)


@party.command("statistics")
def party_statistics(
    ctx: typer.Context,
    who: Annotated[str, typer.Argument(help="Eir name.")],
    listed: Annotated[YesNo, typer.Argument(help="Whether e is in them.")],
    phase: Phase = "",
    dry_run: DryRun = False,
    at: At = "",
) -> None:
    """Leave someone out of the statistics, as e wishes, or take em in again.

    E then has no row and no rating there. The record itself, with what e has done, stays as it is.

    Example: nomicwolf party statistics Bex no
    """
    give(ctx, "party-statistics", {"who": who, "listed": listed}, at, dry_run=dry_run, phase=phase)


@party.command("timezone")
def party_timezone(
    ctx: typer.Context,
    who: Annotated[str, typer.Argument(help="Eir name.")],
    zone: Annotated[str, typer.Argument(help="A time zone's name, like Europe/Berlin; UTC: no other.")],
    phase: Phase = "",
    dry_run: DryRun = False,
    at: At = "",
) -> None:
    """Say times in someone's letters in eir own time zone, too, as e wishes.

    Example: nomicwolf party timezone Bex Europe/Berlin
    """
    give(ctx, "party-timezone", {"who": who, "zone": zone}, at, dry_run=dry_run, phase=phase)


@party.command("status")
def party_status(
    ctx: typer.Context,
    who: Annotated[str, typer.Argument(help="Eir name.")],
    nomic: Nomic,
    player: Annotated[YesNo | None, typer.Option(help="Whether e is a player of that nomic.")] = None,
    first_class: Annotated[YesNo | None, typer.Option(help="Whether e is a first-class person.")] = None,
    active: Annotated[YesNo | None, typer.Option(help="Whether e is active.")] = None,
    phase: Phase = "",
    dry_run: DryRun = False,
    at: At = "",
) -> None:
    """Record what someone is in a nomic: it decides who counts towards P, and who should join there too.

    Example: nomicwolf party status Bex agora --player yes --active no
    """
    args = {"who": who, "nomic": nomic, "player": player, "first-class": first_class, "active": active}
    give(ctx, "party-status", args, at, dry_run=dry_run, phase=phase)


party.command("export")(party_export)
party.command("erase")(party_erase)
