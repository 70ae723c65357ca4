"""Questions: of how one plays, which ask for help in a private letter, and those that follow a deed in its sentence."""

from __future__ import annotations

import re

from nomicwolf.reading.sentences import Sentence

_ASKS = re.compile(
    r"(?:(?:hi|hello|hey|so|ok|okay|um+|er+|please|sorry|and|but|help)[,.:! ]+)*(?:"
    r"how (?:do|can|should|am|are|does|is|would) (?:i|we|you|one|this|it|that|the game|the whole thing|everything)"
    r"(?: \w+)? (?:work|works|play|played|vote|act|join|use|write|do|start|begin|proceed)"
    r"(?: (?:this|it|that|here|now|by night|by day|at night|in this game|conditionally|my power|my role|the game))?"
    r"|what (?:can|do|should|must|may|am|shall) i(?: (?:supposed|meant|expected|allowed|able|need|have))? ?(?:to )?"
    r"(?:do|write|say|send)(?: (?:now|here|next|tonight|today|at night|by night|by day))?"
    r"|(?:what|which) (?:are (?:the|my) (?:commands|options|choices|possibilities)|commands (?:are there|can i use))"
    r"|what (?:now|next))")
_STANDS = re.compile(
    r"(?:(?:hi|hello|hey|so|ok|okay|um+|er+|please|sorry|and|but)[,.:! ]+)*(?:"
    r"(?P<status>(?:what|which) (?:phase|day|night|round) (?:is (?:it|this)|are we (?:in|on|at))"
    r"|(?:what|which) (?:is|'s) the (?:current )?phase|is it (?:(?:day|night)(?: or (?:day|night))?)"
    r"|who(?: is|'s| are) (?:(?:still|all) )*(?:alive|dead|playing|in(?: the game)?)|where (?:do|are) (?:we|things)"
    r"(?: (?:stand|at))?|(?:what|how)(?: is|'s) the (?:(?:current|present) )?(?:status|situation"
    r"|state of (?:play|things|affairs|the game))|when (?:does|will) (?:the|this) (?:day|night|phase) end)"
    r"|(?P<votes>who (?:has |have )?(?:voted|votes|is voting)(?: for whom?| so far| today)?"
    r"|what(?: is|'s| are) the (?:(?:current|present) )?(?:vote count|votes|tally)|how (?:do )?the votes stand"
    r"|(?:(?:any )?(?:current|present|latest|new) )(?:votes|vote count|tally)(?: so far)?))"
    r"(?: (?:now|right now|at the moment|today|please))?")
"""How things stand."""
_JOINT = re.compile(r"(?: *[;\u2014]| +--?(?= )|,|\.\.\.) *(?:(?:and|so|but|now)[, ]+)?", re.IGNORECASE)
_ASKING = re.compile(
    r"(?:who|who's|what|what's|why|how|how's|when|where|where's|which|any|anyone|anybody|any other)\b", re.IGNORECASE)
_VERBS = re.compile(
    r"(?:does|do|did|is|are|can|could|will|would|shall|should|has|have|am|isn't|aren't|don't|doesn't|won't)\b",
    re.IGNORECASE)


def before_question(sentence: Sentence, start: int) -> tuple[Sentence | None, bool]:
    """Return what of *sentence* stands before a question that is joined to it behind *start*; None if none is.

    And whether that is another clause for sure: it is after a semicolon, not after a comma.
    """
    text = sentence.text
    for joint in _JOINT.finditer(text, start):
        sure = joint[0].lstrip()[:1] != ","
        if _ASKING.match(text, joint.end()) or (sure and _VERBS.match(text, joint.end())):
            at = joint.start()
            return sentence._replace(end=sentence.start + at, text=text[:at], close=""), sure
    return None, False


def asks_for(text: str) -> str:
    """What answers the question *text*: "help" if it asks how to play, "status" or "votes"; '' for any other.

    >>> asks_for("How does this work"), asks_for("What phase are we in"), asks_for("How do I attack Gus")
    ('help', 'status', '')
    """
    folded = text.casefold().strip(" ?.!")
    if _ASKS.fullmatch(folded):
        return "help"
    asked = _STANDS.fullmatch(folded)
    return (asked.lastgroup or "") if asked else ""
