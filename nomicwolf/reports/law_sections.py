"""What the forums are told of the law around the game: intents, amendments, contestmasters, corrections (NC 1c)."""

from __future__ import annotations

from itertools import takewhile
from textwrap import wrap
from typing import Any

from nomicwolf.nomic import absence, law_events
from nomicwolf.nomic.duties import term
from nomicwolf.nomic.events import Awarded, DeedHeard
from nomicwolf.nomic.intents import CLAUSES, GRACE, chance, says
from nomicwolf.nomic.law import Intent
from nomicwolf.reports.countpage import count_text, summary
from nomicwolf.reports.masters import master
from nomicwolf.reports.page import Maker, Page
from nomicwolf.reports.prose import Section
from nomicwolf.reports.seed_sections import SEEDS
from nomicwolf.reports.silence import prodded, standby
from nomicwolf.reports.times import when
from nomicwolf.reports.views import PublicView
from nomicwolf.reports.vote_sections import stands
from nomicwolf.village.events import Cause, Entry

WIDTH = 66
"""Columns of a line of a contract's changes, behind their marks and within a letter's 72."""


def _intent(page: Page, number: int) -> Intent:
    return page.view.law.intents[number]


def _announced(page: Page, entry: Entry, told: law_events.IntentAnnounced, now: PublicView) -> Section:
    intent = _intent(page, told.number)
    return page.prose.section(
        "public-intent", 80, number=told.number, says=says(intent), clause=CLAUSES[told.action],
        why=told.why, diff=diff_lines(told.diff),
        days=[_possible_line(page, nomic, entry.at) for nomic in now.setup.nomics])


def diff_lines(diff: str) -> list[str]:
    """Return the lines of a diff, long ones broken with their mark repeated, so that each says what it does."""
    lines: list[str] = []
    for line in diff.splitlines():
        mark, rest = line[:1], line[1:]
        lines += [f"{mark}{piece}" for piece in wrap(rest, WIDTH)] or [mark] if mark in "+- " else [line]
    return lines


def _possible_line(page: Page, nomic: str, announced: int) -> str:
    """Return when what was *announced* then (UTC seconds) can happen in *nomic*, in words."""
    forum = page.view.setup.forum(nomic)
    assert forum is not None
    window = forum.law.window
    open_ = chance(page.view.law, nomic, window, announced)
    title = page.title(nomic)
    if open_.first is None:
        return f"In {title} it can happen once its clock has run for {window.earliest} ndays"
    if window.by_itself:
        return f"In {title} it happens by itself at {when(open_.first)}, unless a member objects"
    last = f" until {when(open_.last)}" if open_.last is not None else ""
    return f"In {title} it can be done from {when(open_.first)}{last}, unless a member objects"


def _objected(
    page: Page, entry: Entry, event: law_events.Objected | law_events.ObjectionWithdrawn, now: PublicView
) -> Section:
    name = "public-objected" if isinstance(event, law_events.Objected) else "public-unobjected"
    intent = _intent(page, event.intent)
    return page.prose.section(
        name, 45, who=event.who, number=event.intent, says=says(intent), at=entry.at, through=through(page, entry),
        clause=CLAUSES[intent.announced.action])


def through(page: Page, entry: Entry) -> str:
    """Return through which forum the deed came of which *entry* tells: " in Agora's forum"; '' for a command."""
    number = Cause.of(entry.cause).named("deed")
    since = takewhile(lambda e: bool(number) and e.number >= number, reversed(page.view.record))
    deed = next((e.event for e in since if e.number == number), None)
    return f" in {page.title(deed.channel)}'s forum" if isinstance(deed, DeedHeard) else ""


def _effective(page: Page, entry: Entry, event: law_events.IntentEffective, now: PublicView) -> Section:
    intent = _intent(page, event.intent)
    return page.prose.section(
        "public-effective", 75, told=intent.at, number=event.intent, says=says(intent),
        nomic=page.title(event.nomic), at=entry.at, by_itself=event.how == "by itself",
        clause=CLAUSES[intent.announced.action])


def _blocked(page: Page, entry: Entry, event: law_events.IntentBlocked, now: PublicView) -> Section:
    return page.prose.section(
        "public-blocked", 60, number=event.intent, says=says(_intent(page, event.intent)),
        nomic=page.title(event.nomic), why=event.why)


def _amended(page: Page, entry: Entry, event: law_events.Amended, now: PublicView) -> Section:
    return page.prose.section(
        "public-amended", 85, version=event.version, at=entry.at, diff=diff_lines(event.diff),
        text=event.text.splitlines())


def _subgame(page: Page, entry: Entry, event: law_events.SubgameEnded, now: PublicView) -> Section:
    return page.prose.section("public-subgame-ended", 85, at=entry.at)


def _clock(page: Page, entry: Entry, event: law_events.ClockTurned, now: PublicView) -> Section:
    return page.prose.section(
        "public-clock", 30, nomic=page.title(event.nomic), turned="on" if event.on else "off", at=entry.at)


