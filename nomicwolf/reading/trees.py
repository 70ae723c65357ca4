"""The one tree builder, put together from a part for each grammar file."""

from __future__ import annotations

from nomicwolf.reading.conditions import ConditionRules
from nomicwolf.reading.predicates import PredicateRules
from nomicwolf.reading.public import PublicRules
from nomicwolf.reading.values import BallotRules
from nomicwolf.reading.written import WrittenRules


class Builder(ConditionRules, PredicateRules, PublicRules, BallotRules, WrittenRules):
    """Every rule of the grammar has its method in one of the parts."""
