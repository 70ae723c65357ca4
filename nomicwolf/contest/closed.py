"""Why a deed is not open to its author: in words that tell nothing of eir role (NC 6b)."""

from __future__ import annotations

from nomicwolf.contest.channels import BALLOTS, DEAD
from nomicwolf.nomic.events import DeedHeard
from nomicwolf.nomic.state import Contest
from nomicwolf.nomic.times import when
from nomicwolf.village.events import Lynched
from nomicwolf.village.game import Game
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.laws.runoff import first_nominees, one_by_one

NOT_OPEN = "No such action is open to you now, or not yet"


def no_session(contest: Contest) -> tuple[str, tuple[str, ...]]:
    """Return why nothing can be done where no session is in progress; of an end that waits for P, not that it is one.

    Those words fit whatever has happened (D-N21): a phase that has had its end isn't announced at once.
    """
    if contest.session in contest.awards_held:
        return "It is too late for that: what has come of this phase is yet to be announced.", ()
    return "The session is over." if contest.game else "No session is in progress.", ("NC 5",)


def not_open(rules: Ruleset, game: Game, deed: DeedHeard) -> str:
    """Say that a deed is not open, in the same words whatever role its author holds."""
    open_now = [d.says or d.verb for d in rules.duties(game, deed.who)]
    if deed.who not in game.alive and deed.who in game.shown_dead and not open_now:
        return DEAD
    if deed.verb in BALLOTS:
        return _no_vote(game, deed)
    offer = "\n".join(["", "Open to you now:", *(f"  {line}" for line in open_now)]) if open_now else ""
    return f"{NOT_OPEN}: {deed.verb}. It is {game.place}.{offer}"


def _no_vote(game: Game, deed: DeedHeard) -> str:
    """Say why no vote is open: it is night, the stage has none, it is not eir turn, or the vote is closed."""
    if game.phase == "setup":
        return "There is no day phase yet: votes open when the start is announced."
    if game.phase == "night":
        return (
            f"It is {game.place}, and nobody votes by night. The day ended at {when(game.began)}; your vote "
            f"took effect at {when(deed.instant)}."
        )
    if game.stage and not game.now(Lynched):
        if game.stage == "ballot" and deed.who in game.alive and deed.who in first_nominees(game):
            return f"You are nominated, and the others vote among the nominees; it lasts until {when(game.deadline)}."
        if one_by_one(game) and deed.who in game.alive:
            return f"In the {game.stage} of {game.place} all vote in turn: you are told when yours comes, if it does."
        lasts = "they last" if game.stage.endswith("s") else "it lasts"
        return f"In the {game.stage} of {game.place} no vote is open to you; {lasts} until {when(game.deadline)}."
    return (
        f"The vote of {game.place} is closed; your vote took effect at {when(deed.instant)}. The night begins when "
        "everything that the day still waits for has been done."
    )
