"""How well players play, as far as results can tell: OpenSkill's ratings, and the share of votes on the other side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from openskill.models import PlackettLuce, PlackettLuceRating

from nomicwolf.village.events import BallotsOpened, Counted, Ended, Lynched, PhaseBegan, StageBegan, Tried
from nomicwolf.village.game import Game
from nomicwolf.village.laws.verdicts import GUILTY

Z95 = 1.959963984540054
"""Within so many standard deviations of the mean lies 95 % of a normal distribution."""
SURE = 1e-3
"""The uncertainty of a stand-in's rating: so small that no session changes it."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating: 25 is where everyone begins; the true value lies within *uncertainty* of it two times in three."""

    value: float
    uncertainty: float


def rated(results: Iterable[tuple[Sequence[str], Sequence[str]]]) -> dict[str, Rating]:
    """Return everyone's rating after *results*, the (winners, others) of each session, oldest first.

    The model adds up the members of a side, and so would take the larger one to win. Sessions are made for sides of
    unequal size, so the smaller one gets stand-ins of usual strength until both are as large.
    """
    model = PlackettLuce()
    found: dict[str, PlackettLuceRating] = {}
    for winners, others in results:
        sides = [[found.setdefault(who, model.rating(name=who)) for who in side] for side in (winners, others)]
        most = max(map(len, sides))
        filled = [side + [model.rating(sigma=SURE) for _ in range(most - len(side))] for side in sides]
        after = model.rate(filled, ranks=[0, 1])
        for side, new in zip((winners, others), after, strict=True):
            found |= zip(side, new[:len(side)], strict=True)
    return {who: Rating(round(rating.mu, 2), round(rating.sigma, 2)) for who, rating in found.items()}


def interval(won: int, of: int) -> tuple[float, float]:
    """Return between which shares the true one lies with 95 % certainty, if *won* of *of* were won (Wilson's interval).

    >>> [round(bound, 3) for bound in interval(2, 3)]
    [0.208, 0.939]
    """
    if not of:
        return 0.0, 1.0
    share, z2 = won / of, Z95 * Z95
    middle, half = share + z2 / (2 * of), Z95 * sqrt(share * (1 - share) / of + z2 / (4 * of * of))
    return (middle - half) / (1 + z2 / of), (middle + half) / (1 + z2 / of)


def last_votes(game: Game) -> Iterator[tuple[str, str]]:
    """Yield (voter, against whom) for each vote against somebody as it stood when its poll ended.

    That is the lynching, the opening of the ballots, or the end of the stage or day; a verdict of guilty is a vote
    against whoever is on trial, one of innocent is against nobody.
    """
    table: dict[str, str | None] = {}
    tried = ""
    for entry in game.entries:
        match entry.event:
            case Counted(votes=votes, sealed=False):
                table.update(votes)
            case BallotsOpened(votes=votes):
                yield from _against(dict(votes), tried)
                table = {}
            case Lynched():
                yield from _against(table, tried)
                table = {}
            case Tried(who=who):
                tried = who
            case StageBegan() | PhaseBegan() | Ended():
                yield from _against(table, tried)
                table = {}


def _against(table: Mapping[str, str | None], tried: str) -> Iterator[tuple[str, str]]:
    for voter, value in table.items():
        whom = tried if value == GUILTY else value
        if whom:
            yield voter, whom


def accuracy(game: Game, sides: Mapping[str, str]) -> dict[str, tuple[int, int]]:
    """Return for each voter how many of eir votes were against somebody of another side, and how many there were.

    Whoever's side is not known by *sides* is left out.
    """
    found: dict[str, tuple[int, int]] = {}
    for voter, whom in last_votes(game):
        if voter in sides and whom in sides:
            right, all_ = found.get(voter, (0, 0))
            found[voter] = right + (sides[voter] != sides[whom]), all_ + 1
    return found
