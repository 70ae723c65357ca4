"""What people are called for their parts in the games: the roles of all rule sets, their sides, and who runs a contest.

Derived from the rule sets, so that a new role is known here by itself.
"""

from __future__ import annotations

from functools import cache

from nomicwolf.village.rulesets import BUILT_IN

_OFFICES = frozenset({
    "accused", "condemned", "contestmaster", "forum", "moderator", "narrator", "pack", "town", "townsperson", "village",
})


@cache
def parts() -> frozenset[str]:
    """What a role, a side or an office is called in any rule set that is built in, casefolded: one and many of each.

    >>> {"seer", "werewolf", "werewolves", "wolf", "mafia", "townsperson"} <= parts()
    True
    >>> "mayor" in parts(), "gus" in parts()
    (True, False)
    """
    roles = [role for rules in BUILT_IN.values() for role in rules.roles.values()]
    one = {name.casefold() for role in roles for name in (role.name, role.title)} | _OFFICES
    one |= {alias.casefold() for rules in BUILT_IN.values() for alias in rules.aliases}
    sides = {role.side.casefold() for role in roles}
    return frozenset(one | {_many(name) for name in one - sides} | sides)


def _many(name: str) -> str:
    """The plural of *name*.

    >>> _many("seer"), _many("policeman"), _many("wolf"), _many("mafioso"), _many("witch")
    ('seers', 'policemen', 'wolves', 'mafiosi', 'witches')
    """
    for one, many in (("ceman", "cemen"), ("olf", "olves"), ("mafioso", "mafiosi")):
        if name.endswith(one):
            return name.removesuffix(one) + many
    return name if name.endswith(("s", "ed")) else name + ("es" if name.endswith("ch") else "s")
