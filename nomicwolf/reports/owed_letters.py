"""The letters owed for one step.

One for each forum, at most one for each person, and one journal. In a covered session everyone gets a letter with each
batch, in an order and of a size that tell nothing (NC 6, D-N48); daily letters bring observers what has waited (D-A18).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256
from hmac import new as keyed
from typing import NamedTuple

from nomicwolf.letters.letter import Outgoing, letter_page
from nomicwolf.nomic.delivery import Batched, DigestSent, PutOff, is_repeated
from nomicwolf.nomic.duties import deeds_owed
from nomicwolf.nomic.events import Answered, Awarded, CountPosted, Revealed, SessionStarted
from nomicwolf.nomic.law_events import StrangerAnswered
from nomicwolf.nomic.setup import Prodded
from nomicwolf.nomic.state import Contest
from nomicwolf.reports.answers import is_secret, longest_secret
from nomicwolf.reports.awards import reveal_section
from nomicwolf.reports.history import ending_of, is_public, unannounced
from nomicwolf.reports.journal import journal, worth_a_journal, worth_a_letter
from nomicwolf.reports.layout import ROOM, clean, size_class, zone_table, zoned
from nomicwolf.reports.letter_sections import (
    can_act_privately,
    due_lines,
    duties_text,
    headline,
    is_routine,
    night_begun,
    paragraphs,
    private_sections,
    public_sections,
    session_dealt,
)
from nomicwolf.reports.prose import UNIFORM_SUBJECT, Prose, Section, private_subject, subject_line
from nomicwolf.reports.sections import (
    Note,
    Page,
    Step,
    address_letters,
    confirmation_letters,
    private_thread,
    replied_to,
    reply_tag_of,
    stranger_letters,
)
from nomicwolf.reports.views import (
    PublicView,
    contestmaster_of,
    contestmaster_view,
    may_read,
    player_view,
    public_view,
    untold_view,
)
from nomicwolf.reports.vote_counts import where_to_write
from nomicwolf.village.events import CONTESTMASTER, PUBLIC, DeathsAnnounced, Entry, PhaseBegan, Replaced, Told, numbered
from nomicwolf.village.game import among_the_dead, for_fellows
from nomicwolf.village.rules import Duty
from nomicwolf.village.rulesets import rules_with, ruleset

DUE_BYTES = 150
"""The most bytes that the deadline of a duty adds to its description."""

NO_MORE = "observe: over"
"""By which words an observer gets no more letters: the button of a mail program writes them (D-A18)."""


def is_batch(entries: Sequence[Entry]) -> bool:
    """Return whether everyone gets a letter with *entries*."""
    return any(isinstance(e.event, Batched) for e in entries)


def told_now(step: Step) -> tuple[Entry, ...]:
    """Return what *step* reports: in a batch also everything that has waited, otherwise what doesn't wait."""
    waited = step.before.cover.waits if is_batch(step.entries) else ()
    waiting = {e.number for e in step.after.cover.waits}
    return tuple(e for e in (*waited, *step.entries) if e.number not in waiting)


def batch_readers(step: Step) -> tuple[str, ...]:
    """Return who gets a letter with every batch: all who were publicly alive until now, or are back."""
    game, now = step.before.running or step.after.game, step.after.game
    assert game is not None
    assert now is not None
    back = now.shown_living()
    return tuple(who for who in game.seats if who not in game.shown_dead or who in back)


def shuffled(contest: Contest, letters: Iterable[Outgoing], now: int) -> tuple[Outgoing, ...]:
    """Return *letters* in an order that only the contest's key can reproduce, different at each *now* (UTC seconds).

    It depends on nothing secret: neither on what a letter says nor on how much was done by night.
    """
    place = f"nomicwolf order 2\n{contest.session}\n{now}\n"
    return tuple(sorted(letters, key=lambda x: keyed(
        contest.setup.secret, f"{place}{x.person}\n{x.to}\n".encode(), sha256).digest()))


def room_for_duties(view: PublicView) -> int:
    """Return the bytes needed to list everything that could be open to any player of the session, whatever the role."""
    if not view.session:
        return 0
    return _duty_room(view.ruleset, view.brought, view.players, view.switches, view.setup.address)


