"""Rule sets with more roles than they came with, from another package or a test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from nomicwolf.village.events import Drawn
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.lots import draw
from nomicwolf.village.rules import Dealt, Refusal, Role


def with_role(ruleset: Ruleset, role: Role) -> Ruleset:
    """Return *ruleset* with one more role that may be asked for, as often as it is named.

    It is dealt by lot among those who would hold the *plain* role otherwise, after all others. Raises `ValueError` if
    there is a role of that name, or no plain role to deal it in place of.
    """
    if role.name in ruleset.roles or not ruleset.plain:
        raise ValueError(f"{ruleset.name} can't have another role called {role.name}: give it a name of its own")

    def deal(names: Sequence[str], chosen: Sequence[str], seed: str, switches: Mapping[str, str]) -> Dealt:
        wanted = list(chosen).count(role.name)
        dealt, drawn = ruleset.deal(names, tuple(r for r in chosen if r != role.name), seed, switches)
        if not wanted:
            return dealt, drawn
        free = tuple(sorted(who for who, held in dealt if held == ruleset.plain))
        if wanted > len(free):
            raise Refusal(f"Only {len(free)} players are left without a role, and {wanted} {role.name} wanted.")
        holders = draw(seed, role.name, free, wanted)
        changed = tuple((who, role.name if who in holders else held) for who, held in dealt)
        return changed, (*drawn, Drawn(role.name, free, holders))

    return replace(
        ruleset, roles={**ruleset.roles, role.name: role}, optional=(*ruleset.optional, role.name), deal=deal)
