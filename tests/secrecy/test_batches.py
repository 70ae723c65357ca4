"""The letters of a batch: in an order that nobody can tell, to the town as everyone knows it, with room for all."""

from __future__ import annotations

from dataclasses import replace

from nomicwolf.nomic.delivery import USUAL
from nomicwolf.nomic.duties import deeds_owed
from nomicwolf.reports.layout import octets
from nomicwolf.reports.owed_letters import room_for_duties
from nomicwolf.reports.private_sections import due_lines, duties_text
from nomicwolf.reports.prose import Prose
from nomicwolf.reports.sections import Note
from nomicwolf.reports.views import player_view, public_view
from nomicwolf.village.rulesets import ruleset
from tests.contest import world as contests
from tests.contest.world import SEVEN
from tests.secrecy.worlds import DECKS, NAMES, START, STEP, World
from tests.tables import each

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
            text = duties_text(note) + due_lines(note.view, world.polled)
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
