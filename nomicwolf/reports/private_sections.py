"""Sections of private letters (NC 6).

Everything here is a function of a `PlayerView` and of entries that everyone or this player may read.
"""

from __future__ import annotations

from collections.abc import Sequence

from nomicwolf.nomic.events import ActedFor, Answered, Asked, DeedDone, DeedHeard, Refused, Reminded
from nomicwolf.nomic.setup import Prodded
from nomicwolf.nomic.times import left, when
from nomicwolf.reports.answers import answer_section
from nomicwolf.reports.law_sections import LAW_NOTE_MAKERS, private_prod_section, reminder_section
from nomicwolf.reports.layout import beside, clean, straight
from nomicwolf.reports.prose import Section
from nomicwolf.reports.sections import Note, NoteMaker, votes_stand
from nomicwolf.reports.views import TAKES_OVER, PlayerView
from nomicwolf.reports.vote_counts import Vote, status_words
from nomicwolf.village.events import Entry, Opened, PhaseBegan, Told
from nomicwolf.village.game import FALLEN, for_fellows
from nomicwolf.village.roles.nomic_crossing import LAST_SHOT
from nomicwolf.village.rules import listed

PROOF_WORDS = {"confirmed": "your confirmation", "openpgp": "your OpenPGP signature"}
"""How the author confirmed a deed, in receipts; nothing is said where it took no effort."""
REPLIES = (DeedDone, Asked, Refused)
"""Answers to a letter's deeds, which come before the news."""
VOTES = ("vote", "unvote")
STORY = "story"
"""The topic of what the dead are told of the whole game."""
MAX_INLINE_STEPS = 2
"""The reasons of a null vote are given in its first sentences if there are no more than these, else below."""
ONLY_WHILE_OPEN = {FALLEN: ("vote",), LAST_SHOT: ("shoot",)}
"""Messages that are sent only while their reader can respond with one of these deeds."""


def sections(note: Note) -> tuple[list[Section], list[Entry]]:
    """Return the sections of one private letter, none if there is nothing to say, and the entries they tell of.

    What the reader's own letters did comes before the news, each in the order of events.
    """
    found = [_role(note)] if note.begins else []
    told = list[Entry]()
    for entry in sorted(note.entries, key=lambda e: not isinstance(e.event, REPLIES)):
        maker = MAKERS.get(type(entry.event))
        section = maker(note, entry, entry.event) if maker else None
        if section is not None:
            found.append(section)
            told.append(entry)
    if note.night and not note.begins:
        found.append(_night(note))
    return found, told


def due_lines(view: PlayerView, now: int, zone: str = "") -> str:
    """Return a line for each instant by which the reader has to do something, '' if e owes nothing as of *now*.

    *now* is in UTC seconds, as are the instants; each stands in *zone*, too ('': in UTC alone).
    """
    by: dict[int, list[str]] = {}
    for duty in sorted(view.owes, key=lambda d: d.until):
        by.setdefault(duty.until, []).append(duty.verb)
    return "".join(f"Due by {when(until)}{beside(until, zone)}{', ' * (until - now >= 60)}{left(until - now)}: "
                   f"{listed(tuple(verbs))}.\n" for until, verbs in by.items() if until)


def can_act_privately(view: PlayerView) -> bool:
    """Return whether the reader can do anything by private mail now but talk, which e was told with eir role."""
    return any(not duty.public and duty.verb not in ("say", "ask") for duty in view.duties)


def duties_text(note: Note, told: Sequence[Entry]) -> str:
    """Return what is open to the reader; of what e was told at nightfall only until when e can change eir choice.

    *told* are the entries of eir letter.
    """
    view = note.view
    if told and view.public.phase == "night" and not (note.begins or note.night) and all(map(_only_follows, told)):
        closes = min((d.closes for d in view.duties if d.owed and d.closes and not d.until), default=0)
        return f"You can change your choice until {when(closes)}." if closes else ""
    return note.prose.text(
        "duties", mail=[d for d in view.duties if not d.public], forum=[d for d in view.duties if d.public],
        address=view.public.setup.address, tagged=view.public.setup.subaddresses,
    )


