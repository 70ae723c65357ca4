"""Roles written as data: what a file may say, what it comes to, and what is said of one that can't be used."""

from __future__ import annotations

import pytest

from nomicwolf.village.events import Acquitted, Announced, Killed, Opened, RolesBrought, Told
from nomicwolf.village.game import Game
from nomicwolf.village.kernel import with_role, with_switches
from nomicwolf.village.role_file import LARGEST, RoleError, checked, name_of, role_of, terms_of
from nomicwolf.village.rules import Refusal, Role
from nomicwolf.village.rulesets import BUILT_IN, ruleset
from nomicwolf.village.rulesets.gadianton import gadianton
from nomicwolf.village.rulesets.nomic_crossing import nomic_crossing
from tests.tables import each
from tests.village.games import HOUR, Play, Staged

JAILKEEPER = """
name = "jailkeeper"
title = "Jailkeeper"
side = "good"
story = "You are the Jailkeeper."

[[duty]]
verb = "jail"
says = "no one can kill em tonight, and e can do nothing"
words = ["lock up", "detain"]
does = ["block", "protect"]
same_again = false
"""
NURSE = """
name = "nurse"
side = "good"
story = "You are the nurse."

[[duty]]
verb = "nurse"
says = "e does not die tonight"
when = "even nights"
uses = 1
does = ["protect"]
"""


class Brought(Play):
    """A session of nomic-crossing with roles that were brought to it as texts."""

    def __init__(self, cast: str, *texts: str, rules: str = "nomic-crossing", switches: dict[str, str] | None = None
                 ) -> None:
        self.rules = ruleset(rules, texts)
        parts = [pair.split(":") for pair in cast.split()]
        deal = tuple((who, role, self.rules.roles[role].side) for who, role in parts)
        opened = Opened(rules, 1, "seed", deal, with_switches(self.rules, switches or {}))
        self.game, self.news = self.rules.settle(Game(), HOUR, (opened, RolesBrought(texts)), (), "command")


CAST = "Ash:werewolf Bex:jailkeeper Cam:villager Dov:villager Eli:villager Fay:villager"


