"""Which way a deed has to come: what all must know goes to a forum, the rest to the contestmaster (NC 1g, D-N25).

NC 1g: “Whatever is said about the contract belongs in a forum of every nomic where it is in force”.
"""

from __future__ import annotations

from itertools import chain

from nomicwolf.nomic.setup import PRIVATE
from nomicwolf.village.game import Game
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.rules import Duty

LAW = ("object", "withdraw", "support", "intend", "resolve", "claim")
"""What concerns an action without member objection, or an award; it belongs in a forum."""
KILLS = ("attack", "shoot")
"""Verbs that anyone may use for what eir role kills by."""
DEAD = "You are dead, and the dead take no part."
SPOKEN = ("accuse", "second")
"""What is said in a forum where somebody is accused before a vote on em; not every game has that."""
BALLOTS = ("vote", "unvote", "guilty", "innocent", "nominate")


def public_verbs(rules: Ruleset) -> frozenset[str]:
    """Return the verbs that *rules* has done in a forum."""
    verbs = frozenset(d.verb for d in _duties(rules) if d.public)
    return verbs | frozenset(BALLOTS) if "vote" in verbs else verbs


def duty_verb(verb: str) -> str:
    """Return the verb of the duty that *verb* is done by: everything that is a ballot is a vote."""
    return "vote" if verb in BALLOTS else verb


def can_do(rules: Ruleset, game: Game, who: str, verb: str) -> bool:
    """Return whether *who* can do *verb* now, by the right way: a killed Hunter can still shoot (NC 7c)."""
    return any(d.verb == duty_verb(verb) for d in rules.duties(game, who))


def _duties(rules: Ruleset) -> tuple[Duty, ...]:
    return tuple(chain(*(law.duties for law in rules.laws), *(role.duties for role in rules.roles.values())))


def never_accused(rules: Ruleset, verb: str) -> str:
    """Return why *verb* does nothing where nobody is accused before a vote; '' in other games, and for other verbs."""
    if verb not in SPOKEN or verb in public_verbs(rules):
        return ""
    return f"There are no accusations in {rules.title}, only votes."


def misplaced(rules: Ruleset, verb: str, channel: str, nomics: tuple[str, ...]) -> str:
    """Return why a deed can't be done by this way, '' if it can."""
    if channel != PRIVATE and (why := never_accused(rules, verb)):
        return why
    if verb in LAW or verb in public_verbs(rules):
        if channel in nomics:
            return ""
        if channel == "discussion":
            return ("The discussion forum is not public, so this does not count. Post it to the forum itself: your own "
                    "letter, sent on to it with TTttPF above, counts from then.")
        return ("This does not count by private mail: post it to the list. If you post it to the forum, everyone can "
                "see it.")
    if channel == PRIVATE:
        return ""
    return (
        "Nothing was done: what belongs in private mail was posted where others can read it. Write to the "
        "contestmaster's address alone."
    )
