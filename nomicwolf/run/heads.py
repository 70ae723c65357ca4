"""Heads of the record that public letters print, so that a record that was written anew doesn't fit them (NC 6).

The record holds secrets, and a head of it must not be something to try guesses on: so it is printed as the contest's
key alone can make it (HMAC-SHA-256). Whoever is given ledger and key can check it against the forums' own archives.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from nomicwolf.ledger.store import Store
from nomicwolf.letters.compose import is_ours, record_mark

_TOLD = re.compile(rb"^\W*Record:\s+([0-9a-f]{64})\b", re.MULTILINE)
_SHOWN = 12


def told_in(letters: bytes) -> tuple[str, ...]:
    """Return the heads that *letters* print, quoted or not, in their order: one letter, or a whole mbox."""
    return tuple(dict.fromkeys(found.decode("ascii") for found in _TOLD.findall(letters)))


def marks_of(store: Store, secret: bytes) -> frozenset[str]:
    """Return every head that a letter of this record may print."""
    lasts = {happened.last for happened in store.happenings()}
    return frozenset(record_mark(head, secret) for number, head in store.heads() if number in lasts)


def other_key(store: Store, secret: bytes) -> str:
    """Return what to say if the newest letters that were sent aren't made by *secret*, '' if they are, or none was."""
    sent = [owed for owed in store.outbox().everything() if owed.message_id]
    others = [owed.number for owed in sent if not is_ours(owed.message_id, secret)]
    if not others or others[-1] != sent[-1].number:
        return ""
    return (f"contest.key is not the key by which letters {others[0]} to {others[-1]} were made. Put that one back "
            "from a backup; if it is lost for good, answers to those letters don't count, and their heads can't be "
            "checked")


def told_otherwise(store: Store, secret: bytes, files: Iterable[Path] = ()) -> list[str]:
    """Return what prints a head that this record never had: letters of its own outbox, and *files* from elsewhere.

    OSError if a file can't be read.
    """
    marks = marks_of(store, secret)
    sent = [(f"letter {owed.number}", owed.data) for owed in store.outbox().everything()
            if owed.letter.kind == "public" and owed.data]
    told = [*sent, *((str(path), path.read_bytes()) for path in files)]
    return [f"{where}: tells the head {head[:_SHOWN]}... of a record that is not this one, or not as it was then"
            for where, data in told for head in told_in(data) if head not in marks]
