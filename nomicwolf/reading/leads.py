"""Words before a deed: greetings and reasons, which change nothing; times and another's words, which do."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import groupby
from unicodedata import category

from nomicwolf.reading.everyday import INTERJECTION, LEADS, MADE_UP, STRONG, SUPPOSED

_RUN = re.compile(r"[^\W_]+")
_HEADS = {head: tuple(leads) for head, leads in groupby(sorted(LEADS), key=lambda lead: _RUN.findall(lead)[0])}
"""The leads by their first words."""
_TIMED = re.compile(
    r"(?:(?:starting|beginning|effective|from|until|till|by|at|on|before|after|in|for|as of) (?:\S+ ){0,4}?"
    r"(?:day \d+|noon|midnight|the deadline|tomorrow|utc|gmt|(?:mon|tues|wednes|thurs|fri|satur|sun)day|\d{1,2}:\d\d\S*"
    r"|\d{4}-\d\d-\d\d\S*)(?: (?:on|onwards?|sharp|then|utc|gmt)){0,3}"
    r"|in (?:an?|\d+|[a-z]+) (?:hours?|minutes?|days?)(?:' time)?"
    r"|(?:an?|\d+|[a-z]+) (?:hours?|minutes?|days?) (?:into the (?:day|phase)|from now|before the (?:deadline|end))"
    r"|as a rule|in general|generally|by default|traditionally|typically|when in doubt|in such cases"
    r"|until then|by then|from then on|after that|thereafter)[,:;]?", re.IGNORECASE)
"""A time that stands in front of a vote."""

_ELSEWHERE = re.compile(
    r"\b(?:in|for|on|of|to) (?:the |all )?(?!this|that)(?:[\w'-]+ ){0,4}(?:elections?|referend(?:um|a)|proposals?|cfjs?"
    r"|(?:criminal|equity|inquiry|judicial) cases?)\b", re.IGNORECASE)
"""The nomics' other votes."""
_CITED = re.compile(
    r"(?:for (?:\w+ ){0,2}reasons?|as (?:held|decided|ruled|found|shown|established|explained|set out|argued)|per"
    r"|in (?:accordance|line|keeping) with|following|given|pursuant to|consistent with|citing|having read)\b"
    r"[^,;:?!\"]*\bcfjs?\b[^,;:?!\"]*,", re.IGNORECASE)
"""A case from which one concludes: "For the reasons set out in CFJ 2296,"."""
_ANOTHERS = re.compile(
    r"(?:for the sake of (?:the |this )?(?:argument|discussion)|for argument's sake|in theory|theoretically"
    r"|in principle"
    r"|as an? (?:thought )?(?:exercise|experiment)|in an ideal world|ideally|on behalf of|in the name of"
    r"|as \S+'s (?:proxy|agent|deputy|representative|attorney|lawyer|counsel|advocate|mouthpiece|voice|puppet|stand-in"
    r"|spokes\w+|secretary)|quoth|by power of attorney|(?:acting |voting )on"
    r" \S+'s behalf|in \S+'s (?:name|stead|place)"
    r"|(?:speaking|acting|voting) (?:for|as|on behalf of)|according to|in the words of|to quote|quoting|as told by"
    r"|in \S+'s? words|as \S+(?: \S+)? (?:puts?|has|had) it"
    r"|as \S+(?: \S+)? (?:said|says|wrote|writes|claims|claimed|would say|would have it|tells? it)"
    r"|for (?!Agora\b|B\b)(?-i:[A-Z])[^\s,]*,$)(?!\w)", re.IGNORECASE)
"""What follows may be another's words, or is only supposed."""
_CONCLUDES = re.compile(
    rf"(?:{INTERJECTION},? +)*(?:after|having|upon|considering|in view of|in light of"
    r"|long story short|in short|in sum|all things considered|to sum up|my (?:final )?(?:conclusion|decision|verdict)"
    r"|i'll make it|i make it|that makes|here (?:it is|goes|we go)|so be it)\b[^\":?!]*:", re.IGNORECASE)
"""A conclusion, and what it comes from: "OK, after rereading all of it:"."""
_GREETS = re.compile(
    r"(?:hello|hi|hey|dear(?! diary)|greetings|good (?:morning|day|afternoon|evening))(?:,? [^\s:]+){1,4}:",
    re.IGNORECASE)
"""Whom one greets, with a colon where a comma stands more often: "Hello Bex:"."""
_REASON = re.compile(
    rf"(?:{INTERJECTION},? )*(?:since|because|now that|seeing (?:as|that)|given that|as (?:announced"
    r"|promised|agreed|discussed|planned|hinted|mentioned|foretold)|for (?:\w+ ){0,2}reasons?) [^,;:?!\"]*,",
    re.IGNORECASE)
"""A reason, which no vote hangs on."""
_OWN = re.compile(r"i(?:'ve|'m| have| am)? (?!vot)\w")
"""One clause of one's own, to which another is joined: "I've thought about it and I vote for Gus"."""
_SLASHED = re.compile(r"/(?=(?:un)?votes?\b|endorse\b|help\b|status\b|history\b)", re.IGNORECASE)
"""What stands before commands in chats."""


@lru_cache(maxsize=8)
def skip_leads(text: str, at: int) -> int:
    """Past greetings, "so," and the like; not past that of "so long as"."""
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
    return re.compile(rf"(?:{any_of})(?![\w'/.-])(?!\s+long\s+as\b)(?=.)", re.DOTALL)


def is_timed(lead: str) -> bool:
    """Whether *lead*, all that stands before a vote, is a time: "In 3 hours,", "On day 2,"."""
    return bool(_TIMED.fullmatch(lead))


def tells_of_another(lead: str) -> bool:
    """Whether *lead* says whose words may follow, or supposes: "According to Bex,", "In theory,"."""
    return _ANOTHERS.match(lead) is not None


def is_elsewhere(lead: str) -> bool:
    """Whether *lead*, all that stands before a vote, names another vote of a nomic's: "In the IADoP election,"."""
    return _ELSEWHERE.search(lead) is not None and _CITED.fullmatch(lead) is None


def leads_up(lead: str, words: set[str]) -> bool:
    """Whether *lead*, of these *words*, leads up to a vote: "Since nobody else dares,", "After all that:"."""
    if words & MADE_UP:
        return False
    return bool(_REASON.fullmatch(lead) or _GREETS.fullmatch(lead)) or (
        bool(_CONCLUDES.fullmatch(lead)) and not words & STRONG)


def is_own(clause: str, words: set[str]) -> bool:
    """Whether *clause*, of these *words* (casefolded), tells of its author, and supposes nothing."""
    return _OWN.match(clause) is not None and not words & (STRONG | MADE_UP | SUPPOSED)


def past(text: str, at: int) -> int:
    """Past spaces and light marks, pictures, and a slash in front of all ("/vote Gus")."""
    if not at and text[:1] == "/" and _SLASHED.match(text):
        at = 1
    while at < len(text) and (text[at] in " ,;:-*_~!.\n" or (text[at] > "\u2000" and category(text[at]) == "So")):
        at += 1
    return at
