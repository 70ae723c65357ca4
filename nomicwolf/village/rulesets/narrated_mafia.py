"""Mafia with a narrator: a call for a vote by day, the Doctor who raises the dead, nothing shown till the end (NM 4b).

The mafia kill by night (NM 2a), the majority by day (NM 2b); the narrator plays no part (NM 3a).
The end is tested at dusk at once (D-C10), at dawn after both announcements (D-C9). The dead may come back, so they talk
with nobody and learn nothing (D-C14).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

from nomicwolf.village.events import Ended, Killed, PhaseBegan, Revived
from nomicwolf.village.game import Game
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.laws.accusation import accusation
from nomicwolf.village.laws.ending import Ending, ending
from nomicwolf.village.laws.nights import executions, nights
from nomicwolf.village.laws.phases import departures, mortality
from nomicwolf.village.laws.stages import COMMON
from nomicwolf.village.licences import Licences
from nomicwolf.village.roles.mafia import civilian, doctor, godfather, mafioso, mason, policeman
from nomicwolf.village.rules import Course, Dealt, Events, Law, Owed, always
from nomicwolf.village.rulesets.decks import as_asked
from nomicwolf.village.switches import Switch

ROLES = {r.name: r for r in (mafioso, godfather, policeman, mason, doctor, civilian)}
DECK = {"policeman": 6, "mafioso": 6, "godfather": 2, "doctor": 2}


def deal(names: Sequence[str], chosen: Sequence[str], seed: str, switches: Mapping[str, str]) -> Dealt:
    """NM 4a: the text gives no counts, so *chosen* must list the roles; the others are civilians."""
    return as_asked(names, chosen, seed, ROLES, evil="mafia", plain=civilian, cites=("NM 4a",),
                    example="mafioso,mafioso,godfather,policeman,policeman,doctor,mason,mason")


def warnings(players: int, chosen: Sequence[str]) -> tuple[str, ...]:
    """Return what of *chosen* is more than the deck of cards has."""
    counts = Counter(chosen)
    over = [(r, most) for r, most in DECK.items() if counts[r] > most]
    return tuple(f"{counts[r]} of {r} are more than the deck has ({most})" for r, most in over)


def stale(game: Game, limit: int) -> bool:
    """Return whether the last *limit* rounds, each from one morning to the next, left the same people alive (D-C11)."""
    mornings = [e.number for e in game.lines(PhaseBegan, phase="day")]
    if len(mornings) <= limit:
        return False
    return all(not _moved(game, *round_) for round_ in pairwise(mornings[-limit - 1:]))


def _moved(game: Game, after: int, until: int) -> bool:
    lines = (e for kind in (Killed, Revived) for e in game.lines(kind) if after < e.number <= until)
    balance = Counter[str]()
    for entry in lines:
        if isinstance(entry.event, (Killed, Revived)):
            balance[entry.event.who] += 1 if isinstance(entry.event, Revived) else -1
    return any(balance.values())


@always("D-C11")
def stalemate(game: Game, owed: Owed) -> Events:
    """D-C11: a draw once nothing has changed for as many cycles as the switch says; 0 means never."""
    limit = int(game.switches.get("stalemate", "5"))
    if limit and game.phase == "day" and stale(game, limit):
        return [Ended("draw", (), "D-C11")]
    return None


LICENCES: Licences = {
    "opened": ("NM 4a",), "drawn setup": ("NM 4a",), "removed": ("NC 1c", "D-A2"), "killed departure": ("D-A2",),
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
        ending(Ending("mafia", "civilians", parity=False, evil_wins=("NM 8", "NM 1b"), good_wins=("NM 8", "NM 1a"),
               neither=lambda game: "draw")),
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
        Switch("stalemate", (), "D-C11", "unchanged cycles before a draw is declared; 0 means never", default="5",
               form=r"\d{1,3}", like="a number of cycles, 0 for never"),
        *COMMON,
    ),
    optional=tuple(ROLES),
    smallest=5,
    plain="civilian",
    cards=("NM 4a",),
    aliases={"mafia": "mafioso", "police": "policeman", "cop": "policeman", "police officer": "policeman",
             "detective": "policeman", "freemason": "mason", "doc": "doctor", "villager": "civilian",
             "townsperson": "civilian", "town": "civilian"},
    warnings=warnings,
    first="night",
    condemned="voted dead",
    rulings="D-C",
    licences=LICENCES,
    evil="mafia",
    course=Course(parity=False, least=3),  # an accusation needs a second from a third person (NM 7a)
)
