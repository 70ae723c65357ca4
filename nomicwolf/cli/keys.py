"""``party key``: the OpenPGP keys by which players and the contestmaster sign."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from nomicwolf.cli.base import WRONG_USE, At, fail, here
from nomicwolf.cli.orders import DryRun, give, party

LARGEST = 200_000
__all__ = ["party", "party_key"]


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
    except (OSError, ValueError) as error:
        fail(f"{file}: {error}", WRONG_USE)
