"""How someone came to die: the deed behind a death by night, and the votes behind one by day.

For the contestmaster's own eyes: most of it is secret.
"""

from __future__ import annotations

from nomicwolf.nomic.state import Contest
from nomicwolf.reports.counting import Vote, final_count, stage_count
from nomicwolf.reports.countpage import vote_line
from nomicwolf.reports.layout import clean
from nomicwolf.reports.public import fold
from nomicwolf.village.events import Agreed, BallotsOpened, Cause, Chose, Due, Entry, Killed, Lynched, Revived
from nomicwolf.village.game import Game


def behind(game: Game | None, entry: Entry) -> Entry | None:
    """Return what *entry* rests on where its cause doesn't tell, as the end of a night that does what was due.

    Behind a death or a return is that it was due; behind that the choice of those who agreed on it, or of the one
    who did it; None for anything else.
    """
    event = entry.event
    if game is None or not game.entries or entry.number < game.entries[0].number:
        return None
    if isinstance(event, (Killed, Revived)):
        return _last(game, entry, game.lines(Due, event=event))
    if isinstance(event, Due) and isinstance(event.event, (Killed, Revived)) and _at_the_close(game, entry):
        who, verb = event.event.who, event.event.cause if isinstance(event.event, Killed) else "revive"
        agreed = [one for one in game.lines(Agreed, whom=(who,)) if one.cause == entry.cause]
        return _last(game, entry, agreed) or _last(game, entry, game.lines(Chose, verb=verb, what=(who,)))
    if isinstance(event, Agreed):
        return _last(game, entry, game.lines(Chose, verb=event.verb, what=event.whom))
    return None


def _at_the_close(game: Game, entry: Entry) -> bool:
    """Whether the *entry* came with the end of a night, and not with the deed that it is about."""
    number = Cause.of(entry.cause).named("entry")
    return not any(one.number == number for one in game.lines(Chose)) and Cause.of(entry.cause).kind != "deed"


def _last(game: Game, entry: Entry, lines: list[Entry]) -> Entry | None:
    """Return the last of *lines* before *entry*, None if there is none."""
    return next((one for one in reversed(lines) if one.number < entry.number), None)


def condemning(contest: Contest, lynching: Entry) -> tuple[str, ...]:
    """Return the votes that condemned, one a line with its reasons; nothing where they were for none, or are gone."""
    then = fold(contest.setup, [e for e in contest.entries if e.number <= lynching.number]).game
    if then is None or not isinstance(lynching.event, Lynched):
        return ()
    count = stage_count(then) if then.stage else final_count(then, lynching)[0]
    sought = (lynching.event.who, "guilty")
    opened = _last(then, lynching, then.lines_now(BallotsOpened))
    if opened is not None and isinstance(opened.event, BallotsOpened):
        return tuple(f"{clean(who)}: {clean(value)}" for who, value in opened.event.votes if value in sought)
    return tuple(_reasoned(vote) for vote in count.votes if vote.value in sought)


def _reasoned(vote: Vote) -> str:
    return f"{vote_line(vote)}{': ' if vote.why else ''}{'; '.join(vote.why)}"
