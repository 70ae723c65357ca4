"""Checks of deeds around the game.

What follows "I object", "I claim an error" or "I am away" decides whether that is a deed of the law, or talk.

"Barring objections", "the moment Bex does", "in spirit", "in the other game", "for Herald", "on Bex's behalf" qualify a
deed before it, after it or in brackets. No condition of the language is worded like that, so the author is asked: a
vote without a condition could lynch somebody (NC 3 conditional, D-N10).
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace
from functools import reduce
from string import whitespace

from nomicwolf.data import grammar_table
from nomicwolf.reading.day_spans import seems_dated
from nomicwolf.reading.deeds import Act, BallotError
from nomicwolf.reading.set_phrases import VOTING_WORDS
from nomicwolf.reading.vocabulary import READY

_ASIDES = grammar_table("asides")
_PARTS = _ASIDES.pop("parts")
_PHRASES = reduce(
    lambda found, part: found.replace(f"{{{part}}}", _PARTS[part]), _PARTS,
    "|".join(phrase for group in _ASIDES.values() for phrase in group.splitlines()))
_SMALL = r"(?:(?:and|but|so|then|well|ok|okay|sorry|albeit|though|only|just|probably)[, ]+)*"
_QUALIFIES = re.compile(rf"(?:^|[,;:(] *| - |\.\.\. *){_SMALL}(?:{_PHRASES})", re.IGNORECASE)
_LONGEST = 300
"""What stands further off says nothing of the deed; and to look for it takes the square of its length."""


def qualifies(text: str) -> bool:
    """Return whether *text*, beside a deed in its sentence, has a phrase that makes it another thing.

    >>> qualifies("Barring objections,"), qualifies("with a heavy heart"), qualifies("sorry, in spirit")
    (True, False, True)
    """
    return _QUALIFIES.search(text, 0, _LONGEST) is not None


_REPORTED = re.compile(
    r"(?!(?:i|as|like|and|but|so|for|who|which|whose|because|since|though|although|despite|in"
    r"|after|from|by|with|on|what|whatever|not|if|when|seeing|now|given)\b)"
    r"\S+(?: \S+){0,2}? (?:told (?:everyone|everybody|them|him|her|em|all|us|me|you)|(?:report|announc|shout|mutter"
    r"|whisper|declar|dictat|proclaim|exclaim|yell|scream|murmur)ed|cried|swore|said|wrote|ended|goes|sang|sings)"
    r"(?: (?:all|us|me|you))?(?: (?:yesterday|earlier|before|again|last night|aloud|loudly|to (?:say|write|send|post)"
    r"|(?:to|from|at|in) (?:the|a|an|everyone|everybody|all|us|me|you|my|eir|his|her)(?: \S+)?))?[ .!]*$"
    r"|i (?:told|informed|lied to) (?:everyone|everybody|them|him|her|em|all)"
    r"(?: (?:yesterday|earlier|before|last night|in my dream))?[ .!]*$"
    r"|(?:reads|runs|ran|ended|began|goes|went) (?:the|my|an?|this|that|eir|his|her) \S+(?: \S+)?[ .!]*$",
    re.IGNORECASE)
"""Another's report of them: "..., Cam reported", "..., Bex told everyone", "..., reads the note"."""
_SAID = re.compile(
    r"(?:or so |so |thus |as )?(?:said|says|wrote|writes|quoth|claims?|claimed)\b"
    r"|(?:they|people|some|many|others) (?:say|claim|think|tell (?:us|me|you))\b"
    r"|(?!(?:i|as|like)\b)\S+(?: \S+)? (?:said|says|wrote|writes|tells? (?:us|me|you)|told (?:us|me|you)|claims"
    r"|claimed)(?: so)?[ .!]*$", re.IGNORECASE)
"""Whose words they were: "..., said Bex", "..., people say"."""
_REPORTING = frozenset({
    "announced", "began", "cried", "declared", "dictated", "ended", "exclaimed", "goes", "informed", "lied",
    "murmured", "muttered",
    "proclaimed", "ran", "reads", "reported", "runs", "said", "sang", "screamed", "shouted", "sings", "swore", "told",
    "went", "whispered", "wrote", "yelled",
})
"""One of these words is in all that `_REPORTED` takes."""


