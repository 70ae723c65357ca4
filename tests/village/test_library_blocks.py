"""The library's roles that need more than a deed: each block of role files is played, alone and against the others."""

from __future__ import annotations

import pytest

from nomicwolf.village.events import Announced, Entry, Killed, Turned
from nomicwolf.village.game import Game
from nomicwolf.village.laws.actions import BLOCK, CHANGES, EFFECTS, GIVEN, ORDER, POISONED
from nomicwolf.village.role_file import RoleError, role_of, terms_of
from nomicwolf.village.rules import Refusal
from nomicwolf.village.rulesets import library
from nomicwolf.village.rulesets.nomic_crossing import nomic_crossing
from tests.tables import each
from tests.village.test_library import CAST, ROLES
from tests.village.test_role_files import Brought


class Evening(Brought):
    """A session whose nights end when "dawn" is said: whoever still owes a deed then declines it."""

    def _move(self, move: str, at: int) -> tuple[Game, tuple[Entry, ...]]:
        if move == "dawn":
            for who, verb in self.owed:
                self.game, _ = self.rules.act(self.game, at, who, verb, passing=True)
        return super()._move(move, at)


def dealt(first: str, second: str = "villager", third: str = "villager", cast: str = CAST) -> Evening:
    """The first day with roles of the library, held by Bex, Cam and Dov."""
    texts = tuple(ROLES[role] for role in dict.fromkeys((first, second, third)) if role in ROLES)
    return Evening(cast.replace("Dov:villager", f"Dov:{third}").format(first, second), *texts)


def night(first: str, second: str = "villager", third: str = "villager") -> Evening:
    """The first night, after Gus was lynched."""
    play = dealt(first, second, third)
    play.lynch("Gus", "Ash", "Bex", "Cam", "Dov")
    return play


def test_what_can_change_an_effect_comes_before_it() -> None:
    """The written order has every effect once, and no ring but that of blockers."""
    place = {effect: number for number, step in enumerate(ORDER) for effect in step}

    assert {*EFFECTS} < {*place}
    assert len(place) == sum(map(len, ORDER))
    for effect, changed in CHANGES.items():
        assert all(place[effect] < place[other] for other in changed)
        assert effect == BLOCK or effect not in changed


@each(("role", "verb", "whom", "says"), [
    ("neapolitan", "sift", "Cam", "Cam is no plain villager."),
    ("neapolitan", "sift", "Eli", "Eli is a plain villager."),
    ("gunsmith", "frisk", "Ash", "Ash can kill."),
    ("gunsmith", "frisk", "Cam", "Cam can kill."),
    ("gunsmith", "frisk", "Eli", "Eli can not kill."),
    ("motion-detector", "sense", "Dov", "Something moved at Dov's house."),
    ("motion-detector", "sense", "Eli", "Nothing moved at Eli's house."),
    ("coroner", "autopsy", "Gus", "Gus's role is villager."),
    ("insane-cop", "investigate", "Ash", "Ash is not one of the werewolves."),
    ("insane-cop", "investigate", "Eli", "Eli is one of the werewolves."),
    ("naive-cop", "investigate", "Ash", "Ash is not one of the werewolves."),
    ("paranoid-cop", "investigate", "Eli", "Eli is one of the werewolves."),
])
def test_what_is_learned(role: str, verb: str, whom: str, says: str) -> None:
    """Cam is a Vigilante who does nothing; the werewolf goes to Dov."""
    play = night(role, "vigilante").do("Ash attack Dov", f"Bex {verb} {whom}", "dawn")

    assert play.told("Bex")[-1] == says


def test_the_coroner_waits_for_the_dead() -> None:
    """On a first night of a game that begins by night nothing is owed, and the living can't be examined."""
    with pytest.raises(Refusal, match="is not dead"):
        night("coroner").do("Bex autopsy Eli")
    play = Evening("W1:gadianton W2:gadianton Pro:prophet Bex:coroner N1:nephite N2:nephite N3:nephite N4:nephite",
                   ROLES["coroner"], rules="gadianton")
    assert ("Bex", "autopsy") not in play.owed


