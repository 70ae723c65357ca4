"""Sentences that could be meant as a deed of the law around the game, or as a choice: what their authors are asked.

Whoever objects, joins or leaves in words that can't be taken must not be passed over: an action that a member has
tried to stop would happen (NC 1c, D-N35), and someone would think that e plays.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from nomicwolf.reading.dates import seems_dated
from nomicwolf.reading.deeds import Problem
from nomicwolf.reading.errors import BallotError
from nomicwolf.reading.halfsaid import says_nobody
from nomicwolf.reading.hints import sentence_case
from nomicwolf.reading.kinds import CONDITIONS, PARTY, VERDICTS
from nomicwolf.reading.lawful import OBJECTIONS, SUPPORTS, WITHDRAWALS
from nomicwolf.reading.leads import is_timed, skip_leads
from nomicwolf.reading.misspelled import misspelled
from nomicwolf.reading.names import NameBook
from nomicwolf.reading.parting import PARTING, seems_parting
from nomicwolf.reading.performing import Opening
from nomicwolf.reading.phrases import vocabulary, words_of
from nomicwolf.reading.second_thoughts import Finding
from nomicwolf.reading.seeming import TAKING_BACK, seems_joined, seems_withdrawn
from nomicwolf.reading.sentences import Sentence
from nomicwolf.reading.telling import Told, without
from nomicwolf.reading.vocables import begins_condition, words_in

_OBJECTED = frozenset({"object", "objection", "objections"})
_SHARED = Told(re.compile(
    r"I (?:also |too )?(?:second|share|echo|join(?: in)?)\b.{0,40}\bobjections?"
    r"|(?:.{0,60}[,;:] (?:but |and |so )?)?I(?:'d like to| would like to"
    r"| (?:must|shall|will|have to|want to|wish to|need to))(?: \w+ly| also)? object"
    r"(?: to (?:this|that|it|both|all(?: of (?:this|that|them))?|(?:the )?(?:above|foregoing)"
    r"|.{0,40}\bintent(?:ion)?s?\b.{0,40}|the (?:removal|amendment|ending)\b.{0,40}))?"
    r"|my objections? (?:to .{0,40}|against .{0,40})?(?:is|are) (?:hereby |now )?"
    r"(?:withdrawn|retracted|rescinded|revoked)", re.IGNORECASE), _OBJECTED)
_OBJECTION = "if you object, write “I object to intent 1.” on a line of its own; you can withdraw it when you like"
_OBJECTED_NO_MORE = "if you take your objection back, write “I withdraw my objection to intent 1.”"
_SUPPORT = "if you support an intent, write “I support intent 1.” on a line of its own; it can be withdrawn"
_UNCONDITIONAL = "An objection stands or doesn't, and can't hang on a condition"
_SECONDED = "A second counts at once, and can't hang on a condition; when it is so, write “I second.”"
_JUST = ("just ", "in any case", "in the event", "in case")
_CHOICE = "What is to happen to em? Say it with its verb: “attack NAME”, “see NAME”, “shoot NAME”; Lovers are two"
_VERB_ALONE = "say it with its verb on a line of its own, such as “attack NAME”, “see NAME” or “heal nobody”"
_BARE = len("I leave the ga")
_FOR_OTHERS = ("on behalf of", "in the name of", "in place of", "instead of")
_LATER = ("effective", "as of ", "from ", "on ", "next ", "tomorrow", "soon")
_ABSENT = frozenset({
    "absent", "away", "break", "hold", "holiday", "holidays", "leave", "offline", "unavailable", "vacation"})
_GONE = (
    r"\b[^.]{0,30}\b(?:away|on (?:a |my )?(?:holidays?|vacation|hold|leave|break)|absent|unavailable|offline)\b(.*)")
_LEAVING = re.compile(rf"(?:going|off|leaving){_GONE}", re.DOTALL)
_AWAY = re.compile(rf"i(?<!\wi)(?:'ll| will| am|'m| shall){_GONE}", re.DOTALL)
"""Of casefolded words. It begins with a letter that is quickly looked for, and only then asks what stands before."""
_MOVED = re.compile(
    r"(?=.*\b(?:my|me)\b)(?=.*(?<![@.\w])(?:new|now on|changed|moved|instead|please)(?![@.\w])).*?"
    r"([^\s<>()\[\],;:]+@[^\s<>()\[\],;:]*\w)", re.IGNORECASE | re.DOTALL)
_NAMED = frozenset({"alias", "call", "called", "handle", "known", "name", "nick", "nickname"})
_CALLED = Told(re.compile(
    r"(?:please call me|you (?:can|may) call me|(?:please )?add (?:the |an |my )?alias"
    r"|call me(?=.* (?:from (?:now|here) on|henceforth)$)|my (?:new )?(?:nick(?:name)?|handle)"
    r" is(?: now)?"
    r"|I am now (?:known as|called)|I(?:'m| am) (?:changing|going to change) my (?:nick)?name to"
    r"|I change my (?:nick)?name to)\s+(\S+(?: (?!from\b|henceforth\b)\S+)?)"
    r"(?: from now on| from here on| henceforth)?", re.IGNORECASE), _NAMED)
_FOUND = frozenset({"guilty", "innocent"})
_JUDGED = Told(re.compile(
    r"I (?:\w+ )?(?:find|pronounce|declare|judge|deem|rule|say|hold|vote)\b(?: \S+){0,5} (?:not guilty|guilty|"
    r"innocent)(?:, \w+)?", re.IGNORECASE), _FOUND)
_VERDICT_ON = re.compile(
    r"(?:I \w+ )?(?:\S+ ){0,2}?(?:guilty|innocent)(?: *[,;(/-]| (?:if|unless|or|but|until|provided|once|when)\b"
    r"| (?:and |& )?(?:not )?(?:guilty|innocent)\b)",
    re.IGNORECASE)
"""A verdict that goes on with a doubt, a condition or another verdict, and not with more of a sentence."""
_PLEASE = r"(?:(?:please|kindly|(?:could|can|will|would) (?:you|someone|somebody)) )*"
_BY = r"(?: (?:with|by) \S+(?: \S+)?)?(?:,? (?:please|for|until|till|from|as soon as|now|today)\b.*)?"
_INSTEAD = frozenset({
    "fill", "over", "place", "put", "replace", "replaced", "replacement", "role", "seat", "stand", "stead", "sub",
    "substitute", "substituted",
})
_SUBSTITUTED = Told(re.compile(
    rf"{_PLEASE}(?:(?:replace|substitute(?: for)?|sub (?:in )?for|fill in for|take over (?:for|from)"
    rf"|stand in for) me{_BY}"
    r"|(?:substitute|sub|put) \S+ (?:in )?(?:for me|in my (?:place|seat|stead)))"
    r"|I(?:'d)?(?: hereby| now| would| do)* (?:want|need|like|request|ask for|seek|am looking for)"
    rf" (?:to be (?:replaced|substituted){_BY}|an? (?:replacement|substitute|sub) for (?:me\b.*"
    r"|the (?:rest|session|game)\b.*|today|this (?:session|game)|a (?:week|while))"
    r"|\S+(?: \S+)? to (?:replace me|take (?:over|over (?:for|from) me|my (?:place|seat|role))))"
    r"|\S+(?: \S+)? (?:will|shall|is going to) (?:replace me|take (?:over (?:for|from) me|my (?:place|seat))"
    r"|sub(?:stitute)? (?:in )?for me|stand in for me)", re.IGNORECASE), _INSTEAD)
"""Who asks that another play in eir place."""
_SURE = VERDICTS | PARTY | {"ABSTAIN", "SECOND"}
"""Deeds that are meant by whoever begins with their words, whatever makes them doubtful."""
_SHORT = 2
_NAME = 40
_NOBODY = "nobody"
JOINING = frozenset({
    "add", "contestant", "in", "join", "joining", "leave", "leaving", "membership", "out", "play", "playing",
    "quitting", "remove", "sign",
})
"""One of these words is in each opening of `HALF_JOINED`."""
LAWFUL = _OBJECTED | TAKING_BACK | PARTING | JOINING | _ABSENT | _NAMED | _FOUND | _INSTEAD
"""Without any of these words nothing of the law around the game is said, nor an address."""
_CLOSES = frozenset({"final answer", "my vote", "that is my vote", "that's my vote", "there's my vote"})
_SIGNED = 2
"""Sentences of a letter that is a name, and its author's."""
_LONGEST = 300
"""Longer sentences say more than one such thing; and what looks for it takes the square of their length."""
_VERDICT = "if this is your verdict, write “guilty” or “innocent”"
_HALF_SAID = "if this is meant as a vote, write “I vote for NAME.”, or “vote NAME” on a line of its own"
_EACH_FOR_EMSELF = "each casts eir own vote; if you mean yours, write “I vote for NAME.”"
_CAUSES = re.compile(r"I (?:(?:hereby|now|do) )?(?:cause|force|compel|make)\b", re.IGNORECASE)
_DELEGATES = frozenset({
    "bind", "delegate", "delegating", "endorsement", "entrust", "follow", "following", "mirror", "proxy", "tie",
    "whatever", "wherever", "whoever", "whomever",
})
_SAME = frozenset({"ditto", "same"})
_ITS_VOTE = re.compile(r"'s (?:vote|ballot)\b")
_UNDONE = frozenset({"retract", "unvote", "withdraw"})
_TICKS = ("[x]", "(x)", "[*]", "\u2611", "\u2713", "\u2714", "[\u2713]", "[\u2714]")
"""Before a name: it is chosen from a list."""
_AT_A_TIME = "if it is to be so from that time on, write “I vote for NAME after 2026-12-01T12:00Z.”"
_HANGING = "if this is meant as a vote, write “I vote for NAME if ..., otherwise NAME.”"
_SUBSTITUTION = "another takes your place when the contestmaster says so: write “ask: ...” to em by private letter"
_TAKEN_BACK = "if you take your vote back, write “unvote”"
_STEADY = "Joining and leaving can't hang on a condition, or on a time to come."
_LED = re.compile(
    r"^(?:(?:ok(?:ay)?|fine|well|right|then|so)[,.:! ]+)+|,? (?:then|obviously|of course|again|it is)$", re.IGNORECASE)
