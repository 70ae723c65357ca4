"""One player in place of another in mid-session: everything moves, the old address is cut off (D-N41)."""

from __future__ import annotations

from nomicwolf.contest.happenings import Command
from nomicwolf.contest.work import Work
from nomicwolf.nomic.events import PersonKnown
from nomicwolf.nomic.state import Contest
from nomicwolf.reports.views import TAKES_OVER
from nomicwolf.village.events import Chose, Event, Replaced, Told
from nomicwolf.village.game import Game
from nomicwolf.village.renaming import heirs_of
from nomicwolf.village.rules import Refusal


def substitute(work: Work, command: Command) -> str:
    """Let one player take over everything that is another's; all are told who, and nobody with which role."""
    contest, old, new = work.contest, command.get("old"), command.get("new")
    game = contest.running
    if game is None:
        raise Refusal("No session is in progress; `start` begins one.", ("D-N41",))
    if old not in game.seats:
        raise Refusal(f"{old or 'Nobody'} is not in this session.", ("D-N41",), game.seats)
    if old not in game.alive and not any(who == old for who, _ in work.rules.owed(game)):
        raise Refusal(f"{old} is dead and owes nothing: there is nothing to take over.", ("D-N41",))
    _may_take_over(contest, game, new)
    if new not in contest.persons:
        if not command.get("address"):
            raise Refusal(f"{new} is not known yet: give eir address.", ("D-N41",))
        work.add(PersonKnown(new, (command.get("address").lower(),)), cause="command")
    told = told_so_far(contest, game, old)
    rules, at = work.rules, max(work.now, game.clock)
    role = rules.roles[game.roles[old]]
    text = " ".join([f"You play on for {old}.", role.story, *told])
    events: tuple[Event, ...] = (Replaced(old, new), Told(new, TAKES_OVER, text.strip()))
    work.play(lambda g: rules.settle(g, at, events, ("D-N41",), "command"))
    return f"{new} plays on for {old} in {contest.setup.name}; eir role and all that e was told went to em in private."


def _may_take_over(contest: Contest, game: Game, new: str) -> None:
    masters = {contest.setup.contestmaster, *(contest.contestmaster(n) for n in contest.setup.nomics)}
    if not new or new in masters:
        raise Refusal("Say who takes over: --new NAME; not the contestmaster.", ("D-N1", "D-N41"))
    if new in game.seats or new in heirs_of(game):
        raise Refusal(f"{new} is or was in this session, and knows what e knows.", ("D-N41",))
    if not any(new in names for names in contest.parties.values()):
        raise Refusal(f"{new} is no party to the contract; e has to join first, or `party add` enters em.",
                      ("NC 1c", "D-N41"))


def told_so_far(contest: Contest, game: Game, who: str) -> list[str]:
    """Return in sentences what *who* was told in this session, and what e has done in private."""
    told = [t.text for t in game.ever(Told, to=who)]
    did = [f"{c.verb} {' and '.join(c.what)}" if c.what else f"{c.verb} nobody" for c in game.ever(Chose, who=who)]
    found = [f"What {who} was told: {' '.join(told)}"] if told else []
    return [*found, f"What {who} did in private: {'; '.join(did)}."] if did else found
