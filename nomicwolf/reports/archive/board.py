"""The count of a vote as forums show it: wagons with their voters, who is one vote short, who has not voted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from nomicwolf.reports.archive.tracks import GUILTY, Track
from nomicwolf.reports.vote_counts import Vote


@dataclass(frozen=True, slots=True)
class Voter:
    """One who votes: *anchor* is eir ballot's on the day's page ('': e has none there), *vote* how it counts."""

    who: str
    anchor: str
    vote: Vote

    @property
    def told(self) -> str:
        """What is to be said of a ballot that does not name its value itself; '' for the others."""
        if self.vote.endorses:
            return f"endorsing {self.vote.endorses}"
        return "" if self.vote.plain else self.vote.ballot


@dataclass(frozen=True, slots=True)
class Wagon:
    """*votes* for *whom*, by *voters* in the order of their ballots; *needed* decide (0: no number does)."""

    whom: str
    votes: int
    needed: int
    voters: tuple[Voter, ...]

    @property
    def short(self) -> int:
        """How many votes are missing (0: none, or no number decides)."""
        return max(0, self.needed - self.votes)


@dataclass(frozen=True, slots=True)
class Board:
    """A count: *wagons* with the largest first; *nobody* are those whose ballots come to nobody, *silent* cast none."""

    wagons: tuple[Wagon, ...]
    nobody: tuple[Voter, ...]
    silent: tuple[str, ...]
    needed: int


def board(track: Track) -> Board:
    """Return the count of *track* as it stands at its end, or by now."""
    anchors = {track.seat(cast.who): f"vote-{cast.number}" for cast in track.casts}
    votes = track.count.votes if track.count is not None else ()
    needed = track.moments[-1].majority if track.moments else 0
    counts = track.count.counts if track.count is not None else {}
    return Board(
        tuple(Wagon(whom, number, _needed(track, whom, needed), _voters(votes, anchors, whom))
              for whom, number in counts.items()),
        tuple(voter for voter in _voters(votes, anchors, None) if voter.vote.ballot),
        tuple(vote.who for vote in votes if not vote.ballot), needed)


def _needed(track: Track, whom: str, needed: int) -> int:
    return needed if not track.verdict or whom == GUILTY else 0


def _voters(votes: Iterable[Vote], anchors: Mapping[str, str], whom: str | None) -> tuple[Voter, ...]:
    return tuple(Voter(vote.who, anchors.get(vote.who, ""), vote) for vote in votes if vote.value == whom)
