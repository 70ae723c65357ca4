"""The rule set of Mafia with a narrator, with its roles.

A call for a vote by day, the Doctor who raises the dead, nothing shown till the end (NM 4b).

The mafia kill by night (NM 2a), the majority by day (NM 2b); the narrator plays no part (NM 3a).
The end is tested at dusk at once (D-C10), at dawn after both announcements (D-C9). The dead may come back, so they talk
with nobody and learn nothing (D-C14).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from nomicwolf.village.events import Chose, Due, Ended, Event, Killed, NightClosed, PhaseBegan, Removed, Revived
from nomicwolf.village.game import Game
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.laws.actions import stopped
from nomicwolf.village.laws.groups import (
    MASONS,
    NOBODY,
    PACK,
    POLICEMEN,
    Question,
    among,
    ask_together,
    attack,
    choices,
)
from nomicwolf.village.laws.phases import (
    COMMON,
    EVIL_WINS,
    Ending,
    as_many,
    departures,
    ending,
    executions,
    mortality,
    nights,
)
from nomicwolf.village.laws.trials import accusation
from nomicwolf.village.lots import as_asked
from nomicwolf.village.role_file import Terms, from_files
from nomicwolf.village.rules import (
    Course,
    Dealt,
    Duty,
    Events,
    Law,
    Licences,
    Owed,
    Role,
    Switch,
    acquainted,
    always,
    anyone,
    from_night,
    the_dead,
    whenever,
    while_night_is_open,
)

kill, kill_rules = attack(
    "mafioso", "godfather", opens=from_night(2), stopped=stopped, cites=("NM 3e", "NM 5b", "D-C5", "D-C13", "D-C19"))
ask, ask_rules = ask_together(
    Question("policeman", "mafia", "{who} is {negation}one of the mafia."),
    says="learn whether e is one of the mafia; the policemen ask about whom most of them name",
    cites=("NM 3d", "NM 5c", "D-C5", "D-C12", "D-C15", "D-C18"), allows=anyone)
knows = acquainted(
    "mafioso", "godfather", topic="pack", text="The mafia are: {}.", alone="You are the only one of the mafia.",
    cites=("NM 5b", "D-C12"))

talk = among(PACK, "mafioso", "godfather", cites=("NM 3e", "NM 3f"))


def publicly_dead(game: Game, me: str, it: str) -> str:
    """D-C6, D-A2: only those whose death was public at nightfall can be raised, and who haven't left."""
    if game.ever(Removed, who=it) and game.switches.get("departure") == "kill":
        return f"{it} has left, and does not come back."
    return the_dead(game, me, it)


def has_dead(game: Game, me: str) -> bool:
    """Open on nights on which somebody is dead who could come back."""
    return while_night_is_open(game, me) and any(not publicly_dead(game, me, it) for it in game.shown_dead)


@whenever(NightClosed, "NM 3g", "D-C7", "D-C8", "D-C16")
def bring_back(game: Game, event: NightClosed) -> Events:
    """D-C16: whom each Doctor named last comes back in the morning, unless that one has left since (D-A2)."""
    named = {who: it for who, it in choices(game, "revive").items() if it != NOBODY}
    return [Due(Revived(it)) for who, it in named.items() if not publicly_dead(game, who, it)]


revive = Duty(
    "revive", has_dead, publicly_dead, may_pass=True, again=True, changeable=True,
    cites=("NM 3g", "NM 5d", "D-C6", "D-C8", "D-C16"),
    says="revive NAME, or revive nobody: bring a dead person back in the morning",
)
MAFIA = {"night": "the mafia"}
mafioso = Role(
    "mafioso", "mafia", (kill, talk), (*kill_rules, *knows), title="mafioso", cites=("NM 3e",),
    story="You are one of the mafia. From the second night on the mafia choose one person to kill, or nobody.",
    kills=MAFIA,
)
godfather = Role(
    "godfather", "mafia", (kill, talk), (*kill_rules, *knows), title="Godfather", cites=("NM 3f",),
    story="You are the Godfather, one of the mafia, and choose with them whom they kill from the second night on. The "
    "policemen see you as a civilian.",
    seems="good", kills=MAFIA,
)
policeman = Role(
    "policeman", "civilians", (ask, among(POLICEMEN, "policeman", cites=("NM 3d",))),
    (*ask_rules, *acquainted("policeman", topic="police", text="The policemen are: {}.", cites=("NM 5c",))),
    title="policeman", cites=("NM 3d",),
    story="You are a policeman, on the civilians' side. Each night the policemen ask together about one person, and "
    "learn whether e is one of the mafia.",
)
mason = Role(
    "mason", "civilians", (among(MASONS, "mason", cites=("NM 3c",)),),
    acquainted("mason", topic="masons", text="The masons are: {}.", cites=("NM 5a",)),
    title="mason", cites=("NM 3c",),
    story="You are a mason, on the civilians' side, and know your fellow masons. By night you can talk with them.",
)
doctor = Role(
    "doctor", "civilians", (revive,), (bring_back,), title="Doctor", cites=("NM 3g",),
    story="You are the Doctor, on the civilians' side. Each night on which somebody is dead you may bring one of the "
    "dead back to life.",
)
civilian = from_files("narrated-mafia", Terms("mafia", "civilians"))["civilian"]


ROLES = {r.name: r for r in (mafioso, godfather, policeman, mason, doctor, civilian)}
Position: TypeAlias = tuple[frozenset[str], frozenset[tuple[str, str]], frozenset[str]]
MOVES: tuple[type[Event], ...] = (Killed, Revived, Chose, PhaseBegan)
DECK = {"policeman": 6, "mafioso": 6, "godfather": 2, "doctor": 2}


