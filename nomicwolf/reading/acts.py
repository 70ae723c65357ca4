"""What one part of a sentence does, as a value, and its canonical form."""

from __future__ import annotations

from dataclasses import dataclass

from nomicwolf.village.ballots import Ballot, For, ballot_text

NIGHT = frozenset({
    "attack", "see", "heal", "poison", "protect", "shoot", "match", "guard", "point", "revive", "block", "track",
    "watch",
})
NOBODY = "nobody"
_WORDED = frozenset({"say", "ask", "check", "alias", "address", "claim", "holiday", "timezone"})
"""Verbs of which all words are somebody's own."""
GROUPS = frozenset({"pack", "masons", "lovers", "spirits", "policemen", "prophets"})
"""Whom a `say` can be for; its words then begin with the group and a colon."""


@dataclass(frozen=True, slots=True)
class Act:
    """What one part of a sentence does; *words* is free text, or ``nobody`` where nobody was chosen."""

    verb: str
    names: tuple[str, ...] = ()
    ballot: Ballot | None = None
    words: str = ""


def aimed(act: Act) -> Ballot | None:
    """Return whom *act* is aimed at, as a vote would be; None where that is nobody, or two."""
    return For(act.names[0]) if len(act.names) == 1 else None


def says(act: Act) -> str:
    """The canonical form: reading it again gives the same act."""
    verb = act.verb
    if act.ballot is not None:
        return f"vote {ballot_text(act.ballot)}"
    if verb == "act-for":
        return f"act-for {act.names[0]}: {act.words}"
    if verb == "match":
        return f"match {act.names[0]} and {act.names[1]}"
    if act.names:
        return f"{verb} {act.names[0]}"
    if verb == "confirm" or (verb == "say" and act.words.partition(": ")[0] in GROUPS):
        return f"{verb} {act.words}"
    if verb in NIGHT or verb == "nominate" or (act.words == NOBODY and verb not in _WORDED):
        return f"{verb} {act.words}".strip()
    return f"{verb}: {act.words}" if act.words else verb
