"""What takes back words before it: a joke, or "I meant Cam", "er, Cam", which say that another name was meant."""

from __future__ import annotations

import re

from nomicwolf.reading.everyday import BRIEF, CANCELS
from nomicwolf.reading.names import NameBook
from nomicwolf.reading.telling import Told, without

_CANCELS_ON = tuple(each + end for each in CANCELS if " " in each for end in " ,:;")
_TURNED = re.compile(
    r"(?:actually|on (?:second thoughts?|reflection)|oops|whoops|hm+|well|oh|er+|uh|sorry|ah|wait|edit|(?:ha[ ,]*)+|lol"
    r"|heh|nah)[,.:!]* ")
_TURNS = 30
"""How often someone may hesitate before it is taken for a no."""
_HEADS = frozenset(each.split()[0].rstrip(",:;") for each in (
    *CANCELS, "edit", "ha", "haha", "hahaha", "heh", "lol", "nah", "or", "no", "maybe", "perhaps", "actually", "on",
    "oops", "whoops", "hm", "hmm", "well", "oh", "er", "err", "uh", "sorry", "ah", "wait"))
"""First words of what cancels."""
_JEST = (
    r"joking|kidding|messing|teasing|trolling|pranking|fooling|bluffing|pulling your legs?"
    r"|being (?:silly|sarcastic|ironic|facetious|funny)|not (?:being )?serious")
_JESTS = re.compile(
    r"(?:(?:ha)+h?|lol|heh|hey|well|no|ok|okay|sorry|psych|relax|calm down)?[,.!: ]*"
    r"(?:of course |obviously |and |but )*"
    r"(?:i(?:'m| am| was|'ve been| have been) )?(?:(?:only|just|merely|obviously|clearly|totally|of course|really) )*"
    rf"(?:{_JEST})"
    r"(?:,? (?:of course|obviously|here|there|around|about|again|folks|guys|all|everyone"
    r"|with \S+(?: all)?))*|april fools?(?:' day)?|got(?:cha| you)")
"""The author was not serious."""
_UNSAYS = re.compile(
    r"(?:please |kindly |just |so |and |but )*(?:(?:don't|do not) (?:count|take|record|register|log|process|mind)"
    r" (?:that|this|it|me|my vote|the above|any of (?:that|this|it))(?: (?:vote|one|seriously|yet|please|as a vote))*"
    r"|disregard|ignore|undo|unsaid|forget (?:that )?i (?:said|wrote|voted|posted|asked)\b.*"
    r"|forget (?:about )?(?:that|it|this)(?: (?:one|vote))?|pretend i (?:didn't|did not|never)\b.*"
    r"|(?:act|do) as if i (?:hadn't|had not|never|didn't)\b.*)"
    r"|(?:(?:nope|no|nah|wait|ugh|hm+|hmm|oops|sorry|actually|oh|ah|edit|update)[,.: ]+)*"
    r"i?(?:'ve| have)? ?(?:just )?changed my mind(?: (?:again|now|about (?:that|this|it|em)))*")
"""The author takes it back."""
_UNSAYING = frozenset({
    "act", "april", "being", "bluffing", "count", "disregard", "do", "fooling", "forget", "got", "gotcha", "ignore",
    "joking", "kidding", "log", "messing", "mind", "pranking", "pretend", "process", "pulling", "record", "register",
    "serious", "take", "teasing", "trolling", "undo", "unsaid",
})
"""One of these words is in all that the two expressions take."""
_SHORTLY = re.compile(
    r"i (?:don't|do not|didn't|did not)(?: (?:say|write|mean|do) (?:that|it|so|this))?|nah|nope|hang on"
    r"|hold on\b.{0,25}"
    r"|(?:only |just )?(?:a )?test(?:ing)?|(?:i|you) wish|dream on|(?:ha[, ]+)*fooled you(?: all)?"
    r"|\S+ made me (?:say|write|do|post) (?:that|this|it|so)|end(?: of)? (?:quote|joke|sarcasm)|unquote|close quote"
    r"|said (?:nobody|no one)(?: ever)?|(?:(?:ha)+h?[,.!]* )?as if")
