"""Votes in roundabout words: someone has emself put on a list, joins a crowd, hands eir vote over, tells of emself.

"Mark me down as a Gus voter", "I'm hopping on the Gus wagon", "Cam has my proxy", "/me votes for Gus", "ditto Bex",
"Bex is voting for Gus, and so am I", "Day 2 vote: Gus": none is worded as a vote, and whoever reads it knows that it
could be one. Its author is asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from nomicwolf.reading.telling import without

_NAME = r"[^\s,:;]+(?: [^\s,:;]+)?"
_CLERK = (
    r"(?:(?:please|kindly|so|then|now|and|you can|you may|do|just|ok|okay),? )*"
    r"(?:add|book|chalk|count|enter|jot|list|log|mark|pencil|place|put|record|register|sign|tally|write)")
"""What one asks of whoever keeps the list of votes."""
_KINDRED = r"(?:vot(?:e|er|ers|es|ing)|ballot|lynch\w*|hang\w*|(?:band)?wagon|train|camp|pile|column|side|tally)"
_SELF = (
    r"(?:/me|yours truly|the undersigned|(?:your|this|yours) (?:most )?(?:humble|lowly|poor|loyal|faithful) \w+"
    r"|this (?:villager|townsperson|voter|player|citizen|nephite|civilian))")
"""Oneself, as one tells of another."""
_DAY = r"(?:d(?:ay)? ?\d+|today(?:'s)?)"
_VOTED = (
    r"(?:votes|endorses|unvotes|retracts|(?:casts|changes|moves|switches|places|puts) (?:\w+ ){0,3}(?:vote|ballot))")
_GIVING = r"(?:add|assign|attach|bind|cede|entrust|give|grant|hand|hitch|lend|pin|peg|pledge|tether|throw|tie|yoke)"
_WHOLE = re.compile(
    # the list of votes: "mark me down as a Gus voter", "put my name under Gus", "count me among those voting for Gus"
    rf"{_CLERK} (?:me|my (?:name|vote|voice|ballot))(?: \w+)* (?:[\w'-]+ ){{0,5}}{_KINDRED}\b.*"
    rf"|{_CLERK} (?:me|my (?:name|voice)) (?:down |in |up )?(?:for|on|against|under|behind|beside|next to) {_NAME}"
    # a crowd: "I'm hopping on the Gus wagon"
    r"|(?:i(?:'m| am|'ll)? )?(?:\w+ ){0,2}(?:add|board|climb|get|hop|join|jump|leap|pil|rid|roll|step|throw)\w* .*"
    r"\b(?:(?:band)?wagon|train)\b.*"
    # one's vote handed over: "Cam has my proxy", "I tie my vote to Cam's", "wherever Cam goes, I go"
    rf"|{_NAME} (?:has|holds|gets|can have|may have|wields|carries) my (?:\w+ ){{0,2}}"
    rf"(?:proxy|endorsement|ballot|voice)\b.*"
    rf"|i (?:\w+ ){{0,2}}{_GIVING} .*\bmy (?:vote|proxy|ballot|endorsement|voice)\b.*"
    rf"|i (?:\w+ ){{0,2}}{_GIVING} my (?:lot|weight|voice) .*\bvot(?:e|ing)\b.*"
    rf"|(?:where|wher|what|how|who|whom)(?:so)?ever {_NAME} (?:goes|votes|does|chooses|picks|says|leads|is voting)\b.*"
    r"\b(?:i (?:go|vote|do|follow|choose|say)|(?:do|will) i|my vote)\b.*"
    # oneself as another: "/me votes for Gus", "yours truly endorses Bex", "*votes for Gus*"
    rf"|{_SELF}(?: (?:\w+ly|hereby|now|also|then|thus|therefore|does|do))* {_VOTED}\b.*"
    rf"|i,? the undersigned,? (?:\w+ )*vote .*|(?:both )?{_NAME} and i (?:(?:are|both|all|now) )*(?:vote|voting)\b.*"
    # beside others: "Bex is voting for Gus, and so am I", or for a reason: "because Gus lies I'm voting for Gus"
    r"|.*\bvot(?:e|es|ed|ing)\b.*(?:,| and) (?:and )?(?:so (?:am|do) i|me too|i(?:'m| am) too|i do too|as (?:am|do) i"
    r"|likewise i|i as well|so is mine|my vote too)"
    r"|(?:because|since|as|given that|now that|seeing (?:as|that)) .*\bi(?:'m| am) voting (?:for )?"
    rf"{_NAME}|ditto,? {_NAME}|(?:the )?same (?:vote )?as {_NAME}|(?:make|cast) (?:mine|my vote) .*"
    # labels: "Me: Gus", "Day 2 vote: Gus", "for lynching: Gus"
    rf"|(?:me|myself|mine|(?:from |on )?my (?:side|part|end)|(?:my |the )?(?:(?:final|last|current|official"
    rf"|revised|updated|changed|corrected|amended|actual|real|latest|{_DAY}) )?"
    rf"(?:lynch(?:ing)?|vote|answer|ballot|pick|choice)(?: (?:vote|choice))?"
    rf"(?: (?:for|on|of) (?:the )?(?:{_DAY}|me|mine|lynch(?:ing)?))?|{_DAY}(?: vote)?"
    rf"|(?:for|to) (?:the )?lynch(?:ing)?|lynch(?:ing)?)(?::| ?[=-]+>?| ?→) ?(?P<labelled>{_NAME})"
    # a language that is not one's own: "I am wanting to vote Gus", "I want vote Gus", "I make vote for Gus"
    rf"|i (?:(?:am|be|do|give|giving|make|making|put|want|wants|wanna|wanting|wish|wishing|to|my|now) )+"
    rf"vot(?:e|ing) (?:for |to |on |against |2 |4 )?{_NAME}"
    r"|i(?:'m| am) (?:for|behind) (?:lynching |hanging |executing |the lynch(?:ing)? of )(?!any|some|no)\S+(?: \S+)?"
    rf"|my (?:voice|say) (?:is|goes) (?:for|to) {_NAME}",
)
"""Whole sentences, casefolded, without greetings before and marks behind them."""
_EMOTE = re.compile(rf"\*+ *{_VOTED}\b[^*]*\*+[ .!]*")
_DENIED = re.compile(
    r"\b(?:not|never|no|neither|nor|without|out|undecided|almost|nearly|would|could|should|might|may|if only|said|says"
    r"|wrote|who|why|what if|whether|when|unless|until|till|tomorrow|later|yesterday|was|were|had|did|used|going"
    r"|don't|cannot|\w+n't|hope|hopes|think|thinks|imagine|suppose|pretend|wonder|like|hate|see|stop|refuse|decline"
    r"|maybe|perhaps|thought|consideration|someone|somebody|anyone|anybody|everyone|everybody)\b")
"""Words with which it is talk: it denies, supposes, asks, or puts off."""
_TELLING = frozenset({
    "add", "answer", "ballot", "bandwagon", "book", "chalk", "choice", "choices", "count", "ditto", "endorsement",
    "endorses", "enter", "executing", "hanging", "howsoever", "however", "jot", "list", "log", "lynch", "lynching",
    "mark", "me", "mine", "myself", "pencil", "pick", "place", "proxy", "put", "record", "register", "retracts", "same",
    "say", "side", "part", "end", "sign", "tally", "today", "train", "unvotes", "voice", "vote", "votes", "voting",
    "wagon", "whatever", "wherever", "whoever", "whomever", "write",
})
"""One of these words is in all that the expressions take."""
_FIRST = frozenset(
    "add book chalk count enter jot list log mark pencil place put record register sign tally write "  # noqa: SIM905
    "revised updated changed corrected amended actual real latest "
    "please kindly so then now and you do just ok okay /me yours the your this because since as given seeing ditto "
    "same make cast me myself mine from on my final last current official today today's for to lynch lynching vote "
    "answer ballot pick choice i i'm both wherever wheresoever whatever whatsoever however howsoever whoever whosoever "
    "whomever whomsoever".split())
_AMID = ("wagon", "train", " my ", " and i ")
_LAST = (" i", " too", " as well", " is mine")
"""With one of the first words all that the expressions take begins, or with one of the last it ends, or one of those
between stands in it."""
_DAYS = re.compile(r"d(?:ay )?\d+\b")
_GIVEN = re.compile(r"(?:because|since|as|given that|now that|seeing (?:as|that)) .*\b(?=i(?:'m| am) voting)")
_LONGEST = 200


def roundabout(text: str, folded: str, names_in: Callable[[str], Sequence[str]]) -> bool:
    """Whether *text*, casefolded and without greetings *folded*, could be meant as one's own vote, told in other words.

    *names_in* tells who is named in it: asked for last, since it takes the longest.
    """
    if len(folded) > _LONGEST or (without(text, _TELLING) and not _DAYS.match(folded)):
        return False
    bare = folded.rstrip(" .!_~*")
    first = bare.partition(" ")[0].rstrip(",:;-=>")
    known = first in _FIRST or text.startswith("*") or bare.endswith(_LAST) or any(each in bare for each in _AMID)
    if not (known or (first[:1] == "d" and _DAYS.match(bare))) or '"' in bare or "?" in bare:
        return False
    said = (text.startswith("*") and _EMOTE.fullmatch(text.casefold().strip())) or _WHOLE.fullmatch(bare)
    if not said or _DENIED.search(_ungiven(bare)):
        return False
    label = said.groupdict().get("labelled") or ""
    return any(" " not in label or label == name.casefold() for name in names_in(text))


def _ungiven(bare: str) -> str:
    """*bare* without the words of a reason at its beginning, which deny nothing of what follows from it."""
    reason = _GIVEN.match(bare)
    return bare[reason.end():] if reason else bare
