"""Votes in letters to the forums: counts, lynchings, and what late copies change (NC 3)."""

from __future__ import annotations

from itertools import takewhile

from nomicwolf.nomic.events import CountPosted
from nomicwolf.reports.counting import final_count, voted_between
from nomicwolf.reports.countpage import change_rows, count_text, summary
from nomicwolf.reports.layout import clean
from nomicwolf.reports.page import Page
from nomicwolf.reports.prose import Section
from nomicwolf.reports.times import when
from nomicwolf.reports.views import PublicView, rules_of
from nomicwolf.reports.ways import decides as decides_of
from nomicwolf.village.ballots import ballot_text
from nomicwolf.village.events import (
    BallotsOpened,
    Cause,
    Counted,
    Disclosed,
    Ended,
    Entry,
    Lynched,
    PhaseBegan,
    Recounted,
    StageBegan,
    Voided,
    Voted,
)
from nomicwolf.village.game import Game
from nomicwolf.village.laws.accusation import on_trial
from nomicwolf.village.laws.majority import lynched_today
from nomicwolf.village.laws.verdicts import GUILTY, VERDICTS, count, votes_for


def lynched(page: Page, entry: Entry, death: Lynched, now: PublicView) -> Section:
    """NC 3: who is lynched, the count that did it, the ballot that made it, and what is disclosed."""
    told = [e.event.what for e in page.entries if isinstance(e.event, Disclosed) and e.event.who == death.who]
    if not stands(now):
        return _condemned(page, entry, now, death.who, a(told[0]) if told else "")
    game = now.game_at(entry.number, page.later(entry, Voided))
    assert game is not None
    final, last = final_count(game, entry)
    return page.prose.section(
        "public-lynched", 80, place=now.place, who=death.who, at=entry.at, votes=final.counts.get(death.who, 0),
        living=len(final.living), plurality=2 * final.counts.get(death.who, 0) <= len(final.living),
        disclosed=a(told[0]) if told else "", decided=_decided(last),
        count=count_text(page.prose, final),
        waits=not (page.later(entry, PhaseBegan) or page.later(entry, Ended)),
        votes_go_on=not lynched_today(game),
    )


def _condemned(page: Page, entry: Entry, now: PublicView, who: str, disclosed: str) -> Section:
    """A death by a vote in stages: with the verdicts, unless the opened ballots stand beside it."""
    votes, living = trial_of(page, entry, now)
    return page.prose.section(
        "public-condemned", 80, place=now.place, who=who, at=entry.at, how=rules_of(now.ruleset).condemned,
        disclosed=disclosed, living=living,
        guilty=len(votes.get(GUILTY, ())), votes=[(verdict, names) for verdict, names in votes.items() if names])


def trial_of(page: Page, entry: Entry, now: PublicView) -> tuple[dict[str, list[str]], int]:
    """Return the verdicts right before *entry* and how many live; no verdicts where opened ballots show them."""
    game = now.game_at(entry.number - 1)
    assert game is not None
    opened = any(isinstance(e.event, BallotsOpened) for e in page.entries)
    return {} if opened else verdicts_of(game), len(game.living())


def verdicts_of(game: Game) -> dict[str, list[str]]:
    """Return who says guilty and who says innocent in the trial that *game* stands in; nobody outside of one."""
    return votes_for(game, count(game, VERDICTS), VERDICTS) if on_trial(game) else {}


def _decided(last: Entry | None) -> str:
    if last is None or not isinstance(last.event, Voted):
        return ""
    return f"{clean(last.event.who)}'s \"{clean(ballot_text(last.event.ballot))}\" of {when(last.at)}."



def a(what: str) -> str:
    """Return what someone was, with its article.

    >>> a("werewolf"), a("not a werewolf"), a("Owl")
    ('a werewolf', 'not a werewolf', 'an Owl')
    """
    if what.startswith(("not ", "a ", "an ", "the ")):
        return what
    return f"{'an' if what[:1] in 'AEIOUaeiou' else 'a'} {what}"


def counted(page: Page, entry: Entry, event: CountPosted, now: PublicView) -> Section | None:
    """A vote count in the midst of a day (X-27); None where no vote is open to all, or the letter tells its end."""
    if now.count is None or now.phase != "day" or now.polls != "open":
        return None
    if any(page.later(entry, kind) for kind in (CountPosted, Lynched, PhaseBegan, StageBegan)):
        return None
    decides = "" if stands(now) else decides_of(rules_of(now.ruleset), now.stage, now.count.majority)
    return page.prose.section(
        "public-count", 30, place=now.place, at=entry.at, summary=summary(now.count), majority=now.count.majority,
        stage=now.stage, until=now.deadline, decides=decides,
        count=count_text(page.prose, now.count, changes(now, entry.number), decides),
    )


def stands(view: PublicView) -> bool:
    """Return whether the session's votes stand until they are changed."""
    return rules_of(view.ruleset).votes_stand


def recounted(page: Page, entry: Entry, again: Recounted, now: PublicView) -> Section:
    """A ballot that came in late ended the day earlier: what it did, and which ballots came after (D-N9)."""
    void = [e.event for e in page.later(entry, Voided) if isinstance(e.event, Voided)]
    cast = next((e for e in page.entries if entry.cause == f"entry {e.number}"), None)
    since = _posted(page, cast) if cast else again.since
    return page.prose.section(
        "public-recount", 55, place=now.place, who=again.who, since=since, changes=[],
        void=[(v.who, f"cast {when(v.cast)}, after {when(v.over)}") for v in void],
    )


def late(page: Page, entry: Entry, voted: Voted, now: PublicView) -> Section | None:
    """A ballot that came in late, with an earlier stamp, while the vote is still open: what it changed (D-N9).

    Of several that were weighed together the last one tells what all of them did; of one that stands again since
    another was undone only what stands is told (D-N42).
    """
    if not voted.late or page.later(entry, Recounted):
        return None
    if voted.overtakes and any(e.cause == f"entry {entry.number}" for e in page.later(entry, Voted)):
        return None
    counts = [e.number for e in page.later(entry, Counted) if e.cause == f"entry {entry.number}"]
    changed = change_rows(changes(page.view, counts[-1], entry.number - 1)) if counts else []
    return page.prose.section(
        "public-recount", 55, place=now.place, who=voted.who, since=_posted(page, entry),
        changes=changed, void=[])


def _posted(page: Page, cast: Entry) -> int:
    """Return when *cast* was posted, UTC seconds: before, if it stands again since another was undone (D-N42)."""
    first = Cause.of(cast.cause).named("entry")
    return next((e.at for e in page.entries if e.number == first), cast.at) if first else cast.at


def changes(view: PublicView, until: int, since: int = 0) -> list[tuple[str, str | None, str | None]]:
    """Return (voter, before, after) for each vote that changed up to entry *until*.

    They are those since the last count that was posted in this phase or stage, or since entry *since*.
    """
    phase = next((e.number for e in reversed(view.record)
                  if e.number < until and isinstance(e.event, PhaseBegan | StageBegan)), 0)
    begun = [*takewhile(lambda e: e.number > phase, reversed(view.record))][::-1]
    posted = [e.number for e in begun if e.number < until and isinstance(e.event, CountPosted)]
    counts = [e for e in begun if isinstance(e.event, Counted)]
    return voted_between(counts, max([phase, *posted, since]), until)