def deal(names: Sequence[str], chosen: Sequence[str], seed: str, switches: Mapping[str, str]) -> Dealt:
    """NM 4a: the text gives no counts, so *chosen* must list the roles; the others are civilians."""
    return as_asked(names, chosen, seed, ROLES, plain="civilian", cites=("NM 4a",))


def warnings(players: int, chosen: Sequence[str]) -> tuple[str, ...]:
    """Return what of *chosen* is more than the deck of cards has."""
    counts = Counter(chosen)
    over = [(r, most) for r, most in DECK.items() if counts[r] > most]
    return tuple(f"{counts[r]} of {r} are more than the deck has ({most})" for r, most in over)


def mornings(game: Game) -> list[Position]:
    """Return the position of each morning: who lives, who has ever used which power, and who acted in the night."""
    alive, used, found = set(game.seats), set[tuple[str, str]](), list[Position]()
    last: dict[tuple[str, str], tuple[str, ...]] = {}
    for entry in sorted((e for kind in MOVES for e in game.lines(kind)), key=lambda e: e.number):
        match entry.event:
            case Killed(who):
                alive.discard(who)
            case Revived(who):
                alive.add(who)
            case Chose(who, verb, what):
                last[who, verb] = what
            case PhaseBegan("day"):
                done = {choice for choice, what in last.items() if what}
                used |= done
                found.append((frozenset(alive), frozenset(used), frozenset(who for who, _ in done)))
                last = {}
    return found


def repeats(positions: Sequence[Position]) -> int:
    """Return how many of the last *positions* in a row had been there before.

    >>> living = [frozenset(names) for names in ("ab", "ac", "ab", "ac", "a", "ac")]
    >>> [repeats([(who, frozenset(), frozenset()) for who in living[:n]]) for n in range(1, 7)]
    [0, 0, 1, 2, 0, 1]
    """
    seen, count = set[Position](), 0
    for position in positions:
        count = count + 1 if position in seen else 0
        seen.add(position)
    return count


@always("D-C11")
def stalemate(game: Game, owed: Owed) -> Events:
    """D-C11: a draw once as many mornings in a row as the switch says have repeated a position; 0 means never."""
    limit = int(game.switches.get("stalemate", "5"))
    if limit and game.phase == "day" and repeats(mornings(game)) >= limit:
        return [Ended("draw", (), "D-C11")]
    return None


LICENCES: Licences = {
    "opened": ("NM 4a",), "roles-brought": ("NM 4a",),
    "drawn setup": ("NM 4a",), "removed": ("NC 1c", "D-A2"), "killed departure": ("D-A2",),
    "killed attack": ("NM 3e", "NM 5b"), "revived": ("NM 3g", "D-C7", "D-C8"), "phase-began night": ("NM 5",),
    "stage-began night": ("NM 5", "D-A1"), "stage-began discussion": ("NM 7a", "D-A1"),
    "declared accuse": ("NM 7a", "D-C1"), "declared second": ("NM 7a", "D-C1"), "tried": ("NM 7a", "D-C1"),
    "stage-began ballot": ("NM 7a", "NM 7b", "D-A1"), "acquitted": ("NM 7b", "D-C2", "D-C3"),
    "announced quiet day": ("D-C4", "D-C17"),
}
"""By which clauses happens what the rules of several clauses bring about."""

narrated_mafia = Ruleset(
    "narrated-mafia",
    "Mafia with a narrator",
    "NM",
    laws=(
        mortality("NM 7b"),
        ending(Ending("mafia", "civilians", parity=as_many, at_parity=("NM 8", "D-A26"), evil_wins=("NM 8", "NM 1b"),
               good_wins=("NM 8", "NM 1a"), neither=lambda game: "draw")),
        Law("stalemate", rules=(stalemate,)),
        executions("NM 7b"),
        accusation(once=False, defence=False, accuse=("NM 7a", "D-C3"), second=("NM 7a", "D-C1"),
                   verdict=("NM 7b", "D-C2")),
        departures("D-A2"),
        nights(opens=("NM 5",), night=("NM 5b", "NM 7b"), dawn=("NM 6", "D-C7", "D-C9")),
    ),
    roles=ROLES,
    deal=deal,
    switches=(
        Switch("call_threshold", (), "D-C1", "how many must second before a vote is called", default="1",
               form=r"[1-9]\d?", like="a number of players, from 1 on"),
        Switch("stalemate", (), "D-C11", "repeated positions before a draw is declared; 0 means never", default="5",
               form=r"\d{1,3}", like="a number of mornings, 0 for never"),
        EVIL_WINS,
        *COMMON,
    ),
    optional=tuple(ROLES),
    smallest=5,
    plain="civilian",
    cards=("NM 4a",),
    aliases={"mafia": "mafioso", "police": "policeman", "cop": "policeman", "police officer": "policeman",
             "detective": "policeman", "freemason": "mason", "doc": "doctor", "villager": "civilian",
             "townsperson": "civilian", "town": "civilian", "townie": "civilian", "vanilla": "civilian",
             "vanilla townie": "civilian", "vt": "civilian", "goon": "mafioso", "mafia goon": "mafioso"},
    warnings=warnings,
    first="night",
    condemned="voted dead",
    tells_causes=True,
    rulings="D-C",
    licences=LICENCES,
    evil="mafia",
    example="mafioso,mafioso,godfather,policeman,policeman,doctor,mason,mason",
    uncounted=("NM 4a",),
    course=Course(parity=False, least=3),  # an accusation needs a second from a third person (NM 7a)
)
