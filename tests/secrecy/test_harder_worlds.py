"""Two worlds under attack: orders, probes, the dead, outages and acts for the silent change no byte for others."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nomicwolf.archive.files import letters_file, record_file
from nomicwolf.letters.letter import Outgoing
from nomicwolf.nomic.setup import PLAIN, Policy
from nomicwolf.reports.archive import Posted, publish
from nomicwolf.reports.views import PrivateEntries
from nomicwolf.village.events import Chose
from tests.secrecy.scenes import STEPS, probes, public_orders, secret_orders, substitution
from tests.secrecy.worlds import DECKS, NAMES, START, World, heads, lawful, traffic

pytestmark = pytest.mark.slow

EXAMPLES = int(os.environ.get("NOMICWOLF_EXAMPLES", "1"))
NUMBERS = re.compile(r"\b([Ll]etter|explain|answer|held|release|reject)\s+\d+")
HELD = re.compile(r"(?<=Held since the last journal: )[\d, ]+")
SUMS = re.compile(r"Letters heard: [^.]*\.")
"""How many letters came in, and how many entries they made: journals tell it, as docs/secrecy.md says."""
ASKED = re.compile(r" (?:\d+ questions? of (?:a player's waits|players' wait) for your answer "
                   r"\(nomicwolf status lists what waits\)\.|"
                   r"Nothing waits for you\.)")
"""Whether a question still waits, which each contestmaster here answers at eir own time: journals tell it, too."""
WORD = re.compile(r'"confirm [A-Z2-7-]+"')
"""A word that only the contest's key can make, from the number of an entry."""
POLLS = 14 if EXAMPLES > 1 else 8


class Pair:
    """Two contests that are told the same in public, and each its own in secret."""

    def __init__(self, rules: str, seed: int) -> None:
        """Deal the same cards to the same people in two ways."""
        chance = random.Random(f"{seed} pair")
        deck = list(DECKS[rules])
        names = chance.sample(NAMES, len(deck))
        deals = [tuple(zip(names, chance.sample(deck, len(deck)), strict=True)) for _ in range(2)]
        tagged = chance.random() < 0.5
        policy = chance.choice((PLAIN, Policy(("prod", "replace", "act-for"), prod_days=2, extend_if_missing=2)))
        self.worlds = [World(rules, deal, spare=("Zed",), tagged=tagged, absence=policy) for deal in deals]
        self.own = [random.Random(f"{seed} {n}") for n in range(2)]
        self.plain = [who for who, role in deals[0] if dict(deals[1])[who] == role == deck[-1]]
        self.seed, self.now, self.done = seed, START, 0
        self.told: list[list[Outgoing]] = [list(world.sent) for world in self.worlds]
        self.acts: list[str] = []
        self.apart: list[tuple[str, object, object]] = []
        self.same()

    def compare(self, what: str, mine: object, yours: object) -> None:
        """Note *what* differs: in what, in one world, in the other."""
        if mine != yours:
            self.apart.append((f"{what}, poll {self.done}", mine, yours))

    def same(self) -> bool:
        """Whether nobody who may not know can tell the worlds apart by what has left since the last time."""
        one, other = self.worlds
        sent, too = self.told
        self.compare("letters", traffic(one, sent), traffic(other, too))
        self.compare("headers", heads(one, sent), heads(other, too))
        self.compare("the journal", journals(sent), journals(too))
        self.compare("the archive", self.archive(0), self.archive(1))
        for who in one.addresses:
            if knowledge(one, who) == knowledge(other, who):
                mine, yours = (
                    [(x.subject, WORD.sub("", x.body), x.at) for x in letters if x.person == who]
                    for letters in self.told)
                self.compare(f"letters to {who}", mine, yours)
        return not self.apart

    def archive(self, number: int) -> tuple[bytes, bytes]:
        """Return what one world's archive tells."""
        world = self.worlds[number]
        posted = [Posted(x, f"<{n}@x.example>") for n, x in enumerate(self.told[number]) if x.kind == "public"]
        published = publish(world.contest, posted)
        return record_file(published), letters_file(published)

    def go_on(self) -> bool:
        """Play until the next poll; False if something lawful, a refusal or a leak tells the worlds apart."""
        plan = random.Random(f"{self.seed} {self.done} plan")
        since = self.now
        self.now = at = since + plan.choice(STEPS)
        lazy = 0.0 if plan.random() < 0.4 else 0.3
        one = self.worlds[0]
        common = [*one.public(random.Random(f"{self.seed} {self.done}"), since, at - 700, self.plain),
                  *probes(one, random.Random(f"{self.seed} {self.done} probes"), since, at - 700)]
        self.told, found = [], []
        for world, mine in zip(self.worlds, self.own, strict=True):
            world.lazy = lazy
            prey = random.Random(f"{self.seed} {self.done} prey")
            sent, entries = world.poll(at, [*common, *world.private(mine, prey, since, at - 700)])
            self.told.append(list(sent))
            found.append(lawful(entries))
        if found[0] != found[1]:
            return False
        if not self.same():
            return False
        self.done += 1
        return self.orders(plan)

    def orders(self, plan: random.Random) -> bool:
        """Give orders to both worlds; False if one obeys what the other refuses, or something lawful follows."""
        one = self.worlds[0]
        common = [*public_orders(one, plan, self.now), *substitution(one, plan, self.plain)]
        for command in common:
            done = [world.order(command, self.now) for world in self.worlds]
            self.told = [list(outcome.letters) for outcome in done]
            if done[0].status != done[1].status or lawful(done[0].entries) != lawful(done[1].entries):
                return False
            self.acts += [command.name] * (not done[0].status)
            if not self.same():
                return False
        self.told = [[], []]
        found: list[list[object]] = [[], []]
        for n, (world, own) in enumerate(zip(self.worlds, self.own, strict=True)):
            for command in secret_orders(world, own):
                outcome = world.order(command, self.now)
                self.acts += [command.name] * (not outcome.status)
                self.told[n] += outcome.letters
                found[n] += lawful(outcome.entries)
        if found[0] != found[1]:
            return False
        return self.same() and all(world.contest.running for world in self.worlds)


