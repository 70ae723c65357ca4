"""Sections on the law around the game (NC 1c)."""

from __future__ import annotations

from itertools import takewhile
from textwrap import wrap
from typing import Any

from nomicwolf.nomic import law_events
from nomicwolf.nomic.duties import CLAUSES, GRACE, chance, says, term
from nomicwolf.nomic.events import (
    Awarded,
    DeedDone,
    DeedHeard,
    HalfTold,
    PartyLeft,
    Reminded,
    Ruled,
    SeedBound,
    SeedMixed,
)
from nomicwolf.nomic.law import Intent
from nomicwolf.nomic.setup import Policy, Prodded, StandbyEnded, StandbyOffered
from nomicwolf.nomic.times import when
from nomicwolf.reports.prose import Section, by_contract, plural
from nomicwolf.reports.sections import Maker, Note, NoteMaker, Page, only_one, telling, votes_stand
from nomicwolf.reports.views import PublicView, contestmaster_of
from nomicwolf.reports.vote_counts import count_summary, count_text
from nomicwolf.village.events import Cause, Entry, Event, Replaced, Told
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.rulesets.nomic_crossing import LAST_SHOT

ACTED_FOR = ("If you don't by then, it is done for you: you decline where you can, else a lot from the session's "
             "seed decides (NC 1j, D-A13).")

MAY_ACT = "If you don't, the contestmaster may then do it for you (NC 1j)."


def policy_lines(policy: Policy, rules: Ruleset, remind: tuple[str, ...]) -> list[str]:
    """Return what a session's start announces about silence, a sentence or two for each measure."""
    found = [f"Whoever owes something is reminded by private mail {_times(remind)}."] if remind else []
    if policy.takes("prod"):
        found.append(
            f"Whoever has no vote, and was not seen in a forum for {plural(policy.prod_days, 'day')}, is named with "
            "the count." if rules.votes_stand else "Whoever misses a vote is named.")
        found += [after] if (after := prod_consequence(policy)) else []
    if policy.takes("act-for") and by_contract(rules):
        found.append("What is owed by night is done once clause 1j allows it: where it can be declined it is, else a "
                     "lot from the session's seed decides (NC 1j, D-A13).")
    if policy.extend_if_missing:
        often = "once" if policy.extend_times == 1 else f"{policy.extend_times} times at most"
        found.append(f"A vote in stages lasts {plural(policy.extend_hours, 'hour')} longer, {often}, if at its "
                     f"deadline {policy.extend_if_missing} or more have not voted (D-A14).")
    return found


def _times(remind: tuple[str, ...]) -> str:
    said = {"50%": "halfway through its time", "24h": "a day before its end"}
    found = [said.get(text) or (
        f"at {text} of its time" if text.endswith("%") else f"{plural(int(text[:-1]), 'hour')} before its end")
        for text in remind]
    return " and ".join(found) + (", or only then if these are less than a day apart" if len(found) > 1 else "")


def prod_consequence(policy: Policy, *, yours: bool = False) -> str:
    """Return what happens to anyone who stays silent after being named, '' if nothing does; *yours*: to the reader."""
    then = []
    if policy.takes("replace"):
        then.append(f"the first on the standby list takes over{' from you' * yours} (D-N41)")
    if policy.takes("remove"):
        then.append(f"{'else ' * bool(then)}the contestmaster announces {'your' if yours else 'a'} removal (NC 1c)")
    if not then:
        return ""
    often = "" if policy.prods == 1 else f" {policy.prods} times"
    who = "If you stay silent" if yours else f"For whoever stays silent after having been named{often}"
    return f"{who}, {'; '.join(then)}."