@lru_cache(maxsize=64)
def _duty_room(
    name: str, brought: tuple[str, ...], players: tuple[str, ...], switches: tuple[tuple[str, str], ...], address: str
) -> int:
    rules, given = rules_with(name, brought), dict(switches)
    names = sum(len(clean(who).encode()) + 2 for who in players)

    def told(duty: Duty) -> int:
        listed = names + 30 if duty.arity and not duty.pins else 0
        return len(duty.written(passing=True, switches=given).encode()) + DUE_BYTES + listed

    common = [told(duty) for duty in rules.common_duties]
    most = max(([told(duty) for duty in role.duties] for role in rules.roles.values()), key=sum, default=[])
    size = DUE_BYTES + 3 * len(address) + sum(common) + sum(most)
    return size + 2 * (size // 50 + 3 * len(common + most) + 4)


def cover_section(note: Note, *, news: bool) -> Section:
    """Return the section that everyone's letter of a batch has; *news* says whether more follows."""
    public, who = note.view.public, note.view.who
    back = any(isinstance(e.event, DeathsAnnounced) and who in e.event.revived for e in note.entries)
    heir = next((e.event.new for e in note.entries if isinstance(e.event, Replaced) and e.event.old == who), "")
    return note.prose.section(
        "private-cover", heir=heir, place=public.place, title=note.view.title, living=public.living, news=news,
        dead=who in public.dead, back=back and who not in public.dead)


def without_letter(step: Step) -> frozenset[str]:
    """Return who gets no letter with the batch in *step*, because their daily letter comes later."""
    out: set[str] = set()
    for event in (entry.event for entry in step.entries):
        if isinstance(event, PutOff) and event.slot:
            out.add(event.who)
        elif isinstance(event, DigestSent):
            out.difference_update(event.to)
    return frozenset(out)


def caught_up(step: Step, who: str) -> tuple[Entry, ...]:
    """Return the entries that have waited and that *step* reports to *who*."""
    waits, told = [*step.before.law.put_off.get(who, ())], list[int]()
    for event in (entry.event for entry in step.entries):
        if isinstance(event, PutOff) and event.who == who:
            waits += event.entries
        elif isinstance(event, DigestSent) and who in event.to:
            told, waits = [*told, *waits], []
    found = (numbered(step.after.entries, number) for number in told)
    return tuple(entry for entry in found if entry is not None)


def daily_entries(step: Step) -> Mapping[str, tuple[Entry, ...]]:
    """Return for each observer the public entries of the daily letter due in *step*; of vote counts only the latest."""
    sent = [e.event for e in step.entries if isinstance(e.event, DigestSent)]
    found = {}
    for who, observer in step.after.law.observers.items():
        mine = [event.upto for event in sent if who in event.to]
        if not observer.daily or not mine:
            continue
        before = step.before.law.observers.get(who)
        since = before.seen if before is not None and before.daily else observer.seen
        news = [e for e in step.after.entries[since:max(mine)] if is_public(e.event)]
        counts = [e for e in news if isinstance(e.event, CountPosted)]
        found[who] = tuple(e for e in news if e not in counts[:-1])
    return found


def observer_letters(step: Step, public: Sequence[Outgoing], prose: Prose, who: str = "") -> tuple[Outgoing, ...]:
    """Return the *public* letters of one nomic, for *who*, or for everyone who observes as letters go out."""
    contest = step.after
    readers = (who,) if who else tuple(name for name, it in contest.law.observers.items() if not it.daily)
    first = contest.setup.nomics[:1]
    return tuple(
        Outgoing(
            f"{letter.key}/observer/{name}", "private", letter.subject,
            prose.text("observer", letter=letter.body.rstrip("\n"), who=name, daily=bool(who)) + "\n", step.now,
            to=contest.address_of(name), person=name, ends=NO_MORE)
        for name in readers if contest.address_of(name)
        for letter in public if (letter.forum,) == first)


def letters_for(
    before: Contest, after: Contest, entries: Sequence[Entry], now: int, templates: Mapping[str, str] | None = None
) -> tuple[Outgoing, ...]:
    """Return the letters owed for *entries*, which turned *before* into *after* at *now* (UTC seconds).

    Public letters are made from what everyone may know, private ones from what their reader may know. *templates*
    replace the packaged ones by name. The same record always gives the same keys.
    """
    if not any(warrants_letter(e) for e in entries):
        return ()
    step = Step(before, after, entries, now)
    prose = Prose(templates, now)
    view = public_view(after, before)
    spoken = prose.of(ruleset(view.ruleset)) if view.ruleset else prose
    public = public_letters(view, announced_entries(step), spoken, now)
    private = (*private_letters(step, view, spoken), *address_letters(step, prose), *confirmation_letters(step, prose))
    return (
        *public,
        *observer_letters(step, public, prose),
        *_daily_news(step, view, spoken),
        *(shuffled(after, private, now) if after.cover.slots else private),
        *stranger_letters(step, prose),
        *_journal(step, untold_view(after) if unannounced(after) else view, prose),
    )


def _journal(step: Step, view: PublicView, prose: Prose) -> tuple[Outgoing, ...]:
    """Return the journal if *step* calls for one; in a covered session it is padded like other letters."""
    if not worth_a_journal(step.entries):
        return ()
    found = journal(contestmaster_view(step.after), view, step.entries, prose, step.now)
    if not step.after.cover.slots:
        return found
    return tuple(replace(x, even=True, room=size_class([x.body, x.secret])) for x in found)


def warrants_letter(entry: Entry) -> bool:
    """Return whether *entry* may be a reason to write to someone; most letters that come in are not."""
    event, readers = entry.event, entry.event.readers()
    told = readers != CONTESTMASTER and not (readers == PUBLIC and is_routine(event))
    return told or isinstance(event, Batched | StrangerAnswered | DigestSent) or worth_a_letter(event)


def announced_entries(step: Step) -> tuple[Entry, ...]:
    """Return the entries that *step* announces to the forums.

    NC 5: the announcement that ends a session includes the awards. While they wait for P, the announcement waits too
    (D-N21), from the death that caused the end on.
    """
    before, after, shown = step.before, step.after, [e for e in step.entries if is_public(e.event)]
    if untold := unannounced(after):
        return tuple(e for e in shown if e.number not in untold)
    if before.session in before.awards_held and any(isinstance(e.event, Awarded | Revealed) for e in step.entries):
        return (*ending_of(after), *shown)
    return tuple(shown)


def public_letters(view: PublicView, told: Sequence[Entry], prose: Prose, now: int) -> tuple[Outgoing, ...]:
    """Return the letters to every nomic's forum; they differ only in the time zone of their footers (NC 1g)."""
    out: list[Outgoing] = []
    secrets = [e for e in told if isinstance(e.event, Revealed)]
    page = Page(view, tuple(e for e in told if e not in secrets), prose)
    if found := public_sections(page):
        out += _posted(view, found, _lead(page.entries), prose, now)
    for entry in secrets:
        section = reveal_section(view, entry, prose)
        if section is not None:
            out += _posted(view, [section], entry.number, prose, now)
    return tuple(out)


def _lead(entries: Sequence[Entry]) -> int:
    """Return the entry that identifies a letter: a session's start, else the phase it begins, else its first entry."""
    starts = [e.number for e in entries if isinstance(e.event, SessionStarted)]
    phases = [e.number for e in entries if isinstance(e.event, PhaseBegan)]
    return (starts or phases[-1:] or [entries[0].number])[0]


def _thread(view: PublicView, lead: int) -> int:
    """Return the lead entry of the letter that the one identified by *lead* follows, 0 if it follows none.

    Letters of a phase follow the one that began it, and that one follows the session's start.
    """
    if not view.start or lead == view.start:
        return 0
    record = view.session_record()
    phase = next((e for e in reversed(record) if isinstance(e.event, PhaseBegan)), None)
    with_start = phase is None or phase.at == record[0].at
    return view.start if with_start or phase is None or phase.number == lead else phase.number


def _daily_news(step: Step, view: PublicView, prose: Prose) -> tuple[Outgoing, ...]:
    """Return the observers' daily letters: each is a letter to a forum about everything since the last one."""
    found: dict[tuple[int, ...], tuple[Outgoing, ...]] = {}
    letters = list[Outgoing]()
    for who, entries in daily_entries(step).items():
        news = tuple(e.number for e in entries)
        if news not in found:
            found[news] = public_letters(view, entries, prose, step.now)
        letters += observer_letters(step, found[news], prose, who)
    return tuple(letters)


def _posted(view: PublicView, found: Sequence[Section], lead: int, prose: Prose, now: int) -> list[Outgoing]:
    """Return one public letter for each forum, identified by the entry *lead*; *now* is in UTC seconds."""
    subject, opening = headline(found)
    setup = view.setup
    page = letter_page(setup.archive, view.session, f"[{view.tag}] {subject}", now)
    body = prose.text(
        "public", opening=opening, details="\n\n".join(s.details for s in found if s.details), name=setup.name,
        nomics=[f.title or f.nomic.capitalize() for f in setup.forums], contestmaster=contestmaster_of(view),
        address=setup.address, where=where_to_write(ruleset(view.ruleset or setup.ruleset), setup.address),
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


class _Written(NamedTuple):
    """A private letter: its *body*, that *bare* of duties and terms, and as *sent*, with times of its reader's zone."""

    subject: str
    body: str
    bare: str
    sent: str


def private_letters(step: Step, public: PublicView, prose: Prose) -> tuple[Outgoing, ...]:
    """Return at most one letter for each person whom *step* concerns; none to the contestmaster as a player.

    In a covered session, news of the night has waited and goes out with a letter to everyone; apart from that, players
    get a letter at nightfall only if they can act (D-N48). Nothing is reported to the same person twice in one run
    (D-N47).
    """
    contest, batch = step.after, is_batch(step.entries)
    covered = bool(contest.cover.slots)
    told = tuple(e for e in (told_now(step) if covered else step.entries) if batch or not is_repeated(e.event))
    begins = session_dealt(told)
    night = night_begun(told, contest.game.phase if contest.game else "")
    written: dict[str, _Written] = {}
    everyone = tuple(who for who in batch_readers(step) if who not in without_letter(step)) if batch else ()
    readers = _readers(contest, told, begins=begins, night=night, everyone=everyone)
    owed = deeds_owed(contest) if readers else ()
    for who in readers:
        if who == contest.setup.contestmaster or not contest.address_of(who):
            continue
        waits = frozenset(number for e in step.entries
                          if isinstance(e.event, PutOff) and e.event.who == who for number in e.event.entries)
        mine = (*caught_up(step, who), *(e for e in told if is_public(e.event)
                                       or (e.number not in waits and _for(contest, e, who))))
        view = player_view(contest, who, public, owed)
        in_town = contest.game is not None and who in contest.game.alive
        tonight = night if in_town and (covered or can_act_privately(view)) else 0
        note = Note(view, mine, prose, begins if who in public.players else 0, tonight)
        found, shown = private_sections(note)
        if who in everyone and not note.begins and not note.night:
            cover = cover_section(note, news=bool(found))
            found = [replace(cover, details=""), *found, Section("", cover.details)]
        if found:
            zone, duties = contest.law.zones.get(who, ""), duties_text(note, () if covered else shown)
            due = due_lines(view, step.now, zone)
            body, until = _text(note, found, due, duties), min((d.until for d in view.owes if d.until), default=0)
            subject = subject_line(contest.setup, contest.session, UNIFORM_SUBJECT) if covered else private_subject(
                contest.setup, public.place, shown, until, session=public.session, begins=bool(note.begins),
                night=bool(note.night))
            rows = zone_table(body, zone, step.now)
            written[who] = _Written(subject, body, _text(note, found, "", ""),
                                    _text(note, found, due, duties, rows) if rows else body)
    dead = _dead(told, everyone) if covered else frozenset[str]()
    bare = {} if batch else {who: text.bare for who, text in written.items()}
    bodies = {who: text.body for who, text in written.items()}
    rooms = _rooms(step, told, bare, bodies, public, dead) if covered else dict.fromkeys(bodies, 0)
    return tuple(_enveloped(contest, told, who, (text.subject, text.sent), step.now, batch=batch, room=rooms[who])
                 for who, text in written.items())


def _rooms(
    step: Step, told: Sequence[Entry], bare: Mapping[str, str], bodies: Mapping[str, str], public: PublicView,
    dead: frozenset[str],
) -> dict[str, int]:
    """Return the size of each letter of a covered session (bytes): one for the living, and one for the *dead*."""
    found: dict[str, int] = {}
    for group in ([who for who in bodies if who not in dead], [who for who in bodies if who in dead]):
        if group:
            found |= dict.fromkeys(group, _room(step, told, bare, {who: bodies[who] for who in group}, public))
    return found


def _room(
    step: Step, told: Sequence[Entry], bare: Mapping[str, str], bodies: Mapping[str, str], public: PublicView
) -> int:
    """Return the size of a covered session's letters (bytes), which reveals nothing secret (D-N48).

    *bare* are the letters without their readers' duties, for which room is added; it is empty for a batch. An answer
    that reveals its reader's role is padded to the longest one possible by this phase.
    """
    topics = {e.event.topic for e in told if isinstance(e.event, Answered)}
    secret = step.after.game is not None and any(map(is_secret, topics))
    parts = [bare[who] for who in bodies] if bare else []
    duties = room_for_duties(public)
    zones = ROOM if any(step.after.law.zones.get(who) for who in bodies) else 0
    return size_class(list(bodies.values()), parts, duties, longest_secret(public) + duties if secret else 0, zones)


def _dead(told: Sequence[Entry], everyone: Sequence[str]) -> frozenset[str]:
    """Return who hears from the dead and is not in *everyone*: their letters have a size of their own (D-A20)."""
    return frozenset(e.event.to for e in told if isinstance(e.event, Told) and among_the_dead(e.event)
                     and e.event.to not in everyone)


def _for(contest: Contest, entry: Entry, who: str) -> bool:
    """Return whether *who* may read *entry*; messages among fellows reach only the living (D-M12, D-A6).

    *who* counts as living until the death is public, because a silence would reveal it (NC 6b).
    """
    lives = contest.game is not None and who not in contest.game.shown_dead
    return may_read(entry.event.readers(), who) and (lives or not for_fellows(entry.event))


def _readers(
    contest: Contest, entries: Sequence[Entry], *, begins: int, night: int, everyone: tuple[str, ...]
) -> list[str]:
    """Return whom *entries* concern, in seat order: *everyone* for a batch, the whole town at a start and at nightfall.

    Otherwise those who are addressed, or named as silent.
    """
    seats = contest.game.seats if contest.game is not None else ()
    named = {who for e in entries if isinstance(readers := e.event.readers(), tuple) for who in readers}
    named |= {e.event.who for e in entries if isinstance(e.event, Prodded)}
    named |= {who for e in entries if isinstance(e.event, DigestSent) for who in e.event.to}
    whole = everyone or (seats if begins or night else ())
    return list(dict.fromkeys([*whole, *(p for p in seats if p in named), *sorted(named - set(seats))]))


def _text(note: Note, found: Sequence[Section], due: str, duties: str, times: str = "") -> str:
    setup = note.view.public.setup
    opening, *details = paragraphs(found)
    body = note.prose.text(
        "private", opening=opening, details="\n\n".join(details), due=due, duties=duties, times=times,
        who=note.view.who, name=setup.name, address=setup.address, tagged=setup.subaddresses, first=bool(note.begins),
    )
    return body + "\n"


def _enveloped(
    contest: Contest, entries: Sequence[Entry], who: str, told: tuple[str, str], now: int, *, batch: bool, room: int
) -> Outgoing:
    """Return the private letter to *who* with address, thread and headers; *told* is its subject and text."""
    subject, body = told
    first = next((e.number for e in entries if may_read(e.event.readers(), who)), entries[0].number)
    message = "" if batch else replied_to(contest, entries, who)
    reply_tag = reply_tag_of(contest, who) if contest.setup.subaddresses else ""
    return Outgoing(
        f"s{contest.session}/e{first}/private/{who}", "private", subject, body, now, to=contest.address_of(who),
        person=who, thread=private_thread(contest, who), in_reply_to=message,
        auto="auto-replied" if message else "auto-generated", reply_tag=reply_tag, even=bool(room), room=room,
        html=contest.setup.html and not room)
