"""The hour at which somebody wrote by night stands nowhere for all to see: not in letters, not in what is dated."""

from __future__ import annotations

from nomicwolf.archive.records import record_file
from nomicwolf.reports.archive import Posted, publish
from tests.secrecy.worlds import START, World, Written

HOUR = 3600
DEAL = (("Ash", "gadianton"), ("Bex", "gadianton"), ("Cam", "prophet"), ("Dov", "nephite"), ("Eli", "nephite"),
        ("Fay", "nephite"), ("Gus", "nephite"), ("Hal", "nephite"))


def seen_by_all(hour: int) -> tuple[bytes, list[tuple[int, str, str]]]:
    """The record and the public letters of night 1 and its morning, if the Prophet asks at *hour* of it."""
    world = World("gadianton", DEAL, switches={"answer_aloud": "on"})
    posted = list(world.sent)
    asked = Written(START + hour * HOUR + 77, "Cam", "contestmaster", "see Ash")
    for step in range(1, 16):
        until = START + 6 * step * HOUR
        posted += world.poll(until, [asked] if until - 6 * HOUR <= asked.at < until else [])[0]
    assert world.contest.running is not None
    assert world.contest.running.place == "day 1"
    public = [x for x in posted if x.kind == "public"]
    record = record_file(publish(world.contest, [Posted(x, f"<{n}@x.example>") for n, x in enumerate(public)]))
    return record, [(x.at, x.subject, x.body) for x in public]


def test_an_answer_said_aloud_does_not_tell_when_it_was_asked_for() -> None:
    """GA 3ii aloud: whoever carries the mail knows whose letter came in at that second."""
    early, late = seen_by_all(3), seen_by_all(50)

    assert early == late
    assert any("The answer was yes." in body for _, _, body in early[1])
