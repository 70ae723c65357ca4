"""An accusation, seconds, a defence, a vote.

More than half of the living convict.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from nomicwolf.village.events import (
    ACCUSATIONS,
    CONDITION,
    Acquitted,
    ClockStruck,
    Counted,
    Declared,
    Event,
    Extended,
    Killed,
    Lynched,
    PhaseBegan,
    Published,
    StageBegan,
    Tried,
    Voted,
)
from nomicwolf.village.game import Game
from nomicwolf.village.laws.phases import about, begin, deadline, night_after_lynching, quiet_day, ran_out
from nomicwolf.village.laws.verdicts import (
    GUILTY,
    INNOCENT,
    VERDICTS,
    ballot_duty,
    condition_alarm,
    count,
    rejudge,
    votes_for,
)
from nomicwolf.village.rules import Duty, Events, Law, Owed, Rule, always, another, whenever

ACCUSATION = "accusation"
"""The name of the law."""


def on_trial(game: Game) -> str:
    """Return whom the present trial is of, '' if there is none."""
    return next(iter(about(game)), "") if game.phase == "day" else ""


def awake(game: Game, me: str) -> bool:
    """Open by day, to the living; a conviction ends the day at once."""
    return game.phase == "day" and me in game.alive


def accusers(game: Game, it: str) -> set[str]:
    """Return who has accused *it* today."""
    return {d.who for d in game.now(Declared, verb="accuse") if it in d.what}


def seconders(game: Game, it: str) -> set[str]:
    """Return who has seconded an accusation of *it* today since *it* was last tried."""
    return {d.who for d in game.since(_tried_mark(game, it), Declared, verb="second") if it in d.what}


def seconded(game: Game, it: str) -> bool:
    """Return whether an accusation of *it* has as many seconds, by others than its accuser, as it needs (D-C1)."""
    them = seconders(game, it)
    return len(them) >= needed(game) and any(len(them - {who}) >= needed(game) for who in accusers(game, it))


def _tried_mark(game: Game, it: str) -> int:
    tried = [e.number for e in game.lines_now(Tried, who=it)]
    return max(tried, default=game.phase_mark)


def needed(game: Game) -> int:
    """Return how many seconds bring an accusation to a vote (D-C1; one by GA 5c)."""
    return int(game.switches.get("call_threshold", "1"))


def waiting(game: Game) -> list[str]:
    """Return who is to be tried next: those seconded often enough, in the order of their accusations (D-G11).

    Whoever has been tried stands behind, in the order of what was said against em since.
    """
    said = [(e.number, e.event.what) for e in game.lines_now(Declared) if isinstance(e.event, Declared)]
    order = dict.fromkeys(w for number, names in said for w in names if number > _tried_mark(game, w))
    return [w for w in order if w in game.alive and w != on_trial(game) and seconded(game, w)]


def closes(game: Game) -> int:
    """Return when today's time for accusations is over (UTC seconds), as it was announced or extended; 0 if not yet.

    While somebody is voted on for the first time today that time stands still (D-C17).
    """
    until, stage, since = 0, "", 0
    said = sorted((*game.lines_now(StageBegan), *game.lines_now(Extended)), key=lambda e: e.number)
    for entry in said:
        if isinstance(entry.event, StageBegan):
            stage, since = entry.event.stage, entry.at
        if stage == "discussion" and isinstance(entry.event, (StageBegan, Extended)):
            until = entry.event.until
    return until + game.clock - since if until and _stands_still(game) else until


def _stands_still(game: Game) -> bool:
    tried = [e.who for e in game.now(Tried)]
    return game.stage == "ballot" and tried.count(tried[-1]) == 1


def instants(game: Game, owed: Owed) -> Iterable[tuple[int, str]]:
    """Return when the stage ends, and in a vote also the next instant before that which a verdict's condition names."""
    yield from deadline(game, owed)
    if game.phase == "day" and game.stage == "ballot":
        yield from condition_alarm(game)


def alarms(game: Game, owed: Owed) -> Iterable[tuple[int, str]]:
    """Return the same, and in a vote also when nobody can be accused any more today (D-C17)."""
    yield from instants(game, owed)
    if game.phase == "day" and game.stage == "ballot" and not _stands_still(game) and closes(game) > game.clock:
        yield closes(game), ACCUSATIONS


def go_back(game: Game, *, once: bool) -> list[Event]:
    """Return what follows a trial that came to nothing: with *once* there is time for accusations anew (GA 5f).

    Else the day's deadline stands, but for the time that first votes take (D-C17): those who were seconded before it
    are still tried, and then night falls.
    """
    until = closes(game)
    if once or not until:
        return [begin(game, "discussion")]
    if until > game.clock:
        return [StageBegan("discussion", until)]
    return put_on_trial(game, defence=False) if waiting(game) else list(quiet_day(game))


def put_on_trial(game: Game, *, defence: bool) -> list[Event]:
    """Return the beginning of the next trial of those who wait."""
    who = waiting(game)[0]
    return [Tried(who), begin(game, "defence" if defence else "ballot", (who,))]


def accusation(
    *, once: bool, defence: bool, accuse: tuple[str, ...], second: tuple[str, ...], verdict: tuple[str, ...]
) -> Law:
    """Return the law; *once*: the acquitted are safe for the day (GA 5f); *defence*: there is time for one (GA 5d).

    *accuse*, *second* and *verdict* are the clauses on these.
    """
    duties = (*_accusing(accuse, second, once=once), ballot_duty(
        lambda game, me: awake(game, me) and game.stage == "ballot", lambda game: VERDICTS, cites=verdict,
        says="guilty or innocent: your verdict; it can be changed until the vote closes",
        silence="If you don't, that counts as not guilty: more than half of the living convict."))
    rules = _rules(second, verdict, once=once, defence=defence)
    heard = "the accused is heard, and then all the living vote" if defence else "all the living vote"
    again = "" if once else (
        " The first vote on somebody takes nothing of the day's time, another on em does; who was seconded in time is"
        " still voted on.")
    return Law(ACCUSATION, duties, rules, instants if once else alarms, late, describes=(
        f"A player accuses another. When somebody else seconds it, {heard}; more than half of them convict.{again}"))


