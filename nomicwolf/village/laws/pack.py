"""A pack's unanimous choice of a victim (D-N13).

The choice locks once all living members of the pack name the same.
"""

from __future__ import annotations

from nomicwolf.village.events import Agreed, Chose, Due, Event, Killed, Told, Undone
from nomicwolf.village.game import HUNTERS, PACK_CHOICE, Game
from nomicwolf.village.laws.group_choices import ATTACK, tell_others, without_victim
from nomicwolf.village.rule_helpers import each_night, listed, outsider
from nomicwolf.village.rules import Duty, Events, Rule, whenever


def attack(*pack: str, cites: tuple[str, ...] = ()) -> tuple[Duty, tuple[Rule, ...]]:
    """Return the duty and the rules by which holders of the roles *pack* agree on a victim outside the pack.

    So do all others whose roles hunt.
    """
    pack = (*pack, HUNTERS)

    def open_until_agreed(game: Game, me: str) -> bool:
        return each_night(game, me) and not game.now(Agreed, verb=ATTACK)

    @whenever(Chose, *cites)
    def agree(game: Game, event: Chose) -> Events:
        if event.verb != ATTACK:
            return None
        members = game.living(*pack)
        last = {c.who: c.what for c in game.now(Chose, verb=ATTACK)}
        if len({last.get(p) for p in members}) > 1:
            return tell_others(PACK_CHOICE, event, members)
        return agreed(event.what, members, members if len(members) > 1 else ())

    def agreed(whom: tuple[str, ...], members: tuple[str, ...], told: tuple[str, ...]) -> list[Event]:
        """D-N13: from now on nobody of the pack can change it; a single one knows that by eir receipt."""
        text = f"The pack has agreed on {listed(whom)}: that is settled for this night."
        news = [Told(p, PACK_CHOICE, text, whom) for p in told]
        return [*news, Agreed(ATTACK, whom, members), *(Due(Killed(v, ATTACK)) for v in whom)]

    def agree_without(game: Game, event: Killed | Undone) -> Events:
        members = game.living(*pack)
        died = isinstance(event, Killed) and event.cause != "departure"
        if died or game.phase != "night" or game.now(Agreed, verb=ATTACK) or not members:
            return None
        last = {c.who: c.what for c in game.now(Chose, verb=ATTACK)}
        named = {last.get(p) for p in members}
        whom = named.pop()
        return agreed(whom, members, members) if whom is not None and not named and set(whom) <= game.alive else None

    duty = Duty(ATTACK, open_until_agreed, outsider(*pack), again=True, cites=cites,
                says="attack NAME: the pack agrees on whom it attacks tonight")
    without = whenever(Killed, *cites, "D-N11")(agree_without), whenever(Undone, *cites, "D-N42")(agree_without)
    return duty, (agree, *without, without_victim(*pack))
