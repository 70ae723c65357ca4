"""Entries and what tells of them, as few bytes: each is there once, and the same one again afterwards."""

from __future__ import annotations

from functools import partial

from nomicwolf.nomic.events import Noted
from nomicwolf.run import pressing, snapshots
from nomicwolf.village.events import Entry


def entry(number: int) -> Entry:
    """Return an entry of that number."""
    return Entry(number, 1_000 + number, Noted("topic", f"said {number % 7}"))


def test_what_is_told_of_twice_is_one_value_again() -> None:
    """Entries come back in their order, over several pieces; those told of elsewhere are the very same ones."""
    entries = [*map(entry, range(31, 31 + 2 * pressing._TOGETHER + 5))]
    rest = {"some": entries[3:2000:7], "last": {1: entries[-1]}}
    data = pressing.pressed(entries, rest, partial(snapshots._place, entries))
    found, told = pressing.unpressed(data, snapshots._Reader)
    assert (found, told) == (entries, rest)
    assert all(one is found[one.number - 31] for one in (*told["some"], told["last"][1]))


def test_an_entry_that_only_looks_like_one_is_itself() -> None:
    """One that was told otherwise, as after a player was replaced, isn't taken for the record's of that number."""
    entries = [entry(1), entry(2)]
    renamed = Entry(2, 1_002, Noted("topic", "otherwise"))
    data = pressing.pressed(entries, [renamed, entries[0], entry(3)], partial(snapshots._place, entries))
    assert pressing.unpressed(data, snapshots._Reader) == (entries, [renamed, entries[0], entry(3)])


def test_nothing_before_the_rest() -> None:
    """A contest in which nothing has been told has no entries, and is as it was."""
    assert pressing.unpressed(pressing.pressed([], {"a": 1}, lambda value: None), snapshots._Reader) == ([], {"a": 1})
