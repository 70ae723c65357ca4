"""Phases, stages, and the end of a session.

NC 4c: “That closes the night and opens a day.”

Day and night turn by themselves once nothing is owed; dawn is announced at slots. A day may be divided into stages,
each with a deadline (D-A1). A night may have a fixed length, so that its end reveals nothing: it ends when its time is
over, whoever has acted and whoever still can (D-G8, LT 3b, D-T21); only where dawn is ``at once`` does it end with the
last deed. Ballots for whoever has died by day fall away, and their voters are told in private (D-A2).

NC 5: “A session is over, and no further phase begins, once 5a or 5b holds.”
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from nomicwolf.village.ballots import Ballot, Copy, Endorse, FirstOf, For, If
from nomicwolf.village.events import (
    AT_ONCE,
    DAWN,
    STAGE,
    Announced,
    Chose,
    ClockStruck,
    Completed,
    Dawned,
    DeathsAnnounced,
    Disclosed,
    Due,
    Ended,
    Event,
    Killed,
    Lynched,
    NightClosed,
    PhaseBegan,
    Removed,
    Revived,
    StageBegan,
    Told,
    Turned,
    Voted,
    next_slot,
    slots,
)
from nomicwolf.village.game import FALLEN, HIDDEN, Game
from nomicwolf.village.rules import Events, Law, Owed, Rule, Switch, always, executed, instead, whenever


def persons_in(ballot: Ballot) -> Iterator[str]:
    """Yield whom *ballot* can evaluate to or follows, in any of its branches; not whom its conditions speak of."""
    match ballot:
        case For(whom) | Endorse(whom) | Copy(whom):
            yield whom
        case If(_, then, otherwise):
            yield from persons_in(then)
            yield from persons_in(otherwise)
        case FirstOf(options):
            for option in options:
                yield from persons_in(option)


def ballots_now(game: Game) -> dict[str, Ballot]:
    """Return the last ballot of each living voter in the present vote: in its stage, or else in its phase."""
    began = max(game.phase_mark, game.mark(StageBegan))
    cast = ((e.at, e.number, e.event) for e in game.lines(Voted) if e.number > began)
    votes = sorted((at, v.key, number, v) for at, number, v in cast if isinstance(v, Voted))
    return {v.who: v.ballot for *_, v in votes if v.who in game.alive}


def tell_voters(*cites: str) -> Rule:
    """Return the rule that each whose ballot names one who dies by day is told so, and nobody else."""

    @whenever(Killed, *cites)
    def fell_away(game: Game, event: Killed) -> Events:
        if game.phase != "day" or game.now(Lynched):
            return None
        ballots = {who: ballot for who, ballot in ballots_now(game).items() if event.who in persons_in(ballot)}
        return [Told(who, FALLEN, _words(event.who, ballot), (event.who,)) for who, ballot in ballots.items()]

    return fell_away


def _words(dead: str, ballot: Ballot) -> str:
    plain = isinstance(ballot, (For, Endorse, Copy))
    now = "it counts for nobody now" if plain else "where it comes to em, it counts for nobody"
    return f"Your ballot names {dead}, who is dead: {now}. You can cast another while the vote is open."


TIME = r"([01]?\d|2[0-3]):[0-5]\d"
ORDER: tuple[type[Event], ...] = (Killed, Revived, Turned)


def dawn_switch(says: str) -> Switch:
    """Return the switch ``dawn`` (D-N24), described as *says*."""
    return Switch("dawn", (), "D-N24", says, default="08:00, 20:00", form=rf"{AT_ONCE}|{TIME}( *, *{TIME})*",
                  like=f"times of day in UTC, such as '08:00, 20:00', or {AT_ONCE!r}")


def unannounced(game: Game) -> tuple[str, ...]:
    """Return those who are dead without everyone knowing, in seat order: that of their deaths would tell the causes."""
    return tuple(p for p in game.seats if p not in game.alive and p not in game.shown_dead)


def back(game: Game) -> tuple[str, ...]:
    """Return those who live again without everyone knowing."""
    return tuple(p for p in game.seats if p in game.alive and p in game.shown_dead)


def dues(game: Game) -> list[Event]:
    """Return what is due at the end of this phase: deaths, then returns, then turnings; seat order within."""
    def rank(event: Event) -> tuple[int, int]:
        kind = next((i for i, k in enumerate(ORDER) if isinstance(event, k)), len(ORDER))
        who = getattr(event, "who", None)
        return kind, game.seats.index(who) if who in game.seats else len(game.seats)

    return sorted((d.event for d in game.now(Due)), key=rank)


def mortality(*cites: str) -> Law:
    """Return the law that nobody dies twice or returns twice.

    Whoever dies by day outside the vote is named at once, those who die at the same instant together.
    """

    @instead(Killed, *cites)
    def only_once(game: Game, event: Killed) -> Events:
        return [] if event.who not in game.alive else None

    @instead(Revived, *cites)
    def only_the_dead(game: Game, event: Revived) -> Events:
        return [] if event.who in game.alive else None

    @always(*cites)
    def named_by_day(game: Game, owed: Owed) -> Events:
        return [DeathsAnnounced(unannounced(game))] if game.phase == "day" and unannounced(game) else None

    return Law("mortality", rules=(only_once, only_the_dead, named_by_day))


def departures(*cites: str) -> Law:
    """Return the law of leaving in mid-session: the switch ``departure`` says whether it kills, and voids ballots.

    That death is public in whatever phase, also of one who had been killed before and wasn't known to be dead.
    """

    @whenever(Removed, *cites)
    def depart(game: Game, event: Removed) -> Events:
        if game.switch("departure") != "kill":
            return None
        news = () if event.who in game.shown_dead else (DeathsAnnounced((event.who,)),)
        return [Killed(event.who, "departure"), *news]

    return Law("departures", rules=(depart, tell_voters(*cites)))


def phases(first: str = "day", *, opens: tuple[str, ...], night: tuple[str, ...], dawn: tuple[str, ...]) -> Law:
    """Return the law by which setup, days and nights follow one another; each tuple names its clauses."""

    @always(*opens)
    def open_session(game: Game, owed: Owed) -> Events:
        return [PhaseBegan(first, 1)] if game.phase == "setup" and game.opened and not owed else None

    @always(*night)
    def begin_night(game: Game, owed: Owed) -> Events:
        if game.phase == "day" and not owed and game.now(Lynched):
            return [PhaseBegan("night", next_number(game, "night"))]
        return None

    return Law("phases", rules=(open_session, begin_night, *_dawn_rules(dawn)), alarms=_dawn_alarm)


def next_number(game: Game, phase: str) -> int:
    """Return the number that the next *phase* has."""
    return max((p.number for p in game.ever(PhaseBegan, phase=phase)), default=0) + 1


def _dawn_rules(cites: tuple[str, ...]) -> tuple[Rule, ...]:
    """Return the rules by which a night is complete, dawns at a slot or at once, and is announced (D-N24)."""

    @always(*cites)
    def complete_night(game: Game, owed: Owed) -> Events:
        if game.phase == "night" and not owed and not game.now(Completed):
            return [Completed()]
        return None

    @whenever(ClockStruck, *cites)
    def end_night(game: Game, event: ClockStruck) -> Events:
        return [Dawned(), *dues(game)] if event.what == DAWN and not game.now(Dawned) else None

    @always(*cites)
    def end_night_at_once(game: Game, owed: Owed) -> Events:
        at_once = not slots(game.switch("dawn"))
        return [Dawned(), *dues(game)] if at_once and game.now(Completed) and not game.now(Dawned) else None

    @always(*cites)
    def announce(game: Game, owed: Owed) -> Events:
        if game.phase != "night" or owed or not game.now(Dawned) or not _at_slot(game):
            return None
        return [DeathsAnnounced(unannounced(game), back(game)), PhaseBegan("day", next_number(game, "day"))]

    return complete_night, end_night, end_night_at_once, announce


def _at_slot(game: Game) -> bool:
    if not slots(game.switch("dawn")):
        return True
    strikes = game.lines_now(ClockStruck, what=DAWN)
    return bool(strikes) and strikes[-1].at == game.clock


def _dawn_alarm(game: Game, owed: Owed) -> Iterable[tuple[int, str]]:
    """D-N24: the announcement waits for the slot after the last thing that it had to wait for."""
    if game.phase != "night" or owed or not game.now(Completed):
        return ()
    last = max(e.at for kind in (Completed, Chose, Removed) for e in game.lines_now(kind))
    return ((next_slot(last, slots(game.switch("dawn"))), DAWN),)


STAGES = ("discussion", "nominations", "defence", "ballot", "night")
USUAL = "72, 48, 24, 48, 72"
DEADLINES = Switch(
    "deadlines", (), "D-A1", f"hours for {', '.join(STAGES)}", default=USUAL, form=r"\d{1,5}( *, *\d{1,5}){4}",
    like=f"five whole numbers of hours, for {', '.join(STAGES)}, such as {USUAL!r}")
SURRENDER = Switch(
    "surrender", (), "D-A27", "once how many of the evil side are left they give up", default="0", form=r"\d",
    like="a number, 0 for never")
COMMON = (
    Switch("departure", ("kill", "stay"), "D-A2", "what leaving in mid-session does"),
    Switch("reveal_after", ("on", "off"), "D-N23", "whether all roles are published after the session"),
    dawn_switch("times of day (UTC): counts are published at the first; 'at once' ends a night with its last deed"),
    DEADLINES,
    SURRENDER,
)
"""The switches that all games of stages have."""
MISSING = "missing"
"""The cause of a longer stage in which too few had voted when it was to end (D-A14)."""
CARDS = Switch("cards", ("shown", HIDDEN), "D-A24", "whether it is told of the dead what they were")
AS_MANY = "as many"
EVIL_WINS = Switch(
    "evil_wins", ("alone", AS_MANY), "D-A26", "when the evil side wins: alone, or as many as the others")
SAME = {"verdict": "ballot", "closing": "defence"}


def common(hours_for: str) -> tuple[Switch, ...]:
    """Return the switches that all games of stages have, where one needs more words on what ``deadlines`` is for."""
    return tuple(replace(s, says=f"{s.says}; {hours_for}") if s is DEADLINES else s for s in COMMON)


def as_many(game: Game) -> bool:
    """D-A26: whether a contest has it that the evil side wins as soon as it is as many as the others."""
    return game.switches.get(EVIL_WINS.name) == AS_MANY


def hours(game: Game, stage: str) -> int:
    """Return how many hours *stage* lasts by the switch ``deadlines``."""
    given = [int(part) for part in game.switches.get("deadlines", USUAL).split(",")]
    return given[STAGES.index(SAME.get(stage, stage))]


def begin(game: Game, stage: str, names: tuple[str, ...] = (), lasts: str = "") -> StageBegan:
    """Return the beginning of *stage* now, about *names*, lasting as long as *lasts* (default: its own time).

    Of no hours at all it is over a second later.
    """
    return StageBegan(stage, game.clock + max(1, 3600 * hours(game, lasts or stage)), names)


def deadline(game: Game, owed: Owed) -> Iterable[tuple[int, str]]:
    """Return the alarm at which the present stage ends.

    It comes at its second though something else has come in that second; one that has passed and did not bite, as in
    an outage (D-N39), comes at the next second.
    """
    if not game.stage or game.over or struck(game):
        return ()
    return ((game.deadline if game.deadline >= game.clock else game.clock + 1, STAGE),)


def struck(game: Game) -> bool:
    """Return whether the deadline of the present stage has come; a night may wait for more after it."""
    mark = game.mark(StageBegan)
    since = (e for e in game.lines_now(ClockStruck) if e.number > mark and e.at >= game.deadline)
    return any(isinstance(e.event, ClockStruck) and e.event.what == STAGE for e in since)


def ran_out(game: Game, event: ClockStruck, *stages: str) -> bool:
    """Return whether *event* is the end of one of *stages*."""
    return event.what == STAGE and game.stage in stages and game.clock >= game.deadline


def about(game: Game) -> tuple[str, ...]:
    """Return whom the present stage is about."""
    began = game.last(StageBegan)
    return began.names if began and game.stage == began.stage else ()


def nights(
    *, opens: tuple[str, ...], night: tuple[str, ...], dawn: tuple[str, ...],
    first: Callable[[Game], PhaseBegan] = lambda game: PhaseBegan("night", 1),
    extra: Callable[[Game], Iterable[Event]] | None = None,
) -> Law:
    """Return the law of nights and what comes before them; *extra* says more at dawn (the first victim, answers).

    The session opens with the *first* phase.
    """

    @always(*opens)
    def open_session(game: Game, owed: Owed) -> Events:
        if game.phase != "setup" or not game.opened or owed:
            return None
        return [first(game)]

    @whenever(PhaseBegan, *night)
    def set_deadline(game: Game, event: PhaseBegan) -> Events:
        return [begin(game, "night")] if event.phase == "night" else None

    return Law("nights", rules=(open_session, set_deadline, *_closing(night, dawn, extra)), alarms=deadline)


def _closing(
    night: tuple[str, ...], dawn: tuple[str, ...], extra: Callable[[Game], Iterable[Event]] | None
) -> tuple[Rule, ...]:
    """Return the rules by which a night closes at its time or with its last deed, dawns, and is announced."""

    @whenever(ClockStruck, *night)
    def close(game: Game, event: ClockStruck) -> Events:
        return [NightClosed()] if ran_out(game, event, "night") and not game.now(NightClosed) else None

    @always(*night)
    def close_at_once(game: Game, owed: Owed) -> Events:
        done = game.phase == "night" and not owed and not slots(game.switches.get("dawn", ""))
        return [NightClosed()] if done and not game.now(NightClosed) else None

    @always(*night)
    def end(game: Game, owed: Owed) -> Events:
        return [Dawned(), *dues(game)] if game.now(NightClosed) and not game.now(Dawned) else None

    @always(*dawn)
    def announce(game: Game, owed: Owed) -> Events:
        if game.phase != "night" or not game.now(Dawned):
            return None
        more = tuple(extra(game)) if extra else ()
        return [DeathsAnnounced(unannounced(game), back(game)), *more, PhaseBegan("day", next_number(game, "day"))]

    return close, close_at_once, end, announce


def nightfall(game: Game) -> tuple[Event, ...]:
    """Return the beginning of the next night."""
    return (PhaseBegan("night", next_number(game, "night")),)


def night_after_lynching(*cites: str) -> Rule:
    """Return the rule that night falls as soon as the day's lynching, and all that follows from it, has happened."""

    @always(*cites)
    def night_falls(game: Game, owed: Owed) -> Events:
        return nightfall(game) if game.phase == "day" and game.now(Lynched) else None

    return night_falls