def prod_section(page: Page, entry: Entry, event: Prodded, now: PublicView) -> Section | None:
    """Report who is named as silent, all of a letter together."""
    every = [e for e in page.entries if isinstance(e.event, Prodded)]
    if every[0] is not entry:
        return None
    named = [e.event for e in every if isinstance(e.event, Prodded)]
    policy, later = now.law.policy, page.later(entry, Replaced)
    replaced = {e.event.old for e in later if isinstance(e.event, Replaced)}
    follows = prod_consequence(policy) if any(p.times <= policy.prods for p in named) else ""
    gone = [p.who for p in named if p.times > policy.prods and p.who not in replaced]
    rows = [(since, [p.who for p in named if p.since == since]) for since in sorted({p.since for p in named})]
    return page.prose.section(
        "public-prodded", 32, place=now.place, rows=rows,
        names=[p.who for p in named], follows=follows, polls=now.polls,
        wanted=gone if policy.takes("replace") else [], address=now.setup.address)


def standby_section(page: Page, entry: Entry, event: StandbyOffered | StandbyEnded, now: PublicView) -> Section | None:
    """Report who is on standby now: of each person the last word of a letter, and at its end the list."""
    later = [e.event for kind in (StandbyOffered, StandbyEnded) for e in page.later(entry, kind)]
    if any(said.who == event.who for said in later if isinstance(said, StandbyOffered | StandbyEnded)):
        return None
    return page.prose.section(
        "public-standby", 20, who=event.who, ready=isinstance(event, StandbyOffered), last=not later,
        names=now.law.standby)


def private_prod_section(note: Note, entry: Entry, event: Prodded) -> Section | None:
    """Tell the reader that they were named as silent; None if someone else was, or they have been replaced."""
    public = note.view.public
    if event.who != note.view.who or event.who not in public.players:
        return None
    policy = public.law.policy
    return note.prose.section(
        "private-prodded", since=event.since, polls=public.polls,
        follows=prod_consequence(policy, yours=True) if event.times == policy.prods else "")


def reminder_section(note: Note, entry: Entry, owed: Reminded) -> Section | None:
    """Remind the reader; None if nothing is owed any more, as a late poll may find."""
    lacked = next((o for o in note.view.lacks if o.verb == owed.verb), None)
    if lacked is None:
        return None
    public, until = note.view.public, owed.until or lacked.until
    duty = next((d for d in note.view.duties if d.verb == owed.verb), None)
    return note.prose.section(
        "private-reminded", verb=owed.verb, kind=owed.kind, since=owed.since, until=until, place=public.place,
        stage=public.stage, trial=only_one(public), forum=duty is not None and duty.public, said=_said(note, owed),
        silence=(duty.silence if duty is not None else "") or _silence(note, owed))


def _silence(note: Note, owed: Reminded) -> str:
    """Return a sentence on what follows if the reader does nothing.

    The contestmaster can act only for a townsperson in a night phase (NC 1j), not for Cupid or a dead Hunter (D-N3),
    whose death by night is not public yet.
    """
    public = note.view.public
    lacked = next(o for o in note.view.lacks if o.verb == owed.verb)
    if owed.kind == "office":
        return ""
    if owed.kind != "deed":
        return f"If you don't, {'they end' if public.stage.endswith('s') else 'it ends'} without your vote."
    if lacked.closes and lacked.closes <= (lacked.until or lacked.closes):
        return f"If you don't, {public.place} ends without it."
    killed = any(isinstance(e.event, Told) and e.event.topic == LAST_SHOT for e in note.view.own)
    if public.phase == "night" and owed.who in public.living and not killed:
        return ACTED_FOR if public.law.policy.takes("act-for") else MAY_ACT
    return "Nobody else can do it for you, and the game waits for it (D-N3)."


def _said(note: Note, owed: Reminded) -> str:
    """Return the reader's last deed of the kind that is still owed, '' if there is none; fellows may not agree yet."""
    done = [e.event.says for e in note.view.own if isinstance(e.event, DeedDone) and e.at >= owed.since]
    return next((says for says in reversed(done) if says.split(" ")[0] == owed.verb), "")


WIDTH = 66
"""Columns of a line of a diff without its mark; the whole fits a letter's 72."""


