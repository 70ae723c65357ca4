"""Awards, statistics and ratings (NC 5).

Nothing of a running session is in the statistics (NC 6).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import takewhile
from typing import Any

from openskill.models import PlackettLuce, PlackettLuceRating

from nomicwolf.nomic.awards import TROPHY, cannot_receive, derive
from nomicwolf.nomic.events import Awarded, Revealed, SessionStarted
from nomicwolf.nomic.law_events import AwardCorrected
from nomicwolf.nomic.state import Contest
from nomicwolf.nomic.times import iso
from nomicwolf.odds import wilson
from nomicwolf.reports.history import role_and_side, victory, with_article
from nomicwolf.reports.prose import Prose, Section, by_contract
from nomicwolf.reports.sections import Page
from nomicwolf.reports.views import PublicView, contestmaster_of, dead_with_fates
from nomicwolf.village.events import (
    BallotsOpened,
    Counted,
    Ended,
    Entry,
    Killed,
    Lynched,
    PhaseBegan,
    Replaced,
    StageBegan,
    Tried,
)
from nomicwolf.village.game import Game
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.laws.majority import GUILTY
from nomicwolf.village.lots import ROW, cast
from nomicwolf.village.rules import Refusal, listed
from nomicwolf.village.rulesets import rules_with

COLUMNS = ("session", "ruleset", "number", "at", "nomic", "who", "what", "amount", "corrects", "claim")


@dataclass(frozen=True, slots=True)
class AwardRow:
    """One numbered award: *amount* is negative for a revocation; *corrects* is the award that it corrects, 0 if none.

    *claim* is '', ``open``, ``accepted`` or ``denied``; *at* is ISO 8601.
    """

    session: int
    ruleset: str
    number: int
    at: str
    nomic: str
    who: str
    what: str
    amount: int
    corrects: int = 0
    claim: str = ""


def award_book(contest: Contest) -> tuple[AwardRow, ...]:
    """Return every award and correction in the order of announcement (NC 5i, NC 5ii, D-N40)."""
    rows = []
    for entry in contest.entries:
        event = entry.event
        if isinstance(event, (Awarded, AwardCorrected)):
            award = event.award if isinstance(event, AwardCorrected) else 0
            started = contest.sessions.get(event.session)
            rows.append(AwardRow(
                event.session, started.ruleset if started else "", event.number, iso(entry.at), event.nomic, event.who,
                event.what, event.amount, award, "" if award else claim_state(contest, event.session, event.number)))
    return tuple(rows)


def claim_state(contest: Contest, session: int, number: int) -> str:
    """Return the state of a claim of error on an award, '' if there is none."""
    found = contest.law.claims.get((session, number))
    if found is None:
        return ""
    return "open" if found.accepted is None else "accepted" if found.accepted else "denied"


def award_totals(contest: Contest) -> tuple[tuple[str, str, str, int], ...]:
    """Return (nomic, who, what, amount) over all sessions, corrections included."""
    sums: dict[tuple[str, str, str], int] = {}
    for row in award_book(contest):
        key = (row.nomic, row.who, row.what)
        sums[key] = sums.get(key, 0) + row.amount
    return tuple((*key, amount) for key, amount in sorted(sums.items()))


def book_csv(contest: Contest) -> str:
    """Return the award book as CSV with a header."""
    return csv_of([COLUMNS, *(tuple(getattr(row, c) for c in COLUMNS) for row in award_book(contest))])


def csv_of(rows: Iterable[Sequence[object]]) -> str:
    """Return *rows* as CSV with CRLF ends (RFC 4180); text that a spreadsheet would evaluate is quoted."""
    return "".join(",".join(map(_cell, row)) + "\r\n" for row in rows)


def _cell(value: object) -> str:
    text = str(value)
    if isinstance(value, str) and text[:1] in ("=", "+", "-", "@", "\t"):
        text = f"'{text}"
    return '"' + text.replace('"', '""') + '"' if any(c in text for c in ',"\r\n') else text


def limit_lines(contest: Contest) -> tuple[str, ...]:
    """Return how the roster yields P of each nomic that pays points, and what was confirmed (CFJ 2296)."""
    lines: list[str] = []
    for nomic in contest.setup.nomics:
        found, confirmed = derive(contest, nomic), contest.limits.get(nomic)
        if found is None:
            continue
        lines += found.lines()
        lines += [f"  gets no points: {who}, no player there (CFJ 2438; D-N55)"
                  for who in contest.parties.get(nomic, ()) if cannot_receive(contest, nomic, who)]
        if confirmed is None:
            lines.append(f"  not confirmed: nomicwolf award --limit {nomic}=POINTS (D-N21)")
        elif found.points is not None and confirmed.points != found.points:
            lines.append(f"  confirmed: {confirmed.points}, which is not what the roster yields: {confirmed.how}")
        else:
            lines.append(f"  confirmed: {confirmed.points} ({confirmed.how or 'by the contestmaster'})")
    return tuple(lines)


def ending_section(page: Page, entry: Entry, over: Ended, now: PublicView) -> Section:
    """Announce the end of a session, with the awards that *page* reports."""
    given = [e.event for e in page.entries if isinstance(e.event, Awarded)]
    clauses = over.why.replace("; ", ", ") or "NC 5"
    outcome = victory(over.side) if over.winners else "nobody wins"
    return page.prose.section(
        "public-ended", 100, session=now.session, at=entry.at, outcome=outcome, clauses=clauses,
        winners=over.winners, living=now.living, dead=dead_with_fates(now), awards=award_blocks(page, given, over),
        nothing=[(page.title(nomic), page.view.limits[nomic][0]) for nomic in _too_little(page.view, over, given)],
        first=given[0].number if given else 0,
    )


def award_blocks(page: Page, given: Sequence[Awarded], over: Ended) -> list[dict[str, Any]]:
    """Return the derivation and the awards of each nomic, one line each (CFJ 2296, D-N21)."""
    blocks: list[dict[str, Any]] = []
    for nomic in dict.fromkeys(award.nomic for award in given):
        mine = [award for award in given if award.nomic == nomic]
        kind = "trophy" if mine[0].what == TROPHY else "points"
        lines = [
            page.prose.text(
                f"award-{kind}", number=a.number, amount=a.amount, what=a.what, who=a.who, nomic=page.title(nomic),
                name=page.view.setup.name) for a in mine
        ]
        blocks.append({
            "derivation": derivation(page, mine, over).split("\n"), "lines": lines,
            "caveat": page.prose.text("award-trophy-caveat", nomic=page.title(nomic)) if kind == "trophy" else "",
        })
    return blocks


def _too_little(view: PublicView, over: Ended, given: Sequence[Awarded]) -> list[str]:
    """Return the nomics whose P is too small for a point each (NC 5i)."""
    paid = {award.nomic for award in given}
    return [f.nomic for f in view.setup.forums if f.law.awards == "points" and f.nomic not in paid
            and view.limits.get(f.nomic, (len(over.winners), ""))[0] < len(over.winners)]


def derivation(page: Page, mine: Sequence[Awarded], over: Ended) -> str:
    """Return how the awards *mine* of one nomic are derived (NC 5i: floor(P/N)): all of P, and who gets none."""
    nomic = mine[0].nomic
    told = {"nomic": page.title(nomic), "contestmaster": contestmaster_of(page.view, nomic)}
    if mine[0].what == TROPHY:
        return page.prose.text("award-trophy-derivation", **told)
    points, how = page.view.limits.get(nomic, (0, ""))
    return page.prose.text(
        "award-points-derivation", **told, points=points,
        how=how or "confirmed by the contestmaster",
        winners=len(over.winners), amount=mine[0].amount, total=sum(a.amount for a in mine),
        without=[who for who in over.winners if who not in {award.who for award in mine}])


def reveal_section(view: PublicView, entry: Entry, prose: Prose) -> Section | None:
    """Return the letter that reveals roles and seed (D-N23); None if the contest keeps them secret."""
    told = entry.event
    assert isinstance(told, Revealed)
    if not told.deal:
        return None
    rules = rules_with(view.ruleset, view.brought)
    rows = [(who, role_and_side(rules, role, side)) for who, role, side in told.deal]
    return prose.section(
        "public-revealed", 10, session=told.session, rows=rows, seed=told.seed, commitment=view.commitment,
        lovers=told.lovers, ruled=told.ruled, contest=view.setup.contest,
        became=[(who, with_article(rules.roles[role].title or role)) for who, role, _ in told.became],
        lots=lot_rows(view, told, rules), swaps=_swaps(view, told.session),
    )


def _swaps(view: PublicView, session: int) -> list[tuple[str, str]]:
    """Return who took over from whom in *session*, because lots name the original players."""
    since = takewhile(lambda e: not _is_start(e, session), reversed(view.record))
    return [(e.event.old, e.event.new) for e in since if isinstance(e.event, Replaced)][::-1]


def _is_start(entry: Entry, session: int) -> bool:
    return isinstance(entry.event, SessionStarted) and entry.event.session == session


def lot_rows(view: PublicView, told: Revealed, rules: Ruleset) -> list[tuple[str, str]]:
    """Return each lot of the deal with those among whom it was drawn; none if roles were dealt by hand."""
    start = next(e.event for e in reversed(view.record) if _is_start(e, told.session))
    assert isinstance(start, SessionStarted)
    lots = cast(start.roles, told.seed)[1] if told.seed else ()
    rows = [(lot.purpose, f"{lot.result[0]}, of {listed(lot.options)}") for lot in lots]
    return rows + _deal_lots(view, told, rules, start)


def _deal_lots(view: PublicView, told: Revealed, rules: Ruleset, start: SessionStarted) -> list[tuple[str, str]]:
    if not by_contract(rules):
        try:
            drawn = rules.dealt(start.players, start.roles, told.seed, dict(view.switches))[1]
        except Refusal:
            return []
        return [(lot.purpose, f"{len(lot.result)} of the {len(lot.options)} who had no role yet") for lot in drawn
                if not lot.purpose.startswith(f"{ROW} ")]
    evil = sum(side == "werewolves" for _, _, side in told.deal)
    rows = [("werewolves", f"{evil} of all townspersons")] if evil else []
    held = [role for role in rules.optional if any(role == mine for _, mine, _ in told.deal)]
    return rows + [(role, "one of the villagers who had no role yet") for role in held]


STAND_IN_SIGMA = 1e-3
"""The uncertainty of a stand-in's rating, so small that no session changes it."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating: everyone begins at 25; the true value is within *uncertainty* of it two times in three."""

    value: float
    uncertainty: float