def _contestmaster(page: Page, entry: Entry, event: law_events.ContestmasterChanged, now: PublicView) -> Section:
    masters = page.view.law.masters
    others = [(page.title(n), masters.get(n, now.setup.contestmaster)) for n in now.setup.nomics if n != event.nomic]
    return page.prose.section(
        "public-contestmaster", 65, who=event.who, nomic=page.title(event.nomic), how=event.how, at=entry.at,
        others=others)


def _holiday(page: Page, entry: Entry, event: law_events.HolidayDeclared, now: PublicView) -> Section:
    return page.prose.section(
        "public-holiday", 30, nomic=page.title(event.nomic), since=event.since, until=event.until)


def _no_holiday(page: Page, entry: Entry, event: law_events.HolidayUndone, now: PublicView) -> Section:
    return page.prose.section(
        "public-no-holiday", 30, nomic=page.title(event.nomic), since=event.since, until=event.until, why=event.why,
        earliest=entry.at + GRACE)


def _resumed(page: Page, entry: Entry, event: law_events.GuardLifted, now: PublicView) -> Section:
    return page.prose.section("public-resumed", 50, since=event.since, at=entry.at)


def _renamed(page: Page, entry: Entry, event: law_events.PersonRenamed, now: PublicView) -> Section:
    return page.prose.section("public-renamed", 20, old=event.old, new=event.new)


def _claimed(page: Page, entry: Entry, event: law_events.ErrorClaimed, now: PublicView) -> Section:
    return page.prose.section(
        "public-claimed", 55, who=event.who, session=event.session, award=event.award, why=event.why, at=entry.at,
        through=through(page, entry), due=term(now.setup, now.law, entry.at),
        **_award(page, event.session, event.award))


def _award(page: Page, session: int, number: int) -> dict[str, Any]:
    """Return what award *number* of *session* was, for templates."""
    at, was = next((e.at, e.event) for e in reversed(page.view.record)
                   if isinstance(e.event, Awarded) and (e.event.session, e.event.number) == (session, number))
    assert isinstance(was, Awarded)
    return {"was_who": was.who, "was_what": was.what, "was_amount": was.amount, "announced": at,
            "nomic": page.title(was.nomic), "contestmaster": master(page.view, was.nomic)}


def _answered(page: Page, entry: Entry, event: law_events.ErrorAnswered, now: PublicView) -> Section:
    claim = page.view.law.claims[(event.session, event.award)]
    return page.prose.section(
        "public-claim-answered", 55, session=event.session, award=event.award, accepted=event.accepted, why=event.why,
        at=entry.at, who=claim.claimed.who, claimed=claim.at)


def _corrected(page: Page, entry: Entry, event: law_events.AwardCorrected, now: PublicView) -> Section:
    return page.prose.section(
        "public-corrected", 70, session=event.session, award=event.award, number=event.number, who=event.who,
        what=event.what, amount=event.amount, size=abs(event.amount), why=event.why,
        **_award(page, event.session, event.award), name=now.setup.name)


def _undone(page: Page, entry: Entry, event: law_events.DeedUndone, now: PublicView) -> Section:
    after, count = page.view, page.view.count
    told = count if count is not None and after.phase == "day" and not event.secret else None
    return page.prose.section(
        "public-undone", 45, who=event.who, says=event.says, why=event.why, at=entry.at, secret=event.secret,
        place=after.place, summary=summary(told) if told else "",
        count=count_text(page.prose, told) if told and stands(after) else "")


def _question(page: Page, entry: Entry, event: law_events.QuestionAnswered, now: PublicView) -> Section:
    return page.prose.section("public-question", 34, text=event.text, at=entry.at)


def _paused(page: Page, entry: Entry, event: law_events.Paused, now: PublicView) -> Section:
    return page.prose.section("public-paused", 70, place=now.place, at=entry.at, why=event.why)


def _unpaused(page: Page, entry: Entry, event: law_events.PauseEnded, now: PublicView) -> Section:
    return page.prose.section("public-unpaused", 46, place=now.place, at=entry.at, since=event.since)


LAW: dict[type, Maker] = {
    law_events.IntentAnnounced: _announced, law_events.Objected: _objected, law_events.ObjectionWithdrawn: _objected,
    law_events.IntentEffective: _effective, law_events.IntentBlocked: _blocked, law_events.Amended: _amended,
    law_events.SubgameEnded: _subgame, law_events.ClockTurned: _clock, law_events.ContestmasterChanged: _contestmaster,
    law_events.HolidayDeclared: _holiday, law_events.HolidayUndone: _no_holiday, law_events.GuardLifted: _resumed,
    law_events.Paused: _paused, law_events.PauseEnded: _unpaused, law_events.PersonRenamed: _renamed,
    absence.Prodded: prodded, absence.StandbyOffered: standby,
    absence.StandbyEnded: standby,
    law_events.ErrorClaimed: _claimed, law_events.ErrorAnswered: _answered, law_events.AwardCorrected: _corrected,
    law_events.DeedUndone: _undone, law_events.QuestionAnswered: _question, **SEEDS,
}
