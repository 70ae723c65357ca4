"""Sentences that could be meant as a deed of the law around the game, or as a choice: what their authors are asked.

Whoever objects, joins or leaves in words that can't be taken must not be passed over: an action that a member has
tried to stop would happen (NC 1c, D-N35), and someone would think that e plays.
"""

from __future__ import annotations

import re

from nomicwolf.reading.deeds import Problem
from nomicwolf.reading.errors import BallotError
from nomicwolf.reading.language import vocabulary
from nomicwolf.reading.lawful import OBJECTIONS
from nomicwolf.reading.performing import CONDITIONS, PARTY, Opening
from nomicwolf.reading.seeming import seems_joined
from nomicwolf.reading.sentences import Sentence

_SHARED = re.compile(r"I (?:also |too )?(?:second|share|echo|join(?: in)?)\b.{0,40}\bobjections?", re.IGNORECASE)
_OBJECTION = "if you object, write “I object to intent 1.” on a line of its own; you can withdraw it when you like"
_UNCONDITIONAL = "An objection stands or doesn't, and can't hang on a condition"
_CHOICE = "What is to happen to em? Say it with its verb: “attack NAME”, “see NAME”, “shoot NAME”; Lovers are two"
_BARE = len("I leave the ga")
_LATER = ("effective", "as of ", "from ", "on ", "next ", "tomorrow", "soon")
_STEADY = "Joining and leaving can't hang on a condition, or on a time to come."


def lawful_question(sentence: Sentence, stands: Opening) -> Problem | None:
    """Return the question about a *sentence* that does nothing as it stands, None where it is just talk."""
    if (stands.manner == "doubt" and stands.kinds & OBJECTIONS) or _SHARED.fullmatch(sentence.text.strip(" .!")):
        return _problem(sentence, stands.at, (), _OBJECTION)
    if instead := seems_joined(sentence.text):
        return _problem(sentence, 0, (instead,), f"if you mean it, write “I {instead}.”")
    return None


def failure_question(sentence: Sentence, stands: Opening, error: BallotError) -> Problem | None:
    """Return the question about a *sentence* that objects, joins, leaves or chooses, and goes on in other words."""
    if stands.kinds == {"MATCH"} and error.problem == "not understood" and error.at > len(sentence.text) - stands.at:
        return Problem(sentence.line_at(stands.at), sentence.written, "not understood", (), _CHOICE)
    if stands.kinds & OBJECTIONS:
        return _problem(sentence, stands.at, (), f"{_UNCONDITIONAL}; {_OBJECTION}")
    if _SHARED.fullmatch(sentence.text.strip(" .!")):
        return _problem(sentence, stands.at, (), _OBJECTION)
    rest = sentence.text[stands.at + max(error.at - 1, 0):].lstrip(" ,;-(").casefold()
    if stands.kinds & PARTY and (_conditions_at(rest) or (error.at > _BARE and rest.startswith(_LATER))):
        verb = "leave" if "LEAVE" in stands.kinds else "join"
        hint = f"{_STEADY} When it is so, write “I {verb} this contract.”"
        return _problem(sentence, stands.at, (f"{verb} this contract",), hint)
    return None


def _conditions_at(text: str) -> bool:
    return any(kind in CONDITIONS for _, kind in vocabulary().matches(text, 0))


def _problem(sentence: Sentence, at: int, suggestions: tuple[str, ...], hint: str) -> Problem:
    return Problem(sentence.line_at(at), sentence.written, "ambiguous", suggestions, hint)