def rated(results: Iterable[tuple[Sequence[str], Sequence[str]]]) -> dict[str, Rating]:
    """Return everyone's rating after *results*, the (winners, others) of each session, oldest first.

    The model adds up the members of a side and would expect the larger one to win. Sides are unequal by design, so the
    smaller one is filled up with stand-ins of usual strength.
    """
    model = PlackettLuce()
    found: dict[str, PlackettLuceRating] = {}
    for winners, others in results:
        sides = [[found.setdefault(who, model.rating(name=who)) for who in side] for side in (winners, others)]
        most = max(map(len, sides))
        filled = [side + [model.rating(sigma=STAND_IN_SIGMA) for _ in range(most - len(side))] for side in sides]
        after = model.rate(filled, ranks=[0, 1])
        for side, new in zip((winners, others), after, strict=True):
            found |= zip(side, new[:len(side)], strict=True)
    return {who: Rating(round(rating.mu, 2), round(rating.sigma, 2)) for who, rating in found.items()}


def last_votes(game: Game) -> Iterator[tuple[str, str]]:
    """Yield (voter, against whom) for each vote against somebody as it stood when its poll ended.

    A poll ends with a lynching, the opening of ballots, or the end of the stage or day. A verdict of guilty is a vote
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
    """Return for each voter how many votes were against another side, and how many there were.

    Voters whose sides are not in *sides* are left out.
    """
    found: dict[str, tuple[int, int]] = {}
    for voter, whom in last_votes(game):
        if voter in sides and whom in sides:
            right, all_ = found.get(voter, (0, 0))
            found[voter] = right + (sides[voter] != sides[whom]), all_ + 1
    return found


@dataclass(frozen=True, slots=True)
class Part:
    """How often a *role* of a *side* was *played* in a rule set, and how often it won or survived.

    The sessions are those of one player, or of all.
    """

    ruleset: str
    side: str
    role: str
    played: int = 0
    won: int = 0
    survived: int = 0


@dataclass(frozen=True, slots=True)
class PlayerRecord:
    """One player's sessions: how many, and in how many they won, survived, were condemned, or were killed otherwise.

    *sides* are (side, how often), most first; *parts* are the player's roles. Of the player's *votes* as they stood
    when a poll ended, *accurate* were against another side. *rating* and its *uncertainty* are OpenSkill's (None: no
    session counts).
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
    """One side in one rule set: its sessions, and how many it won.

    Its share of wins is between *low* and *high* with 95 % certainty.
    """

    ruleset: str
    side: str
    sessions: int
    won: int
    low: float = 0.0
    high: float = 1.0


