"""Sections on votes and stages, and notices.

A letter to a stranger quotes nothing that came in the stranger's name: nobody is written to by way of the contest.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from typing import Any, TypeAlias

from nomicwolf.letters.identity import reply_tag, token
from nomicwolf.letters.letter import Outgoing
from nomicwolf.nomic.events import CountPosted, DeedDone, DeedHeard, LetterHeard
from nomicwolf.nomic.law import SetAside
from nomicwolf.nomic.law_events import AddressAsked, StrangerAnswered
from nomicwolf.nomic.setup import PRIVATE, Setup
from nomicwolf.nomic.state import Contest
from nomicwolf.nomic.times import when
from nomicwolf.reports.history import with_article
from nomicwolf.reports.layout import clean, size_class
from nomicwolf.reports.prose import UNIFORM_SUBJECT, Prose, Section, subject_line, tag_of
from nomicwolf.reports.views import PlayerView, PublicView, may_read
from nomicwolf.reports.vote_counts import (
    change_rows,
    changed_votes,
    count_summary,
    count_text,
    final_count,
    public_duties,
)
from nomicwolf.reports.vote_counts import decision_rule as decides_of
from nomicwolf.village.ballots import ballot_text
from nomicwolf.village.events import (
    Acquitted,
    BallotsOpened,
    Cause,
    Counted,
    DeathsAnnounced,
    Declared,
    Disclosed,
    Ended,
    Entry,
    Extended,
    Lynched,
    Nominated,
    PhaseBegan,
    Recounted,
    StageBegan,
    Tried,
    Voided,
    Voted,
    numbered,
    slots,
)
from nomicwolf.village.game import Game
from nomicwolf.village.laws.majority import EXTENSION, GUILTY, NOBODY, VERDICTS, lynched_today, stage_count, votes_for
from nomicwolf.village.laws.phases import MISSING, about
from nomicwolf.village.laws.trials import on_trial
from nomicwolf.village.rules import listed
from nomicwolf.village.rulesets import ruleset


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a contest: its state *before* and *after* the new *entries* of its record, at *now* (UTC seconds)."""

    before: Contest
    after: Contest
    entries: Sequence[Entry]
    now: int


def replied_to(contest: Contest, entries: Sequence[Entry], who: str) -> str:
    """Return the Message-ID of *who*'s private letter that caused *entries*, '' if there is none."""
    for entry in entries:
        if may_read(entry.event.readers(), who):
            letter = contest.letters.get(letter_behind(contest, entry))
            if letter is not None and letter.author == who and letter.channel == PRIVATE:
                return letter.message_id
    return ""


def private_thread(contest: Contest, who: str) -> str:
    """Return the key that joins *who*'s private letters of one phase into a thread; no letter has it."""
    return f"s{contest.session}/e{contest.game.phase_mark if contest.game is not None else 0}/thread/{who}"


def letter_behind(contest: Contest, entry: Entry) -> int:
    """Return the number of the letter that caused *entry*, 0 if its cause doesn't lead to one.

    A cause is ``letter N``; or ``deed N``, and the deed names its letter; or ``entry N``, and that entry has a cause.
    """
    for _ in range(20):
        if isinstance(entry.event, DeedHeard):
            return entry.event.letter
        cause = Cause.of(entry.cause)
        if letter := cause.named("letter"):
            return letter
        found = numbered(contest.entries, cause.number) if cause.number else None
        if found is None:
            return 0
        if isinstance(found.event, LetterHeard):
            return found.number
        entry = found
    return 0


def confirmation_token(setup: Setup, entry: int, aside: SetAside) -> str:
    """Return the token that confirms what *entry* set aside; it depends on person, exact acts, phase and time."""
    acts = [part for d in aside.deeds for part in (d.verb, d.says, d.channel)]
    return token(setup.secret, setup.contest, str(entry), aside.who, aside.phase, str(aside.until), *acts, *aside.order)


def reply_tag_of(contest: Contest, name: str) -> str:
    """Return the tag of the address at which *name* answers private letters of the present session."""
    turn = contest.law.seen.get((name, contest.session), 0)
    return reply_tag(contest.setup.secret, contest.setup.contest, contest.session, name, turn)


def letter_room(contest: Contest, body: str) -> int:
    """Return the size to which a letter with *body* is padded in a covered session (D-N48), 0 in any other."""
    return size_class([body]) if contest.cover.slots else 0


