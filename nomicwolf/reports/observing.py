"""Letters to observers, and what daily letters bring or leave for later (D-A18, D-A19)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nomicwolf.letters.letter import Outgoing
from nomicwolf.nomic.delivery import DigestSent, PutOff
from nomicwolf.nomic.events import CountPosted
from nomicwolf.reports.prose import Prose
from nomicwolf.reports.public import is_public
from nomicwolf.reports.step import Step
from nomicwolf.village.events import Entry, numbered


def left_out(step: Step) -> frozenset[str]:
    """Return who gets no letter of the batch in *step*, as eir daily one comes later."""
    out: set[str] = set()
    for event in (entry.event for entry in step.entries):
        if isinstance(event, PutOff) and event.slot:
            out.add(event.who)
        elif isinstance(event, DigestSent):
            out.difference_update(event.to)
    return frozenset(out)


def put_off(step: Step, who: str) -> frozenset[int]:
    """Return the numbers of the entries that wait for *who*'s daily letter from *step* on."""
    return frozenset(number for e in step.entries
                     if isinstance(e.event, PutOff) and e.event.who == who for number in e.event.entries)


def brought(step: Step, who: str) -> tuple[Entry, ...]:
    """Return the entries that have waited, and of which *step* tells *who*."""
    waits, told = [*step.before.law.put_off.get(who, ())], list[int]()
    for event in (entry.event for entry in step.entries):
        if isinstance(event, PutOff) and event.who == who:
            waits += event.entries
        elif isinstance(event, DigestSent) and who in event.to:
            told, waits = [*told, *waits], []
    found = (numbered(step.after.entries, number) for number in told)
    return tuple(entry for entry in found if entry is not None)


def daily_news(step: Step) -> Mapping[str, tuple[Entry, ...]]:
    """Return the public entries of which daily letters tell observers in *step*; of vote counts the latest."""
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


def forwarded(step: Step, public: Sequence[Outgoing], prose: Prose, who: str = "") -> tuple[Outgoing, ...]:
    """Return *public* letters, once for all nomics, to *who*, or to all who observe them as they go out."""
    contest = step.after
    readers = (who,) if who else tuple(name for name, it in contest.law.observers.items() if not it.daily)
    first = contest.setup.nomics[:1]
    return tuple(
        Outgoing(
            f"{letter.key}/observer/{name}", "private", letter.subject,
            prose.text("observer", letter=letter.body.rstrip("\n"), who=name, daily=bool(who)) + "\n", step.now,
            to=contest.address_of(name), person=name)
        for name in readers if contest.address_of(name)
        for letter in public if (letter.forum,) == first)