def is_report(aside: str, words: Collection[str]) -> bool:
    """Return whether *aside*, of these *words* (casefolded), says that somebody said what precedes it.

    >>> is_report("Cam reported", ["cam", "reported"]), is_report("Bex reported a vision", ["bex", "reported"])
    (True, False)
    """
    return _SAID.match(aside) is not None or (
        not _REPORTING.isdisjoint(words) and _REPORTED.match(aside) is not None)


INTENTS = frozenset({"OBJECT", "SUPPORT", "WITHDRAW"})
DATED = frozenset({"HOLIDAY", "BACK_ON"})
_NUMBER = r"(?:numbers? |nos?\.? ?|nr\.? ?|#)?\d{1,6}"
_POINTERS = re.compile(
    r"(?:this|that|it|these|those|them|both|all|any|everything|(?:all|both|any|each|every one) of (?:the above|these|"
    r"those|them|this|that|it|you|your intents)|any such (?:thing|action|intent)"
    r"|(?:the |all (?:of )?the )?(?:above|foregoing)"
    rf"|(?:both )?{_NUMBER}(?:(?: and|, and|,) {_NUMBER})*)"
    r"(?: too| as well| now)?")
_NAMED = re.compile(
    r"\b(?:in|of) (?:both )?((?:(?:and |in |as well as )*(?:Agora|B)\b(?: nomic)?\s*)+)\W*$", re.IGNORECASE)
_REASONED = re.compile(
    r"(?:because|since|as (?!a (?:joke|matter))|though|although|even though|on the grounds?|for the reasons?|due to|"
    r"in spite of|despite|for now|but|(?:only |just )?(?:if|as long as|so long as|when|while)|unless|provided|until|"
    r"to the (?:fullest |full )?extent possible)\b")
_BEFORE = re.compile(r"\bintent(?:s|ion|ions)?\b(.*?)[\s,;:]*$", re.IGNORECASE | re.DOTALL)
"""The intent that is named before what is done about it: "As to intent 2,"."""
_ABOUT_INTENTS = frozenset({"object", "support", "withdraw"})
_ABOUT = re.compile(
    r"\bintent(?:s|ion|ions)?\b|#\d+|\b(?:remov(?:al|e|ing|ed)|expel\w*|expulsion|kick(?:ing|ed)?)\b"
    r"|\bamend(?:ment|ments|ing|ed)?\b|\b(?:end|ending|abort\w*|terminat\w*|the end) (?:of )?(?:this |the |our )?"
    r"(?:present |current |running )?(?:session|subgame|sub-game)\b|\bdependent actions?\b"
    r"|\b(?:proposed|intended|attempted|attempt to|motion)\b|\bthing\b(?: that)? \w+ (?:wants|intends|is trying) to\b"
    r"|\b\w+(?:'s|s) thing\b")
_LEAD = re.compile(r"(?:(?:this|that|my|eir|your|the|above) )?(?:proposed|intent(?:ion)?)\b(?!s)", re.IGNORECASE)
_AWARD = re.compile(r"\bawards?\b", re.IGNORECASE)
_ACTED = frozenset({"join", "leave", "object", "resolve", "retract", "support", "withdraw"})
_ALSO = re.compile(
    r"(?:\b(?:and|but|then)\b|[,;])\W*(?:(?:i|also|hereby|then|now|do|strongly|formally)\s+)*"
    r"(?:object|support|withdraw|retract|resolve|join|leave)\b"
    r"|\bi (?:also |do )?(?:support|withdraw|retract|(?:don't|do not) object)\b.*(?:\bintents?\b|\d)", re.IGNORECASE)
"""Another deed behind the first: "3 and support intent 4", whose numbers are not all for the same."""
_BARRING = re.compile(
    r"\b(?:all but|except(?:ing)?|other than|apart from|aside from|excluding|but not"
    r"|not (?:to )?(?:intent|number|no\.|#|\d))", re.IGNORECASE)
