"""Set phrases of whole letters.

Forum slips, disclaimers that void a letter (Agoran CFJ 2069, 3586), agreement with what is quoted, last words, and
sentences that could be meant as a deed of some stage of the game.

The condemned's letter is meant for everyone if it says so or addresses them (D-M14). A deed of a stage is only asked
about where the stage has it (`contest.mail`); elsewhere such a sentence is talk.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal

from nomicwolf.reading.text import clean, is_word

INTERJECTION = (
    r"(?:ah|alright|and|but|edit|er+|fine|hm+|no|now|oh|ok|okay|oops|right|so|sorry|then|therefore|thus|update|wait"
    r"|well|yes)")
"""An expression for one of the small words, casefolded, with which sentences begin."""
VOTING_WORDS = frozenset({
    "attack", "endorse", "endorsing", "heal", "lynch", "lynching", "poison", "retract", "shoot", "unvote", "unvoting",
    "vote", "voted", "votes", "voting",
})
"""Words of sentences that look like deeds."""


_LONGEST_WORD = 40
_VOIDING = (
    "this message is not to be taken as an action",
    "nothing in this message is an action",
    "nothing in this message constitutes an action",
    "nothing in this message has any effect",
    "this message has no effect",
    "none of the actions in this message are intended to be effective",
    "i do not perform any of the actions in this message",
    "this message does not constitute any game actions",
    "no part of this message is a game action",
)
_ITSELF = r"this (?:e ?mail|letter|mail|message|post)"
_FALSE = r"(?:(?:all|partly|possibly|probably|simply|completely) )?(?:false|untrue|an? lie|lies|lying|wrong)\b"
_LIES = re.compile(
    r"(?:\b(?<!none )(?<!none of )(?<!none of the )(?<!none of my )(?<!no )(?:of )?(?:the |my )?"
    r"(?:assertions?|claims?|sentences?|statements?)"
    rf"(?: (?:made|contained|found))? in {_ITSELF} "
    rf"(?:(?:may|might|could)(?: or (?:may|might|could) not)? (?:well )?be (?:true|{_FALSE})|(?:is|are) {_FALSE})"
    rf"|(?<!in ){_ITSELF} (?:(?:(?:may|might|could) )?contains? (?:\w+ )?"
    r"(?:false (?:statements?|claims?)|lies|untruths)"
    rf"|(?:may|might|could) be {_FALSE}|is {_FALSE})"
    rf"|nothing in {_ITSELF} is true|everything in {_ITSELF} is {_FALSE})")
"""It says of itself that it lies, or may: so everything in it is in doubt."""
_LYING = ("false", "true", "lie", "lying", "wrong")
"""One of these is in each of its words."""
_ABOUT = ("message", "mail", "post", "letter")
"""Each of them has one of these words: a letter without any needn't be looked at word by word."""


def forum_slip(text: str) -> Literal["ttpf", "nttpf"] | None:
    """Return ``ttpf`` for "this time to the public forum", ``nttpf`` for "not this time to the public forum".

    Any number of t's is before "pf" (CFJ 3586): ``TTttPF``, ``TtPF``, ``ttttttttttttttpf``. With an n in front it
    is talk. Only an own word on a line of at most four words counts: essays about slips are none.
    """
    for line in clean_lines(text):
        if "pf" not in line and "forum" not in line:
            continue
        words = _split(line)
        if len(words) > 4:
            continue
        for word in words:
            slip = _slip(word)
            if slip is not None:
                return slip
        if " ".join(words) in {"this time to the public forum", "to the public forum"}:
            return "ttpf"
    return None


def disclaimer(lines: Iterable[str]) -> str | None:
    """Return the words of *lines* that would void the letter, or None; the caller holds such a letter (CFJ 2069)."""
    cleaned = clean_lines("\n".join(lines))
    if not any(word in line for line in cleaned for word in _ABOUT):
        return None
    joined = " ".join(" ".join(_split(line)) for line in cleaned)
    lies = _LIES.search(joined) if any(word in joined for word in _LYING) else None
    return lies[0] if lies else next((each for each in _VOIDING if each in joined), None)


def clean_lines(text: str) -> list[str]:
    """Return the lines, cleaned and casefolded."""
    return [clean(line).text.casefold() for line in text.split("\n")]


def _slip(word: str) -> Literal["ttpf", "nttpf"] | None:
    if not word.endswith("pf") or len(word) > _LONGEST_WORD:
        return None
    start = word[:-2]
    if start.startswith("n") and len(start) > 1 and set(start[1:]) == {"t"}:
        return "nttpf"
    return "ttpf" if len(start) > 1 and set(start) == {"t"} else None


def _split(line: str) -> list[str]:
    """Return the words without marks."""
    return "".join(char if is_word(char) or char == "'" else " " for char in line).split()


_AGREES = re.compile(
    rf"(?:{INTERJECTION}[ ,.]+)*(?:so (?:do|will) i|i do,? too|i do|me,? too|ditto|likewise|\+ ?1"
    r"|same(?: here| for me| from me)?|as (?:do|does) i|(?:exactly )?this|what \w+ (?:said|says)|i (?:do )?the same"
    r"|count me in|i'm with you|i am with you)", re.IGNORECASE)
_SIGNED = 2
"""Lines of a letter that says one thing, and is signed."""


def only_agrees(lines: Iterable[str]) -> bool:
    """Return whether *lines*, all that is below a quotation, only agree with it: "So do I!"."""
    said = [line.strip(" .,!*_~-") for line in lines if line.strip()]
    return 0 < len(said) <= _SIGNED and _AGREES.fullmatch(said[0]) is not None


