"""Time in the contestmaster's hand: deadlines moved or brought on early (D-A1), pauses (D-A15), outages (D-N39)."""

from __future__ import annotations

from nomicwolf.contest.happenings import Command, Misuse
from nomicwolf.contest.work import Work
from nomicwolf.nomic.care import GuardLifted, Paused, PauseEnded
from nomicwolf.nomic.times import instant_in, seconds_in, when
from nomicwolf.village.alarms import LIMIT, STAGE
from nomicwolf.village.events import Entry, Extended, PhaseBegan, StageBegan
from nomicwolf.village.game import Game
from nomicwolf.village.laws.phases import MISSING, struck
from nomicwolf.village.rules import Refusal

CITES = ("D-A1",)
PAUSED = ("D-A15",)
MANY = "nominations"
"""The one stage that is spoken of as of many."""
_LATELY = 3600
"""Seconds after the beginning of a stage in which an order that names no phase may be meant for the one before."""


def extend(work: Work, command: Command) -> str:
    """Move the deadline of the present stage to ``until``, or ``by`` a length of time; `Refusal` for the past (X-18).

    So it is for a stage that has hardly begun, where the one before it is probably meant.
    """
    by = _length(command)
    until = 0 if by else instant_of(command.get("until"), CITES)
    game = _staged(work)
    until = until or game.deadline + by
    _refuse_overtaken(work, command, game, "move its deadline")
    if until <= max(work.now, game.clock):
        raise Refusal(f"{when(until)} is past: a deadline can only be moved to an instant to come.", CITES)
    _move(work, until)
    return _lasts(game, until)


def _length(command: Command) -> int:
    """Return by how many seconds a deadline is moved, 0 where it is moved to an instant."""
    said = command.get("by")
    if bool(said) == bool(command.get("until")):
        raise Misuse("Say until when, like 2026-12-01T09:00Z, or --by how much, like 24h.", CITES)
    try:
        return seconds_in(said) if said else 0
    except ValueError as error:
        raise Misuse(f"{error}; write it like 24h, 2d or 90m.", CITES) from error


def close(work: Work, command: Command) -> str:
    """End the present stage now, as its deadline would: the moderator finds that there has been time enough.

    What was sent before has been done before, though it may have come within the settling time (D-A4).
    """
    at = max(work.now, _staged(work).clock)
    work.catch_up(at)
    game = _staged(work)
    _refuse_overtaken(work, command, game, "close it")
    _move(work, at)
    work.play(lambda g: work.rules.strike(g, at, STAGE if g.stage else LIMIT))
    named = _named(game.stage, game.place)
    return f"{named[0].upper()}{named[1:]} {'are' if game.stage == MANY else 'is'} closed."


def pause(work: Work, command: Command) -> str:
    """Stop all clocks of the session; what is sent meanwhile is done once it is resumed (D-A15)."""
    why, law = command.words("why", "Say why; all are told: --why.", PAUSED), work.contest.law
    if work.contest.running is None:
        raise Refusal("No session is in progress: there is nothing to pause.", PAUSED)
    if law.paused:
        raise Refusal(f"The session is paused already, since {when(law.paused)}; `resume` lets it go on.", PAUSED)
    work.add(Paused(why), cites=PAUSED, cause="command")
    return "The session is paused: no deadline bites, and what is sent waits until you say nomicwolf resume."


def resume(work: Work, command: Command) -> str:
    """Say that an outage has been looked into, or that a pause is over: all goes on, later by the time between."""
    guard, paused = work.contest.law.guard, work.contest.law.paused
    if not guard and not paused:
        raise Refusal("There has been no outage, and no pause: nothing waits to be resumed.", ("D-N39", *PAUSED))
    said = []
    if guard:
        work.add(GuardLifted(guard), cites=("D-N39",), cause="command")
        said.append(f"The outage since {when(guard)} is over; deadlines bite again.")
    if paused:
        work.add(PauseEnded(paused), cites=PAUSED, cause="command")
        said.append(f"The pause since {when(paused)} is over; what was sent in it is done now.")
    return " ".join(said) + _make_good(work, min(filter(None, (guard, paused))))


