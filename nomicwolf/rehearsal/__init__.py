"""Contests on paper."""

from nomicwolf.rehearsal.checking import check
from nomicwolf.rehearsal.playing import rehearse
from nomicwolf.rehearsal.script import Script, ScriptError, Step, read_script
from nomicwolf.rehearsal.shown import Played

__all__ = ["Played", "Script", "ScriptError", "Step", "check", "read_script", "rehearse"]
