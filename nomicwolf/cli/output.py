r"""Output, and the poll without a parser.

Control characters and those that turn the direction of writing are printed as escapes. Names, subjects and words of
letters are anybody's, and a terminal, a spreadsheet or a log would obey such a character. ``\u202e`` is the same in
JSON and in text for people.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from nomicwolf.run.polling import poll as run_poll
from nomicwolf.settings.keys import SettingsError
from nomicwolf.settings.load import load

if TYPE_CHECKING:
    from rich.text import Text

    from nomicwolf.contest.step import Parse

_ACTING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb]|[\U000e0000-\U000e007f]")


def escaped(text: str) -> str:
    r"""Return *text* with an escape for each character that does something, but for tabs and line feeds.

    >>> escaped("Bex\x1b[31m\u202e")
    'Bex\\u001b[31m\\u202e'
    """
    return text if text.isascii() and text.isprintable() else _ACTING.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    """The escape of one character, in two halves where JSON writes it so (RFC 8259, 7)."""
    units = found[0].encode("utf-16-be")
    return "".join(f"\\u{units[at] << 8 | units[at + 1]:04x}" for at in range(0, len(units), 2))


STYLES = (
    (r"(?m)^(?=\S)[^\n:]{1,60}:$|^(?:Owed|Waiting|Due|Parties|Persons)\b[^:\n]*:", "bold"),
    (r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d(?::\d\d)? UTC", "cyan"),
    (r"\[#+\.*\]", "magenta"),
    (r"\bact-for is open\b|\blate since\b|\bdefect\b", "bold red"),
    (r"\bact-for from [^;\n]*|\bin \d+ (?:minute|hour|day)s?(?: \d+ hours?)?", "yellow"),
    (r"\b(?:letter|award) \d+\b", "green"),
    (r"\((?:(?:NC|GA|TA|MM|CC|D)-?[ ]?[A-Z0-9][\w]*(?:, )?)+\)", "dim"),
    (r"\bnomicwolf [a-z-]+(?: -{0,2}[\w=]+)*", "bold green"),
)
"""Patterns of our own phrases, each with Rich's style for it."""


def coloured(text: str) -> Text:
    """Return *text* with the styles of our phrases; markup that players wrote in it stays text."""
    from rich.text import Text

    shown = Text(text)
    for pattern, style in STYLES:
        shown.highlight_regex(pattern, style)
    return shown


def say_coloured(text: str) -> None:
    """Print *text* on a terminal, in its colours; lines are never folded."""
    from rich.console import Console

    Console(highlight=False).print(coloured(escaped(text.rstrip("\n"))), soft_wrap=True)


def complain(lines: str | Iterable[str]) -> None:
    """Say on standard error what is wrong, and go on."""
    for line in [lines] if isinstance(lines, str) else lines:
        print(escaped(f"nomicwolf: {line}"), file=sys.stderr)


def say(text: str) -> None:
    """Print text for people."""
    print(escaped(text.rstrip("\n")))


def say_report(text: str) -> None:
    """Print a report: in colours where there is a terminal, plain where there is none."""
    if not sys.stdout.isatty():
        say(text)
        return
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
    import json

    print(escaped(json.dumps(data, ensure_ascii=False)))


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


PATIENCE = 1.0
"""Seconds after which a command that works on shows how far it is."""


@contextmanager
def progress_bar(
    what: str, total: int | None = None, *, show: bool = True, patience: float = PATIENCE,
) -> Iterator[Callable[..., None] | None]:
    """Yield a function that is told (done, total), or None where no bar can be shown.

    The bar appears on standard error, if that is a terminal, *patience* seconds after the start.
    """
    if not show or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    began = monotonic()
    bar = Progress(console=Console(stderr=True), transient=True)
    task = bar.add_task(what, total=total)

    def told(done: int, of: int | None = None) -> None:
        if monotonic() - began >= patience:
            bar.start()
        bar.update(task, completed=done, total=of if of is not None else total)

    try:
        yield told
    finally:
        bar.stop()


def poll(
    folder: str, parse: Parse | None, clock: Callable[[], int] | None = None, *, verbose: bool = False,
    clock_is_right: bool = False,
) -> int:
    """Poll the contest in *folder*, tell on standard error what went wrong, and return the exit status.

    *parse* reads orders that came by mail; the clock isn't doubted if somebody says that *clock_is_right*.
    """
    try:
        settings = load(Path(folder), os.environ)
    except SettingsError as error:
        for problem in error.problems:
            print(escaped(f"nomicwolf: {problem}"), file=sys.stderr)
        return 1
    report = run_poll(settings, clock or (lambda: int(time.time())), parse, clock_is_right=clock_is_right)
    for line in report.said:
        print(escaped(f"nomicwolf: {settings.contest.id}: {line}"), file=sys.stderr)
    if verbose:
        done = "nothing to do" if report.idle else f"{report.heard} heard, {report.sent} sent. {report.balance}"
        print(escaped(done))
    return report.status
