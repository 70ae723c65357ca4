"""What belongs in a forum, and what in private mail, by its verb.

NC 1g: “Whatever is said about the contract belongs in a forum of every nomic where it is in force”.
"""

from __future__ import annotations

from nomicwolf.village.kernel import Ruleset

LAW = ("object", "withdraw", "support", "intend", "resolve", "claim")
"""Verbs about actions without member objection and awards."""
PARTY = ("join", "leave")
BALLOTS = ("vote", "unvote", "guilty", "innocent", "nominate")


def public_verbs(rules: Ruleset) -> frozenset[str]:
    """Return the verbs that belong in a forum by *rules* and by the law around the game."""
    verbs = {d.verb for d in rules.all_duties if d.public}
    return frozenset((*LAW, *PARTY, *verbs, *(BALLOTS if "vote" in verbs else ())))


def duty_verb(verb: str) -> str:
    """Return the verb of the duty that *verb* is done by: everything that is a ballot is a vote."""
    return "vote" if verb in BALLOTS else verb
