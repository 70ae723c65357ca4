"""The letters that are owed for what has just happened: one for each forum, one for each person, one journal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from nomicwolf.letters.letter import Outgoing
from nomicwolf.nomic.cover import Batched
from nomicwolf.nomic.events import RESEND, Answered, Awarded, Revealed, SessionStarted
from nomicwolf.nomic.flood import repeated
from nomicwolf.nomic.state import Contest
from nomicwolf.reports import private_sections, public_sections
from nomicwolf.reports.address_letters import address_letters
from nomicwolf.reports.answers import answer
from nomicwolf.reports.awarding import revealed
from nomicwolf.reports.covered import batched, cover_section, room_for_duties, shaped, shuffled, told_now, town
from nomicwolf.reports.journal import journal, worth_a_journal, worth_a_letter
from nomicwolf.reports.layout import equal_size, full_classes
from nomicwolf.reports.masters import master
from nomicwolf.reports.note import Note
from nomicwolf.reports.own import may_read
from nomicwolf.reports.page import Page
from nomicwolf.reports.prose import Prose, Section
from nomicwolf.reports.public import ending_of, is_public, waiting
from nomicwolf.reports.replying import answered
from nomicwolf.reports.step import Step
from nomicwolf.reports.titles import titled
from nomicwolf.reports.token_letters import reply_tag_of, token_letters
from nomicwolf.reports.views import (
    PublicView,
    contestmaster_view,
    owed_now,
    player_view,
    public_view,
    rules_of,
    untold_view,
)
from nomicwolf.reports.ways import where
from nomicwolf.reports.zones import zoned
from nomicwolf.village.events import CONTESTMASTER, PUBLIC, Entry
from nomicwolf.village.notices import for_fellows


def letters_for(
    before: Contest, after: Contest, entries: Sequence[Entry], now: int, templates: Mapping[str, str] | None = None
) -> tuple[Outgoing, ...]:
    """Return the letters owed for *entries*, which made *after* of *before* at *now* (UTC seconds).

    Public letters are made from what everyone may know, private ones from what their one reader may know;
    *templates* replace ours by name. Keys are the same for the same record.
    """
    if not any(concerns(e) for e in entries):
        return ()
    step = Step(before, after, entries, now)
    prose = Prose(templates)
    view = public_view(after, before)
    spoken = prose.of(rules_of(view.ruleset)) if view.ruleset else prose
    return (
        *public_letters(view, announced(step), spoken, now),
        *private_letters(step, view, spoken),
        *address_letters(step, prose),
        *token_letters(step, prose),
        *_journal(step, untold_view(after) if waiting(after) else view, prose),
    )


def _journal(step: Step, view: PublicView, prose: Prose) -> tuple[Outgoing, ...]:
    """Return the journal if *step* is worth one; in a covered session its size tells no more than others' do."""
    if not worth_a_journal(step.entries):
        return ()
    found = journal(contestmaster_view(step.after), view, step.entries, prose, step.now)
    if not step.after.cover.slots:
        return found
    return tuple(replace(x, body=shaped({x.person: x.body})[x.person], even=True) for x in found)


def concerns(entry: Entry) -> bool:
    """Return whether *entry* may be a reason to write to someone: most letters that come in are none."""
    event, readers = entry.event, entry.event.readers()
    told = readers != CONTESTMASTER and not (readers == PUBLIC and public_sections.routine(event))
    return told or isinstance(event, Batched) or worth_a_letter(event)


def announced(step: Step) -> tuple[Entry, ...]:
    """Return those entries that the forums are told with *step*.

    NC 5: the awards belong into the announcement that ends the session. While they wait for P, that announcement waits
    too (D-N21), from the death that brought the end about; once they are given, it is made with them.
    """
    before, after, shown = step.before, step.after, [e for e in step.entries if is_public(e.event)]
    if untold := waiting(after):
        return tuple(e for e in shown if e.number not in untold)
    if before.session in before.awards_held and any(isinstance(e.event, Awarded | Revealed) for e in step.entries):
        return (*ending_of(after), *shown)
    return tuple(shown)


