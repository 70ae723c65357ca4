"""Ballots that fall away because whom they name has died by day: whose they are is told so in private (D-A2)."""

from __future__ import annotations

from collections.abc import Iterator

from nomicwolf.village.ballots import Ballot, Copy, Endorse, FirstOf, For, If
from nomicwolf.village.events import Killed, Lynched, StageBegan, Told, Voted
from nomicwolf.village.game import Game
from nomicwolf.village.notices import FALLEN
from nomicwolf.village.rules import Events, Rule, whenever


def persons_in(ballot: Ballot) -> Iterator[str]:
    """Yield whom *ballot* can come to or follows, in whichever of its branches; not whom its conditions speak of."""
    match ballot:
        case For(whom) | Endorse(whom) | Copy(whom):
            yield whom
        case If(_, then, otherwise):
            yield from persons_in(then)
            yield from persons_in(otherwise)
        case FirstOf(options):
            for option in options:
                yield from persons_in(option)


def ballots_now(game: Game) -> dict[str, Ballot]:
    """Return the last ballot of each living voter in the present vote: in its stage, or else in its phase."""
    began = max(game.phase_mark, game.mark(StageBegan))
    cast = ((e.at, e.number, e.event) for e in game.lines(Voted) if e.number > began)
    votes = sorted((at, v.key, number, v) for at, number, v in cast if isinstance(v, Voted))
    return {v.who: v.ballot for *_, v in votes if v.who in game.alive}


def tell_voters(*cites: str) -> Rule:
    """Return the rule that each whose ballot names one who dies by day is told so, and nobody else."""

    @whenever(Killed, *cites)
    def fell_away(game: Game, event: Killed) -> Events:
        if game.phase != "day" or game.now(Lynched):
            return None
        ballots = {who: ballot for who, ballot in ballots_now(game).items() if event.who in persons_in(ballot)}
        return [Told(who, FALLEN, _words(event.who, ballot), (event.who,)) for who, ballot in ballots.items()]

    return fell_away


def _words(dead: str, ballot: Ballot) -> str:
    plain = isinstance(ballot, (For, Endorse, Copy))
    now = "it counts for nobody now" if plain else "where it comes to em, it counts for nobody"
    return f"Your ballot names {dead}, who is dead: {now}. You can cast another while the vote is open."
