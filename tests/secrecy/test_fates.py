"""By what somebody was killed is told where the rule set lets everyone know it, and hangs on nothing else (D-A23)."""

from __future__ import annotations

from nomicwolf.reports.views import fates, public_view
from nomicwolf.village.events import DeathsAnnounced
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
