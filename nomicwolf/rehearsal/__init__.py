"""Contests on paper."""

from nomicwolf.rehearsal.outcome import Played, check
from nomicwolf.rehearsal.play import rehearse
from nomicwolf.rehearsal.script import Script, ScriptError, Step, read_script

__all__ = ["Played", "Script", "ScriptError", "Step", "check", "read_script", "rehearse"]
