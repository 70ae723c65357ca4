"""Sentences that say of others in the letter that they are no deeds: "the above is a joke", "this is only a test"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nomicwolf.reading.deeds import Deed, Problem
from nomicwolf.reading.leads import skip_leads
from nomicwolf.reading.second_thoughts import Finding
from nomicwolf.reading.sentences import Sentence
from nomicwolf.reading.telling import Told, spoken

_TELLING = frozenset({
    "above", "disregard", "fiction", "following", "follows", "foregoing", "hypothetical", "ignore", "ironic", "irony",
    "isn", "jest", "joke", "last", "mean", "meant", "no", "not", "parody", "preceding", "previous", "prank",
    "assume", "consider", "imagine", "picture", "suppose",
    "applies", "below", "conditional", "contingent", "count", "counts", "effect", "effective", "happens", "valid",
    "sarcasm", "sarcastic", "satire", "serious", "test", "void",
    "alternative", "checking", "contains", "contain", "example", "false", "holds", "includes", "lie", "lies", "none",
    "lying", "nothing", "opposite", "opposites", "truths",
    "disclaim", "fails", "ineffective",
    "option", "plan", "seeing", "regard", "scenario", "take", "testing", "treat", "true", "trying", "untrue",
})
"""Each of the sentences has one of these words."""
_PARTS = r"(?:message|letter|e-?mail|mail|post|vote|ballot|sentence|line|statement|paragraph|part|thing)s?"
_WHOLE = (
    r"(?:(?:of )?(?:the|all|all of|everything|everything in|nothing|none of|this|that|my|it) ?){0,4}"
    r"(?:(?P<later>following|next|below)"
    rf"|above|foregoing|preceding|previous|last|this|that|it)?(?: {_PARTS})?(?: above)?"
    rf"|(?P<after>what follows|what comes next|the rest|the {_PARTS} (?:that |which )?(?:follows?|comes? next|below))"
    r"(?: here)?|what I (?:just )?(?:said|wrote|say|write)(?: above)?")
_ACTS = r"(?:votes?|ballots?|deeds?|actions?)"
_UNMADE = (
    r"(?:(?:of course|obviously|only|just|merely|all|purely|entirely|completely|intended as|meant as|meant to be)"
    r",? ){0,3}(?:an? )?(?:joke|jest|test|hypothetical|example|fiction|sarcas(?:m|tic)|irony|ironic|parody|satire|prank"
    r"|bad joke|thought experiment|(?:not (?:an? |my |to be )?|no )(?:real |actual |serious )*"
    rf"(?:{_ACTS}|meant|serious|real|true|taken seriously)|null and void|void|untrue|nonsense|false|lies?)")
_VOIDED = (
    rf"(?:only |just |\w+ly )?(?:(?:has|have|had|holds?|contains?|includes?|makes?|casts?) no"
    rf" (?:effect|(?:\w+ )?{_ACTS})"
    r"|(?:does|do|did)(?: not|n't) (?:count|apply|happen|have (?:any )?effect)"
    r"|(?:count|happen|appl|take|hold)(?:s|y|ies)? (?:(?:only|effect|place) )*"
    r"(?:for nothing|(?:if|when|unless|once|after|provided)\b[^?]*)"
    r"|(?:is|are) (?:only )?(?:conditional|contingent|dependent|effective|valid|done)"
    r" (?:only )?(?:(?:up)?on|if|when|unless|once|after|provided)\b[^?]*)")
_TREATED = (
    rf"(?:please )?(?:consider|treat|take|regard|read) (?:this|that|it|all (?:of )?(?:this|that)"
    rf"|the above)(?: {_PARTS})?"
    r" (?:as |to be )?(?:(?:just|only|purely|merely) )*(?:an? )?(?:joke|draft|test|hypothetical|example|fiction|jest"
    r"|parody|satire|sarcasm|thought experiment|void|unsaid|not serious)\b[^?]*")
_TRIED = (
    r"(?:I(?:'m| am) )?(?:(?:only|just|merely) )*(?:checking|testing|trying(?: out)?|seeing (?=if|whether))\b[^?]*"
    r"\b(?:parser|robot|bot|program|script|nomicwolf|machine|software|system|(?:whether|if|that) (?:this|it)"
    r" (?:works?|is (?:read|parsed|understood)|arrives|gets through))\b[^?]*")
"""What is to be taken as no deed, or was written to try out what reads it."""
_REVERSED = (
    r"(?:(?:(?:it's|it is|today is|today's|this is|happy|welcome to|on) )?(?:\w+ )?opposite day\b[^?]*"
    r"|two truths and (?:a|one|another) lie\b[^?]*"
    rf"|(?:(?:just|only|exactly|at least) )?(?:one|two|some|half) of (?:(?:my|the|these|those|this|following"
    rf"|what|I|say|said|here|above) ?)+(?:two |three |four )?(?:{_PARTS} )?(?:here )?(?:is|are)"
    r" (?:an? )?(?:false|lies?|untrue|not true|true)\b[^?]*"
    r"|(?:everything|all|whatever) (?:that )?I (?:say|write|post|said|wrote)(?: \w+){0,2} is (?:an? )?"
    r"(?:false|lie|untrue|not true|the opposite)\b[^?]*"
    r"|I(?:'m| am)? (?:(?:always|only|now) )*(?:lie|lying|tell lies|telling lies|speak in opposites|mean the opposite)"
    r"(?: (?:today|here|now|always|in this \w+|of (?:everything|all|what)\b[^?]*))*)")
"""What is said is not so, or perhaps not: "Opposite day!", "Two truths and a lie."."""
_DISOWNS = re.compile(
    r"(?:(?:(?:please )?note that|remember(?: that)?|of course,?) )?(?:"
    rf"(?:{_WHOLE}) (?:(?:is|are|was|were|isn't|wasn't) {_UNMADE}\b(?! of\b)[^?]*"
    rf"|(?:isn't|wasn't) (?:an? |my )?(?:real |actual |serious )*{_ACTS}|{_VOIDED})"
    r"|(?P<hangs>(?:consider|imagine|picture|suppose|assume) (?:the following|this|that)(?: \w+)?"
    r"|(?:conditional(?:ly)?|contingent) (?:up)?on (?:the following|this|what follows)\b[^?]*)"
    r"|(?:none of (?:the above|this|that|it)) (?:is|was) (?:meant|serious|real|true)\b[^?]*"
    rf"|(?:none of (?:the above|this|that|it|(?P<unacted>the (?:following|below)(?: {_PARTS})?|what follows))"
    rf"|no(?:thing| part) (?:here|above|(?P<under>below|(?:in|of) what follows)|(?:in|of) (?:this|my)(?: {_PARTS})?))"
    rf" (?:(?:is|are|constitutes?|(?:should|shall|is to|are to) be)(?: (?:meant|taken|read|regarded|intended))*"
    rf"(?: (?:as|to be))?) (?:an? |any )?(?:\w+ )?{_ACTS}\b[^?]*"
    rf"|(?:none of (?:the above|this|that|it)|nothing (?:here|above|in (?:this|my) {_PARTS})) (?:really )?"
    r"(?:counts?|(?:is|are) (?:binding|effective|valid)|(?:has|have) (?:any )?effect)"
    r"|(?:please |kindly )?(?:disregard|ignore|strike|delete|forget|discount|scratch)"
    r"(?: (?:(?:all|everything|any) )?(?:of )?(?:(?:the |my )?(?:above|previous|last|preceding|foregoing"
    r"|(?P<next>following|next|below|rest))"
    rf"(?: {_PARTS})?|(?P<comes>what (?:follows|comes(?: next)?)(?: here)?)|this(?: {_PARTS})?|me))?"
    rf"|(?P<titled>(?:scenario|plan|option|example|alternative) (?:\d+|[a-z]|one|two|three))"
    rf"|{_TREATED}|{_TRIED}|{_REVERSED}"
    r"|I (?:do not|don't|didn't|did not) (?:really |actually )?mean (?:that|it|this|any of (?:it|that|this)))[ .!]*",
    re.IGNORECASE)
_OF_ALL = re.compile(
    r"(?:(?:please )?note that |remember(?: that)? )?(?:all (?:of )?)?this "
    r"(?:(?:message|letter|e-?mail|mail|post) )?(?:is (?:(?:only|just|merely|all|purely|but) )*(?:an? )?"
    r"(?:test|drill|hypothetical|thought experiment|example|draft)\b"
    rf"|(?:is no|is not an?|isn't an?) (?:real |actual |serious )*{_ACTS}$)"
    rf"|(?:none|nothing)\b|(?:please |kindly )?(?:disregard|ignore)(?: me| this(?: {_PARTS})?)?$|{_TREATED}|{_TRIED}"
    rf"|{_REVERSED}|this {_PARTS} (?:\w+ly )?(?:has|holds|contains|includes|makes|casts|is)\b", re.IGNORECASE)
"""Said of what follows as well, if nothing stands before it."""
_ANNOUNCED = re.compile(r"(?:disclaimer|warning|caveat|notice|important)[:,] ", re.IGNORECASE)
_LATER = ("later", "after", "hangs", "next", "comes", "titled", "unacted", "under")
"""The groups with which what stands after a sentence is disowned."""
_TOLD = re.compile(r"(?:that|this|it)(?:'s| is| was) (?:\w+ )*(?:false|lies?|not true|untrue)\b", re.IGNORECASE)
"""Said of what somebody claims, as often as not."""
_BESIDE = Told(re.compile(
    rf"(?:disclaimer[:,] )?(?:(?:obviously|of course|just|really|but),? )*(?:(?:this|that|it|which)(?:'s| is| was) )?"
    rf"(?:(?:not (?:an? |my )?|no )(?:real |actual |serious )*{_ACTS}"
    r"|for example|e\.g\.|(?:this is |which is )?(?:ineffective|without effect)"
    r"|(?:which|this|that|it) (?:does nothing|fails|has no effect)"
    rf"|I (?:hereby )?disclaim (?:this|that|it|the (?:above|preceding|previous))(?: {_PARTS})?)[ .!]*",
    re.IGNORECASE), {
    "action", "actions", "ballot", "ballots", "deed", "deeds", "disclaim", "effect", "effective", "example", "e",
    "fails", "ineffective", "nothing", "vote", "votes",
})
"""That there is no deed in what stands beside these words: "not an action", "which fails"."""
_LONGEST = 160


def without_disowned(findings: list[Finding], waiting: Sequence[Sentence]) -> list[Finding]:
    """*findings* of the sentences *waiting*, where a deed that another sentence says is none is asked about.

    "The above" disowns what stands before, "what follows" what stands after it.
    """
    if len(waiting) <= 1:
        return findings
    for sentence in waiting:
        if (words := spoken(sentence.text)) is not None and _TELLING.isdisjoint(words):
            continue
        found = _disowns(sentence) if any(isinstance(each, Deed) for each in findings) else None
        if found is not None:
            later = any(found.groupdict().get(each) for each in _LATER) or _is_of_all(findings, sentence)
            findings = [_asked(each, sentence, later=later) for each in findings]
    return findings


def _is_of_all(findings: list[Finding], sentence: Sentence) -> bool:
    """Whether *sentence*, with no deed before it, says of the whole letter that it is a test: "This is only a test"."""
    before = any(isinstance(each, Deed) and each.line <= sentence.line_at(0) for each in findings)
    return not before and _OF_ALL.match(_bare(sentence)) is not None


def _bare(sentence: Sentence) -> str:
    """*sentence* without greetings and what announces it: "Disclaimer: this is only a test"."""
    return _ANNOUNCED.sub("", " ".join(sentence.text[skip_leads(sentence.text, 0):].split()))


def _disowns(sentence: Sentence) -> re.Match[str] | None:
    """What *sentence* says of others, if it says that they are no deeds."""
    if sentence.asked or len(sentence.text) > _LONGEST:
        return None
    bare = _bare(sentence).strip(" ()[]")
    return None if _TOLD.match(bare) else _DISOWNS.fullmatch(bare) or _BESIDE.fullmatch(bare)


def is_denial(text: str) -> bool:
    """Whether *text*, in brackets beside a deed, says that it is none: "this is not an action"."""
    if len(text) > _LONGEST:
        return False
    found = _DISOWNS.fullmatch(_ANNOUNCED.sub("", text))
    return _BESIDE.fullmatch(text) is not None or (found is not None and found["titled"] is None)


def _asked(found: Finding, sentence: Sentence, *, later: bool) -> Finding:
    """The question about a deed before (or *later* than) the *sentence* that disowns it."""
    line = sentence.line_at(0)
    if not isinstance(found, Deed) or (found.line < line if later else found.line > line):
        return found
    return Problem(found.line, found.text, "ambiguous", (found.says,),
                   f"“{sentence.written}” is said of it. If the deed is meant, send it again without that.")
