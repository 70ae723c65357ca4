"""The archive in two worlds: after each poll every byte of it is the same, with cover and without, in all rule sets."""

from __future__ import annotations

import random

import pytest

from nomicwolf.archive.files import letters_file, record_file
from nomicwolf.letters.letter import Outgoing
from nomicwolf.nomic.delivery import USUAL
from nomicwolf.reports.archive import Posted, Wrote, pages, publish
from tests.secrecy.worlds import DECKS, NAMES, START, STEP, World, lawful

pytestmark = pytest.mark.slow

POLLS = 6


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
    for number in range(POLLS):
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
