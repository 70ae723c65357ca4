"""The calculator: the promised shape, every status, and errors that say what to write (commands.md, part 4)."""

from __future__ import annotations

from typing import Any

import pytest

from nomicwolf.tally import TallyError, load_tally, tally, tally_text
from tests.tables import each
from tests.village.vote_trees import CASES

EXAMPLE = """
townspersons: [Ash, Bex, Cam, Dov]
now: 2026-12-01T12:00:00Z            # for conditions that name a time
phase: day 2
killed: [Gus]                        # in order, public
disclosed: {Gus: not a werewolf}     # what has been published
votes:                               # in the order in which they were cast; a mapping, or a list of {by, vote, at}
  Ash: "Dov if Bex is voting for Dov, otherwise nobody"
  Bex: "endorse Cam"
  Cam: "Dov"
"""


def town(votes: str, more: str = "") -> dict[str, Any]:
    """The tally of five townspersons."""
    return tally(load_tally(f"townspersons: [Ash, Bex, Cam, Dov, Eli]\nkilled: [Zed]\n{more}\nvotes:\n{votes}"))


def test_the_promised_example() -> None:
    """To the letter."""
    assert tally(load_tally(EXAMPLE)) == {
        "schema": 1, "majority": 3, "counts": {"Dov": 3}, "lynched": "Dov",
        "votes": {
            "Ash": {"value": "Dov", "status": "determined", "why": ["Bex is voting for Dov", "so Dov"]},
            "Bex": {"value": "Dov", "status": "determined", "why": ["endorses Cam", "Cam votes for Dov"]},
            "Cam": {"value": "Dov", "status": "determined", "why": []},
            "Dov": {"value": None, "status": "no vote", "why": []},
        },
    }


def test_the_same_in_json() -> None:
    """Votes as a list, with times."""
    text = """{"townspersons": ["Ash", "Bex", "Cam", "Dov"], "phase": "day 2", "votes": [
        {"by": "Cam", "vote": "Ash", "at": "2026-12-01T09:00:00Z"}, {"by": "Ash", "vote": "copy Cam"},
        {"by": "Cam", "vote": "Dov"}, {"by": "Bex", "vote": "endorse Cam"}], "facts": {"x": true}}"""
    result = tally(load_tally(text))
    assert {who: vote["value"] for who, vote in result["votes"].items()} == {
        "Ash": None, "Bex": "Dov", "Cam": "Dov", "Dov": None,
    }
    assert result["votes"]["Ash"]["status"] == "invalid"


@each(("votes", "who", "value", "status"), [
    ("  Ash: nobody", "Ash", None, "determined"),
    ("  Bex: Ash", "Ash", None, "no vote"),
    ("  Ash: Ash", "Ash", None, "invalid"),
    ("  Ash: Zed", "Ash", None, "invalid"),
    ("  Ash: Quill", "Ash", None, "invalid"),
    ("  Ash: Quill if Bex is alive, otherwise Cam", "Ash", None, "invalid"),
    ("  Ash: Quill if Bex is dead, otherwise Cam", "Ash", "Cam", "determined"),
    ("  Ash: Quill, otherwise Old Moll, otherwise Cam", "Ash", "Cam", "determined"),
    ("  Ash: endorse Quill", "Ash", None, "determined"),
    ("  Ash: endorse Bex\n  Bex: Ash", "Ash", None, "invalid"),
    ("  Ash: endorse Zed", "Ash", None, "determined"),
    ("  Ash: endorse Bex", "Ash", None, "determined"),
    ("  Ash: endorse Ash", "Ash", None, "circular"),
    ("  Ash: endorse Bex\n  Bex: endorse Ash", "Bex", None, "circular"),
    ("  Ash: Bex if Ash is voting for Bex, otherwise nobody", "Ash", None, "circular"),
    ("  Ash: Bex if Ash is voting for nobody, otherwise nobody", "Ash", None, "paradox"),
    ("  Ash: Bex if Bex was a werewolf, otherwise nobody", "Ash", None, "secret"),
    ('  Ash: "Bex if \\"p\\" is so, otherwise nobody"', "Ash", None, "secret"),
    ("  Ash: endorse Bex or else Zed or else Cam", "Ash", "Cam", "determined"),
    ("  Ash: endorse Bex or else Zed", "Ash", None, "invalid"),
    ("  Ash: Bex if Yan is dead, otherwise Cam", "Ash", "Cam", "determined"),
    ("  Ash: Bex unless Yan is voting for Cam, otherwise nobody", "Ash", "Bex", "determined"),
    ("  Ash: Bex if Yan and 0x44 are voting alike, otherwise nobody", "Ash", "Bex", "determined"),
    ("  Ash: Bex if Yan was a werewolf, otherwise nobody", "Ash", None, "secret"),
    ("  Ash: Bex if Zed is dead, otherwise Cam", "Ash", "Bex", "determined"),
    ("  Ash: Ash if Zed is dead, otherwise Cam", "Ash", None, "invalid"),
])
def test_every_status(votes: str, who: str, value: str | None, status: str) -> None:
    """Nothing cast is no vote, nobody is determined; oneself and no townsperson are invalid."""
    vote = town(votes)["votes"][who]
    assert (vote["value"], vote["status"]) == (value, status)


