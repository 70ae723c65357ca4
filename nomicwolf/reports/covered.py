"""The letters of a covered session: who gets one with each batch, in which order, and of which size (NC 6, D-N48)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from hashlib import sha256
from hmac import new as keyed

from nomicwolf.letters.letter import Outgoing
from nomicwolf.nomic.delivery import Batched
from nomicwolf.nomic.state import Contest
from nomicwolf.reports.layout import clean
from nomicwolf.reports.note import Note
from nomicwolf.reports.prose import Section
from nomicwolf.reports.step import Step
from nomicwolf.reports.views import PublicView, rules_of
from nomicwolf.village.events import DeathsAnnounced, Entry, Replaced
from nomicwolf.village.rules import Duty

DUE = 120
"""How many bytes tell, at most, by when something is due, around what is told of it."""


def batched(entries: Sequence[Entry]) -> bool:
    """Return whether everyone gets a letter with *entries*."""
    return any(isinstance(e.event, Batched) for e in entries)


def told_now(step: Step) -> tuple[Entry, ...]:
    """Return what is told with *step*: in a batch also all that has waited, else what doesn't wait."""
    waited = step.before.cover.waits if batched(step.entries) else ()
    waiting = {e.number for e in step.after.cover.waits}
    return tuple(e for e in (*waited, *step.entries) if e.number not in waiting)


def town(step: Step) -> tuple[str, ...]:
    """Return who gets a letter with a batch, whatever e is: all who lived until now or are back, as everyone knows."""
    game, now = step.before.running or step.after.game, step.after.game
    assert game is not None
    assert now is not None
    back = now.shown_living()
    return tuple(who for who in game.seats if who not in game.shown_dead or who in back)


def shuffled(contest: Contest, letters: Iterable[Outgoing], now: int) -> tuple[Outgoing, ...]:
    """Return *letters* in an order that only the contest's key can tell, another one at each *now* (UTC seconds).

    It hangs on nothing else that isn't public: not on what a letter is, nor on how much was done by night.
    """
    place = f"nomicwolf order 2\n{contest.session}\n{now}\n"
    return tuple(sorted(letters, key=lambda x: keyed(
        contest.setup.secret, f"{place}{x.person}\n{x.to}\n".encode(), sha256).digest()))


def room_for_duties(view: PublicView) -> int:
    """Return how many bytes tell all that can be open to anyone in the session, whatever e holds."""
    if not view.session:
        return 0
    return _room(view.ruleset, view.brought, view.players, view.switches, view.setup.address)


@lru_cache(maxsize=64)
def _room(
    name: str, brought: tuple[str, ...], players: tuple[str, ...], switches: tuple[tuple[str, str], ...], address: str
) -> int:
    rules, given = rules_of(name, brought), dict(switches)
    names = sum(len(clean(who).encode()) + 2 for who in players)

    def told(duty: Duty) -> int:
        listed = names + 30 if duty.arity and not duty.pins else 0
        return len(duty.written(passing=True, switches=given).encode()) + DUE + listed

    common = [told(duty) for law in rules.laws for duty in law.duties]
    most = max(([told(duty) for duty in role.duties] for role in rules.roles.values()), key=sum, default=[])
    size = DUE + 3 * len(address) + sum(common) + sum(most)
    return size + 2 * (size // 50 + 3 * len(common + most) + 4)


def cover_section(note: Note, *, news: bool) -> Section:
    """Return what stands in everyone's letter of a batch; *news* tells whether more follows."""
    public, who = note.view.public, note.view.who
    back = any(isinstance(e.event, DeathsAnnounced) and who in e.event.revived for e in note.entries)
    heir = next((e.event.new for e in note.entries if isinstance(e.event, Replaced) and e.event.old == who), "")
    return note.prose.section(
        "private-cover", heir=heir, place=public.place, title=note.view.title, living=public.living, news=news,
        dead=who in public.dead, back=back and who not in public.dead)