_METHOD = re.compile(r"\bwithout (?:member )?objections?\b", re.IGNORECASE)
_POLITE = re.compile(r",? (?:please|pls|tonight|today|thanks|thank you)$", re.IGNORECASE)
"""What may stand beside a name that is all of a letter."""


def lawful_question(sentence: Sentence, stands: Opening) -> Problem | None:
    """Return the question about a *sentence* that does nothing as it stands, None where it is just talk."""
    if not stands.kinds and "@" not in sentence.text and without(sentence.text, LAWFUL):
        return None
    if (stands.manner == "doubt" and stands.kinds & OBJECTIONS) or _shares(sentence.text):
        no_more = sentence.text.casefold().startswith("my objection")
        return _problem(sentence, stands.at, (), _OBJECTED_NO_MORE if no_more else _OBJECTION)
    if stands.manner == "doubt" and stands.kinds & SUPPORTS:
        return _problem(sentence, stands.at, (), _SUPPORT)
    if seems_withdrawn(sentence.text) and not sentence.asked:
        return _problem(sentence, stands.at, ("unvote",), _TAKEN_BACK)
    instead = seems_joined(sentence.text) or seems_parting(sentence.text)
    if instead and not (sentence.asked and seems_parting(sentence.text)):
        return _problem(sentence, 0, (instead,), f"if you mean it, write “I {instead}.”")
    return None if sentence.asked else _of_oneself(sentence)


