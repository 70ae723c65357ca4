"""What of a flood is still untold, and when everyone's next letters go out."""

from __future__ import annotations

from nomicwolf.nomic.caps import OVER, Spent, count_entry, spent_today
from nomicwolf.nomic.delivery import Batched, Cover, evolve_cover, next_batch
from nomicwolf.nomic.events import LetterHeard, Noted
from nomicwolf.nomic.setup import DAY, HOUR
from nomicwolf.village.events import Entry

DAY_ONE = 20_000


def held(at: int) -> LetterHeard:
    """Return a letter of Ash's that was held because eir day was used up, and arrived at *at* (UTC seconds)."""
    return LetterHeard("", "", "", "Ash", "held", "agora", f"{OVER}5 letters a day", 0, 0, at, "forum")


def test_what_no_digest_has_told_is_carried_over_midnight() -> None:
    """D-N47: the sum counts from the first day that wasn't told of; once it is told, from the next flood's."""
    spent: dict[str, Spent] = {}
    for number, day in enumerate((DAY_ONE, DAY_ONE, DAY_ONE + 1), 1):
        count_entry(spent, Entry(number, day * DAY, held(day * DAY)))
    assert (spent["Ash"].over, spent["Ash"].untold, spent["Ash"].since) == (1, 3, DAY_ONE)
    assert spent_today(spent, "Ash", (DAY_ONE + 2) * DAY).untold == 3

    count_entry(spent, Entry(4, (DAY_ONE + 2) * DAY, Noted("digest", "")))
    count_entry(spent, Entry(5, (DAY_ONE + 4) * DAY, held((DAY_ONE + 4) * DAY)))
    assert (spent["Ash"].untold, spent["Ash"].since) == (1, DAY_ONE + 4)


def test_the_next_batch_is_later_than_the_last_and_than_the_phase() -> None:
    """D-N48: a slot before the night began tells nothing; a batch that is dated earlier takes none back."""
    midnight = DAY_ONE * DAY
    cover = Cover(("08:00", "20:00"), midnight + 9 * HOUR)

    assert next_batch(cover) == midnight + 20 * HOUR
    assert next_batch(cover, midnight + 20 * HOUR) == midnight + 32 * HOUR
    assert evolve_cover(cover, Entry(1, midnight, Batched("turn")), "night", ()).last == cover.last