def _only_follows(entry: Entry) -> bool:
    """Return whether *entry* opens nothing to its reader: a receipt, or what a fellow does."""
    return isinstance(entry.event, DeedDone) or (isinstance(entry.event, Told) and for_fellows(entry.event))


def _role(note: Note) -> Section:
    view = note.view
    told = [e.event.text for e in note.entries if isinstance(e.event, Told)]
    return note.prose.section(
        "private-role", session=note.begins, name=view.public.title or view.public.setup.name, title=view.title,
        story=view.story, told=told,
        contest=view.public.setup.contest, who=view.who, role=view.role, nonce=view.nonce)


def _night(note: Note) -> Section:
    view = note.view
    return note.prose.section(
        "private-night", number=note.night, title=view.title, living=view.public.living, told=())


def _told(note: Note, entry: Entry, told: Told) -> Section | None:
    view = note.view
    verbs = ONLY_WHILE_OPEN.get(told.topic)
    if note.begins or (verbs is not None and not any(d.verb in verbs for d in view.duties)):
        return None
    text = _unheard(note, entry, told) if told.topic == STORY else told.text
    if not text:
        return None
    return note.prose.section(
        "private-told", text=text, topic=told.topic, over=view.public.phase == "over",
        contest=view.public.setup.contest, session=view.public.session, who=view.bound_as, role=view.role,
        nonce=view.nonce if told.topic == TAKES_OVER else "")


def _unheard(note: Note, entry: Entry, told: Told) -> str:
    """Return the lines of the story of the game that its reader, who is dead, has not had yet (D-G16)."""
    had = {line for e in note.view.own if e.number < entry.number and isinstance(e.event, Told)
           and e.event.topic == STORY for line in e.event.text.split("\n")}
    return "\n".join(line for line in told.text.split("\n") if line not in had)


def _done(note: Note, entry: Entry, done: DeedDone) -> Section | None:
    deed = note.deed(done.deed)
    if deed is not None and deed.channel in note.view.public.setup.nomics:
        return _null(note, done) if entry.number == note.last_posted else None
    return note.prose.section("private-receipt", says=_words(done), note=done.note, sure=_sure(note, entry, deed))


def _words(done: DeedDone) -> str:
    """Return how the reader would write what was *done*: an endorsement without the vote that it is."""
    return done.says.removeprefix("vote ") if done.says.startswith("vote endorse ") else done.says


def _sure(note: Note, entry: Entry, deed: DeedHeard | None) -> str:
    """Return how the author of *deed* was confirmed, for the last receipt of each kind in a letter; else ''."""
    sure = deed.sure if deed is not None else ""
    later = (note.deed(e.event.deed) for e in note.entries if isinstance(e.event, DeedDone) and e.number > entry.number)
    return "" if any(d is not None and d.sure == sure for d in later) else PROOF_WORDS.get(sure, "")


def _null(note: Note, done: DeedDone) -> Section | None:
    """Explain to the author why a public vote counts as null; any other is acknowledged in the public count.

    It is explained once, however often the author has voted since the last letter.
    """
    vote = _own_vote(note)
    if vote is None or vote.value is not None or vote.ballot in ("", "nobody") or not _votes(note):
        return None
    why = [clean(step).replace("→", "->").removeprefix(f"{clean(vote.who)}'s vote counts as null: ")
           for step in vote.why]
    inline = vote.status == "determined" and 0 < len(why) <= MAX_INLINE_STEPS
    short = ("it " if vote.endorses else "") + "; ".join(why) if inline else status_words(vote)
    public = note.view.public
    ends = "as long as the day lasts" if votes_stand(public) else f"until {when(public.deadline)}"
    return note.prose.section(
        "private-null", at=vote.at, ballot=_words(done), why_short=short, why=() if inline else why, ends=ends)


def _votes(note: Note) -> bool:
    """Return whether the reader can vote now; not once somebody was lynched, even if a Hunter still has to choose."""
    return any(d.verb == "vote" for d in note.view.duties)


