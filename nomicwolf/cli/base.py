"""What all commands share: the contest's folder, the time, how things are said, how a command ends."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from nomicwolf.cli.escaping import escaped
from nomicwolf.ledger.errors import Busy
from nomicwolf.nomic.times import instant_in
from nomicwolf.post.refusals import Away, Locked
from nomicwolf.settings.keys import Settings, SettingsError
from nomicwolf.settings.load import load

if TYPE_CHECKING:
    from nomicwolf.contest import Command

NEEDS_YOU, WRONG_USE, LATER = 1, 2, 75

RuleSet = Annotated[
    str, typer.Argument(help="nomic-crossing, gadianton, tabula, six-phases, narrated-mafia.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs, not text for people.")]
At = Annotated[
    str, typer.Option("--at", metavar="TIME", help="Take this ISO 8601 time for the present one (tests, rehearsals).")]


class Untried(Exception):
    """What `check` could not try, and why, as a note says it."""


class Captured(Exception):
    """A command of the contestmaster's, taken from the command line in place of being done."""

    def __init__(self, command: Command) -> None:
        super().__init__(command.name)
        self.command = command


@dataclass(slots=True)
class Here:
    """Where a command runs: in *folder*; with *capture* orders are handed back as `Captured`.

    *order_of* makes an order of a command line, as rehearsals need it; *run* runs one and returns its status.
    """

    folder: Path = Path()
    capture: bool = False
    order_of: Callable[[Sequence[str]], Command] | None = None
    run: Callable[[Sequence[str]], int] | None = None

    def settings(self, *, mail: bool = True) -> Settings:
        """Return the contest's settings; end the command with every wrong key if they can't be used.

        Commands that only look at the ledger need no *mail*, and so no passwords.
        """
        try:
            found = load(self.folder, os.environ, mail=mail)
        except SettingsError as error:
            fail(error.problems)
        if found.switches:
            from nomicwolf.run.contest_setup import unknown_switches  # most contests have the usual ones

            if unknown := unknown_switches(found):
                fail(unknown)
        return found

    @property
    def has_contest(self) -> bool:
        """Whether there is a contest in the folder."""
        return (self.folder / "contest.toml").is_file()


def here(ctx: typer.Context) -> Here:
    """Return where the command of *ctx* runs."""
    found = ctx.obj
    assert isinstance(found, Here)
    return found


def fail(lines: str | Iterable[str], status: int = NEEDS_YOU) -> NoReturn:
    """Say on standard error what is wrong, and end the command."""
    complain(lines)
    raise typer.Exit(status)


def one_form(*, as_csv: bool, as_json: bool) -> None:
    """End the command if it is to answer in two forms."""
    if as_csv and as_json:
        fail("--csv and --json are two forms of one answer; give one of them", WRONG_USE)


def only_said(order: str, *, as_csv: bool = False, as_json: bool = False) -> None:
    """End the command if it is to show something as CSV or JSON although it gives an *order*, whose answer is words."""
    if as_csv or as_json:
        form = "--csv" if as_csv else "--json"
        fail(f"{order} gives an order, and {form} shows how things stand; give one after the other", WRONG_USE)


def fail_of(error: Exception) -> NoReturn:
    """Say what an *error* of the ledger's or the post's says, and end the command: with 75 if waiting mends it."""
    fail(said_of(error).splitlines(), status_of(error))


def said_of(error: Exception) -> str:
    """Return what *error* says; of a file that can't be used its name, what is wrong, and what to look at."""
    if isinstance(error, OSError) and error.filename is not None and error.strerror:
        name = str(error.filename)[:200]
        return f"{name}: {error.strerror}; look at that path, and at who may read or write it"
    return str(error)


def status_of(error: Exception) -> int:
    """Return with which status a command ends that *error* has stopped.

    That is 75 where a server is away or another run is at work, so that who gives commands by a script waits.
    """
    return LATER if isinstance(error, (Busy, Away, Locked)) else NEEDS_YOU


def complain(lines: str | Iterable[str]) -> None:
    """Say on standard error what is wrong, and go on."""
    for line in [lines] if isinstance(lines, str) else lines:
        print(escaped(f"nomicwolf: {line}"), file=sys.stderr)


def clock(at: str) -> Callable[[], int]:
    """Return the clock that a command goes by: the machine's, or the instant given by ``--at``."""
    if not at:
        return lambda: int(time.time())
    try:
        given = instant_in(at)
    except ValueError:
        fail(f"--at {at}: is no time; write it like 2026-12-01T12:00:00Z", WRONG_USE)
    return lambda: given


def say(text: str) -> None:
    """Print text for people."""
    print(escaped(text.rstrip("\n")))


def say_report(text: str) -> None:
    """Print a report: in colours where there is a terminal, plain where there is none."""
    if not sys.stdout.isatty():
        say(text)
        return
    from nomicwolf.cli.colours import say_coloured

    say_coloured(text)


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """Show on a terminal that *what* is under way; say nothing where there is none."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(what):
        yield


def say_json(data: Mapping[str, Any]) -> None:
    """Print one line of JSON."""
    print(escaped(json.dumps(data, ensure_ascii=False)))


def say_json_list(data: Mapping[str, Any], name: str, values: Iterable[Mapping[str, Any]]) -> None:
    """Print one line of JSON, *data* and then *name* with *values*, of which few are in memory at once."""
    head, tail = json.dumps({**data, name: []}, ensure_ascii=False).rsplit("]", 1)
    print(escaped(head), end="")
    for place, value in enumerate(values):
        print(escaped(", " * bool(place) + json.dumps(value, ensure_ascii=False)), end="")
    print(escaped(f"]{tail}"))


def say_table(heads: Sequence[str], rows: Sequence[Sequence[str]], empty: str = "") -> None:
    """Print a table: Rich where there is a terminal, plain columns where there is none."""
    rows = [[escaped(cell) for cell in row] for row in rows]
    if not rows:
        say(empty)
    elif sys.stdout.isatty():
        from rich.box import SIMPLE_HEAD
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text

        shown = Table(*heads, box=SIMPLE_HEAD)
        for row in rows:
            shown.add_row(*(Text(cell) for cell in row))
        Console().print(shown)
    else:
        widths = [max(len(cell) for cell in column) for column in zip(heads, *rows, strict=True)]
        for row in [tuple(heads), *rows]:
            say("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
