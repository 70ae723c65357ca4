"""The demo: a whole contest over real mail, with players who write as people do."""

from nomicwolf.demo.decks import usual
from nomicwolf.demo.playing import Play, Show
from nomicwolf.demo.running import Demo, DemoError, run_demo

__all__ = ["Demo", "DemoError", "Play", "Show", "run_demo", "usual"]
