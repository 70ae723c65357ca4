"""Colours for what people read on a terminal. The words are the same everywhere; only a terminal sees colours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nomicwolf.cli.escaping import escaped

if TYPE_CHECKING:
    from rich.text import Text

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
