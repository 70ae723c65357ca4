"""Clauses beside a vote that are none of it, or lead to it; and words with which "I vote" proposes."""

from __future__ import annotations

import re

from nomicwolf.reading.everyday import HANGED, IDIOMS, INTERJECTION, MADE_UP, NOT_A_VALUE
from nomicwolf.reading.leads import skip_leads, tells_of_another
from nomicwolf.reading.qualifying import qualifies
from nomicwolf.reading.telling import without
from nomicwolf.reading.vocables import words_in

_LYNCHED = re.compile(rf"\bbe (?:{'|'.join(sorted(HANGED))})\b", re.IGNORECASE)
TURNS = re.compile(r"(?:,|;) (?:but|so|and so|yet|however|nevertheless|therefore|still)(?:,? \w+)?,?$", re.IGNORECASE)
"""With these one turns from what was said to what one does: "Bex said I'd vote for Gus, but"."""
_POINTS = re.compile(r"th(?:at|is) (?:(?:guy|person|player|man|woman|fellow|one|villager|townsperson)\b"
    r"|(?:scum(?:bag)?|liar|lurker|(?:were)?wolf|traitor|fool|scoundrel|dude)\W*$)", re.IGNORECASE)
_SUPPOSES = frozenset({
    "assuming", "if", "joke", "joking", "kidding", "once", "otherwise", "provided", "supposing", "unless", "until",
    "when", "whenever", "whether",
})
_RESOLVES = re.compile(
    rf"(?:{INTERJECTION}[,.:!]* )*I(?:'ve| have)?(?: (?:hereby|now|therefore|thus|finally|reluctantly))?"
    r" (?:changed? my mind"
    r"|(?:give|given) (?:in|up)|reconsider(?:ed)?|relent|concede|concur|make up my mind|made up my mind"
    r"|(?:agree|side) with \S+|trust \S+|follow (?:suit|the (?:crowd|herd|others))|bite the bullet|hold my nose"
    r"|swallow my pride|break the (?:silence|tie|deadlock)|take (?:a deep breath|the plunge|a (?:risk|chance))"
    r"|join the (?:(?:band)?wagon|crowd|others)|go (?:along )?with (?:the (?:crowd|flow|majority|others))"
    r"|jump on the (?:band)?wagon|stand up|step forward|stop dithering|cross my fingers|come off the fence"
    r"|stick my neck out|roll (?:a|the) (?:die|dice)|toss a coin)"
    r"(?: (?:again|here|too|as well|after all|at last|now))?,? and (?:(?:now|hereby|therefore|thus|so|finally) )?"
    r"(?=(?:vote|endorse)\b)", re.IGNORECASE)
"""What one does in coming to a vote, which follows in the same breath."""
_RESOLVING = frozenset({"endorse", "vote"})


def resolves(text: str) -> int:
    """Where behind a clause of resolve the vote begins, as in "I give in and vote for Hal"; 0 if there is none."""
    found = None if without(text, _RESOLVING) or text.startswith("I vote") else _RESOLVES.match(text)
    return found.end() if found else 0


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