def half_said_question(sentence: Sentence, stands: Opening, names: Sequence[str]) -> Problem:
    """Return the question about a *sentence* that could be meant as a vote for one of the first two of its *names*.

    Or as one that takes a vote back.
    """
    verb = misspelled(sentence.text.casefold()[skip_leads(sentence.text, 0):])
    if stands.kinds == {"UNVOTE"} or seems_withdrawn(sentence.text) or verb in _UNDONE:
        return _problem(sentence, stands.at, ("unvote",), _TAKEN_BACK)
    if len(names) > 1 and _CAUSES.match(sentence.text):
        return _problem(sentence, stands.at, (f"vote {names[1]}",), _EACH_FOR_EMSELF)
    if len(names) == 1 and (words_in(sentence.text) & _DELEGATES or verb == "endorse"):
        return _problem(sentence, stands.at, (f"vote endorse {names[0]}",), _HALF_SAID)
    if not names and says_nobody(sentence.text):
        return _problem(sentence, stands.at, ("vote nobody",), _HALF_SAID)
    if len(names) == 1 and (words_in(sentence.text) & _SAME or _ITS_VOTE.search(sentence.text)):
        return _problem(sentence, stands.at, (f"vote endorse {names[0]}", f"vote copy {names[0]}"), _HALF_SAID)
    if is_timed(sentence.text[:stands.at].rstrip()):
        return _problem(sentence, stands.at, (), _AT_A_TIME)
    if begins_condition(sentence.text):
        return _problem(sentence, stands.at, (), _HANGING)
    return _problem(sentence, stands.at, tuple(f"vote {name}" for name in names[:2]), _HALF_SAID)


