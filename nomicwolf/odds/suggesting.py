"""Setups that are nearly even, found by playing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from nomicwolf.odds.rates import Odds, odds
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.rules import Refusal
from nomicwolf.village.rulesets import library, ruleset

HELPERS = (("cop",), ("doctor",), ("cop", "doctor"), ("cop", "jailkeeper"), ("cop", "doctor", "tracker"))
"""What a town may have, each by what players call it."""


def suggested(
    name: str, players: int, *, games: int, policy: str, processes: int = 1, tell: Callable[[int], None] | None = None,
) -> list[Odds]:
    """Return the odds of setups of *players* that the rule set *name* can deal, those nearest to even first.

    `Refusal` if it can deal none to so many. *tell* is called with the number of setups played so far.
    """
    rules, found, why = ruleset(name), list[Odds](), "no roles fit"
    for number, (roles, brought) in enumerate(_candidates(rules, players), 1):
        try:
            found.append(odds(name, players, roles, games=games, policy=policy, processes=processes, played=True,
                              brought=brought))
        except Refusal as refused:
            why = refused.why
        if tell:
            tell(number)
    if not found:
        raise Refusal(why)
    return sorted(found, key=lambda each: abs(next(iter(each.wins.values())).p - 0.5))


def _candidates(rules: Ruleset, players: int) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Yield roles that may be dealt to *players*, with the texts of those that are brought."""
    texts = library()
    packs: list[tuple[str, ...]] = [()]
    if hunter := next((role for role in rules.optional if rules.roles[role].side == rules.evil), ""):
        packs = [(hunter,) * count for count in range(1, max(2, players // 3 + 1))]
    for pack in packs:
        for helpers in ((), *HELPERS):
            special = tuple(map(rules.called, helpers))
            brought = tuple(texts[role] for role in special if role not in rules.roles)
            if len(pack) + len(special) < players and not _asked_twice(rules, special):
                yield (*pack, *special), brought


def _asked_twice(rules: Ruleset, roles: tuple[str, ...]) -> bool:
    """Return whether *roles* can't be asked for: the deck has them anyway."""
    return any(role in rules.roles and role not in rules.optional for role in roles)


def as_setup(found: Odds, title: str, rules: Ruleset) -> str:
    """Return the file of a setup with the roles of *found*."""
    counts: Mapping[str, int] = {role: found.roles.count(role) for role in dict.fromkeys(found.roles)}
    roles = "".join(f"{role} = {count}\n" for role, count in counts.items())
    return f'title = "{title}"\nruleset = "{rules.name}"\nplayers = {found.players}\n\n[roles]\n{roles}'