def says_nothing(lines: Iterable[str]) -> bool:
    """Return whether *lines* are empty, or only resend what is quoted: "TTttPF" (CFJ 3586)."""
    said = [line for line in lines if line.strip()]
    return not said or (len(said) == 1 and forum_slip(said[0]) == "ttpf")


_SAID = re.compile(
    r"[*_#\s]*(?:(?:re|fwd?|aw): *)*(?:and |so )?(?:(?:here|these|those|this) (?:are|is|come|comes) |now )?(?:for )?"
    r"(?:my |the |some )?(?:very )?(?:last|final|dying|parting|farewell) (?:words?|speech|letter|statement|message)\b",
    re.IGNORECASE)
"""How a subject or a first line says that last words follow."""
_HEADING = re.compile(_SAID.pattern + r"[*_ \t]*(?:[:.,;!—–-][^\w\n]*|\s*$|\s*\n)", re.IGNORECASE)
_TO_ALL = re.compile(
    r"\b(?:good[ -]?bye|farewell|adieu|so long|bye|you|your|yours|yourselves|y'all|everyone|everybody|folks|friends"
    r"|townspeople|villagers|people of|dear (?:all|town|players)|avenge|remember me|good luck)\b")
"""Words that one says to all who read."""
_STATED = re.compile(
    r"(?!(?:oh|ah|argh|ugh|wow|damn|darn|drat|hm+|huh|well|what|no|ok|okay|lol|oops|ouch|seriously)\b)"
    r"[\W_]*[^\W\d_].*[.!…][\"”')*_\s]*", re.IGNORECASE | re.DOTALL)
"""A statement with its mark at the end; words that slip out, in a few letters to oneself, rarely have one."""
_TO_ONE = re.compile(
    r"\?|\b(?:please|sorry|apologies|thanks|thank you|contestmaster|moderator|game ?master|gm|narrator|nomicwolf"
    r"|(?:can|could|would|will|do|did|are|may|tell|told|ask|hope|know if|between) you|between us|in private"
    r"|don't (?:tell|publish|post)|do not (?:tell|publish|post)|not (?:for publication|to be published))\b")
"""Words that one says to the contestmaster alone."""


def last_words(lines: Sequence[str], subject: str, contestmaster: str) -> str:
    """Return the words of a letter that are meant for everyone, without the heading that says so; '' if in doubt.

    >>> last_words(["Last words:", "I was framed."], "", "Murphy")
    'I was framed.'
    >>> last_words(["I was framed, and you will miss me."], "", "Murphy")
    'I was framed, and you will miss me.'
    >>> last_words(["oh no I was the cop"], "", "Murphy")
    ''
    """
    words = "\n".join(lines).strip()
    heading = _HEADING.match(words)
    if heading is not None or _SAID.match(words) or _SAID.match(subject):
        return words[heading.end() if heading else 0:].strip() or words
    plain = " ".join(words.casefold().replace("’", "'").split())
    named = re.search(rf"\b{re.escape(contestmaster.casefold())}\b", plain) if contestmaster else None
    spoken = _TO_ALL.search(plain) or (words[:1].isupper() and _STATED.fullmatch(words))
    return words if spoken and not (named or _TO_ONE.search(plain)) else ""


SECONDING = re.compile(
    r"\b(?:I(?:'ll| will|'d like to| would like to| want to| wish to| gladly| happily| also| do| hereby)?|me too,? I"
    r"|consider (?:it|that|this|em)) second(?:ed)?\b(?! (?:thoughts?|time|trial|night|day))"
    r"(?![^.!?]*\?)"
    rf"|^\W*(?:(?:{INTERJECTION}|\+ ?1|yes|yeah|yep|agreed|sure|accusation|motion|hereby|duly)[,.!:]* )*"
    r"second(?:ed|ing)?\b(?! (?:thoughts?|time|trial|night|day)\b)[^?]*$", re.IGNORECASE)
"""What could be meant to second an accusation, where one could be (GA 5c)."""
ACCUSING = re.compile(
    rf"^\W*(?:{INTERJECTION}[, ]+)*(?:I (?!do|don't|would|might|may|could|will|can"
    r"|cannot|never|not|was|am|had|have)(?:\w+ ){0,2}accuse\b|(?:i'm |i am )?accusing\b|j'accuse\b"
    r"|(?:my )?accusation\b"
    r"|I (?:hereby )?(?:move|call for|demand|request|propose|want)\b[^?]*\b(?:convict(?:ed)?|trial|vote on|accusation)"
    r"\b|I (?:hereby )?(?:make|lodge|raise|bring|file|have) (?:\w+ ){0,2}accusation\b)[^?]*$", re.IGNORECASE)
"""What could be meant as an accusation, where somebody could be accused (GA 5b)."""
NOMINATING = re.compile(
    rf"^\W*(?:{INTERJECTION}[, ]+)*(?:I (?!do|don't|would|might|may|could|will|can|cannot|never|not|was|am|had|have)"
    r"(?:\w+ ){0,2}nominate\b|(?:i'm |i am )?nominating\b|(?:(?:i )?(?:\w+ )?(?:change|changing|switch|switching|move"
    r"|moving) )?my nomination\b|nominations?:)[^?]*$", re.IGNORECASE)
"""What could be meant to nominate somebody, where all do (LT 5a)."""
JUDGING = re.compile(
    rf"^\W*(?:{INTERJECTION}[.,:;!]* )*(?:not )?(?:guilty|innocent)\b[^?]*$"
    r"|\bI (?:\w+ )?(?:vote|voted|say|find|judge|call|declare|convict|acquit|pronounce)\b[^.?!]*(?:guilty|innocent)"
    r"|\b(?:my (?:vote|verdict)|voting)\b[^.?!]*(?:guilty|innocent)", re.IGNORECASE)
"""What could be meant as a verdict, where somebody is tried."""
