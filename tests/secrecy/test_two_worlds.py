"""Two worlds: what differs in secrets alone is the same for everyone who may not know them, in all five rule sets."""

from __future__ import annotations

import os
import random
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nomicwolf.nomic.delivery import USUAL
from nomicwolf.reports.setups import fitting_rulesets
from nomicwolf.reports.views import PrivateEntries
from nomicwolf.village.events import Chose, Told
from nomicwolf.village.rulesets import BUILT_IN, library
from tests.secrecy.worlds import DECKS, LIBRARY, NAMES, START, STEP, World, lawful, traffic
from tests.tables import each

pytestmark = pytest.mark.slow

EXAMPLES = int(os.environ.get("NOMICWOLF_EXAMPLES", "1"))
POLLS = 15
UNLIKE = {"innocent-child", "doublevoter", "voteless"}
"""Roles of the library whose holders all are told: two worlds that deal them to others are lawfully different."""


@dataclass
class Pair:
    """Two worlds, how many *polls* were the same, and what tells them *apart* that mustn't: what, in one, in other.

    *parted* are those who, after some poll, had not been told the same in both.
    """

    one: World
    other: World
    polls: int = 0
    apart: list[tuple[str, object, object]] = field(default_factory=list)
    parted: set[str] = field(default_factory=set)

    def compare(self, what: str, mine: object, yours: object) -> None:
        """Note *what* differs."""
        if mine != yours:
            self.apart.append((what, mine, yours))


def by_lot(rules: str, chance: random.Random) -> tuple[str, ...]:
    """Return the first deck of a rule set (``tabula by lot``) with roles of the library in place of plain ones."""
    name = rules.partition(" ")[0]
    deck = DECKS[name]
    fitting = [role for role, text in library().items()
               if role not in UNLIKE and fitting_rulesets(text, f"{role}.toml", name)[0]]
    return (*deck[:-4], *chance.sample(fitting, chance.randint(1, 4)), *deck[-4:])


def pair(rules: str, seed: int, strict: bool = False, cover: tuple[str, ...] = USUAL) -> Pair:
    """Play two worlds until something tells them apart, lawful or not."""
    chance = random.Random(seed)
    deck = list((DECKS | LIBRARY).get(rules) or by_lot(rules, chance))
    names = chance.sample(NAMES, len(deck))
    deals = [tuple(zip(names, chance.sample(deck, len(deck)), strict=True)) for _ in range(2)]
    one, other = (World(rules, deal, cover, tagged=strict, strict=strict) for deal in deals)
    found = Pair(one, other)
    found.compare("the deal", traffic(one, one.sent), traffic(other, other.sent))
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
            break
        found.compare(f"poll {number}", traffic(one, sent), traffic(other, sent_too))
        _same_for_those_who_know_the_same(found)
        if one.contest.running is None or found.apart:
            break
        found.polls = number + 1
    return found


def _same_for_those_who_know_the_same(pair: Pair) -> None:
    """Whoever holds the same role, wrote the same and was told the same by each poll gets the very same letters."""
    for who, role in pair.one.deal:
        if dict(pair.other.deal)[who] != role or _knows(pair.one, who) != _knows(pair.other, who):
            pair.parted.add(who)
        if who not in pair.parted:
            mine, too = ([(x.subject, x.body, x.at) for x in w.sent if x.person == who] for w in (pair.one, pair.other))
            pair.compare(f"letters to {who}", mine, too)


def _knows(world: World, who: str) -> list[object]:
    kinds = [e.event for e in PrivateEntries(world.contest, who) if not isinstance(e.event, Chose)]
    return [(type(e).__name__, getattr(e, "text", ""), getattr(e, "says", "")) for e in kinds]


@pytest.mark.parametrize("rules", sorted(DECKS | LIBRARY))
@settings(deadline=None, max_examples=EXAMPLES)
@given(seed=st.integers(0, 2**32))
def test_nothing_but_what_is_disclosed_tells_two_worlds_apart(rules: str, seed: int) -> None:
    """Bytes of public letters; recipients, subjects, sizes, ids, numbers and times of all letters."""
    assert pair(rules, seed).apart == []


@pytest.mark.parametrize("rules", [f"{name} by lot" for name in BUILT_IN])
@settings(deadline=None, max_examples=EXAMPLES)
@given(seed=st.integers(0, 2**32))
def test_nor_does_it_with_any_roles_of_the_library(rules: str, seed: int) -> None:
    """Setups that nobody has chosen: up to four roles of the library that the rule set can have, by lot."""
    assert pair(rules, seed).apart == []


@pytest.mark.parametrize("rules", sorted(DECKS))
@settings(deadline=None, max_examples=EXAMPLES)
@given(seed=st.integers(0, 2**32))
def test_without_cover_other_players_learn_no_more(rules: str, seed: int) -> None:
    """D-N48: letters to the forums, their bytes, order, number and times; and each player's own, as far as e knows."""
    assert pair(rules, seed, cover=()).apart == []


@each(("rules", "seed"), [("six-phases with all", 0), ("gadianton", 196)])
def test_what_told_two_worlds_apart_once_does_not_any_more(rules: str, seed: int) -> None:
    """A `resend` had the size of all that a Cop had asked in turn; a Prophet's letters, if e is told later, differ."""
    assert pair(rules, seed).apart == []


@pytest.mark.parametrize("rules", sorted(DECKS))
@settings(deadline=None, max_examples=EXAMPLES)
@given(seed=st.integers(0, 2**32))
def test_nor_where_private_acts_need_a_tagged_answer(rules: str, seed: int) -> None:
    """With reply tags, and a level that only answers to one's own letters reach, all are done, and tell nothing."""
    found = pair(rules, seed, strict=True)
    assert found.apart == []
    assert all(world.contest.law.aside == {} for world in (found.one, found.other))


@each("rules", [name for name in sorted(DECKS | LIBRARY) if "Lovers" not in name])
def test_the_worlds_go_far_enough(rules: str) -> None:
    """Nights are played through in which people are told secrets; the comparison isn't of empty worlds.

    With Lovers the setting up ends with Cupid's letter, which tells when e wrote (docs/secrecy.md).
    """
    reached = pair(rules, 0)

    assert reached.polls >= 3
    assert any(isinstance(e.event, Told) for e in reached.one.contest.entries)
