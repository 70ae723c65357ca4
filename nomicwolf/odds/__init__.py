"""Win rates: exact where lynching is by lot and roles are none, else by playing whole sessions through the engine."""

from nomicwolf.odds.exact import chances
from nomicwolf.odds.playing import POLICIES, one_session
from nomicwolf.odds.rates import Odds, Rate, odds, wilson

__all__ = ["POLICIES", "Odds", "Rate", "chances", "odds", "one_session", "wilson"]
