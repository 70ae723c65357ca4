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
from string import whitespace

from nomicwolf.reading.day_spans import seems_dated
from nomicwolf.reading.deeds import Act, BallotError
from nomicwolf.reading.set_phrases import VOTING_WORDS
from nomicwolf.reading.vocabulary import READY

_ENDS = r"(?= *(?:[,;:.!)\]-]|$))"
_COUNT = r"(?:\d+|two|three|four|five|six|seven|eight|nine|ten|enough)"
_SUBJECT = (
    r"(?!(?:all|any|eir|her|his|many|much|my|our|reading|so|some|that|the|their|these|this|those|what|your)\b)"
    r"(?!\S+(?:'s|s') )\S+")
_ACTS = (
    r"(?:votes|dies|answers|replies|claims|speaks|explains|responds|moves|confirms|agrees|flips|does"
    r"|is (?:dead|killed|lynched|gone|hanged|back)"
    r"|has (?:voted|died|answered|replied|claimed|posted|spoken|explained|responded|done))\b")
_REASONING = (
    "since|because|although|though|even|as|when|if|so|now|i|you|given|granted|granting|seeing|considering|knowing|noting"
    "|noticing|reading|hearing|watching|learning|after|having|despite|inasmuch|no matter|regardless|whatever|whether")
"""With these begins what tells how somebody votes, and is no condition."""
_HANGS = (
    r"(?:barring|absent|pending|supposing|depending on|dependent (?:up)?on|contingent (?:up)?on"
    r"|conditional(?:ly)?(?: (?:up)?on)?|subject to|short of"
    r"|failing (?!that\b|this\b|which\b|both\b|these\b|those\b|all\b))\b"
    r"|(?:only |just |but )*(?:so|as) long as\b|no(?:t any)? sooner than\b|just in case \w|in ?so ?far as\b"
    r"|to be (?:withdrawn|retracted|cancell?ed|revoked|voided|undone|counted|cast)\b|in the event (?!,)\S"
    r"|where(?:ver)? \S+ (?:is (?:voting|dead|alive|leading)|votes|does)\b"
    r"|in (?:any|all|every|each) (?:cases?|events?) (?:where|when|in which|that)\b|were it (?:so|true|the case)\b"
    r"|(?:let's|let us|let me|let) (?:just )?(?:say|assume|suppose|pretend|imagine)\b"
    r"|vice versa\b|(?:or )?the other way (?:a?round|about)\b|conversely\b"
    r"|in (?:the |any )?(?:case|event) (?:of|that)\b|in the absence of\b|(?:in|for|on|upon) (?:a|the) tie\b"
    r"|without (?:(?:any|an?|further|more|new) )*"
    r"(?:objections?|evidence|proof|counter-?claims?|answer|reply|news|word)\b"
    r"|with (?!your\b)(?:\S+'s?|everyone's|everybody's|agoran) (?:consent|permission|agreement|approval|blessing)\b"
    rf"|with (?:{_COUNT} |(?:{_COUNT}|an?) (?:days?'?|hours?'?) )?(?:support(?:ers)?|notice)\b"
    rf"|given (?:at least |only )?{_COUNT}\b|(?:only )?at (?:least )?{_COUNT} (?:other |more )?votes\b|only with\b"
    rf"|(?:so )?\S+ (?:willing|permitting){_ENDS}"
    r"|(?:all|everything)(?: else)? failing\b|(?:on|under|with) the (?:assumption|premise|hypothesis"
    r"|circumstances?) that\b"
    r"|as (?:a |my )?(?:fall-?back|back-?up|second choice|plan b)\b|in (?:second place|plan [a-z]|a pinch|doubt"
    rf"|the (?:worst|best) case)\b|(?:at (?:worst|best|a push)|heads|tails){_ENDS}"
    r"|(?:\d+|one|two|three|another) (?:more|other|last) [^,]{1,40},? and$"
    rf"|(?!(?:{_REASONING})\b)[^\s,]+(?:(?: [^\s,]+)? vote|(?: [^\s,]+){{0,6}} (?:votes|(?:is|are) voting))"
    r" (?:for )?\S+,$"
    r"|(?:were|had) (?!enough\b|about\b|an?\b|some\b|my\b|to\b|no\b|it\b)\S+(?: \S+)?"
    r" (?:to|be|been|not|the|an?|done|known|\w+ed)\b")