"""The author takes it back in few words."""
_UNWRITES = Told(re.compile(
    r"(?:my |the )?(?!(?:i|you|we|one)\b)\S+ (?:wrote|typed|said|posted|sent) (?:that|this|it)"
    r"|i(?: would|'d|'ve| have)? never (?:say|said|write|wrote|written|post|posted|sent?|meant?|do|did) (?:that"
    r"|this|it|so)"
    r"|i (?:would not|wouldn't) (?:say|write|post|do) (?:that|this|it|so)|i(?:'ve been| was| have been| got) hacked"
    r"|(?:that|this|it)(?:'s| is| was)(?: meant| intended)? (?:for|in) (?:another|(?:the|my|our) other) \w+"
    r"|(?:that|this|it)(?:'s| is| was) (?:(?:just|only|all) )*(?:an? )?(?:typo|mistake|accident|error|slip|misclick"
    r"|by (?:mistake|accident)|not me|sent (?:by|in) (?:mistake|error|accident))"
    r"|(?:typed|written|posted|dictated) by (?!me\b)\S+(?: \S+)?|(?:that|this|it) (?:was|is)(?:n't| not) me\b.*"
    r"|\S+(?: \S+){0,3} (?:took|stole|grabbed|hijacked|got|has|had) my (?:phone|keyboard|account|computer|laptop)"
    r"|(?:oops|whoops|ooops)|(?:delete|erase|cancel|redact) (?:that|this|it)"
    r"|(?:cancel(?:l?ed)?|undo|abort(?:ed)?|rewind)"
    r"|(?:sorry,? )?wrong (?:address|button|channel|chat|day|file|forum|name|person|player|tab|window),?(?: sorry)?"
    r"|(?:you|did you|do you) (?:really |actually )?(?:believed?|fell for|fall for|bought|buy) (?:that|it|me)\b.*"
    r"|(?:(?:just|only|merely) )*(?:saying|repeating|quoting|echoing) what (?!i\b)\S+ \w+"
    r"|(?:(?:just|only|merely) )+(?:quoting|echoing|parroting|citing)(?: \S+)?"), {
    "account", "computer", "dictated", "isn", "keyboard", "laptop", "phone", "wasn", "written",
    "abort", "aborted", "another", "believe", "believed", "bought",
    "buy", "cancel", "cancelled", "canceled", "citing", "delete",
    "echoing", "erase", "fall", "fell", "hacked", "mistake", "never", "not", "accident", "error", "misclick", "oops",
    "ooops", "other", "parroting", "posted", "quoting", "redact", "repeating", "rewind", "said", "saying",
    "sent", "slip", "typed", "typo", "undo", "whoops", "would", "wouldn", "wrong", "wrote",
})
"""It was written by mistake, or by another, or as another's words."""
_SHORT = 40
_HESITATES = (
    r"(?:sorry|oops|whoops|ah|er+m?|um|uh|no|nope|wait|hold on|actually|or rather|rather|on second thoughts?|instead"
    r"|scratch that|strike that|scrap that|not that|edit|update|no longer [^\s,:;]+)")
_CORRECTS = re.compile(
    rf"(?:{_HESITATES}[,:;.]* )*"
    r"(?:i (?:meant?|intended)(?: to (?:vote|say|write|put|name|attack|see|type|pick))?"
    r"|i should have (?:said|written|voted)|(?:i(?:'ve| have)? )?changed my mind|change of (?:mind|heart|plans?)"
    r"|(?:edit|update)[,:] (?:changed to|now|make that)|correction|corrected|edit|update|changed to|erratum|typo|rather"
    r"|make (?:that|it)"
    r"|(?:that|it|this|my vote) (?:should|was supposed|was meant) (?:to )?(?:be|read|say|have (?:been|said))"
    r"|should (?:be|read|say|have (?:been|said)))[:,]* (?:for )?", re.IGNORECASE)
