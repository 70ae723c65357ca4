"""The characters of Lupus in Tabula."""

from __future__ import annotations

from nomicwolf.village.events import Dawned, Due, Ended, Event, Killed, Lynched, PhaseBegan, Seen, Told, Turned
from nomicwolf.village.game import Game
from nomicwolf.village.laws.actions import stopped
from nomicwolf.village.laws.groups import MASONS, PACK, Question, among, ask_together, attack
from nomicwolf.village.role_file import Terms
from nomicwolf.village.roles import from_files
from nomicwolf.village.rules import (
    Duty,
    Events,
    Role,
    acquainted,
    another,
    each_night,
    immune,
    instead,
    looks_evil,
    on_nights,
    whenever,
)


def pack_hunts(game: Game, me: str) -> bool:
    """D-T1: from the second night on, or from the first if the first victim is a player."""
    return each_night(game, me) and (game.number > 1 or game.switches.get("first_night_victim") == "player")


hunt, hunt_rules = attack(
    "werewolf", opens=pack_hunts, may_pass=False, stopped=stopped, cites=("LT 3c", "D-T19", "D-T20"))
see, see_rules = ask_together(
    Question("seer", "werewolves", "{who} is {negation}a Werewolf."), cites=("LT 3a", "D-T17", "D-T19"),
    says="learn whether e is a Werewolf; where two see, they ask about whom most of them name")

werewolf = Role(
    "werewolf", "werewolves", (hunt, among(PACK, "werewolf", cites=("LT 3c",))),
    (*hunt_rules, *acquainted("werewolf", topic="pack", text="The Werewolves are: {}.", cites=("LT 3c", "D-T16"))),
    title="Werewolf", cites=("LT 3c",),
    story="You are a Werewolf. By night the Werewolves choose together one player to slaughter, from the second night "
    "on or, if the start says so, from the first.",
    kills={"night": "the Werewolves"},
)
seer = Role(
    "seer", "humans", (see,),
    (*see_rules, *acquainted("seer", topic="seers", text="Those who see are: {}.", alone="", cites=("D-T17",))),
    title="Seer", cites=("LT 3a",),
    story="You are the Seer, a Human. Each night you name another player, and learn whether e is a Werewolf.",
)


@whenever(PhaseBegan, "LT 8a", "D-T14")
def hear_the_dead(game: Game, event: PhaseBegan) -> Events:
    """LT 8a: from the second night on the Medium learns what the last one lynched was, as e was at death."""
    last = game.last(Lynched)
    if event.phase != "night" or event.number < 2 or last is None:
        return None
    negation = "" if looks_evil(game, last.who, "werewolves") else "not "
    text = f"{last.who}, who was lynched last, was {negation}a Werewolf."
    return [Told(p, "medium", text, (last.who,)) for p in game.living("medium")]


medium = Role(
    "medium", "humans", (), (hear_the_dead,), title="Medium", cites=("LT 8a",),
    story="You are the Medium, a Human. Each night from the second on you learn whether the one who was lynched last "
    "was a Werewolf.",
)
FILES = from_files("tabula", Terms("werewolves", "humans"))
freemason = Role(
    "freemason", "humans", (among(MASONS, "freemason", cites=("LT 8e",)),),
    acquainted("freemason", topic="freemasons", text="The Freemasons are: {}.", cites=("LT 8e",)),
    title="Freemason", cites=("LT 8e", "D-T3"),
    story="You are a Freemason, a Human, and know the other one. By night you can talk with em.",
)


@whenever(Seen, "LT 8f", "D-T13")
def die_of_second_sight(game: Game, event: Seen) -> Events:
    """LT 8f: if the Seer points at em, the Werehamster is killed at dawn."""
    return [Due(Killed(event.who, "second sight"))] if game.roles[event.who] == "werehamster" else None


@instead(Ended, "LT 8f", "D-T24")
def win_alone(game: Game, event: Ended) -> Events:
    """LT 8f: alive at the end, the Werehamster is the only winner."""
    left = game.living("werehamster")
    return [Ended("werehamster", left, f"{event.why}; LT 8f")] if left and event.winners != left else None


werehamster = Role(
    "werehamster", "alone", (), (immune("werehamster", "attack", "LT 8f"), die_of_second_sight, win_alone),
    title="Werehamster", cites=("LT 8f",),
    story="You are the Werehamster and play alone. The Werewolves can't kill you, the Seer's glance does. If you are "
    "alive when the game ends, you alone win.",
    kills={"night": "the Seer's glance"},
)


STAYS = "mythomaniac"
"""The topic of what a Mythomaniac is told who has become nothing else."""


def become(game: Game, me: str, what: tuple[str, ...]) -> Events:
    """LT 8g: point at a Werewolf or the Seer and become the same at dawn; at anyone else and stay a Human."""
    (it,) = what
    news: Event = Told(me, STAYS, "You stay a Human until the game ends.")
    if game.roles[it] in ("werewolf", "seer"):
        news = Turned(me, game.roles[it], game.sides[it])
    return [Due(news)]


@instead(Turned, "D-T18")
def only_the_living(game: Game, event: Turned) -> Events:
    """D-T18: killed in that night, the Mythomaniac changes no more."""
    return [] if event.who not in game.alive else None


@instead(Told, "D-T18")
def nothing_to_the_killed(game: Game, event: Told) -> Events:
    """D-T18: nor is e told that e stays a Human, which would say what the one pointed at is not."""
    return [] if event.topic == STAYS and game.now(Dawned) and event.to not in game.alive else None


@whenever(Turned, "LT 8g", "D-T16", "D-T17")
def tell_turned(game: Game, event: Turned) -> Events:
    """LT 8g: e learns what e has become."""
    title = {"werewolf": "a Werewolf", "seer": "the Seer"}.get(event.role)
    return [Told(event.who, "turned", f"You have become {title}.")] if title else None


imitate = Duty(
    "point", on_nights(2), another, become, may_pass=True, cites=("LT 8g", "D-T15"),
    says="point NAME: your one chance to become what e is", silence="If you don't, your one chance is gone (D-T18).",
)
mythomaniac = Role(
    "mythomaniac", "humans", (imitate,), (only_the_living, nothing_to_the_killed, tell_turned), title="Mythomaniac",
    cites=("LT 8g",),
    story="You are the Mythomaniac, a Human. In the second night you point at another player: if e is a Werewolf or "
    "the Seer, you become the same in the morning, else you stay a Human.",
)
