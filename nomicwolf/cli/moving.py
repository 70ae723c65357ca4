"""``ledger copy``: the contest to another database, proved equal."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from typing import Annotated

import typer

from nomicwolf.cli.base import Json, fail, fail_of, here, say, say_json
from nomicwolf.post.refusals import PostError
from nomicwolf.settings.keys import URL, Settings
from nomicwolf.settings.secret import KEY_FILE, key_file
from nomicwolf.settings.shape import hushed

WRONG_USE = 2


def ledger_copy(
    ctx: typer.Context,
    url: Annotated[str, typer.Argument(metavar="URL", help="sqlite:///new.db or postgresql+psycopg://user@host/name.")],
    as_json: Json = False,
) -> None:
    """Copy the contest's ledger to another database, row by row, and prove the two equal.

    Nobody may poll meanwhile: the contest's lock is held. A database that has the contest is left alone. Afterwards
    set ledger.url to the new one; the old ledger stays as it was.

    Example: nomicwolf ledger copy postgresql+psycopg://wolf@db.example/contests
    """
    from nomicwolf.ledger.copying import copy_contest
    from nomicwolf.ledger.errors import LedgerError
    from nomicwolf.run.turn import turn

    settings = here(ctx).settings(mail=False)
    target = rooted(settings, url)
    try:
        with turn(settings) as held:
            copied = copy_contest(settings.ledger.url, target, settings.contest.id, settings.ledger.key)
            moved = replace(settings, ledger=replace(settings.ledger, url=target))
            with nullcontext(held) if _same_turn(settings, moved) else turn(moved) as there:
                there.note(held.since)
    except (LedgerError, PostError) as error:
        fail_of(error)
    if as_json:
        say_json({"schema": 1, "contest": settings.contest.id, "rows": copied.rows, "last": copied.last,
                  "head": copied.head, "equal": True})
        return
    say(f"{sum(copied.rows.values())} rows of {settings.contest.id} are there, each as it was, and the copy is whole:")
    say(f"entry {copied.last} is the last, {copied.head} the chain's head.")
    line = f'`url = "{url}"` below [ledger]' if url.startswith("sqlite") else "its URL as ledger.url"
    say(f"To go on there, write {line} in contest.toml; the ledger here stays as it was.{_key(settings, target)}")


def _same_turn(here: Settings, there: Settings) -> bool:
    """Whether one lock stands for both ledgers: two files in one folder have one."""
    from nomicwolf.run.resources import lock_file

    return bool(here.ledger_file and there.ledger_file) and lock_file(here) == lock_file(there)


def rooted(settings: Settings, url: str) -> str:
    """Return *url* with an SQLite path made absolute, from the contest's folder; end the command if it is none."""
    if not URL["form"].fullmatch(url):
        fail(f"{hushed(url)}: {URL['else']}", WRONG_USE)
    kind, slashes, rest = url.partition(":///")
    return f"{kind}{slashes}{settings.folder / rest}" if kind.startswith("sqlite") else url


def _key(settings: Settings, target: str) -> str:
    """Say where the contest's key must lie, if that is elsewhere by then."""
    kind, _, rest = target.partition(":///")
    there = settings.folder.joinpath(rest).parent if kind.startswith("sqlite") else settings.folder
    if settings.contest.secret or there == key_file(settings).parent:
        return ""
    return f"\nTake {key_file(settings)} along, to {there / KEY_FILE}."