_MOMENTS = (
    r"(?:(?:from|at|by|only|and) )*the (?:very |exact |same )?(?:moment|minute|second|instant|hour|day|night)"
    r"(?: that| when| where)? (?!has\b|is\b|was\b|of\b|being\b|to\b|for\b|before\b|came?\b|comes\b|had\b|will\b|after\b"
    r"|in\b|at\b|i (?:saw|read|knew|heard|woke|learn)\w*\b)\S+"
    r"|(?:(?:every|each|any|next) time|anytime)\b"
    r"|(?:only|right|directly|immediately|shortly|just|soon|not(?: until)?) (?:after|before|upon)\b"
    rf"|(?:after|before) (?:{_SUBJECT}|the (?:others|rest|town|majority)) (?:{_ACTS}|(?:vote|have (?:voted|spoken))\b)"
    r"|(?:after|before|by|at) (?:the )?next\b"
    r"|(?:up)?on \S+'s (?:death|vote|lynching|demise|confirmation|answer|claim)\b|(?:up)?on \S+ (?:voting|dying)\b")
_TIMES = (
    rf"(?:later|soon|eventually|yesterday|back then|long ago|at some point|one of these days){_ENDS}"
    rf"|(?:normally|usually|ordinarily|habitually|typically|often|more often than not){_ENDS}"
    r"|(?:on )?(?:most|some|all|other) days\b|every (?:single )?(?:day|night|game|session)\b"
    r"|\S+(?: percent)? of the time\b"
    r"|(?:last|next) (?:year|week|month|session|game|time|round)\b|\S+ (?:weeks?|days?|hours?|months?|years?) ago\b"
    rf"|(?:tomorrow|some ?day|one day|sooner or later|initially|at first|come (?:the )?\S+){_ENDS}"
    rf"|by (?:tonight|tomorrow|then|(?:this |the )?evening){_ENDS}|by the time [^,]*,?$"
    r"|(?:\d+|two|three|eight|nine|most) times (?:out of|in) \w+\b|on an? (?:good|bad|normal|typical|slow) day\b"
    r"|in (?:the (?:near |distant |not too distant )?future|due (?:course|time)"
    r"|(?:an?|some) (?:minute|moment|second|bit|while|hour|day)|(?:a few|a couple of|several|some) \w+)\b"
    r"|at (?:dawn|dusk|sunset|sunrise|nightfall|daybreak|night|noon|midnight"
    r"|\d{1,2}(?:[:.]\d\d)? ?(?:am|pm|h|hrs|hours|o'clock|utc|gmt)|the (?:start|beginning|end|close) of)\b"
    r"|(?:on|during|from|starting|by) (?:day|night) \d+\b"
    r"|(?:on|from|starting|by) (?:mon|tues|wednes|thurs|fri|satur|sun)day\b"
    r"|\d+ ?h(?:ours?|rs?)? (?:before|after|into|from)\b|(?:but |just )?not (?:yet|now|today)\b"
    r"|effective (?!immediately\b|now\b|as of (?:now|this)\b|at once\b)\S+")
_UNREAL = (
    r"(?:unofficially|informally|mentally|symbolically|metaphorically|figuratively|virtually|retroactively|jokingly"
    r"|theoretically|hypothetically|inwardly|secretly|privately|silently|statistically|spiritually|sarcastically|notionally)"
    rf"(?: speaking)?{_ENDS}"
    r"|in (?:spirit|theory|effigy|jest|my (?:mind|head|imagination|fantas(?:y|ies)|dreams?|notes|spreadsheet)"
    r"|(?:some|another|an alternate|a parallel|a different|a perfect|an ideal|a just|a better|a fair)"
    r" (?:\w+ )?(?:timeline|universe|world|life|reality|dream))\b"
    rf"|(?:on paper|at heart|deep down){_ENDS}"
    rf"|as an? (?:joke|prank|test|draft|hypothetical|thought experiment)\b|(?:a )?(?:draft|thought experiment){_ENDS}"
    r"|(?:which|that) (?:is|was) (?:a (?:lie|joke)|false|untrue|not true)\b|which I (?:don't|do not|won't)\b"
    rf"|(?:a lie|sort of|kind of|as if|yeah,? (?:right|sure)){_ENDS}")
_OFFICE = (
    r"(?:(?-i:[A-Z]\w+or)|registrar|herald|notary|speaker|iadop|cotc|king|queen|captain|president|prime minister"
    r"|chancellor|contestmaster|game ?master|moderator|emperor|mvp)")
_AMONG = (
    rf"among others\b|(?:(?:and )?(?:my |as )?(?:2nd|second|3rd|third) (?:choice|pick|preference))\b"
    rf"|(?-i:[A-Z])\S* (?:second|2nd|next){_ENDS}")
