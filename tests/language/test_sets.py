"""The sets that were written without sight of the reader: it does not fall back behind what it has reached on them."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.language.scoring import SETS, plain, rows, score, unchanged

REACHED = {
    "agorans-1": (0.93, 1), "agorans-2": (0.88, 1), "agorans-3": (0.84, 2), "agorans-4": (0.86, 0),
    "agorans-5": (0.91, 1), "agorans-6": (0.92, 0), "agorans-7": (0.77, 2), "agorans-8": (0.90, 3),
    "agorans-9": (0.84, 1), "attic-letters": (0.90, 4), "blue-door": (0.89, 2), "brass-lamp": (0.78, 4),
    "copper-kettle": (0.86, 2), "corner-shop": (0.87, 1), "eight-hands": (0.76, 1), "ferry-tickets": (0.76, 0),
    "first-frost": (0.88, 2), "foreign": (0.88, 1), "green-door": (0.68, 1), "green-ink": (0.86, 1),
    "harbour": (0.69, 2), "hurried": (0.94, 0), "kitchen-table": (0.91, 1), "late-bus": (0.84, 1),
    "library-roles": (0.98, 5), "library-verbs": (0.66, 4), "lighthouse": (0.72, 2), "long-winter": (0.89, 1),
    "many-lands": (0.85, 1), "market-day": (0.87, 1), "night-bus": (0.82, 2), "night-shift": (0.87, 1),
    "night-train": (0.82, 2), "oak-table": (0.82, 2), "old-hands": (0.76, 3), "old-mill": (0.84, 3),
    "open-window": (0.88, 0), "paper-boat": (0.87, 0), "paper-lantern": (0.91, 2), "quiet-harbour": (0.83, 2),
    "rainy-day": (0.84, 1), "salt-marsh": (0.87, 3), "slow-train": (0.87, 0), "stone-bridge": (0.81, 1),
    "tea-break": (0.91, 1), "teenage": (0.91, 1), "ten-players": (0.91, 4), "twelve-mails": (0.79, 5),
    "weekday-mails": (0.90, 2), "white-heron": (0.86, 2), "winter-coat": (0.74, 1),
}
"""The share of plain deeds that is done at least, and how many rows come to a wrong deed at most."""


@pytest.mark.parametrize("name", REACHED)
def test_a_set_stays_understood(name: str) -> None:
    """Plain deeds are done, and few rows come to a wrong one; how few is what the reader still has to get to."""
    judged = [(row, score(row)[0]) for row in rows(SETS / f"{name}.jsonl")]
    only = Counter(how for row, how in judged if plain(row))
    done, wrong = REACHED[name]
    assert only["right"] >= done * only.total()
    assert sum(how == "wrong" for _, how in judged) <= wrong


def test_traps_do_nothing() -> None:
    """No row that only holds the words of a deed comes to one, but for a call for help."""
    wrong = [row["text"] for row in rows(SETS / "traps.jsonl") if score(row)[0] == "wrong"]
    assert all(text.startswith("Help!") for text in wrong)
    assert len(wrong) <= 1


@pytest.mark.parametrize("name", REACHED)
def test_talk_does_nothing(name: str) -> None:
    """No row of mere talk comes to a deed, and at most two are asked about."""
    talk = [score(row)[0] for row in rows(SETS / f"{name}.jsonl") if row["kind"] == "talk"]
    assert talk.count("wrong") == 0
    assert talk.count("needless") <= 2


def test_no_row_ends_in_an_exception() -> None:
    """Whoever writes it, and wherever it goes: a row is read as each role in turn, in both channels."""
    roles = ("cupid", "hunter", "seer", "werewolf", "witch", "villager")
    everything = [row for name in REACHED for row in rows(SETS / f"{name}.jsonl")]
    for number, row in enumerate(everything):
        for to in ("forum", "contestmaster"):
            how, _ = score({**row, "to": to, "role": roles[number % len(roles)], "ruleset": "nomic-crossing"})
            assert how in {"right", "asked", "silent", "needless", "wrong"}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["agorans-9", "market-day", "rainy-day"])
def test_changes_that_change_nothing(name: str) -> None:
    """Of readings with "ok," in front, in bold, wrapped, signed and so on at least 99 % stay what they were."""
    same, changed = unchanged(SETS / f"{name}.jsonl")
    assert same >= 0.99 * changed
