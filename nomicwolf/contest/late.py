"""Letters that come in after what they would have changed.

A copy with an earlier stamp is counted from there while its phase is open. Once the phase is closed it is held
for the contestmaster, with what it would have come to computed beside it.
"""

from __future__ import annotations

from nomicwolf.contest.work import Work
from nomicwolf.nomic.events import DeedHeard, LetterHeld, Refused
from nomicwolf.reports.times import when
from nomicwolf.village.ballots import Nobody
from nomicwolf.village.events import Lynched, PhaseBegan
from nomicwolf.village.game import Game, replay
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.rules import Refused as Refusal

VOTES = ("vote", "unvote")


def out_of_time(work: Work, number: int, deed: DeedHeard) -> bool:
    """Hold *deed* if it belongs to a phase that is closed, and return whether it does."""
    game = work.contest.running
    if game is None or deed.verb not in VOTES or deed.instant >= min(game.clock, game.began):
        return False
    before = phase_at(game, deed.instant)
    if before is None or before.phase != "day":
        return False
    other = otherwise(work.rules, before, deed)
    work.add(LetterHeld(deed.letter, "came in after its day had ended", other), cites=("D-N9",), cause=f"deed {number}")
    why = "Your letter reached us after the day that it belongs to had ended; the contestmaster will rule on it."
    work.add(Refused(number, deed.who, deed.verb, deed.text, why), cites=("D-N9",), cause=f"deed {number}")
    return True


def phase_at(game: Game, at: int) -> Game | None:
    """Return *game* as it stood in the phase that *at* lies in, before anyone was lynched in it; None before all."""
    begins = [e for e in game.lines(PhaseBegan) if e.at <= at]
    if not begins:
        return None
    first = begins[-1].number
    later = [e.number for e in game.lines(PhaseBegan) if e.number > first]
    lynchings = [e.number for e in game.lines(Lynched) if e.number > first]
    end = min([*later, *lynchings], default=game.next)
    return replay(e for e in game.entries if e.number < end)


def otherwise(rules: Ruleset, before: Game, deed: DeedHeard) -> str:
    """Say what the day would have come to with *deed* in its place."""
    try:
        after, _ = rules.cast(before, deed.instant, deed.who, "vote", deed.ballot or Nobody(), key=deed.key)
    except Refusal as refused:
        return f"It would have been refused: {refused.why}"
    lynched = [e for e in after.lines(Lynched) if e.number >= before.next]
    if not lynched:
        return "With it, nobody would have been lynched before the ballot that made the majority."
    event = lynched[0].event
    assert isinstance(event, Lynched)
    return f"With it, {event.who} would have been lynched at {when(lynched[0].at)}."
