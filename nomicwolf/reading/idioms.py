"""Clauses beside a vote that are none of it, and words with which "I vote" proposes: "I vote that we wait"."""

from __future__ import annotations

import re

from nomicwolf.expression import expression
from nomicwolf.reading.everyday import HANGED, IDIOMS, MADE_UP, NOT_A_VALUE
from nomicwolf.reading.leads import skip_leads, tells_of_another
from nomicwolf.reading.qualifying import qualifies
from nomicwolf.reading.vocables import words_in

_LYNCHED = expression(rf"\bbe (?:{'|'.join(sorted(HANGED))})\b", re.IGNORECASE)
TURNS = expression(r"(?:,|;) (?:but|so|and so|yet|however|nevertheless|therefore|still)(?:,? \w+)?,?$", re.IGNORECASE)
"""With these one turns from what was said to what one does: "Bex said I'd vote for Gus, but"."""
_POINTS = expression(r"th(?:at|is) (?:guy|person|player|man|woman|fellow|one|villager|townsperson)\b", re.IGNORECASE)
_SUPPOSES = frozenset({
    "assuming", "if", "joke", "joking", "kidding", "once", "otherwise", "provided", "supposing", "unless", "until",
    "when", "whenever", "whether",
})


def is_apart(lead: str) -> bool:
    """Whether *lead*, all that stands before a vote, is another clause: "Yesterday I voted for Hal; today"."""
    before, _, after = lead.rpartition(";")
    if words_in(before) & (MADE_UP | _SUPPOSES) or '"' in lead or tells_of_another(before) or qualifies(before):
        return False
    return not after[skip_leads(f"{after} x", 0):].strip()


def is_idiom(text: str, kinds: frozenset[str], end: int) -> bool:
    """"I vote that we wait", "I vote we ..." are proposals."""
    word = text[end:].split(maxsplit=1)
    if "_VOTE" not in kinds or not word or text[end:].lstrip().casefold().startswith(("in favour of", "in favor of")):
        return False
    following = word[0].casefold().strip(",.:")
    if following in {"that", "this"} and _POINTS.match(text[end:].lstrip()):
        return False
    if text[:end].casefold().endswith(" that") and not _LYNCHED.search(text, end):
        return True
    ended_is = text[:end].casefold().endswith((" is", " is now", " is on"))
    return following in IDIOMS or (ended_is and (following in NOT_A_VALUE or text[end:].split()[:2] == ["none", "of"]))
