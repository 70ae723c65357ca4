"""A contest over real mail on loopback."""

from nomicwolf.demo.play import Demo, DemoError, Play, Show, run_demo
from nomicwolf.demo.players import usual

__all__ = ["Demo", "DemoError", "Play", "Show", "run_demo", "usual"]
