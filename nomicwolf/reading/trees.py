"""The one tree builder, put together from a part for each grammar file."""

from __future__ import annotations

from nomicwolf.reading.conditions import ConditionRules, PredicateRules, PublicRules
from nomicwolf.reading.values import BallotRules


class Builder(ConditionRules, PredicateRules, PublicRules, BallotRules):
    """Every rule of the grammar has its method in one of the parts."""
