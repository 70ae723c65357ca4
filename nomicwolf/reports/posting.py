"""The letters that are owed for what has just happened: one for each forum, one for each person, one journal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from nomicwolf.letters.letter import Outgoing
from nomicwolf.letters.pages import letter_page
from nomicwolf.nomic.absence import Prodded
from nomicwolf.nomic.caps import is_repeated
from nomicwolf.nomic.delivery import Batched, DigestSent
from nomicwolf.nomic.duties import deeds_owed
from nomicwolf.nomic.events import Answered, Awarded, Revealed, SessionStarted
from nomicwolf.nomic.law_events import StrangerAnswered
from nomicwolf.nomic.state import Contest
from nomicwolf.reports import private_sections, public_sections
from nomicwolf.reports.address_letters import address_letters
from nomicwolf.reports.answers import is_secret, longest_secret
from nomicwolf.reports.awarding import revealed
from nomicwolf.reports.covered import batched, cover_section, room_for_duties, shuffled, told_now, town
from nomicwolf.reports.journal import journal, worth_a_journal, worth_a_letter
from nomicwolf.reports.layout import size_class
from nomicwolf.reports.masters import master
from nomicwolf.reports.note import Note
from nomicwolf.reports.observing import brought, daily_news, forwarded, left_out, put_off
from nomicwolf.reports.own import may_read
from nomicwolf.reports.page import Page
from nomicwolf.reports.prose import Prose, Section
from nomicwolf.reports.public import ending_of, is_public, waiting
from nomicwolf.reports.replying import answered, private_thread
from nomicwolf.reports.step import Step
from nomicwolf.reports.stranger_letters import stranger_letters
from nomicwolf.reports.titles import UNIFORM, subject_of, titled
from nomicwolf.reports.token_letters import reply_tag_of, token_letters
from nomicwolf.reports.views import (
    PublicView,
    contestmaster_view,
    player_view,
    public_view,
    rules_of,
    untold_view,
)
from nomicwolf.reports.ways import where
from nomicwolf.reports.zones import zoned
from nomicwolf.village.events import CONTESTMASTER, PUBLIC, Entry, PhaseBegan, Told
from nomicwolf.village.game import among_the_dead, for_fellows


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
    public = public_letters(view, announced(step), spoken, now)
    private = (*private_letters(step, view, spoken), *address_letters(step, prose), *token_letters(step, prose))
    return (
        *public,
        *forwarded(step, public, prose),
        *_daily_news(step, view, spoken),
        *(shuffled(after, private, now) if after.cover.slots else private),
        *stranger_letters(step, prose),
        *_journal(step, untold_view(after) if waiting(after) else view, prose),
    )


def _journal(step: Step, view: PublicView, prose: Prose) -> tuple[Outgoing, ...]:
    """Return the journal if *step* is worth one; in a covered session its size tells no more than others' do."""
    if not worth_a_journal(step.entries):
        return ()
    found = journal(contestmaster_view(step.after), view, step.entries, prose, step.now)
    if not step.after.cover.slots:
        return found
    return tuple(replace(x, even=True, room=size_class([x.body, x.secret])) for x in found)


def concerns(entry: Entry) -> bool:
    """Return whether *entry* may be a reason to write to someone: most letters that come in are none."""
    event, readers = entry.event, entry.event.readers()
    told = readers != CONTESTMASTER and not (readers == PUBLIC and public_sections.routine(event))
    return told or isinstance(event, Batched | StrangerAnswered | DigestSent) or worth_a_letter(event)


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
    """Return the number of the entry that a letter is known by: a start, else the phase it begins, else its first."""
    starts = [e.number for e in entries if isinstance(e.event, SessionStarted)]
    phases = [e.number for e in entries if isinstance(e.event, PhaseBegan)]
    return (starts or phases[-1:] or [entries[0].number])[0]


