"""Packs and other groups: choices and talk.

A pack that must agree locks its choice once all its living members name the same (D-N13). One that need not agree kills
the most named; ties are broken by lot, and silence is no voice. Those who ask a question together name its object, all
of them or most of them.

Packs, masons, Lovers and spirits talk by way of the program; spirits speak with the Medium. What is said reaches its
hearers as a notice from the contest, so that no address is ever shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from nomicwolf.village.events import Agreed, Chose, Drawn, Due, Event, Killed, NightClosed, Removed, Seen, Told, Undone
from nomicwolf.village.game import ATTACK, GRAVE, HUNTERS, JOINT_QUESTION, PACK_CHOICE, RELAY, SEANCE, Game
from nomicwolf.village.lots import by_lot, most
from nomicwolf.village.rules import (
    Allows,
    Duty,
    Events,
    Law,
    Opens,
    Rule,
    Switch,
    another,
    each_night,
    hunts,
    listed,
    looks_evil,
    outsider,
    whenever,
)

SEE = "see"
NOBODY = "nobody"
"""Stands among choices for that of a player who declined."""


def choices(game: Game, verb: str) -> dict[str, str]:
    """Return what each player last chose to *verb* in this phase, ``nobody`` for declining."""
    return {c.who: (c.what[0] if c.what else NOBODY) for c in game.now(Chose, verb=verb)}


def voices(game: Game, verb: str, *roles: str) -> dict[str, str]:
    """D-A3: return what each living holder of *roles* last chose; whoever has left has no voice any more."""
    here = game.living(*roles)
    return {p: whom for p, whom in choices(game, verb).items() if p in here}


def victims(game: Game, *roles: str) -> dict[str, str]:
    """D-A3: return whom each living holder of *roles* would kill; one who has left since is nobody's."""
    named = voices(game, ATTACK, *roles)
    return {p: whom for p, whom in named.items() if whom == NOBODY or whom in game.alive}


def without_victim(*roles: str) -> Rule:
    """Return the rule that each of *roles* who has named one who leaves by night is told so, and nobody else (D-A3)."""

    @whenever(Killed, "D-A3")
    def fell_away(game: Game, event: Killed) -> Events:
        settled = bool(game.now(NightClosed)) or bool(game.now(Agreed, verb=ATTACK))
        if event.cause != "departure" or game.phase != "night" or settled:
            return None
        text = f"You have named {event.who}, who is dead: that counts for nobody now, and you can name another."
        return [Told(p, PACK_CHOICE, text, (event.who,))
                for p, whom in voices(game, ATTACK, *roles).items() if whom == event.who]

    return fell_away


def unanimous(game: Game, role: str) -> str:
    """Return whom all living holders of *role* ask about, '' if they don't agree or name nobody."""
    named = {voices(game, SEE, role).get(p, NOBODY) for p in game.living(role)}
    whom = named.pop() if len(named) == 1 else NOBODY
    return whom if whom != NOBODY else ""


def tell_others(topic: str, event: Chose, fellows: Iterable[str]) -> list[Event]:
    """Tell all *fellows* but the one who chose what they have chosen, in the words of a receipt."""
    said = f"{event.who}'s choice: {event.verb} {listed(event.what)}."
    return [Told(p, topic, said, event.what) for p in fellows if p != event.who]


def attack(
    *pack: str, opens: Opens = hunts, may_pass: bool = True, must: str = "",
    each: str = "", stopped: Callable[[Game], frozenset[str]] | None = None, cites: tuple[str, ...] = (),
) -> tuple[Duty, tuple[Rule, ...]]:
    """Return the duty and the rules by which the roles *pack* choose a victim when the night closes.

    *must* names a switch that forbids declining, so that a lot names one for whoever is silent; *each* one under which
    every member's choice is a victim; those who are *stopped* have no voice. All others whose roles hunt are of it.
    """
    pack = (*pack, HUNTERS)

    @whenever(Chose, *cites)
    def tell_pack(game: Game, event: Chose) -> Events:
        if event.verb != ATTACK or not game.holds(event.who, pack):
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
        silence="If you don't, your fellows choose without you, or a lot does where you must kill." if must else "",
    )
    return duty, (tell_pack, decide, without_victim(*pack))