def test_the_commuter_is_away_twice() -> None:
    """Neither a pack nor a Cop reaches em; a third time is not open."""
    play = night("commuter", "cop").do("Bex commute", "Ash attack Bex", "Cam investigate Bex", "dawn")
    assert "Bex" in play.alive
    assert play.told("Cam") == []
    play.lynch("Fay", "Ash", "Bex", "Cam", "Dov").do("Bex commute Bex", "Ash attack Dov", "Cam investigate Ash", "dawn")
    play.lynch("Cam", "Ash", "Bex", "Eli")
    with pytest.raises(Refusal):
        play.do("Bex commute")


def test_the_commuter_names_nobody_else() -> None:
    """The deed is for emself."""
    with pytest.raises(Refusal, match="for yourself"):
        night("commuter").do("Bex commute Cam")


@each(("behind", "attacked", "dead"), [
    ("Cam", "Bex", set()), ("Cam", "Cam", {"Bex", "Cam"}), ("Ash", "Dov", {"Bex", "Dov"})])
def test_the_hider_lives_and_dies_with_another(behind: str, attacked: str, dead: set[str]) -> None:
    """Nothing reaches em, but e dies of eir host's death, and of hiding behind the evil side."""
    play = night("hider").do(f"Bex shelter-with {behind}", f"Ash attack {attacked}", "dawn")

    assert {"Ash", "Bex", "Cam", "Dov", "Eli", "Fay"} - play.alive == dead


@each(("role", "verb"), [("rolestopper", "seal Dov"), ("ascetic", "")])
def test_nothing_but_killing_reaches_the_shut_off(role: str, verb: str) -> None:
    """A Cop learns nothing, a Doctor saves nobody, the pack kills."""
    whom = "Dov" if verb else "Bex"
    play = night(role, "cop", "villager" if verb else "doctor")
    play.do(f"Bex {verb}" if verb else "Dov protect Bex", f"Cam investigate {whom}", f"Ash attack {whom}", "dawn")

    assert play.told("Cam") == []
    assert whom not in play.alive


@each(("whom", "dead"), [("Dov", set()), ("Ash", {"Bex", "Dov"})])
def test_the_weak_doctor_dies_of_the_evil_side(whom: str, dead: set[str]) -> None:
    """Whom e protects lives, but a werewolf is eir death."""
    play = night("weak-doctor").do(f"Bex nurse {whom}", "Ash attack Dov", "dawn")

    assert {"Ash", "Bex", "Cam", "Dov", "Eli", "Fay"} - play.alive == dead


def test_granny_shoots_who_comes() -> None:
    """A Cop, a Doctor and the one werewolf who comes for the pack; the pack's victim dies too."""
    play = night("granny", "cop", "doctor").do("Cam investigate Bex", "Dov protect Bex", "Ash attack Bex", "dawn")

    assert play.alive == {"Bex", "Eli", "Fay"}
    assert play.winners() == {"Bex", "Eli", "Fay"}


def test_granny_shoots_one_of_a_pack() -> None:
    """The first in seat order comes for all."""
    play = Evening(f"{CAST} Hal:werewolf Ian:villager".format("granny", "villager"), ROLES["granny"])
    play.lynch("Gus", "Ash", "Bex", "Cam", "Dov", "Eli").do("Ash attack Bex", "Hal attack Bex", "dawn")

    assert {"Ash", "Bex"} & play.alive == set()
    assert "Hal" in play.alive


def test_the_bus_driver_changes_two_over() -> None:
    """The pack and the Cop come to the other; the watcher sees it."""
    play = night("bus-driver", "cop", "watcher")
    play.do("Bex swap Eli Ash", "Ash attack Eli", "Cam investigate Eli", "Dov watch Ash", "dawn")

    assert play.has(Killed, who="Ash", cause="attack")
    assert play.told("Cam")[-1] == "Ash is one of the werewolves."
    assert play.winners() is not None


def test_two_are_needed_to_drive() -> None:
    """One person is too few, the same twice no pair."""
    for move in ("Bex swap Eli", "Bex swap Eli Eli"):
        with pytest.raises(Refusal):
            night("bus-driver").do(move)


def test_the_lightning_rod_draws_all_to_emself() -> None:
    """The pack kills em in place of Dov, and the Cop learns eir side; it is used up."""
    play = night("lightning-rod", "cop").do("Bex attract", "Ash attack Dov", "Cam investigate Ash", "dawn")

    assert play.has(Killed, who="Bex", cause="attack")
    assert play.told("Cam")[-1] == "Bex is not one of the werewolves."


