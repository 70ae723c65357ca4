"""Which way a deed has to come: what all must know goes to a forum, the rest to the contestmaster (NC 1g, D-N25)."""

from __future__ import annotations

from itertools import chain

from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.rules import Duty

SAME = {"unvote": "vote"}


def public_verbs(rules: Ruleset) -> frozenset[str]:
    """Return the verbs that *rules* has done in a forum."""
    return frozenset(d.verb for d in _duties(rules) if d.public) | frozenset(
        alias for alias, verb in SAME.items() if any(d.public and d.verb == verb for d in _duties(rules)))


def _duties(rules: Ruleset) -> tuple[Duty, ...]:
    return tuple(chain(*(law.duties for law in rules.laws), *(role.duties for role in rules.roles.values())))


def misplaced(rules: Ruleset, verb: str, channel: str, nomics: tuple[str, ...]) -> str:
    """Return why a deed can't be done by this way, '' if it can."""
    if verb in public_verbs(rules):
        if channel in nomics:
            return ""
        if channel == "discussion":
            return "The discussion forum is not public, so this does not count. Post it to the forum itself."
        return "This does not count by private mail: post it to the list, where everyone can see it."
    if channel == "contestmaster":
        return ""
    return (
        "Nothing was done: what belongs in private mail was posted where others can read it. Write to the "
        "contestmaster's address alone."
    )
