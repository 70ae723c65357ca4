"""Deciding together without agreement: the most named is chosen, ties by lot, silence is no voice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from nomicwolf.village.events import Agreed, Announced, Chose, Drawn, Due, Event, Killed, NightClosed, Seen, Told
from nomicwolf.village.game import Game
from nomicwolf.village.lots import draw
from nomicwolf.village.notices import JOINT_QUESTION, PACK_CHOICE
from nomicwolf.village.rules import Duty, Events, Rule, whenever
from nomicwolf.village.words import Opens, another, each_night, listed

NOBODY = "nobody"


def most(game: Game, place: str, named: Iterable[str]) -> tuple[str, tuple[Drawn, ...]]:
    """Return the most frequent of *named*, and the lot if there was a tie; '' if nobody was named.

    The lot is drawn at *place*, which must be unlike any other of the session.
    """
    counts = Counter(named)
    if not counts:
        return "", ()
    top = max(counts.values())
    tied = sorted(name for name, n in counts.items() if n == top)
    return by_lot(game, place, tied)


def by_lot(game: Game, place: str, tied: Sequence[str]) -> tuple[str, tuple[Drawn, ...]]:
    """Return one of *tied*, drawn by lot if they are several, and the record of the draw."""
    if len(tied) == 1:
        return tied[0], ()
    seed = game.opened.seed if game.opened else ""
    (won,) = draw(seed, place, tied)
    return won, (Drawn(place, tuple(tied), (won,)),)


def public_lot(game: Game, place: str, tied: Sequence[str]) -> tuple[str, tuple[Event, ...]]:
    """Return one of *tied*, drawn by lot if they are several; the record of the draw, and that everyone is told."""
    won, drawn = by_lot(game, place, tied)
    words = f"It is a tie between {listed(tuple(tied))}; the lot falls on {won}."
    return won, (*drawn, Announced("a lot", words, (won,))) if drawn else ()


def choices(game: Game, verb: str) -> dict[str, str]:
    """Return what each player last chose to *verb* in this phase, ``nobody`` for declining."""
    return {c.who: (c.what[0] if c.what else NOBODY) for c in game.now(Chose, verb=verb)}


def voices(game: Game, verb: str, *roles: str) -> dict[str, str]:
    """D-A3: return what each living holder of *roles* last chose; whoever has left has no voice any more."""
    here = game.living(*roles)
    return {p: whom for p, whom in choices(game, verb).items() if p in here}


def unanimous(game: Game, verb: str, role: str) -> str:
    """Return whom all living holders of *role* name, '' if they don't agree or name nobody."""
    named = {voices(game, verb, role).get(p, NOBODY) for p in game.living(role)}
    whom = named.pop() if len(named) == 1 else NOBODY
    return whom if whom != NOBODY else ""


def tell_others(topic: str, event: Chose, fellows: Iterable[str]) -> list[Event]:
    """Tell all *fellows* but the one who chose what e names."""
    said = f"{event.who} names {listed(event.what)}."
    return [Told(p, topic, said, event.what) for p in fellows if p != event.who]


def attack(
    *pack: str, verb: str = "attack", opens: Opens = each_night, may_pass: bool = True, must: str = "",
    each: str = "", stopped: Callable[[Game], frozenset[str]] | None = None, cites: tuple[str, ...] = (),
) -> tuple[Duty, tuple[Rule, ...]]:
    """Return the duty and the rules by which the roles *pack* choose a victim when the night closes.

    *must* names a switch that forbids declining; *each* one under which every member's choice is a victim; those who
    are *stopped* have no voice.
    """
    def outsider(game: Game, me: str, it: str) -> str:
        if it in game.alive and game.roles[it] in pack:
            return f"{it} is one of you; name somebody who is not."
        return "" if it in game.alive else f"{it} is dead." if it in game.seats else f"{it} is not in this session."

    @whenever(Chose, *cites)
    def tell_pack(game: Game, event: Chose) -> Events:
        if event.verb != verb or game.roles[event.who] not in pack:
            return None
        return tell_others(PACK_CHOICE, event, game.living(*pack))

    @whenever(NightClosed, *cites)
    def decide(game: Game, event: NightClosed) -> Events:
        still = stopped(game) if stopped else frozenset()
        named = [who for p, who in voices(game, verb, *pack).items() if p not in still]
        if each and game.switches.get(each) == "each":
            return [Due(Killed(v, verb)) for v in dict.fromkeys(named) if v != NOBODY]
        victim, drawn = most(game, f"{verb}, night {game.number}", named)
        whom = () if victim in ("", NOBODY) else (victim,)
        news: list[Event] = [*drawn, Agreed(verb, whom, game.living(*pack)), *(Due(Killed(v, verb)) for v in whom)]
        return news

    own = f"{verb} NAME: whom you name is killed; so is whom each of the others names"
    duty = Duty(
        verb, lambda game, me: opens(game, me) and not game.now(NightClosed), outsider, may_pass=may_pass,
        must=(lambda game: game.switches.get(must) == "on") if must else None, again=True, changeable=True, cites=cites,
        says=f"{verb} NAME: whom most of you name is killed, and a lot breaks ties",
        under=((each, "each", own),) if each else (),
    )
    return duty, (tell_pack, decide)


def ask_together(
    role: str, evil: str, *, verb: str = "see", blind: tuple[str, ...] = (), opens: Opens = each_night,
    answer: str, says: str, cites: tuple[str, ...] = (),
) -> tuple[Duty, tuple[Rule, ...]]:
    """Return the duty and rules by which holders of *role* ask one question together, and all hear the answer.

    They are answered as soon as all living holders name the same; else each is told what another names, and the most
    named is asked about when the night closes. Holders of the roles *blind* pass for members of the other side.
    """

    def asked(game: Game) -> bool:
        return any(True for s in game.now(Seen) if game.roles[s.by] == role)

    def look(game: Game, whom: str, by: str) -> list[Event]:
        return [Seen(by, whom, game.sides[whom] == evil and game.roles[whom] not in blind)]

    @whenever(Chose, *cites)
    def agree(game: Game, event: Chose) -> Events:
        if event.verb != verb or game.roles[event.who] != role:
            return None
        whom = unanimous(game, verb, role)
        return look(game, whom, event.who) if whom else tell_others(JOINT_QUESTION, event, game.living(role))

    @whenever(Killed, *cites, "D-A3")
    def agree_without(game: Game, event: Killed) -> Events:
        whom = unanimous(game, verb, role) if event.cause == "departure" and game.phase == "night" else ""
        return look(game, whom, game.living(role)[0]) if whom and not asked(game) else None

    @whenever(NightClosed, *cites)
    def decide(game: Game, event: NightClosed) -> Events:
        named = {p: w for p, w in voices(game, verb, role).items() if w != NOBODY}
        if not named or asked(game):
            return None
        whom, drawn = most(game, f"{verb} {role}, night {game.number}", named.values())
        return [*drawn, *look(game, whom, min(named))]

    @whenever(Seen, *cites)
    def tell(game: Game, event: Seen) -> Events:
        if game.roles[event.by] != role:
            return None
        text = answer.format(who=event.who, negation="" if event.evil else "not ")
        return [Told(p, "seen", text, (event.who,)) for p in game.holders(role) if p in game.alive]

    duty = Duty(
        verb, lambda game, me: opens(game, me) and not asked(game), another, may_pass=True, again=True, changeable=True,
        cites=cites, says=f"{verb} NAME: {says}",
    )
    return duty, (agree, agree_without, decide, tell)