def _intent(page: Page, number: int) -> Intent:
    return page.view.law.intents[number]


def _intent_announced(page: Page, entry: Entry, told: law_events.IntentAnnounced, now: PublicView) -> Section:
    intent = _intent(page, told.number)
    return page.prose.section(
        "public-intent", 80, number=told.number, says=says(intent), clause=CLAUSES[told.action],
        why=told.why, diff=diff_lines(told.diff),
        days=[_possible_line(page, nomic, entry.at) for nomic in now.setup.nomics
              if told.action != "remove" or told.who in now.parties.get(nomic, ())])


def diff_lines(diff: str) -> list[str]:
    """Return the lines of a diff; long ones are broken with their mark repeated."""
    lines: list[str] = []
    for line in diff.splitlines():
        mark, rest = line[:1], line[1:]
        lines += [f"{mark}{piece}" for piece in wrap(rest, WIDTH)] or [mark] if mark in "+- " else [line]
    return lines


def _possible_line(page: Page, nomic: str, announced: int) -> str:
    """Return in words when what was *announced* then (UTC seconds) can happen in *nomic*."""
    forum = page.view.setup.forum(nomic)
    assert forum is not None
    window = forum.law.window
    open_ = chance(page.view.law, nomic, window, announced)
    title = page.title(nomic)
    if open_.first is None:
        return f"In {title} it can happen once its clock has run for {window.earliest} ndays"
    if window.by_itself:
        return f"In {title} it happens by itself at {page.prose.ahead(open_.first)}, unless a member objects"
    last = f" until {when(open_.last)}" if open_.last is not None else ""
    return f"In {title} it can be done from {page.prose.ahead(open_.first)},{last}, unless a member objects"


def _objected(
    page: Page, entry: Entry, event: law_events.Objected | law_events.ObjectionWithdrawn, now: PublicView
) -> Section:
    name = "public-objected" if isinstance(event, law_events.Objected) else "public-unobjected"
    intent = _intent(page, event.intent)
    return page.prose.section(
        name, 45, who=event.who, number=event.intent, says=says(intent), at=entry.at,
        through=forum_of_deed(page, entry), clause=CLAUSES[intent.announced.action])


def forum_of_deed(page: Page, entry: Entry) -> str:
    """Return the forum through which the deed behind *entry* came (" in Agora's forum"), '' for a command."""
    number = Cause.of(entry.cause).named("deed")
    since = takewhile(lambda e: bool(number) and e.number >= number, reversed(page.view.record))
    deed = next((e.event for e in since if e.number == number), None)
    return f" in {page.title(deed.channel)}'s forum" if isinstance(deed, DeedHeard) else ""


def _effective(page: Page, entry: Entry, event: law_events.IntentEffective, now: PublicView) -> Section | None:
    """Report that an intent took effect; None where that changes nothing, as for who is no party in that nomic."""
    intent = _intent(page, event.intent)
    gone = {(e.event.who, e.event.nomic) for e in page.entries if isinstance(e.event, PartyLeft)}
    if intent.announced.action == "remove" and (intent.announced.who, event.nomic) not in gone:
        return None
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


def _clock(page: Page, entry: Entry, event: law_events.ClockTurned, now: PublicView) -> Section:
    return page.prose.section(
        "public-clock", 30, nomic=page.title(event.nomic), turned="on" if event.on else "off", at=entry.at)


def _contestmaster(page: Page, entry: Entry, event: law_events.ContestmasterChanged, now: PublicView) -> Section:
    masters = page.view.law.masters
    others = [(page.title(n), masters.get(n, now.setup.contestmaster)) for n in now.setup.nomics if n != event.nomic]
    return page.prose.section(
        "public-contestmaster", 65, who=event.who, nomic=page.title(event.nomic), how=event.how, at=entry.at,
        others=others)


