"""Headings by which somebody acts now: "I act as follows:", "My vote:"; not "My last vote:", nor "I would vote:"."""

from __future__ import annotations

import re

_LONGEST = 300
_ACTS = re.compile(
    r"(?:(?:and|also|then|so|now|hence|thus|therefore|formally|hereby|accordingly)[, ]+)*"
    r"(?:I (?:(?:also|hereby|then|now|therefore|formally|officially|do) )*"
    r"(?:act|do|perform|take|cast|vote|submit|declare|announce|state|make|issue|choose)\b[^.?!]*"
    r"|(?:my|here(?:'s| is| are) my|th(?:is|ese) (?:is|are) my) [^.?!]*\b(?:vote|ballot|action|move|deed|order)s?\b"
    r"[^.?!]*|(?:game |official |the |new |current |updated |latest |final )?(?:action|vote|ballot|move|deed|order"
    r"|act)s?)\s*:", re.IGNORECASE)
_NOT_NOW = re.compile(
    r"\b(?:would|might|may|could|should|if|not|never|was|were|had|last|next|old|older|earlier|former|previous|plan\w*"
    r"|draft\w*|want\w*|propos\w*|suggest\w*|quot\w*|example)\b|n['’]t\b", re.IGNORECASE)
_BARE = re.compile(
    r"(?:\bas follows|\bthus|\bthe following(?: \w+)?|^\W*(?:(?:here's|(?:here|this|these) (?:is|are)) )?(?:my |the )?"
    r"(?:\w+ )?(?:vote|ballot|action|move|deed|order|act)s?"
    r"(?: (?:is|are|now|today|(?:for|on|of) (?:today|now|the day|day \d+)))*)\W*:\W*$", re.IGNORECASE)
"""Words that only lead on: what they do stands in the block."""


def is_acting(line: str) -> bool:
    """Whether *line* is such a heading: what stands below it is meant."""
    words = line.strip(" *_#")
    return words.endswith(":") and len(words) <= _LONGEST and (
        _ACTS.fullmatch(words) is not None and not _NOT_NOW.search(words))


def only_leads(line: str) -> bool:
    """Whether *line* is such a heading and says nothing else: what it does stands below it."""
    return is_acting(line) and _BARE.search(line) is not None
