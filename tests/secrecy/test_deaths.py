"""What is told of the dead and their killers hangs on nothing secret (D-A23, NC 6b).

What a letter no longer offered would tell the killed and eir fellows of that death, and so that a Hunter is dead.
"""

from __future__ import annotations

import pytest

from nomicwolf.reports.views import fates, people_of, public_view
from nomicwolf.village.events import Dawned, DeathsAnnounced, Told
from tests.secrecy.worlds import START, World, Written
from tests.tables import each

HOUR = 3600
NAMES = ("Ash", "Bex", "Cam", "Dov", "Eli", "Fay", "Gus", "Hal", "Ida")


def night(rules: str, deck: dict[str, str], *deeds: tuple[str, str], **switches: str) -> tuple[World, str]:
    """A world after one night with *deeds* (who, words), and all that its forums got of that night."""
    plain = {"gadianton": "nephite", "six-phases": "townie", "nomic-crossing": "villager", "tabula": "villager"}[rules]
    world = World(rules, tuple((who, deck.get(who, plain)) for who in NAMES), switches=switches)
    at, said = START, ""
    while world.contest.running is not None and at < START + 12 * 24 * HOUR:
        game = world.contest.running
        voting = game.phase == "day" and rules == "nomic-crossing"
        votes = [Written(at + 60, who, "forum", "I vote for Hal.") for who in NAMES[:5]] if voting else []
        mine = [Written(at + n, who, "contestmaster", words) for n, (who, words) in enumerate(deeds, 1)]
        letters, entries = world.poll(at + HOUR, votes or (mine if game.phase == "night" else []))
        at += HOUR
        said += "".join(x.body for x in letters if x.forum == "agora")
        if any(isinstance(e.event, DeathsAnnounced) and "Ida" in e.event.killed for e in entries):
            break
    return world, " ".join(said.split())


@each(("rules", "deck", "deeds", "told"), [
    ("gadianton", {"Ash": "gadianton", "Bex": "prophet"}, [("Ash", "attack Ida")], "Ida was killed by the Gadiantons."),
    ("six-phases", {"Ash": "mafioso", "Bex": "cop"}, [("Ash", "attack Ida")], "Ida was killed by the mafia."),
    ("six-phases", {"Ash": "mafioso", "Bex": "vigilante"}, [("Ash", "attack Ida")], "Ida was killed."),
    ("six-phases", {"Ash": "mafioso", "Bex": "vigilante"}, [("Bex", "shoot Ida")], "Ida was killed."),
    ("nomic-crossing", {"Ash": "werewolf"}, [("Ash", "attack Ida")], "Ida was killed (NC 4c)."),
])
def test_a_cause_is_told_where_it_can_be_one_only(
    rules: str, deck: dict[str, str], deeds: list[tuple[str, str]], told: str
) -> None:
    """In nomic-crossing none is (NC 4c); else it follows from the roles that everyone knows to be in play."""
    assert told in night(rules, deck, *deeds)[1]


def test_two_nights_that_killed_alike_are_told_alike() -> None:
    """Whom the Werewolves have killed, and whom the Seer's glance has: the forums get the same, letter for letter."""
    deck = {"Ash": "werewolf", "Bex": "werewolf", "Cam": "seer", "Hal": "werehamster"}
    eaten = night("tabula", deck, ("Ash", "attack Ida"), ("Bex", "attack Ida"), ("Cam", "see Dov"),
                  first_night_victim="player")
    deck |= {"Ida": "werehamster", "Hal": "villager"}
    seen = night("tabula", deck, ("Ash", "attack Ida"), ("Bex", "attack Ida"), ("Cam", "see Ida"),
                 first_night_victim="player")

    dawn = [said.partition("At the end of night 1, ")[2] for _, said in (eaten, seen)]
    assert dawn[0].startswith("Ida was killed. Night 1 ended")
    assert dawn[0] == dawn[1]
    assert fates(public_view(eaten[0].contest), eaten[0].contest.entries) == {"Ida": "killed in night 1"}


def test_lists_of_the_dead_say_how_each_died() -> None:
    """The vote is everyone's to know in each rule set, and by the words that it has for it."""
    said = night("nomic-crossing", {"Ash": "werewolf"}, ("Ash", "attack Ida"))[1]

    assert "Dead so far: Hal (lynched on day 1) and Ida (killed in night 1)." in said


