"""A ledger as what is done again: its entries, what happened, and letters as they were understood then."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from functools import cached_property
from itertools import islice, takewhile

from nomicwolf.contest import Command, Happening, LetterCame, Setup, Tick
from nomicwolf.contest.happenings import Parse
from nomicwolf.dataclass import dataclass
from nomicwolf.ledger.codec import read_value
from nomicwolf.ledger.errors import LedgerError
from nomicwolf.ledger.records import KeptHappening, KeptLetter
from nomicwolf.ledger.store import Store
from nomicwolf.letters.letter import Letter
from nomicwolf.run.bounces import returned, returned_note
from nomicwolf.run.happened import Order
from nomicwolf.run.taking import letter_of
from nomicwolf.settings import Settings
from nomicwolf.village.events import Entry


@dataclass(frozen=True)
class Original:
    """A ledger, read to do it again, as it stood when it so *ends*: with so many happenings, and with this entry."""

    settings: Settings
    setup: Setup
    store: Store
    ends: tuple[int, int]
    parse: Parse | None = None

    def entries(self) -> Iterator[Entry]:
        """Read the record from its beginning on."""
        return takewhile(lambda entry: entry.number <= self.ends[1], self.store.record())

    def happenings(self) -> Iterator[KeptHappening]:
        """Read what happened in it from the first on."""
        return islice(self.store.happenings(), self.ends[0])

    @cached_property
    def owed(self) -> dict[str, int]:
        """The numbers of all letters that were ever owed, by their keys."""
        return {owed.letter.key: owed.number for owed in self.store.outbox().each()}

    def letter(self, kept: KeptHappening) -> KeptLetter:
        """Return the letter that a happening was; `LedgerError` if it is gone."""
        found = self.store.letter(int(kept.data))
        if found is None:
            raise LedgerError(f"letter {kept.data} is gone from the ledger; run `nomicwolf ledger verify`")
        return found

    def happening(self, kept: KeptHappening, letter: KeptLetter | None = None) -> Happening:
        """Return what happened; a letter as it was understood then, which is *letter* if that was read already."""
        if kept.kind == "letter":
            return self._came(letter or self.letter(kept))
        if kept.kind == "tick":
            tick: Tick = read_value(Tick, kept.data)
            return tick
        order: Order = read_value(Order, kept.data)
        return Command(order.name, order.args, order.phase, self._meant(order), order.since)

    def _came(self, kept: KeptLetter) -> LetterCame:
        back = returned(self.store.outbox(), self.setup, kept.raw, kept.letter)
        return LetterCame(kept.letter, self.parse, self._again, returned_note(back, self.setup.contestmaster))

    def _meant(self, order: Order) -> Letter | None:
        number = order.args.get("number", "")
        known = order.name == "release" and isinstance(number, str) and number.isdecimal()
        return self._again(int(str(number))) if known else None

    def _again(self, number: int) -> Letter | None:
        kept = self.store.letter_of(number)
        return letter_of(self.settings, self.setup, kept.raw) if kept else None


def original_of(settings: Settings, setup: Setup, store: Store, parse: Parse | None = None) -> Original:
    """Return a ledger to do it again; *setup* is what the contest is now, for its keys; *parse* reads orders by mail.

    All of it is read once: `Garbled` if something can't be, before anything is done.
    """
    original = Original(settings, setup, store, store.ends(), parse)
    deque(original.entries(), maxlen=0)
    deque(store.outbox().each(), maxlen=0)
    return original
