"""What may follow a deed in its sentence without changing it: a reason, an aside, a count of votes to go."""

from __future__ import annotations

import re

from nomicwolf.reading.correcting import cancels, corrects
from nomicwolf.reading.errors import BallotError
from nomicwolf.reading.feelings import CLAUSES, is_felt
from nomicwolf.reading.misspelled import is_slip
from nomicwolf.reading.names import NameBook
from nomicwolf.reading.phrases import vocabulary
from nomicwolf.reading.qualifying import qualifies
from nomicwolf.reading.reports import is_report
from nomicwolf.reading.text import is_word
from nomicwolf.village.ballots import Ballot, Endorse, For, Nobody

_REASONS = (
    "because", "since", "as e ", "as he ", "as she ", "as they ", "as it ", "for being ", "for his ", "for her ",
    "for eir ", "for their ", "for the reason", "for reasons", "due to", "on the grounds", "based on", "given his",
    "given her", "given eir", "given their", "given the", "inasmuch", "who ", "whose ", "which ", "per ", "for now",
    "for lying", "for the time", "with apologies", "in spite", "despite", "although", "though", "even though",
    "just because", "to avoid", "to get", "to see", "to put", "to make", "to break", "to start", "in order",
    "as i said", "as i wrote", "like i said", "as promised", "as announced", "as before", "as always", "as agreed",
    "after all", "now that ", "so that ", "so e ", "so we ", "whom ", "with great ", "with regret", "with pleasure",
    "with a heavy ", "with a sigh", "with a smile", "owing to", "on account of", "out of ", "simply because",
    "partly because", "mostly because", "mainly because", "in the hope", "in hopes", "as i did", "as i always",
    "as i have", "as usual", "as ever", "as yesterday", "hoping ", "in protest", "as a protest", "on principle",
    "on general principle", "without hesitation", "without regret", "in light of", "in view of", "seeing as",
    "seeing that", "in memory",
)
_CONDITIONAL = frozenset(
    "if unless otherwise else provided providing until till assuming iff kidding joking joke jk psych seriously "  # noqa: SIM905
    "dreams only except whenever once pending contingent conditional depending when while hypothetically sarcasm "
    "subject /s".split())
_TURNING = frozenset(
    "not maybe perhaps probably possibly either rather instead tomorrow later after before but or would might could "  # noqa: SIM905
    "should unsure undecided think almost nearly".split())
_UNCONDITIONAL = (
    "regardless", "no matter", "even if", "even though", "even when", "whatever ", "until further notice",
    "come what may",
    "whether or not", "rain or shine", "if you must know", "if you ask me", "if anybody cares", "if anyone cares",
    "if only because", "if it matters", "if it's not too late", "if i haven't already", "whoever e ", "whomever e ",
    "whoever he ", "whomever he ", "whoever she ", "whomever she ", "whoever they ", "whomever they ",
)
"""They say that nothing hangs on what follows."""
_IDLE = (
    "if that helps", "if it helps", "if that wasn't clear", "if it wasn't clear", "in case that wasn't clear",
    "in case it wasn't clear", "in case that isn't clear", "in case anyone is wondering", "in case anyone's wondering",
    "in case anybody is wondering", "in case you're wondering", "in case you were wondering", "in case you're counting",
    "if anyone is counting", "if anyone's counting", "if anybody is counting",
)
"""Nor does anything hang on these, where nothing follows them."""
_LIKE = re.compile(
    r"(?:(?:and )?(?:just )?(?:as|so) (?:does|do|did|has)|(?:just )?(?:as|like)|(?:the )?same as|along with"
    r"|together with)(?= )", re.IGNORECASE)
_DOES = frozenset({"", "does", "did", "do", "has", "is", "has done", "does too", "did before"})
_ADVISED = frozenset({"advised", "argued", "asked", "proposed", "recommended", "suggested", "urged"})
"""What one votes so after, as another did it: "as Bex suggested"."""
_ALONG = ("like ", "just like ", "just as ", "same as ", "the same as ", "along with ", "together with ")
"""They tell who votes so too."""
_RATHER_THAN = (
    "rather than for ", "rather than ", "instead of ", "over ", "and not for ", "and not ", "not for ", "not ",
    "but not for ", "but not ",
)
_REMARKS = (
    "and hope ", "and pray ", "and wish ", "and await ", "and trust ", "and good riddance", "and rest my case",
    "and may ", "and that's ", "and about time", "and so should ", "and encourage ", "and urge ", "and invite ",
    "and ask you ", "and ask everyone ",
)
"""They go on with a remark, where one who is named so could be meant as well."""
_ASIDES = (*_REASONS, *_UNCONDITIONAL, *_IDLE, *_RATHER_THAN, *_ALONG, *_REMARKS, *CLAUSES)
_SHOULD = re.compile(
    r"(?:(?:and )?so should \S+(?: \S+){0,3}"
    r"|(?!no)\S+(?: \S+){0,3} should(?: (?:do|vote) so| vote (?:for )?(?:em|him|her|them)| follow)?,? (?:too|as well"
    r"|also|likewise))[ .!]*", re.IGNORECASE)
