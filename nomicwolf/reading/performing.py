"""Which sentences perform, and which only talk.

"I vote for Gus" performs; "I think we should vote for Gus", "I would vote for Gus", "why I vote for Gus" and
"do not vote Gus" are talk. What could be either is a question to the author: a wrong deed is far worse.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from nomicwolf.reading.behind import HANGING, Manner, doubts, last_word, manner_behind
from nomicwolf.reading.everyday import CONNECTORS, LAST_OF_TALK, MADE_UP, SOFT_VERBS, STRONG
from nomicwolf.reading.idioms import is_idiom, resolves
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
from nomicwolf.reading.lawful import OBJECTIONS, SUPPORTS, WITHDRAWALS, acts_later, belongs
from nomicwolf.reading.leads import past, skip_leads
from nomicwolf.reading.phrases import phrases_at, words_of
from nomicwolf.reading.sentences import Sentence
from nomicwolf.reading.telling import lacks
from nomicwolf.reading.text import is_word
from nomicwolf.reading.vocables import words_in

_SPEAKER = re.compile(r'"|(?<![^\W_])(?:i(?= )|m(?=y vote))')
_NEEDS_COLON = frozenset({
    "my vote", "my ballot", "here is my vote", "here's my vote", "vote change", "change vote", "change of vote",
    "new vote", "my new vote", "my vote today", "my vote for today", "my conditional vote", "my vote is conditional",
})
_ADDRESSED = frozenset({"all", "everybody", "everyone", "folks", "friends", "guys", "people", "please", "you"})
_BRIEF = 30
"""How long a command behind a greeting is at most: "OK, vote Gus"."""


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
    if place := resolves(text):
        return Opening("performs", place, _kinds(text, place) & PUBLIC)
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
    if (phrase in _NEEDS_COLON and not colon) or _only_talks(phrase, text[end:], kinds, private) or is_idiom(
            text, kinds, end):
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


def _only_talks(phrase: str, rest: str, kinds: frozenset[str], private: bool) -> bool:
    """Whether *phrase* of these *kinds*, which goes on with *rest*, does nothing where it stands."""
    if kinds & WRITTEN and not belongs(kinds, rest, private=private):
        return True
    if private:
        return False
    passes = kinds == {"PASS"} and phrase in ONLY_PRIVATE
    return kinds <= NEGATED or (passes and (phrase != "none" or not rest.strip(" .!")))


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
        if last_word(before) not in LAST_OF_TALK:
            return Opening("performs", at, frozenset({"_IF"}))
    return TALK


def _later(text: str) -> Opening:
    """A performing part that comes after some other words: the first of which these words leave more than talk."""
    for place in _places(text, 0):
        kinds = _kinds(text, place) & PUBLIC
        manner = manner_behind(text[:place].rstrip(), kinds)
        if manner is not None:
            return TALK if manner == "talk" else Opening(manner, place, kinds)
    return TALK


def performs_later(text: str, at: int) -> bool:
    """Whether a part of *text* behind *at* performs by itself: "Nobody will vote for Hal, so I vote for Hal"."""
    leads = [text[:place].rstrip() for place in _places(text, at + 1)]
    return any(lead.endswith((",", ";")) or last_word(lead) in CONNECTORS for lead in leads)


def _on_intent(text: str) -> Opening | None:
    """"As a member, I object to this", "As to intent 1, I support it", "As nobody objects, I resolve intent 1".

    A doubtful one, too; None for neither. Support where no intent was named is talk: "Cam wants to wait, I support it".
    """
    if (place := acts_later(text)) is None:
        return None
    lead = text[:place]
    named = SUPPORTS if "intent" in words_in(lead) else frozenset[str]()
    kinds = _kinds(text, place) & (OBJECTIONS | WITHDRAWALS | named | {"RESOLVE"})
    finish = max((end for end, kind in phrases_at(text, place) if kind in kinds), default=place)
    if not kinds or words_in(lead) & MADE_UP or '"' in lead or not belongs(kinds, text[finish:], private=False):
        return None
    if "RESOLVE" in kinds:
        return None if words_in(lead) & HANGING else Opening("performs", place, kinds)
    told = lead.removesuffix(": ") if "intent" in lead else lead
    doubtful = words_in(lead) & STRONG or doubts(told.casefold(), denials=True)
    return Opening("doubt" if doubtful else "performs", place, kinds)


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


def _first(text: str) -> int:
    return past(text, 0)
