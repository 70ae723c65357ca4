"""Phrases beside a deed that make it another thing: on what it hangs, and when, where or in whose name it is said.

"Barring objections", "the moment Bex does", "in spirit", "in the other game", "for Herald", "on Bex's behalf" stand
before a vote, behind it, in brackets, or as the next sentence. No condition of the language is worded so: whoever
writes them is asked, for a vote that hangs on nothing could lynch somebody (NC 3 conditional, D-N10).
"""

from __future__ import annotations

import re

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
_FRAGMENT = re.compile(
    rf"{_SMALL}(?:{_CLAUSES}(?!.*\b(?:i|i'm|i'll|we|we'll|you|you'll|it|will|let's|please)\b)[^,]*"
    rf"|{_PHRASES}(?! .*\b(?:i|i'm|i'll|we|we'll|you|you'll|he|she|e|they|it|there|is|are|was|were|will|would"
    rf"|should|could|might|may|must|can|do|did|had|has|let's|please)\b)[^,]*)", re.IGNORECASE)
_MEANING = re.compile(r",? (?:i mean|that is|of course|obviously|naturally)$", re.IGNORECASE)
_MEANING_ENDS = ("I mean", "i mean", "that is", "of course", "obviously", "naturally")
_LONGEST_FRAGMENT = 48
_LONGEST = 300
"""What stands further off says nothing of the deed; and to look for it takes the square of its length."""


def qualifies(text: str) -> bool:
    """Whether *text*, what stands beside a deed in its sentence, holds a phrase that makes it another thing.

    >>> qualifies("Barring objections,"), qualifies("with a heavy heart"), qualifies("sorry, in spirit")
    (True, False, True)
    """
    return _QUALIFIES.search(text, 0, _LONGEST) is not None


def qualifies_alone(text: str) -> bool:
    """Whether *text*, a sentence behind a deed, is nothing but such a phrase: it says nothing by itself.

    >>> qualifies_alone("The moment Bex does"), qualifies_alone("Not yet"), qualifies_alone("Tomorrow I was town")
    (True, True, False)
    """
    if len(text) > _LONGEST_FRAGMENT:
        return False
    bare = text.strip(" .!()[]*_")
    return _FRAGMENT.fullmatch(_MEANING.sub("", bare) if bare.endswith(_MEANING_ENDS) else bare) is not None