"""Who should vote so, too."""
_GOES_ON = frozenset({
    "NOBODY", "ENDORSE", "COPY", "VAGUE", "_OTHERWISE", "_IF", "_UNLESS", "_IN_WHICH_CASE", "_IF_NOT", "_BUT_IF",
    "_ONCE", "_UNTIL",
})
_DOING = frozenset({"_VOTE", "UNVOTE", "_CHANGE_FROM", "ACCUSE", "NOMINATE", "SECOND", "PRONOUN", "ME", "_FOR", "_NOT"})
_COMMAND = re.compile(
    r"(?:^|[/|;,:>-]) *(?:##)?(?:un-?)?vote\b *[: ] *\w|(?<!['\u2019]s) (?:un-?)?vote ?: *\w", re.IGNORECASE)
"""One more deed: "unvote Bex - vote Gus", "Unvote: Bex Vote: Gus"."""
_NO_DEED = re.compile(
    r"(?:that|this|it)(?:'s| is| was) what (?!i\b|we\b)"
    r"|(?:is|was|were|would be) (?:what|how|something|not|an?|my|the)\b|(?:only )?in (?:theory|principle|jest"
    r"|my dreams|spirit|an(?:other|\b)"
    r"|a parallel|some other)\b|(?:maybe )?next (?:time|day|round|turn)\b", re.IGNORECASE)
"""That what stands before it is no deed: "..., is what e would say", "..., in theory"."""
_DOES_TOO = re.compile(
    r"(?:^|[,;:] *| - )(?:(?:and|or|then|but|so|well|no)[, ]+)*(?:i (?:(?:hereby|now|also|then|too) )?"
    r"(?:vote|endorse|retract|unvote|withdraw|accuse|nominate)\b|(?<![,;:-])(?<![,;:-] )(?!(?:as|since|for|who"
    r"|it|that|my)\b)\S+ (?:votes?|endorses?) (?:for )?\S)", re.IGNORECASE)
"""Another deed, or a bargain: "I vote for Gus, I vote for Hal", "I vote for Gus, you vote for Hal"."""
_TELLS = re.compile(
    r"(?<!\S)((?:\S+ ){0,2}(?!(?:now|also|still|already) )\S+)(?: now| also| still| already)? (?:is voting|votes) for ",
    re.IGNORECASE)
"""How another votes: a vote could hang on it, unless it is told as a reason."""
_FOR_ANOTHER = re.compile(r"(?:^|,|;| )\s*(?:and|or|then|also|plus|&),? (?:vote )?for ", re.IGNORECASE)
"""Before one more name: "I vote for Gus, too, and for Hal"."""
_NAME_ENDS = re.compile(r"(?:,? (?:too|as well|also|then|instead|please))*[ .!]*", re.IGNORECASE)
_BEGIN_ELSE = ("otherwise", "unless", "except", "failing", "provided")
_SORRY = re.compile(r"(?:(?:sorry|pardon|apologies)[ ,:;-]+|for (?=\S+[ .!]*$))", re.IGNORECASE)
_VERDICTS = frozenset({"guilty", "innocent"})
_OF_ONESELF = frozenset({"me", "mine", "myself"})
_THEREBY = r"(?: (?:thus|hereby|thereby|so|therefore))*"
_PARTY = r"a (?:party|contestant|member|player)(?: (?:to|of|in) (?:it|the same|this contract))?"
_BECOMING = re.compile(
    rf"(?:,? and{_THEREBY} (?:become {_PARTY}|agree to be bound by it|cease to be (?:bound by it|{_PARTY}))"
    rf"|(?:,|,? and)?{_THEREBY} (?:becoming {_PARTY}|agreeing to be bound by it|by agreeing to (?:be bound by )?it"
    rf"|ceasing to be (?:bound by it|{_PARTY})))[ .!]*$", re.IGNORECASE)
