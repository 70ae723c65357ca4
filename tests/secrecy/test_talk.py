"""Words for fellows, and what is told again: the same letters go out, whoever has written, and whatever e holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from nomicwolf.archive.replay import redo
from nomicwolf.cli.app import order_of
from nomicwolf.rehearsal import Played, read_script, rehearse
from nomicwolf.reports.archive import publish
from nomicwolf.village.events import Voted
from tests.archive.stories import posted
from tests.secrecy.worlds import DECKS, START, World, Written, traffic
from tests.tables import each

HOUR = 3600
PEOPLE = ("Ash", "Bex", "Cam", "Dov", "Eli", "Fay", "Gus", "Hal", "Ida", "Jon", "Kim", "Lee", "Max", "Ned", "Oda",
          "Pip", "Quo")
TALK = [
    ("nomic-crossing with Lovers", "pack", "werewolf"), ("tabula with all", "pack", "werewolf"),
    ("tabula with all", "masons", "freemason"), ("gadianton with two Prophets", "pack", "gadianton"),
    ("gadianton with two Prophets", "prophets", "prophet"), ("six-phases with all", "pack", "mafioso"),
    ("narrated-mafia with all", "masons", "mason"), ("narrated-mafia with all", "policemen", "policeman"),
    ("narrated-mafia with all", "pack", "mafioso"), ("tabula with all", "spirits", "medium"),
]


def dealt(rules: str, role: str, *, first: bool) -> World:
    """A world in which the first of its people holds *role*, or the last kind of its deck in its place."""
    deck = list(DECKS[rules])
    deck.remove(role)
    plain = deck.pop()
    roles = [role, plain, *deck] if first else [plain, role, *deck]
    return World(rules, tuple(zip(PEOPLE, roles, strict=False)))


def heard(world: World, words: str, since: int) -> list[object]:
    """What leaves with the poll that hears the first of its people say something in private, and with the next one."""
    said = [Written(since + 60, "Ash", "contestmaster", words)]
    return [traffic(world, world.poll(at, letters)[0])
            for at, letters in ((since + HOUR, said), (since + 12 * HOUR, []))]


@each(("rules", "group", "role"), TALK)
def test_who_says_something_to_a_group_by_its_first_phase_may_be_of_it_or_not(
    rules: str, group: str, role: str
) -> None:
    """By day or by night, whichever comes first: as many letters, to the same people, of the same sizes."""
    one, other = (dealt(rules, role, first=first) for first in (True, False))
    for world in (one, other):
        world.poll(START + HOUR, [])
    assert one.contest.running is not None

    assert heard(one, f"say {group}: Well?", START + 2 * HOUR) == heard(other, f"say {group}: Well?", START + 2 * HOUR)


@pytest.mark.parametrize(("group", "words"), [("lovers", "say lovers: Well?"), ("pack", "say pack: Well?")])
def test_by_day_words_for_fellows_look_like_those_of_one_who_has_none(group: str, words: str) -> None:
    """Everyone gets a letter with a Lover's or a werewolf's words by day, and with anyone else's who tries that."""
    deal = tuple(zip(PEOPLE, DECKS["nomic-crossing with Lovers"], strict=False))
    seats = {"Ash": "Gus", "Gus": "Ash"} if group == "pack" else {}
    swapped = tuple((seats.get(who, who), role) for who, role in deal)
    found = []
    other = "match Gus and Hal" if group == "lovers" else "match Ash and Hal"
    for roles, match in ((deal, "match Ash and Hal"), (swapped, other)):
        world = World("nomic-crossing with Lovers", roles)
        world.poll(START + 2 * HOUR, [Written(START + HOUR, "Eli", "contestmaster", match)])
        assert world.contest.running is not None
        assert world.contest.running.place == "day 1"
        found.append(heard(world, words, START + 3 * HOUR))

    assert found[0] == found[1]
    assert len(found[0][0]) >= len(deal)  # type: ignore[arg-type]


@each(("rules", "group", "role"), TALK)
def test_what_is_told_again_has_a_size_that_tells_nothing(rules: str, group: str, role: str) -> None:
    """Whether its reader holds a role or none, and was told much or nothing."""
    found = []
    for first in (True, False):
        world = dealt(rules, role, first=first)
        talk = [Written(START + HOUR + n, "Ash", "contestmaster", f"say {group}: {'Well? ' * 20}") for n in range(9)]
        world.poll(START + 12 * HOUR, talk)
        asked = [Written(START + 13 * HOUR, who, "contestmaster", "resend") for who in ("Ash", "Bex", "Cam")]
        found.append(traffic(world, world.poll(START + 14 * HOUR, asked)[0]))

    assert found[0] == found[1]
    assert len({size for _, _, _, _, size, _, _ in found[0]}) == 1


LETTERS = Path(__file__).parents[1] / "scenarios" / "nomic-crossing"
STORY = """
title: a vote of 09:55 comes in at 10:05
ruleset: nomic-crossing
given:
  roles: {{Ash: werewolf, Hal: werewolf, Bex: villager, Cam: villager, Dov: villager, Eli: villager, Fay: villager,
    Gus: villager}}
  at: 2026-12-01T00:00Z
  limit: {{agora: 50}}
when:
  - {{at: 2026-12-01T08:00Z, from: Dov, to: forum, says: "I vote for Gus."}}
  - {{at: 2026-12-01T09:58Z, from: Hal, to: contestmaster, says: "{talk}"}}
  - {{at: 2026-12-01T10:05Z, letter: letters/late-retraction.eml}}
  - {{at: 2026-12-01T11:00Z, from: Murphy, command: "end --why enough"}}
"""


def played(talk: str) -> Played:
    """Hal writes *talk* between the instant of the vote and when it comes in."""
    return rehearse(read_script(STORY.format(talk=talk), LETTERS), order_of)


def test_a_pack_that_talks_by_day_makes_no_vote_late() -> None:
    """The forums are told the same as where the same letter asked how things stand."""
    talk, ask = played("say pack: Gus it is"), played("status")

    assert {x.person for x in talk.letters if "Gus it is" in x.body} == {"Ash", "Hal"}
    assert [(x.letter.subject, x.letter.body) for x in posted(talk.letters)] == [
        (x.letter.subject, x.letter.body) for x in posted(ask.letters)]
    assert not any("counted again" in x.body for x in talk.letters)


@pytest.mark.parametrize("talk", ["say pack: Gus it is", "status"])
def test_the_archive_of_a_session_with_talk_and_a_late_vote_verifies(talk: str) -> None:
    """What is said in private is never published, so nothing that is may hang on it."""
    told = played(talk)

    assert [v.late for e in told.contest.entries if isinstance(v := e.event, Voted)] == [False, False]
    assert redo(publish(told.contest, posted(told.letters))).differs == []
