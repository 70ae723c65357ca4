"""Renaming everyone in a town and its ballots."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from nomicwolf.village.ballots import Ballot, Town


def renamed(town: Town, ballots: Mapping[str, Ballot], names: Mapping[str, str]) -> tuple[Town, dict[str, Ballot]]:
    """*town* and *ballots* with everyone called by eir new name; the new names sit in alphabetical order."""
    disclosed = {names.get(who, who): side for who, side in town.disclosed.items()}
    new = replace(town, living=tuple(sorted(names.values())), disclosed=disclosed)
    return new, {names[voter]: tree(ballot, names) for voter, ballot in ballots.items()}


def tree(part: Any, names: Mapping[str, str]) -> Any:
    """A ballot or condition with its names replaced."""
    if isinstance(part, tuple):
        return tuple(tree(one, names) for one in part)
    if is_dataclass(part) and not isinstance(part, type):
        return type(part)(*(tree(getattr(part, field.name), names) for field in fields(part)))
    return names.get(part, part) if isinstance(part, str) else part
