"""A signed text is good once, for a while, and for the phase that it names: replays are held (D-N45)."""

from __future__ import annotations

import re

from nomicwolf.letters.attribution import own_text
from nomicwolf.letters.letter import Letter, Seal
from nomicwolf.nomic.state import Contest

AHEAD = 3600
"""How far in the future a signature may be made by a clock that is wrong, in seconds."""
_PLACE = re.compile(r"\bsession (\d{1,6}), (day|night) (\d{1,6})\b", re.IGNORECASE)


def freshness(contest: Contest, letter: Letter, seal: Seal) -> str:
    """Return why a signed text may be an old one sent again, '' if it is not.

    It must name the present session and phase, or have been signed of late; it never counts in another phase than one
    that it names, and never twice.
    """
    if seal.digest in contest.by_seal:
        return "its signed text came before, in another letter"
    if seal.made > letter.arrived + AHEAD:
        return "its signature is from the future"
    named = _PLACE.search(own_text(letter.body))
    if named is not None:
        game = contest.running
        there = (contest.session, game.phase, game.number) if game is not None else (0, "", 0)
        if (int(named[1]), named[2].lower(), int(named[3])) != there:
            return f"it was signed for {named[0].lower()}, which is not now"
        return ""
    if contest.running is not None and seal.made < contest.running.entries[0].at:
        return "its signature is from before this session, and names no session and phase"
    if letter.arrived - seal.made > 86_400 * contest.setup.signature_days:
        return f"its signature is older than {contest.setup.signature_days} days and names no session and phase"
    return ""
