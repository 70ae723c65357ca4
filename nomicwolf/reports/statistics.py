"""What became of players and sides over a contest's finished sessions; nothing of a session that is running (NC 6)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import Any

from nomicwolf.dataclass import dataclass
from nomicwolf.nomic.state import Contest
from nomicwolf.reports.awardbook import csv_of
from nomicwolf.village.events import Ended, Killed
from nomicwolf.village.game import Game


@dataclass(frozen=True, slots=True)
class Record:
    """One player's sessions: how many, how often e won, lived to the end, was condemned, was killed otherwise.

    *sides* are (side, how often), most first; *deaths* by vote are in *condemned*, all others in *killed*.
    """

    who: str
    sessions: int = 0
    won: int = 0
    survived: int = 0
    condemned: int = 0
    killed: int = 0
    sides: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class SideRecord:
    """One side in one rule set: in how many sessions it was, and how many it won."""

    ruleset: str
    side: str
    sessions: int
    won: int


def finished(contest: Contest) -> Iterator[tuple[Game, Ended]]:
    """Yield the sessions that somebody won, or that ended so that nobody did; those ended by NC 1f don't count."""
    for number in sorted(contest.games):
        game = contest.games[number]
        ended = game.last(Ended)
        if ended is not None and game.opened is not None:
            yield game, ended


@dataclass(frozen=True, slots=True)
class Fared:
    """How everyone and every side has fared in so many finished *sessions*."""

    sessions: int
    players: tuple[Record, ...]
    sides: tuple[SideRecord, ...]


def fared(contest: Contest, *, public: bool = False) -> Fared:
    """Return how all have fared; each session is looked at once, since an old one has to be fetched.

    Players are told by name, who has been renamed is one of them, and a substitute stands for eir seat. With *public*,
    sides count only where they were told after the session (D-N23).
    """
    records: dict[str, Record] = {}
    camps: dict[tuple[str, str], SideRecord] = {}
    sessions = 0
    for game, ended in finished(contest):
        assert game.opened is not None
        sessions += 1
        deal = _deal(contest, game) if public else game.opened.deal
        for seat in game.seats:
            who = called_now(contest, seat)
            records[who] = _after(records.get(who, Record(who)), seat, game, ended, told=not public or bool(deal))
        for side in sorted({side for _, _, side in deal}):
            key = (game.opened.ruleset, side)
            before = camps.get(key, SideRecord(*key, 0, 0))
            won = bool(ended.winners) and ended.side == side
            camps[key] = replace(before, sessions=before.sessions + 1, won=before.won + won)
    return Fared(sessions, tuple(sorted(records.values(), key=lambda r: r.who.casefold())),
                 tuple(camps[key] for key in sorted(camps)))


def players(contest: Contest, *, public: bool = False) -> tuple[Record, ...]:
    """Return a record for everyone who has played a session to its end."""
    return fared(contest, public=public).players


def sides(contest: Contest, *, public: bool = False) -> tuple[SideRecord, ...]:
    """Return how each side fared in each rule set; it won where the session ended for it."""
    return fared(contest, public=public).sides


def called_now(contest: Contest, who: str) -> str:
    """Return what *who* is called today."""
    seen = {who}
    while (newer := contest.law.former.get(who, who)) not in seen:
        seen.add(newer)
        who = newer
    return who


def _deal(contest: Contest, game: Game) -> tuple[tuple[str, str, str], ...]:
    assert game.opened is not None
    revealed = contest.revealed.get(game.opened.session)
    return revealed.deal if revealed is not None else ()


def _after(record: Record, who: str, game: Game, ended: Ended, *, told: bool) -> Record:
    """Return *record* after one more session, in which its player had the seat of *who*; *told*: sides may be known."""
    causes = [k.cause for k in game.ever(Killed, who=who)] if who not in game.alive else []
    condemned = bool(causes) and causes[-1] == "lynch"
    counts = dict(record.sides)
    if told:
        counts[game.sides[who]] = counts.get(game.sides[who], 0) + 1
    return replace(
        record, sessions=record.sessions + 1, won=record.won + (who in ended.winners),
        survived=record.survived + (who in game.alive), condemned=record.condemned + condemned,
        killed=record.killed + (bool(causes) and not condemned),
        sides=tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0]))))


def rows(contest: Contest, *, public: bool = False) -> tuple[tuple[str, ...], ...]:
    """Return the statistics as a table: players first, then sides."""
    return _rows(fared(contest, public=public))


def _rows(found: Fared) -> tuple[tuple[str, ...], ...]:
    head = ("player", "sessions", "won", "survived", "condemned", "killed", "sides")
    told = [
        (r.who, str(r.sessions), str(r.won), str(r.survived), str(r.condemned), str(r.killed),
         ", ".join(f"{side} {number}" for side, number in r.sides))
        for r in found.players
    ]
    camps = ((f"{s.side} ({s.ruleset})", str(s.sessions), str(s.won)) for s in found.sides)
    return (head, *told, *camps)


def statistics_json(contest: Contest, *, public: bool = False) -> dict[str, Any]:
    """Return the statistics as ``nomicwolf statistics --json`` prints them."""
    found = fared(contest, public=public)
    return {
        "schema": 1, "sessions": found.sessions,
        "players": [{**asdict(r), "sides": dict(r.sides)} for r in found.players],
        "sides": [asdict(s) for s in found.sides],
    }


def statistics_csv(contest: Contest, *, public: bool = False) -> str:
    """Return the statistics as CSV (RFC 4180): one row for each player, then one for each side of a rule set."""
    return csv_told(fared(contest, public=public))


def csv_told(found: Fared) -> str:
    """Return what was *found* as CSV (RFC 4180)."""
    head = ("kind", "name", "ruleset", "sessions", "won", "survived", "condemned", "killed", "sides")
    told = [("player", r.who, "", r.sessions, r.won, r.survived, r.condemned, r.killed,
             "; ".join(f"{side} {number}" for side, number in r.sides)) for r in found.players]
    camps = [("side", s.side, s.ruleset, s.sessions, s.won, "", "", "", "") for s in found.sides]
    return csv_of([head, *told, *camps])


def statistics_text(contest: Contest, *, public: bool = False) -> str:
    """Return the statistics as a table of plain text; a sentence where no session has ended yet."""
    found = fared(contest, public=public)
    if not found.sessions:
        return "No session has been played to its end yet."
    table = _rows(found)
    wide = [max(len(row[place]) for row in table if len(row) > place) for place in range(len(table[0]))]
    lines = ("  ".join(cell.ljust(wide[place]) if place == 0 else cell.rjust(wide[place])
                       if place < len(wide) - 1 else cell for place, cell in enumerate(row)) for row in table)
    return "\n".join(line.rstrip() for line in lines)
