"""Record heads in public letters, by which a rewritten record is found out (NC 6).

The record holds secrets, and guesses at them must not be tested against a printed head. So it is printed as an
HMAC-SHA-256 under the contest's key. Whoever is given ledger and key can check it against the forums' own archives.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from pathlib import Path

from nomicwolf.ledger.store import Store
from nomicwolf.letters.compose import is_ours, record_mark

_TOLD = re.compile(rb"^\W*Record:\s+([0-9a-f]{64})\b", re.MULTILINE)
_SHOWN = 12
"""Hex digits of a head in a report."""


def printed_heads(letters: bytes) -> tuple[str, ...]:
    """Return the heads printed in *letters* (one, or a whole mbox), quoted or not, in order."""
    return tuple(dict.fromkeys(found.decode("ascii") for found in _TOLD.findall(letters)))


def known_heads(store: Store, secret: bytes, marks: Collection[str]) -> set[str]:
    """Return those of *marks* that a letter of this record may have printed."""
    found, (_, last) = set[str](), store.ends()
    lasts = bytearray(last + 1)
    for happened in store.happenings() if marks else ():
        if 0 <= happened.last <= last:
            lasts[happened.last] = True
    for number, head in store.heads() if marks else ():
        if number <= last and lasts[number] and (mark := record_mark(head, secret)) in marks:
            found.add(mark)
    return found


def other_key_warning(store: Store, secret: bytes) -> str:
    """Return the warning if the newest letters weren't made with *secret*, '' if they were, or there are none."""
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


def foreign_heads(store: Store, secret: bytes, files: Iterable[Path] = ()) -> list[str]:
    """Report heads that this record never had, in letters of its outbox and in *files*.

    OSError if a file can't be read.
    """
    told = [(number, head) for number, data in store.outbox().published() for head in printed_heads(data)]
    others = [(path, head) for path in files for head in printed_heads(path.read_bytes())]
    ours = known_heads(store, secret, {head for _, head in (*told, *others)})
    places = [*((f"letter {number}", head) for number, head in told if head not in ours),
              *((str(path), head) for path, head in others if head not in ours)]
    return [f"{where}: tells the head {head[:_SHOWN]}... of a record that is not this one, or not as it was then"
            for where, head in places]
