"""Small words of everyday language."""

from __future__ import annotations

INTERJECTION = (
    r"(?:ah|alright|and|but|edit|er+|fine|hm+|no|now|oh|ok|okay|oops|right|so|sorry|then|therefore|thus|update|wait"
    r"|well|yes)")
"""An expression for one of the small words, casefolded, with which sentences begin."""
VOTING_WORDS = frozenset({
    "attack", "endorse", "endorsing", "heal", "lynch", "lynching", "poison", "retract", "shoot", "unvote", "unvoting",
    "vote", "voted", "votes", "voting",
})
"""Words of sentences that look like deeds."""