"""What joining or leaving comes to, said once more."""
_THEN = re.compile(r"(?<=\w),? then\.?$")
_MOST_CUTS = 3
_STEADY = For | Endorse | Nobody
"""Ballots that hang on nothing."""
_JOINED = re.compile(r"(?:\s*[,;/&+]\s*(?:(?:and|or|then)\s+)?|\s+(?:and|or|then)\s+)(?=\w)", re.IGNORECASE)


def cuts(text: str, start: int) -> list[tuple[int, str]]:
    """Places after *start* where an aside may begin, each with the aside; at most three."""
    found: list[tuple[int, str]] = []
    folded = text.casefold()
    verb = max((end for end, kind in vocabulary().matches(text, start) if kind == "_VOTE"), default=start - 1)
    for at in range(verb + 1, len(text)):
        mark = text[at] in ",;" or text.startswith((" - ", " -- ", " (", ": ", "... "), at)
        reason = (at and folded[at - 1] == " " and folded.startswith(_ASIDES, at)
                  and not is_word(text[at - 1]))
        if mark or reason:
            found.append((at, text[at:]))
            if len(found) == _MOST_CUTS:
                break
    return found


def harmless(
    aside: str, book: NameBook, ballot: Ballot | None, *, reasoned: bool = False, verb: str = ""
) -> bool:
    """Whether *aside* leaves the deed before it as it is: no condition, no second thought, no second name.

    After a plain name, "not Hal" only says who is not meant; after a condition it could belong to that. If it has to be
    *reasoned* it is a reason or such a contrast: "kill Bex, they said" is no deed of the night. After a verdict, which
    *verb* is, the other verdict takes it back (D-M20).
    """
    plain = isinstance(ballot, For)
    aside = _without_start(aside.lstrip(" ,;-:"))
    if reasoned and not aside.casefold().startswith((*_REASONS, *_RATHER_THAN)):
        return False
    if isinstance(ballot, For | Endorse) and _apologises(aside, book, ballot.whom):
        return False
    if aside.casefold().startswith(_RATHER_THAN):
        return plain and _contrasts(aside, book)
    words = [word.strip('.,;:!?()"*_') for word in aside.casefold().split()]
    if any(word in _CONDITIONAL for word in words) or cancels(aside.strip(" ,;-:(")) or _COMMAND.search(aside):
        return False
    bare = aside.lstrip(" ,;-:")
    if corrects(aside, book) or _NO_DEED.match(bare) or is_report(bare, words) or qualifies(bare):
        return False
    if _goes_on(bare, book, ballot):
        return False
    if (stays := _stays(bare, book, ballot)) is not None:
        return stays
    if verb in _VERDICTS and (_VERDICTS - {verb} | _OF_ONESELF) & set(words):
        return False
    if set(words) & _TURNING or any(word.endswith("n't") for word in words):
        return False
    return not is_second_name(bare, book)


def _stays(aside: str, book: NameBook, ballot: Ballot | None) -> bool | None:
    """Whether *aside* tells what its author feels, who votes so too, or why; None if none: it may take a vote back."""
    if isinstance(ballot, _STEADY) and (is_felt(aside, book) or aside.casefold().startswith(CLAUSES)):
        return is_felt(aside, book)
    if aside.casefold().startswith(_REASONS) or (
            isinstance(ballot, For) and (_joins(aside, book) or _SHOULD.fullmatch(aside))):
        return True
    tellers = (told[1].split() for told in _TELLS.finditer(aside))
    return False if any(book.whole(" ".join(words[-n:])) for words in tellers for n in (1, 2, 3)) else None


def _goes_on(aside: str, book: NameBook, ballot: Ballot | None) -> bool:
    """Whether *aside* does one more thing, or names one more; "otherwise" may have a slip of the hand in it.

    After a condition whoever is named could belong to that.
    """
    first = aside.partition(" ")[0].casefold()
    if _DOES_TOO.search(aside) or any(is_slip(first, word) for word in _BEGIN_ELSE):
        return True
    if not isinstance(ballot, For | Endorse | None) and not aside.casefold().startswith(_REASONS) and (
            book.names_in(aside)):
        return True
    whom = ballot.whom if isinstance(ballot, For) else ""
    names = [book.find(aside, each.end()) for each in _FOR_ANOTHER.finditer(aside) if each.end() < len(aside)]
    return any(name is not None and name.person.names != (whom,) and _NAME_ENDS.fullmatch(aside, name.end)
               for name in names)


def _apologises(aside: str, book: NameBook, whom: str) -> bool:
    """Whether *aside* is "sorry, Hal" or "for Hal", where not Hal but *whom* was named."""
    sorry = _SORRY.match(aside)
    name = book.find(aside, sorry.end()) if sorry and sorry.end() < len(aside) else None
    return name is not None and name.person.names != (whom,)