def finished(contest: Contest) -> Iterator[tuple[Game, Ended]]:
    """Yield the sessions that had a result, even if nobody won; those ended by NC 1f are left out."""
    for number in sorted(contest.games):
        game = contest.games[number]
        ended = game.last(Ended)
        if ended is not None and game.opened is not None:
            yield game, ended


@dataclass(frozen=True, slots=True)
class Results:
    """The results of everyone and every side over the finished *sessions*; *parts* are all roles of all players.

    *unlisted* counts those who chose not to be listed: they are included in sides and parts but not in *players*.
    """

    sessions: int
    players: tuple[PlayerRecord, ...]
    sides: tuple[SideRecord, ...]
    parts: tuple[Part, ...] = ()
    unlisted: int = 0


def results_of(contest: Contest, *, public: bool = False) -> Results:
    """Return the results of all finished sessions, each examined once.

    Players are listed by their present names, and substitutes are credited with their seats. With *public*, sides and
    roles count only if they were revealed after the session (D-N23).
    """
    records: dict[str, PlayerRecord] = {}
    camps: dict[tuple[str, str], SideRecord] = {}
    results: list[tuple[list[str], list[str]]] = []
    for game, ended in finished(contest):
        assert game.opened is not None
        deal = _deal(contest, game) if public else game.opened.deal
        votes = accuracy(game, game.sides) if deal else {}
        for seat in game.seats:
            who = current_name(contest, seat)
            before = records.get(who, PlayerRecord(who))
            records[who] = _after(before, seat, game, ended, votes.get(seat, (0, 0)), told=bool(deal))
        for side in sorted({side for _, _, side in deal}):
            key = (game.opened.ruleset, side)
            camp = camps.get(key, SideRecord(*key, 0, 0))
            won = bool(ended.winners) and ended.side == side
            camps[key] = replace(camp, sessions=camp.sessions + 1, won=camp.won + won)
        results.append(([current_name(contest, who) for who in game.seats if who in ended.winners],
                        [current_name(contest, who) for who in game.seats if who not in ended.winners]))
    ratings = rated(result for result in results if all(result))
    everyone = [replace(r, rating=ratings[who].value, uncertainty=ratings[who].uncertainty) if who in ratings else r
                for who, r in records.items()]
    hidden = contest.law.unlisted
    return Results(
        len(results), tuple(sorted((r for r in everyone if r.who not in hidden), key=lambda r: r.who.casefold())),
        tuple(_bounded(camps[key]) for key in sorted(camps)), _summed(part for r in everyone for part in r.parts),
        sum(r.who in hidden for r in everyone))