def confirmation_subject(contest: Contest) -> str:
    """Return the subject of a letter that asks for a confirmation."""
    if contest.setup.uniform_subjects or contest.cover.slots:
        return subject_line(contest.setup, contest.session, UNIFORM_SUBJECT)
    return f"[{tag_of(contest.setup)}] Please confirm"


def confirmation_letters(step: Step, prose: Prose) -> tuple[Outgoing, ...]:
    """Return one letter for each entry of *step* that sets something aside, if its author has an address.

    Its headers match those of any answer, so that nobody on its way can tell a night deed from a question (NC 6b).
    """
    contest, setup = step.after, step.after.setup
    out: list[Outgoing] = []
    for entry in step.entries:
        aside = entry.event
        if not isinstance(aside, SetAside) or not (address := contest.address_of(aside.who)):
            continue
        body = prose.text(
            "confirm", who=aside.who, name=setup.name, home=setup.address, phase=aside.bound, until=aside.until,
            acts=[(d.text, d.says) for d in aside.deeds], order=" ".join(aside.order), tagged=setup.subaddresses,
            token=confirmation_token(setup, entry.number, aside))
        message = replied_to(contest, [entry], aside.who)
        out.append(Outgoing(
            f"s{contest.session}/e{entry.number}/confirm", "private",
            confirmation_subject(contest), body + "\n", step.now,
            to=address, person=aside.who, thread=private_thread(contest, aside.who),
            in_reply_to=message, auto="auto-replied" if message else "auto-generated",
            reply_tag=reply_tag_of(contest, aside.who) if setup.subaddresses and not aside.order else "",
            even=bool(contest.cover.slots), room=letter_room(contest, body + "\n")))
    return tuple(out)


def address_token(setup: Setup, entry: int, asked: AddressAsked, side: str) -> str:
    """Return the 140-bit token that confirms one *side* (``old``, ``new``) of the change of address in *entry*."""
    return token(setup.secret, "address", setup.contest, str(entry), asked.who, asked.address, side)


def address_letters(step: Step, prose: Prose) -> tuple[Outgoing, ...]:
    """Return two letters for each change of address requested in *step*, one to either address."""
    contest, setup = step.after, step.after.setup
    out: list[Outgoing] = []
    for entry in step.entries:
        if isinstance(asked := entry.event, AddressAsked):
            for side, address in (("old", contest.address_of(asked.who)), ("new", asked.address)):
                body = prose.text("address", who=asked.who, address=asked.address, name=setup.name,
                                  token=address_token(setup, entry.number, asked, side), home=setup.address)
                out.append(Outgoing(
                    f"s{contest.session}/e{entry.number}/address/{side}", "private", confirmation_subject(contest),
                    body + "\n", step.now, to=address, person=asked.who,
                    even=bool(contest.cover.slots), bound=True, room=letter_room(contest, body + "\n")))
    return tuple(out)


def stranger_letters(step: Step, prose: Prose) -> tuple[Outgoing, ...]:
    """Return one letter for each stranger answered in *step*."""
    contest, setup = step.after, step.after.setup
    forums = [f"the forum of {f.title or f.nomic.capitalize()} ({f.address})" for f in setup.forums]
    out: list[Outgoing] = []
    for entry in step.entries:
        if isinstance(told := entry.event, StrangerAnswered):
            body = prose.text("stranger", name=setup.name, why=told.why, write=told.write, forums=forums,
                              master=contest.contestmaster(), archive=setup.archive, asked=setup.joining == "asked")
            out.append(Outgoing(
                f"s{contest.session}/e{entry.number}/stranger", "private", subject_line(setup, 0, "How to join"),
                body + "\n", step.now, to=told.address, auto="auto-replied", bound=True))
    return tuple(out)


def probe_letter(setup: Setup, prose: Prose, now: int) -> Outgoing:
    """Return a test letter to the contestmaster (*now*: UTC seconds)."""
    name = setup.name or setup.contest
    body = prose.text("check", name=name, address=setup.address, at=now)
    return Outgoing(
        f"check/{now}", "private", f"[{name}] A test letter", body + "\n", now,
        to=setup.contestmaster_addresses[0], person=setup.contestmaster)


def defect_letter(setup: Setup, prose: Prose, place: str, why: str, now: int) -> Outgoing:
    """Return a letter that reports a letter set aside as a whole, and quotes nothing of it (*now*: UTC seconds).

    *place* is where the mailbox's copy is, *why* the kind of error and the line of code that raised it.
    """
    name = setup.name or setup.contest
    return Outgoing(
        f"defect/{place}", "private", f"[{name}] A letter was set aside", prose.text("defect", place=place, why=why)
        + "\n", now, to=setup.contestmaster_addresses[0], person=setup.contestmaster)