def _thread(view: PublicView, lead: int) -> int:
    """Return the entry of the letter that one known by entry *lead* follows, 0 if it follows none.

    A phase's letters follow the one that began it, and that one the session's start.
    """
    if not view.start or lead == view.start:
        return 0
    record = view.session_record()
    phase = next((e for e in reversed(record) if isinstance(e.event, PhaseBegan)), None)
    with_start = phase is None or phase.at == record[0].at
    return view.start if with_start or phase is None or phase.number == lead else phase.number


def _daily_news(step: Step, view: PublicView, prose: Prose) -> tuple[Outgoing, ...]:
    """Return the daily letters of observers: each is the letter to a forum that tells what has come since eir last."""
    found: dict[tuple[int, ...], tuple[Outgoing, ...]] = {}
    letters = list[Outgoing]()
    for who, entries in daily_news(step).items():
        news = tuple(e.number for e in entries)
        if news not in found:
            found[news] = public_letters(view, entries, prose, step.now)
        letters += forwarded(step, found[news], prose, who)
    return tuple(letters)


def _posted(view: PublicView, found: Sequence[Section], lead: int, prose: Prose, now: int) -> list[Outgoing]:
    """Return one public letter for each forum; *lead* is the entry that it is known by, *now* is in UTC seconds."""
    subject, opening = public_sections.headline(found)
    setup = view.setup
    page = letter_page(setup.archive, view.session, f"[{view.tag}] {subject}", now)
    body = prose.text(
        "public", opening=opening, details="\n\n".join(s.details for s in found if s.details), name=setup.name,
        nomics=[f.title or f.nomic.capitalize() for f in setup.forums], contestmaster=master(view),
        address=setup.address, where=where(rules_of(view.ruleset or setup.ruleset), setup.address),
    )
    if page:
        body += f"\nIn the archive: {page}"  # in one line, however long
    letters, follows = [], _thread(view, lead)
    for forum in setup.forums:
        thread = _key(view.session, follows, forum.nomic) if follows else ""
        letters.append(Outgoing(
            _key(view.session, lead, forum.nomic), "public", f"[{forum.tag or view.tag}] {subject}",
            zoned(body, forum.zone) + "\n", now, forum=forum.nomic, thread=thread, page=page))
    return letters


def _key(session: int, entry: int, nomic: str) -> str:
    return f"s{session}/e{entry}/public/{nomic}"


def private_letters(step: Step, public: PublicView, prose: Prose) -> tuple[Outgoing, ...]:
    """Return at most one letter for each person whom *step* concerns; none to the contestmaster as a player.

    In a covered session what is told by night has waited, and goes out with a letter to everyone, who else get one at
    nightfall only if they can act (D-N48). What else somebody was told before in this run is not told again (D-N47).
    """
    contest, batch = step.after, batched(step.entries)
    covered = bool(contest.cover.slots)
    told = tuple(e for e in (told_now(step) if covered else step.entries) if batch or not is_repeated(e.event))
    begins = private_sections.begins(told)
    night = private_sections.night(told, contest.game.phase if contest.game else "")
    bodies: dict[str, str] = {}
    subjects: dict[str, str] = {}
    bare: dict[str, str] = {}
    everyone = tuple(who for who in town(step) if who not in left_out(step)) if batch else ()
    readers = _readers(contest, told, begins=begins, night=night, everyone=everyone)
    owed = deeds_owed(contest) if readers else ()
    for who in readers:
        if who == contest.setup.contestmaster or not contest.address_of(who):
            continue
        waits = put_off(step, who)
        mine = (*brought(step, who), *(e for e in told if is_public(e.event)
                                       or (e.number not in waits and _for(contest, e, who))))
        view = player_view(contest, who, public, owed)
        in_town = contest.game is not None and who in contest.game.alive
        tonight = night if in_town and (covered or private_sections.acts(view)) else 0
        note = Note(view, mine, prose, begins if who in public.players else 0, tonight)
        found = private_sections.sections(note)
        if who in everyone and not note.begins and not note.night:
            found = [cover_section(note, news=bool(found)), *found]
        if found:
            due, duties = private_sections.due_lines(view, step.now), private_sections.duties_text(note)
            bodies[who], bare[who] = _written(note, found, due, duties), _written(note, found, "", "")
            until = min((d.until for d in view.owes if d.until), default=0)
            subjects[who] = titled(contest.setup, contest.session, UNIFORM) if covered else subject_of(
                contest.setup, public.place, mine, until, session=public.session, begins=bool(note.begins),
                night=bool(note.night))
    rooms = dict.fromkeys(bodies, 0)
    if covered:
        dead = _dead(told, everyone)
        for group in ([who for who in bodies if who not in dead], [who for who in bodies if who in dead]):
            theirs = {who: bodies[who] for who in group}
            rooms |= dict.fromkeys(group, _room(step, told, {} if batch else bare, theirs, public) if group else 0)
    return tuple(_enveloped(contest, told, who, (subjects[who], body), step.now, batch=batch, room=rooms[who])
                 for who, body in bodies.items())


