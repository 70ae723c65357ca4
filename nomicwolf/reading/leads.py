"""Words before a deed that change nothing, such as greetings, and times before it, which do."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import groupby

from nomicwolf.reading.everyday import LEADS

_RUN = re.compile(r"[^\W_]+")
_HEADS = {head: tuple(leads) for head, leads in groupby(sorted(LEADS), key=lambda lead: _RUN.findall(lead)[0])}
"""The leads by their first words."""
_TIMED = re.compile(
    r"(?:(?:starting|beginning|effective|from|until|till|by|at|on|before|after|in|for|as of) (?:\S+ ){0,4}?"
    r"(?:day \d+|noon|midnight|the deadline|tomorrow|utc|gmt|(?:mon|tues|wednes|thurs|fri|satur|sun)day|\d{1,2}:\d\d\S*"
    r"|\d{4}-\d\d-\d\d\S*)(?: (?:on|onwards?|sharp|then|utc|gmt)){0,3}"
    r"|in (?:an?|\d+|[a-z]+) (?:hours?|minutes?|days?)(?:' time)?"
    r"|(?:an?|\d+|[a-z]+) (?:hours?|minutes?|days?) (?:into the (?:day|phase)|from now|before the (?:deadline|end))"
    r"|until then|by then|from then on|after that|thereafter)[,:;]?", re.IGNORECASE)
"""A time that stands in front of a vote."""


@lru_cache(maxsize=8)
def skip_leads(text: str, at: int) -> int:
    """Past greetings, "so," and the like."""
    folded = text.casefold()
    while True:
        rest = past(text, at)
        head = _RUN.match(folded, rest)
        lead = _leads(head[0]).match(folded, rest) if head is not None and head[0] in _HEADS else None
        if lead is None:
            return at if rest >= len(text) else rest
        at = lead.end()


@cache
def _leads(head: str) -> re.Pattern[str]:
    """The leads that begin with *head*, the longest first."""
    leads = sorted(_HEADS[head], key=len, reverse=True)
    any_of = "|".join(re.escape(lead).replace("\\ ", r"\s+") for lead in leads)
    return re.compile(rf"(?:{any_of})(?![\w'/.-])(?=.)", re.DOTALL)


def is_timed(lead: str) -> bool:
    """Whether *lead*, all that stands before a vote, is a time: "In 3 hours,", "On day 2,"."""
    return bool(_TIMED.fullmatch(lead))


def past(text: str, at: int) -> int:
    """Past spaces and light marks."""
    while at < len(text) and text[at] in " ,;:-*_~!.\n":
        at += 1
    return at
