"""Every case of ``vote_cases.json``: the resolution at one instant, and days."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from nomicwolf.village.ballots import After, AsOfNow, Ballot, Copy, For, If, Nobody, Town, Votes
from nomicwolf.village.day_replay import Cast, Check, DayOutcome, Policy, Record, effective, next_threshold, replay_day
from nomicwolf.village.resolution import resolve
from tests.tables import each
from tests.village import oracle
from tests.village.vote_trees import CASES, ballot, seconds, town

STATIC = pytest.mark.parametrize("case", CASES["static"], ids=lambda case: case["id"])
REASON = {"ring": "circular", "not-public": "secret"}


@STATIC
def test_case_comes_to_what_the_page_says(case: dict[str, Any]) -> None:
    """NC 3: values, reasons and the majority are as the case expects."""
    table = resolve(town(case["town"]), {voter: ballot(tree) for voter, tree in case["ballots"].items()})

    assert dict(table.values) == case["expect"]
    assert table.lynched == case["majority"]
    flagged = {voter: status for voter, status in table.statuses.items() if status in ("circular", "paradox", "secret")}
    assert flagged == {voter: REASON.get(why, why) for voter, why in case["flags"].items()}


@STATIC
def test_oracle_agrees_with_the_page(case: dict[str, Any]) -> None:
    """The judge of the other tests knows the cases too."""
    votes, flags = oracle.resolve(town(case["town"]), {voter: ballot(tree) for voter, tree in case["ballots"].items()})

    assert votes == case["expect"]
    assert flags == {voter: REASON.get(why, why) for voter, why in case["flags"].items()}


LISTS = ("agora", "b")


def first_copies(events: list[dict[str, Any]], policy: Policy) -> list[dict[str, Any]]:
    """One message on several lists is one message, at its earliest effective time (T022)."""
    copies: dict[tuple[str, int], dict[str, Any]] = {}
    for event in events:
        at = effective(seconds(event["date"]), seconds(event["received"]), policy)
        name = (event["mid"], event.get("part", 0))
        if name not in copies or at < copies[name]["at"]:
            copies[name] = {**event, "at": at}
    return list(copies.values())


def played(case: dict[str, Any]) -> tuple[list[Check], list[str]]:
    """The lynchings of *case*, up to its watermark, and whose votes are void.

    The lynching of a Hunter leaves the day open (D-N12): it is counted on from there, with the ballots that stand.
    """
    day, policy = case["day"], case.get("policy", "clamped")
    votes = [event for event in case["events"] if event["kind"] == "vote"]
    poll = seconds(case["poll"])
    casts = sorted((
        Cast(
            (copy["at"], 2, seconds(copy["received"]), LISTS.index(copy["list"]), copy["uid"], copy.get("part", 0)),
            copy["who"], ballot(copy["ballot"]),
        )
        for copy in first_copies([vote for vote in votes if seconds(vote["received"]) <= poll], policy)
    ), key=lambda cast: cast.key)
    records = [
        Record(
            (seconds(event["at"]), 1),
            dead=tuple(event["who"]) if event["kind"] == "kill" else (),
            disclosed={event["who"]: event["role"]} if event["kind"] == "disclose" else {},
        )
        for event in case["events"] if event["kind"] != "vote"
    ]
    until = min([poll - case.get("grace", 0), *(seconds(e["at"]) for e in case["events"] if e.get("ends_day"))])
    late = [cast.who for cast in casts if until < cast.key[0] <= poll - case.get("grace", 0)]
    start, found, standing = town({**day, "now": day["start"]}), list[Check](), dict[str, Ballot]()
    while True:
        outcome = replay_day(start, casts, records, until, standing=standing)
        check = outcome.lynching
        found += [check] if check else []
        if check is None or check.table.lynched not in day.get("hunters", ()):
            return found, [*(void.cast.who for void in outcome.void), *late]
        standing |= {cast.who: cast.ballot for cast in casts if cast.key[0] <= check.at}
        casts = [cast for cast in casts if cast.key[0] > check.at]
        records = [record for record in records if record.key[0] > check.at]
        start = replace(start, living=tuple(who for who in start.living if who != check.table.lynched), now=check.at)


@each("case", CASES["temporal"])
def test_day_ends_when_the_page_says(case: dict[str, Any]) -> None:
    """NC 3: lynched at the instant, and by the votes, that the case expects; later and foreign votes are void."""
    lynchings, void = played(case)

    assert [(one.at, one.table.lynched) for one in lynchings] == [(seconds(at), who) for at, who in case["expect"]]
    assert set(void) == set(case["void"])


def test_forum_policy_takes_the_forum_s_stamp() -> None:
    """The default of votes.md 2.4; the others clamp the sender's date, or believe it."""
    assert effective(100, 900) == 900
    assert [effective(date, 900, "clamped") for date in (100, 850, 999)] == [300, 850, 900]
    assert effective(100, 900, "date") == 100
    assert effective(100, 900, "clamped", tolerance=60) == 840


