"""Values that the ledger stores and returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from nomicwolf.letters.letter import Bucket, Letter, Outgoing, Raw

Mark: TypeAlias = tuple[str, int, int]
"""How far a source was read: its name, UIDVALIDITY, and the UID of the last letter heard."""

State: TypeAlias = Literal["queued", "sending", "sent", "unknown", "failed"]


@dataclass(frozen=True, slots=True)
class HeardLetter:
    """A letter as it was heard, its bucket, and in a few words *why*.

    *entry* is the number of the entry that records it, 0 if none does.
    """

    raw: Raw
    letter: Letter
    bucket: Bucket
    author: str = ""
    why: str = ""
    entry: int = 0


@dataclass(frozen=True, slots=True)
class Ruling:
    """A ruling moves a letter, given by its entry's *number*, into another *bucket*, with the reason.

    *was* is its bucket until then. It need not be "held": a late letter's deeds may have been heard before it was held.
    """

    number: int
    bucket: Bucket
    why: str
    was: str = "held"


@dataclass(frozen=True, slots=True)
class Happened:
    """The cause of a transaction: its *kind*, and the contest's *setup* by its settings then, as JSON.

    *data* is a command or a tick as JSON; for a letter the number of its run, since the ledger numbers letters itself.
    """

    kind: Literal["letter", "command", "tick"]
    data: str
    setup: str


@dataclass(frozen=True, slots=True)
class StoredHappening:
    """A recorded happening at *now* (UTC seconds): entries after *base* up to *last*, letters owed up to *owed*."""

    kind: Literal["letter", "command", "tick"]
    data: str
    setup: str
    now: int
    base: int
    last: int
    owed: int

    def of_letter(self) -> tuple[int, int]:
        """Return the number of the letter that this was, and of the run in which it was heard, 0 in old ledgers."""
        number, _, run = self.data.partition(" ")
        return int(number), int(run or 0)


@dataclass(frozen=True, slots=True)
class StoredLetter:
    """A recorded letter; *number* counts the contest's letters from 1, *heard_at* is in UTC seconds."""

    number: int
    raw: Raw
    letter: Letter
    bucket: Bucket
    author: str
    why: str
    heard_at: int
    entry: int


@dataclass(frozen=True, slots=True)
class OwedLetter:
    """A letter of the outbox; *data* are its bytes once composed, the same for every try.

    *tries* counts the attempts to send it, *doubtful* those whose outcome is unknown; *changed_at* is the time of its
    last change of state (UTC seconds).
    """

    number: int
    letter: Outgoing
    state: State
    data: bytes | None
    message_id: str
    tries: int
    doubtful: int
    error: str
    changed_at: int = 0


@dataclass(frozen=True, slots=True)
class Conservation:
    """The letters *received* by bucket, and the letters *owed* by state."""

    received: int
    buckets: Mapping[str, int]
    owed: int
    states: Mapping[str, int]

    @property
    def balanced(self) -> bool:
        """Whether both sums add up."""
        return self.received == sum(self.buckets.values()) and self.owed == sum(self.states.values())

    def __str__(self) -> str:
        parts = ", ".join(f"{name} {count}" for name, count in self.buckets.items())
        owed = ", ".join(f"{name} {count}" for name, count in self.states.items())
        return f"received {self.received} = {parts or 'none'}; owed {self.owed} = {owed or 'none'}"


@dataclass(frozen=True, slots=True)
class Tip:
    """The tip of a record: the last entry's number, the chain's head, next alarm and last poll (UTC seconds)."""

    last: int
    head: str
    alarm: int | None
    polled_at: int
