"""Two worlds: what differs in secrets alone is the same for everyone who may not know them, in all five rule sets."""

from __future__ import annotations

import os
import random
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nomicwolf.archive.files import letters_file, record_file
from nomicwolf.letters.letter import Outgoing
from nomicwolf.nomic.delivery import USUAL
from nomicwolf.reports.archive import Posted, Wrote, pages, publish
from nomicwolf.reports.setups import fitting_rulesets
from nomicwolf.reports.views import PrivateEntries
from nomicwolf.village.events import Chose, Told
from nomicwolf.village.rulesets import BUILT_IN, library
from tests.contest.world import World as Contest
from tests.secrecy.worlds import DECKS, LIBRARY, NAMES, START, STEP, World, lawful, traffic
from tests.tables import each

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
    more = chance.sample(fitting, chance.randint(1, 4))
    more += [role for role in more if chance.random() < 0.5][:len(NAMES) - len(deck) - len(more)]
    return (*deck[:-4], *more, *deck[-4:])


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


@pytest.mark.slow
@pytest.mark.parametrize("rules", [f"{name} by lot" for name in BUILT_IN])
@settings(deadline=None, max_examples=EXAMPLES)
@given(seed=st.integers(0, 2**32))
def test_nor_does_it_with_any_roles_of_the_library(rules: str, seed: int) -> None:
    """Setups that nobody has chosen: up to four roles of the library, which one or two hold, by lot."""
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


def answered(other: str, probe: str) -> str:
    """What Fay is told for *probe* in the night, if Ash has written *other* in private before."""
    world = Contest()
    world.start()
    world.write("Ash", other, to="contestmaster", at=1)
    world.write("Fay", probe, to="contestmaster", at=2, headers="In-Reply-To: <letter@wolf.example>\r\n")
    world.tick(at=30)
    return "\n".join(x.body for x in world.sent if x.person == "Fay")


@pytest.mark.parametrize("probe", [
    "> see Gus", "see Gus", "Someone wrote:\n\n> see Gus",
    "see Gus\n\nattack Bex\n\nsee Gus\n\nattack Bex\n\nsee Gus\n\nattack Bex\n\nsee Gus\n\nattack Bex",
])
def test_the_words_of_another_are_not_known(probe: str) -> None:
    """What another has written in private in the same words makes no quotation of them."""
    assert answered("see Gus\n\nattack Bex", probe) == answered("see Dov\n\nattack Eli", probe)


ARCHIVED = 6


def archive(world: World, sent: list[Outgoing]) -> dict[str, bytes]:
    """Every file of the archive after all that has left; each letter of a forum's has words."""
    public = [Posted(x, f"<{n}@x.example>") for n, x in enumerate(x for x in sent if x.kind == "public")]
    heard = (number for number, letter in world.contest.letters.items() if letter.channel in world.contest.setup.nomics)
    words = {number: Wrote("who is it?", f"letter {place} to the forums") for place, number in enumerate(heard)}
    given = publish(world.contest, public, "https://wolf.example/", words)
    return {**{page.path: page.make() for page in pages(given)}, "record": record_file(given),
            "letters": letters_file(given)}


@pytest.mark.parametrize("cover", [(), USUAL], ids=["default", "strict"])
@pytest.mark.parametrize("rules", [name for name in sorted(DECKS) if "Lovers" not in name and "two" not in name])
def test_no_page_tells_two_worlds_apart(rules: str, cover: tuple[str, ...]) -> None:
    """NC 6: front page, calendar, state, search, players, statistics and pictures are made of public facts alone."""
    chance = random.Random(f"pages of {rules}")
    deck = list(DECKS[rules])
    names = chance.sample(NAMES, len(deck))
    deals = [tuple(zip(names, chance.sample(deck, len(deck)), strict=True)) for _ in range(2)]
    worlds = [World(rules, deal, cover) for deal in deals]
    sent = [list(world.sent) for world in worlds]
    own = [random.Random(f"{rules} {name}") for name in ("one", "other")]
    plain = [who for who, role in deals[0] if dict(deals[1])[who] == role == deck[-1]]
    compared = 0
    for number in range(ARCHIVED):
        since, at = START + number * STEP, START + (number + 1) * STEP
        same = list(worlds[0].public(random.Random(f"{rules} {number} public"), since, at - 700, plain))
        told = []
        for place, world in enumerate(worlds):
            plan = random.Random(f"{rules} {number} plan")
            left, entries = world.poll(at, [*same, *world.private(own[place], plan, since, at - 700)])
            sent[place] += left
            told.append(lawful(entries))
        if told[0] != told[1]:
            break
        one, other = (archive(world, letters) for world, letters in zip(worlds, sent, strict=True))
        assert {path for path in {*one, *other} if one.get(path) != other.get(path)} == set()
        assert {"index.html", "search.html", "calendar.ics", "state.json", "statistics.html"} < one.keys()
        compared += 1
    assert compared >= 2
