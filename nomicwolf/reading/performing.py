"""Which sentences perform, and which only talk.

"I vote for Gus" performs; "I think we should vote for Gus", "I would vote for Gus", "why I vote for Gus" and
"do not vote Gus" are talk. What could be either is a question to the author: a wrong deed is far worse.
"""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

from nomicwolf.dataclass import dataclass
from nomicwolf.expression import expression
from nomicwolf.reading.everyday import CONNECTORS, LAST_OF_TALK, MADE_UP, NOT_YET, SOFT_VERBS, STRONG, TITLES
from nomicwolf.reading.idioms import TURNS, is_apart, is_idiom
from nomicwolf.reading.kinds import (
    BEFORE_CHOICES,
    CHOICES,
    CONDITIONS,
    INSTEAD,
    NEGATED,
    NIGHT_VERBS,
    ONLY_PRIVATE,
    OPENINGS,
    PLAIN_PUBLIC,
    PUBLIC,
    WRITTEN,
)
from nomicwolf.reading.lawful import OBJECTIONS, SUPPORTS, acts_later, belongs
from nomicwolf.reading.leads import is_elsewhere, is_own, is_timed, leads_up, past, skip_leads, tells_of_another
from nomicwolf.reading.phrases import phrases_at, words_of
from nomicwolf.reading.qualifying import qualifies
from nomicwolf.reading.sentences import Sentence
from nomicwolf.reading.telling import lacks
from nomicwolf.reading.text import is_word
from nomicwolf.reading.vocables import is_heading, words_in

_SPEAKER = expression(r'"|(?<![^\W_])(?:i(?= )|m(?=y vote))')
_AS_I_SAID = expression(r"\bas i (?:said|wrote|promised)\b", re.IGNORECASE)
_AFTER_WORDS = expression(
    r"^(?:\w+[, ]+)?(?:after|because of|considering|depending on|given|despite|based on|from|in (?:view|light) of"
    r"|to quote myself|seeing|reading|hearing)\b[^:\"]*,$", re.IGNORECASE)
"""Somebody's words came before the vote, and are no part of it: "after what Bex said,"."""
_MENTIONED = expression(
    r"\b(?:told|tells?|remind(?:s|ed)?|inform(?:s|ed)?|assure[sd]?) (?:me|us|you|em|him|her|them|everyone)$"
    r"|\b(?:the|these|those|this|that) (?:\w+ )?(?:words?|phrase|sentence|statement|formula|wording)$", re.IGNORECASE)
"""The vote is reported, or spoken of: "they told me", "the sentence"."""
_REPORTED = frozenset({"said", "says"})
_HANGING = STRONG - {"nobody"}
_REASONED = frozenset({"so", "and so", "therefore", "thus", "hence", "and therefore", "and thus"})
_NEEDS_COLON = frozenset({
    "my vote", "my ballot", "here is my vote", "here's my vote", "vote change", "change vote", "change of vote",
    "new vote", "my new vote", "my vote today", "my vote for today", "my conditional vote", "my vote is conditional",
})

_ADDRESSED = frozenset({"all", "everybody", "everyone", "folks", "friends", "guys", "people", "please", "you"})
_BRIEF = 30
"""How long a command behind a greeting is at most: "OK, vote Gus"."""
_NEAR = 200
"""How far before a vote stand words that may be said of it."""

Manner: TypeAlias = Literal["performs", "bare", "talk", "doubt"]


@dataclass(frozen=True, slots=True)
class Opening:
    """How a sentence stands: *at* is where the part that performs begins, *kinds* what begins there."""

    manner: Manner
    at: int = 0
    kinds: frozenset[str] = frozenset()


TALK = Opening("talk")


def opening(sentence: Sentence, private: bool) -> Opening:
    """How *sentence* stands; *private* letters to the contestmaster may use bare forms in any sentence."""
    text = sentence.text
    if text.startswith(">"):
        return TALK
    if not (private or text.startswith(_USUAL)) and lacks(text, OPENINGS):
        return TALK
    at = skip_leads(text, 0)
    here = _judge(sentence, at, private)
    if here.manner != "talk":
        return here
    if at and (there := _judge(sentence, 0, private)).manner != "talk":
        return there
    found = TALK
    if not lacks(text, PUBLIC):
        found = _conditional(text, at) if _kinds(text, at) & CONDITIONS else _later(text)
    return _on_intent(text) or found if found.manner == "talk" else found


def begins_otherwise(text: str) -> bool:
    """Whether *text* goes on with what a vote is to be otherwise, or instead."""
    return bool(_kinds(text, 0) & {"_OTHERWISE", "_IF_NOT", "_BUT_IF"})


def going_otherwise(rest: list[Sentence]) -> list[Sentence]:
    """The first sentences of *rest* that go on with what a vote is to be otherwise."""
    return [rest[0], *going_otherwise(rest[1:])] if rest and begins_otherwise(rest[0].text) else []


