"""Letters that say nothing of their own: they agree with what they quote, or only send it again."""

from __future__ import annotations

import re
from collections.abc import Iterable

from nomicwolf.reading.everyday import INTERJECTION
from nomicwolf.reading.slips import forum_slip

_AGREES = re.compile(
    rf"(?:{INTERJECTION}[ ,.]+)*(?:so (?:do|will) i|i do,? too|i do|me,? too|ditto|likewise|\+ ?1"
    r"|same(?: here| for me| from me)?|as (?:do|does) i|(?:exactly )?this|what \w+ (?:said|says)|i (?:do )?the same"
    r"|count me in|i'm with you|i am with you)", re.IGNORECASE)
_SIGNED = 2
"""Lines of a letter that says one thing, and is signed."""


def only_agrees(lines: Iterable[str]) -> bool:
    """Whether *lines*, all that is said below a quotation, only say that their author does the same: "So do I!"."""
    said = [line.strip(" .,!*_~-") for line in lines if line.strip()]
    return 0 < len(said) <= _SIGNED and _AGREES.fullmatch(said[0]) is not None


def says_nothing(lines: Iterable[str]) -> bool:
    """Whether *lines* are empty, or say only that what is quoted is sent again: "TTttPF" (CFJ 3586)."""
    said = [line for line in lines if line.strip()]
    return not said or (len(said) == 1 and forum_slip(said[0]) == "ttpf")
