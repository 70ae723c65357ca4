"""Private sentences that could be meant as a deed of the night though they are not worded as one, and others' verbs."""

from __future__ import annotations

import re

from nomicwolf.reading.errors import BallotError
from nomicwolf.reading.everyday import BRIEF, HALF_CHOSEN, MADE_UP, NOT_YET, SOFT_VERBS, TALKED_OF, TITLES
from nomicwolf.reading.halfsaid import TALK
from nomicwolf.reading.leads import skip_leads
from nomicwolf.reading.misspelled import is_slip
from nomicwolf.reading.names import NameBook
from nomicwolf.reading.parts import parts
from nomicwolf.reading.performing import begins_dangling
from nomicwolf.reading.sentences import Sentence
from nomicwolf.reading.vocables import words_in

UNCONDITIONAL = BallotError("not understood", "A deed of the night takes no conditions.", hint=(
    "say one thing, without if or unless; you may write again as long as the night lasts"))
_NIGHTLY = frozenset({"attack", "guard", "heal", "match", "poison", "protect", "see", "shoot"})
_ACTING = re.compile(
    r"(?:i|we)(?: have|'ve)?(?: \w+){1,4}|(?:the |our |my )?(?P<part>\w+)"
    r" (?!is\b|was\b|are\b|were\b|has\b|said\b|told\b)\w+")
_ENQUIRES = re.compile(
    r"(?:tell me,? )?is |(?:could|can|would|will) (?:you|i) (?:please )?(?:tell me|say|let me know|know|check|learn)"
    r"|what is |which side |am i right that ")
_MAY = re.compile(
    r"(?:can|could|may|might) (?:i|we) (?:please )?(?:see|look at|check|investigate|attack|kill|shoot|poison|protect"
    r"|guard|heal|save|block|track|watch|point at|revive) (?!(?:what|how|why|who|if|whether|the|my|any|this|that)\b)\S+"
    r"(?: \S+)?(?: tonight| now| please| instead)*")
"""Someone asks to do it, and need not: "May I see Gus?"."""
_SIDES = ("wol", "gadianton", "mafi", "evil", "alignment", " side")
_AMID = re.compile(
    r"(?:^|[,;:)] *(?:and |so |then )?|\b(?:and|so|tonight),? )(?:tonight,? )?(?:we|i)(?:'d like to)?"
    r"(?: (?:both|all|hereby|now|will|shall|(?:have )?(?:agreed?|decided?|voted?) to|want to|would like to))?"
    r" (?:attack|kill|eat|devour|see|heal|save|poison|shoot|protect|guard|point at|revive|block|track|watch) "
    r"(?!n[o'])")
"""A deed of the night amid other words: "we have talked, and tonight we attack Gus"."""
_VERBS = r"(?:attack|kill|see|heal|save|poison|shoot|protect|guard|point at|block|track|watch)"
_LED = re.compile(rf"[^\"]{{1,60}}(?::| -) (?:please )?{_VERBS} (?!n[o'])\S+(?: \S+)?(?: tonight| please)?[.! ]*")
"""It stands behind a colon, and whatever leads there: "I second Bex's choice: attack Gus"."""
_DOOMED = re.compile(
    r"\S+(?: \S+)? (?:(?:shall|will|is to) be (?:our|my|tonight's|the \w+) (?:victim|target|prey|dinner|meal|kill)"
    r"|gets (?:the|my|our) (?:poison|potion|bullet|shot))(?: tonight)?"
    r"|(?:my|our) (?:[\w']+ ){0,2}(?:choice|target|victim|shot|pick|kill|bullet|prey)(?: tonight| for tonight)?"
    r" (?:is|goes to|shall be|will be) \S+(?: \S+)?")
"""What is to become of somebody: "Fay shall be our victim", "my dying shot goes to Gus"."""
_LABEL = re.compile(
    r"(?:(?:the|my|as) )*(\w+)(?:'s (?:choice|target|action))? ?(?:[:=]|-+>|=+>|\u2192) ?\S+(?: \S+){0,2}")
"""A role in front of what it does: "Bodyguard -> Gus"."""
_CALLED_OFF = re.compile(
    r"(?:please |i |i hereby |i'd like to |i want to )*"
    r"(?:cancel|retract|withdraw|undo|rescind|revoke|take back|call off) (?:my |the |our |that|this|it\b)"
    r"(?:last |previous |earlier |night )*"
    r"(?:attack|kill|action|choice|target|deed|order|vote|shot|poison|move)?s?(?: (?:on|of|for|against) \S+)?"
    r"(?: please| tonight)*")