def quiet_day(game: Game) -> tuple[Event, ...]:
    """Return the end of a day without a verdict, and if nobody was killed on it that too (D-C4, D-M2, GA 5g)."""
    if game.now(Killed):
        return nightfall(game)
    return (Announced("quiet day", "Nobody was killed today."), *nightfall(game))


def cards(*kinds: type[Event], titles: Callable[[Game, str], str], cites: tuple[str, ...]) -> Law:
    """Return the law by which the cards of the dead are shown, on each event of *kinds*, but hidden ones (D-A24)."""

    def shown(game: Game, event: Event) -> Events:
        names = event.killed if isinstance(event, DeathsAnnounced) else (getattr(event, "who", ""),)
        return [Disclosed(who, titles(game, who)) for who in names
                if who not in game.disclosed and not game.card_is_hidden(who)]

    return Law("cards", rules=tuple(whenever(kind, *cites)(shown) for kind in kinds))


def executions(*cites: str) -> Law:
    """Return the law that whoever is condemned dies at once."""
    return Law("executions", rules=(executed(*cites),))


ONE_DEATH: Final = "D-A28"
"""The ruling by which one death ends a session."""


@dataclass(frozen=True)
class Ending:
    """How a session ends.

    *evil* wins at *parity*, by the clauses *at_parity* or else its own, or only when nobody else is left; *good* when
    no evil is left, only its survivors if *survivors_only*; holders of the roles *also* win with evil, and the sides
    *passing_for_good* count as good. *neither* says what follows when both sides are gone, by the clauses *both_gone*
    or else those of evil. A dead player's owed choice comes first, unless the switch ``parity`` is ``immediate``.
    Deaths and returns of one night are weighed together, since the end is tested when nothing is left to happen.

    By the switch ``surrender`` evil gives up once so few of it live, while others do and no third side kills (D-A27).

    While two sides live that kill, evil or a role's own, and one of good, nobody has won. One such side alone wins as
    evil does. With nobody of good left, the largest of them wins, and of two as large neither (D-A25).
    """

    evil: str
    good: str
    parity: Callable[[Game], bool] = lambda game: True
    survivors_only: bool = False
    also: tuple[str, ...] = ()
    neither: Callable[[Game], str] | None = None
    evil_wins: tuple[str, ...] = ()
    at_parity: tuple[str, ...] = ()
    good_wins: tuple[str, ...] = ()
    passing_for_good: tuple[str, ...] = ()
    both_gone: tuple[str, ...] = ()

    def standing(self, game: Game) -> tuple[str, tuple[str, ...]] | None:
        """Return which side has won, and by which clauses; None while neither has."""
        living = Counter(game.sides[p] for p in game.alive)
        bad, rest = living[self.evil], sum(living[side] for side in (self.good, *self.passing_for_good))
        if any(map(game.is_own, living)):
            return self._of_killers(game, {s: n for s, n in living.items() if s == self.evil or game.is_own(s)}, rest)
        if bad and rest and bad <= int(game.switches.get(SURRENDER.name, SURRENDER.usual)):
            return self.good, (*self.good_wins, SURRENDER.decision)
        if bad and rest:
            return self._outnumbering(game, self.evil, bad, rest)
        if rest:
            return self.good, self.good_wins
        if not bad and self.neither:
            return self.neither(game), self.both_gone or self.evil_wins
        return self.evil, self.evil_wins

    def _of_killers(self, game: Game, killers: Mapping[str, int], rest: int) -> tuple[str, tuple[str, ...]] | None:
        """Return which side of *killers*, by how many of it live, has won against the *rest*; None while none has."""
        side = max(killers, key=killers.__getitem__)
        if rest:
            return self._outnumbering(game, side, killers[side], rest) if len(killers) == 1 else None
        even = list(killers.values()).count(killers[side]) > 1
        return "draw" if even else side, self.evil_wins

    def _outnumbering(self, game: Game, side: str, bad: int, rest: int) -> tuple[str, tuple[str, ...]] | None:
        """Return that *side*, of which so many live, has won against the *rest* if it is as large; None if not."""
        return (side, self.at_parity or self.evil_wins) if bad >= rest and self.parity(game) else None

    def by_a_death(self, game: Game) -> tuple[str, tuple[str, ...]] | None:
        """Return which side has won by the death of one whose role ends the session so, and who wins (D-A28).

        The first such death counts; leaving is none. Who wins alone does so as a side that is called as their role.
        """
        for entry in game.lines(Killed):
            if not isinstance(entry.event, Killed) or entry.event.cause == "departure":
                continue
            who = entry.event.who
            whose, _, how = game.traits(who).ends.partition(" wins if ")
            if whose and who not in game.alive and (how == "dead" or _was_lynched(game, who, how)):
                side = {"good": self.good, "evil": self.evil}.get(whose, game.roles[who])
                return side, (who,) if whose == "it" else self.winners(game, side)
        return None

    def winners(self, game: Game, side: str) -> tuple[str, ...]:
        """Return who wins with *side*, in seat order."""
        return tuple(p for p in game.seats if self._wins(game, side, p))

    def _wins(self, game: Game, side: str, who: str) -> bool:
        if game.roles[who] in self.also:
            return side == self.evil
        return game.sides[who] == side and (side == self.evil or not self.survivors_only or who in game.alive)

    def end(self, game: Game, owed: Owed, clauses: tuple[str, ...]) -> Events:
        """End the session once a side has won by *clauses*, also while it is set up (D-N51)."""
        waits = any(who not in game.alive for who, _ in owed) and game.switches.get("parity") != "immediate"
        if game.opened is None or game.phase == "over" or waits:
            return None
        by_death = self.by_a_death(game)
        stands = (by_death[0], (ONE_DEATH,)) if by_death else self.standing(game)
        if stands is None or stands[1] != clauses:
            return None
        side, winners = by_death or (stands[0], self.winners(game, stands[0]))
        untold = unannounced(game) or back(game) or game.now(Dawned)
        news: list[Event] = [DeathsAnnounced(unannounced(game), back(game))] if untold else []
        return [*news, Ended(side, winners, "; ".join(clauses))]


def _was_lynched(game: Game, who: str, how: str) -> bool:
    """Return whether *who* was lynched, on the day that *how* names if it names one (``lynched on day 1``)."""
    lynchings = game.lines(Lynched, who=who)
    day = how.rpartition(" day ")[2] if " day " in how else ""
    began = [e.event for e in game.lines(PhaseBegan) if lynchings and e.number < lynchings[-1].number]
    on = next((str(b.number) for b in reversed(began) if isinstance(b, PhaseBegan) and b.phase == "day"), "")
    return bool(lynchings) and day in ("", on)


def ending(how: Ending) -> Law:
    """Return the law by which a session ends."""
    good, evil = how.good_wins, how.evil_wins
    ways = dict.fromkeys((
        good, (*good, SURRENDER.decision), evil, how.at_parity or evil, how.both_gone or evil, (ONE_DEATH,)))
    return Law("ending", rules=tuple(always(*w)(partial(how.end, clauses=w)) for w in ways))
