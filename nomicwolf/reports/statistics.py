"""What became of players and sides over a contest's finished sessions; nothing of a session that is running (NC 6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any

from nomicwolf.nomic.state import Contest
from nomicwolf.reports.awardbook import csv_of
from nomicwolf.reports.ratings import accuracy, interval, rated
from nomicwolf.village.events import Ended, Killed
from nomicwolf.village.game import Game


@dataclass(frozen=True, slots=True)
class Part:
    """How often a *role* of a *side* was *played* in a rule set, and in how many of these sessions it won or survived.

    Of one player, or of all.
    """

    ruleset: str
    side: str
    role: str
    played: int = 0
    won: int = 0
    survived: int = 0


@dataclass(frozen=True, slots=True)
class Record:
    """One player's sessions: how many, how often e won, lived to the end, was condemned, was killed otherwise.

    *sides* are (side, how often), most first; *deaths* by vote are in *condemned*, all others in *killed*. *parts* are
    eir roles. Of eir *votes* as they stood when a poll ended, *accurate* were against somebody of another side.
    *rating* and its *uncertainty* are OpenSkill's (None: no session that counts for it).
    """

    who: str
    sessions: int = 0
    won: int = 0
    survived: int = 0
    condemned: int = 0
    killed: int = 0
    sides: tuple[tuple[str, int], ...] = ()
    parts: tuple[Part, ...] = ()
    votes: int = 0
    accurate: int = 0
    rating: float | None = None
    uncertainty: float | None = None


@dataclass(frozen=True, slots=True)
class SideRecord:
    """One side in one rule set: in how many sessions it was, and how many it won.

    The share that it wins lies between *low* and *high* with 95 % certainty.
    """

    ruleset: str
    side: str
    sessions: int
    won: int
    low: float = 0.0
    high: float = 1.0


def finished(contest: Contest) -> Iterator[tuple[Game, Ended]]:
    """Yield the sessions that somebody won, or that ended so that nobody did; those ended by NC 1f don't count."""
    for number in sorted(contest.games):
        game = contest.games[number]
        ended = game.last(Ended)
        if ended is not None and game.opened is not None:
            yield game, ended


@dataclass(frozen=True, slots=True)
class Fared:
    """How everyone and every side has fared in so many finished *sessions*; *parts* are all roles of all players.

    *unlisted* have chosen not to stand here: sides and parts count them, *players* doesn't name them.
    """

    sessions: int
    players: tuple[Record, ...]
    sides: tuple[SideRecord, ...]
    parts: tuple[Part, ...] = ()
    unlisted: int = 0


def fared(contest: Contest, *, public: bool = False) -> Fared:
    """Return how all have fared; each session is looked at once.

    Players are told by name, who has been renamed is one of them, and a substitute stands for eir seat. With *public*,
    sides and roles count only where they were told after the session (D-N23).
    """
    records: dict[str, Record] = {}
    camps: dict[tuple[str, str], SideRecord] = {}
    results: list[tuple[list[str], list[str]]] = []
    for game, ended in finished(contest):
        assert game.opened is not None
        deal = _deal(contest, game) if public else game.opened.deal
        votes = accuracy(game, game.sides) if deal else {}
        for seat in game.seats:
            who = called_now(contest, seat)
            before = records.get(who, Record(who))
            records[who] = _after(before, seat, game, ended, votes.get(seat, (0, 0)), told=bool(deal))
        for side in sorted({side for _, _, side in deal}):
            key = (game.opened.ruleset, side)
            camp = camps.get(key, SideRecord(*key, 0, 0))
            won = bool(ended.winners) and ended.side == side
            camps[key] = replace(camp, sessions=camp.sessions + 1, won=camp.won + won)
        results.append(([called_now(contest, who) for who in game.seats if who in ended.winners],
                        [called_now(contest, who) for who in game.seats if who not in ended.winners]))
    ratings = rated(result for result in results if all(result))
    everyone = [replace(r, rating=ratings[who].value, uncertainty=ratings[who].uncertainty) if who in ratings else r
                for who, r in records.items()]
    hidden = contest.law.unlisted
    return Fared(
        len(results), tuple(sorted((r for r in everyone if r.who not in hidden), key=lambda r: r.who.casefold())),
        tuple(_bounded(camps[key]) for key in sorted(camps)), _summed(part for r in everyone for part in r.parts),
        sum(r.who in hidden for r in everyone))


