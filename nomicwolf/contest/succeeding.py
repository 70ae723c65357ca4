"""One player in place of another in mid-session: everything moves, the old address is cut off (D-N41)."""

from __future__ import annotations

from nomicwolf.contest.work import Work
from nomicwolf.nomic.state import Contest
from nomicwolf.reports.views import TAKES_OVER
from nomicwolf.village.events import Chose, Event, Replaced, Told
from nomicwolf.village.game import Game, heirs_of
from nomicwolf.village.rules import Refusal


def may_take_over(contest: Contest, game: Game, new: str) -> None:
    """Raise `Refusal` if *new* can't play on for somebody in *game*: e knows too much, or is no party."""
    masters = {contest.setup.contestmaster, *(contest.contestmaster(n) for n in contest.setup.nomics)}
    if not new or new in masters:
        raise Refusal("Say who takes over: --new NAME; not the contestmaster.", ("D-N1", "D-N41"))
    if new in game.seats or new in heirs_of(game):
        raise Refusal(f"{new} is or was in this session, and knows what e knows.", ("D-N41",))
    if not any(new in names for names in contest.parties.values()):
        raise Refusal(f"{new} is no party to the contract; e has to join first, or `party add` enters em.",
                      ("NC 1c", "D-N41"))


def play_on(work: Work, old: str, new: str, cites: tuple[str, ...], cause: str) -> None:
    """Let *new* take over everything that is *old*'s; all are told who, and nobody with which role."""
    game = work.contest.running
    assert game is not None
    rules, at = work.rules, max(work.now, game.clock)
    told = told_so_far(work.contest, game, old)
    text = " ".join([f"You play on for {old}.", rules.roles[game.roles[old]].story, *told])
    events: tuple[Event, ...] = (Replaced(old, new), Told(new, TAKES_OVER, text.strip()))
    work.play(lambda g: rules.settle(g, at, events, cites, cause))


def told_so_far(contest: Contest, game: Game, who: str) -> list[str]:
    """Return in sentences what *who* was told in this session, and what e has done in private."""
    told = [t.text for t in game.ever(Told, to=who)]
    did = [f"{c.verb} {' and '.join(c.what)}" if c.what else f"{c.verb} nobody" for c in game.ever(Chose, who=who)]
    found = [f"What {who} was told: {' '.join(told)}"] if told else []
    return [*found, f"What {who} did in private: {'; '.join(did)}."] if did else found