def _bounded(camp: SideRecord) -> SideRecord:
    share = wilson(camp.won, camp.sessions)
    return replace(camp, low=round(share.low, 4), high=round(share.high, 4))


def _summed(parts: Iterable[Part]) -> tuple[Part, ...]:
    """Return *parts* summed by rule set, side and role, in that order."""
    found: dict[tuple[str, str, str], Part] = {}
    for part in parts:
        key = (part.ruleset, part.side, part.role)
        before = found.get(key, Part(*key))
        found[key] = replace(before, played=before.played + part.played, won=before.won + part.won,
                             survived=before.survived + part.survived)
    return tuple(found[key] for key in sorted(found))


def current_name(contest: Contest, who: str) -> str:
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
    record: PlayerRecord, who: str, game: Game, ended: Ended, votes: tuple[int, int], *, told: bool
) -> PlayerRecord:
    """Return *record* after another session, in which the player had the seat of *who*.

    *votes* are (accurate, all); *told* says whether roles and sides may be known.
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


def _rows(found: Results) -> tuple[tuple[str, ...], ...]:
    head = ("player", "sessions", "won", "survived", "condemned", "killed", "votes", "rating", "sides")
    told = [
        (r.who, str(r.sessions), str(r.won), str(r.survived), str(r.condemned), str(r.killed),
         f"{r.accurate}/{r.votes}", rating_text(r), ", ".join(f"{side} {number}" for side, number in r.sides))
        for r in found.players
    ]
    camps = ((f"{s.side} ({s.ruleset})", str(s.sessions), str(s.won)) for s in found.sides)
    return (head, *told, *camps)


def rating_text(record: PlayerRecord) -> str:
    """Return a player's rating with its uncertainty; ``-`` for none."""
    return "-" if record.rating is None else f"{record.rating:.1f} ± {record.uncertainty:.1f}"


def statistics_json(contest: Contest, *, public: bool = False) -> dict[str, Any]:
    """Return the statistics for ``nomicwolf statistics --json``."""
    found = results_of(contest, public=public)
    return {
        "schema": 1, "sessions": found.sessions,
        "players": [{**asdict(r), "sides": dict(r.sides), "parts": list(map(asdict, r.parts))} for r in found.players],
        "sides": [asdict(s) for s in found.sides], "roles": [asdict(p) for p in found.parts],
        "unlisted": found.unlisted,
    }


def statistics_csv(contest: Contest, *, public: bool = False) -> str:
    """Return the statistics as CSV: a row for each player, then for each side and role of a rule set."""
    return results_csv(results_of(contest, public=public))


def results_csv(found: Results) -> str:
    """Return *found* as CSV (RFC 4180)."""
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
    """Return the statistics as a text table, or a sentence if no session has ended yet."""
    found = results_of(contest, public=public)
    if not found.sessions:
        return "No session has been played to its end yet."
    table = _rows(found)
    wide = [max(len(row[place]) for row in table if len(row) > place) for place in range(len(table[0]))]
    lines = ("  ".join(cell.ljust(wide[place]) if place == 0 else cell.rjust(wide[place])
                       if place < len(wide) - 1 else cell for place, cell in enumerate(row)) for row in table)
    return "\n".join(line.rstrip() for line in lines)