def _accusing(accuse: tuple[str, ...], second: tuple[str, ...], *, once: bool) -> tuple[Duty, Duty]:
    """Return the duties of accusing somebody and of seconding that, by these clauses."""

    def accusable(game: Game, me: str, it: str) -> str:
        """D-G18: nobody accuses emself."""
        if why := another(game, me, it):
            return why
        if once and game.now(Acquitted, who=it):
            return f"{it} was acquitted today and can't be accused again before tomorrow."
        return f"{it} is on trial already." if it == on_trial(game) else ""

    def accused(game: Game, me: str, it: str) -> str:
        if why := accusable(game, me, it):
            return why
        if not accusers(game, it):
            return f"Nobody has accused {it}."
        return "" if accusers(game, it) - {me} else "An accusation is seconded by somebody else than its accuser."

    def only_accused(game: Game, me: str) -> tuple[str, ...]:
        found = tuple(p for p in game.living() if not accused(game, me, p))
        return found if len(found) == 1 else ()

    def in_time(game: Game, me: str) -> bool:
        return awake(game, me) and (once or game.stage == "discussion" or not 0 < closes(game) <= game.clock)

    return (
        Duty("accuse", in_time, accusable, owed=False, again=True, public=True, spoken=True, cites=accuse,
             says="accuse NAME: it comes to a vote when somebody seconds it"),
        Duty("second", in_time, accused, optional=only_accused, owed=False, again=True, public=True, spoken=True,
             cites=second, says="second NAME: bring an accusation to a vote"),
    )


def _rules(
    cites: tuple[str, ...], verdict: tuple[str, ...], *, once: bool, defence: bool
) -> tuple[Rule, ...]:
    """Return the rules of the day: the floor opens, the seconded are tried in turn, each stage ends at its time."""

    @whenever(PhaseBegan, *cites)
    def open_floor(game: Game, event: PhaseBegan) -> Events:
        return [begin(game, "discussion")] if event.phase == "day" else None

    @always(*cites)
    def try_next(game: Game, owed: Owed) -> Events:
        if game.phase != "day" or game.stage != "discussion" or not waiting(game):
            return None
        return put_on_trial(game, defence=defence)

    @whenever(ClockStruck, *cites)
    def go_on(game: Game, event: ClockStruck) -> Events:
        if ran_out(game, event, "discussion"):
            return quiet_day(game)
        if ran_out(game, event, "defence"):
            return [begin(game, "ballot", about(game))]
        return give_verdict(game, closing=True, once=once) if ran_out(game, event, "ballot") else None

    @always(*cites)
    def drop_the_dead(game: Game, owed: Owed) -> Events:
        gone = on_trial(game)
        return go_back(game, once=once) if gone and gone not in game.alive and not game.now(Lynched) else None

    return open_floor, try_next, go_on, *_weighing(verdict, once=once), drop_the_dead, night_after_lynching(*verdict)


def _weighing(verdict: tuple[str, ...], *, once: bool) -> tuple[Rule, ...]:
    """Return the rules by which verdicts are weighed: with each one given or condition met, and when a voter leaves."""

    def weigh(game: Game, event: Event) -> Events:
        overtakes = isinstance(event, Voted) and event.overtakes
        other = isinstance(event, ClockStruck) and event.what != CONDITION
        return None if overtakes or other else give_verdict(game, closing=False, once=once)

    @whenever(Killed, *verdict, "D-A2")
    def weigh_without(game: Game, event: Killed) -> Events:
        return weigh_again(game, event, once=once)

    return (*(whenever(kind, *verdict)(weigh) for kind in (Voted, Published, ClockStruck)), weigh_without)


def late(game: Game, voted: Voted | None, at: int) -> tuple[int, Sequence[Event]] | None:
    """Return the conviction that *voted*, cast at *at* and heard only now, brings about at its instant (D-A8)."""
    who = on_trial(game)
    if game.stage != "ballot" or not who or game.now(Lynched) or voted is None:
        return None
    return rejudge(game, who, voted, at)


def weigh_again(game: Game, event: Killed, *, once: bool) -> list[Event] | None:
    """D-A2: with a voter fewer, who has left, the verdicts may already decide."""
    decided = event.cause != "departure" or event.who == on_trial(game) or game.now(Lynched)
    return None if decided else give_verdict(game, closing=False, once=once)


def give_verdict(game: Game, *, closing: bool, once: bool) -> list[Event] | None:
    """Convict once more than half of the living say guilty; acquit when all have voted, or the time is over."""
    who = on_trial(game)
    if game.stage != "ballot" or not who:
        return None
    table = count(game, VERDICTS)
    votes = votes_for(game, table, VERDICTS)
    living, guilty = game.living(), game.votes_of(votes[GUILTY])
    enough = table.majority
    changed = tuple((p, table.values.get(p)) for p in living if game.table.get(p) != table.values.get(p))
    counts = tuple((o, game.votes_of(votes[o])) for o in VERDICTS if votes[o])
    news: list[Event] = [Counted(changed, counts, enough)] if changed else []
    if guilty >= enough:
        return [*news, Lynched(who)]
    if closing or len(votes[GUILTY]) + len(votes[INNOCENT]) == len(living):
        return [*news, Acquitted(who), *go_back(game, once=once)]
    return news