"""Someone takes back what e has sent for the night."""
_SLIPPED = (
    "attack", "block", "guard", "inspect", "investigate", "poison", "protect", "revive", "shoot", "track", "watch")
"""Verbs that are long enough to be known with one slip of the hand in them."""
_CURT = 3
_FEW = 9
_SETTLED = frozenset({"agreed", "decided", "need", "picked"})
"""Words that tell of the past, and decide something all the same."""


def seems_chosen(sentence: Sentence) -> bool:
    """Whether a private sentence could be meant as a deed of the night though it is not worded as one."""
    folded = sentence.text.casefold()[skip_leads(sentence.text, 0):]
    if begins_dangling(sentence.text) and words_in(folded) & _NIGHTLY and not sentence.asked:
        return True
    if sentence.asked:
        enquires = _ENQUIRES.match(folded) is not None and any(side in folded for side in _SIDES)
        return enquires or _MAY.match(folded) is not None
    whole = sentence.text.casefold()
    if (label := _LABEL.fullmatch(whole)) is not None and label[1] in parts():
        return True
    chosen = folded.startswith(HALF_CHOSEN) or whole.startswith(HALF_CHOSEN) or _AMID.search(whole) is not None
    chosen = chosen or _DOOMED.fullmatch(folded.strip(" .!")) is not None or _is_led_to(whole)
    return chosen or (sentence.alone and (_curt(folded) or _slips(folded))) or _acts_by_night(folded)


def seems_called_off(sentence: Sentence) -> bool:
    """Whether a private *sentence* could be meant to take back a deed of the night: "I cancel my attack"."""
    folded = sentence.text.casefold()[skip_leads(sentence.text, 0):].strip(" .!")
    return not sentence.asked and _CALLED_OFF.fullmatch(folded) is not None


def _is_led_to(whole: str) -> bool:
    """Whether other words lead to a deed of the night, and suppose nothing: "I second Bex's choice: attack Gus"."""
    led = (": " in whole or " - " in whole) and _LED.fullmatch(whole)
    return bool(led) and not words_in(whole) & (MADE_UP | NOT_YET | TALK | TITLES)


def _acts_by_night(folded: str) -> bool:
    """Whether someone tells, in a few words, what e or eir role does to another: "I drag Gus down with me"."""
    words = [word.strip(".,;:!()*_") for word in folded.split()]
    acting = None if len(words) > _FEW or "'" in words[0] else _ACTING.match(folded)
    if acting is None or (acting["part"] and acting["part"] not in parts()):
        return False
    if len(words) > 1 and words[0] in {"i", "we"} and words[1].endswith("ed") and words[1] not in _SETTLED:
        return False
    attitudes = {word for place, word in enumerate(words[1:], 1) if words[place - 1:place] == ["i"]} & TALKED_OF
    return not attitudes and not set(words) & (TALK - {"want"}) and not any(word.endswith("n't") for word in words)


def is_everyday(sentence: Sentence, kinds: frozenset[str], error: BallotError, book: NameBook) -> bool:
    """Whether a private sentence uses a verb of the night as everyone does: "I make this short"."""
    words = sentence.text.casefold().split()
    if kinds <= {"PASS"}:
        return error.problem == "not understood" and "pass" not in words[:2]
    if error.problem != "unknown player" or error.suggestions:
        return False
    soft = not book.names_in(sentence.text) and bool(SOFT_VERBS & set(words[:2]))
    return soft or len(words) > BRIEF


def _slips(folded: str) -> bool:
    """Whether a line of a private letter is a verb of the night with one slip, and a name: "atttack gus"."""
    words = folded.split(None, _CURT)
    return 1 < len(words) <= _CURT and any(
        is_slip(words[0], verb) or words[0] == f"{verb}s" for verb in _SLIPPED)


def _curt(folded: str) -> bool:
    """Whether a line of a private letter is so short that it is hardly prose: "Victim: Bex", "Bex + Cam"."""
    if folded.startswith(("p.s", "ps:", "re:")):
        return False
    changes = folded.startswith(("i change ", "change ", "i switch ", "switch "))
    return (changes or any(mark in folded for mark in ":+&")) and len(folded.split()) <= BRIEF + 2 * changes