def begins_instead(text: str) -> bool:
    """Whether *text* is a vote that hangs on a condition, so that it could be an exception to one just before it."""
    at = skip_leads(text, 0)
    begins = (_kinds(text, at) | _kinds(text, 0) if at else _kinds(text, 0)) & INSTEAD
    return bool(begins) and (bool(_places(text, 0)) or "abstain" in words_in(text))


def begins_dangling(text: str) -> bool:
    """Whether *text* begins like a condition and does nothing itself."""
    return bool(_kinds(text, 0) & CONDITIONS) and not _places(text, 0)


_USUAL = ("I vote ", "I endorse ", "vote ", "vote:", "Vote ", "Vote:", "endorse ", "Endorse ")
"""With these most deeds begin, so there is no need to ask which words a sentence lacks."""


def _judge(sentence: Sentence, at: int, private: bool) -> Opening:
    """How the part from *at* on stands."""
    text = sentence.text
    found = [(end, kind) for end, kind in phrases_at(text, at)
             if kind in OPENINGS and (kind not in {"SAY", "SAY_TO"} or _is_said(kind, text[end:], private))]
    if not found:
        return _judge_lovers(text, at, private) or _judge_choice(text, at, private)
    end = found[0][0]
    kinds = frozenset([kind for finish, kind in found if finish == end])
    phrase = text[at:end].casefold()
    first_person = phrase.startswith(("i ", "i'", "my ", "having received", "without"))
    colon = text[end:].lstrip(" *_").startswith((":", "="))
    if is_idiom(text, kinds, end) or (phrase in _NEEDS_COLON and not colon) or (kinds <= NEGATED and not private):
        return TALK
    if kinds == {"PASS"} and phrase in ONLY_PRIVATE and not private and (
            phrase != "none" or not text[end:].strip(" .!")):
        return TALK
    if kinds & WRITTEN and not belongs(kinds, text[end:], private=private):
        return TALK
    if first_person and not kinds <= CHOICES:
        return Opening("performs", at, kinds)
    if colon and kinds & PUBLIC and text[:at].casefold() == "next ":
        return Opening("doubt", at, kinds)
    if (colon and kinds & (PUBLIC | WRITTEN | PLAIN_PUBLIC)) or sentence.marked:
        return Opening("performs", at, kinds)
    own_line = sentence.alone and at == _first(text) and (
        private or phrase not in SOFT_VERBS or not sentence.close.strip())
    if kinds & (CHOICES | PLAIN_PUBLIC) and (first_person or own_line or private):
        return Opening("bare", at, kinds)
    if own_line or private:
        return Opening("doubt" if sentence.exclaimed and not private else "bare", at, kinds)
    led = sentence.alone and len(text) - at <= _BRIEF and not words_in(text[:at]) & _ADDRESSED
    doubtful = (led or at == _first(text)) and kinds & {"_VOTE", "ENDORSE", "UNVOTE"}
    return Opening("doubt" if doubtful else "talk", at, kinds)


def _is_said(kind: str, rest: str, private: bool) -> bool:
    """Whether what begins like a message, and goes on with *rest*, can be one: "Say what you will, ..." is none."""
    if kind == "SAY_TO":
        return private and rest.lstrip(" *_").startswith(":")
    return private or ":" in rest


def _judge_choice(text: str, at: int, private: bool) -> Opening:
    """"I attack ...", "tonight I want to see ...": words before a verb of the night."""
    place, first_person = at, False
    while steps := [(end, kind) for end, kind in phrases_at(text, place) if kind in BEFORE_CHOICES]:
        first_person |= any(kind == "_I" or (kind == "_I_WANT" and private) for _, kind in steps)
        place = past(text, max(end for end, _ in steps))
    kinds = _kinds(text, place) & NIGHT_VERBS
    if kinds and place > at and (first_person or private):
        return Opening("bare", at, kinds)
    return TALK


def _judge_lovers(text: str, at: int, private: bool) -> Opening | None:
    """"Ash and Bex shall be the Lovers": the names stand before the words that match them."""
    folded = text.casefold()
    if private and any(phrase in folded for phrase in words_of("_ARE_LOVERS")):
        return Opening("bare", at, frozenset({"MATCH"}))
    return None


def _conditional(text: str, at: int) -> Opening:
    """A sentence that begins with a condition performs if "I vote" or the like follows the condition."""
    for place in _places(text, at):
        before = text[:place].rstrip()
        if before.endswith((",", ";", "-", ":")) or before.casefold().endswith(" then"):
            return Opening("performs", at, frozenset({"_IF"}))
        if _last_word(before) not in LAST_OF_TALK:
            return Opening("performs", at, frozenset({"_IF"}))
    return TALK