_WHY = re.compile(
    r"\b(?:because|since|due to|owing to|on account of|although|though|despite|in spite of"
    r"|as (?:i|e|he|she|they|it|we|you|there|this|that|the)\b)(?: .*|$)", re.IGNORECASE | re.DOTALL)
"""Why somebody objects: what is named in it is not what they object to."""
_APART = whitespace + ",;(-"
"""What parts a reason from what is before it."""
_BESIDE = re.compile(r"\s*[,;(]\s*|\s+--?\s+|\.\.\.\s*")
_IN_JEST = frozenset({"/s", "hypothetically", "jk", "joke", "joking", "kidding", "psych", "sarcasm"})
_UNSURE = re.compile(
    r".*\b(?:maybe|perhaps|possibly|probably)\b|(?:i (?:guess|think|suppose|believe)|or not|(?:but )?not yet)\W*$",
    re.IGNORECASE)
_WHETHER = re.compile(r"\b(?:if|unless|provided|maybe|perhaps|possibly|probably)\b", re.IGNORECASE)
_ONE_NUMBER = re.compile(rf"{_NUMBER} ", re.IGNORECASE)
_CALLED = re.compile(r"(?:is|was|were|would be) (?:what|how|something|not|an?|my|the)\b", re.IGNORECASE)
_IFS = re.compile(
    r"\b(?:if|iff|unless|provided|providing|assuming|until|when|once|whenever|(?:as|so) long as|in case|subject to"
    r"|in the event)\b", re.IGNORECASE)


_DESCRIBED = re.compile(r"\bintent(?:ion)?s? to\b(?:(?!\b(?:if|iff|unless|provided|assuming)\b)[^,;])*", re.IGNORECASE)
"""What is intended, with its times: "intent to extend the day until Sunday"."""


def belongs(kinds: frozenset[str], tail: str) -> bool:
    """Return whether a sentence that opens with one of *kinds* and continues with *tail* is such a deed."""
    colon = tail.lstrip(" *_").startswith(":")
    rest = tail.strip(" .,;:!*_-\"'()")
    if kinds & INTENTS:
        return colon or not rest or _of_intents(rest)
    if "CLAIM" in kinds:
        return bool(_AWARD.search(rest))
    if "CONFIRM" in kinds:
        return not rest or " " not in rest
    if kinds & READY and not kinds & DATED:
        return colon or "WATCH" in kinds or len(rest.split()) <= 3 * ("STANDBY" in kinds)
    if kinds & DATED:
        return colon or seems_dated(rest)
    return True


def _of_intents(rest: str) -> bool:
    """Return whether *rest* is about intents: by number, by what is intended, or by pointing."""
    folded = " ".join(rest.casefold().split())
    plain = re.sub(r"^(?:to|with|against|for|about|of) ", "", folded)
    return bool(_POINTERS.fullmatch(plain) or _ABOUT.search(folded) or _REASONED.match(folded))


def pointed(text: str) -> str:
    """Return the description of an intent without "the intent" before it; '' for words that only point."""
    plain = text.strip(" .!")
    if plain.casefold() in ("this", "that", "it", "above", "foregoing"):
        return ""
    lead = _LEAD.match(plain)
    return plain[lead.end():].strip() if lead else plain


def on_named(act: Act, lead: str) -> Act:
    """Return *act* on the intent named in *lead*, the words before it; unchanged if it names one itself."""
    if act.words or act.verb not in _ABOUT_INTENTS or not lead or (named := _BEFORE.search(lead)) is None:
        return act
    words = pointed(named[1])
    return replace(act, words=words) if words.strip(" ,").casefold() not in {"", "and"} else act


def _unreasoned(text: str) -> str:
    """Return *text* without the reason that it ends with."""
    found = _WHY.search(text)
    return text if found is None else text[:found.start()].rstrip(_APART)


