"""A contest that has a long past goes on as it would anyway, and looks at next to nothing of it."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import cast

import pytest

from nomicwolf.contest import Contest, Happening, Outcome, Setup, hear
from nomicwolf.ledger.codec import write_entry
from nomicwolf.ledger.records import Snapshot
from nomicwolf.ledger.shortcuts import Shortcuts
from nomicwolf.nomic import fetched
from nomicwolf.rehearsal import playing
from nomicwolf.reports.statistics import players, sides
from nomicwolf.run import comparing, snapshots
from nomicwolf.run.marks import Marks
from nomicwolf.run.past import Past
from nomicwolf.village.events import Entry
from tests.rehearsal.year import letters, played

PAGE = 4
"""How many entries are read of the past at once, in this test."""
PAGES = 12
"""Where a step would look at more entries than are on so many pages, it would look at more of a longer past."""


class Ledger:
    """What a ledger knows of a record, in memory: *read* are the entries that were read since the last step."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.record: list[Entry] = []
        self.read: list[int] = []
        self._finds: dict[str, list[int]] = {}

    def entries(self, first: int, last: int) -> list[Entry]:
        """Return entries by their numbers."""
        self.read.extend(range(first, last + 1))
        return self.record[first - 1:last]

    def found(self, mark: str) -> list[int]:
        """Return the numbers of the entries under a mark."""
        return self._finds.get(mark, [])

    def resumed(self, contest: Contest) -> Contest:
        """Return *contest* as it is taken up again from a snapshot, all that came before left in the ledger."""
        marks = Marks(self.setup.secret)
        for entry in contest.entries.since(len(self.record)):
            for mark, number in marks.of((entry,)):
                self._finds.setdefault(mark, []).append(number)
            self.record.append(entry)
        data = snapshots._sealed(self.setup, contest.last, "", snapshots.contents(contest))
        kept = Snapshot(contest.last, "", contest.last, "", data)
        found = snapshots._resumed(self.setup, cast(Shortcuts, self), kept)
        assert found is not None
        self.read.clear()
        return found


@pytest.mark.parametrize("session", [1_000, PAGE])
def test_a_year_goes_on_from_snapshots_without_its_past(session: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each step of the year, and each kind of letter in it, is the same, and none reads much of the past.

    Before each the contest is put away and taken up again, with four entries in memory, or those of the session; or
    with four of that, too.
    """
    monkeypatch.chdir(Path(__file__).parents[2])
    whole, ledgers, far = played(), list[Ledger](), dict[int, str]()
    record = [write_entry(entry) for entry in whole.contest.entries]

    def heard(contest: Contest, happening: Happening, now: int) -> Outcome:
        if not ledgers:
            ledgers.append(Ledger(contest.setup))
        outcome = hear(ledgers[0].resumed(contest), happening, now)
        if len(ledgers[0].read) > PAGES * PAGE:
            far[len(ledgers[0].record)] = f"{happening!r:.200} read {len(ledgers[0].read)} entries"
        return outcome

    monkeypatch.setattr(fetched, "PAGE", PAGE)
    monkeypatch.setattr(snapshots, "_RECENT", PAGE)
    monkeypatch.setattr(snapshots, "_SESSION", session)
    monkeypatch.setattr(playing, "hear", heard)

    again = played()

    assert [write_entry(entry) for entry in again.contest.entries] == record
    assert letters(again) == letters(whole)
    assert far == {} or session == PAGE


def test_a_whole_record_is_folded_with_little_of_it_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Folded in strides, of which each lets go of the one before, the year stands as it does in one piece."""
    monkeypatch.chdir(Path(__file__).parents[2])
    year = played().contest
    whole, ledger = Contest.of(year.setup, year.entries), Ledger(year.setup)
    ledger.resumed(whole)
    monkeypatch.setattr(snapshots, "STRIDE", 7)
    monkeypatch.setattr(snapshots, "_RECENT", PAGE)
    monkeypatch.setattr(snapshots, "_SESSION", PAGE)
    folded = snapshots.folded(whole.setup, cast(Shortcuts, ledger), iter(whole.entries))

    assert len(folded.entries._last) + sum(len(part) for part in folded.entries._parts[1:]) < len(whole.entries) / 2
    assert list(folded.entries) == list(whole.entries)
    for name in ("letters", "by_message", "by_digest", "by_seal", "said", "sessions", "stopped", "revealed", "awards",
                 "law", "recalled", "persons", "deeds"):
        assert vars(folded)[name] == vars(whole)[name]
    assert (players(folded), sides(folded)) == (players(whole), sides(whole))
    unaware = snapshots.folded(whole.setup, cast(Shortcuts, ledger), iter(whole.entries), comparing.unaware)
    assert (players(unaware), sides(unaware), list(unaware.entries)) == (players(whole), sides(whole), [*whole.entries])
    assert folded.games.keys() == whole.games.keys()
    assert [folded.games[number].phase for number in (3, 1, 2)] == [whole.games[number].phase for number in (3, 1, 2)]
    assert list(comparing.otherwise(snapshots.contents(whole), snapshots.contents(folded))) == []


def test_a_past_goes_with_its_contest(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that works for many contests keeps nothing of those that it is done with, though all was looked at."""
    monkeypatch.chdir(Path(__file__).parents[2])
    year = played().contest
    contest = Ledger(year.setup).resumed(year)
    assert len(contest.letters) == len(year.letters)
    assert [one for one in gc.get_objects() if isinstance(one, Past)]

    del contest
    gc.collect()

    assert not [one for one in gc.get_objects() if isinstance(one, Past)]