def unchosen_question(sentence: Sentence) -> Problem:
    """Return the question about a private *sentence* that seems to choose somebody, without a verb of the night."""
    return _problem(sentence, 0, (), _VERB_ALONE)


def _shares(text: str) -> bool:
    return _SHARED.fullmatch(text.strip(" .!"), text) is not None


def _of_oneself(sentence: Sentence) -> Problem | None:
    """Return the question to someone who seems to go away, to move, to take another name, or to judge."""
    said, text = sentence.text, sentence.text.strip(" .!")
    if len(text) > _LONGEST:
        return None
    if not without(said, _ABSENT) and _goes_away(text.casefold()):
        return _problem(sentence, 0, (), "if you will be away, write “holiday: from 2026-12-20 to 2027-01-03”")
    if "@" in text and (moved := _MOVED.match(text)):
        return _problem(sentence, 0, (f"address: {moved[1]}",), f"if you move, write “address: {moved[1]}”")
    if called := _CALLED.fullmatch(text, said):
        return _problem(sentence, 0, (f"alias: {called[1]}",), f"if you want that name, write “alias: {called[1]}”")
    if _SUBSTITUTED.fullmatch(text, said):
        return _problem(sentence, 0, (f"ask: {text}",), _SUBSTITUTION)
    if _JUDGED.fullmatch(text, said):
        return _problem(sentence, 0, ("guilty", "innocent"), _VERDICT)
    return None


def _goes_away(folded: str) -> bool:
    """Whether *folded* words say that their author will be away, and when."""
    away = _LEAVING.match(folded) or _AWAY.search(folded)
    return away is not None and seems_dated(away[1].strip())


def only_a_name(letter: Sequence[Sentence], book: NameBook, private: bool) -> list[Finding]:
    """Return the question to someone whose *letter* is another townsperson's name, signed or not: "Gus!"."""
    names = [_is_name(sentence, book, private) for sentence in letter[:_SIGNED]]
    if len(letter) == _SIGNED and (names[1] == book.people.author or (
            not private and letter[1].text.strip(" .!").casefold() in _CLOSES)):
        names.pop()
    meant = {*book.people.living, *(book.people.dead if private else (_NOBODY,))} - {book.people.author}
    if len(names) != 1 or names[0] not in meant:
        return []
    if private:
        return [_problem(letter[0], 0, (), _CHOICE)]
    return [_problem(letter[0], 0, (f"vote {names[0]}",), f"if this is meant as a vote, write “vote {names[0]}”")]


def ticked_question(sentence: Sentence, book: NameBook) -> Problem | None:
    """Return the question about a *sentence* that is a name with a tick before it: "[x] Gus"; None for any other."""
    if len(sentence.text) > _NAME or not (place := sentence.whole.origin[sentence.start]) or not sentence.alone:
        return None
    before = sentence.whole.raw[:place][-_NAME:].rstrip().casefold()
    if not before.endswith(_TICKS) or (name := _is_name(sentence, book, private=False)) not in book.people.living:
        return None
    return _problem(sentence, 0, (f"vote {name}",), f"if this is meant as a vote, write “vote {name}”")


