"""``ledger rekey``: another key for what is secret in the ledger, or the first one."""

from __future__ import annotations

import os
import tomllib
from dataclasses import replace
from pathlib import Path

import typer

from nomicwolf.cli.base import fail, fail_of, here, say, waiting
from nomicwolf.ledger.files import write_private
from nomicwolf.post.refusals import PostError
from nomicwolf.settings import Settings

FILE = "ledger.key"


def ledger_rekey(ctx: typer.Context) -> None:
    """Seal all that is secret in the ledger with a new key, and leave nothing there that the old one opens.

    The key lies in the file that ledger.key_file names. Backups stay sealed with the key of their time, which is kept
    beside it. With a key from the settings or a keyring, put the new one before the old, and give this command.

    Example: nomicwolf ledger rekey
    """
    from nomicwolf.ledger.errors import LedgerError
    from nomicwolf.ledger.sealing import make_key
    from nomicwolf.run.desk import open_store
    from nomicwolf.run.oauth_login import Login
    from nomicwolf.run.turn import turn

    place = here(ctx)
    path = _file(place.folder)
    first = path is not None and not path.exists()
    if path is not None and first:
        write_private(path, make_key())
    settings = place.settings(mail=False)
    old = "" if first else settings.ledger.key
    keys = f"{make_key()} {old}" if path is not None and not first else settings.ledger.key
    try:
        with turn(settings), waiting("Sealing"):
            if path is not None:
                write_private(path, keys)
            keyed = replace(settings, ledger=replace(settings.ledger, key=keys))
            with open_store(keyed) as store:
                count = store.reseal()
            if settings.oauth is not None:
                Login(keyed).reseal()
    except (LedgerError, PostError) as error:
        fail_of(error)
    say(f"{count} rows of the ledger are sealed with the {'new' if old else 'first'} key." + _after(path, keys, old))


def _after(path: Path | None, keys: str, old: str) -> str:
    """Leave the new key alone in its file, and say where the old one is."""
    if path is None or not old:
        return ""
    kept = path.with_name(f"{path.name}.old")
    before = kept.read_text(encoding="ascii") if kept.exists() else ""
    write_private(kept, f"{old}\n{before}")
    write_private(path, keys.split(maxsplit=1)[0])
    return f"\nThe old key is in {kept}, for backups; remove it when none of them is left."


def _file(folder: Path) -> Path | None:
    """Return the key's file as the settings name it, None for a key that is elsewhere; end the command without any."""
    try:
        told = tomllib.loads((folder / "contest.toml").read_text(encoding="utf-8")).get("ledger", {})
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        fail(f"{folder / 'contest.toml'}: {error}")
    name = told.get("key_file")
    if isinstance(name, str):
        return folder / name
    if "key" in told or "key_keyring" in told or "key_credential" in told or "NOMICWOLF_LEDGER_KEY" in os.environ:
        return None
    return fail('The ledger has no key. Write [ledger] and below it '
                f'key_file = "{FILE}" into contest.toml; the file is made.')


def unsealed(settings: Settings) -> str:
    """Return what to say of a ledger without a key, '' for one that has it."""
    if settings.ledger.key:
        return ""
    return (f"the ledger isn't sealed: who can read its file or a backup knows every role; write [ledger] and below it "
            f'key_file = "{FILE}", then nomicwolf ledger rekey')