@dataclass(frozen=True)
class Page:
    """What a public letter is made from: the *view* after everything, the *entries* to report, the *prose*."""

    view: PublicView
    entries: tuple[Entry, ...]
    prose: Prose

    def title(self, nomic: str) -> str:
        """Return the name of *nomic* in prose."""
        forum = self.view.setup.forum(nomic)
        return (forum.title if forum else "") or nomic.capitalize()

    def later(self, entry: Entry, kind: type) -> list[Entry]:
        """Return the entries of *kind* that the letter reports after *entry*."""
        return [e for e in self.entries if e.number > entry.number and isinstance(e.event, kind)]


Maker: TypeAlias = Callable[[Page, Entry, Any, PublicView], Section | None]
"""Makes the section for an entry from its event and what was public right after it; None reports nothing."""


def telling(template: str, weight: int, *fields: str) -> Maker:
    """Return the maker of a section that tells *fields* of its event, or when, where and in which nomic that was."""
    def section(page: Page, entry: Entry, event: Any, now: PublicView) -> Section:  # noqa: ANN401 - any event
        around: dict[str, object] = {"at": entry.at, "place": now.place, "contest": now.setup.contest}
        if hasattr(event, "nomic"):
            around["nomic"] = page.title(event.nomic)
        values = {name: around[name] if name in around else getattr(event, name) for name in fields}
        return page.prose.section(template, weight, **values)

    return section


@dataclass(frozen=True)
class Note:
    """What a private letter is made from: its reader's *view*, the new *entries* for them, the *prose*.

    *begins* is the number of the session that has just been dealt, else 0; *night* that of the night that has just
    begun.
    """

    view: PlayerView
    entries: tuple[Entry, ...]
    prose: Prose
    begins: int = 0
    night: int = 0

    def deed(self, number: int) -> DeedHeard | None:
        """Return the deed in entry *number* if the reader may see it."""
        found = self.view.own.readable(number)
        return found.event if found is not None and isinstance(found.event, DeedHeard) else None

    @cached_property
    def last_posted(self) -> int:
        """The last entry that completes a deed posted to a forum; 0 if there is none."""
        for entry in reversed(self.entries):
            deed = self.deed(entry.event.deed) if isinstance(entry.event, DeedDone) else None
            if deed is not None and deed.channel in self.view.public.setup.nomics:
                return entry.number
        return 0


NoteMaker: TypeAlias = Callable[[Note, Entry, Any], Section | None]
"""Makes the section for an entry from its event; None reports nothing."""


TIMED = (Acquitted, BallotsOpened, DeathsAnnounced, Declared, Lynched, PhaseBegan)
"""What a letter reports with its instant."""


def at_once(page: Page, entry: Entry) -> bool:
    """Return whether *entry* is of the instant of something that the letter reports before it."""
    return any(e.number < entry.number and e.at == entry.at and isinstance(e.event, TIMED) for e in page.entries)


def lynching_section(page: Page, entry: Entry, death: Lynched, now: PublicView) -> Section:
    """NC 3: report a lynching, the count behind it, the ballot that decided it, and what is disclosed."""
    told = [e.event.what for e in page.entries if isinstance(e.event, Disclosed) and e.event.who == death.who]
    if not votes_stand(now):
        return _condemned(page, entry, now, death.who, with_article(told[0]) if told else "")
    game = now.game_at(entry.number, page.later(entry, Voided))
    assert game is not None
    final, last = final_count(game, entry)
    return page.prose.section(
        "public-lynched", 80, place=now.place, who=death.who, at=entry.at, votes=final.counts.get(death.who, 0),
        most=final.total, plurality=final.counts.get(death.who, 0) < final.majority,
        disclosed=with_article(told[0]) if told else "", decided=_decided(last),
        count=count_text(page.prose, final),
        waits=not (page.later(entry, PhaseBegan) or page.later(entry, Ended)),
        votes_go_on=not lynched_today(game),
    )


def _condemned(page: Page, entry: Entry, now: PublicView, who: str, disclosed: str) -> Section:
    """Report a death by a vote in stages, with the verdicts unless the letter lists the opened ballots."""
    votes, living = trial_of(page, entry, now)
    return page.prose.section(
        "public-condemned", 80, place=now.place, who=who, at=entry.at, how=ruleset(now.ruleset).condemned,
        disclosed=disclosed, living=living,
        guilty=len(votes.get(GUILTY, ())), votes=[(verdict, names) for verdict, names in votes.items() if names])