def _later(text: str) -> Opening:
    """A performing part that comes after some other words."""
    for place in _places(text, 0):
        kinds = _kinds(text, place) & PUBLIC
        lead = text[:place].rstrip()
        last = _last_word(lead)
        words = words_in(lead)
        first = lead.casefold().split(maxsplit=1)[:1]
        if ";" in lead and is_apart(lead):
            return Opening("performs", place, kinds)
        told = _is_report(lead, last.strip(",:")) or (is_heading(lead) and words & TITLES) or (
            first and first[0].strip(",") in NOT_YET)
        if told and ('"' in lead or not (kinds == {"UNVOTE"} or _AS_I_SAID.search(lead) or _AFTER_WORDS.search(lead)
                                         or TURNS.search(lead))):
            continue
        if not told and is_elsewhere(lead):
            return TALK
        if told or is_timed(lead) or tells_of_another(lead):
            return Opening("doubt", place, kinds)
        if last in LAST_OF_TALK or _MENTIONED.search(lead[-_NEAR:]):
            continue
        if qualifies(lead[-_NEAR:]):
            return Opening("doubt", place, kinds)
        clause = lead.casefold()
        connector = next((each for each in CONNECTORS if clause.endswith(" " + each) or clause == each), "")
        joined = clause[:len(clause) - len(connector)].rstrip() if connector else clause
        follows = joined.endswith((",", ";")) and (
            connector in _REASONED or (connector == "but" and "vot" not in clause))
        own = connector and is_own(joined, words) and not _doubts(clause, denials=True)
        if own or leads_up(lead, words):
            return Opening("performs", place, kinds)
        if joined.endswith((",", ";", "-", "...")) and not words & (_HANGING if follows else STRONG) and not _doubts(
                clause, denials=not follows):
            return Opening("performs", place, kinds)
        return Opening("doubt", place, kinds)
    return TALK


def performs_later(text: str, at: int) -> bool:
    """Whether a part of *text* behind *at* performs by itself: "Nobody will vote for Hal, so I vote for Hal"."""
    leads = [text[:place].rstrip() for place in _places(text, at + 1)]
    return any(lead.endswith((",", ";")) or _last_word(lead) in CONNECTORS for lead in leads)


def _on_intent(text: str) -> Opening | None:
    """"As a member, I object to this", "As to intent 1, I support it", "As nobody objects, I resolve intent 1".

    A doubtful one, too; None for neither. Support where no intent was named is talk: "Cam wants to wait, I support it".
    """
    if (place := acts_later(text)) is None:
        return None
    lead = text[:place]
    named = SUPPORTS if "intent" in words_in(lead) else frozenset[str]()
    kinds = _kinds(text, place) & (OBJECTIONS | named | {"RESOLVE"})
    finish = max((end for end, kind in phrases_at(text, place) if kind in kinds), default=place)
    if not kinds or words_in(lead) & MADE_UP or '"' in lead or not belongs(kinds, text[finish:], private=False):
        return None
    if "RESOLVE" in kinds:
        return None if words_in(lead) & _HANGING else Opening("performs", place, kinds)
    doubtful = words_in(lead) & STRONG or _doubts(lead.casefold(), denials=True)
    return Opening("doubt" if doubtful else "performs", place, kinds)


def _is_report(lead: str, last: str) -> bool:
    """Whether *lead* supposes, or tells what somebody says; "everything that was said, ..." does not."""
    made_up = words_in(lead) & MADE_UP
    return bool(made_up) and not (made_up <= _REPORTED and lead.endswith(",") and last not in _REPORTED)


def _doubts(clause: str, denials: bool) -> bool:
    """Whether *clause* reports another's words, or denies; a reason ("..., so") may deny something."""
    denied = denials and any(each in clause for each in ("n't ", " not ", "never"))
    return denied or any(each in clause for each in ('"', ":", "last day", "last time", "whoever"))


def _places(text: str, start: int) -> list[int]:
    """Where first-person performing phrases begin, outside of quotation marks."""
    folded = text.casefold()
    places: list[int] = []
    quoted = False
    for speaker in _SPEAKER.finditer(folded, start):
        at = speaker.start()
        quoted ^= speaker[0] == '"'
        if at >= len(text) or quoted or speaker[0] == '"' or (at and is_word(folded[at - 1])):
            continue
        if _kinds(text, at) & PUBLIC:
            found = [end for end, kind in phrases_at(text, at) if kind in PUBLIC]
            open_ended = folded[at:max(found)] in _NEEDS_COLON and text[max(found):].lstrip()[:1] != ":"
            if not open_ended and not is_idiom(text, _kinds(text, at), max(found)):
                places.append(at)
    return places


def _kinds(text: str, at: int) -> frozenset[str]:
    return frozenset([kind for _, kind in phrases_at(text, at)])


def _last_word(text: str) -> str:
    words = text.rsplit(maxsplit=1)
    return words[-1].casefold().strip("(*_\"'") if words else ""


def _first(text: str) -> int:
    return past(text, 0)
