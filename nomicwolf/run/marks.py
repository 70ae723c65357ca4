"""How what was said, and which letters came, is looked up in a record: by keyed hashes of the words."""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256

from nomicwolf.nomic.events import Awarded, DeedHeard, LetterHeard, Revealed, SessionStarted, SessionStopped
from nomicwolf.nomic.setup import PRIVATE
from nomicwolf.village.events import Entry, Event

ONCE = ("digest", "seal", "said")
"""Of what it is enough to know where it stood first."""
BY_SESSION: Mapping[type[Event], str] = {
    SessionStarted: "started", SessionStopped: "stopped", Revealed: "revealed", Awarded: "awarded"}
"""What is looked up by the number of its session."""
SEEN = 100_000
"""So many marks are remembered, so that what is said again isn't written again; who looks takes the first anyway."""


class Marks:
    """How words are looked up in the record: by hashes that only who has the contest's key can make."""

    def __init__(self, secret: bytes) -> None:
        self._key = hmac.digest(secret, b"nomicwolf marks 1", "sha256")
        self.name = sha256(self._key + b"seals").hexdigest()[:16]

    def mark(self, kind: str, text: str) -> str:
        """Return the mark of a Message-ID, of a digest, of a signed text, of what was said, or of a session."""
        told = f"{kind}\n{text}".encode("utf-8", "surrogatepass")
        return hmac.digest(self._key, told, "sha256")[:16].hex()

    def of(self, entries: Iterable[Entry]) -> Iterator[tuple[str, int]]:
        """Yield where *entries* are looked up: all of a kind and text, of a digest or of words the first."""
        seen: set[str] = set()
        for entry in entries:
            for kind, text in looked_up(entry.event):
                mark = self.mark(kind, text)
                if kind not in ONCE:
                    yield mark, entry.number
                elif mark not in seen:
                    seen = seen if len(seen) < SEEN else set()
                    seen.add(mark)
                    yield mark, entry.number


def looked_up(event: Event) -> list[tuple[str, str]]:
    """Return by what an event is looked up: (kind, text)."""
    if isinstance(event, LetterHeard):
        return [("digest", event.digest), *([("message", event.message_id)] if event.message_id else []),
                *(("seal", digest) for digest in event.seals)]
    if isinstance(event, DeedHeard) and event.channel != PRIVATE:
        return [("said", event.text.strip())]
    if kind := BY_SESSION.get(type(event)):
        return [(kind, str(getattr(event, "session")))]  # noqa: B009 - each of these has one
    return []