def test_the_record_counts() -> None:
    """Sides, facts, phase and time."""
    votes = """
  Ash: "Bex if Zed was a villager, otherwise nobody"
  Bex: "Cam if it is day 2 and it is after 2026-12-01T12:00Z, otherwise nobody"
  Cam: "Dov if \\"p\\" is so, otherwise nobody"
  Dov: "Eli if it is night, otherwise nobody"
"""
    more = "now: 2026-12-01T12:00Z\nphase: day 2\ndisclosed: {Zed: not a werewolf}\nfacts: {p: true}"
    values = [vote["value"] for vote in town(votes, more)["votes"].values()]
    assert values == ["Bex", "Cam", "Dov", None, None]


def test_names_that_look_like_something_else() -> None:
    """Scalars are texts."""
    data = load_tally("townspersons: [No, 0x44, 1e3]\nvotes: {No: 0x44, 1e3: endorse No}")
    assert tally(data)["counts"] == {"0x44": 2}


def test_counts_are_ordered() -> None:
    """Most first, then in the order of seats; those without votes are left out."""
    result = town("  Ash: Eli\n  Bex: Cam\n  Cam: Bex\n  Dov: Cam")
    assert list(result["counts"].items()) == [("Cam", 2), ("Bex", 1), ("Eli", 1)]
    assert result["lynched"] is None


def test_a_later_vote_replaces_an_earlier_one() -> None:
    """In the order of times if every vote has one, else as listed; the dead's earlier votes count for nothing."""
    votes = """
  - {by: Ash, vote: Cam, at: 2026-12-01T10:00Z}
  - {by: Zed, vote: Cam, at: 2026-12-01T08:00Z}
  - {by: Ash, vote: Bex, at: 2026-12-01T09:00Z}
"""
    assert town(votes)["counts"] == {"Cam": 1}


@pytest.mark.parametrize("retracted", ["unvote", "I retract my vote.", '""'])
def test_what_retracts_a_vote_is_for_nobody(retracted: str) -> None:
    """As in a session: what was cast before is gone, and the vote is an explicit one for nobody."""
    result = town(f"  - {{by: Ash, vote: Cam}}\n  - {{by: Ash, vote: {retracted}}}")
    assert (result["counts"], result["votes"]["Ash"]["status"]) == ({}, "determined")