def journals(sent: Sequence[Outgoing]) -> list[str]:
    """Return what the contestmaster's journals in the clear say, without numbers and sums of the record's entries."""
    said = (" ".join(letter.body.partition("\n--\n")[0].split()) for letter in sent if letter.person == "Murphy")
    said = (HELD.sub(lambda found: re.sub(r"\d+", "N", found[0]), body) for body in said)
    return [ASKED.sub("", SUMS.sub("", NUMBERS.sub(r"\1 N", body))) for body in said]


def knowledge(world: World, who: str) -> list[object]:
    """Return what *who* holds, was told, wrote and was asked in this session, as e knows it."""
    game = world.contest.game
    role = game.roles.get(who, "") if game is not None else ""
    kinds = [(e.at, e.event) for e in PrivateEntries(world.contest, who) if not isinstance(e.event, Chose)]
    return [role, *((at, type(e).__name__, getattr(e, "instant", 0), getattr(e, "text", ""), getattr(e, "says", ""),
                     getattr(e, "why", "")) for at, e in kinds)]


def played(rules: str, seed: int, polls: int = POLLS) -> Pair:
    """Play two worlds until something tells them apart, for so many *polls* at most."""
    pair = Pair(rules, seed)
    while not pair.apart and pair.done < polls and pair.go_on():
        pass
    return pair


@pytest.mark.parametrize("rules", sorted(DECKS))
@settings(deadline=None, max_examples=EXAMPLES)
@given(seed=st.integers(0, 2**32))
def test_no_order_probe_or_outage_tells_a_secret(rules: str, seed: int) -> None:
    """Bytes of public letters and of the archive; headers, sizes, numbers and times of all; private words, too."""
    assert played(rules, seed).apart == []


def test_the_worlds_go_far_enough() -> None:
    """The comparison isn't of empty worlds: orders were obeyed, public ones and secret ones, and nights went by.

    Which orders a world is given hangs on its seed, and on which orders there are: of some worlds one has each kind.
    """
    polls, acts, enough = 0, set[str](), False
    for seed in (2, 0, 1, 3, 4, 5):
        pair = played("six-phases", seed)
        polls, acts = polls + pair.done, acts | {*pair.acts}
        enough = polls >= 8 and bool(acts & {"undo", "answer"} and acts & {"resume", "substitute", "ruling"})
        if enough:
            break
    assert enough, f"in six worlds and {polls} polls nothing but {acts}"


def test_what_follows_a_slot_in_one_step_moves_no_later_slot() -> None:
    """A poll that is late strikes a slot and hears more: the next slot is the same whether it heard anything."""
    assert played("tabula", 2, 7).done > 5