def test_the_redirector_sends_one_to_another() -> None:
    """The Doctor protects whom e never named, and the Cop is led to another door."""
    play = night("redirector", "cop", "villager").do(
        "Bex divert Cam Dov", "Cam investigate Ash", "Ash attack Eli", "Bex attack Eli", "dawn")

    assert play.told("Cam")[-1] == "Dov is not one of the werewolves."


def test_a_block_comes_before_what_moves() -> None:
    """A Roleblocker stops the Bus Driver, and e moves nobody."""
    play = night("bus-driver", "roleblocker").do("Bex swap Eli Fay", "Cam block Bex", "Ash attack Eli", "dawn")

    assert "Eli" not in play.alive
    assert play.told("Bex")[-1] == "You were kept from acting."


def test_a_shelter_comes_before_a_block() -> None:
    """Who is away is not blocked, and who shuts another off does so whoever distracts em."""
    away = night("commuter", "roleblocker").do("Bex commute", "Cam block Bex", "Ash attack Bex", "dawn")
    assert "Bex" in away.alive
    assert away.told("Bex") == []

    shut = night("rolestopper", "roleblocker", "cop")
    shut.do("Bex seal Dov", "Cam block Dov", "Dov investigate Ash", "Ash attack Eli", "dawn")
    assert shut.told("Dov")[-1] == "Ash is one of the werewolves."


def test_the_jack_does_each_once() -> None:
    """Three deeds, each open until it has been done."""
    play = night("jack-of-all-trades").do(
        "Bex appraise Ash", "Bex patch-up Dov", "Bex tie-up Cam", "Ash attack Dov", "dawn")
    assert play.told("Bex")[-1] == "Ash is one of the werewolves."
    assert "Dov" in play.alive
    play.lynch("Fay", "Ash", "Bex", "Cam", "Dov")
    assert not [verb for who, verb in play.owed if who == "Bex"]


def test_a_present_is_found_in_the_morning() -> None:
    """The Fruit Vendor's, by whoever it was left for."""
    assert night("fruit-vendor").do("Bex vend Dov", "Ash attack Eli", "dawn").told("Dov") == [GIVEN]


@each(("role", "dead", "becomes"), [
    ("deputy", "cop", "cop"), ("deputy", "doctor", ""), ("nurse", "doctor", "doctor"),
    ("understudy", "tracker", "tracker"),
    ("understudy", "villager", ""), ("understudy", "traitor", ""),
])
def test_heirs_take_the_role_of_a_dead_one(role: str, dead: str, becomes: str) -> None:
    """By night as soon as all know of the death, whatever role the dead one held on the good side."""
    play = night(role, dead).do("Ash attack Cam", "dawn")

    assert play.game.roles["Bex"] == (becomes or role)
    assert play.has(Turned, who="Bex") is bool(becomes)


def test_an_heir_by_day_uses_what_was_left() -> None:
    """The Cop is lynched, and the Deputy looks that very night."""
    play = dealt("deputy", "cop")
    play.lynch("Cam", "Ash", "Bex", "Dov", "Eli").do("Bex investigate Ash", "Ash attack Eli", "dawn")

    assert play.told("Bex")[-1] == "Ash is one of the werewolves."
    assert play.told("Bex")[0] == "From now on you hold the role Cop. Send help to see what that means."


def test_there_is_one_heir_for_one_death() -> None:
    """Of two Deputies the first in seat order."""
    play = night("deputy", "cop", "deputy").do("Ash attack Cam", "dawn")

    assert (play.game.roles["Bex"], play.game.roles["Dov"]) == ("cop", "deputy")


def test_the_bomb_takes_eir_killer_along() -> None:
    """Not where a vote or nobody in particular kills em."""
    play = night("bomb").do("Ash attack Bex", "dawn")
    assert play.winners() == {"Cam", "Dov", "Eli", "Fay"}

    lynched = dealt("bomb", "villager").lynch("Bex", "Ash", "Cam", "Dov", "Eli")
    assert lynched.alive == {"Ash", "Cam", "Dov", "Eli", "Fay", "Gus"}


