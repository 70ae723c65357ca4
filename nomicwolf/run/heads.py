"""Heads of the record that public letters print, so that a record that was written anew doesn't fit them (NC 6).

The record holds secrets, and a head of it must not be something to try guesses on: so it is printed as the contest's
key alone can make it (HMAC-SHA-256). Whoever is given ledger and key can check it against the forums' own archives.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from pathlib import Path

from nomicwolf.ledger.store import Store
from nomicwolf.letters.compose import is_ours, record_mark

_TOLD = re.compile(rb"^\W*Record:\s+([0-9a-f]{64})\b", re.MULTILINE)
_SHOWN = 12
"""How many hex digits of a head are shown."""


def told_in(letters: bytes) -> tuple[str, ...]:
    """Return the heads that *letters* print, quoted or not, in their order: one letter, or a whole mbox."""
    return tuple(dict.fromkeys(found.decode("ascii") for found in _TOLD.findall(letters)))


def had(store: Store, secret: bytes, marks: Collection[str]) -> set[str]:
    """Return those of *marks* that a letter of this record may print."""
    found, (_, last) = set[str](), store.ends()
    lasts = bytearray(last + 1)
    for happened in store.happenings() if marks else ():
        if 0 <= happened.last <= last:
            lasts[happened.last] = True
    for number, head in store.heads() if marks else ():
        if number <= last and lasts[number] and (mark := record_mark(head, secret)) in marks:
            found.add(mark)
    return found


def other_key(store: Store, secret: bytes) -> str:
    """Return what to say if the newest letters that were sent aren't made by *secret*, '' if they are, or none was."""
    first = last = newest = 0
    for number, message_id in store.outbox().names():
        newest = number
        if not is_ours(message_id, secret):
            first, last = first or number, number
    if not last or last != newest:
        return ""
    return (f"contest.key is not the key by which letters {first} to {last} were made. Put that one back "
            "from a backup; if it is lost for good, answers to those letters don't count, and their heads can't be "
            "checked")


def told_otherwise(store: Store, secret: bytes, files: Iterable[Path] = ()) -> list[str]:
    """Return what prints a head that this record never had: letters of its own outbox, and *files* from elsewhere.

    OSError if a file can't be read.
    """
    told = [(number, head) for number, data in store.outbox().published() for head in told_in(data)]
    others = [(path, head) for path in files for head in told_in(path.read_bytes())]
    ours = had(store, secret, {head for _, head in (*told, *others)})
    places = [*((f"letter {number}", head) for number, head in told if head not in ours),
              *((str(path), head) for path, head in others if head not in ours)]
    return [f"{where}: tells the head {head[:_SHOWN]}... of a record that is not this one, or not as it was then"
            for where, head in places]
