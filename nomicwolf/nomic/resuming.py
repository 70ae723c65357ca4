"""A contest taken up from a snapshot, in place of folding its whole record again.

What only grows with the record stays in the ledger, and is fetched when it is asked for: entries, letters and the ways
to find them, past sessions. All the rest is little, and the snapshot keeps it as it stood.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nomicwolf.dataclass import dataclass
from nomicwolf.nomic.events import Awarded, LetterHeard, Revealed, SessionStarted, SessionStopped
from nomicwolf.nomic.fetched import FetchedMapping
from nomicwolf.nomic.grown import Firsts, Grown, Lengthened
from nomicwolf.nomic.setup import Setup
from nomicwolf.nomic.state import Contest
from nomicwolf.village.events import Entry
from nomicwolf.village.game import Game

BY_SESSION = ("sessions", "stopped", "revealed", "awards")
GROWING = ("entries", "games", "letters", "by_message", "by_digest", "by_seal", "said", *BY_SESSION)
_APART = ("setup", "public", *GROWING)


@dataclass(frozen=True, slots=True)
class Behind:
    """The past of a contest, field by field as `Contest` has it; each is fetched when it is asked for."""

    entries: Sequence[Entry]
    games: Mapping[int, Game]
    letters: Mapping[int, LetterHeard]
    by_message: Mapping[str, tuple[int, ...]]
    by_digest: Mapping[str, int]
    by_seal: Mapping[str, int]
    said: Mapping[str, str]
    sessions: Mapping[int, SessionStarted]
    stopped: Mapping[int, SessionStopped]
    revealed: Mapping[int, Revealed]
    awards: Mapping[int, tuple[Awarded, ...]]


def nothing() -> Behind:
    """Return the past of a contest that has just begun: there is none."""
    none: FetchedMapping[Any, Any] = FetchedMapping(None, dict)
    return Behind((), none, none, none, none, none, none, none, none, none, none)


def kept(contest: Contest) -> dict[str, Any]:
    """Return what is kept of a contest as it stands: all that doesn't grow with its record, by name."""
    return {name: value for name, value in vars(contest).items() if name not in _APART}


def resumed(setup: Setup, state: Mapping[str, Any], behind: Behind, recent: Sequence[Entry]) -> Contest:
    """Return the contest of which `kept` gave *state*, with what is *behind* it; *recent* are its latest entries."""
    contest = Contest(setup)
    for name, value in state.items():
        setattr(contest, name, value)
    contest.entries = Lengthened(recent, behind.entries)
    contest.letters, contest.said = Grown.over(behind.letters), Grown.over(behind.said)
    contest.by_message, contest.by_digest = Grown.over(behind.by_message), Firsts.over(behind.by_digest)
    contest.by_seal, contest.games = Firsts.over(behind.by_seal), Grown.over(behind.games)
    for name in BY_SESSION:
        setattr(contest, name, Grown.over(getattr(behind, name)))
    game = contest.game
    if game is not None:
        contest.games[contest.session or (game.opened.session if game.opened else 0)] = game
    return contest
