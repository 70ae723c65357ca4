"""The award book over all sessions: each award as given, and what corrected it; as rows and as CSV (RFC 4180)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from nomicwolf.nomic.awards import cannot_receive, derive
from nomicwolf.nomic.events import Awarded
from nomicwolf.nomic.law_events import AwardCorrected
from nomicwolf.nomic.state import Contest
from nomicwolf.reports.times import iso

COLUMNS = ("session", "ruleset", "number", "at", "nomic", "who", "what", "amount", "corrects", "claim")


@dataclass(frozen=True, slots=True)
class Row:
    """One numbered action: *amount* is negative where it revokes; *corrects* is the award it sets right, 0 if none.

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


def book(contest: Contest) -> tuple[Row, ...]:
    """Return every award and every correction, in the order in which they were announced (NC 5i, NC 5ii, D-N40)."""
    rows = []
    for entry in contest.entries:
        event = entry.event
        if isinstance(event, (Awarded, AwardCorrected)):
            award = event.award if isinstance(event, AwardCorrected) else 0
            started = contest.sessions.get(event.session)
            rows.append(Row(
                event.session, started.ruleset if started else "", event.number, iso(entry.at), event.nomic, event.who,
                event.what, event.amount, award, "" if award else claim(contest, event.session, event.number)))
    return tuple(rows)


def claim(contest: Contest, session: int, number: int) -> str:
    """Return how a claim of error on an award stands, '' if there is none."""
    found = contest.law.claims.get((session, number))
    if found is None:
        return ""
    return "open" if found.accepted is None else "accepted" if found.accepted else "denied"


def totals(contest: Contest) -> tuple[tuple[str, str, str, int], ...]:
    """Return (nomic, who, what, amount) over all sessions, corrections included."""
    sums: dict[tuple[str, str, str], int] = {}
    for row in book(contest):
        key = (row.nomic, row.who, row.what)
        sums[key] = sums.get(key, 0) + row.amount
    return tuple((*key, amount) for key, amount in sorted(sums.items()))


def book_csv(contest: Contest) -> str:
    """Return the award book as CSV with a head line and CRLF ends; text that a spreadsheet would run is quoted."""
    return csv_of([COLUMNS, *(tuple(getattr(row, c) for c in COLUMNS) for row in book(contest))])


def csv_of(rows: Iterable[Sequence[object]]) -> str:
    """Return *rows* as CSV with CRLF ends (RFC 4180); text that a spreadsheet would run is quoted."""
    return "".join(",".join(map(_cell, row)) + "\r\n" for row in rows)


def _cell(value: object) -> str:
    text = str(value)
    if isinstance(value, str) and text[:1] in ("=", "+", "-", "@", "\t"):
        text = f"'{text}"
    return '"' + text.replace('"', '""') + '"' if any(c in text for c in ',"\r\n') else text


def limits(contest: Contest) -> tuple[str, ...]:
    """Return for each nomic that pays points how P comes about by the roster, and what was confirmed (CFJ 2296)."""
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
