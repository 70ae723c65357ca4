"""A pack that need not agree: the most named is its victim, ties are broken by lot, and silence is no voice."""

from __future__ import annotations

from collections.abc import Callable

from nomicwolf.village.events import Agreed, Chose, Drawn, Due, Killed, NightClosed, Told
from nomicwolf.village.game import Game
from nomicwolf.village.laws.ties import by_lot, most
from nomicwolf.village.laws.voices import ATTACK, NOBODY, tell_others, victims, without_victim
from nomicwolf.village.notices import PACK_CHOICE
from nomicwolf.village.rules import Duty, Events, Rule, whenever
from nomicwolf.village.words import Opens, each_night, listed, outsider


def attack(
    *pack: str, opens: Opens = each_night, may_pass: bool = True, must: str = "",
    each: str = "", stopped: Callable[[Game], frozenset[str]] | None = None, cites: tuple[str, ...] = (),
) -> tuple[Duty, tuple[Rule, ...]]:
    """Return the duty and the rules by which the roles *pack* choose a victim when the night closes.

    *must* names a switch that forbids declining, so that a lot names one for whoever is silent; *each* one under which
    every member's choice is a victim; those who are *stopped* have no voice.
    """
    @whenever(Chose, *cites)
    def tell_pack(game: Game, event: Chose) -> Events:
        if event.verb != ATTACK or game.roles[event.who] not in pack:
            return None
        return tell_others(PACK_CHOICE, event, game.living(*pack))

    @whenever(NightClosed, *cites)
    def decide(game: Game, event: NightClosed) -> Events:
        still = stopped(game) if stopped else frozenset()
        drawn_for = for_the_silent(game, *pack) if must and game.switches.get(must) == "on" else {}
        named = [who for p, who in victims(game, *pack).items() if p not in still]
        named += [lot.result[0] for lot in drawn_for.values()]
        if each and game.switches.get(each) == "each":
            return [Due(Killed(v, ATTACK)) for v in dict.fromkeys(named) if v != NOBODY]
        victim, drawn = most(game, f"{ATTACK}, night {game.number}", named)
        whom = () if victim in ("", NOBODY) else (victim,)
        told = [Told(p, PACK_CHOICE, lot_words(lot), whom) for lot in drawn for p in game.living(*pack)]
        for who, lot in drawn_for.items():
            said = f"{who} has named nobody, so a lot was drawn for em: it fell on {lot.result[0]}."
            told += [Told(p, PACK_CHOICE, said, lot.result) for p in game.living(*pack)]
        lots, agreed = (*drawn_for.values(), *drawn), Agreed(ATTACK, whom, game.living(*pack))
        return [*lots, *told, agreed, *(Due(Killed(v, ATTACK)) for v in whom)]

    own = f"{ATTACK} NAME: whom you name is killed; so is whom each of the others names"
    duty = Duty(
        ATTACK, lambda game, me: opens(game, me) and not game.now(NightClosed), outsider(*pack), may_pass=may_pass,
        must=(lambda game: game.switches.get(must) == "on") if must else None, again=True, changeable=True, lapses=True,
        cites=cites, says=f"{ATTACK} NAME: whom most of you name is killed, and a lot breaks ties",
        under=((each, "each", own),) if each else (),
    )
    return duty, (tell_pack, decide, without_victim(*pack))


def for_the_silent(game: Game, *pack: str) -> dict[str, Drawn]:
    """D-G21: return the lot that names somebody for each living holder of *pack* who has named none who lives."""
    named = victims(game, *pack)
    prey = tuple(p for p in game.living() if game.roles[p] not in pack)
    silent = [p for p in game.living(*pack) if named.get(p, NOBODY) == NOBODY] if prey else []
    lots = {p: by_lot(game, f"{ATTACK} for {p}, night {game.number}", sorted(prey)) for p in silent}
    return {p: drawn[0] if drawn else Drawn(f"{ATTACK} for {p}, night {game.number}", prey, (won,))
            for p, (won, drawn) in lots.items()}


def lot_words(lot: Drawn) -> str:
    """D-A10: return what those who didn't agree are told of the lot that decided.

    >>> lot_words(Drawn("attack, night 2", ("V1", "V2"), ("V2",)))
    'You named V1 and V2 equally often, and the lot fell on V2.'
    """
    return f"You named {listed(lot.options)} equally often, and the lot fell on {listed(lot.result)}."
