"""The deeds that wait: for the clock, or for a phase; and by their letter, a copy of which may move them (D-N9)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from nomicwolf.nomic.care import DeedKept
from nomicwolf.nomic.events import DeedDone, DeedHeard, DeedMoved, Refused
from nomicwolf.nomic.paged import Paged
from nomicwolf.nomic.setup import PRIVATE
from nomicwolf.village.events import Entry, PhaseBegan, Replaced
from nomicwolf.village.renaming import renamed

if TYPE_CHECKING:
    from nomicwolf.nomic.state import Contest


def evolve_deeds(contest: Contest, entry: Entry) -> None:
    """Let *entry* change which deeds of *contest* wait."""
    match entry.event:
        case DeedHeard() as deed:
            _wait(contest, entry.number, deed)
            if deed.letter and deed.letter == contest.freed:
                contest.freed = 0
                contest.rebucket("no-deed", "deeds")
            if deed.channel != PRIVATE:
                contest.said.setdefault(deed.text.strip(), deed.who)
        case DeedDone(deed=number) | Refused(deed=number):
            _done(contest, number)
        case DeedMoved(deed=number, instant=instant) if number in contest.pending:
            contest.pending[number] = replace(contest.pending[number], instant=instant)
        case Replaced(old, new):
            contest.pending = Paged({n: renamed(deed, old, new) for n, deed in contest.pending.items()})
            contest.kept = {n: (renamed(deed, old, new), phase) for n, (deed, phase) in contest.kept.items()}
        case DeedKept(deed=number, phase=phase, instead_of=other) if number in contest.pending:
            contest.kept.pop(other, None)
            contest.kept[number] = (contest.pending[number], phase)
            _done(contest, number)
        case PhaseBegan(phase):
            _take_up(contest, phase, entry.at)


def _take_up(contest: Contest, phase: str, at: int) -> None:
    """Let what was kept for a phase wait for its beginning, as if it had come then (D-N38)."""
    for number, (deed, wanted) in list(contest.kept.items()):
        if wanted == phase:
            _wait(contest, number, replace(deed, instant=at))
            del contest.kept[number]


def _wait(contest: Contest, number: int, deed: DeedHeard) -> None:
    contest.pending[number] = deed
    contest.waiting[deed.letter] = (*contest.waiting.get(deed.letter, ()), number)


def _done(contest: Contest, number: int) -> None:
    """Let the deed *number* wait no longer, if it does."""
    deed = contest.pending.pop(number, None)
    if deed is None:
        return
    if others := tuple(other for other in contest.waiting[deed.letter] if other != number):
        contest.waiting[deed.letter] = others
    else:
        del contest.waiting[deed.letter]
