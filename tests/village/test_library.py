"""The library of roles as files: each is played in a session, and none ever leaves one stuck."""

from __future__ import annotations

import random
from functools import cache

import pytest
from hypothesis import Phase, given, settings

from nomicwolf.archive.replay import Redone, replay_moves
from nomicwolf.ledger.records import read_entry, write_entry
from nomicwolf.reports.setups import checked_setup, fitting_rulesets, role_texts
from nomicwolf.village.events import Entry, Killed, Lynched, Opened, RolesBrought
from nomicwolf.village.game import Game, replay
from nomicwolf.village.kernel import with_switches
from nomicwolf.village.role_file import name_of
from nomicwolf.village.rules import Refusal
from nomicwolf.village.rulesets import BUILT_IN, library, ruleset, setups
from tests.tables import each
from tests.village.chance import LISTS, Chance
from tests.village.test_properties import FEW, SEEDS, check_record
from tests.village.test_role_files import Brought

pytestmark = pytest.mark.slow

ROLES = library()
CAST = "Ash:werewolf Bex:{} Cam:{} Dov:villager Eli:villager Fay:villager Gus:villager"


@cache
def fitting(name: str) -> tuple[str, ...]:
    """The texts of the library's roles that fit the rule set *name*; to find them takes seconds."""
    return tuple(text for role, text in ROLES.items() if fitting_rulesets(text, f"{role}.toml", name)[0])


def night(first: str, second: str = "villager", cast: str = CAST) -> Brought:
    """The first night of nomic-crossing with two roles of the library, held by Bex and Cam; Gus was lynched."""
    texts = tuple(ROLES[role] for role in dict.fromkeys((first, second)) if role in ROLES)
    return Brought(cast.format(first, second), *texts).lynch("Gus", "Ash", "Bex", "Cam", "Dov")


def test_there_are_more_than_ten_and_each_is_for_a_rule_set() -> None:
    """Each file is called as its role, and all that is wrong in a rule set is that it has such a role or verb."""
    assert len(ROLES) >= 52
    for name, text in ROLES.items():
        assert name_of(text) == name
        fits, problems = fitting_rulesets(text, f"roles/{name}.toml")
        assert fits
        assert all("has a role called" in p or "means something else in" in p for p in problems)
    assert all(len(fitting(name)) >= 9 for name in BUILT_IN)


def test_the_cop_learns_sides_and_is_deceived() -> None:
    """The Miller seems evil, the Traitor good; the werewolf is what e is."""
    told = {}
    for role, whom in (("villager", "Ash"), ("villager", "Cam"), ("miller", "Cam"), ("traitor", "Cam")):
        play = night("cop", role).do("Ash attack Dov", f"Bex investigate {whom}", "dawn")
        told[role, whom] = play.told("Bex")[-1]

    assert told == {
        ("villager", "Ash"): "Ash is one of the werewolves.", ("villager", "Cam"): "Cam is not one of the werewolves.",
        ("miller", "Cam"): "Cam is one of the werewolves.", ("traitor", "Cam"): "Cam is not one of the werewolves."}


def test_the_miller_deceives_a_seer_too() -> None:
    """NC 7a: who looks for the side sees what the Miller's card says."""
    texts = (ROLES["miller"],)
    play = Brought(CAST.format("seer", "miller"), *texts).lynch("Gus", "Ash", "Bex", "Cam", "Dov")

    assert play.do("Bex see Cam").told("Bex")[-1] == "Cam is a werewolf."


def test_the_doctor_saves_from_pack_and_vigilante() -> None:
    """And cannot be told whom e saved."""
    play = night("doctor", "vigilante").do("Ash attack Dov", "Bex protect Dov", "dawn")
    assert "Dov" in play.alive
    assert play.told("Bex") == []


