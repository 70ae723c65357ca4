"""Contests and views at places of a record: as they would be if each were made from the first entry on."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace

import pytest

from nomicwolf.archive import replay
from nomicwolf.archive.replay import redo
from nomicwolf.nomic.events import Revealed
from nomicwolf.nomic.state import Contest
from nomicwolf.reports import history
from nomicwolf.reports.archive import Published
from nomicwolf.reports.archive.sessions import Views
from nomicwolf.reports.history import FoldedPlaces, apply_public, fold
from nomicwolf.village.events import Entry
from tests.archive.stories import finished, going_on
from tests.reports.stories import view_of


@pytest.mark.parametrize("found", [finished(), going_on()], ids=["finished", "going on"])
@pytest.mark.parametrize("seed", [1, 2])
def test_places_are_told_as_if_folded_anew(found: Published, seed: int) -> None:
    """In any order of places, forwards and back."""
    setup, entries, chance = found.about.setup, found.entries, random.Random(seed)
    told, known = FoldedPlaces(setup, entries, Contest.take), FoldedPlaces(setup, entries, apply_public)
    views = Views(setup, entries)
    order = [chance.randrange(len(entries) + 1) for _ in range(12)]
    for place in (*sorted(order), *order, len(entries), 0):
        assert vars(told.at(place)).keys() == vars(Contest.of(setup, entries[:place])).keys()
        whole, anew = told.at(place), Contest.of(setup, entries[:place])
        assert (whole.sessions, whole.awards, whole.parties, whole.clock) == (
            anew.sessions, anew.awards, anew.parties, anew.clock)
        assert (whole.game is None) == (anew.game is None)
        if whole.game is not None and anew.game is not None:
            assert (whole.game.alive, whole.game.phase, whole.game.roles) == (
                anew.game.alive, anew.game.phase, anew.game.roles)
        assert known.at(place).parties == fold(setup, entries[:place]).parties
        assert views.at(place) == view_of(setup, entries[:place])


def test_what_was_told_of_a_place_stays_as_it_was() -> None:
    """Going on from it changes another contest."""
    found = finished()
    places = FoldedPlaces(found.about.setup, found.entries, Contest.take)
    early = places.at(10)
    before = list(early.entries)
    places.at(len(found.entries))
    assert list(early.entries) == before


def test_awards_of_each_session_are_redone() -> None:
    """From the contest as it stood when they were given."""
    done = redo(finished())
    assert done.differs == []
    assert done.checked["awards"] > 0


def test_counts_are_redone_with_each_entry_folded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of a session that is going on, from what everyone may know; twice as many take twice as long."""
    whole, folded = going_on(), list[int]()
    told = next(i for i, e in enumerate(whole.entries) if isinstance(e.event, Revealed))
    found = replace(whole, entries=tuple(e for e in whole.entries[:told] if history.is_public(e.event)))

    def counting(contest: Contest, entries: Iterable[Entry]) -> None:
        new = list(entries)
        folded.append(len(new))
        apply_public(contest, new)

    for module in (history, replay):
        monkeypatch.setattr(module, "apply_public", counting)
    assert redo(found).checked["counts"] == 10
    assert sum(folded) <= len(found.entries)