_ELSEWHERE = (
    r"in (?:the|this|that|my|a|some) (?:film|movie|story|simulation|example|dream|fantasy|scenario|novel|book|play|song"
    r"|poem|tale)\b"
    r"|in (?:my|the|an?|\S+(?:'s|s')) (?:(?:next|last|previous|other|earlier|first|second|old|new) )?"
    r"(?:letter|mail|e-?mail|message|post)\b"
    r"|in (?:the |my |our )?(?:other|last|previous|next|first|second|earlier|old|another|different) (?:\w+ )?"
    r"(?:game|contest|round|session|match|nomic|forum|thread)\b|in (?:round|session) \w+"
    r"|(?:in|for|on|re:?) (?:the|that) (?:\w+ )?(?:poll|survey|census|cfj|question of)\b"
    rf"|(?:for|as|to be) (?:the |our )?(?:(?:next|new) )?(?:(?:office|post|position|role|title) of )?{_OFFICE}{_ENDS}"
    rf"|for (?:the |our )?(?:(?:next|new) )?mayor{_ENDS}"
    r"|(?:for|as) (?:the )?(?:best|worst|funniest) \w+")
_ANOTHERS = (
    r"on \S+(?:'s|s') behalf\b|on behalf of\b|in \S+(?:'s|s') (?:shoes|name|place|stead|eyes|opinion|view|words)\b"
    r"|by \S+(?:'s|s') proxy\b|according to\b|to (?:quote|paraphrase)\b|(?:speaking|acting|posing) as\b"
    rf"|(?:as|via|through|being) (?!Agora\b|B\b)(?-i:[A-Z])\S*{_ENDS}"
    r"|(?:rumou?r|legend|gossip) has it\b|word is\b"
    r"|(?:or )?so (?:(?:says )?the (?:story|rumou?r|legend|saying|tale|song)|they say"
    r"|i am told"
    r"|i'm told)\b|the story goes\b"
    r"|(?:or )?(?:so )?(?!i\b|one\b)\S+ (?:thinks|predicts|believes|assumes|expects|fears|reckons|suspects|knows"
    rf"|guesses|insists){_ENDS}|(?:thinks|predicts|believes) \S+{_ENDS}"
    rf"|(?:(?:those|these) (?:are|were) )?(?:\S+(?:'s|s')|not my(?: own)?) words(?:,? not (?:mine|my own))?{_ENDS}"
    r"|deputi[sz]ing for\b|by power of attorney\b|(?:acting |voting |posting )on \S+(?:'s|s') behalf\b"
    rf"|(?:or )?so (?!i\b)(?:\S+ ){{1,3}}(?:says?|claims?|thinks?|believes?){_ENDS}"
    rf"|(?:or )?(?:(?:so|thus) )?(?:says|said|saith|quoth|wrote) (?!i\b)\S+{_ENDS}"
    r"|(?:at least )?(?:that|this|it)(?:'s| is| was) what (?!i\b|we\b)(?:\S+ ){1,3}(?:says?|said|wants?|wanted|thinks?"
    r"|wrote|claims?|told|expects?|expected|reads?|needs?|accepts?|understands?|asks?|asked|likes?|looks? for)\b"
    r"|(?:that|this|it)(?:'s| is)(?: just| only| merely)? (?:how|what) (?!i\b|we\b)\S+"
    r"(?: (?:would|should|must|can|could|has to|have to|ought to))? (?:writes?|say|phrases?|puts?|spells?|types?"
    r"|word|sends?"
    r"|post)\b"
    r"|(?:that|this|it)(?:'s| is)(?: just| only| merely)? (?:the|an?) (?:\w+ )?(?:sort of|kind of|phrase|wording"
    r"|form|format"
    r"|syntax|formula"
    r"|words?|sentence|line|spelling|sample|demonstration|quotation)\b")
_SMALL = r"(?:(?:and|but|so|then|well|ok|okay|sorry|albeit|though|only|just|probably)[, ]+)*"
_CLAUSES = rf"(?:{_MOMENTS}|{_HANGS})"
_PHRASES = rf"(?:{_TIMES}|{_UNREAL}|{_AMONG}|{_ELSEWHERE}|{_ANOTHERS})"
_QUALIFIES = re.compile(rf"(?:^|[,;:(] *| - |\.\.\. *){_SMALL}(?:{_CLAUSES}|{_PHRASES})", re.IGNORECASE)
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
    r"(?:present |current |running )?(?:session|subgame|sub-game)\b|\bdependent actions?\b")
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
    words = {w.strip(".,;:!?()[]*_#\"'") for w in text.casefold().split()}
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
    if _IFS.search(_unreasoned(text)):
        raise BallotError("ambiguous", "This is done or not; it can't depend on a condition.", hint=(
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