def _own_vote(note: Note) -> Vote | None:
    """Return the reader's vote as it stands, None if there are no votes."""
    public = note.view.public
    if public.phase != "day" or public.count is None:
        return None
    return next((v for v in public.count.votes if v.who == note.view.who), None)


def _refused(note: Note, entry: Entry, refused: Refused) -> Section | None:
    """Explain why something was not done and which vote stands; deeds refused for one reason share a section."""
    reason = refused.verb, refused.why, refused.options, entry.cites
    alike = {e.number: e.event.text for e in note.entries if isinstance(e.event, Refused)
             and (e.event.verb, e.event.why, e.event.options, e.cites) == reason}
    if entry.number != min(alike):
        return None
    first, _, more = straight(refused.why).partition("\n")
    more = more.partition("Open to you now:")[0].strip()  # that block ends every private letter
    cites = ", ".join(entry.cites)
    if cites and not any(c in first for c in entry.cites):
        first = f"{first} ({cites})"
    return note.prose.section(
        "private-refused", verb=refused.verb, why=first, text="\n".join(filter(None, alike.values())), more=more,
        options=refused.options, vote=_standing(note, entry) if refused.verb in VOTES else "")


def _standing(note: Note, entry: Entry) -> str:
    """Return which of the reader's votes stands, after the first of a letter that did not count."""
    public, sealed = note.view.public, note.view.ballot
    if entry.number != next(e.number for e in note.entries if isinstance(e.event, Asked) or (
            isinstance(e.event, Refused) and e.event.verb in VOTES)):
        return ""
    if sealed is not None:
        yours = f'Your ballot "{clean(sealed)}" stands as before' if sealed else "You have cast no ballot yet"
        return f"{yours}. Ballots are open until {when(public.deadline)}."
    vote = _own_vote(note)
    if vote is None or not public.polls or not _votes(note):
        return ""
    ends = "until somebody is lynched" if votes_stand(public) else f"until {when(public.deadline)}"
    if not vote.ballot:
        return f"You have no vote standing. Votes are open {ends}."
    return f'Your vote "{clean(vote.ballot)}" stands as before. Votes are open {ends}.'


def _asked(note: Note, entry: Entry, asked: Asked) -> Section:
    return note.prose.section(
        "private-asked", line=asked.line, text=asked.text, problem=asked.problem, hint=straight(asked.hint),
        suggestions=asked.suggestions, standing=_standing(note, entry))


def _answered(note: Note, entry: Entry, answered: Answered) -> Section:
    return answer_section(note.view, answered.topic, answered.text, note.prose, entry.at)


def _acted(note: Note, entry: Entry, acted: ActedFor) -> Section:
    return note.prose.section("private-acted", says=acted.says, since=acted.since, lot=acted.lot)


MAKERS: dict[type, NoteMaker] = {
    Told: _told, DeedDone: _done, Refused: _refused, Asked: _asked, Answered: _answered, ActedFor: _acted,
    Prodded: private_prod_section, Reminded: reminder_section, **LAW_NOTE_MAKERS,
}


def paragraphs(found: Sequence[Section]) -> list[str]:
    """Return the paragraphs of a private letter: headlines stand together up to one with details, which follow it."""
    done, lines = list[str](), list[str]()
    for section in found:
        lines += filter(None, [section.headline])
        if section.details:
            done += ["\n".join(lines), section.details]
            lines = []
    return [part for part in (*done, "\n".join(lines)) if part]


def session_dealt(entries: Sequence[Entry]) -> int:
    """Return the number of the session dealt in *entries*, 0 if there is none."""
    return max((e.event.session for e in entries if isinstance(e.event, Opened)), default=0)


def night_begun(entries: Sequence[Entry], phase: str) -> int:
    """Return the number of the night that began in *entries* and is still on, else 0."""
    numbers = [e.event.number for e in entries if isinstance(e.event, PhaseBegan) and e.event.phase == "night"]
    return numbers[-1] if numbers and phase == "night" else 0
