"""A contest taken up where it was left, in place of folding its whole record again.

What only grows with the record (entries, letters and where they are looked up, past sessions) stays where it is, and is
fetched when it is asked for; the rest is little, and is kept as it stood.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nomicwolf.nomic.asleep import Findable
from nomicwolf.nomic.events import Awarded, LetterHeard, Revealed, SessionStarted, SessionStopped
from nomicwolf.nomic.grown import Grown, Lengthened
from nomicwolf.nomic.setup import Setup
from nomicwolf.nomic.state import Contest
from nomicwolf.village.events import Entry
from nomicwolf.village.game import Game

BY_SESSION = ("sessions", "stopped", "revealed", "awards")
GROWING = ("entries", "games", "letters", "by_message", "by_digest", "said", *BY_SESSION)
_APART = ("setup", "public", *GROWING)


@dataclass(frozen=True, slots=True)
class Behind:
    """What a contest has behind it, to be fetched when it is asked for."""

    entries: Sequence[Entry]
    games: Mapping[int, Game]
    letters: Mapping[int, LetterHeard]
    by_message: Mapping[str, tuple[int, ...]]
    by_digest: Mapping[str, int]
    said: Mapping[str, str]
    sessions: Mapping[int, SessionStarted]
    stopped: Mapping[int, SessionStopped]
    revealed: Mapping[int, Revealed]
    awards: Mapping[int, tuple[Awarded, ...]]


def nothing() -> Behind:
    """Return what a contest has behind it that has just begun."""
    none: Findable[Any, Any] = Findable(None, dict)
    return Behind((), none, none, none, none, none, none, none, none, none)


def kept(contest: Contest) -> dict[str, Any]:
    """Return what is kept of a contest as it stands: all that doesn't grow with its record, by name."""
    return {name: value for name, value in vars(contest).items() if name not in _APART}


def resumed(setup: Setup, state: Mapping[str, Any], behind: Behind, recent: Sequence[Entry]) -> Contest:
    """Return the contest that was *kept* as *state*; its entries are those *behind* it and the *recent* ones."""
    contest = Contest(setup)
    for name, value in state.items():
        setattr(contest, name, value)
    contest.entries = Lengthened(recent, below=behind.entries)
    contest.letters, contest.said = Grown.over(behind.letters), Grown.over(behind.said)
    contest.by_message, contest.by_digest = Grown.over(behind.by_message), Grown.over(behind.by_digest)
    contest.games = Grown.over(behind.games)
    for name in BY_SESSION:
        setattr(contest, name, Grown.over(getattr(behind, name)))
    game = contest.game
    if game is not None:
        contest.games[contest.session or (game.opened.session if game.opened else 0)] = game
    return contest