def test_the_supersaint_takes_the_last_voter_along() -> None:
    """Eli's vote made the majority."""
    play = dealt("supersaint", "villager")
    play.lynch("Bex", "Ash", "Cam", "Dov", "Eli")

    assert play.alive == {"Ash", "Cam", "Dov", "Fay", "Gus"}


def test_the_avenger_takes_along_whom_e_named_last() -> None:
    """By day or by night, once e is killed; eir word can be changed, and counts while e lives."""
    play = dealt("avenger", "villager").do("Bex avenge-on Cam", "Bex avenge-on Ash")
    assert play.alive >= {"Ash", "Cam"}
    play.lynch("Bex", "Cam", "Dov", "Eli", "Fay")
    assert play.has(Killed, who="Ash", cause="take along")
    assert play.winners() == {"Cam", "Dov", "Eli", "Fay", "Gus"}


def test_lovers_die_together() -> None:
    """They know one another, and one death is two."""
    play = night("lover", "lover")
    assert play.told("Bex")[0] == "You know one another, of the role Lover: Bex and Cam."
    assert play.do("Ash attack Bex", "dawn").alive == {"Ash", "Dov", "Eli", "Fay"}


def test_the_innocent_child_is_known_to_all() -> None:
    """From the start, in public."""
    play = night("innocent-child")
    assert [a.text for a in play.game.ever(Announced, topic="known")] == [
        "It is known to all who holds the role Innocent Child: Bex."]


@each("role", ["traitor", "cultist"])
def test_the_last_of_the_evil_side_take_up_the_hunt(role: str) -> None:
    """When nobody of the pack lives, so that there is always somebody who hunts."""
    play = dealt(role).lynch("Ash", "Bex", "Cam", "Dov", "Eli")
    assert play.game.roles["Bex"] == "werewolf"
    assert play.winners() is None
    assert "Fay" not in play.do("Bex attack Fay", "dawn").alive


@each(("whom", "role", "side"), [
    ("Cam", "cultist", "werewolves"), ("Ash", "werewolf", "werewolves"), ("Dov", "villager", "villagers")])
def test_the_cultist_wins_one_over(whom: str, role: str, side: str) -> None:
    """In the first night: one of the good side who lives to see the morning."""
    play = night("cultist", "doctor").do(f"Bex recruit {whom}", "Ash attack Dov", "dawn")

    assert (play.game.roles[whom], play.game.sides[whom]) == (role, side)


def test_the_vanillaiser_takes_powers() -> None:
    """The Cop, who has looked that night still, is a plain villager from then on."""
    play = night("vanillaiser", "cop").do(
        "Bex drain Cam", "Cam investigate Ash", "Ash attack Eli", "Bex attack Eli", "dawn")

    assert play.told("Cam")[-2] == "Ash is one of the werewolves."
    assert play.game.roles["Cam"] == "villager"
    assert "cop" not in [d.verb for d in play.rules.duties(play.game, "Cam")]


@each(("saved", "lives"), [(False, False), (True, True)])
def test_the_poisoned_die_a_night_later(saved: bool, lives: bool) -> None:
    """They are told in the morning; a Doctor saves them in the night after."""
    play = night("poisoner", "doctor")
    play.do("Bex envenom Dov", "Ash attack Eli", "Bex attack Eli", "dawn")
    assert play.told("Dov") == [POISONED]
    assert "Dov" in play.alive
    play.lynch("Ash", "Cam", "Dov", "Fay").do("Bex attack Fay", f"Cam protect {'Dov' if saved else 'nobody'}", "dawn")
    assert ("Dov" in play.alive) is lives


def test_the_godfather_hunts_with_the_pack_and_seems_good() -> None:
    """E knows the werewolf, agrees with em, talks with em, and can't name em."""
    play = night("godfather", "cop")
    assert play.told("Ash")[0] == play.told("Bex")[0] == "The werewolves are: Ash and Bex."
    with pytest.raises(Refusal, match="one of you"):
        play.do("Ash attack Bex")
    play.do("Ash attack Dov", "Bex attack Eli", "Cam investigate Bex")
    assert play.alive >= {"Dov", "Eli"}
    assert "Bex's choice: attack Eli." in play.told("Ash")
    play.do("Ash attack Eli", "dawn")
    assert "Eli" not in play.alive
    assert play.told("Cam")[-1] == "Bex is not one of the werewolves."
    game, _ = play.rules.speak(play.game, play.game.clock, "Bex", "say", "pack: hello")
    assert game.entries[-1].event.text == "Bex says: hello"  # type: ignore[attr-defined]