def test_copy_takes_the_vote_of_the_instant_of_casting() -> None:
    """``copy Bex`` is not moved by Bex's later vote; ``as of now`` neither."""
    start = Town(tuple("ABCDEFG"))
    pinned = If(AsOfNow(Votes("B", "D")), For("D"), Nobody())
    outcome = replay_day(start, [
        Cast((1,), "B", For("D")), Cast((2,), "A", Copy("B")), Cast((3,), "C", pinned), Cast((4,), "B", For("E")),
    ])

    assert [outcome.table.values[who] for who in "ABC"] == ["D", "E", "D"]


def test_instants_come_before_everything_else_stamped_the_same() -> None:
    """A threshold at 10 makes the majority before a retraction stamped 10 is heard."""
    start = Town(("A", "B", "C"))
    casts = [
        Cast((1, 2), "A", For("C")), Cast((2, 2), "B", If(After(10), For("C"), Nobody())), Cast((10, 2), "A", Nobody()),
    ]
    outcome = replay_day(start, casts, until=20)

    assert ended(outcome) == (10, "clock", "C")
    assert [(void.cast.who, void.why) for void in outcome.void] == [("A", "over")]


def test_next_threshold_is_the_first_one_ahead() -> None:
    """Half-open: not the present instant, but the last one looked at."""
    ballots = [If(After(10), For("A")), If(After(5), For("A"), If(After(7), For("B")))]
    assert next_threshold(ballots, 5, 20) == 7
    assert next_threshold(ballots, 7, 10) == 10
    assert next_threshold(ballots, 10, 20) is None


def test_what_a_day_came_to_is_told_with_its_reasons() -> None:
    """NC 3: which votes are void and why, by whose vote it ended and when, and what stood before."""
    start = Town(("A", "B", "C"), now=100)
    casts = [Cast((at, 2), who, For(whom)) for at, who, whom in (
        (99, "A", "B"), (100, "A", "B"), (105, "Z", "B"), (110, "C", "B"), (120, "B", "C"))]
    outcome = replay_day(start, casts, [Record((102, 1), disclosed={"Z": "villager"})], 200)

    assert [(void.cast.key[0], void.why) for void in outcome.void] == [
        (99, "before"), (105, "not living"), (120, "over")]
    assert (ended(outcome), outcome.table.counts) == ((110, "C", "B"), {"B": 2})

    timed = replay_day(start, [Cast((101, 2), "A", If(After(150), For("B"))), Cast((102, 2), "C", For("B"))], [], 200)
    assert ended(timed) == (150, "clock", "B")
    killed = replay_day(replace(start, living=("A", "B", "C", "D")), casts[1:2] + casts[3:4],
                        [Record((115, 1), dead=("D",))], 200)
    assert ended(killed) == (115, "record", "B")


def test_a_majority_for_another_than_is_asked_for_ends_nothing() -> None:
    """As with verdicts, of which those that are not guilty end no trial before its time."""
    casts = [Cast((at, 2), who, For(whom)) for at, who, whom in (
        (1, "A", "B"), (2, "C", "B"), (3, "B", "C"), (4, "A", "C"))]
    assert ended(replay_day(Town(("A", "B", "C")), casts, only="C")) == (4, "A", "C")


def ended(outcome: DayOutcome) -> tuple[int, str, str | None]:
    """When the day ended, by what, and who was lynched."""
    assert outcome.lynching is not None
    return outcome.lynching.at, outcome.lynching.cause, outcome.lynching.table.lynched
