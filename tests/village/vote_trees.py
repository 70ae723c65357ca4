"""Ballots of ``vote_cases.json`` (nested lists) as trees, and their towns."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

from nomicwolf.village import ballots as b
from nomicwolf.village.ballots import Town

CASES: dict[str, list[dict[str, Any]]] = json.loads((Path(__file__).parent / "vote_cases.json").read_text("utf-8"))


def seconds(text: str | int) -> int:
    """UTC seconds of an ISO time (or of a number, as it is)."""
    return text if isinstance(text, int) else int(datetime.fromisoformat(text).timestamp())


def town(case: dict[str, Any]) -> Town:
    """The public record of a static case."""
    return Town(
        living=tuple(case["voters"]),
        dead=tuple(case.get("killed", ())),
        disclosed=case.get("roles", {}),
        day=case.get("day", case.get("number", 1)),
        now=seconds(case.get("now", 0)),
        facts=case.get("facts", {}),
    )


def ballot(tree: Any) -> b.Ballot:
    """A ballot from its nested lists."""
    if tree is None:
        return b.Nobody()
    if isinstance(tree, str):
        return b.For(tree)
    kind, *rest = tree
    if kind == "endorse":
        return b.Endorse(rest[0])
    if kind == "first":
        return b.FirstOf(tuple(ballot(part) for part in rest))
    return b.If(condition(rest[0]), *(ballot(part) for part in rest[1:]))


def condition(tree: Any) -> b.Condition:
    """A condition from its nested lists."""
    kind, *rest = tree
    others = bool(rest) and rest[-1] == "others"
    if others:
        del rest[-1]
    if kind == "not":
        return b.Not(condition(rest[0]))
    if kind in ("and", "or"):
        parts = tuple(condition(part) for part in rest)
        return b.And(parts) if kind == "and" else b.Or(parts)
    plain: dict[str, Any] = {
        "votes": b.Votes, "same": b.Alike, "alive": b.Alive, "killed": b.Dead, "role": b.Was, "day": b.Day,
        "phase": b.InPhase, "fact": b.Fact,
    }
    if kind in plain:
        atom: b.Condition = plain[kind](*rest)
        return atom
    if kind in ("after", "before"):
        return (b.After if kind == "after" else b.Before)(seconds(rest[0]))
    counting: dict[str, Any] = {
        "count": b.Count, "more": b.More, "atleast": b.AsMany, "majority": b.Majority, "cast": b.Cast,
        "leading": b.Leads, "top": lambda whom, others: b.Leads(whom, tied=True, others=others),
    }
    counted: b.Condition = counting[kind](*rest, others=others)
    return counted
