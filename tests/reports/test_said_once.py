"""Letters say each thing once, and their subjects tell on a phone what they are."""

from __future__ import annotations

from dataclasses import replace

from nomicwolf.letters.letter import Outgoing
from nomicwolf.nomic.events import PartyJoined
from tests.contest.test_caring import DAY, night
from tests.contest.world import SEVEN, World, setup
from tests.reports.stories import Story
from tests.reports.test_words import ROBBERS, letters, to
from tests.tables import each

NINE = (*SEVEN, "Hal", "Ida")


def staged(rules: str, roles: str = "") -> World:
    """A session of another rule set with nine players."""
    return World(replace(setup(), ruleset=rules)).start(NINE, roles=roles)


def flat(letter: Outgoing) -> str:
    """A letter's text in one line."""
    return " ".join(letter.body.split())


def sent_to(world: World, who: str) -> list[Outgoing]:
    """All letters to somebody, or to a nomic's forum, in order."""
    return [letter for letter in world.sent if who in (letter.person, letter.forum)]


def test_many_who_join_are_a_table() -> None:
    """Each is told with eir nomics and since when, on a line of eir own, and the clause once."""
    letters = Story().happens(*(PartyJoined(who, nomic) for who in SEVEN for nomic in ("agora", "b")))

    assert len([letter for letter in letters if letter.forum == "agora"]) == 1
    assert "7 players have joined, each a party since" in flat(letters[0])
    assert "\n  Gus  " in letters[0].body
    assert letters[0].body.count("(NC 1c)") + letters[0].body.count("(NC\n1c)") == 1


@each(("rules", "roles"), [("gadianton", ""), ("narrated-mafia", "mafioso,mafioso,policeman,doctor")])
def test_a_start_lists_its_players_once(rules: str, roles: str) -> None:
    """Also where the session begins with a phase, whose letters list the living elsewhere."""
    first = next(flat(letter) for letter in sent_to(staged(rules, roles), "agora") if "begins" in letter.subject)

    assert first.count("Ash, Bex, Cam, Dov, Eli, Fay, Gus, Hal and Ida") == 1


def test_a_reminder_of_a_vote_has_its_day_in_the_subject() -> None:
    """A vote in stages is due like anything else; who is named in public is asked to vote."""
    world, other = staged("tabula", "medium"), World().start()
    for hour in range(1, 9 * DAY, 6):
        world.tick(hour)
        other.tick(hour)

    assert "[Werewolves] Due by Sun 6 Dec" in {letter.subject for letter in sent_to(world, "Ash")}
    assert "[Werewolves] Day 1: please vote" in {letter.subject for letter in sent_to(other, "Ash")}


def test_a_night_without_a_deed_is_not_called_a_receipt() -> None:
    """Public votes of the day before are acknowledged in the count, and not by a letter."""
    world, _ = night()
    subjects = {letter.subject for letter in world.sent if letter.person in SEVEN}

    assert not [subject for subject in subjects if "received" in subject]


def test_a_first_count_tells_no_changes() -> None:
    """They would be the count once more; the next count has what has changed since."""
    world = World().start()
    world.write("Ash", "I vote for Gus.", at=1)
    world.tick(2 * DAY)
    first = world.to("agora")
    world.write("Bex", "I vote for Gus.", at=2 * DAY + 1)
    world.tick(3 * DAY)

    assert "Gus  Ash" in first
    assert "Since the last count" not in first
    assert "Since the last count:\n  Bex  nobody -> Gus" in world.to("agora")


def test_the_dead_are_told_nothing_twice() -> None:
    """D-G16: whoever has died gets the full story, and then what a night has added; a vote adds nothing to it."""
    told = to("N2", letters("gadianton", ROBBERS, "phase: night 2", """\
  - {at: 2026-12-01T09:00Z, from: G1, says: "attack N2", to: contestmaster}
  - {at: 2026-12-01T09:10Z, from: G2, says: "attack N2", to: contestmaster}
  - {at: 2026-12-04T01:00Z, from: N1, says: "accuse N3", to: forum}
  - {at: 2026-12-04T02:00Z, from: N4, says: "second N3", to: forum}
  - {at: 2026-12-05T03:00Z}
""" + "\n".join(f'  - {{at: 2026-12-05T04:0{n}Z, from: {who}, says: "guilty", to: forum}}'
                for n, who in enumerate(("G1", "G2", "N1", "N4"))) + """
  - {at: 2026-12-05T09:00Z, from: G1, says: "attack N1", to: contestmaster}
  - {at: 2026-12-09T09:00Z}"""))

    assert told.count("Gadiantons: G1 and G2.") == 1
    assert told.count("Night 2: G1 chose to attack N2.") == 1
    assert told.count("Night 3: G1 chose to attack N1.") == 1
    assert told.count("You are dead, and may know everything") == 1
    assert told.count("For you alone, who are dead:") == 1