def public_letters(view: PublicView, told: Sequence[Entry], prose: Prose, now: int) -> tuple[Outgoing, ...]:
    """Return the letters to the forum of every nomic, all with the same text (NC 1g) but for the zone of its times."""
    out: list[Outgoing] = []
    secrets = [e for e in told if isinstance(e.event, Revealed)]
    page = Page(view, tuple(e for e in told if e not in secrets), prose)
    if found := public_sections.sections(page):
        out += _posted(view, found, _lead(page.entries), prose, now)
    for entry in secrets:
        section = revealed(view, entry, prose)
        if section is not None:
            out += _posted(view, [section], entry.number, prose, now)
    return tuple(out)


def _lead(entries: Sequence[Entry]) -> int:
    """Return the number of the entry that a letter is known by: the session's start, else the first that it tells."""
    starts = [e.number for e in entries if isinstance(e.event, SessionStarted)]
    return starts[0] if starts else entries[0].number


def _posted(view: PublicView, found: Sequence[Section], lead: int, prose: Prose, now: int) -> list[Outgoing]:
    """Return one public letter for each forum; *lead* is the entry that it is known by, *now* is in UTC seconds."""
    subject, opening = public_sections.headline(found)
    setup = view.setup
    body = prose.text(
        "public", opening=opening, details="\n\n".join(s.details for s in found if s.details), name=setup.name,
        nomics=[f.title or f.nomic.capitalize() for f in setup.forums], contestmaster=master(view),
        address=setup.address, where=where(rules_of(view.ruleset or setup.ruleset), setup.address),
    )
    letters = []
    for forum in setup.forums:
        thread = _key(view.session, view.start, forum.nomic) if view.start and lead != view.start else ""
        letters.append(Outgoing(
            _key(view.session, lead, forum.nomic), "public", f"[{forum.tag or view.tag}] {subject}",
            zoned(body, forum.zone) + "\n", now, forum=forum.nomic, thread=thread))
    return letters


def _key(session: int, entry: int, nomic: str) -> str:
    return f"s{session}/e{entry}/public/{nomic}"


def private_letters(step: Step, public: PublicView, prose: Prose) -> tuple[Outgoing, ...]:
    """Return at most one letter for each person whom *step* concerns; none to the contestmaster as a player.

    In a covered session what is told by night has waited, and goes out with a letter to everyone (D-N48). What else
    somebody was told before in this run is not told again (D-N47).
    """
    contest, batch = step.after, batched(step.entries)
    covered = bool(contest.cover.slots)
    known = frozenset() if batch else repeated(step.before.spent, step.entries)
    told = tuple(e for e in (told_now(step) if covered else step.entries) if e.number not in known)
    begins = private_sections.begins(told)
    night = private_sections.night(told, contest.game.phase if contest.game else "")
    bodies: dict[str, str] = {}
    open_to: dict[str, str] = {}
    everyone = town(step) if batch else ()
    readers = _readers(contest, told, begins=begins, night=night, everyone=everyone)
    owed = owed_now(contest) if readers else ()
    for who in readers:
        if who == contest.setup.contestmaster or not contest.address_of(who):
            continue
        mine = tuple(e for e in told if is_public(e.event) or _for(contest, e, who))
        view = player_view(contest, who, public, owed)
        in_town = contest.game is not None and who in contest.game.alive
        note = Note(view, mine, prose, begins if who in public.players else 0, night if in_town else 0)
        found = private_sections.sections(note)
        if who in everyone and not note.begins and not note.night:
            found = [cover_section(note, news=bool(found)), *found]
        if found:
            open_to[who] = private_sections.duties_text(note)
            bodies[who] = _written(note, found, open_to[who])
    again = _instead(step, told, public, prose)
    bodies |= {who: body for who, (body, _) in again.items()}
    open_to |= {who: duties for who, (_, duties) in again.items()}
    if batch or covered:
        bodies = _mixed(contest, bodies, {} if batch else open_to, public)
    elif begins or night or again:
        bodies = dict(zip(bodies, equal_size(list(bodies.values())), strict=True))
    return tuple(_enveloped(contest, told, who, body, step.now, batch=batch)
                 for who, body in bodies.items() if who not in again)


