"""The rule set of Mafia in six phases, with its roles.

Sealed nominations and trials by day, mafia and town by night, feedback in the morning. The roles have the terms of the
community: cop, doctor, roleblocker, tracker, watcher ...

There is no parity, but where a contest wants it (D-A26) or the mafia never hunt (D-M22). With both sides gone it is a
draw (D-M10).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nomicwolf.village.events import Announced, Lynched, Opened, PhaseBegan
from nomicwolf.village.game import Game
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.laws.actions import resolution, stopped
from nomicwolf.village.laws.groups import PACK, among, attack, questions, seance
from nomicwolf.village.laws.phases import (
    CARDS,
    EVIL_WINS,
    Ending,
    as_many,
    cards,
    common,
    departures,
    ending,
    executions,
    mortality,
    nights,
)
from nomicwolf.village.laws.trials import LAST_WORDS_SWITCH, trial
from nomicwolf.village.lots import as_asked
from nomicwolf.village.role_file import Terms, from_files
from nomicwolf.village.rules import (
    EACH_NIGHT,
    HUNT_NIGHTS,
    NEVER,
    Course,
    Dealt,
    Events,
    Licences,
    Role,
    Switch,
    acquainted,
    hunt_switch,
    whenever,
)

FIRST_DAY = Switch("first_day", ("talk", "trial"), "D-M23", "whether the first day is a short talk, or one with trials")


def first_phase(game: Game) -> PhaseBegan:
    """SP 0b, D-M23: a short day 0, or a day like all others."""
    return PhaseBegan("day", int(game.switches.get(FIRST_DAY.name) == "trial"))


def never_hunted(game: Game) -> bool:
    """D-M22: whether the mafia kill on no night at all."""
    return game.switches.get(HUNT_NIGHTS) == NEVER


def wins_as_many(game: Game) -> bool:
    """D-A26: whether the mafia win as soon as they are as many as the townies, which they do where they never kill."""
    return as_many(game) or never_hunted(game)


@whenever(Opened, "SP 4", "D-M22")
def tell_nights(game: Game, event: Opened) -> Events:
    """D-M22: all are told at the start if the mafia don't kill on each night."""
    nights = game.switches.get(HUNT_NIGHTS, EACH_NIGHT)
    if nights == EACH_NIGHT:
        return None
    if never_hunted(game):
        return [Announced("hunt nights", "The mafia kill on no night. They have their votes alone, and win as soon as "
                          "they are as many as the townies.")]
    return [Announced("hunt nights", f"The mafia kill on some nights only: {nights}.")]


kill, kill_rules = attack(
    "mafioso", "godfather", each="mafia_picks", stopped=stopped,
    cites=("SP 4", "D-M7", "D-M12", "D-M21"))
knows = acquainted(
    "mafioso", "godfather", topic="pack", text="The mafia are: {}.", alone="You are the only one of the mafia.",
    cites=("SP 4", "D-M12"))
talk = among(PACK, "mafioso", "godfather", cites=("SP 4",))
MAFIA = {"night": "the mafia"}
mafioso = Role(
    "mafioso", "mafia", (kill, talk), (*kill_rules, *knows, tell_nights), title="mafioso", cites=("SP 4",),
    story="You are one of the mafia. Each night each of you picks a target, or nobody.",
    kills=MAFIA,
)
godfather = Role(
    "godfather", "mafia", (kill, talk), (*kill_rules, *knows, tell_nights), title="Godfather", cites=("SP 4", "D-M8"),
    story="You are the Godfather, one of the mafia, and pick a target with them each night. The cop is told that you "
    "are not of the mafia.",
    seems="good", kills=MAFIA,
)
FILES = from_files("six-phases", Terms("mafia", "town", ("neutral",), law=True, trials=True))


ROLES = {r.name: r for r in (mafioso, godfather, *(FILES[name] for name in (
    "townie", "cop", "doctor", "roleblocker", "tracker", "watcher", "vigilante", "medium", "mayor", "miller",
    "neutral")))}


def deal(names: Sequence[str], chosen: Sequence[str], seed: str, switches: Mapping[str, str]) -> Dealt:
    """SP 0a, D-M15: the rules name no counts, so *chosen* must list the roles; the others are townies."""
    return as_asked(names, chosen, seed, ROLES, plain="townie", cites=("SP 0a", "D-M15"))


