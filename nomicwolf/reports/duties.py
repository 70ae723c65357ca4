"""What players can do and owe, and since when: the duties of the rule set as letters and the journal tell them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nomicwolf.nomic.absence import Owed
from nomicwolf.village.ballots import ballot_text
from nomicwolf.village.game import Game
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.laws.verdicts import cast_in_stage


@dataclass(frozen=True, slots=True)
class OpenDuty:
    """Something that a player can do now.

    *says* is how it is written and what it does, *silence* what becomes of it if it isn't, *options* whom e can name,
    *public* whether it is done in a forum; *owed* duties hold the phase open, and are due by *until* (UTC seconds; 0
    for the others). *may_pass* is whether e can decline; ballots, and what e has done and can still change, are open
    until *closes* (0: no deadline).
    """

    verb: str
    says: str
    options: tuple[str, ...]
    owed: bool
    public: bool
    may_pass: bool
    cites: tuple[str, ...]
    until: int = 0
    closes: int = 0
    silence: str = ""


def open_duties(rules: Ruleset, game: Game, who: str, owed: Sequence[Owed]) -> tuple[OpenDuty, ...]:
    """Return what *who* can do now, what e owes first; *owed* is what everybody owes.

    It is due by its own term, or by the end of the stage where that comes first.
    """
    until = {o.verb: o.ends for o in owed if o.who == who}
    found = []
    for duty in rules.duties(game, who):
        passing = duty.may_pass and not (duty.must and duty.must(game))
        names = rules.options(game, who, duty) if duty.arity and not duty.pins else ()
        closes = game.deadline if duty.pins or (duty.owed and duty.verb not in until) else 0
        says = duty.written(passing=passing, switches=game.switches)
        found.append(OpenDuty(
            duty.verb, says, names, duty.owed, duty.public, passing, duty.cites, until.get(duty.verb, 0), closes,
            duty.silence))
    return tuple(sorted(found, key=lambda d: not d.owed))


def sealed_ballot(rules: Ruleset, game: Game, who: str) -> str | None:
    """Return the sealed ballot of *who* as it stands, '' if e has cast none, None where e can't (D-M1)."""
    if not any(d.sealed for d in rules.duties(game, who)):
        return None
    cast = cast_in_stage(game).get(who)
    return ballot_text(cast) if cast is not None else ""
