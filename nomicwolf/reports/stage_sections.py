"""Days in stages, as letters to the forums tell them: deadlines, nominations, trials, opened ballots."""

from __future__ import annotations

from collections import Counter

from nomicwolf.reports.layout import clean
from nomicwolf.reports.page import Maker, Page
from nomicwolf.reports.prose import Section
from nomicwolf.reports.views import PublicView, rules_of
from nomicwolf.reports.vote_sections import trial_of
from nomicwolf.reports.ways import open_to_all
from nomicwolf.village.alarms import slots
from nomicwolf.village.events import Acquitted, BallotsOpened, Entry, Extended, Nominated, StageBegan, Tried
from nomicwolf.village.laws.majority import EXTENSION, NOBODY
from nomicwolf.village.laws.phases import MISSING
from nomicwolf.village.laws.verdicts import GUILTY


def _stage(page: Page, entry: Entry, began: StageBegan, now: PublicView) -> Section | None:
    """Return what begins, and until when it lasts; None for what is over at once, as when another trial waits."""
    if any(e.at == entry.at for e in page.later(entry, StageBegan)):
        return None
    return page.prose.section(
        "public-stage", 45, place=now.place, stage=began.stage, until=began.until, names=began.names, at=entry.at,
        asked=asked_of_all(entry, now), at_once=not slots(dict(now.switches).get("dawn", "")))


def asked_of_all(entry: Entry, now: PublicView) -> list[str]:
    """Return the lines that tell what is open to all right after *entry*; none if nothing is."""
    game = now.game_at(entry.number)
    return open_to_all(rules_of(now.ruleset), game) if game is not None else []


def _extended(page: Page, entry: Entry, more: Extended, now: PublicView) -> Section:
    closed = more.until <= entry.at
    sooner = more.until < page.view.upto(entry.number - 1).deadline
    missing = entry.cause == MISSING
    silent = [v.who for v in now.count.votes if not v.ballot] if missing and now.polls == "open" and now.count else []
    return page.prose.section(
        "public-extended", 40 if closed else 45, place=now.place, stage=now.stage, until=more.until, closed=closed,
        sooner=sooner, missing=missing, silent=silent, then=_then(now))


def _then(now: PublicView) -> str:
    """Return what happens when a day without stages is over that has a limit (D-N56), '' for any other."""
    days, _, then = dict(now.switches).get("day_limit", "").partition(" ")
    if now.stage or not then or now.shown is None:
        return ""
    if then == EXTENSION and sum(e.cause.startswith("entry") for e in now.shown.lines_now(Extended)) == 1:
        return f"the day lasts {days} days longer, once"
    return "nobody is lynched, and night falls" if then == NOBODY else "whoever most are voting for is lynched"


def _opened(page: Page, entry: Entry, opened: BallotsOpened, now: PublicView) -> Section:
    none = "neither" if now.stage == "verdict" else "nobody"
    rows = [(who, value or none) for who, value in opened.votes]
    tally = [f"{clean(whom)} {n}" for whom, n in Counter(v for _, v in opened.votes if v).most_common()]
    return page.prose.section("public-opened", 52, place=now.place, at=entry.at, rows=rows, tally=tally)


def _nominated(page: Page, entry: Entry, named: Nominated, now: PublicView) -> Section:
    return page.prose.section("public-nominated", 53, place=now.place, names=named.names, round=named.round)


def _tried(page: Page, entry: Entry, tried: Tried, now: PublicView) -> Section:
    next_stage = [e.event for e in page.later(entry, StageBegan) if isinstance(e.event, StageBegan)][:1]
    stage, until = (next_stage[0].stage, next_stage[0].until) if next_stage else ("", 0)
    return page.prose.section("public-tried", 54, place=now.place, who=tried.who, stage=stage, until=until)


def _acquitted(page: Page, entry: Entry, freed: Acquitted, now: PublicView) -> Section:
    votes, living = trial_of(page, entry, now)
    return page.prose.section(
        "public-acquitted", 56, place=now.place, who=freed.who, at=entry.at, living=living,
        guilty=len(votes.get(GUILTY, ())), votes=[(verdict, names) for verdict, names in votes.items() if names])


STAGES: dict[type, Maker] = {
    StageBegan: _stage, Extended: _extended, BallotsOpened: _opened, Nominated: _nominated, Tried: _tried,
    Acquitted: _acquitted,
}
