"""Awards: the book and the announcement (NC 5)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from nomicwolf.nomic.awards import TROPHY, cannot_receive, derive
from nomicwolf.nomic.events import Awarded, Revealed, SessionStarted
from nomicwolf.nomic.law_events import AwardCorrected
from nomicwolf.nomic.state import Contest
from nomicwolf.nomic.times import iso
from nomicwolf.reports.history import side_name, victory
from nomicwolf.reports.prose import Prose, Section, by_contract
from nomicwolf.reports.sections import Page, with_article
from nomicwolf.reports.views import PublicView, contestmaster_of, dead_with_fates
from nomicwolf.village.events import Ended, Entry, Replaced
from nomicwolf.village.kernel import Ruleset
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
    rows = [(who, f"{rules.roles[role].title or role} ({side_name(side)})") for who, role, side in told.deal]
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
