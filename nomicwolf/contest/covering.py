"""When everyone's letters of a covered session go out: at the slots of a secret phase, and with what everyone sees."""

from __future__ import annotations

from nomicwolf.contest.work import Work
from nomicwolf.nomic.cover import SECRET_PHASES, Batched, CoverBegan, next_batch, tells, turned
from nomicwolf.nomic.events import Refused
from nomicwolf.nomic.state import Contest


def begin(work: Work) -> None:
    """Cover the session that begins, if the contest has slots for that."""
    if work.contest.setup.cover:
        work.add(CoverBegan(work.contest.setup.cover), cites=("NC 6", "D-N48"), cause="command")


def alarm(contest: Contest) -> tuple[int, str] | None:
    """Return the next slot at which everyone gets a letter, None while no secret phase is on."""
    game = contest.running
    at = next_batch(contest.cover, game.began) if game is not None and game.phase in SECRET_PHASES else 0
    return (at, "cover") if at else None


def strike(work: Work, at: int) -> None:
    """Let everyone's letters go out at a slot."""
    work.add(Batched("slot"), at, ("NC 6", "D-N48"), "clock")


def close(work: Work, before: Contest) -> None:
    """Let everyone's letters go out with what everyone has just seen, and with news by day.

    A batch is the last thing that happens in a step, so that nothing of the step is left for the next one.
    """
    after = work.contest
    if not after.cover.slots or not work.entries or (before.running is None and after.running is None):
        return
    secret = after.running is not None and after.running.phase in SECRET_PHASES
    struck = [e.at for e in work.entries if isinstance(e.event, Batched)]
    if turned(work.entries) or (not secret and (tells(work.entries) or _would_tell(work))):
        _last(work, Batched("turn"), work.now)
    elif struck:
        _last(work, Batched("slot"), max(struck))


def _would_tell(work: Work) -> bool:
    """Return whether someone who lives wanted to pass words on by day, which some can and e can't.

    If nobody got a letter then but e, whoever carries the mail would know that e is none of those (NC 6b).
    """
    game, rules = work.contest.game, work.rules
    duties = [*(d for law in rules.laws for d in law.duties), *(d for r in rules.roles.values() for d in r.duties)]
    refused = (e.event.who for e in work.entries if isinstance(e.event, Refused) and e.event.verb == "say")
    return game is not None and any(d.daily for d in duties) and not set(game.shown_living()).isdisjoint(refused)


def _last(work: Work, batch: Batched, at: int) -> None:
    """Let *batch* be the last thing in a step; one of a slot stays at its slot, whatever else the step has told."""
    if not isinstance(work.entries[-1].event, Batched):
        work.add(batch, at, ("NC 6", "D-N48"), "clock")
