"""The ledger as a whole: copied, proved, moved, sealed with a new key."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

import typer

from nomicwolf.cli.base import WRONG_USE, Json, fail, fail_of, here, say, say_json, waiting
from nomicwolf.cli.helping import Commands
from nomicwolf.cli.moving import ledger_copy
from nomicwolf.cli.rekeying import ledger_rekey


def backup(
    ctx: typer.Context,
    target: Annotated[Path, typer.Argument(help="The copy; a new file, in a folder that is made if it is not there.")],
) -> None:
    """Copy the ledger while it is in use.

    Example: nomicwolf backup /var/backups/contest.db
    """
    from nomicwolf.ledger.copying import backup as copied
    from nomicwolf.ledger.errors import LedgerError

    settings = here(ctx).settings(mail=False)
    if target.is_dir():
        fail(f"{target}: is a folder; name the copy in it: {target / 'contest.db'}", WRONG_USE)
    try:
        with waiting("Copying the ledger"):
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
    from nomicwolf.run.heads import other_key, told_otherwise
    from nomicwolf.settings.secret import secret_of

    settings, files = here(ctx).settings(mail=False), _there(told or ())
    secret = secret_of(settings).encode()
    try:
        with waiting("Following the chain"), Store.open(
                settings.ledger.url, settings.contest.id, readonly=True, keys=settings.ledger.key) as store:
            problems, counts = store.verify(), store.counts()
            key = other_key(store, secret)
            problems += [key] if key else told_otherwise(store, secret, files)
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