def trial_of(page: Page, entry: Entry, now: PublicView) -> tuple[dict[str, list[str]], int]:
    """Return the verdicts right before *entry* and how many live; no verdicts where the letter lists opened ballots."""
    game = now.game_at(entry.number - 1)
    assert game is not None
    opened = any(isinstance(e.event, BallotsOpened) for e in page.entries)
    return {} if opened else verdicts_of(game), len(game.living())


def verdicts_of(game: Game) -> dict[str, list[str]]:
    """Return who votes guilty and who votes innocent in the present trial of *game*; nobody if there is none."""
    return votes_for(game, stage_count(game, VERDICTS), VERDICTS) if on_trial(game) else {}


def _decided(last: Entry | None) -> str:
    if last is None or not isinstance(last.event, Voted):
        return ""
    return f"{clean(last.event.who)}'s \"{clean(ballot_text(last.event.ballot))}\" of {when(last.at)}."


def count_section(page: Page, entry: Entry, event: CountPosted, now: PublicView) -> Section | None:
    """Report a vote count during a day (X-27); None if votes are not open, or the letter reports the vote's end."""
    if now.count is None or now.phase != "day" or now.polls != "open":
        return None
    if any(page.later(entry, kind) for kind in (CountPosted, Lynched, PhaseBegan, StageBegan)):
        return None
    decides = "" if votes_stand(now) else decides_of(ruleset(now.ruleset), now.stage, now.count.majority)
    changes = vote_changes(now, entry.number) if counts_posted(now, entry.number) else ()
    return page.prose.section(
        "public-count", 30, place=now.place, trial=only_one(now), at=entry.at,
        summary=count_summary(now.count), majority=now.count.majority,
        stage=now.stage, until=now.deadline, decides=decides,
        count=count_text(page.prose, now.count, changes, decides),
    )


def only_one(now: PublicView) -> str:
    """Return whom the vote is on, '' if it is on nobody or on several."""
    names = about(now.shown) if now.shown is not None else ()
    return names[0] if len(names) == 1 else ""


def votes_stand(view: PublicView) -> bool:
    """Return whether the session's votes stand until they are changed."""
    return ruleset(view.ruleset).votes_stand


def recount_section(page: Page, entry: Entry, again: Recounted, now: PublicView) -> Section:
    """Report that a late ballot ended the day earlier, and which ballots came after that (D-N9)."""
    void = [e.event for e in page.later(entry, Voided) if isinstance(e.event, Voided)]
    cast = next((e for e in page.entries if entry.comes_of("entry", e.number)), None)
    since = _posted(page, cast) if cast else again.since
    return page.prose.section(
        "public-recount", 55, place=now.place, who=again.who, since=since, changes=[],
        void=[(v.who, f"cast {when(v.cast)}, after {when(v.over)}") for v in void],
    )


def late_vote_section(page: Page, entry: Entry, voted: Voted, now: PublicView) -> Section | None:
    """Report what a late ballot with an earlier stamp changed while the vote is still open (D-N9).

    Of several that were weighed together, the last reports the effect of all. A ballot that stands again because
    another was undone reports only what stands (D-N42).
    """
    if not voted.late or page.later(entry, Recounted):
        return None
    if voted.overtakes and any(e.comes_of("entry", entry.number) for e in page.later(entry, Voted)):
        return None
    counts = [e.number for e in page.later(entry, Counted) if e.comes_of("entry", entry.number)]
    changed = change_rows(vote_changes(page.view, counts[-1], entry.number - 1)) if counts else []
    return page.prose.section(
        "public-recount", 55, place=now.place, who=voted.who, since=_posted(page, entry),
        changes=changed, void=[])


def _posted(page: Page, cast: Entry) -> int:
    """Return when *cast* was posted (UTC seconds), even if it stands again because another was undone (D-N42)."""
    first = Cause.of(cast.cause).named("entry")
    return next((e.at for e in page.entries if e.number == first), cast.at) if first else cast.at


def vote_changes(view: PublicView, until: int, since: int = 0) -> list[tuple[str, str | None, str | None]]:
    """Return (voter, before, after) for each vote that changed up to entry *until*.

    The changes are those since the last count posted in this phase or stage, or since entry *since*.
    """
    phase, begun = _begun(view, until)
    counts = [e for e in begun if isinstance(e.event, Counted)]
    return changed_votes(counts, max([phase, *counts_posted(view, until), since]), until)


