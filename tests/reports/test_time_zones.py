"""Times in the forum's own zone, beside UTC."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nomicwolf.reports.layout import MOST, ROOM, known_zone, near_zones, octets, zone_table, zoned
from tests.reports.stories import Story, setup_of
from tests.tables import each

BODY = "Day 1 began.\nVote by Sun 6 Dec 2026 23:30 UTC, or on Tue\n1 Dec 2026 10:00:05 UTC.\n> Mon 2 Nov 2026 10:00 UTC"


def test_instants_are_repeated_in_the_zone() -> None:
    """In order, dates of their own, lines folded within an instant or not; quotes are left out."""
    assert zoned(BODY, "Europe/Berlin") == (
        f"{BODY}\n\nThe same in Europe/Berlin:\n"
        "  Tue 1 Dec 2026 10:00:05 UTC  Tue 1 Dec 11:00:05 CET\n"
        "  Sun 6 Dec 2026 23:30 UTC     Mon 7 Dec 00:30 CET")


@pytest.mark.parametrize("zone", ["", "Europe/Nowhere", "../../etc/passwd", "\0"])
def test_without_a_zone_a_letter_stays_as_it_is(zone: str) -> None:
    """No zone, or none that is known here, is no reason not to write."""
    assert zoned(BODY, zone) == BODY


def test_a_letter_without_times_has_no_table() -> None:
    """Nor has one whose only instant is none."""
    assert zoned("Good morning.", "Europe/Berlin") == "Good morning."
    assert zoned("On Tue 31 Nov 2026 10:00 UTC.", "Europe/Berlin") == "On Tue 31 Nov 2026 10:00 UTC."


def test_a_long_letter_has_a_short_table() -> None:
    """The latest instants are still ahead."""
    body = "\n".join(f"Tue {day} Dec 2026 10:00 UTC" for day in range(1, 29))
    lines = zoned(body, "America/New_York").partition("York:\n")[2].splitlines()

    assert len(lines) == MOST
    assert lines[-1].endswith("Mon 28 Dec 05:00 EST")


def test_letters_to_one_forum_have_its_zone() -> None:
    """The forum with a zone gets the table at the end of its letters, within 72 columns; the other the text alone."""
    setup = setup_of()
    first, second = setup.forums
    story = Story(setup=replace(setup, forums=(replace(first, zone="Australia/Sydney"), second)))
    letters = {o.forum: o.body for o in story.start() if o.kind == "public"}

    assert "The same in Australia/Sydney:" in letters[first.nomic]
    assert letters[first.nomic].startswith(letters[second.nomic].rstrip("\n"))
    assert max(map(len, letters[first.nomic].splitlines())) <= 72


@each(("name", "zone"), [("Europe/Berlin", "Europe/Berlin"), ("europe/berlin", "Europe/Berlin"),
                     ("America/New York", "America/New_York"), ("Berlin", None), ("Europe/Nowhere", None)])
def test_a_zone_is_known_by_its_whole_name(name: str, zone: str | None) -> None:
    """In any case; a city alone is a question."""
    assert known_zone(name) == zone


@each(("name", "near"), [("Berlin", "Europe/Berlin"), ("Europe/Berlim", "Europe/Berlin"),
                         ("new york", "America/New_York"), ("Sidney", "Australia/Sydney")])
def test_near_zones_are_named(name: str, near: str) -> None:
    """By the city, or by the whole name; the nearest stands first."""
    assert near_zones(name)[0] == near


def test_nothing_is_near_to_what_is_no_place() -> None:
    """Then no zone is suggested."""
    assert near_zones("half past nine") == ()


def test_the_table_says_what_is_left() -> None:
    """In days and hours; what has passed says nothing, and what has its local time beside it is left out."""
    body = "It began on Sun 29 Nov 2026 10:00 UTC. Due by Tue 1 Dec 2026 10:00 UTC (Tue\n1 Dec 11:00 CET)."
    body += " It ends on\nThu 3 Dec 2026 12:30 UTC."

    assert zone_table(body, "Europe/Berlin", 1_796_032_800) == (
        "The same in Europe/Berlin:\n"
        "  Sun 29 Nov 2026 10:00 UTC  Sun 29 Nov 11:00 CET\n"
        "  Thu 3 Dec 2026 12:30 UTC   Thu 3 Dec 13:30 CET   in 3 days")


def test_the_longest_table_has_room_in_letters_of_one_size() -> None:
    """So many bytes are kept free for it where a letter's size must tell nothing."""
    body = "\n".join(f"Wed {day} Dec 2026 10:00:05 UTC" for day in range(10, 29))

    assert octets(zone_table(body, "Australia/Adelaide", 0)) < ROOM
