"""What people choose for themselves: their letters' time zone, and whether statistics list them (D-A21, D-A22)."""

from __future__ import annotations

from nomicwolf.contest.step import Work
from nomicwolf.nomic.events import DeedDone
from nomicwolf.nomic.law_events import StatisticsChosen, ZoneChosen
from nomicwolf.reports.time_zones import UTC_NAMES, known_zone, near_zones
from nomicwolf.village.rules import Refusal

ZONES, LISTED = ("D-A21",), ("D-A22",)


def choose_zone(work: Work, who: str, name: str, cause: str) -> str:
    """Record that *who* wants times in the zone called *name*, too, and return its name ('': UTC alone).

    `Refusal` for a name that no zone has, with those that are near it, and if that is so already.
    """
    zone = "" if name.strip().casefold() in UTC_NAMES else known_zone(name)
    if zone is None:
        raise Refusal(f"No time zone is called {name[:60]}. Zones are named by a city, like Europe/Berlin.", ZONES,
                      near_zones(name))
    if zone == work.contest.law.zones.get(who, ""):
        raise Refusal(f"Times are in {zone or 'UTC alone'} already.", ZONES)
    work.add(ZoneChosen(who, zone), cites=ZONES, cause=cause)
    return zone


def timezone(work: Work, who: str, words: str, cause: str) -> None:
    """Let the letters to *who* have times in the zone that *words* name, too; `Refusal` as of `choose_zone`."""
    zone = choose_zone(work, who, words, cause)
    note = (f'Times in your letters are in UTC, and at their end in {zone}, too. "timezone: UTC" ends it.' if zone
            else "Times in your letters are in UTC alone.")
    work.add(DeedDone(0, who, f"timezone: {zone or 'UTC'}", note), cause=cause)


def choose_listing(work: Work, who: str, cause: str, *, listed: bool) -> None:
    """Leave *who* out of the statistics, or take em in again; `Refusal` if that is so already."""
    if listed == (who not in work.contest.law.unlisted):
        raise Refusal(f"{who} is {'in' if listed else 'left out of'} the statistics already.", LISTED)
    work.add(StatisticsChosen(who, listed), cites=LISTED, cause=cause)


def statistics(work: Work, who: str, words: str, cause: str) -> None:
    """Leave *who* out of the statistics by eir own word (``off``), or take em in again; `Refusal` as above."""
    listed = words != "off"
    choose_listing(work, who, cause, listed=listed)
    note = ("The statistics list you again." if listed else
            'The statistics list you no more. What you did in the game stays told. "statistics: on" takes it back.')
    work.add(DeedDone(0, who, f"statistics: {words}", note), cause=cause)
