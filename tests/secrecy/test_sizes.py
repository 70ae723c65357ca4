"""No letter's size tells what its reader holds or has written, not at the bounds of the classes of size either."""

from __future__ import annotations

from email import message_from_bytes
from email.policy import default
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nomicwolf.contest import Command
from nomicwolf.letters.compose import Envelope, compose
from nomicwolf.letters.letter import Outgoing
from nomicwolf.reports.layout import SIZE_STEP, size_class
from tests.secrecy.worlds import DECKS, NAMES, START, World, Written, traffic
from tests.tables import each

HOUR = 3600


def sizes(world: World, sent: list[Outgoing], kind: str) -> set[int]:
    """Of how many bytes the letters of a *kind*, by a word of theirs, are as they go out: as if to one address."""
    found = [x for x in sent if kind in x.body]
    assert found
    sizes_of = {x: traffic(world, [x])[0][4] for x in found}
    return {size - len(x.to) for x, size in sizes_of.items() if isinstance(size, int)}


@pytest.mark.parametrize("question", ["history", "help\nhistory"])
@each("rules", ["nomic-crossing with Lovers", "gadianton", "tabula", "narrated-mafia"])
def test_an_answer_has_room_for_what_anyone_could_be_told_to_do(rules: str, question: str) -> None:
    """By night all ask for the record, which grows by a line each time: the same size for all at each length.

    Their names, which are no secret and stand in their letters, are of one length here.
    """
    deal = tuple(zip((who for who in NAMES if len(who.encode()) == 3), DECKS[rules], strict=False))
    assert len(deal) == len(DECKS[rules])
    world = World(rules, deal)
    at, seen = START, set()
    for hour in count(1):
        at += HOUR
        world.order(Command("ruling", {"text": "Nothing follows.", "authority": "CFJ 1"}), at)
        asked = [Written(at + n, who, "contestmaster", question) for n, (who, _) in enumerate(deal)]
        sent = [x for x in world.poll(at + 60, asked)[0] if x.auto == "auto-replied"]
        assert {x.person for x in sent} == {who for who, _ in deal}
        assert len(sizes(world, sent, "the record")) == 1, f"after {hour} hours"
        seen |= {x.room for x in sent}
        if len(seen) > 1:
            break
    assert seen == {SIZE_STEP, 2 * SIZE_STEP}


@each(("words", "short", "long", "room"), [
    (("a" * 35 + "\n") * 110, "b\n", "b\n" * 19, 60),
    (("a" * 77 + "\n") * 48, "b\n", ("b" * 70 + "\n") * 6, 500),
])
def test_what_is_open_to_one_does_not_show(words: str, short: str, long: str, room: int) -> None:
    """The class of size has room for the longest part, line ends and all, whether there is one or not."""
    assert size_class([words + short]) < size_class([words + long])
    assert size_class([words], [words], room) == size_class([words + long], [words], room) == 2 * SIZE_STEP


@settings(deadline=None, max_examples=200)
@given(st.lists(st.text("ab é天.\n ", max_size=600), min_size=2, max_size=4), st.sampled_from((1, 4096, 8192)))
def test_letters_with_one_room_have_one_size(bodies: list[str], room: int) -> None:
    """What is said stands whole in the first part; the other one fills up to the same size, and is put away."""
    envelope = Envelope("Wolf", "wolf@w.example", "two", b"k" * 32, {})
    texts = [f"{body}\n" for body in bodies]
    room = max(room, size_class(texts))
    seen = set()
    for number, text in enumerate(texts):
        data = compose(Outgoing(f"e{number}", "private", "Wolf", text, 0, to="ash@p.example", even=True, room=room),
                       envelope)
        first, padding = message_from_bytes(data, policy=default).iter_parts()
        seen.add(len(data))
        assert first.get_content().splitlines() == text.splitlines()
        assert padding.is_attachment()
    assert len(seen) == 1


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
    assert len({x.room for x in sent}) == 1
    assert all(x.room for x in sent)
