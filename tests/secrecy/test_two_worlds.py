"""Two worlds: what differs in secrets alone is the same for everyone who may not know them, in all five rule sets."""

from __future__ import annotations

import os
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nomicwolf.reports.own import Own
from nomicwolf.village.events import Chose, Told
from tests.secrecy.worlds import DECKS, NAMES, START, STEP, World, lawful, traffic

EXAMPLES = int(os.environ.get("NOMICWOLF_EXAMPLES", "1"))
POLLS = 15


def pair(rules: str, seed: int, strict: bool = False) -> tuple[World, World, int]:
    """Play two worlds until something lawful tells them apart; return them and how many polls were the same."""
    chance = random.Random(seed)
    deck = list(DECKS[rules])
    names = chance.sample(NAMES, len(deck))
    deals = [tuple(zip(names, chance.sample(deck, len(deck)), strict=True)) for _ in range(2)]
    one, other = (World(rules, deal, tagged=strict, strict=strict) for deal in deals)
    assert traffic(one, one.sent) == traffic(other, other.sent)
    own = [random.Random(f"{seed} one"), random.Random(f"{seed} other")]
    plain = [who for who, role in deals[0] if dict(deals[1])[who] == role == deck[-1]]
    for number in range(POLLS):
        since, at = START + number * STEP, START + (number + 1) * STEP
        same = list(one.public(random.Random(f"{seed} {number} public"), since, at - 700, plain))
        got = []
        for world, mine in zip((one, other), own, strict=True):
            plan = random.Random(f"{seed} {number} plan")
            got.append(world.poll(at, [*same, *world.private(mine, plan, since, at - 700)]))
        (sent, entries), (sent_too, entries_too) = got
        if lawful(entries) != lawful(entries_too):
            return one, other, number
        assert traffic(one, sent) == traffic(other, sent_too), f"poll {number} of seed {seed}"
        _same_for_those_who_know_the_same(one, other)
        if one.contest.running is None:
            return one, other, number
    return one, other, POLLS


def _same_for_those_who_know_the_same(one: World, other: World) -> None:
    """Whoever holds the same role, wrote the same and was told the same gets the very same letters."""
    for who, role in one.deal:
        if dict(other.deal)[who] == role and _knows(one, who) == _knows(other, who):
            mine, too = ([(x.subject, x.body, x.at) for x in w.sent if x.person == who] for w in (one, other))
            assert mine == too


def _knows(world: World, who: str) -> list[object]:
    kinds = [e.event for e in Own(world.contest, who) if not isinstance(e.event, Chose)]
    return [(type(e).__name__, getattr(e, "text", ""), getattr(e, "says", "")) for e in kinds]


@pytest.mark.parametrize("rules", sorted(DECKS))
@settings(deadline=None, max_examples=EXAMPLES)
@given(seed=st.integers(0, 2**32))
def test_nothing_but_what_is_disclosed_tells_two_worlds_apart(rules: str, seed: int) -> None:
    """Bytes of public letters; recipients, subjects, sizes, ids, numbers and times of all letters."""
    pair(rules, seed)


@pytest.mark.parametrize("rules", sorted(DECKS))
@settings(deadline=None, max_examples=EXAMPLES)
@given(seed=st.integers(0, 2**32))
def test_nor_where_private_acts_need_a_tagged_answer(rules: str, seed: int) -> None:
    """With reply tags, and a level that only answers to one's own letters reach, all are done, and tell nothing."""
    one, other, _ = pair(rules, seed, strict=True)
    assert all(world.contest.law.aside == {} for world in (one, other))


@pytest.mark.parametrize("rules", [name for name in sorted(DECKS) if "Lovers" not in name])
def test_the_worlds_go_far_enough(rules: str) -> None:
    """Nights are played through in which people are told secrets; the comparison isn't of empty worlds.

    With Lovers the setting up ends with Cupid's letter, which tells when e wrote (docs/secrecy.md).
    """
    reached = [pair(rules, seed) for seed in range(1)]

    assert max(number for _, _, number in reached) >= 3
    assert any(isinstance(e.event, Told) for one, _, _ in reached for e in one.contest.entries)