_HESITATED = re.compile(rf"(?:(?!sorry){_HESITATES}[,:;.]* )+(?:vote )?(?:for )?", re.IGNORECASE)
_OR = re.compile(
    r"(?:or|alternatively|otherwise|else|and if not)(?:,? (?:maybe|perhaps|rather|else|for|then|vote|vote for))*,? ",
    re.IGNORECASE)
_OR_BEGINS = frozenset("aeoAEO")
_AFTER = re.compile(
    r"(?:[,;]* (?:instead|then|please|of course|obviously|rather|it is|i think|i meant?|today|tonight"
    r"|(?:and |but )?not [^\s,:;]+(?: [^\s,:;]+)?))*",
    re.IGNORECASE)
_REWRITTEN = re.compile(r"s/[^/]+/[^/]+(?:/|$)|(?:\^[WHUwhu])+")
"""What editors of lines write: "s/Gus/Hal/", "^W^W"."""
_MEANT = re.compile(r"(?:[\w'.-]+[,;]? ){1,3}i meant? (?=\S+(?: \S+)?$)", re.IGNORECASE)
"""A name, and once more: "Hal, I meant Hal"."""
_INSTEAD = re.compile(r"[,;]* (?:instead|rather|then|i meant?)\b", re.IGNORECASE)
_CORRECTING = frozenset({
    "actually", "ah", "change", "changed", "corrected", "correction", "edit", "hold", "instead", "intended",
    "mean", "meant", "no", "nope", "not", "oops", "rather", "scrap", "scratch", "second", "should", "sorry", "strike",
    "supposed", "then", "typo", "uh", "um", "update", "wait", "whoops",
})
"""One of these words is in all that `_MEANT`, `_CORRECTS`, `_HESITATED` and `_INSTEAD` take (`without`)..."""
_CORRECTS_BY = ("er", "make ")
"""... unless it begins with one of these."""
_ENDS = " .!()[]*_~:;,-"
_SMILED = re.compile(r"^(?:[:;]?-?[pd)] )+|(?: [:;]-?[pd)(])+$")


def corrects(text: str, book: NameBook) -> bool:
    """Whether *text* says that a name, which it gives, was meant in what was said before it, or could be as well."""
    bare = text.strip(_ENDS)
    if ("/" in bare or "^" in bare) and _REWRITTEN.match(bare):
        return True
    other = _OR.match(bare) if bare[:1] in _OR_BEGINS else None
    if other and book.find(bare, other.end()):
        return True
    if without(text, _CORRECTING) and not bare[:5].casefold().startswith(_CORRECTS_BY):
        return False
    start = _MEANT.match(bare) or _CORRECTS.match(bare) or _HESITATED.match(bare)
    at = start.end() if start else 0
    name = book.find(bare, at) if at < len(bare) else None
    if name is None or not (start or _INSTEAD.match(bare, name.end)):
        return False
    return bool(_AFTER.fullmatch(bare, name.end))


def cancels(text: str) -> bool:
    """Whether *text* takes back what was said before it, as a joke; as if it did, where it hesitates for too long."""
    for _ in range(_TURNS):
        words = text.casefold().strip(" .!()-*_~:;,")
        if not without(text, _UNSAYING) and (
                _JESTS.fullmatch(bare := _SMILED.sub("", words)) or _UNSAYS.fullmatch(bare)):
            return True
        if len(words) <= _SHORT and (_SHORTLY.fullmatch(words) or _UNWRITES.fullmatch(words, text)):
            return True
        if words.partition(" ")[0].rstrip(",:;") not in _HEADS:
            return False
        if words.startswith(("or ", "no, ", "maybe ", "perhaps ")) and len(words.split()) <= BRIEF:
            return True
        if words in CANCELS or words.startswith(_CANCELS_ON):
            return True
        if (turned := _TURNED.match(words)) is None:
            return False
        text = words[turned.end():]
    return True
