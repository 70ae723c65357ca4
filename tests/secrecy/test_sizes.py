"""No letter's size tells what its reader holds or has written, not at the bounds of the classes of size either."""

from __future__ import annotations

from dataclasses import replace
from email import message_from_bytes
from email.policy import default
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nomicwolf.contest import Command
from nomicwolf.letters.compose import Envelope, compose
from nomicwolf.letters.letter import Outgoing
from nomicwolf.nomic.delivery import USUAL
from nomicwolf.nomic.duties import deeds_owed
from nomicwolf.reports.layout import SIZE_STEP, octets, size_class
from nomicwolf.reports.letter_sections import due_lines, duties_text
from nomicwolf.reports.owed_letters import room_for_duties
from nomicwolf.reports.prose import Prose
from nomicwolf.reports.sections import Note
from nomicwolf.reports.views import player_view, public_view
from nomicwolf.village.rulesets import ruleset
from tests.contest import world as contests
from tests.contest.world import SEVEN
from tests.secrecy.worlds import DECKS, NAMES, START, STEP, World, Written, traffic
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


ROLES = "Ash=mafioso,Bex=mafioso,Cam=cop,Dov=townie,Eli=townie,Fay=townie,Gus=townie"
LONG = "天火狐月影山風花雪竹林海星辰雲霧雷電春秋"


def orders(secret: bytes) -> list[tuple[str, ...]]:
    """Return in which orders the players' letters went out: at the start, when the night came, and at its slots."""
    found = contests.World(replace(contests.setup(cover=USUAL), ruleset="six-phases", secret=secret))
    for player in SEVEN:
        found.write(player, "I join.")
    seen = []
    for hour in (0, 25, 97, 103):
        if hour:
            found.tick(hour)
        else:
            found.command("start", roles=ROLES, seed="7", limit="agora=35")
        seen.append(tuple(x.person for x in found.letters if x.kind == "private" and x.person != "Murphy"))
    return [order for order in seen if order]


def test_only_the_contests_key_tells_the_order() -> None:
    """D-N48: it is another one for each batch and each contest, and not that of the seats."""
    mine, other = orders(b"k" * 32), orders(b"l" * 32)
    assert len(mine) == len(other) >= 3
    assert {tuple(sorted(order)) for order in (*mine, *other)} == {SEVEN}
    assert mine == orders(b"k" * 32)
    assert len({*mine, *other, SEVEN}) == len(mine) + len(other) + 1


@each("rules", sorted(DECKS))
def test_there_is_room_for_whatever_can_be_open_to_anyone(rules: str) -> None:
    """D-N48: what a player may do, and by when, is never longer than what all letters leave room for."""
    name, deck = rules.partition(" ")[0], DECKS[rules]
    names = [f"{who} {LONG}"[:24] for who in NAMES[:len(deck)]]
    world, seen = World(rules, tuple(zip(names, deck, strict=True))), set()
    for number in range(8):
        world.poll(START + number * STEP, [])
        contest = world.contest
        public = public_view(contest, contest)
        size = room_for_duties(public)
        for who in names:
            note = Note(player_view(contest, who, public, deeds_owed(contest)), (), Prose().of(ruleset(name)))
            text = duties_text(note, ()) + due_lines(note.view, world.polled)
            seen.add(text)
            assert octets(text) <= size, text
    assert seen


def test_whoever_has_news_gets_the_letter_that_all_get() -> None:
    """D-N48: it begins as everyone's does, and tells what is new besides; who hears nothing is told that."""
    found = contests.World(replace(contests.setup(cover=USUAL), ruleset="six-phases"))
    for player in SEVEN:
        found.write(player, "I join.")
    found.command("start", roles=ROLES, seed="7", limit="agora=35")
    found.tick(24.75)
    found.write("Bex", "attack Fay", "contestmaster", at=25)
    found.tick(26.5)
    for who, news in (("Bex", True), ("Dov", False)):
        body = " ".join(found.to(who).split())
        assert "Everyone gets a letter now, and this is yours." in body
        assert ("This is new for you:" in body, "There is nothing new for you." in body) == (news, not news)


def test_the_letters_of_a_start_go_to_those_who_play_now() -> None:
    """D-N48: who played in the session before, and plays no more, hears nothing of this one."""
    found = contests.World(contests.setup(cover=USUAL)).start()
    assert found.command("end", at=1, why="by clause 1f").status == 0
    found.write("Gus", "I leave this contract.", at=2)
    found.write("Hal", "I join.", at=2)
    assert found.command("start", at=3, roles="seer", seed="8", limit="agora=35").status == 0
    assert {x.person for x in found.letters if x.kind == "private"} - {"Murphy"} == {*SEVEN, "Hal"} - {"Gus"}