def test_the_vigilante_kills_once_from_the_second_night_on() -> None:
    """Nothing is open on the first; what is taken back is not used up."""
    play = night("vigilante")
    with pytest.raises(Refusal):
        play.do("Bex execute Dov")
    play.do("Ash attack Eli", "dawn").lynch("Fay", "Ash", "Bex", "Cam")
    play.do("Bex execute Dov", "Bex execute Ash", "Ash attack Dov", "dawn")

    assert play.winners() == {"Bex", "Cam"}
    assert play.has(Killed, who="Ash", cause="shoot")


def test_the_roleblocker_stops_who_acts_by_night() -> None:
    """A cop who is blocked learns nothing but that; a single werewolf who is, kills nobody."""
    play = night("roleblocker", "cop").do("Ash attack Dov", "Bex block Cam", "Cam investigate Ash", "dawn")
    assert play.told("Cam") == ["You were kept from acting."]
    assert "Dov" not in play.alive

    assert "Dov" in night("roleblocker").do("Ash attack Dov", "Bex block Ash", "dawn").alive


def test_tracker_and_watcher_see_who_went_where() -> None:
    """The werewolf's way to eir victim, and all who came to a door."""
    play = night("tracker", "watcher").do("Ash attack Dov", "Bex track Ash", "Cam watch Dov", "dawn")
    assert play.told("Bex")[-1] == "Ash went to Dov."
    assert play.told("Cam")[-1] == "Ash came to Dov."


def test_the_jailkeeper_keeps_and_guards() -> None:
    """Who is jailed is safe, and goes nowhere."""
    play = night("jailkeeper", "tracker").do("Ash attack Cam", "Bex jail Cam", "Cam track Ash", "dawn")
    assert "Cam" in play.alive
    assert play.told("Cam") == ["You were kept from acting."]


def test_the_bodyguard_dies_in_anothers_place() -> None:
    """The werewolves came for Dov; where the Doctor is there first, nobody dies."""
    alone = night("bodyguard").do("Ash attack Dov", "Bex shadow Dov", "dawn")
    assert alone.alive == {"Ash", "Cam", "Dov", "Eli", "Fay"}

    both = night("bodyguard", "doctor").do("Ash attack Dov", "Bex shadow Dov", "Cam protect Dov", "dawn")
    assert both.alive == {"Ash", "Bex", "Cam", "Dov", "Eli", "Fay"}


def test_the_bulletproof_live_once() -> None:
    """E is told, and the next time e dies; a doctor's protection doesn't use it up."""
    play = night("bulletproof", "doctor").do("Ash attack Bex", "Cam protect Bex", "dawn")
    assert play.told("Bex") == []
    play.lynch("Fay", "Ash", "Bex", "Cam", "Dov").do("Ash attack Bex", "Cam protect nobody", "dawn")
    assert play.told("Bex") == ["Somebody tried to kill you tonight, and you live."]
    play.lynch("Eli", "Ash", "Bex", "Cam").do("Ash attack Bex", "Cam protect nobody", "dawn")
    assert "Bex" not in play.alive


def test_masons_know_one_another_and_talk() -> None:
    """From the start, and by night."""
    play = night("mason", "mason")
    assert play.told("Bex")[0] == "You know one another, of the role Mason: Bex and Cam."
    game, _ = play.rules.speak(play.game, play.game.clock, "Bex", "say", "masons: hello")
    assert game.entries[-1].event.text == "Bex says: hello"  # type: ignore[attr-defined]


def test_the_role_cop_learns_a_role() -> None:
    """By its title."""
    play = night("role-cop", "miller").do("Ash attack Dov", "Bex profile Cam", "dawn")
    assert play.told("Bex")[-1] == "Cam's role is Miller."


