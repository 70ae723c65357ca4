"""``demo``: what happens, told line by line, in colours where there is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from nomicwolf.cli.base import NEEDS_YOU, WRONG_USE, fail, say
from nomicwolf.cli.escaping import escaped
from nomicwolf.cli.units import command_of

STYLES = {"phase": "bold cyan", "letter": "bold green", "text": "green", "private": "magenta", "note": "dim"}
LEADS = {"letter": "  => ", "text": "     ", "private": "  -> ", "post": "  ", "note": ""}


def show_demo(ruleset: str, players: int | None, seed: str, out: Path | None, pause: float) -> None:
    """Play the demo and show it happening."""
    try:
        from nomicwolf.demo import DemoError, run_demo, usual
    except ModuleNotFoundError as missing:
        fail(str(missing))
    try:
        demo = run_demo(ruleset, players or usual(ruleset), seed, out, _teller(), pause)
    except DemoError as error:
        fail(str(error), WRONG_USE)
    kept = f"{demo.letters} letters in letters/, the ledger in contest/, the pages in archive/"
    say(f"\nAll of it is in {demo.folder}: {kept}.")
    history = command_of("-C", str(demo.folder / "contest"), "history")
    say(f"Look at it: {demo.folder / 'archive' / 'index.html'}, or {history}")
    if not demo.ended:
        fail("the session did not come to an end by itself; please report this seed", NEEDS_YOU)


def _teller() -> Callable[[str, str], None]:
    if not sys.stdout.isatty():
        return lambda kind, line: say(_led(kind, line))
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    return lambda kind, line: console.print(Text(escaped(_led(kind, line)), STYLES.get(kind, "")))


def _led(kind: str, line: str) -> str:
    if kind == "phase":
        return f"\n{line}\n{'-' * len(line)}"
    return "\n".join(f"{LEADS.get(kind, '')}{part}" for part in line.splitlines())