def test_the_consort_blocks() -> None:
    """The Cop learns nothing."""
    play = night("consort", "cop").do(
        "Bex seduce Cam", "Cam investigate Ash", "Ash attack Eli", "Bex attack Eli", "dawn")
    assert play.told("Cam")[-1] == "You were kept from acting."


@each(("role", "verb", "whom", "says"), [
    ("framer", "frame", "Dov", "Dov is one of the werewolves."),
    ("lawyer", "whitewash", "Ash", "Ash is not one of the werewolves."),
])
def test_the_cop_is_deceived(role: str, verb: str, whom: str, says: str) -> None:
    """For one night, by what the pack makes of another."""
    play = night(role, "cop").do(
        f"Bex {verb} {whom}", f"Cam investigate {whom}", "Ash attack Eli", "Bex attack Eli", "dawn")
    assert play.told("Cam")[-1] == says


def test_the_ninja_is_not_seen() -> None:
    """Neither followed nor watched."""
    play = night("ninja", "watcher", "tracker").do(
        "Bex attack Eli", "Ash attack Eli", "Cam watch Eli", "Dov track Bex", "dawn")

    assert play.told("Cam")[-1] == "Ash came to Eli."
    assert play.told("Dov")[-1] == "Bex went to nobody."


@each(("hunter", "lives"), [("strongman", False), ("ninja", True)])
def test_nothing_saves_from_the_strongman(hunter: str, lives: bool) -> None:
    """A Doctor's protection is no use, if e comes emself."""
    cast = f"Ash:{hunter} Bex:doctor Cam:villager Dov:villager Eli:villager Fay:villager Gus:werewolf Hal:villager"
    play = Evening(cast, ROLES[hunter], ROLES["doctor"]).lynch("Gus", "Bex", "Cam", "Dov", "Eli", "Fay")
    play.do("Ash attack Cam", "Bex protect Cam", "dawn")

    assert ("Cam" in play.alive) is lives


def test_the_consigliere_learns_roles_for_the_pack() -> None:
    """As a Role Cop does for the town."""
    play = night("consigliere", "cop").do("Bex vet Cam", "Ash attack Eli", "Bex attack Eli", "dawn")
    assert play.told("Bex")[-1] == "Cam's role is Cop."


def test_the_three_other_cops_are_told_what_the_cop_is() -> None:
    """Nothing that their holders read tells them apart."""
    roles = [role_of(library()[name], terms_of(nomic_crossing)) for name in (
        "cop", "insane-cop", "naive-cop", "paranoid-cop")]

    assert len({(role.title, role.story, role.side, role.duties[0].says, role.duties[0].words) for role in roles}) == 1


GOOD = ROLES["commuter"]


@each(("old", "new", "says"), [
    ('side = "good"', 'side = "good"\nhunts = true',
     'it is the werewolves who hunt with a pack, if any; write side = "evil"'),
    ("uses = 2", 'when = "any time"', 'by day it can only have does = ["kill"], or ["take along"]'),
    ('does = ["hide"]', 'does = ["take along"]', '["pardon"], and nothing else, has when = "any time"'),
    ("uses = 2", 'when = "day"', 'by day it can only have does = ["kill"], or ["take along"]'),
    ('does = ["hide"]', 'does = ["switch"]', "needs two persons who live"),
    ("uses = 2", 'answers = "no"', "answers: unknown key"),
    ("[[duty]]", "together = true\none_a_night = true\n[[duty]]\nshared = true", "nobody declines what is shared"),
    ('side = "good"', 'side = "good"\nends = "all win if dead"', "ends the session: good wins if lynched, evil"),
    ('side = "good"', 'side = "good"\nanswers = "no"', "write one of opposite, always good, always evil"),
    ('side = "good"', 'side = "good"\nimmune = ["death"]', "write a list of all, hide"),
])
def test_what_is_wrong_is_named(old: str, new: str, says: str) -> None:
    """Blocks that don't go together are refused, and what could stand there is said."""
    assert old in GOOD
    with pytest.raises(RoleError) as refused:
        role_of(GOOD.replace(old, new), terms_of(nomic_crossing), "roles/commuter.toml")

    assert says in refused.value.why
