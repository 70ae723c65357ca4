"""The officers' recipe finds what the program draws, whatever the seed and whoever plays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from nomicwolf.village.lots import commitment
from nomicwolf.village.rulesets.nomic_crossing import OPTIONAL, deal
from tests.docs.pages import blocks

SEEDS = st.binary(min_size=32, max_size=32).map(bytes.hex)
NAMES = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1)
TOWNS = st.lists(NAMES, min_size=5, max_size=16, unique=True)


def recipe() -> dict[str, Callable[..., Any]]:
    """Return the functions that the page defines."""
    (block,) = (b for b in blocks("docs/officers.md") if b.kind == "python")
    names: dict[str, Callable[..., Any]] = {}
    exec(block.text, names)
    return names


RECIPE = recipe()


@given(seed=SEEDS, town=TOWNS, roles=st.sets(st.sampled_from(OPTIONAL)))
def test_the_recipe_deals_as_the_program_does(seed: str, town: list[str], roles: set[str]) -> None:
    """NC 2b, 2c: the same werewolves, the same holders of roles."""
    if len(town) < 5 + len(roles):
        roles = set()
    dealt, _ = deal(town, tuple(roles), seed, {})
    found = RECIPE["deal"](seed, town, roles)

    for role, holders in found.items():
        assert set(holders) == {who for who, mine in dealt if mine == {"werewolves": "werewolf"}.get(role, role)}
    assert set(found) == {"werewolves", *roles}


@given(seed=SEEDS, session=st.integers(1, 99))
def test_the_recipe_binds_as_the_program_does(seed: str, session: int) -> None:
    """The commitment that the announcement prints."""
    assert RECIPE["commitment"]("crossing", session, seed) == commitment("crossing", session, seed)
