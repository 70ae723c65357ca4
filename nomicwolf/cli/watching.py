"""``watch``: the live screen of the running contest."""

from __future__ import annotations

import codecs
import sys
import time
from collections.abc import Callable
from typing import Annotated

import typer

from nomicwolf.cli.base import WRONG_USE, At, clock, fail, fail_of, here

MISSING = ("the live screen is not installed; install it with pipx inject nomicwolf 'textual>=8.2', or, without pipx, "
           "with pip install 'textual>=8.2' beside nomicwolf. Till then: nomicwolf status, votes, history")


def watch(
    ctx: typer.Context,
    every: Annotated[float, typer.Option(help="Seconds between two looks at the ledger.", min=0.5)] = 5.0,
    at: At = "",
) -> None:
    """Show the running contest on a live screen: clock, votes with reasons, who owes what, letters, outbox.

    It only reads. Keys: q quits, r looks again, s shows what is secret (roles, private letters) or hides it again, w
    shows or hides the reasons of votes, Tab goes from panel to panel, the arrow keys scroll.

    Example: nomicwolf -C crossing watch
    """
    settings = here(ctx).settings(mail=False)
    try:
        from nomicwolf.watch.screen import WatchApp
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] != "textual":
            raise
        fail(MISSING, WRONG_USE)
    from nomicwolf.ledger.errors import LedgerError
    from nomicwolf.watch.snapshot import Lookout

    lookout = Lookout(settings)
    try:
        lookout.look()
    except LedgerError as error:
        fail_of(error)
    if not (sys.stdin.isatty() and sys.stderr.isatty()):  # textual reads there, and draws here
        fail("the live screen needs a terminal, and this is a pipe or a file; nomicwolf status tells it", WRONG_USE)
    if codecs.lookup(sys.stderr.encoding).name != "utf-8":
        fail(f"the live screen draws in UTF-8, and the locale here has {sys.stderr.encoding}; where the terminal can "
             "show UTF-8, set LC_ALL=C.UTF-8, else nomicwolf status tells it", WRONG_USE)
    WatchApp(lookout, clock(at) if at else lambda: int(time.time()), every).run()


COMMANDS: dict[str, Callable[..., None]] = {"watch": watch}
