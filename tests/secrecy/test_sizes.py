"""No letter's size tells what its reader holds or has written, not at the bounds of the classes of size either."""

from __future__ import annotations

from itertools import count

import pytest

from nomicwolf.contest import Command
from nomicwolf.letters.letter import Outgoing
from nomicwolf.reports.layout import CLASS, one_class
from tests.secrecy.worlds import DECKS, NAMES, START, World, Written, traffic

HOUR = 3600


def sizes(world: World, sent: list[Outgoing], kind: str) -> set[int]:
    """Of how many bytes the letters of a *kind*, by a word of theirs, are as they go out: as if to one address."""
    found = [x for x in sent if kind in x.body]
    assert found
    sizes_of = {x: traffic(world, [x])[0][4] for x in found}
    return {size - len(x.to) for x, size in sizes_of.items() if isinstance(size, int)}


@pytest.mark.parametrize("question", ["history", "help\nhistory"])
@pytest.mark.parametrize("rules", ["nomic-crossing with Lovers", "gadianton", "tabula", "narrated-mafia"])
def test_an_answer_has_room_for_what_anyone_could_be_told_to_do(rules: str, question: str) -> None:
    """By night all ask for the record, which grows by a line each time: the same size for all at each length."""
    deal = tuple(zip(NAMES, DECKS[rules], strict=False))
    world = World(rules, deal)
    at, seen = START, set()
    for hour in count(1):
        at += HOUR
        world.order(Command("ruling", {"text": "Nothing follows.", "authority": "CFJ 1"}), at)
        asked = [Written(at + n, who, "contestmaster", question) for n, (who, _) in enumerate(deal)]
        sent = [x for x in world.poll(at + 60, asked)[0] if x.auto == "auto-replied"]
        assert {x.person for x in sent} == {who for who, _ in deal}
        assert len(sizes(world, sent, "the record")) == 1, f"after {hour} hours"
        seen |= {len(x.body.encode()) for x in sent}
        if len(seen) > 1:
            break
    assert seen == {CLASS[1], 2 * CLASS[1]}


@pytest.mark.parametrize(("words", "short", "long", "room"), [
    (("a" * 35 + "\n") * 105, "b\n", "b\n" * 19, (20, 60)),
    (("a" * 77 + "\n") * 48, "b\n", ("b" * 70 + "\n") * 6, (20, 500)),
])
def test_neither_lines_nor_bytes_of_what_is_open_to_one_show(
    words: str, short: str, long: str, room: tuple[int, int]
) -> None:
    """The class of size is that of the longest part that there is room for, in lines and in bytes."""
    found = [one_class([words + part], [part], room)[0] for part in (short, long)]
    assert len({(x.count("\n"), len(x)) for x in found}) == 1


def test_what_is_to_be_confirmed_does_not_show_in_the_size_of_the_letter_that_asks() -> None:
    """Asked at once, by night: a letter as long as the deed would tell which one it is, and with it a role."""
    world = World("nomic-crossing", tuple(zip(NAMES, DECKS["nomic-crossing"], strict=False)), strict=True)
    world.strict = False  # they write to the contest's address, not to that of their own letters
    deeds = ("see Bex", "attack D. Margaux", "poison 天火狐\n\nheal nobody", "pass")
    sent = [x for n, words in enumerate(deeds)
            for x in world.poll(START + (n + 1) * HOUR, [Written(START + n * HOUR, "Ash", "contestmaster", words)])[0]]

    assert sum("confirm " in x.body for x in sent) == len(deeds)
    assert len(sizes(world, sent, "confirm ")) == 1


def test_a_change_of_address_looks_like_an_answer() -> None:
    """The letters that ask for its two confirmations are of the size of all that are private."""
    world = World("nomic-crossing", tuple(zip(NAMES, DECKS["nomic-crossing"], strict=False)))
    sent = world.poll(START + HOUR, [Written(START, "Ash", "contestmaster", "address: ash@elsewhere.example"),
                                     Written(START + 1, "Bex", "contestmaster", "help")])[0]

    assert {x.to for x in sent if '"confirm ' in x.body} == {*world.addresses["Ash"], "ash@elsewhere.example"}
    assert len({len(x.body.encode()) for x in sent}) == 1
    assert all(x.even for x in sent)
