"""Win rates, exact or from games played."""

from nomicwolf.odds.playing import POLICIES, one_session
from nomicwolf.odds.rates import Odds, Rate, chances, moves, odds, wilson

__all__ = ["POLICIES", "Odds", "Rate", "chances", "moves", "odds", "one_session", "wilson"]
