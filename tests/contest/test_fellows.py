"""What fellows and the dead say among themselves, and what is told in private (D-M12, D-A6, D-A20, D-N48)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nomicwolf.contest import Contest, LetterCame, hear
from nomicwolf.contest.sessions import Position, people, stand
from nomicwolf.nomic.delivery import USUAL
from nomicwolf.nomic.events import Asked, Refused
from nomicwolf.village.events import Killed, Told
from nomicwolf.village.game import GRAVE
from tests.contest.world import HOUR, SEVEN, START, World, setup

MAFIA = "Ash=mafioso,Bex=mafioso,Cam=vigilante,Dov=townie,Eli=townie,Fay=townie,Gus=townie"
NARRATED = "Ash=godfather,Bex=mafioso,Cam=policeman,Dov=policeman,Eli=mason,Fay=mason,Gus=civilian"
PACK = "Ash=mafioso,Bex=mafioso,Cam=medium,Dov=townie,Eli=townie,Fay=townie,Gus=townie"


def covered(name: str, roles: str, **switches: str) -> World:
    """A session of the seven, whose private letters of the night go out to everyone at once (D-N48)."""
    found = World(replace(setup(), ruleset=name, cover=USUAL, switches=switches))
    for player in SEVEN:
        found.write(player, "I join.")
    assert found.command("start", roles=roles, seed="7", limit="agora=35").status == 0
    return found


def told(found: World, who: str) -> str:
    """All that *who* has been sent in private, on one line."""
    return " ".join(" ".join(x.body.split()) for x in found.sent if x.person == who)


def test_a_mafioso_who_is_killed_that_night_hears_no_more_of_the_mafia() -> None:
    """SP 4, D-M12: what was named before a slot at which e lived e is told; what waits for the dawn e is not."""
    found = covered("six-phases", MAFIA)
    for hour, who, words in (
        (25, "Bex", "attack Fay"), (93, "Bex", "attack Dov"), (93.5, "Bex", "say pack: Dov is the watcher"),
        (94, "Ash", "say pack: Eli would do"), (94.5, "Ash", "attack Eli"), (95, "Cam", "shoot Ash"),
    ):
        found.tick(at=hour - 0.25)
        found.write(who, words, "contestmaster", at=hour)
    found.tick(at=97)

    assert "Ash" in [k.event.who for k in found.events(Killed) if isinstance(k.event, Killed)]
    assert "Bex's choice: attack Fay." in told(found, "Ash")
    assert "Bex's choice: attack Dov." not in told(found, "Ash")
    assert "watcher" not in told(found, "Ash")
    assert "Received: attack Eli." in told(found, "Ash")
    assert "Ash says: Eli would do" in told(found, "Bex")
    assert "Ash's choice: attack Eli." in told(found, "Bex")
    assert len({x.room for x in found.letters if x.kind == "private" and x.person != "Murphy"}) == 1


def test_those_who_leave_hear_no_more_of_their_fellows() -> None:
    """D-A2, D-C14: neither whom the mafia name, nor the policemen, nor what the masons say; the others do."""
    found = covered("narrated-mafia", NARRATED, deadlines="1, 1, 1, 1, 72")
    found.tick(at=73)
    found.tick(at=80)
    assert (found.game.phase, found.game.number) == ("night", 2)
    for who, words in (("Ash", "attack Gus"), ("Cam", "see Ash"), ("Eli", "say masons: it is Dov")):
        found.write(who, words, "contestmaster", at=80.5)
    for who in ("Bex", "Dov", "Fay"):
        found.write(who, "I leave this contract.", at=80.6)
    found.tick(at=86)

    assert "Ash names" not in told(found, "Bex")
    assert "Cam names" not in told(found, "Dov")
    assert "Eli says" not in told(found, "Fay")
    assert "Ash is not one of the mafia" in told(found, "Cam")


def test_spirits_hear_the_medium() -> None:
    """SP 0e, D-M13: what is said to the dead is theirs."""
    found = covered("six-phases", PACK)
    found.write("Gus", "I leave this contract.", at=1)
    found.tick(at=26)
    found.write("Cam", "say spirits: who was it?", "contestmaster", at=26.5)
    found.write("Gus", "say spirits: Ash, I think", "contestmaster", at=26.6)
    found.tick(at=32)

    assert "The medium says: who was it?" in told(found, "Gus")
    assert "A spirit says: Ash, I think" in told(found, "Cam")


@pytest.mark.parametrize(("words", "hears"), [
    ("attack Dov", "Ash's choice: attack Dov."), ("say pack: Dov", "Ash says: Dov"),
])
def test_the_living_are_told_with_the_next_letters(words: str, hears: str) -> None:
    """NC 4a, D-N48: what is named and what is said, at the slot."""
    found = covered("six-phases", PACK)
    found.tick(at=26)
    found.write("Ash", words, "contestmaster", at=26.5)
    assert hears not in told(found, "Bex")
    found.tick(at=32)

    assert hears in told(found, "Bex")


@pytest.mark.parametrize(("who", "asked"), [("Cam", True), ("Dov", False), ("Ash", False)])
def test_no_words_are_suggested_that_would_then_be_refused(who: str, asked: bool) -> None:
    """SP 0e, D-M13: by night the Medium is asked whether e means the dead; who can't speak to them is told so."""
    found = covered("six-phases", PACK)
    found.tick(at=26)
    found.write(who, "say dead: hello", "contestmaster", at=26.5)
    found.tick(at=32)

    questions = [e.event for e in found.events(Asked) if isinstance(e.event, Asked) and e.event.who == who]
    refusals = [e.event for e in found.events(Refused) if isinstance(e.event, Refused) and e.event.who == who]
    assert (bool(questions), bool(refusals)) == (asked, not asked)
    assert refusals == [] or "You can't do this now" in refusals[0].why