def for_the_silent(game: Game, *pack: str) -> dict[str, Drawn]:
    """D-G21: return the lot that names somebody for each living holder of *pack* who has named none who lives."""
    named = victims(game, *pack)
    prey = tuple(p for p in game.living() if not game.holds(p, pack))
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


@dataclass(frozen=True, slots=True)
class Question:
    """What the living holders of *role* ask: whether somebody is of the side *evil*, or passes for one of it.

    *answer* is how they are told, with ``{who}`` and ``{negation}`` in it.
    """

    role: str
    evil: str
    answer: str

    def answered(self, game: Game) -> bool:
        """Return whether it has been answered in this night."""
        return any(game.roles[seen.by] == self.role for seen in game.now(Seen))

    def look(self, game: Game, whom: str, by: str) -> list[Event]:
        """Return what *by*, who asks for all of them, sees of *whom*."""
        return [Seen(by, whom, looks_evil(game, whom, self.evil))]


def ask_together(
    question: Question, *, says: str, cites: tuple[str, ...], allows: Allows = another,
) -> tuple[Duty, tuple[Rule, ...]]:
    """Return the duty and rules by which those who hold a role ask one question together, and all hear the answer.

    They are answered as soon as all who live name the same; else each is told what another names, and the most named is
    asked about when the night closes. *says* is what it does, for letters; *allows* is about whom they may ask.
    """
    duty = Duty(
        SEE, lambda game, me: each_night(game, me) and not question.answered(game), allows, may_pass=True, again=True,
        changeable=True, cites=cites, says=f"{SEE} NAME: {says}",
    )
    return duty, (*_agreeing(question, cites), *_deciding(question, cites))


def _agreeing(question: Question, cites: tuple[str, ...]) -> tuple[Rule, ...]:
    """Return the rules by which they are answered at once: as soon as all name the same, also as one has left."""
    role = question.role

    @whenever(Chose, *cites)
    def agree(game: Game, event: Chose) -> Events:
        if event.verb != SEE or game.roles[event.who] != role:
            return None
        whom = unanimous(game, role)
        return question.look(game, whom, event.who) if whom else tell_others(JOINT_QUESTION, event, game.living(role))

    def agree_without(game: Game, event: Killed | Undone) -> Events:
        tested = isinstance(event, Undone) or event.cause == "departure"
        whom = unanimous(game, role) if tested and game.phase == "night" else ""
        return question.look(game, whom, game.living(role)[0]) if whom and not question.answered(game) else None

    return agree, whenever(Killed, *cites, "D-A3")(agree_without), whenever(Undone, *cites, "D-N42")(agree_without)


def _deciding(question: Question, cites: tuple[str, ...]) -> tuple[Rule, ...]:
    """Return the rules by which the most named is looked at when the night closes, and all are told the answer."""
    role = question.role

    @whenever(NightClosed, *cites)
    def decide(game: Game, event: NightClosed) -> Events:
        named = {p: w for p, w in voices(game, SEE, role).items() if w != NOBODY}
        if not named or question.answered(game):
            return None
        whom, drawn = most(game, f"{SEE} {role}, night {game.number}", named.values())
        return [*drawn, *question.look(game, whom, min(named))]

    @whenever(Seen, *cites)
    def tell(game: Game, event: Seen) -> Events:
        if game.roles[event.by] != role:
            return None
        text = question.answer.format(who=event.who, negation="" if event.evil else "not ")
        return [Told(p, "seen", text, (event.who,)) for p in game.living(role)]

    return decide, tell


def unanimous_attack(*pack: str, cites: tuple[str, ...] = ()) -> tuple[Duty, tuple[Rule, ...]]:
    """Return the duty and the rules by which holders of the roles *pack* agree on a victim outside the pack.

    So do all others whose roles hunt.
    """
    pack = (*pack, HUNTERS)

    def open_until_agreed(game: Game, me: str) -> bool:
        return hunts(game, me) and not game.now(Agreed, verb=ATTACK)

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
        """D-N13: from now on nobody of the pack can change it; a single one knows that by their receipt."""
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


PACK, MASONS, LOVERS, SPIRITS, POLICEMEN, PROPHETS = "pack", "masons", "lovers", "spirits", "policemen", "prophets"


