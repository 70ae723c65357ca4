"""Questions to the contest in players' own words: the count, who lives, what was sent before."""

from __future__ import annotations

from collections.abc import Sequence

from nomicwolf.language.words import Word
from nomicwolf.reading.deeds import Act

_LONGEST = 24
"""Words of the longest sentence that is nothing but a question."""
_ASKING = frozenset(
    {"send", "resend", "forward", "tell", "post", "publish", "show", "have", "get", "see", "know", "give", "list"}
)
_COUNT = frozenset({"count", "counts", "tally", "tallies", "votecount", "vc"})
_WHO_VOTED = frozenset({"voted", "voting", "votes"})
_ALIVE = frozenset({"alive", "left", "living", "remaining", "townspersons"})
_LETTER = frozenset({"role", "letter", "mail", "email", "message", "pm", "it"})
_MISSED = frozenset({"again", "lost", "deleted", "missing", "spam", "resend"})
_OWN = frozenset({"i", "me", "my", "it"})


def inquiry(words: Sequence[Word], *, asked: bool) -> Act | None:
    """Return the question to the contest that a sentence of *words* is: ``votes``, ``who`` or ``resend``; or None.

    A sentence that names a player asks about em, and not the contest.
    """
    texts = {part for word in words for part in word.text.split()}
    start = next((word for word in words if "discourse" not in word.marks), words[0]) if words else None
    named = any(word.person is not None and "official" not in word.marks for word in words)
    courteous = any("polite" in word.marks or word.sense("CAN", "REQUEST") for word in words)
    wanted = texts & _ASKING or texts & {"request", "ask"} or "votecount" in texts
    asks = asked or (courteous and wanted) or (start is not None and start.text.split()[0] in {"who", "request"})
    if named or start is None or not asks or len(words) > _LONGEST:
        return None
    if texts & _LETTER and texts & _MISSED and texts & _OWN and texts & _ASKING:
        return Act("resend")
    count = (texts & _COUNT and wanted) or ("votes" in texts and texts & {"publish", "post", "request"})
    if count or texts >= {"what", "the", "count"} or ("who" in texts and texts & _WHO_VOTED):
        return Act("votes")
    alive = texts & _ALIVE and any(word.sense("BE") for word in words)
    return Act("who") if alive and ("who" in texts or "list" in texts) else None