DEAL = (("Ash", "werewolf"), ("Bex", "werewolf"), ("Cam", "seer"), ("Dov", "witch"), ("Eli", "hunter"),
        ("Fay", "cupid"), ("Gus", "villager"), ("Hal", "villager"), ("Ida", "villager"))


def witching(poison: str, *, seen: bool) -> World:
    """Two polls after the dawn slot of 20:00: the Hunter is dead, and who is poisoned; nobody if the Seer is silent."""
    world = World("nomic-crossing with Lovers and a Hunter", DEAL)
    world.poll(START + 2 * HOUR, [Written(START + HOUR, "Fay", "contestmaster", "match Gus and Hal")])
    living = [who for who, _ in DEAL]
    world.poll(START + 4 * HOUR, [Written(START + 3 * HOUR, who, "forum", "I vote for Ida.") for who in living[:5]])
    deeds = [("Ash", "attack Eli"), ("Bex", "attack Eli"), ("Dov", "heal nobody"), ("Dov", f"poison {poison}"),
             *[("Cam", "see Dov")] * seen]
    world.poll(START + 7 * HOUR, [Written(START + 5 * HOUR + n, who, "contestmaster", words)
                                  for n, (who, words) in enumerate(deeds)])
    world.poll(START + 12 * HOUR, [])
    return world


def told(world: World, group: str, names: tuple[str, ...]) -> list[tuple[str, int, str]]:
    """What *names* are told when they ask for help and write to one another, and with everyone's letters."""
    at = START + 14 * HOUR
    words = [Written(at + n, who, "contestmaster", text)
             for n, (who, text) in enumerate((who, text) for who in names for text in ("help", f"say {group}: Well?"))]
    sent = world.poll(at + HOUR, words)[0] + world.poll(START + 18 * HOUR, [])[0]
    return sorted((x.person, x.at, x.body) for x in sent if x.person in names)


@pytest.mark.parametrize(("poisoned", "group", "names"), [
    ("Ash", "pack", ("Ash", "Bex")), ("Gus", "lovers", ("Gus", "Hal")), ("Gus", "pack", ("Ash", "Bex")),
])
def test_nobody_but_the_hunter_is_told_before_the_announcement(
    poisoned: str, group: str, names: tuple[str, ...]
) -> None:
    """A night with a dead Hunter looks to the other dead, and to their fellows, like one that isn't done."""
    gone, on = witching(poisoned, seen=True), witching(poisoned, seen=False)
    assert [[bool(w.contest.running and w.contest.running.now(Dawned)) for w in (gone, on)]] == [[True, False]]
    assert any(isinstance(e.event, Told) and e.event.topic == "last shot" for e in gone.contest.entries)

    assert told(gone, group, names) == told(on, group, names)


def test_once_it_is_announced_the_dead_hear_no_more_of_their_fellows() -> None:
    """D-A6: what a fellow writes in the last hours of the night isn't told to one whose death is announced with it."""
    world = witching("Ash", seen=True)
    world.poll(START + 15 * HOUR, [Written(START + 13 * HOUR, "Eli", "contestmaster", "shoot Hal")])
    said = [Written(START + 20 * HOUR, "Bex", "contestmaster", "say pack: Who lives?")]
    letters = [x for x in world.poll(START + 24 * HOUR, said)[0] if x.person == "Ash"]

    assert any("you are dead" in " ".join(x.body.split()).lower() for x in letters)
    assert not any("Who lives?" in x.body for x in letters)


def test_a_letter_that_is_late_finds_those_living_who_were_not_known_to_be_dead() -> None:
    """D-A8: stamped while the Hunter chose, it names whom everyone took for living, whenever e was killed."""
    world = witching("Ash", seen=True)
    killed, chosen = START + 11 * HOUR, START + 13 * HOUR
    world.poll(START + 15 * HOUR, [Written(chosen, "Eli", "contestmaster", "shoot Hal")])
    world.poll(START + 24 * HOUR, [])
    assert world.contest.running is not None
    assert world.contest.running.place == "day 2"

    assert people_of(world.contest, "Bex", chosen).dead == people_of(world.contest, "Bex", killed - 1).dead == ("Ida",)
    assert set(people_of(world.contest, "Bex").dead) == {"Ash", "Eli", "Gus", "Hal", "Ida"}
