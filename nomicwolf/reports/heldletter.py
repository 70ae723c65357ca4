"""A letter that waits for a ruling, shown whole to the contestmaster: nothing in it can move eir terminal's cursor."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from nomicwolf.letters.letter import Letter
from nomicwolf.reports.layout import clean
from nomicwolf.reports.times import iso, when


def escaped(text: str) -> str:
    r"""Return *text* on one line, each character that a terminal would not print as an escape of Python's.

    >>> print(escaped("\x1b[2JAsh\u202e \u00e9"))
    \x1b[2JAsh\u202e é
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def letter_text(letter: Letter, why: str) -> str:
    """Return a letter's head, the reason why it waits, and its text with a bar before each line."""
    lines = [f"{name}: {value}" for name, value in _head(letter)]
    lines += [f"Held: {clean(why)}", "", *(f"| {escaped(line)}".rstrip() for line in letter.body.splitlines())]
    if letter.asides:
        lines += ["", "What stands outside of its text:"]
        lines += [f"| {escaped(line)}  ({clean(what)})" for what, line in letter.asides]
    return "\n".join(lines)


def _head(letter: Letter) -> Iterator[tuple[str, str]]:
    """Yield the names and values of what the contestmaster should see of a letter before its text."""
    for name, address in letter.senders or (("", "nobody, or several"),):
        yield "From", escaped(f"{name} <{address}>" if name else address)
    yield "Subject", escaped(letter.subject)
    if letter.sent is not None:
        yield "Dated", when(letter.sent)
    yield "Arrived", when(letter.arrived)
    for forum, at in letter.stamps:
        yield f"Had by {escaped(forum)}", when(at)
    yield "Message-ID", escaped(letter.message_id)
    yield "Place", escaped(letter.place)
    if letter.attachments:
        yield "Attachments", escaped(", ".join(letter.attachments))


def letter_json(letter: Letter) -> Mapping[str, Any]:
    """Return the same for programs, its text as it was written."""
    return {
        "from": [address for _, address in letter.senders], "subject": letter.subject,
        "dated": iso(letter.sent) if letter.sent is not None else None, "arrived": iso(letter.arrived),
        "message_id": letter.message_id, "place": letter.place, "body": letter.body,
        "attachments": list(letter.attachments), "asides": [line for _, line in letter.asides],
    }