def _instead(
    step: Step, told: Sequence[Entry], public: PublicView, prose: Prose
) -> dict[str, tuple[str, str]]:
    """Return what every townsperson would get, and the duties in it, if someone gets all that e was told once more.

    These are never sent: eir letter gets the size of the longest, so that it doesn't tell what e is. In a covered
    session there is one more, as long as all that anyone may be told by a phase of that number.
    """
    contest, owed = step.after, owed_now(step.after)
    if not any(isinstance(e.event, Answered) and e.event.topic == RESEND for e in told) or contest.game is None:
        return {}
    found: dict[str, tuple[str, str]] = {}
    for who in contest.game.seats:
        note = Note(player_view(contest, who, public, owed), (), prose)
        duties = private_sections.duties_text(note)
        found[f"{who}\n"] = _written(note, [answer(note.view, RESEND, "", prose)], duties), duties
    if contest.cover.slots:
        found["\n"] = full_classes(max(public.number, 1)), ""
    return found


def _mixed(
    contest: Contest, bodies: Mapping[str, str], open_to: Mapping[str, str], public: PublicView
) -> dict[str, str]:
    """Return a covered session's letters by readers, in an order and of a size that tell nothing (D-N48).

    *open_to* tells what is open to each reader, for which all sizes leave room; of a batch it is empty.
    """
    order = shuffled(contest, bodies)
    mixed = {who: bodies[who] for who in order}
    if not open_to:
        return shaped(mixed)
    parts = [open_to[who] + private_sections.due_line(bodies[who]) for who in order]
    return shaped(mixed, parts, room_for_duties(public))


def _for(contest: Contest, entry: Entry, who: str) -> bool:
    """Return whether *entry* is *who*'s to know, and e lives if it is a fellow's word for fellows (D-M12, D-A6).

    E does as long as eir death isn't public: that nothing comes any more would tell of it (NC 6b).
    """
    lives = contest.game is not None and who not in contest.game.shown_dead
    return may_read(entry.event.readers(), who) and (lives or not for_fellows(entry.event))


def _readers(
    contest: Contest, entries: Sequence[Entry], *, begins: int, night: int, everyone: tuple[str, ...]
) -> list[str]:
    """Return whom *entries* concern, in seat order: *everyone* of a batch, the whole town at a start and nightfall.

    Else those who are addressed.
    """
    seats = contest.game.seats if contest.game is not None else ()
    named = {who for e in entries if isinstance(readers := e.event.readers(), tuple) for who in readers}
    whole = everyone or (seats if begins or night else ())
    return list(dict.fromkeys([*whole, *(p for p in seats if p in named), *sorted(named - set(seats))]))


def _written(note: Note, found: Sequence[Section], duties: str) -> str:
    setup = note.view.public.setup
    body = note.prose.text(
        "private", opening=private_sections.opening(found), details="\n\n".join(s.details for s in found if s.details),
        duties=duties, who=note.view.who, name=setup.name, address=setup.address,
        tagged=setup.subaddresses,
    )
    return body + "\n"


def _enveloped(
    contest: Contest, entries: Sequence[Entry], who: str, body: str, now: int, *, batch: bool
) -> Outgoing:
    """Return the private letter to *who* with its address, its thread and its headers."""
    first = next((e.number for e in entries if may_read(e.event.readers(), who)), entries[0].number)
    message = "" if batch else answered(contest, entries, who)
    reply_tag = reply_tag_of(contest, who) if contest.setup.subaddresses else ""
    return Outgoing(
        f"s{contest.session}/e{first}/private/{who}", "private",
        titled(contest.setup, contest.session, "your private note"), body, now, to=contest.address_of(who), person=who,
        in_reply_to=message, auto="auto-replied" if message else "auto-generated", reply_tag=reply_tag,
        even=bool(contest.cover.slots),
    )