DEAL = tuple(zip(SEVEN, ("werewolf", "seer", "witch", *["villager"] * 4), strict=True))


def world(phase: str, switch: str = "on") -> World:
    """Day or night 2 of a covered session in which Eli, Fay and Gus are dead, as all know."""
    given = setup(cover=USUAL, switches={"graveyard": switch})
    found = World(given)
    addresses = {who: (f"{who.lower()}@players.example",) for who in SEVEN}
    found.contest = stand(people(Contest(given), addresses, {"agora": 50}, START), Position(
        DEAL, START, phase=phase, number=2, dead=("Eli", "Fay", "Gus"), seed="5" * 64))
    return found


def seen(found: World) -> list[tuple[str, str, int, int]]:
    """What a carrier of mail sees of all letters; the order within a batch is drawn anew each time."""
    return sorted((x.person or x.forum, x.subject, x.at, x.room or len(x.body)) for x in found.sent)


@pytest.mark.parametrize("phase", ["day", "night"])
def test_each_hears_it_by_name_and_nobody_who_lives_does(phase: str) -> None:
    """At once, whatever phase it is."""
    found = world(phase)
    found.write("Fay", "say spirits: It was Ash.", "contestmaster", 1)

    told = [e.event.to for e in found.events(Told) if isinstance(e.event, Told) and e.event.topic == GRAVE]
    assert told == ["Eli", "Gus"]
    assert "Fay says among the dead: It was Ash." in found.to("Eli")
    assert {letter.person for letter in found.letters} <= {"Eli", "Fay", "Gus"}


@pytest.mark.parametrize("phase", ["day", "night"])
def test_the_living_get_the_same_letters_at_the_same_times(phase: str) -> None:
    """Two worlds, in one of which the dead write much and are read late, in one step with a batch of letters."""
    silent, loud = world(phase), world(phase)
    for found in (silent, loud):
        for at in range(1, 40, 6):
            if found is loud:
                letter = found.letter("Fay", "say spirits: " + "It was Ash, I tell you. " * 30, "contestmaster", at)
                found.contest = hear(found.contest, LetterCame(letter), START + (at + 5) * HOUR).contest
            found.tick(at + 5)
            found.write("Bex", "status", "contestmaster", at + 5)
            found.sent = [letter for letter in found.sent if letter.person not in ("Eli", "Fay", "Gus", "Murphy")]
    assert loud.events(Told)
    assert len(silent.sent) > 3
    assert seen(silent) == seen(loud)


def test_it_is_off_unless_chosen_and_the_living_are_refused_alike() -> None:
    """Whoever isn't dead, or may not, is told what is open to em."""
    found = world("day", "off")
    found.write("Fay", "say spirits: It was Ash.", "contestmaster", 1)
    assert not found.events(Told)
    found = world("day")
    found.write("Bex", "say spirits: It was Ash.", "contestmaster", 1)
    assert not found.events(Told)


def test_who_has_left_hears_nothing() -> None:
    """E takes no part any more, in no place."""
    found = world("day")
    for forum in ("agora", "b"):
        found.write("Gus", "I leave this contract.", forum, 1)
    found.write("Fay", "say spirits: It was Ash.", "contestmaster", 2)

    assert [e.event.to for e in found.events(Told) if isinstance(e.event, Told)] == ["Eli"]


NOMINATIONS = 24 + 72 + 72 + 1


def left(by: str, other: str) -> World:
    """*by* nominates Gus in secret, *other* Fay; then Gus leaves."""
    found = covered("six-phases", PACK)
    found.tick(at=NOMINATIONS)
    found.write(by, "nominate Gus", "contestmaster", at=NOMINATIONS + 1)
    found.write(other, "nominate Fay", "contestmaster", at=NOMINATIONS + 2)
    found.write("Gus", "I leave this contract.", at=NOMINATIONS + 3)
    return found


def test_whoever_nominated_em_is_told_and_nobody_can_tell_who_that_was() -> None:
    """SP 2a, D-M1: one is told; everyone gets a letter at that moment, all of one size, whoever it was."""
    one, two = left("Ash", "Bex"), left("Bex", "Ash")

    assert "Your ballot names Gus, who is dead: it counts for nobody now." in told(one, "Ash")
    assert "Your ballot names Gus" not in told(one, "Bex")
    assert "Your ballot names Gus" in told(two, "Bex")
    assert "Your ballot names" not in one.to("agora")
    seen = [[(x.kind, x.to or x.forum, x.subject, x.at, x.room, x.auto) for x in w.letters] for w in (one, two)]
    assert sorted(seen[0]) == sorted(seen[1])
    private = [x for x in one.letters if x.kind == "private" and x.person != "Murphy"]
    assert {x.person for x in private} == {"Ash", "Bex", "Cam", "Dov", "Eli", "Fay", "Gus"}
    assert len({x.room for x in private}) == 1