def _without_start(aside: str) -> str:
    """*aside* without the words that say that nothing hangs on it."""
    if aside.casefold().strip(" ,;.!") in _IDLE:
        return "since so"
    start = next((each for each in _UNCONDITIONAL if aside.casefold().startswith(each)), "")
    return f"since {aside[len(start):]}" if start else aside


def _contrasts(aside: str, book: NameBook) -> bool:
    """Whether *aside* names who is not meant: "rather than Hal", "not Hal"."""
    start = next((each for each in _RATHER_THAN if aside.casefold().startswith(each)), "")
    name = book.find(aside, len(start)) if start else None
    return name is not None and not any(is_word(char) for char in aside[name.end:])


def _joins(aside: str, book: NameBook) -> bool:
    """Whether *aside* says only who votes for the same person too, or for it: "as Bex does", "as Bex suggested"."""
    start = _LIKE.match(aside)
    at = start.end() + 1 if start else 0
    name = book.find(aside, at) if start and at < len(aside) else None
    if start is None or name is None:
        return False
    after = aside[name.end:].strip(" .!,").casefold()
    if after in _ADVISED and start[0].casefold() in ("as", "just as"):
        return True
    return after in _DOES and (after != "" or start[0].casefold() not in ("as", "just as"))


def is_second_name(aside: str, book: NameBook) -> bool:
    """Whether *aside* is, or begins like, one more value: a name, nobody, or a form of endorsement."""
    for joining in ("and ", "or ", "& ", "then "):
        if aside.casefold().startswith(joining):
            return not (joining == "and " and _only_remarks(aside[len(joining):], book))
    kinds = {kind for _, kind in vocabulary().matches(aside, 0)}
    if kinds & _GOES_ON:
        return True
    return _only_names(aside, book)


def second_target(ballot: Ballot | None, aside: str, book: NameBook) -> BallotError | None:
    """The question which of two names in "Gus, Hal" is meant, or what more is said; None if *aside* names nobody."""
    from nomicwolf.reading.values import two_targets
    names = book.names_in(aside)
    bare = aside.lstrip(" ,;-:")
    kinds = {kind for _, kind in vocabulary().matches(bare, 0)}
    if isinstance(ballot, _STEADY) and bare.casefold().startswith(CLAUSES) and not _DOES_TOO.search(bare):
        said = " ".join(bare.rstrip(" .!").split())
        return BallotError("not understood", f"“{said}” could take the vote back, or do one more thing.",
                           hint="say each in a sentence of its own, and the vote by itself")
    if not names or not isinstance(ballot, For) or not is_second_name(bare, book):
        return None
    if kinds & _GOES_ON:
        return BallotError("ambiguous", f"“{bare}” could change the vote, and was not understood.",
                           hint="put it like this: NAME if ..., otherwise NAME")
    return two_targets((ballot.whom, names[0]))


def _only_names(text: str, book: NameBook) -> bool:
    """Whether *text* is a name, or several: "Hal", "Hal and Ivy"."""
    at = 0
    while name := book.find(text, at):
        joined = _JOINED.match(text, name.end)
        if joined is None:
            return not any(is_word(char) for char in text[name.end:])
        at = joined.end()
    return False


def _only_remarks(text: str, book: NameBook) -> bool:
    """Whether *text*, after an "and", names nobody and does nothing: "and good riddance", "and about time"."""
    words = text.strip(" .!").split()
    kinds = {kind for _, kind in vocabulary().matches(text.lstrip(), 0)}
    if not words or kinds & (_GOES_ON | _DOING) or book.names_in(text):
        return False
    return not any(book.near(" ".join(words[:count])) for count in (1, 2))


def without_tail(text: str) -> str:
    """*text* without what is of no consequence at its end: a count, or ", becoming a party to it"."""
    if "bound by it" in text or "agreeing to" in text or " becom" in text or " ceas" in text:
        text = _BECOMING.sub("", text)
    return without_count(_THEN.sub("", text) if text.endswith(("then", "then.")) else text)


def without_count(text: str) -> str:
    """*text* without a trailing "L-1", "L - 2" or "(L-1)"."""
    end = text.rstrip(" )].!")
    tail = end[-6:].casefold()
    at = tail.rfind("l")
    if at >= 0 and tail[at + 1:].strip(" -").isdigit() and "-" in tail[at:] and (at == 0 or not is_word(tail[at - 1])):
        return end[:len(end) - len(tail) + at].rstrip(" ([,;-")
    return text
