"""A pack that need not agree: the most named is its victim, ties are broken by lot, and silence is no voice."""

from __future__ import annotations

from collections.abc import Callable

from nomicwolf.village.events import Agreed, Chose, Drawn, Due, Killed, NightClosed, Told
from nomicwolf.village.game import Game
from nomicwolf.village.laws.ties import most
from nomicwolf.village.laws.voices import ATTACK, NOBODY, tell_others, victims, without_victim
from nomicwolf.village.notices import PACK_CHOICE
from nomicwolf.village.rules import Duty, Events, Rule, whenever
from nomicwolf.village.words import Opens, each_night, listed, outsider


def attack(
    *pack: str, opens: Opens = each_night, may_pass: bool = True, must: str = "",
    each: str = "", stopped: Callable[[Game], frozenset[str]] | None = None, cites: tuple[str, ...] = (),
) -> tuple[Duty, tuple[Rule, ...]]:
    """Return the duty and the rules by which the roles *pack* choose a victim when the night closes.

    *must* names a switch that forbids declining; *each* one under which every member's choice is a victim; those who
    are *stopped* have no voice.
    """
    @whenever(Chose, *cites)
    def tell_pack(game: Game, event: Chose) -> Events:
        if event.verb != ATTACK or game.roles[event.who] not in pack:
            return None
        return tell_others(PACK_CHOICE, event, game.living(*pack))

    @whenever(NightClosed, *cites)
    def decide(game: Game, event: NightClosed) -> Events:
        still = stopped(game) if stopped else frozenset()
        named = [who for p, who in victims(game, *pack).items() if p not in still]
        if each and game.switches.get(each) == "each":
            return [Due(Killed(v, ATTACK)) for v in dict.fromkeys(named) if v != NOBODY]
        victim, drawn = most(game, f"{ATTACK}, night {game.number}", named)
        whom = () if victim in ("", NOBODY) else (victim,)
        told = [Told(p, PACK_CHOICE, lot_words(lot), whom) for lot in drawn for p in game.living(*pack)]
        return [*drawn, *told, Agreed(ATTACK, whom, game.living(*pack)), *(Due(Killed(v, ATTACK)) for v in whom)]

    own = f"{ATTACK} NAME: whom you name is killed; so is whom each of the others names"
    duty = Duty(
        ATTACK, lambda game, me: opens(game, me) and not game.now(NightClosed), outsider(*pack), may_pass=may_pass,
        must=(lambda game: game.switches.get(must) == "on") if must else None, again=True, changeable=True, lapses=True,
        cites=cites, says=f"{ATTACK} NAME: whom most of you name is killed, and a lot breaks ties",
        under=((each, "each", own),) if each else (),
    )
    return duty, (tell_pack, decide, without_victim(*pack))


def lot_words(lot: Drawn) -> str:
    """D-A10: return what those who didn't agree are told of the lot that decided.

    >>> lot_words(Drawn("attack, night 2", ("V1", "V2"), ("V2",)))
    'You named V1 and V2 equally often, and the lot fell on V2.'
    """
    return f"You named {listed(lot.options)} equally often, and the lot fell on {listed(lot.result)}."