def _make_good(work: Work, since: int) -> str:
    """Move the present stage's deadline by what of an outage or a pause, *since* an instant, lies within the stage.

    Return a sentence on it, '' where it stays: there is none, or the contestmaster has moved it since. What a late
    second has lengthened the stage by is time in which nobody knew of it (D-A8), and is made good already.
    """
    game = work.contest.running
    if game is None or not game.deadline or (game.stage and struck(game)):
        return ""
    began = game.lines(StageBegan if game.stage else PhaseBegan)[-1]
    moved = [e for e in game.lines(Extended) if e.number > began.number]
    if any(e.cause == "command" and e.at > since for e in moved):
        return ""
    known = began.at + sum(_longer(began, e) for e in moved if e.cause not in ("command", MISSING))
    now = max(work.now, game.clock)
    until = max(game.deadline + now - max(since, known), now + 1)
    _move(work, until)
    return f" {_lasts(game, until)}"


def _longer(began: Entry, moved: Entry) -> int:
    """Return by how many seconds the stage that *began* was *moved* to last longer."""
    assert isinstance(moved.event, Extended)
    return moved.event.until - began.event.until if isinstance(began.event, StageBegan) else 0


def _lasts(game: Game, until: int) -> str:
    """Return until when the stage of *game* lasts now, and what its deadline was."""
    named = _named(game.stage, game.place)
    many = game.stage == MANY
    return (f"{named[0].upper()}{named[1:]} {'last' if many else 'lasts'} until {when(until)}; before, "
            f"{'their' if many else 'its'} deadline was {when(game.deadline)}.")


def _refuse_overtaken(work: Work, command: Command, game: Game, what: str) -> None:
    """`Refusal` where the stage before the present one is probably meant, which is over: nothing is done to the next.

    So where nobody can know yet that the next has begun, for this order itself let it; and where that is not long ago,
    unless the order names the phase. Who has closed the one before emself knows.
    """
    stages = [(e.number, e.at, e.event.stage) for e in game.lines(StageBegan) if isinstance(e.event, StageBegan)]
    if len(stages) < 2:
        return
    (last, _, stage), (number, at, _) = stages[-2:]
    place, untold = _place_at(game, last), any(entry.number == number for entry in work.entries)
    known = command.phase and not (untold and place == game.place)
    if known or _by_hand(game, at) or not (untold or work.now - at < _LATELY):
        return
    told = when(at + work.contest.setup.settling)
    again = (f"give the order again when that has been announced, as `nomicwolf poll` does from {told} on"
             if untold and place == game.place else f'say --phase "{game.place}"')
    raise Refusal(f"Nothing was done: {_named(stage, place)} ended at {when(at)}. Now it is "
                  f"{_named(game.stage, game.place)}, until {when(game.deadline)}; to {what}, {again}.", CITES)


def _by_hand(game: Game, at: int) -> bool:
    """Return whether what ended at the instant *at* was closed by the contestmaster."""
    return any(entry.at == at and entry.event == Extended(at) for entry in game.lines(Extended))


def _place_at(game: Game, number: int) -> str:
    """Return the phase in which entry *number* was made, as players call it."""
    phases = [entry.event for entry in game.lines(PhaseBegan) if entry.number < number]
    last = phases[-1]
    assert isinstance(last, PhaseBegan)
    return f"{last.phase} {last.number}"


def _named(stage: str, place: str) -> str:
    """Return how a stage is called: "the ballot of day 2", "night 1"."""
    return place if stage in ("", "night") else f"the {stage} of {place}"


def _staged(work: Work) -> Game:
    game = work.contest.running
    if game is None:
        raise Refusal("No session is in progress: there is no stage to extend or to close.", CITES)
    if not game.deadline:
        raise Refusal(f"It is {game.place}, which has no stage with a deadline to extend or to close.", CITES)
    return game


def _move(work: Work, until: int) -> None:
    work.play(lambda g: work.rules.settle(g, max(work.now, g.clock), (Extended(until),), CITES, "command"))


def instant_of(text: str, cites: tuple[str, ...]) -> int:
    """Return an ISO 8601 time in UTC seconds; `Refusal` by the clauses *cites* if it is none."""
    try:
        return instant_in(text)
    except ValueError as error:
        raise Misuse(f"{text!r} is no time; write it like 2026-12-01T09:00Z.", cites) from error
