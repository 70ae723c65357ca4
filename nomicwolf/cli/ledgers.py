"""The ledger as a whole: copied, proved, moved, sealed with a new key."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

import typer

from nomicwolf.cli.base import WRONG_USE, At, Json, clock, fail, fail_of, here, say, say_json, waiting
from nomicwolf.cli.helping import Commands
from nomicwolf.cli.moving import ledger_copy
from nomicwolf.cli.rekeying import ledger_rekey


def backup(
    ctx: typer.Context,
    target: Annotated[Path | None, typer.Argument(
        metavar="[TARGET]", help="The copy: a new file, - for standard output; else it goes to the folder of backups.",
    )] = None,
    at: At = "",
) -> None:
    """Copy the ledger while it is in use, and prove the copy.

    Without a name it lies where nomicwolf puts its own backups (keep.backups), which `nomicwolf restore --list` shows.
    To another machine it goes by standard output, for example into `ssh elsewhere 'cat > contest.db'`.

    Example: nomicwolf backup /var/backups/contest.db

    Example: nomicwolf backup -
    """
    from nomicwolf.ledger.copies import backup as copied
    from nomicwolf.ledger.errors import LedgerError
    from nomicwolf.run.backups import WISH, backup_to, make_backup, tip_of

    settings = here(ctx).settings(mail=False)
    if target is not None and target.is_dir():
        fail(f"{target}: is a folder; name the copy in it: {target / 'contest.db'}", WRONG_USE)
    try:
        if target is not None and str(target) == "-":
            backup_to(settings, sys.stdout.buffer)
            return
        with waiting("Copying the ledger"):
            if target is None:
                target = make_backup(settings, tip_of(settings).last, clock(at)(), WISH)
            else:
                copied(settings.ledger.url, settings.contest.id, target, settings.ledger.key)
    except (LedgerError, OSError) as error:
        fail_of(error)
    say(f"The ledger is copied to {target}. Keep contest.key with it: without that key mail can't be told for ours.")
    if settings.ledger.key:
        say("The copy is sealed: keep the ledger's key (ledger.key) too, in another place; without it nobody reads it.")


ledger = Commands(help="Prove the ledger whole, copy it to another database, seal it with a new key.")


@ledger.command("verify")
def ledger_verify(
    ctx: typer.Context,
    told: Annotated[list[Path] | None, typer.Option(
        help="A letter or mbox of the forum's own, whose heads must be this record's; may come again.")] = None,
    as_json: Json = False,
) -> None:
    """Prove that the ledger is whole: its chain, its numbers, its letters' bytes, its sums; and do it all again.

    Example: nomicwolf ledger verify

    Example: nomicwolf ledger verify --told agora-december.mbox
    """
    import nomicwolf.contest  # noqa: F401 - declares every kind of event
    from nomicwolf.cli.redoing import redone, summary
    from nomicwolf.ledger.errors import LedgerError
    from nomicwolf.ledger.store import Store
    from nomicwolf.run.record_heads import foreign_heads, other_key_warning
    from nomicwolf.settings.secret import secret_of

    settings, files = here(ctx).settings(mail=False), _there(told or ())
    secret = secret_of(settings).encode()
    try:
        with waiting("Following the chain"), Store.open(
                settings.ledger.url, settings.contest.id, readonly=True, keys=settings.ledger.key) as store:
            problems, counts = store.verify(), store.counts()
            key = other_key_warning(store, secret)
            problems += [key] if key else foreign_heads(store, secret, files)
    except (LedgerError, OSError) as error:
        fail_of(error)
    again = None if problems else redone(here(ctx))
    differs, worded = (again.differs, again.worded) if again else ([], [])
    if as_json:
        say_json({"schema": 1, "whole": not problems, "problems": problems, "differs": differs, "worded": worded})
    elif again:
        say(f"The ledger is whole. {counts}\n{summary(again)}")
    if problems:
        fail([*problems, "restore the last backup that verifies"] if not as_json and problems != [key] else problems)
    if differs:
        fail([*differs, "the record stands; was it heard by another version, or with other keys?"]
             if not as_json else differs)


def _there(files: Sequence[Path]) -> Sequence[Path]:
    """Return *files*; end the command if one of them is none."""
    for file in files:
        if file.is_dir() or not file.exists():
            fail(f"{file}: there is no such file; name a letter or mbox of the forum's own", WRONG_USE)
    return files


ledger.command("copy")(ledger_copy)
ledger.command("rekey")(ledger_rekey)
COMMANDS: dict[str, Callable[..., None]] = {"backup": backup}
