"""Times in the forum's own zone, beside UTC."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nomicwolf.reports.zones import MOST, zoned
from tests.reports.stories import Story, setup_of

BODY = "Day 1 began.\nVote by Sun 6 Dec 2026 23:30 UTC, or on Tue\n1 Dec 2026 10:00:05 UTC.\n> Mon 2 Nov 2026 10:00 UTC"


def test_instants_are_repeated_in_the_zone() -> None:
    """In order, dates of their own, lines folded within an instant or not; quotes are left out."""
    assert zoned(BODY, "Europe/Berlin") == (
        f"{BODY}\n\nThe same in Europe/Berlin:\n"
        "  Tue 1 Dec 2026 10:00:05 UTC  Tue 1 Dec 2026 11:00:05 CET\n"
        "  Sun 6 Dec 2026 23:30 UTC     Mon 7 Dec 2026 00:30 CET")


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
    assert lines[-1].endswith("Mon 28 Dec 2026 05:00 EST")


def test_letters_to_one_forum_have_its_zone() -> None:
    """The forum with a zone gets the table at the end of its letters, within 72 columns; the other the text alone."""
    setup = setup_of()
    first, second = setup.forums
    story = Story(setup=replace(setup, forums=(replace(first, zone="Australia/Sydney"), second)))
    letters = {o.forum: o.body for o in story.start() if o.kind == "public"}

    assert "The same in Australia/Sydney:" in letters[first.nomic]
    assert letters[first.nomic].startswith(letters[second.nomic].rstrip("\n"))
    assert max(map(len, letters[first.nomic].splitlines())) <= 72
