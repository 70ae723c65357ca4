"""What the ledger takes in and gives out, beside entries and letters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, TypeAlias

from nomicwolf.dataclass import dataclass

if TYPE_CHECKING:
    from nomicwolf.letters.letter import Bucket, Letter, Outgoing, Raw

Mark: TypeAlias = tuple[str, int, int]
"""How far a source was read: its name, its validity, and the last number heard (UIDVALIDITY, UID)."""

State: TypeAlias = Literal["queued", "sending", "sent", "unknown", "failed"]


@dataclass(frozen=True, slots=True)
class HeardLetter:
    """A letter that came, and the one bucket that it went into; *why* says why in a few words.

    *entry* is the number of the entry that tells of it, 0 if none does.
    """

    raw: Raw
    letter: Letter
    bucket: Bucket
    author: str = ""
    why: str = ""
    entry: int = 0


@dataclass(frozen=True, slots=True)
class Ruling:
    """A letter that waited, by the *number* of its entry, goes into another *bucket*, with the reason.

    *was* is the one in which it was kept: its deeds may have been heard before it was held, as when it came late.
    """

    number: int
    bucket: Bucket
    why: str
    was: str = "held"


@dataclass(frozen=True, slots=True)
class Happened:
    """What a transaction followed from: its *kind*, and *setup*, what the contest was by its settings, as JSON.

    *data* is a command or a tick as JSON; of a letter nothing, as the ledger numbers it.
    """

    kind: Literal["letter", "command", "tick"]
    data: str
    setup: str


@dataclass(frozen=True, slots=True)
class KeptHappening:
    """A happening of the ledger: at *now*, with the entries behind *base* up to *last*, letters owed up to *owed*."""

    kind: Literal["letter", "command", "tick"]
    data: str
    setup: str
    now: int
    base: int
    last: int
    owed: int


@dataclass(frozen=True, slots=True)
class KeptLetter:
    """A letter of the ledger; *number* counts the contest's letters from 1, *heard_at* is UTC seconds."""

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
    """A letter of the outbox; *data* are its bytes once it was composed, the same for every try.

    *tries* counts how often it was begun to be sent, *doubtful* how many of these ended nobody knows how.
    """

    number: int
    letter: Outgoing
    state: State
    data: bytes | None
    message_id: str
    tries: int
    doubtful: int
    error: str


@dataclass(frozen=True, slots=True)
class Conservation:
    """Where everything went: *received* letters by bucket, *owed* letters by state."""

    received: int
    buckets: Mapping[str, int]
    owed: int
    states: Mapping[str, int]

    @property
    def balanced(self) -> bool:
        """Tell whether each sum is what it must be."""
        return self.received == sum(self.buckets.values()) and self.owed == sum(self.states.values())

    def __str__(self) -> str:
        parts = ", ".join(f"{name} {count}" for name, count in self.buckets.items())
        owed = ", ".join(f"{name} {count}" for name, count in self.states.items())
        return f"received {self.received} = {parts or 'none'}; owed {self.owed} = {owed or 'none'}"


@dataclass(frozen=True, slots=True)
class Tip:
    """Where a contest's ledger stands: the last entry's number, the chain's head, when to be asked again."""

    last: int
    head: str
    alarm: int | None
    polled_at: int
