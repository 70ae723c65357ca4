"""Confirmations, welcomes and notices about the program.

A letter to a stranger quotes nothing that came in the stranger's name: nobody is written to by way of the contest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nomicwolf.letters import addresses
from nomicwolf.letters.addresses import reply_tag, token
from nomicwolf.letters.letter import Outgoing
from nomicwolf.nomic.events import DeedHeard, LetterHeard
from nomicwolf.nomic.law import SetAside
from nomicwolf.nomic.law_events import AddressAsked, StrangerAnswered
from nomicwolf.nomic.setup import PRIVATE, Setup
from nomicwolf.nomic.state import Contest
from nomicwolf.reports.layout import size_class
from nomicwolf.reports.prose import UNIFORM_SUBJECT, Prose, subject_line, tag_of
from nomicwolf.reports.views import may_read
from nomicwolf.village.events import Cause, Entry, numbered


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
    return addresses.token(setup.secret, "address", setup.contest, str(entry), asked.who, asked.address, side)


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
                f"s{contest.session}/e{entry.number}/stranger", "private", subject_line(setup, 0, "how to join"),
                body + "\n", step.now, to=told.address, auto="auto-replied", bound=True))
    return tuple(out)


def probe_letter(setup: Setup, prose: Prose, now: int) -> Outgoing:
    """Return a test letter to the contestmaster (*now*: UTC seconds)."""
    name = setup.name or setup.contest
    body = prose.text("check", name=name, address=setup.address, at=now)
    return Outgoing(
        f"check/{now}", "private", f"[{name}] a test letter", body + "\n", now,
        to=setup.contestmaster_addresses[0], person=setup.contestmaster)


def defect_letter(setup: Setup, prose: Prose, place: str, why: str, now: int) -> Outgoing:
    """Return a letter that reports a letter set aside as a whole, and quotes nothing of it (*now*: UTC seconds).

    *place* is where the mailbox's copy is, *why* the kind of error and the line of code that raised it.
    """
    name = setup.name or setup.contest
    return Outgoing(
        f"defect/{place}", "private", f"[{name}] a letter was set aside", prose.text("defect", place=place, why=why)
        + "\n", now, to=setup.contestmaster_addresses[0], person=setup.contestmaster)
