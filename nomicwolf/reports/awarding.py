"""The end of a session as it is announced, with its awards as separate numbered actions (NC 5, 5i, 5ii)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Any

from nomicwolf.nomic.awards import TROPHY
from nomicwolf.nomic.events import Awarded, Revealed, SessionStarted
from nomicwolf.reports.fates import dead_with_fates
from nomicwolf.reports.masters import master
from nomicwolf.reports.page import Page
from nomicwolf.reports.prose import Prose, Section, by_contract
from nomicwolf.reports.sides import side_name, won
from nomicwolf.reports.views import PublicView, rules_of
from nomicwolf.reports.vote_sections import a
from nomicwolf.village.events import Ended, Entry, Replaced
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.rules import Refusal


def ended(page: Page, entry: Entry, over: Ended, now: PublicView) -> Section:
    """Return the announcement of the end in *entry*, with those entries of the *page* that award something for it."""
    given = [e.event for e in page.entries if isinstance(e.event, Awarded)]
    clauses = over.why.replace("; ", ", ") or "NC 5"
    outcome = won(over.side) if over.winners else "nobody wins"
    return page.prose.section(
        "public-ended", 100, session=now.session, at=entry.at, outcome=outcome, clauses=clauses,
        winners=over.winners, living=now.living, dead=dead_with_fates(now), awards=award_blocks(page, given, over),
        nothing=[(page.title(nomic), page.view.limits[nomic][0]) for nomic in _too_little(page.view, over, given)],
        first=given[0].number if given else 0,
    )


def award_blocks(page: Page, given: Sequence[Awarded], over: Ended) -> list[dict[str, Any]]:
    """Return for each nomic its derivation and its award actions, one line each (CFJ 2296, D-N21)."""
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
    """Return the nomics of whose P each winner's share is rounded down to nothing (NC 5i)."""
    paid = {award.nomic for award in given}
    return [f.nomic for f in view.setup.forums if f.law.awards == "points" and f.nomic not in paid
            and view.limits.get(f.nomic, (len(over.winners), ""))[0] < len(over.winners)]


def derivation(page: Page, mine: Sequence[Awarded], over: Ended) -> str:
    """Return how the awards *mine*, all of one nomic, come about (NC 5i: floor(P/N)): P in full, and who gets none."""
    nomic = mine[0].nomic
    told = {"nomic": page.title(nomic), "contestmaster": master(page.view, nomic)}
    if mine[0].what == TROPHY:
        return page.prose.text("award-trophy-derivation", **told)
    points, how = page.view.limits.get(nomic, (0, ""))
    return page.prose.text(
        "award-points-derivation", **told, points=points,
        how=how or "confirmed by the contestmaster",
        winners=len(over.winners), amount=mine[0].amount, total=sum(a.amount for a in mine),
        without=[who for who in over.winners if who not in {award.who for award in mine}])


def revealed(view: PublicView, entry: Entry, prose: Prose) -> Section | None:
    """Return the letter that tells the roles and the seed (D-N23); None where the contest keeps them."""
    told = entry.event
    assert isinstance(told, Revealed)
    if not told.deal:
        return None
    rules = rules_of(view.ruleset, view.brought)
    rows = [(who, f"{rules.roles[role].title or role} ({side_name(side)})") for who, role, side in told.deal]
    return prose.section(
        "public-revealed", 10, session=told.session, rows=rows, seed=told.seed, commitment=view.commitment,
        lovers=told.lovers, became=[(who, a(rules.roles[role].title or role)) for who, role, _ in told.became],
        contest=view.setup.contest, lots=lots(view, told, rules), swaps=_swaps(view, told.session), ruled=told.ruled,
    )


def _swaps(view: PublicView, session: int) -> list[tuple[str, str]]:
    """Return who took over from whom in *session*: lots name those who played first."""
    since = takewhile(lambda e: not _is_start(e, session), reversed(view.record))
    return [(e.event.old, e.event.new) for e in since if isinstance(e.event, Replaced)][::-1]


def _is_start(entry: Entry, session: int) -> bool:
    return isinstance(entry.event, SessionStarted) and entry.event.session == session


def lots(view: PublicView, told: Revealed, rules: Ruleset) -> list[tuple[str, str]]:
    """Return the place of each lot of the deal, and among whom it was drawn; none where it was dealt by hand."""
    if not by_contract(rules):
        start = next(e.event for e in reversed(view.record) if _is_start(e, told.session))
        assert isinstance(start, SessionStarted)
        try:
            drawn = rules.deal(start.players, start.roles, told.seed, dict(view.switches))[1]
        except Refusal:
            return []
        return [(lot.purpose, f"{len(lot.result)} of the {len(lot.options)} who had no role yet") for lot in drawn]
    evil = sum(side == "werewolves" for _, _, side in told.deal)
    rows = [("werewolves", f"{evil} of all townspersons")] if evil else []
    held = [role for role in rules.optional if any(role == mine for _, mine, _ in told.deal)]
    return rows + [(role, "one of the villagers who had no role yet") for role in held]
