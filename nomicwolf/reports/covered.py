"""The letters of a covered session: who gets one with each batch, in which order, and of which size (NC 6, D-N48)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from hmac import new as keyed

from nomicwolf.nomic.cover import Batched
from nomicwolf.nomic.state import Contest
from nomicwolf.reports.layout import one_class
from nomicwolf.reports.note import Note
from nomicwolf.reports.prose import Section
from nomicwolf.reports.step import Step
from nomicwolf.village.events import DeathsAnnounced, Entry, Replaced


def batched(entries: Sequence[Entry]) -> bool:
    """Return whether everyone gets a letter with *entries*."""
    return any(isinstance(e.event, Batched) for e in entries)


def told_now(step: Step) -> tuple[Entry, ...]:
    """Return what is told with *step*: in a batch also all that has waited, else what doesn't wait."""
    if batched(step.entries):
        return (*step.before.cover.waits, *step.entries)
    waiting = {e.number for e in step.after.cover.waits}
    return tuple(e for e in step.entries if e.number not in waiting)


def town(step: Step) -> tuple[str, ...]:
    """Return who gets a letter with a batch, whatever e is: all who lived until now or are back, as everyone knows."""
    before, after = step.before, step.after
    game = before.running or after.game
    assert game is not None
    back = after.game.shown_living() if after.game is not None and after.session == before.session else ()
    return tuple(who for who in game.seats if who not in game.shown_dead or who in back)


def shuffled(contest: Contest, people: Iterable[str]) -> list[str]:
    """Return *people* in an order that only the contest's key can tell; it is another one for each batch."""
    place = f"nomicwolf order 1\n{contest.session}\n{contest.last}\n"
    return sorted(people, key=lambda who: keyed(contest.setup.secret, f"{place}{who}\n".encode(), sha256).digest())


def shaped(bodies: dict[str, str]) -> dict[str, str]:
    """Return letters by their readers, all in the smallest class of size that takes each of them."""
    return dict(zip(bodies, one_class(list(bodies.values())), strict=True))


def cover_section(note: Note, *, news: bool) -> Section:
    """Return what stands in everyone's letter of a batch; *news* tells whether more follows."""
    public, who = note.view.public, note.view.who
    back = any(isinstance(e.event, DeathsAnnounced) and who in e.event.revived for e in note.entries)
    heir = next((e.event.new for e in note.entries if isinstance(e.event, Replaced) and e.event.old == who), "")
    return note.prose.section(
        "private-cover", heir=heir, place=public.place, title=note.view.title, living=public.living, news=news,
        dead=who in public.dead, back=back and who not in public.dead)