def test_the_gunslinger_shoots_once_by_day() -> None:
    """The death is told at once, and not who did it; the vote goes on among those who are left."""
    texts = (ROLES["gunslinger"],)
    play = Brought(CAST.format("gunslinger", "villager"), *texts).do("Bex gun-down Dov")
    assert "Dov" in play.game.shown_dead
    play.lynch("Fay", "Ash", "Bex", "Cam", "Eli").do("Ash attack Cam", "dawn")
    with pytest.raises(Refusal):
        play.do("Bex gun-down Ash")


@each(("lynched", "wins"), [("Bex", True), ("Gus", False)])
def test_the_jester_wins_by_being_lynched(lynched: str, wins: bool) -> None:
    """And with nobody else."""
    play = Brought(CAST.format("jester", "villager"), ROLES["jester"])
    play.lynch(lynched, "Ash", "Cam", "Dov", "Eli")
    play.do("Ash attack Dov", "dawn").lynch("Ash", *play.game.living()[1:4])

    won = play.winners()
    assert won is not None
    assert ("Bex" in won, "Cam" in won) == (wins, True)


def test_the_survivor_wins_with_whoever_does() -> None:
    """With the werewolves here; e has lived through one attack."""
    play = night("survivor").do("Ash attack Bex", "dawn")
    play.lynch("Cam", "Ash", "Dov", "Eli", "Fay").do("Ash attack Dov", "dawn")
    play.lynch("Eli", "Ash", "Bex", "Fay").do("Ash attack Fay", "dawn")

    assert play.winners() == {"Ash", "Bex"}


@each(("words", "wins"), [
    ("only if among the last 3", True), ("also if among the last 2", True), ("only if among the last 1", False),
    ("only if 5 of the good side are dead", True), ("only if 6 of the good side are dead", False),
    ("also if 2 of the good side are dead", True), ("only if 1 of the evil side are dead", False),
])
def test_a_role_wins_by_a_count(words: str, wins: bool) -> None:
    """Only the werewolf and Bex are left, five of the good side having died; by the end, and ending nothing sooner."""
    text = f'name = "gambler"\nside = "good"\nstory = "You bet."\nwins = "{words}"\n'
    play = Brought(CAST.format("gambler", "villager"), text)
    play.lynch("Cam", "Ash", "Dov", "Eli", "Fay").do("Ash attack Dov", "dawn")
    assert play.winners() is None
    play.lynch("Eli", "Ash", "Bex", "Fay").do("Ash attack Fay", "dawn").lynch("Gus", "Ash", "Bex")

    assert play.winners() == ({"Ash", "Bex"} if wins else {"Ash"})


def test_the_traitor_is_of_the_evil_side_and_knows_nobody() -> None:
    """Parity counts em; the pack doesn't, and may attack em."""
    play = night("traitor")
    assert play.game.sides["Bex"] == "werewolves"
    assert play.told("Bex") == []
    assert play.do("Ash attack Bex", "dawn").has(Killed, who="Bex", cause="attack")


class Library(Chance):
    """A session of the rule set *name* with some roles of the library, as chance *number* has it."""

    def __init__(self, name: str, number: int) -> None:
        self.random = random.Random(number)
        texts = tuple(self.random.sample(fitting(name), self.random.randint(1, 5)))
        self.rules = ruleset(name, texts)
        more = tuple(name_of(text) for text in texts for _ in range(self.random.choice((1, 1, 2))))
        roles = (*self.random.choice(LISTS[name]), *more)
        self.switches = {s.name: self.random.choice(s.values) for s in self.rules.switches
                         if s.values and self.random.random() < 0.3}
        if any(s.name == "hunt_nights" for s in self.rules.switches) and self.random.random() < 0.3:
            self.switches["hunt_nights"] = self.random.choice(("never", "from night 2", "odd nights", "even nights"))
        if self.random.random() < 0.2:
            self.switches["surrender"] = "1"
        n = self.random.randint(max(self.rules.smallest, len(roles) + 5), max(12, len(roles) + 6))
        self.unrest = self.random.choice((0.0, 0.01, 0.05, 0.15))
        self.heirs = self.stays = 0
        self.game = self.begun(n, str(number), roles, texts)
        self.record: list[Entry] = list(self.game.entries)

    def begun(self, n: int, seed: str, roles: tuple[str, ...], texts: tuple[str, ...]) -> Game:
        """A session of *n* players that has just begun."""
        names, switches = [f"p{i}" for i in range(n)], self.switches
        if switches.get("dealt_by_moderator") == "on":
            by_lot = {k: v for k, v in switches.items() if k != "dealt_by_moderator"}
            roles = tuple(f"{p}={r}" for p, r in self.rules.deal(names, roles, seed, by_lot)[0])
        dealt, drawn = self.rules.deal(names, roles, seed, switches)
        deal = tuple((p, r, self.rules.roles[r].side) for p, r in dealt)
        event = Opened(self.rules.name, 1, seed, deal, with_switches(self.rules, switches))
        return self.rules.settle(Game(), 1, (event, *drawn, RolesBrought(texts)), (), "command")[0]


