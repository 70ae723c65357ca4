"""The rule set of Lupus in Tabula.

Eleven characters, nominations and a ballot; no card is ever shown (LT 5f).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from nomicwolf.village.events import Announced, Event
from nomicwolf.village.game import Game
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.laws.phases import Ending, common, departures, ending, executions, mortality, nights
from nomicwolf.village.laws.runoff import runoff
from nomicwolf.village.lots import dealt
from nomicwolf.village.roles import tabula as cast
from nomicwolf.village.rules import Dealt, Licences, Refusal, Switch

ROLES = {r.name: r for r in (
    cast.werewolf, cast.FILES["villager"], cast.seer, cast.medium,
    *(cast.FILES[name] for name in ("possessed", "bodyguard", "owl")), cast.freemason, cast.werehamster,
    cast.mythomaniac,
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