@each(("text", "key", "words"), [
    ("votes: {}", "townspersons", "list the living"),
    ("townspersons: [Ash, Ash]", "townspersons", "stands twice"),
    ("townspersons: Ash", "townspersons", "no list"),
    ("townspersons: [Ash, [Bex]]", "townspersons", "no name"),
    ("townspersons: [Ash]\nkiled: [Gus]", "kiled", "write `killed`"),
    ("townspersons: [Ash]\nkilled: [Ash]", "killed", "among the townspersons"),
    ("townspersons: [Ash]\nphase: dusk", "phase", "write `phase: day 2`"),
    ("townspersons: [Ash]\nnow: soon", "now", "2026-12-01T12:00:00Z"),
    ("townspersons: [Ash]\ndisclosed: {Ash: jester}", "disclosed", "not a werewolf"),
    ("townspersons: [Ash]\ndisclosed: {Ahs: werewolf}", "disclosed", "write Ash"),
    ("townspersons: [Ash]\ndisclosed: [Ash]", "disclosed", "no mapping"),
    ("townspersons: [Ash]\nfacts: {p: maybe}", "facts", "true or false"),
    ("townspersons: [Ash, Bex]\nvotes: {Bx: Ash}", "votes: Bx", "write Bex"),
    ("townspersons: [Ash, Bex]\nvotes: {Ash: Bex when pigs fly}", "votes: Ash", "column"),
    ("townspersons: [Ash, Bex]\nvotes: {Ash: endorse Bx}", "votes: Ash", "did you mean Bex"),
    ("townspersons: [Ash, Bex]\nvotes: {Ash: Bex if Bx is dead}", "votes: Ash", "did you mean Bex"),
    ("townspersons: [Ash, Bex]\nvotes: {Ash: Bex if Rain falls}", "votes: Ash", "“Rain”"),
    ("townspersons: [Ash, Bex]\nvotes: {Ash: Bex if Most are dead}", "votes: Ash", "“Most”"),
    ("townspersons: [Ash, Bex]\nvotes: {Ash: Bex if rain is dead}", "votes: Ash", "“rain”"),
    ("townspersons: [Ash, Bex]\nvotes: Ash", "votes", "neither"),
    ("townspersons: [Ash, Bex]\nvotes: [Ash]", "votes: entry 1", "{by: Ash"),
    ("townspersons: [Ash, Bex]\nvotes: {Ash: Bex if it is after 2026-12-01T12:00Z}", "now", "names a time"),
    ("townspersons: [Ash, Bex]\nnow: 2026-12-01T12:00Z\nvotes: [{by: Ash, vote: Bex, at: 2026-12-02T12:00Z}]",
     "votes: entry 1, by Ash", "later"),
    ("- a list", "the input", "townspersons: [...]"),
    ("a: [", "the input", "line 1"),
])
def test_errors_name_the_key_and_what_to_write(text: str, key: str, words: str) -> None:
    """Bad input gets a clear error."""
    with pytest.raises(TallyError) as caught:
        tally(load_tally(text))
    assert caught.value.key == key
    assert words in str(caught.value)


REASON = {"ring": "circular", "not-public": "secret"}


@each("case", CASES["static"])
def test_cases_in_canonical_text(case: dict[str, Any]) -> None:
    """Every case of one instant, through its text."""
    public = case["town"]
    data = {
        "townspersons": public["voters"], "killed": public.get("killed", []), "disclosed": public.get("roles", {}),
        "phase": f"day {public.get('day', 1)}", "now": public.get("now", ""), "facts": public.get("facts", {}),
        "votes": case["votes"],
    }
    result = tally(data)

    assert {who: vote["value"] for who, vote in result["votes"].items()} == case["expect"]
    assert result["lynched"] == case["majority"]
    for who, why in case["flags"].items():
        assert result["votes"][who]["status"] == REASON.get(why, why)


def test_the_text_for_people() -> None:
    """Votes in order, reasons as footnotes, at most 72 columns."""
    text = tally_text(tally(load_tally(EXAMPLE)))
    assert text == """\
Votes of 4 townspersons; a majority is 3.

  Ash: Dov [1]
  Bex: Dov [2]
  Cam: Dov
  Dov: nobody (no vote)

Dov 3. Dov has a majority.

[1] Bex is voting for Dov; so Dov
[2] endorses Cam; Cam votes for Dov
"""
    long = tally_text(town('  Ash: "Bex if Cam is alive and Ash is voting for nobody and Dov is alive"'))
    assert max(len(line) for line in long.splitlines()) <= 72
