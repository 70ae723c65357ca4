"""What is due when, as far as everyone may know: the ends of stages, and what the contract wants done soon."""

from __future__ import annotations

from dataclasses import dataclass

from nomicwolf.nomic.duties import contract_duties, term
from nomicwolf.nomic.state import Contest
from nomicwolf.reports.views import PublicView
from nomicwolf.village.rule_helpers import listed

SLOTS = "dawn"
"""The switch that tells at which times of day a night may end (D-N24)."""


@dataclass(frozen=True, slots=True)
class Term:
    """*what* is to happen by *at* (UTC seconds), *who* owes it ('': nobody alone), by *clause* ('': the rules' own)."""

    at: int
    what: str
    who: str = ""
    clause: str = ""


def terms(shown: Contest, view: PublicView) -> tuple[Term, ...]:
    """Return what is due in *shown*, the contest that everyone knows, soonest first; *view* is what it looks like.

    Who owes what by night is nobody's to know, so of a night without an end of its own only the day is told from which
    the contestmaster may act for whoever is silent, if all was owed from its beginning. In a pause nothing is due.
    """
    if view.law.paused:
        return ()
    found = [Term(d.until, d.what, d.who, d.clause) for d in contract_duties(shown)]
    if view.deadline:
        what = view.stage or view.place
        found.append(Term(view.deadline, f"{what} end{'' if what.endswith('s') else 's'}"))
    elif view.phase == "night":
        silent = "from then on the contestmaster may act for whoever is silent"
        found.append(Term(term(view.setup, view.law, view.began), silent, clause="NC 1j"))
    return tuple(sorted(found, key=lambda t: (t.at, t.what)))


def news(view: PublicView) -> str:
    """Return when the news of a night comes, as a sentence; '' by day, and where that is not at fixed times."""
    slots = dict(view.switches).get(SLOTS, "")
    if view.phase != "night" or ":" not in slots:
        return ""
    times = listed(tuple(slot.strip() for slot in slots.split(",")))
    return f"Dawn is announced at {times} UTC, at the first of these times after all is done."