def always_open(game: Game, me: str) -> bool:
    """Open as long as the session lasts, to those who live as far as everyone knows."""
    return me not in game.shown_dead and not game.over


def between(
    group: str, who: Callable[[Game], tuple[str, ...]], opens: Opens, cites: tuple[str, ...], called: str = "",
) -> Duty:
    """Return the duty by which those whom *who* gives may write to one another, names and all.

    A death that isn't announced yet closes it to nobody, for that would tell of it, and so of a Hunter who still has to
    choose (NC 6b).
    """

    def others(game: Game, me: str) -> tuple[str, ...]:
        group = who(game)
        return tuple(p for p in group if p != me and p not in game.shown_dead) if me in group else ()

    def relay(game: Game, me: str, words: str) -> Events:
        return [Told(p, RELAY, f"{me} says: {words}") for p in others(game, me)]

    return Duty(
        "say", lambda game, me: opens(game, me) and bool(others(game, me)), owed=False,
        again=True, arity=0, group=group, called=called, daily=opens is always_open, hears=relay, cites=cites,
        says=f"say {called or group}: TEXT, for the {called or group} alone",
    )


def among(group: str, *roles: str, opens: Opens = each_night, cites: tuple[str, ...] = ()) -> Duty:
    """Return the duty by which holders of *roles* who live, as far as everyone knows, may write to one another.

    With the pack talk all whose roles hunt.
    """
    who = (*roles, HUNTERS) if group == PACK else roles
    return between(group, lambda game: game.holders(*who), opens, cites)


def seance(*cites: str) -> Law:
    """Return the law by which the dead and the Medium talk at night; the dead are called a spirit (D-M13)."""

    def to_medium(game: Game, me: str, words: str) -> Events:
        return [Told(p, SEANCE, f"A spirit says: {words}") for p in game.living("medium")]

    def to_spirits(game: Game, me: str, words: str) -> Events:
        return [Told(p, SEANCE, f"The medium says: {words}") for p in game.shown_dead]

    def dead_at_night(game: Game, me: str) -> bool:
        return game.phase == "night" and me in game.shown_dead and me not in game.alive

    def medium_at_night(game: Game, me: str) -> bool:
        return each_night(game, me) and game.roles[me] == "medium"

    says = "say spirits: TEXT, without your name: "
    return Law("seance", (
        Duty("say", medium_at_night, owed=False, again=True, arity=0, group=SPIRITS,
             hears=to_spirits, cites=cites, says=says + "the dead are told"),
        Duty("say", dead_at_night, owed=False, again=True, arity=0, group=SPIRITS,
             hears=to_medium, cites=cites, says=says + "the Medium is told, if there is one"),
    ), describes=(
        "By night the dead may write to the Medium, if there is one, and the Medium to the dead: by private mail, on a "
        'line that begins "say spirits:". It is passed on without a name.'))


GRAVEYARD_SWITCH = Switch(
    "graveyard", ("off", "on"), "D-A20", "whether the dead may write to one another, by way of the contestmaster")


def graveyard(*cites: str) -> Law:
    """Return the law by which the dead may write to one another, names and all, where a contest lets them (D-A20)."""

    def others(game: Game, me: str) -> tuple[str, ...]:
        gone = {e.event.who for e in game.lines(Removed) if isinstance(e.event, Removed)}
        dead = [p for p in game.shown_dead if p not in game.alive and p not in gone]
        return tuple(p for p in dead if p != me) if me in dead and game.switches.get("graveyard") == "on" else ()

    def relay(game: Game, me: str, words: str) -> Events:
        return [Told(p, GRAVE, f"{me} says among the dead: {words}") for p in others(game, me)]

    return Law("graveyard", (Duty(
        "say", lambda game, me: not game.over and bool(others(game, me)), owed=False, again=True, arity=0,
        group=SPIRITS, hears=relay, cites=cites, says="say spirits: TEXT, for the dead alone"),))


def questions(opens: Opens, *cites: str) -> Law:
    """Return the law by which players ask the contestmaster something in private (D-M16)."""
    return Law("questions", (Duty(
        "ask", opens, owed=False, again=True, arity=0, hears=lambda game, me, words: (),
        cites=cites, says="ask: TEXT, a question to the contestmaster alone"),))
