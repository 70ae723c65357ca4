"""Who joins or leaves the contract after other words, or before more: eir author is asked, and never passed over."""

from __future__ import annotations

import re

from nomicwolf.reading.telling import without
from nomicwolf.reading.vocables import words_in

_PARTING = re.compile(
    r"(?:^|[,;:.(-] *(?:(?:and|but|so|then) )?|\b(?:and|but|so) )"
    r"(?:if (?:so|i (?:may|can)|it's possible|that's ok(?:ay)?),? |in that case,? )?"
    r"I (?:(?:do|also|then|now|hereby|therefore|formally) )*(?P<does>join|leave|quit|resign from"
    r"|become a (?:party to|contestant in|member of)|cease to be (?:a party to|bound by)"
    r"|(?:agree|consent) to(?: be bound by)?)"
    r"(?: (?:(?:the|this|your) )?(?:(?:werewol\w*|nomic|public|of|the|running|present) ){0,5}"
    r"(?:contract|contest|werewolves|session|game|crossing)"
    r"(?= *(?:[.,;!)]|$|in |as |with ))|$)", re.IGNORECASE)
_NOT_NOW = frozenset({
    "after", "before", "could", "may", "might", "never", "not", "once", "said", "says", "should", "unless", "until",
    "when", "whenever", "would", "wrote",
})
PARTING = frozenset({"agree", "become", "cease", "consent", "join", "leave", "quit", "resign"})
"""One of these words is in all that the expression takes."""
_JOINS = ("agree", "become", "consent", "join")
_LONGEST = 300
"""Longer sentences say more than one such thing."""


def seems_parting(text: str) -> str:
    """What to write for a sentence in which somebody joins or leaves, among other words; '' for all others.

    >>> seems_parting("Real life calls, so I hereby leave the Werewolves contract.")
    'leave this contract'
    >>> seems_parting("I leave the game to Bex.")
    ''
    """
    if len(text) > _LONGEST or without(text, PARTING):
        return ""
    bare = " ".join(text.split()).strip(" .!")
    found = _PARTING.search(bare)
    if found is None or '"' in bare:
        return ""
    before = bare[:found.end()]
    if words_in(before) & _NOT_NOW or "n't " in before:
        return ""
    return "join this contract" if found["does"].casefold().startswith(_JOINS) else "leave this contract"
