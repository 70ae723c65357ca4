"""Letters forgotten for their age: what they said goes, what they did stays in the record."""

from __future__ import annotations

from dataclasses import replace

from nomicwolf.contest import Contest
from nomicwolf.ledger.erasing import KeptRow, Rewritten
from nomicwolf.ledger.store import Store
from nomicwolf.letters.letter import Outgoing
from nomicwolf.letters.pseudonyms import plain_message
from nomicwolf.nomic.events import Erasures, SessionStarted
from nomicwolf.run.erasing import demand_same
from nomicwolf.run.traces import emptied
from nomicwolf.village.events import ERASED


class Forgotten:
    """What becomes of letters that are older than the contest keeps them: those that came, and private ones owed."""

    def __init__(self, letters: frozenset[int], owed: frozenset[int]) -> None:
        self._letters, self._owed = letters, owed

    def entry(self, line: str) -> str:
        """Return the entry: the record is kept."""
        return line

    def came(self, number: int, row: KeptRow) -> KeptRow:
        """Return a letter without what it said, if it is one of them."""
        return replace(row, letter=emptied(row.letter, keep=True), data=b"") if number in self._letters else row

    def owed(self, number: int, letter: Outgoing, data: bytes | None, message_id: str) -> tuple[Outgoing, bytes | None]:
        """Return a letter of ours without what it said, if it is one of them."""
        if number not in self._owed:
            return letter, data
        new = replace(letter, body=ERASED, secret="", certificates=())
        return new, None if data is None else plain_message(message_id, letter.subject, ERASED)

    def order(self, text: str) -> str:
        """Return the order: the record is kept."""
        return text

    def error(self, text: str) -> str:
        """Return what a server said."""
        return text


def forget_old(store: Store, contest: Contest, before: int, now: int) -> Rewritten:
    """Forget the letters of before *before* (UTC seconds): what they said, and their bytes.

    Those of the session in progress stay, those that wait for a ruling, and public ones of ours, which are out anyway.
    """
    erased = Erasures.of(contest.entries)
    running = contest.running is not None
    first = contest.entries[_start(contest) - 1].at if running else before
    end = min(before, first)
    letters = frozenset(kept.number for kept in store.letters()
                        if kept.heard_at < end and kept.bucket != "held" and kept.number not in erased.letters)
    owed = frozenset(one.number for one in store.outbox().each()
                     if one.letter.at < end and one.letter.kind == "private" and one.state in ("sent", "failed")
                     and one.number not in erased.owed)
    if not letters and not owed:
        return Rewritten(0, 0, 0)
    return store.rewrite("", Forgotten(letters, owed), now, lambda entries: demand_same(contest, entries))


def _start(contest: Contest) -> int:
    return next(e.number for e in reversed(contest.entries) if isinstance(e.event, SessionStarted))