def free_discussion(game: Game, me: str) -> bool:
    """D-M16: open to the living while all may talk."""
    return game.phase == "day" and game.stage in ("discussion", "closing") and me in game.alive


def card(game: Game, who: str) -> str:
    """Return what *who* was: ``the cop`` if there was one in the deal, else ``a townie``."""
    role = game.roles[who]
    dealt = [r for _, r, _ in game.opened.deal] if game.opened else []
    return f"{'a' if dealt.count(role) > 1 else 'the'} {game.cards[role].title}"


LICENCES: Licences = {
    "opened": ("SP 0a",), "roles-brought": ("SP 0a",),
    "drawn setup": ("SP 0a",), "removed": ("NC 1c", "D-A2"), "killed departure": ("D-A2",),
    "killed attack": ("SP 4", "D-M7"), "killed shoot": ("SP 5", "D-M8"), "phase-began night": ("SP 0c",),
    "stage-began night": ("SP 4", "SP 5", "D-A1"), "stage-began discussion": ("SP 1", "D-A1"),
    "stage-began nominations": ("SP 2a", "D-M1", "D-A1"), "stage-began ballot": ("SP 2c", "D-M3", "D-A1"),
    "ballots-opened nominations": ("SP 2a", "D-M1"), "ballots-opened ballot": ("SP 2c", "D-M3"),
    "nominated": ("SP 2c",), "tried": ("SP 2b", "SP 2c", "D-M3"), "stage-began defence": ("SP 3a", "D-A1"),
    "stage-began discussion on trial": ("SP 3a", "D-A1"),
    "stage-began verdict": ("SP 3b", "D-M4", "D-A1"), "ballots-opened verdict": ("SP 3b", "D-M1"),
    "announced verdict": ("SP 3c",), "stage-began last words": ("SP 3c", "D-M14"), "acquitted": ("SP 3d", "D-M5"),
    "stage-began closing": ("SP 3e", "D-A1"), "announced quiet day": ("SP 3e",), "announced count": ("D-M19",),
}
"""By which clauses happens what the rules of several clauses bring about."""

six_phases = Ruleset(
    "six-phases",
    "Mafia in six phases",
    "SP",
    laws=(
        mortality("SP 0e"),
        ending(Ending("mafia", "town", parity=wins_as_many, neither=lambda game: "draw",
               evil_wins=("SP 0d", "D-M11"), at_parity=("SP 0d", "D-A26"),
               good_wins=("SP 0d",), both_gone=("SP 0d", "D-M10"))),
        cards(Lynched, titles=card, cites=("SP 3c",)),
        executions("SP 3c"),
        trial(2, nominate=("SP 2a", "SP 2b", "SP 2c", "D-M1", "D-M3"), verdict=("SP 3b", "SP 3c", "SP 3d", "D-M5")),
        resolution("mafia", "SP 5", "SP 6", "D-M8", "D-M9"),
        departures("SP 0e", "D-A2"),
        seance("SP 0e", "D-M13"),
        questions(free_discussion, "SP 0f", "D-M16"),
        nights(opens=("SP 0b",), night=("SP 0c", "SP 4"), dawn=("SP 6",), first=first_phase),
    ),
    roles=ROLES,
    deal=deal,
    switches=(
        Switch("mafia_picks", ("plurality", "each"), "D-M7", "whether the mafia kill one a night, or one each"),
        hunt_switch("D-M22", "the mafia"),
        FIRST_DAY,
        LAST_WORDS_SWITCH,
        CARDS,
        EVIL_WINS,
        *common("the short first day, and the talk after a defence and at a day's end, last as long as a defence, a "
                "verdict as a ballot"),
    ),
    optional=tuple(ROLES),
    smallest=4,
    plain="townie",
    aliases={"mafia": "mafioso", "goon": "mafioso", "town": "townie", "townsperson": "townie", "villager": "townie",
             "vanilla": "townie", "vanilla townie": "townie", "vt": "townie", "mafia goon": "mafioso",
             "policeman": "cop", "police": "cop", "detective": "cop", "doc": "doctor", "blocker": "roleblocker",
             "vig": "vigilante", "third party": "neutral"},
    first="day",
    condemned="executed",
    tells_causes=True,
    rulings="D-M",
    licences=LICENCES,
    evil="mafia",
    example="mafioso,mafioso,cop,doctor",
    uncounted=("SP 0a", "D-M15"),
    course=Course(parity=False, night_first=True, least=3),  # of two the accused says innocent: a tie (SP 3c, D-M4)
)
