"""The rule set of Lupus in Tabula, with its characters.

Eleven characters, nominations and a ballot; no card is ever shown (LT 5f).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from nomicwolf.village.events import (
    Announced,
    Dawned,
    Due,
    Ended,
    Event,
    Killed,
    Lynched,
    PhaseBegan,
    Seen,
    Told,
    Turned,
)
from nomicwolf.village.game import Game
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.laws.actions import stopped
from nomicwolf.village.laws.groups import MASONS, PACK, Question, among, ask_together, attack
from nomicwolf.village.laws.phases import Ending, common, departures, ending, executions, mortality, nights
from nomicwolf.village.laws.runoff import runoff
from nomicwolf.village.lots import dealt
from nomicwolf.village.role_file import Terms, from_files
from nomicwolf.village.rules import (
    Dealt,
    Duty,
    Events,
    Licences,
    Refusal,
    Role,
    Switch,
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
    """LT 8a: from the second night on the Medium learns what the last one lynched was, as they were at death."""
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
    """LT 8f: if the Seer points at them, the Werehamster is killed at dawn."""
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
    """D-T18: nor are they told that they stay a Human, which would say what the one pointed at is not."""
    return [] if event.topic == STAYS and game.now(Dawned) and event.to not in game.alive else None


@whenever(Turned, "LT 8g", "D-T16", "D-T17")
def tell_turned(game: Game, event: Turned) -> Events:
    """LT 8g: they learn what they have become."""
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


ROLES = {r.name: r for r in (
    werewolf, FILES["villager"], seer, medium,
    *(FILES[name] for name in ("possessed", "bodyguard", "owl")), freemason, werehamster,
    mythomaniac,
)}
SUGGESTED = {"medium": 9, "possessed": 10, "bodyguard": 11, "owl": 12, "freemason": 13, "werehamster": 15,
             "mythomaniac": 16}


def deal(names: Sequence[str], chosen: Sequence[str], seed: str, switches: Mapping[str, str]) -> Dealt:
    """LT 2b, LT 2c, LT 2d: two Werewolves, three from sixteen on, the Seer, *chosen* special characters, Villagers."""
    n = len(names)
    if not 8 <= n <= 24:
        raise Refusal(f"Lupus in Tabula is for 8 to 24 players; there are {n}.", ("LT 2b", "LT 2d"))
    special = [r for r in chosen if r in SUGGESTED]
    if len(special) < len(chosen):
        raise Refusal(f"Special characters are {', '.join(SUGGESTED)}.", ("LT 8",), tuple(SUGGESTED))
    if special.count("freemason") == 1:
        raise Refusal("Freemasons come as two or not at all: name freemason twice.", ("LT 8e", "D-T3"))
    wolves = 3 if n >= 16 else 2
    rest = n - wolves - 1 - len(special)
    if any(special.count(r) > (2 if r == "freemason" else 1) for r in special):
        raise Refusal("Each special character is in the deck once, the Freemasons twice.", ("LT 8",), tuple(SUGGESTED))
    if rest < 0 or rest > 12:
        raise Refusal(f"The deck has no such {n} cards: {rest} Villagers would be needed.", ("LT 2d",))
    return dealt(names, ["werewolf"] * wolves + ["seer", *sorted(special)] + ["villager"] * rest, seed)


def warnings(n: int, chosen: Sequence[str]) -> tuple[str, ...]:
    """D-T2: return which of *chosen* are suggested for more players only."""
    early = [r for r in dict.fromkeys(chosen) if SUGGESTED.get(r, 0) > n]
    return tuple(f"{r} is suggested from {SUGGESTED[r]} players on" for r in early)


def first_victim(game: Game) -> Iterable[Event]:
    """LT 7: “on the first morning the moderator announces eir own death” (D-T1)."""
    if game.number == 1 and game.switches.get("first_night_victim") == "moderator":
        return (Announced("first victim", "The Moderator is dead."),)
    return ()


LICENCES: Licences = {
    "opened": ("LT 2a", "LT 2b", "LT 2c"), "roles-brought": ("LT 2a", "LT 2b", "LT 2c"),
    "drawn setup": ("LT 2a", "LT 2b", "LT 2c"),
    "removed": ("NC 1c", "D-A2"), "killed departure": ("D-A2",), "killed attack": ("LT 3c",),
    "killed second sight": ("LT 8f", "D-T13"), "turned": ("LT 8g", "D-T16"),
    "announced first victim": ("LT 7", "D-T1"), "phase-began night": ("LT 3",), "stage-began night": ("LT 3", "D-A1"),
    "stage-began discussion": ("LT 4b", "LT 5a", "D-T28", "D-A1"),
    "stage-began nominations": ("LT 5a", "D-T22", "D-A1"), "counted nominations": ("LT 5a",),
    "ballots-opened nominations": ("LT 5b", "D-T22"), "announced the Owl's choice": ("LT 8d", "D-T27"),
    "nominated nominations": ("LT 5b", "D-T5", "D-T6"), "stage-began defence": ("LT 5c", "D-T25", "D-A1"),
    "stage-began ballot": ("LT 5d", "D-A1"), "nominated ballot": ("LT 5e", "D-T8"),
    "drawn day": ("LT 5e", "D-T9"), "announced a lot": ("LT 5e", "D-T9"),
}
"""By which clauses happens what the rules of several clauses bring about."""

tabula = Ruleset(
    "tabula",
    "Lupus in Tabula",
    "LT",
    laws=(
        mortality("LT 4a"),
        ending(Ending("werewolves", "humans", also=("possessed",), passing_for_good=("alone",),
               evil_wins=("LT 6b", "LT 6c", "D-T4"), good_wins=("LT 6a", "LT 6c"))),
        executions("LT 5d"),
        runoff(1, nominate=("LT 5a", "LT 5b", "D-T5", "D-T6", "D-T22", "D-T23"),
               decide=("LT 5d", "LT 5e", "D-T7", "D-T8", "D-T9")),
        departures("D-A2"),
        nights(opens=("LT 3",), night=("LT 3c", "D-T21"), dawn=("LT 4a",), extra=first_victim),
    ),
    roles=ROLES,
    deal=deal,
    switches=(
        Switch("first_night_victim", ("moderator", "player"), "D-T1", "who dies in the first night"),
        Switch("ballot_order", ("open", "sequential"), "D-T22", "whether votes come in seat order, after the talk"),
        *common("there is a time for discussion alone only where votes come in turn (D-T28)"),
    ),
    optional=tuple(SUGGESTED),
    smallest=8,
    plain="villager",
    cards=("LT 2a", "LT 4b"),
    aliases={"wolf": "werewolf", "human": "villager", "mason": "freemason", "hamster": "werehamster",
             "guard": "bodyguard", "lunatic": "mythomaniac"},
    warnings=warnings,
    first="night",
    tells_causes=True,
    rulings="D-T",
    licences=LICENCES,
)