def alone(text: str) -> str:
    """Return the words of a deed; BallotError if they are conditional or contain another deed."""
    plain = _DESCRIBED.sub("", text)
    words = {w.strip(".,;:!?()[]*_#\"'") for w in plain.casefold().split()}
    if words & VOTING_WORDS or (words & _ACTED and _ALSO.search(text)):
        raise BallotError("ambiguous", "This says two things at once.", hint="say each in a sentence of its own")
    return text


def singled(text: str) -> str:
    """Return *text* about intents without its reasons; BallotError if it excludes one ("all but 3")."""
    if _BARRING.search(text := _unreasoned(text)):
        raise BallotError("ambiguous", "This names what is not meant.", hint="name what is, by number: “intent 1”")
    return alone(text)


def unconditional(text: str, verb: str = "object to") -> str:
    """Return *text* without its reasons; BallotError if it is conditional or another's: only votes can be.

    What is to be stopped by too much rather than to happen by mistake is objected to by whoever isn't sure, too.
    """
    meant(text, f"I {verb} intent 1.", sure=verb != "object to")
    if _IFS.search(_DESCRIBED.sub("", _unreasoned(text))):
        raise BallotError("ambiguous", "This stands or doesn't; it can't hang on a condition.", hint=(
            f"write “I {verb} intent 1.”, when it is so"))
    return singled(text)


def meant(text: str, form: str, *, sure: bool = True) -> str:
    """Return *text*; BallotError, offering *form*, if the deed is another's, a joke, or doubtful."""
    number = _ONE_NUMBER.match(text)
    asides = _BESIDE.split(text if number is None else f", {text[number.end():]}")[1:]
    if any(_is_unmeant(aside) or (sure and (_UNSURE.match(aside) or qualifies(aside))) for aside in asides):
        raise BallotError("ambiguous", "This could be another's words, or not be meant.", hint=(
            f"if you mean it, write “{form}” on a line of its own"))
    return text


def away(text: str) -> str:
    """Return *text*, which says when its author is away; BallotError if that is conditional or not meant."""
    if any(_is_unmeant(aside) or _UNSURE.match(aside) for aside in _BESIDE.split(text)[1:]) or _WHETHER.search(text):
        raise BallotError("ambiguous", "Will you be away for certain?", hint=(
            "write “holiday: 2026-12-20 to 2027-01-03”; “holiday: over” ends it early"))
    return alone(text)


def _is_unmeant(aside: str) -> bool:
    """Return whether *aside* says that the deed before it is another's, or a joke."""
    words = [word.strip(".,!?()*_") for word in aside.casefold().split()]
    return not _IN_JEST.isdisjoint(words) or is_report(aside, words) or _CALLED.match(aside) is not None


def award_claimed(text: str) -> str:
    """Return the words of a claim of error; BallotError if they don't say which award is wrong, and why."""
    claim = re.sub(r"^(?:an |the following )?errors? ", "", text.strip(), flags=re.IGNORECASE)
    claim = re.sub(r"^(?:of error )?(?:in|on|about|against|regarding|that|with)\b[:,]? *", "", claim,
                   flags=re.IGNORECASE)
    hint = "write “claim: award 3 of session 1: ” and why it is wrong"
    found = re.search(r"\bawards?\b\W*(?:number|no\.?|nr\.?)?\W*(\d{1,6})\b(.*)", claim, re.IGNORECASE | re.DOTALL)
    if found is None:
        raise BallotError("ambiguous", "Which award is wrong?", hint=hint)
    why = re.sub(r"\(?\b(?:of|in|for|from) (?:the )?session \d+\)?|\(session \d+\)", "", found[2], flags=re.IGNORECASE)
    if not any(c.isalpha() for c in why):
        raise BallotError("ambiguous", f"What is wrong with award {found[1]}?", hint=hint)
    return claim


def nomics_named(text: str) -> set[str]:
    """Return the nomics, of ``agora`` and ``b``, that somebody says they join or leave (NC 1c)."""
    found = _NAMED.search(text)
    return set(re.findall(r"agora|b(?= |$)", found[1].casefold())) if found else set()