def _no_holiday(page: Page, entry: Entry, event: law_events.HolidayUndone, now: PublicView) -> Section:
    return page.prose.section(
        "public-no-holiday", 30, nomic=page.title(event.nomic), since=event.since, until=event.until, why=event.why,
        earliest=entry.at + GRACE)


def _claimed(page: Page, entry: Entry, event: law_events.ErrorClaimed, now: PublicView) -> Section:
    return page.prose.section(
        "public-claimed", 55, who=event.who, session=event.session, award=event.award, why=event.why, at=entry.at,
        through=forum_of_deed(page, entry), due=term(now.setup, now.law, entry.at),
        **_award(page, event.session, event.award))


def _award(page: Page, session: int, number: int) -> dict[str, Any]:
    """Return award *number* of *session* for templates."""
    at, was = next((e.at, e.event) for e in reversed(page.view.record)
                   if isinstance(e.event, Awarded) and (e.event.session, e.event.number) == (session, number))
    assert isinstance(was, Awarded)
    return {"was_who": was.who, "was_what": was.what, "was_amount": was.amount, "announced": at,
            "nomic": page.title(was.nomic), "contestmaster": contestmaster_of(page.view, was.nomic)}


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
        place=after.place, summary=count_summary(told) if told else "",
        count=count_text(page.prose, told) if told and votes_stand(after) else "")


LAW_MAKERS: dict[type, Maker] = {
    law_events.IntentAnnounced: _intent_announced, law_events.Objected: _objected,
    law_events.ObjectionWithdrawn: _objected, law_events.IntentEffective: _effective,
    law_events.IntentBlocked: _blocked, law_events.Amended: _amended,
    law_events.SubgameEnded: telling("public-subgame-ended", 85, "at"),
    law_events.ClockTurned: _clock, law_events.ContestmasterChanged: _contestmaster,
    law_events.HolidayDeclared: telling("public-holiday", 30, "nomic", "since", "until"),
    law_events.HolidayUndone: _no_holiday,
    law_events.GuardLifted: telling("public-resumed", 50, "since", "at"),
    law_events.Paused: telling("public-paused", 70, "place", "at", "why"),
    law_events.PauseEnded: telling("public-unpaused", 46, "place", "at", "since"),
    law_events.PersonRenamed: telling("public-renamed", 20, "old", "new"),
    Prodded: prod_section, StandbyOffered: standby_section, StandbyEnded: standby_section,
    law_events.ErrorClaimed: _claimed, law_events.ErrorAnswered: _answered, law_events.AwardCorrected: _corrected,
    law_events.DeedUndone: _undone,
    law_events.QuestionAnswered: telling("public-question", 34, "text", "at"),
    SeedBound: telling("public-seed-bound", 30, "session", "commitment", "contest"),
    SeedMixed: telling("public-seed-mixed", 5, "session", "letters"),
    HalfTold: telling("public-seed-told", 5, "session", "half"),
}


def telling_one(template: str, *fields: str) -> NoteMaker:
    """Return the maker of a section that tells its reader *fields* of its event, or when that was (*at*)."""
    def section(note: Note, entry: Entry, event: Event) -> Section:
        return note.prose.section(
            template, **{name: entry.at if name == "at" else getattr(event, name) for name in fields})

    return section


def _member(note: Note, entry: Entry, event: law_events.MemberReminded) -> Section:
    setup = note.view.public.setup
    titles = {f.nomic: f.title or f.law.title for f in setup.forums}
    return note.prose.section("private-member", nomic=titles[event.nomic], elsewhere=titles[event.elsewhere])


LAW_NOTE_MAKERS: dict[type, NoteMaker] = {
    Ruled: telling_one("private-ruled", "text", "authority", "at"),
    law_events.MemberReminded: _member,
    law_events.AbsenceAnnounced: telling_one("private-away", "since", "until"),
    law_events.AbsenceEnded: telling_one("private-back"),
    law_events.QuestionAnswered: telling_one("private-question", "asked", "text"),
    law_events.DeedUndone: telling_one("private-undone", "says", "why"),
}