def counts_posted(view: PublicView, until: int) -> list[int]:
    """Return the entries that posted a count in this phase or stage, before entry *until*."""
    return [e.number for e in _begun(view, until)[1] if e.number < until and isinstance(e.event, CountPosted)]


def _begun(view: PublicView, until: int) -> tuple[int, list[Entry]]:
    """Return the entry that began the phase or stage in which entry *until* stands, and those that follow it."""
    phase = next((e.number for e in reversed(view.record)
                  if e.number < until and isinstance(e.event, PhaseBegan | StageBegan)), 0)
    return phase, [*takewhile(lambda e: e.number > phase, reversed(view.record))][::-1]


SPEAKING = ("defence", "discussion", "last words")
"""The stages in which those who are named speak, or are spoken about; in any other they are voted on."""


def _stage(page: Page, entry: Entry, began: StageBegan, now: PublicView) -> Section | None:
    """Report the stage that begins and its deadline; None if it is over at once, as when another trial waits."""
    if any(e.at == entry.at for e in page.later(entry, StageBegan)):
        return None
    names = listed(tuple(map(clean, began.names)))
    about = "" if began.stage in SPEAKING or not began.names else f"{'between' if began.names[1:] else 'on'} {names}"
    asked = public_duty_lines(entry, now)
    return page.prose.section(
        "public-stage", 45, place=now.place, stage=began.stage, until=began.until, names=began.names, at=entry.at,
        about=about, brief=at_once(page, entry), several=began.stage.endswith("s"),
        asked=asked, run_off=bool(about) and "vote NAME" in "".join(asked[-1:]),
        at_once=not slots(dict(now.switches).get("dawn", "")))


def public_duty_lines(entry: Entry, now: PublicView) -> list[str]:
    """Return lines on what is open to all right after *entry*."""
    game = now.game_at(entry.number)
    return public_duties(ruleset(now.ruleset), game) if game is not None else []


def _extended(page: Page, entry: Entry, more: Extended, now: PublicView) -> Section:
    closed = more.until <= entry.at
    sooner = more.until < page.view.upto(entry.number - 1).deadline
    missing = entry.cause == MISSING
    silent = [v.who for v in now.count.votes if not v.ballot] if missing and now.polls == "open" and now.count else []
    return page.prose.section(
        "public-extended", 40 if closed else 45, place=now.place, stage=now.stage, until=more.until, closed=closed,
        sooner=sooner, missing=missing, silent=silent, then=_then(now))


def _then(now: PublicView) -> str:
    """Return what happens when the time limit of a day without stages is over (D-N56), '' for any other day."""
    days, _, then = dict(now.switches).get("day_limit", "").partition(" ")
    if now.stage or not then or now.shown is None:
        return ""
    if then == EXTENSION and sum(Cause.of(e.cause).kind == "entry" for e in now.shown.lines_now(Extended)) == 1:
        return f"the day lasts {days} days longer, once"
    return "nobody is lynched, and night falls" if then == NOBODY else "whoever most are voting for is lynched"


def _opened(page: Page, entry: Entry, opened: BallotsOpened, now: PublicView) -> Section:
    none = "Neither" if now.stage == "verdict" else "Nobody"
    votes = defaultdict[str, list[str]](list)
    for who, value in opened.votes:
        votes[(value.capitalize() if value in VERDICTS else value) if value else none].append(who)
    ranked = sorted(votes.items(), key=lambda vote: (vote[0] == none, -len(vote[1])))
    sealed = page.view.upto(entry.number - 1).polls == "sealed"
    return page.prose.section(
        "public-opened", 52, place=now.place, at=entry.at, votes=ranked, sealed=sealed)


def _acquitted(page: Page, entry: Entry, freed: Acquitted, now: PublicView) -> Section:
    votes, living = trial_of(page, entry, now)
    return page.prose.section(
        "public-acquitted", 56, place=now.place, who=freed.who, at=entry.at, living=living,
        guilty=len(votes.get(GUILTY, ())), votes=[(verdict, names) for verdict, names in votes.items() if names])


STAGE_MAKERS: dict[type, Maker] = {
    StageBegan: _stage, Extended: _extended, BallotsOpened: _opened, Acquitted: _acquitted,
    Nominated: telling("public-nominated", 53, "place", "names", "round"),
    Tried: telling("public-tried", 54, "place", "who"),
}
