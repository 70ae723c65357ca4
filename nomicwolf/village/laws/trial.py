"""Sealed nominations, a run-off, a trial with guilty and innocent; a failed first trial leads to a second."""

from __future__ import annotations

from nomicwolf.village.events import (
    Acquitted,
    BallotsOpened,
    ClockStruck,
    Event,
    Lynched,
    Nominated,
    PhaseBegan,
    Tried,
)
from nomicwolf.village.game import Game
from nomicwolf.village.laws.nights import nightfall, quiet_day
from nomicwolf.village.laws.plurality import by_lot
from nomicwolf.village.laws.stages import about, begin, deadline, ran_out
from nomicwolf.village.laws.verdicts import GUILTY, INNOCENT, ballot_duty, count, votes_for
from nomicwolf.village.rules import Events, Law, Owed, always, whenever

VERDICTS = (GUILTY, INNOCENT)


def nominable(game: Game) -> tuple[str, ...]:
    """Return who can be nominated: the living, in a run-off only those who are tied (D-M3, D-M18)."""
    return tuple(p for p in about(game) if p in game.alive) if game.stage == "ballot" else game.living()


def choosing(game: Game, me: str) -> bool:
    """Open in the nominations and their run-off, to the living."""
    return game.phase == "day" and game.stage in ("nominations", "ballot") and me in game.alive


def judging(game: Game, me: str) -> bool:
    """D-M4: open in the verdict to the living, the accused included."""
    return game.phase == "day" and game.stage == "verdict" and me in game.alive


def opened_ballots(game: Game, options: tuple[str, ...]) -> tuple[dict[str, list[str]], Event]:
    """Return who votes for each of *options*, and the opening of all ballots with their names (D-M1)."""
    table = count(game, options)
    votes = tuple((p, v if (v := table.values.get(p)) in options else None) for p in game.living())
    return votes_for(game, table, options), BallotsOpened(votes)


def trial(trials: int, *, nominate: tuple[str, ...], verdict: tuple[str, ...]) -> Law:
    """Return the law; there are at most *trials* on a day (D-M5)."""

    @whenever(PhaseBegan, *nominate)
    def open_day(game: Game, event: PhaseBegan) -> Events:
        if event.phase != "day":
            return None
        return [begin(game, "discussion", lasts="defence" if event.number == 0 else "")]

    @whenever(ClockStruck, *verdict)
    def go_on(game: Game, event: ClockStruck) -> Events:
        if ran_out(game, event, "discussion"):
            return nightfall(game) if game.number == 0 else [begin(game, "nominations")]
        if ran_out(game, event, "nominations", "ballot"):
            return close_nominations(game)
        if ran_out(game, event, "defence"):
            return [begin(game, "verdict", about(game))]
        if ran_out(game, event, "verdict"):
            return close_verdict(game, trials)
        return quiet_day(game) if ran_out(game, event, "closing") else None

    @always(*verdict)
    def night_falls(game: Game, owed: Owed) -> Events:
        return nightfall(game) if game.phase == "day" and game.now(Lynched) else None

    duties = (
        ballot_duty(choosing, nominable, sealed=True, public=False, cites=nominate,
                    says="vote NAME: nominate somebody for trial, sealed until the deadline"),
        ballot_duty(judging, lambda game: VERDICTS, sealed=True, public=False, cites=verdict,
                    says="guilty or innocent: your verdict, sealed until the deadline"),
    )
    return Law("trial", duties, (open_day, go_on, night_falls), deadline, describes=(
        "All nominate in secret, and the ballots are opened together. Whoever is named most is tried; more votes for "
        "guilty than for innocent execute em. After a first trial without execution there is a second."
    ))


def close_nominations(game: Game) -> list[Event]:
    """Open the nominations: one on trial, a run-off among the tied, then a lot; nobody named, nobody tried (D-M2)."""
    run_off = game.stage == "ballot"
    options = nominable(game)
    votes, opened = opened_ballots(game, options)
    top = max((len(v) for v in votes.values()), default=0)
    tied = tuple(p for p in options if len(votes[p]) == top)
    if not top and not run_off:
        return [opened, begin(game, "closing")]
    if len(tied) > 1 and not run_off:
        return [opened, Nominated(tied), begin(game, "ballot", tied)]
    held = len(game.now(Tried)) + 1
    who, drawn = by_lot(game, f"trial {held}, day {game.number}", sorted(tied))
    return [opened, *drawn, Tried(who), begin(game, "defence", (who,))]


def close_verdict(game: Game, trials: int) -> list[Event]:
    """Open the verdicts: more guilty than innocent execute (D-M5); else on to a second trial, or to the day's end."""
    who = about(game)[0]
    votes, opened = opened_ballots(game, VERDICTS)
    if len(votes[GUILTY]) > len(votes[INNOCENT]) and who in game.alive:
        return [opened, Lynched(who)]
    again = len(game.now(Tried)) < trials
    return [opened, Acquitted(who), begin(game, "discussion" if again else "closing")]