def _room(
    step: Step, told: Sequence[Entry], bare: Mapping[str, str], bodies: Mapping[str, str], public: PublicView
) -> int:
    """Return the size of a covered session's letters (bytes), which tells nothing of what is secret (D-N48).

    *bare* are the letters without what is open to their readers, for all of which there is room; of a batch it is
    empty. An answer that tells what its reader is gets the size of the longest that there can be by this phase.
    """
    topics = {e.event.topic for e in told if isinstance(e.event, Answered)}
    secret = step.after.game is not None and any(map(is_secret, topics))
    parts = [bare[who] for who in bodies] if bare else []
    duties = room_for_duties(public)
    return size_class(list(bodies.values()), parts, duties, longest_secret(public) + duties if secret else 0)


def _dead(told: Sequence[Entry], everyone: Sequence[str]) -> frozenset[str]:
    """Return who hears from the dead and is none of *everyone*: eir letters have a size of their own (D-A20)."""
    return frozenset(e.event.to for e in told if isinstance(e.event, Told) and among_the_dead(e.event)
                     and e.event.to not in everyone)


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

    Else those who are addressed, or named as silent.
    """
    seats = contest.game.seats if contest.game is not None else ()
    named = {who for e in entries if isinstance(readers := e.event.readers(), tuple) for who in readers}
    named |= {e.event.who for e in entries if isinstance(e.event, Prodded)}
    named |= {who for e in entries if isinstance(e.event, DigestSent) for who in e.event.to}
    whole = everyone or (seats if begins or night else ())
    return list(dict.fromkeys([*whole, *(p for p in seats if p in named), *sorted(named - set(seats))]))


def _written(note: Note, found: Sequence[Section], due: str, duties: str) -> str:
    setup = note.view.public.setup
    body = note.prose.text(
        "private", opening=private_sections.opening(found), details="\n\n".join(s.details for s in found if s.details),
        due=due, duties=duties, who=note.view.who, name=setup.name, address=setup.address,
        tagged=setup.subaddresses,
    )
    return body + "\n"


def _enveloped(
    contest: Contest, entries: Sequence[Entry], who: str, told: tuple[str, str], now: int, *, batch: bool, room: int
) -> Outgoing:
    """Return the private letter to *who* with its address, its thread and its headers; *told* is subject and text."""
    subject, body = told
    first = next((e.number for e in entries if may_read(e.event.readers(), who)), entries[0].number)
    message = "" if batch else answered(contest, entries, who)
    reply_tag = reply_tag_of(contest, who) if contest.setup.subaddresses else ""
    return Outgoing(
        f"s{contest.session}/e{first}/private/{who}", "private", subject, body, now, to=contest.address_of(who),
        person=who, thread=private_thread(contest, who), in_reply_to=message,
        auto="auto-replied" if message else "auto-generated", reply_tag=reply_tag, even=bool(room), room=room,
        html=contest.setup.html and not room)