def _is_name(sentence: Sentence, book: NameBook, private: bool) -> str | None:
    """Whose name *sentence* is, and nothing else; None for any other."""
    text = sentence.text.strip(" .!@#*_~-:;,")
    text = _LED.sub("", text[skip_leads(text, 0):] if private else text)
    if private and len(text := _POLITE.sub("", text)) <= _SHORT:
        return None
    if not private and text.casefold() in words_of("NOBODY") and book.whole(text) is None:
        return _NOBODY
    whole = sentence.text.strip()
    name = book.find(text, 0) if text and not sentence.asked else None
    if name is None and not private and not sentence.asked and (full := book.find(whole, 0)) and full.end == len(whole):
        text, name = whole, full
    return name.person.names[0] if name and name.end == len(text) and len(name.person.names) == 1 else None


def failure_question(sentence: Sentence, stands: Opening, error: BallotError) -> Problem | None:
    """Return the question about a *sentence* that objects, supports, joins, leaves or chooses, and more."""
    text = sentence.text.strip(" .!")
    if stands.kinds & SUPPORTS:
        return _problem(sentence, stands.at, (), _SUPPORT)
    if stands.kinds & _SURE and error.problem == "ambiguous":
        return _problem(sentence, stands.at, error.suggestions, f"{error.message} {sentence_case(error.hint)}")
    if stands.kinds == {"MATCH"} and error.problem == "not understood" and error.at > len(sentence.text) - stands.at:
        return Problem(sentence.line_at(stands.at), sentence.written, "not understood", (), _CHOICE)
    if "INTEND" in stands.kinds and (method := _METHOD.search(sentence.text)) is not None:
        return _problem(sentence, stands.at, (), f"say how before what: write “I intend, {method[0]}, to ...”")
    if stands.kinds & OBJECTIONS or (stands.kinds & WITHDRAWALS and "objection" in text):
        hint = f"{_UNCONDITIONAL}; {_OBJECTION}" if stands.kinds & OBJECTIONS else _OBJECTED_NO_MORE
        return _problem(sentence, stands.at, (), hint)
    if _shares(text):
        return _problem(sentence, stands.at, (), _OBJECTION)
    if stands.kinds & VERDICTS and (_VERDICT_ON.match(sentence.text, stands.at) or _JUDGED.fullmatch(text)):
        return _problem(sentence, stands.at, ("guilty", "innocent"), _VERDICT)
    rest = sentence.text[stands.at + max(error.at - 1, 0):].lstrip(" ,;-(").casefold()
    if "SECOND" in stands.kinds and (_conditions_at(rest) or rest.startswith(_JUST)):
        return _problem(sentence, stands.at, ("second",), _SECONDED)
    return _party_question(sentence, stands, rest, error) if stands.kinds & PARTY else None


def _party_question(sentence: Sentence, stands: Opening, rest: str, error: BallotError) -> Problem | None:
    """Return the question to someone who joins or leaves in a *sentence* whose *rest* was not understood."""
    if _conditions_at(rest) or rest.startswith(_FOR_OTHERS) or (error.at > _BARE and rest.startswith(_LATER)):
        verb = "leave" if "LEAVE" in stands.kinds else "join"
        hint = f"{_STEADY} When it is so, write “I {verb} this contract.”"
        return _problem(sentence, stands.at, (f"{verb} this contract",), hint)
    if not sentence.asked and (instead := seems_parting(sentence.text.strip(" .!"))):
        return _problem(sentence, stands.at, (instead,), f"if you mean it, write “I {instead}.”")
    return None


def _conditions_at(text: str) -> bool:
    return any(kind in CONDITIONS for _, kind in vocabulary().matches(text, 0))


def _problem(sentence: Sentence, at: int, suggestions: tuple[str, ...], hint: str) -> Problem:
    return Problem(sentence.line_at(at), sentence.written, "ambiguous", suggestions, hint)
