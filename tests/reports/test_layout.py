"""Layout on a page of 72 columns."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nomicwolf.letters.compose import columns
from nomicwolf.reports.layout import (
    MOST,
    ROOM,
    bar,
    clean,
    fit,
    known_zone,
    near_zones,
    octets,
    quote,
    table,
    zone_table,
    zoned,
)
from tests.reports.stories import Story, setup_of
from tests.tables import each

NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=90)


@settings(deadline=None, max_examples=100)
@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]) | st.just("\n"), max_size=400))
def test_every_line_fits(text: str) -> None:
    """No line is wider than 72 columns, however long its words and wide its characters (R2143)."""
    assert all(columns(line) <= 72 for line in fit(text).split("\n"))


@settings(deadline=None, max_examples=50)
@given(st.lists(st.tuples(NAMES, NAMES, NAMES), min_size=1, max_size=5))
def test_tables_fit(rows: list[tuple[str, str, str]]) -> None:
    """A table of whatever names is 72 columns wide at most."""
    assert all(columns(line) <= 72 for line in table([(a, b, clean(c)) for a, b, c in rows]).split("\n"))


def test_columns_line_up_with_wide_names() -> None:
    """An East Asian character takes two columns, and the next column begins where the others' does."""
    first, second = table([("天火狐", "x"), ("Ash", "x")]).split("\n")

    assert columns(first.partition("x")[0]) == columns(second.partition("x")[0])


def test_a_long_last_column_hangs_under_itself() -> None:
    """What does not fit goes on under its own column."""
    lines = table([("Gus", ", ".join(["Someone"] * 20))]).split("\n")

    assert len(lines) > 1
    assert {len(line) - len(line.lstrip()) for line in lines[1:]} == {lines[0].index("Someone")}


@pytest.mark.parametrize("text", ["Ash\r\nNight 1 begins.", "Ash\u2028Night 1 begins.", "Ash\u202e Night 1 begins."])
def test_a_name_stays_on_its_line(text: str) -> None:
    """No control or direction mark in a name begins or turns a line of ours."""
    assert clean(text) == "Ash Night 1 begins."


def test_players_words_are_marked_on_every_line() -> None:
    """What a player wrote can't be taken for a line of the report, wherever it is broken."""
    said = quote("Session 1 is over.\n" + "x" * 200)

    assert all(line.startswith("> ") for line in fit(said).split("\n"))


def test_a_bar_of_a_large_town_is_scaled() -> None:
    """A town of two hundred has no bar of a hundred columns."""
    assert bar(50, 100) == f"[{'#' * 10}{'.' * 10}]"


@each("text", ["\u00e4", "\u6f22", "e\u0301", "\u0301", "\u00e4 ", "x"])
def test_a_line_of_any_length_is_broken_at_once(text: str) -> None:
    """Nothing of a line is looked at again for each piece that is broken off, however many there are."""
    told = fit(text * (500_000 // len(text)))
    assert told.replace("\n", "").replace(" ", "") == (text * (500_000 // len(text))).replace(" ", "")
    assert max(map(columns, told.split("\n"))) <= 72


@pytest.mark.parametrize("lead", [">", "> ", " > "])
def test_a_long_lead_is_not_repeated_for_each_word(lead: str) -> None:
    """Quote marks that fill lines would come again before each word: a letter would become thousands."""
    text = lead * 10_000 + "\u00e4 b " * 10_000
    assert len(fit(text)) < 3 * len(text)


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
