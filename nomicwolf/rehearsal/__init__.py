"""Rehearsals: contests on paper, played through the same path as mail does (``docs``: `nomicwolf rehearse`)."""

from nomicwolf.rehearsal.checking import check
from nomicwolf.rehearsal.playing import Played, rehearse
from nomicwolf.rehearsal.script import Script, ScriptError, Step, read_script

__all__ = ["Played", "Script", "ScriptError", "Step", "check", "read_script", "rehearse"]