class Varied(Library):
    """A session of a setup that comes with the program, as chance *number* has it, with up to two roles more."""

    def __init__(self, number: int) -> None:
        self.random = random.Random(number)
        name = self.random.choice(sorted(setups()))
        setup, rules, players = checked_setup(setups()[name], name, {})
        texts = role_texts(ruleset(rules.name), setup.roles, {})
        more = [text for text in fitting(rules.name) if name_of(text) not in rules.roles]
        more = self.random.sample(more, self.random.randint(0, 2))
        self.rules = ruleset(rules.name, (*texts, *more))
        self.switches = dict(setup.switches)
        self.unrest = self.random.choice((0.0, 0.01, 0.05))
        self.heirs = self.stays = 0
        names, roles = [f"p{i}" for i in range(players[0] + len(more))], (*setup.roles, *map(name_of, more))
        dealt, drawn = self.rules.dealt(names, roles, str(number), self.switches)
        deal = tuple((p, r, self.rules.roles[r].side) for p, r in dealt)
        event = Opened(self.rules.name, 1, str(number), deal, with_switches(self.rules, self.switches), roles)
        first = (event, *drawn, RolesBrought((*texts, *more)))
        self.game = self.rules.settle(Game(), 1, first, (), "command")[0]
        self.record: list[Entry] = list(self.game.entries)


def played_and_redone(chance: Library) -> Game:
    """Play a session to its end, replay it and make each of its moves again; return its game."""
    game = chance.play()

    assert game.over, f"{game.phase} {game.number} {game.stage}, {len(game.alive)} alive"
    check_record(game, chance.record)
    again = replay(chance.record)
    for part in ("alive", "phase", "table", "roles", "sides", "shown_dead", "clock", "deadline", "brought"):
        assert getattr(again, part) == getattr(game, part)
    assert list(replay_moves(chance.record, chance.rules, Redone())) == []
    return game


@settings(FEW, phases=(Phase.explicit, Phase.generate))
@given(number=SEEDS)
def test_no_session_of_a_shipped_setup_is_ever_stuck(number: int) -> None:
    """With rows that the lot draws, mafia who never hunt, two packs; it ends, and can be redone move by move."""
    assert played_and_redone(Varied(number)).over


@pytest.mark.parametrize("name", sorted(BUILT_IN))
@settings(FEW, phases=(Phase.explicit, Phase.generate))
@given(number=SEEDS)
def test_no_session_with_roles_of_the_library_is_ever_stuck(name: str, number: int) -> None:
    """It ends, replay gives the same, each line survives the ledger's form, and each move can be made again."""
    chance = Library(name, number)
    game = played_and_redone(chance)

    assert [read_entry(write_entry(e)) for e in chance.record] == chance.record
    assert chance.rules.roles.keys() > BUILT_IN[name].roles.keys()
    assert all(not game.ever(Lynched) or who in game.seats for who in game.shown_dead)
