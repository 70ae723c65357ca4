"""Questions to the contest in players' own words: the count, who lives, what was sent before."""

from __future__ import annotations

from collections.abc import Sequence

from nomicwolf.language.words import Word
from nomicwolf.reading.deeds import Act

_LONGEST = 18
"""Words of the longest sentence that is nothing but a question."""
_ASKING = frozenset(
    {"send", "resend", "forward", "tell", "post", "publish", "show", "have", "get", "see", "know", "give"}
)
_COUNT = frozenset({"count", "counts", "tally", "tallies", "votecount", "vc"})
_ALIVE = frozenset({"alive", "left", "living", "remaining"})
_LETTER = frozenset({"role", "letter", "mail", "email", "message", "pm"})
_MISSED = frozenset({"again", "lost", "deleted", "didn't", "not", "never", "missing", "spam", "resend"})
_OWN = frozenset({"i", "me", "my"})


def inquiry(words: Sequence[Word], *, asked: bool) -> Act | None:
    """Return the question to the contest that a sentence of *words* is: ``votes``, ``who`` or ``resend``; or None.

    A sentence that names a player asks about em, and not the contest.
    """
    texts = {part for word in words for part in word.text.split()}
    named = any(word.person is not None and "official" not in word.marks for word in words)
    asks = asked or (texts & _ASKING and any("polite" in word.marks or word.sense("CAN", "REQUEST") for word in words))
    if named or not asks or len(words) > _LONGEST:
        return None
    if texts & _LETTER and texts & _MISSED and texts & _OWN and texts & _ASKING:
        return Act("resend")
    if (
        (texts & _COUNT and texts & _ASKING)
        or texts >= {"who", "voted", "for", "whom"}
        or texts >= {"what", "the", "count"}
    ):
        return Act("votes")
    if "who" in texts and texts & _ALIVE and any(word.sense("BE") for word in words):
        return Act("who")
    return None