def night(*texts: str, cast: str = CAST) -> Brought:
    """The first night, after Fay was lynched."""
    voters = [pair.split(":")[0] for pair in cast.split()]
    play = Brought(cast, *texts)
    play.lynch(voters[-1], *voters[: len(voters) // 2 + 1])
    return play


def crossing(text: str, place: str = "roles/jailkeeper.toml") -> Role:
    """The role of *text* in nomic-crossing."""
    return checked(text, terms_of(nomic_crossing), place)


def test_a_file_is_the_value_that_python_writes() -> None:
    """Its title, side and story; its duty with its help; its text, which the record keeps."""
    role = crossing(JAILKEEPER)

    assert (role.name, role.title, role.side, role.story) == (
        "jailkeeper", "Jailkeeper", "villagers", "You are the Jailkeeper. You are on the good side.")
    (duty,) = role.duties
    assert duty.written(passing=True) == (
        "jail NAME, or jail nobody: no one can kill em tonight, and e can do nothing "
        "(not to the same person on two nights running)")
    assert duty.words == ("lock up", "detain")
    assert role.text == JAILKEEPER
    assert name_of(JAILKEEPER) == "jailkeeper"


def test_whom_the_jailkeeper_jails_nobody_kills() -> None:
    """The pack attacks Cam in vain; the next night, when e can't be jailed again, e dies."""
    play = night(JAILKEEPER).do("Ash attack Cam", "Bex jail Cam", "dawn")
    assert play.alive >= {"Cam", "Bex"}

    play.lynch("Eli", "Ash", "Bex", "Cam")
    with pytest.raises(Refusal, match="night before"):
        play.do("Bex jail Cam")
    play.do("Ash attack Cam", "Bex jail Dov", "dawn")
    assert "Cam" not in play.alive


def test_a_jailed_pack_kills_nobody_and_is_told() -> None:
    """One who isn't jailed attacks for all."""
    play = night(JAILKEEPER).do("Ash attack Cam", "Bex jail Ash", "dawn")
    assert "Cam" in play.alive
    assert play.told("Ash")[-1] == "You were kept from acting."

    two = night(JAILKEEPER, cast=f"{CAST} Gus:werewolf Hal:villager Ian:villager")
    two.do("Ash attack Cam", "Gus attack Cam", "Bex jail Ash", "dawn")
    assert "Cam" not in two.alive


def test_what_is_changed_before_dawn_counts_as_it_was_last() -> None:
    """A jailkeeper who jails nobody after all has jailed nobody."""
    play = night(JAILKEEPER).do("Bex jail Cam", "Ash attack Cam", "Bex jail nobody", "dawn")

    assert "Cam" not in play.alive


def test_a_duty_is_open_on_its_nights_and_as_often_as_its_uses() -> None:
    """On even nights, once: it isn't owed on the first, and not after it has been used."""
    play = night(NURSE, cast=CAST.replace("jailkeeper", "nurse"))
    assert ("Bex", "nurse") not in play.owed
    play.do("Ash attack Cam", "dawn").lynch("Dov", "Ash", "Bex", "Eli")
    assert ("Bex", "nurse") in play.owed
    play.do("Bex nurse Eli", "Bex nurse nobody", "Bex nurse Eli", "Ash attack Eli", "dawn")
    assert "Eli" in play.alive
    assert play.rules.duties(play.game, "Bex")[0].verb == "vote"


@each(("wrong", "right", "says"), [
    ('side = "good"', 'side = "town"', "roles/jailkeeper.toml, line 4: side: 'town' isn't allowed there"),
    ('does = ["block", "protect"]', 'does = ["eat"]', "line 11: duty 1: does: ['eat'] isn't allowed there; write a"),
    ('verb = "jail"', 'verb = "vote"', "line 8: duty 1: verb: 'vote' isn't allowed there (vote means something else"),
    ('verb = "jail"', 'verb = "attack"', "attack means something else in nomic-crossing"),
    ("same_again = false", "same_agian = false", "line 12: duty 1: same_agian: unknown key; did you mean same_again?"),
    ("same_again = false", "uses = 0", "uses: 0 isn't allowed there; write how often"),
    ("same_again = false", "uses = true", "uses: True isn't allowed there"),
    ("same_again = false", 'when = "every night"', "'every night' isn't allowed there; write each night, first night"),
    ('says = "no one can kill em tonight, and e can do nothing"', "", "line 7: duty 1: says: is missing; write what"),
    ('name = "jailkeeper"', 'name = "jailer"', "the file is called jailkeeper.toml; call both the same"),
    ('name = "jailkeeper"', 'name = "seer"', "nomic-crossing has a role called seer"),
    ('title = "Jailkeeper"', 'rulesets = ["tabula"]', "it is for tabula, and not for nomic-crossing"),
    ('title = "Jailkeeper"', 'title = "a\\u0007b"', "title: 'a\\x07b' isn't allowed there (it has signs that can't be"),
    ('title = "Jailkeeper"', 'title = """\n"""', "title: '' isn't allowed there"),
    ('title = "Jailkeeper"', "title = {}", "title: {} isn't allowed there"),
    ('title = "Jailkeeper"', 'title = "werewolf"', "title: nomic-crossing has a role of another side that is called"),
    ('name = "jailkeeper"', 'name = "nobody"', "name: 'nobody' isn't allowed there (nobody means something else"),
    ('title = "Jailkeeper"', 'succeeds = ["jailkeeper"]', "succeeds: jailkeeper can't follow itself; name other roles"),
    ('title = "Jailkeeper"', "title = ", "(at line 3, column 9); mend that place"),
    ("[[duty]]", "[duty]", "duty: write up to 3 tables, each under a line [[duty]]"),
])
def test_what_is_wrong_is_named_with_its_line_and_what_could_follow_there(wrong: str, right: str, says: str) -> None:
    """Nothing of a wrong file is used; whoever wrote it learns what to mend."""
    assert wrong in JAILKEEPER
    with pytest.raises(RoleError) as refused:
        crossing(JAILKEEPER.replace(wrong, right))

    assert says in refused.value.why


def test_everything_that_is_wrong_is_said_at_once() -> None:
    """Two faults, two lines."""
    with pytest.raises(RoleError) as refused:
        crossing(JAILKEEPER.replace('side = "good"', "side = 5").replace('verb = "jail"', 'verb = "Jail Em"'))

    assert len(refused.value.problems) == 2


@each("text", ["x" * (LARGEST + 1), f"a = {'[' * 3000}", "name = 'x'\n" + "[[duty]]\n" * 50, "\x00", "", "[name]\n"])
def test_a_hostile_file_is_refused(text: str) -> None:
    """Too large, too deep, too much, no text, nothing: an error that says so, and no other."""
    with pytest.raises(RoleError):
        role_of(text, terms_of(nomic_crossing))


def test_two_duties_with_one_effect_are_one() -> None:
    """Which of them counts nobody could tell."""
    twice = JAILKEEPER + JAILKEEPER[JAILKEEPER.index("[[duty]]"):].replace('"jail"', '"arrest"')

    with pytest.raises(RoleError, match="two duties"):
        crossing(twice)


def test_the_roles_of_the_program_that_are_data_have_the_clauses_of_their_rule_set() -> None:
    """Each is a role of its rule set, with the text of its file."""
    files = {name: [role.name for role in rules.roles.values() if role.text] for name, rules in BUILT_IN.items()}

    assert files["six-phases"] == ["townie", "cop", "doctor", "roleblocker", "tracker", "watcher", "vigilante",
                                   "medium", "mayor", "miller", "neutral"]
    assert all(files.values())
    assert all(role.cites for rules in BUILT_IN.values() for role in rules.roles.values())


def test_a_role_that_is_brought_can_be_dealt_by_hand() -> None:
    """Where the contestmaster deals (GA 2e), e may give it to whom e likes; it is a Nephite's card."""
    rules = with_role(gadianton, role_of(JAILKEEPER, terms_of(gadianton)))
    names = [f"p{n}" for n in range(8)]
    by_hand = ("p0=gadianton", "p1=gadianton", "p2=prophet", "p3=jailkeeper", *(f"p{n}=nephite" for n in range(4, 8)))

    dealt, drawn = rules.deal(names, by_hand, "7", {"dealt_by_moderator": "on"})
    assert dict(dealt)["p3"] == "jailkeeper"
    assert [role for _, role in dealt].count("nephite") == 4
    assert drawn == ()


def test_the_same_text_is_the_same_rule_set() -> None:
    """What a game is asked many times a day is not made anew."""
    assert ruleset("nomic-crossing", (JAILKEEPER,)) is ruleset("nomic-crossing", (JAILKEEPER,))
    assert ruleset("nomic-crossing") is ruleset("nomic-crossing")


def test_a_death_that_nobody_prevents_is_told_with_its_cause() -> None:
    """The clauses are those of the role's file, where the rule set has none for it."""
    text = JAILKEEPER.replace('does = ["block", "protect"]', 'does = ["kill"]\nclauses = ["HR 7"]')
    play = night(text).do("Ash attack Cam", "Bex jail Dov", "dawn")

    (shot,) = [e for e in play.game.entries if e.event == Killed("Dov", "shoot")]
    assert shot.cites == ("HR 7",)
    assert play.alive == {"Ash", "Bex", "Eli"}
    assert not play.has(Told, topic="feedback")


class OnTrial(Brought, Staged):
    """A session with roles from files, whose days have stages."""


ELDER = 'name = "elder"\ntitle = "Elder"\nside = "good"\nstory = "You are the Elder."\nverdict = "twice"\n'


def test_a_verdict_counts_twice_by_its_roles_file() -> None:
    """D-M19: as the mayor's does, and it is told where the outcome hangs on it; nothing but trials has it."""
    cast = "A:mafioso B:mafioso C:elder D:townie E:townie F:townie G:townie"
    play = OnTrial(cast, ELDER, rules="six-phases").to("nominations").at_once("A nominate D").to("verdict")
    play.at_once("A guilty", "B guilty", "C innocent").do("dawn")

    assert play.has(Acquitted, who="D")
    assert "With the Elder's second vote: guilty 2, innocent 2." in [a.text for a in play.game.ever(Announced)]
    with pytest.raises(RoleError, match=r"line 5: verdict: nomic-crossing has no trials with a verdict of each"):
        crossing(ELDER, "roles/elder.toml")


def test_masons_take_in_others_and_know_them() -> None:
    """By two keys that any role may have: whoever is taken in is told of the others, and they of em; no werewolf is."""
    mason = JAILKEEPER.replace("jailkeeper", "lodge").replace("Jailkeeper", "Mason").replace("[[duty]]", (
        "together = true\n[[duty]]")).replace('"jail"', '"initiate"').replace('"block", "protect"', '"convert"')
    play = night(mason, cast="Ash:werewolf Bex:lodge Cam:lodge Dov:villager Eli:villager Fay:villager Gus:villager")
    play.do("Ash attack Eli", "Bex initiate Dov", "Cam initiate Ash", "dawn")

    assert {play.told(who)[-1] for who in ("Bex", "Cam", "Dov")} == {
        "You know one another, of the role Mason: Bex, Cam and Dov."}
    assert play.game.roles["Ash"] == "werewolf"
    game, _ = play.lynch("Fay", "Ash", "Bex", "Cam").rules.speak(play.game, play.game.clock, "Dov", "say", "masons: hi")
    assert game.entries[-1].event.text == "Dov says: hi"  # type: ignore[attr-defined]