def _bounded(camp: SideRecord) -> SideRecord:
    low, high = interval(camp.won, camp.sessions)
    return replace(camp, low=round(low, 4), high=round(high, 4))


def _summed(parts: Iterable[Part]) -> tuple[Part, ...]:
    """Return *parts* with those of one role of one side and rule set in one, in the order of these."""
    found: dict[tuple[str, str, str], Part] = {}
    for part in parts:
        key = (part.ruleset, part.side, part.role)
        before = found.get(key, Part(*key))
        found[key] = replace(before, played=before.played + part.played, won=before.won + part.won,
                             survived=before.survived + part.survived)
    return tuple(found[key] for key in sorted(found))


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


def _after(
    record: Record, who: str, game: Game, ended: Ended, votes: tuple[int, int], *, told: bool
) -> Record:
    """Return *record* after one more session, in which its player had the seat of *who*.

    *votes* are how many were accurate, of how many; *told* says whether roles and sides may be known.
    """
    assert game.opened is not None
    causes = [k.cause for k in game.ever(Killed, who=who)] if who not in game.alive else []
    condemned = bool(causes) and causes[-1] == "lynch"
    counts, parts = dict(record.sides), record.parts
    won, survived = who in ended.winners, who in game.alive
    if told:
        role, side = game.roles[who], game.sides[who]
        counts[side] = counts.get(side, 0) + 1
        parts = _summed((*parts, Part(game.opened.ruleset, side, role, 1, int(won), int(survived))))
    return replace(
        record, sessions=record.sessions + 1, won=record.won + won, survived=record.survived + survived,
        condemned=record.condemned + condemned, killed=record.killed + (bool(causes) and not condemned),
        sides=tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0]))), parts=parts,
        votes=record.votes + votes[1], accurate=record.accurate + votes[0])


def rows(contest: Contest, *, public: bool = False) -> tuple[tuple[str, ...], ...]:
    """Return the statistics as a table: players first, then sides."""
    return _rows(fared(contest, public=public))


def _rows(found: Fared) -> tuple[tuple[str, ...], ...]:
    head = ("player", "sessions", "won", "survived", "condemned", "killed", "votes", "rating", "sides")
    told = [
        (r.who, str(r.sessions), str(r.won), str(r.survived), str(r.condemned), str(r.killed),
         f"{r.accurate}/{r.votes}", rating_said(r), ", ".join(f"{side} {number}" for side, number in r.sides))
        for r in found.players
    ]
    camps = ((f"{s.side} ({s.ruleset})", str(s.sessions), str(s.won)) for s in found.sides)
    return (head, *told, *camps)


def rating_said(record: Record) -> str:
    """Return a player's rating with its uncertainty; ``-`` for none."""
    return "-" if record.rating is None else f"{record.rating:.1f} ± {record.uncertainty:.1f}"


def statistics_json(contest: Contest, *, public: bool = False) -> dict[str, Any]:
    """Return the statistics as ``nomicwolf statistics --json`` prints them."""
    found = fared(contest, public=public)
    return {
        "schema": 1, "sessions": found.sessions,
        "players": [{**asdict(r), "sides": dict(r.sides), "parts": list(map(asdict, r.parts))} for r in found.players],
        "sides": [asdict(s) for s in found.sides], "roles": [asdict(p) for p in found.parts],
        "unlisted": found.unlisted,
    }


def statistics_csv(contest: Contest, *, public: bool = False) -> str:
    """Return the statistics as CSV (RFC 4180): one row for each player, then one for each side of a rule set."""
    return csv_told(fared(contest, public=public))


def csv_told(found: Fared) -> str:
    """Return what was *found* as CSV (RFC 4180)."""
    head = ("kind", "name", "ruleset", "sessions", "won", "survived", "condemned", "killed", "sides", "side", "votes",
            "accurate", "rating", "uncertainty", "low", "high")
    told = [("player", r.who, "", r.sessions, r.won, r.survived, r.condemned, r.killed,
             "; ".join(f"{side} {number}" for side, number in r.sides), "", r.votes, r.accurate,
             "" if r.rating is None else r.rating, "" if r.uncertainty is None else r.uncertainty, "", "")
            for r in found.players]
    camps = [("side", s.side, s.ruleset, s.sessions, s.won, "", "", "", "", s.side, "", "", "", "", s.low, s.high)
             for s in found.sides]
    parts = [("role", p.role, p.ruleset, p.played, p.won, p.survived, "", "", "", p.side, *[""] * 6)
             for p in found.parts]
    return csv_of([head, *told, *camps, *parts])


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
