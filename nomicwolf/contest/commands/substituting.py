"""Substitution by the contestmaster's command (D-N41)."""

from __future__ import annotations

from nomicwolf.contest.happenings import Command
from nomicwolf.contest.succeeding import may_take_over, play_on
from nomicwolf.contest.work import Work
from nomicwolf.nomic.events import PersonKnown
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
    may_take_over(contest, game, new)
    if new not in contest.persons:
        if not command.get("address"):
            raise Refusal(f"{new} is not known yet: give eir address.", ("D-N41",))
        work.add(PersonKnown(new, (command.get("address").lower(),)), cause="command")
    play_on(work, old, new, ("D-N41",), "command")
    return f"{new} plays on for {old} in {contest.setup.name}; eir role and all that e was told went to em in private."
