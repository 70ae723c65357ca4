"""Sentences that could be meant as a deed of some stage of a game, though they are not worded as one.

Only where the stage has such a deed are they asked about (`contest.missed`): elsewhere they are talk.
"""

from __future__ import annotations

import re

from nomicwolf.reading.everyday import INTERJECTION

_SECONDS = re.compile(
    r"\b(?:I(?:'ll| will|'d like to| would like to| want to| wish to| gladly| happily| also| do| hereby)?|me too,? I"
    r"|consider (?:it|that|this|em)) second(?:ed)?\b(?! (?:thoughts?|time|trial|night|day))"
    r"(?![^.!?]*\?)"
    rf"|^\W*(?:(?:{INTERJECTION}|\+ ?1|yes|yeah|yep|agreed|sure|accusation|motion|hereby|duly)[,.!:]* )*"
    r"second(?:ed|ing)?\b(?! (?:thoughts?|time|trial|night|day)\b)[^?]*$", re.IGNORECASE)
_ACCUSES = re.compile(
    rf"^\W*(?:{INTERJECTION}[, ]+)*(?:I (?!do|don't|would|might|may|could|will|can"
    r"|cannot|never|not|was|am|had|have)(?:\w+ ){0,2}accuse\b|(?:i'm |i am )?accusing\b|j'accuse\b"
    r"|(?:my )?accusation\b"
    r"|I (?:hereby )?(?:move|call for|demand|request|propose|want)\b[^?]*\b(?:convict(?:ed)?|trial|vote on|accusation)"
    r"\b|I (?:hereby )?(?:make|lodge|raise|bring|file|have) (?:\w+ ){0,2}accusation\b)[^?]*$", re.IGNORECASE)
_NOMINATES = re.compile(
    rf"^\W*(?:{INTERJECTION}[, ]+)*(?:I (?!do|don't|would|might|may|could|will|can|cannot|never|not|was|am|had|have)"
    r"(?:\w+ ){0,2}nominate\b|(?:i'm |i am )?nominating\b|(?:(?:i )?(?:\w+ )?(?:change|changing|switch|switching|move"
    r"|moving) )?my nomination\b|nominations?:)[^?]*$", re.IGNORECASE)
_JUDGES = re.compile(
    rf"^\W*(?:{INTERJECTION}[.,:;!]* )*(?:not )?(?:guilty|innocent)\b[^?]*$"
    r"|\bI (?:\w+ )?(?:vote|voted|say|find|judge|call|declare|convict|acquit|pronounce)\b[^.?!]*(?:guilty|innocent)"
    r"|\b(?:my (?:vote|verdict)|voting)\b[^.?!]*(?:guilty|innocent)", re.IGNORECASE)


def seems_to_second(line: str) -> bool:
    """Whether a *line* could be meant to second an accusation, where one could be (GA 5c)."""
    return bool(_SECONDS.search(line))


def seems_to_accuse(line: str) -> bool:
    """Whether a *line* could be meant as an accusation, where somebody could be accused (GA 5b)."""
    return bool(_ACCUSES.search(line))


def seems_to_nominate(line: str) -> bool:
    """Whether a *line* could be meant to name somebody, where all do (LT 5a)."""
    return bool(_NOMINATES.search(line))


def seems_to_judge(line: str) -> bool:
    """Whether a *line* could be meant as a verdict, where somebody is tried."""
    return bool(_JUDGES.search(line))
