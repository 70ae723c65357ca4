"""What the forums are told of a seed that players have a part in: it is bound, it is mixed, it is told (NC 2b)."""

from __future__ import annotations

from nomicwolf.nomic.events import HalfTold, SeedBound, SeedMixed
from nomicwolf.reports.page import Maker, Page
from nomicwolf.reports.prose import Section
from nomicwolf.reports.views import PublicView
from nomicwolf.village.events import Entry


def _bound(page: Page, entry: Entry, told: SeedBound, now: PublicView) -> Section:
    return page.prose.section("public-seed-bound", 30, session=told.session, commitment=told.commitment,
                              contest=now.setup.contest)


def _mixed(page: Page, entry: Entry, told: SeedMixed, now: PublicView) -> Section:
    return page.prose.section("public-seed-mixed", 5, session=told.session, letters=told.letters)


def _told(page: Page, entry: Entry, told: HalfTold, now: PublicView) -> Section:
    return page.prose.section("public-seed-told", 5, session=told.session, half=told.half)


SEEDS: dict[type, Maker] = {
    SeedBound: _bound, SeedMixed: _mixed, HalfTold: _told,
}
