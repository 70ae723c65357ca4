"""Sentences that could be meant as a deed though they are not worded as one: their authors are asked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from nomicwolf.reading.errors import BallotError
from nomicwolf.reading.everyday import (
    BRIEF,
    CHANGES,
    DENIED,
    HALF_JOINED,
    HALF_SAID,
    HANDED,
    HANGED,
    INTERJECTION,
    MADE_UP,
    NOMIC_WORDS,
    NOT_YET,
    STRONG,
    SUPPOSED,
)
from nomicwolf.reading.halfsaid import half_said, says_nobody
from nomicwolf.reading.leads import is_own, skip_leads
from nomicwolf.reading.misspelled import misspelled
from nomicwolf.reading.names import NameBook
from nomicwolf.reading.performing import Opening
from nomicwolf.reading.phrases import words_of
from nomicwolf.reading.roundabout import roundabout
from nomicwolf.reading.sentences import Sentence
from nomicwolf.reading.signing import signature
from nomicwolf.reading.slips import forum_slip
from nomicwolf.reading.telling import Beginnings, without
from nomicwolf.reading.vocables import words_in

_HALF_JOINED = Beginnings(each for openings in HALF_JOINED.values() for each in openings)
_HALF_SAID = Beginnings(HALF_SAID)
_CHANGES = re.compile(rf"\W*(?:{INTERJECTION}[:,. ]+)*(?:{'|'.join(CHANGES)})\b")
_JOINT = re.compile(r"(?:[,;:]|--| - |\u2014) *(?:and |but )?(?:(so|thus|therefore|hence),? )?(?=[a-z])")
"""Where another clause begins, and what joins it."""
_JOINING = frozenset(",;:-\u2014")
"""One of these marks is in each joint."""
_CONCLUDING = re.compile("vot|endorsing|switching|lynch|changing|moving|go with|lock")
_NEARLY = re.compile(
    r"i (?:guess|suppose) (?:that )?i vote\b|(?:i (?:now |hereby )?)?(?:lynch|hang) \S+(?: \S+)?$"
    r"|make (?:it|that|mine) (?:a vote for )?\S+(?: \S+)?$|i hammer \S+(?: \S+)?$"
    r"|i(?:'m| am)? follow(?:ing)? (?!you\b|\S+'s (?!lead\b|example\b))\S+(?: \S+)?$"
    r"|despite [^,]*, i vote\b|until (?!i )[^,]+,? i vote\b"
    r"|(?:please )?(?:disregard|ignore) my (?:\w+ )?(?:vote|ballot|endorsement)\b")
"""Words of which nobody could say that they are no vote, or take none back."""
_WITHDRAWN = re.compile(
    r"(?:please )?(?:i (?:hereby )?)?(?:cancel|withdraw|retract|revoke|rescind|remove|drop|take back|undo|pull|scrap"
    r"|abandon|discard|discount|dismiss|lift|relinquish|wipe|scratch|clear|reset|delete|erase|nullify|void|strike|expunge"
    r"|annul|forget)"
    r"(?:ing)? (?:any |all |both )?(?:of )?my (?:[\w-]+ ){0,2}"
    r"(?:votes?|ballots?|endorsements?|voting)\b(?! on proposal)"
    r"|(?:please )?(?:i (?:hereby |now )?)?(?:cancel|withdraw|retract|revoke|rescind|undo|take back) th(?:e|is|at)"
    r" (?:above |previous |earlier |last |foregoing |said )?(?:vote|ballot|endorsement)\b(?! (?:on|count"
    r"|of(?! mine))\b)"
    r"|i no longer (?:wish|want|mean|intend) to (?:vote|endorse)\b|my vote (?:becomes|shall be) (?:null|void|withdrawn)"
    r"|i (?:take|pull) my (?:vote|endorsement) (?:back|away|off)\b"
    r"|i (?:stop|cease|quit) (?:endorsing|voting for)\b"
    r"|i (?:now |hereby )?(?:retract|withdraw|rescind|revoke) (?:it|that|this)$"
    r"|(?=.*\b(?:vot(?:e[ds]?|ing)|ballot)\b)(?:.*[,;:-] (?:so |and )?|)i (?:now |hereby )?(?:retract|withdraw|rescind"
    r"|revoke|cancel|take back|take) (?:it|that|this|them|it back|that back)$"
    r"|i(?:'m| am) (?:not|no longer) (?:endorsing|voting for) (?:\S+ ){1,3}(?:any ?more|any longer)$"
    r"|i(?:'m| am) no longer (?:endorsing|voting for)\b"
    r"|i (?:don't|do not) (?:vote|endorse) (?:\S+ ){1,3}(?:any ?more|any longer)$"
    r"|(?:i'd like|i would like|i want|give me|i'll have) my (?:vote|endorsement) back\b"
    r"|my (?:vote|endorsement)\b(?: \S+){0,4} (?:no longer (?:stands|counts|holds|applies)"
    r"|(?:expires|lapses|ends)(?: now| today)?)$"
    r"|(?:i'm |i am )?unvoting\b|consider my (?:vote|endorsement)(?: (?:for|of|on) \S+)? (?:withdrawn|retracted|revoked"
    r"|rescinded|cancel+ed|void)|my (?:vote|endorsement) (?:for|of|on|against) \S+ is (?:hereby |now )?"
    r"(?:withdrawn|retracted|revoked|rescinded|cancel+ed)\b")
TAKING_BACK = frozenset({
    "abandon", "abandoning", "discard", "discarding", "discount", "discounting", "dismiss", "dismissing", "lift",
    "lifting", "relinquish", "relinquishing", "wipe", "wiping",
    "annul", "annulling", "anymore", "back", "becomes", "cancel", "canceling", "cancelling", "cease", "clear",
    "clearing", "consider", "delete", "deleting", "drop", "dropping", "ends", "erase", "erasing", "expires", "forget",
    "forgetting", "is", "lapses", "longer", "more", "nullify", "nullifying", "pull", "pulling", "quit", "remove",
    "removing", "rescind", "rescinding", "reset", "resetting", "retract", "retracting", "revoke", "revoking", "scrap",
    "scrapping", "scratch", "scratching", "shall", "stop", "strike", "striking", "expunge", "expunging", "take",
    "taking", "undo", "undoing", "unvoting", "void",
    "voiding", "withdraw", "withdrawing",
})
"""One of these words is in all that the expression above takes (`without`)."""
_AGREES = re.compile(
    rf"(?:{INTERJECTION}[ ,.]+)*(?:so (?:do|will) i|i do,? too|i do|me,? too|ditto|likewise|\+ ?1"
    r"|same(?: here| for me| from me)?|as (?:do|does) i|(?:exactly )?this|what \w+ (?:said|says)|i (?:do )?the same"
    r"|count me in|i'm with you|i am with you)", re.IGNORECASE)
_SIGNED = 2
"""Lines of a letter that says one thing, and is signed."""
_ELSEWHERE = re.compile(
    r"\b(?:in|for) (?:the |this |that )?(?:\w+ ){0,2}(?:[Ee]lection|[Cc]ontest for)\b|\b(?:for|as|to be|be|become)"
    r" (?:the )?(?:(?:new|next) )?(?:(?:office|position|post) of )?(?:[A-Z]\w+or|Registrar|Herald|Notary|Speaker|IADoP"
    r"|CotC|[Kk]ing|[Qq]ueen|[Mm]ayor|[Cc]aptain|[Pp]resident)\b")
_THEORY = re.compile(r"'s? (?!(?:vote|votes|ballot|choice|pick|current|present)\b)\w+")
_DECIDED = re.compile(
    r"(?:^|[,.:;!] )(?:my )?(?:final (?:answer|decision|choice)|decision|conclusion) ?[:=]+>? ?([^\s,]+(?: [^\s,]+)?)$")
"""A heading, which elsewhere only leads up to a vote, and a name: "Final answer: Gus"."""
_RANKED = re.compile(r"first (?:choice|pick|preference)(?: is)?(?:[:=]| -)? (?!(?:would|was|of|in|to|for|and)\b)")
_FOR = re.compile(r"(?:\d+ ?[xX*] ?)?(?:FOR|\+1)(?::| to| for)?(?: (?:the )?lynching(?: of)?)? \S+(?: \S+)?")
_AND_VOTE = re.compile(
    r"([^\"?:]{1,200}?),? (?:and|but|so) (?:(?:now|hereby|instead|therefore|thus) )?vote (?:for )?\S")
"""Another clause of one's own, and the vote that is joined to it: "I drop Gus and vote for Hal"."""
_ASKING = frozenset({"advise", "ask", "beg", "encourage", "help", "invite", "make", "tell", "urge", "wait", "watch"})
_NAME = r"([^\s,:;]+(?: [^\s,:;]+)??)"
_NOW = r"(?:,? (?:now|again|then|for now|today|too|please|instead))?"
_BRIEFLY = re.compile(
    rf"(?:(?:(?:i(?:'m| am)|im) )?(?:(?:still|now|back|again) )?(?:going (?:with|for)|sticking (?:with|to|on)"
    rf"|staying (?:on|with)|swapping to|reverting (?:back )?to|returning to|piling on(?:to)?)"
    rf"|(?:i(?:'m| am)|im) (?:(?:still|now|back) )?(?:on|for)|(?:still|back)(?: (?:on|to|with))?"
    rf"|(?:swap|change|changed|revert) to|i (?:shift|swap|go|revert|return|stick|pile|stay|opt"
    rf"|settle)(?: back)? (?:to|for|with"
    rf"|on(?:to)?)"
    rf"|(?:i )?(?:hammer|execute|string up|nail)|i sheep|noose:|v ?:) {_NAME}{_NOW}"
    rf"|{_NAME},? (?:now|again|instead|for me)|{_NAME},? not \S+|not {_NAME},? but \S+")
"""A vote in next to no words: "Sticking with Gus", "back to Gus", "Gus please", "Hal, not Gus"."""
_BRIEF_WORDS = frozenset({
    "again", "back", "change", "changed", "execute", "go", "going", "hammer", "i", "im", "instead", "me", "nail",
    "noose", "not", "now", "opt", "settle", "sheep", "stay", "piling", "returning", "revert", "reverting", "staying",
    "sticking", "still", "string",
    "swap", "swapping", "v",
})
"""One of these words is in each of them."""
_LONGEST_BRIEFLY = 40
_MOST_SPACES = 6
_TITLED = re.compile(
    r"(?:(?:my|a|an|the|rvs|omgus|random|joke|serious|policy|lurker|pressure|placeholder|parking|revenge|gut|early|opening"
    r"|first|real|actual)\b:? ){1,2}vote: ")
"""What a vote is called in games of forums: "RVS vote: Gus"."""
_EVERYBODY = re.compile(
    r"(?:\bnone of (?:the above|you|them|these|those|us)|\b(?:vote|vote for|endorse) (?:everybody|everyone"
    r"|you all|y'all"
    r"|all|each|both) ?(?:else|of (?:you|us|them))?(?: (?:here|in (?:this )?town))?)[ .!]*$", re.IGNORECASE)
"""A vote for nobody in particular, or for all."""
_ACCUSES = re.compile(r"(?:i (?:(?:hereby|also|now|formally) )?)?(?:accuse|nominate):? ", re.IGNORECASE)
_GOES_ON = re.compile(
    r" ?(?:,|and|or|&|/|\+)(?: also)? ?[^\W\d_]| (?:if|unless|provided|when|once|as soon as|but)\b", re.IGNORECASE)
_SOMEBODY = frozenset({"person", "player", "townsperson", "villager", "voter"})
_FOR_BEGINS = frozenset("F+0123456789")


def seems_meant(text: str, names_in: Callable[[str], Sequence[str]]) -> bool:
    """Whether *text* could be meant as a vote though it is not worded as one; *names_in* tells who is named."""
    start = skip_leads(text, 0)
    whole = text.casefold()
    folded = whole[start:]
    if _HALF_SAID.begin(folded) or misspelled(folded) or _NEARLY.match(folded.rstrip(" .!")):
        return True
    if text[:1] in _FOR_BEGINS and _is_for(text):
        return True
    if "vot" in folded and _names_a_vote(folded):
        return True
    if "change" in whole and _CHANGES.match(whole) and names_in(text):
        return True
    return half_said(text, folded, names_in) or (start > 0 and half_said(text, whole, names_in)) or roundabout(
        text, folded, names_in) or _is_brief(text, folded, names_in) or _concludes(
            folded, names_in) or (start > 0 and _decides(text, whole, names_in))


def _decides(text: str, whole: str, names_in: Callable[[str], Sequence[str]]) -> bool:
    """"Final answer: Gus", "First choice Gus, second choice Fay": *text*, casefolded *whole*."""
    if whole.startswith("first ") and _RANKED.match(whole):
        return not words_in(whole) & MADE_UP
    said = _DECIDED.search(whole.rstrip(" .!"))
    return said is not None and (says_nobody(said[1]) or any(
        " " not in said[1] or said[1] == name.casefold() for name in names_in(text)))


def _is_brief(text: str, folded: str, names_in: Callable[[str], Sequence[str]]) -> bool:
    """Whether *text*, without greetings *folded*, is a name and a word or two that put a vote on it."""
    if len(text) > _LONGEST_BRIEFLY or text.count(" ") > _MOST_SPACES or without(text, _BRIEF_WORDS):
        return False
    said = _BRIEFLY.fullmatch(folded.rstrip(" .!")) or _BRIEFLY.fullmatch(text.casefold().rstrip(" .!"))
    if said is None:
        return False
    whom = next(each for each in said.groups() if each)
    return any(" " not in whom or whom == name.casefold() for name in names_in(text))


def _names_a_vote(folded: str) -> bool:
    """"Voting Gus", "Gus gets my vote", "I vote that Gus be hanged", "after all that, vote: Gus"."""
    if folded.startswith("voting ") and len(folded.split()) <= BRIEF:
        return True
    if folded.startswith("i vote that ") and " be " in folded and words_in(folded) & HANGED:
        return True
    joined = _AND_VOTE.match(folded) if folded.startswith("i") else None
    if joined and is_own(joined[1], words := words_in(joined[1])) and not words & _ASKING:
        return True
    titled = ", vote: " in folded or ", so vote: " in folded or _TITLED.match(folded) is not None
    return _hands_over(folded) or (titled and '"' not in folded and not words_in(folded) & MADE_UP)


def _concludes(folded: str, names_in: Callable[[str], Sequence[str]]) -> bool:
    """"I'd rather see Fay hang, so I'm moving my vote to em": a vote half said behind what leads up to it."""
    if _CONCLUDING.search(folded) is None or _JOINING.isdisjoint(folded) or '"' in folded:
        return False
    for joint in _JOINT.finditer(folded):
        tail = folded[joint.end():]
        if not _HALF_SAID.begin(tail):
            continue
        lead = words_in(folded[:joint.start()])
        supposed = lead & (STRONG | MADE_UP) or (not joint[1] and lead & SUPPOSED)
        whom = names_in(tail) or (" you" in tail and names_in(folded))
        if not supposed and not words_in(tail) & (MADE_UP | NOT_YET) and whom:
            return True
    return False


def _is_for(text: str) -> bool:
    """"FOR Gus", "3xFOR lynching Gus": a ballot as for a proposal, in capitals."""
    return _FOR.fullmatch(text.strip(" .!")) is not None


def seems_withdrawn(text: str) -> bool:
    """Whether *text* could be meant to take one's vote back, in other words than those that do."""
    if without(text, TAKING_BACK):
        return False
    folded = " ".join(text.casefold()[skip_leads(text, 0):].split())
    return bool(_WITHDRAWN.match(folded.rstrip(" .!")))


def only_agrees(lines: Iterable[str]) -> bool:
    """Whether *lines*, all that is said below a quotation, only say that their author does the same: "So do I!"."""
    said = [line.strip(" .,!*_~-") for line in lines if line.strip()]
    return 0 < len(said) <= _SIGNED and _AGREES.fullmatch(said[0]) is not None


def says_nothing(lines: Iterable[str]) -> bool:
    """Whether *lines* are empty, or say only that what is quoted is sent again: "TTttPF" (CFJ 3586)."""
    said = [line for line in lines if line.strip()]
    return not said or (len(said) == 1 and forum_slip(said[0]) == "ttpf")


def seems_joined(text: str) -> str:
    """What to write for a sentence that could be meant as joining or leaving the contract; '' for any other."""
    folded = text.casefold().strip(" .!")
    if folded.startswith("i "):
        folded = " ".join(folded.split())
    if not _HALF_JOINED.begin(folded):
        return ""
    folded = folded.removesuffix("please").removesuffix("thanks").strip(" ,")
    communities = ("", *words_of("COMMUNITY"))
    for instead, openings in HALF_JOINED.items():
        for each in openings:
            if folded.startswith(each) and folded[len(each):].strip() in communities:
                return instead
    return ""


def _hands_over(folded: str) -> bool:
    """"Gus gets my vote"."""
    return folded.rstrip(" .!").endswith(HANDED) and len(folded.split()) <= 2 * BRIEF and not words_in(folded) & DENIED


def is_vote_meant(sentence: Sentence, stands: Opening, error: BallotError, book: NameBook) -> bool:
    """Whether words that can't be taken as a vote are worth a question: "vote counts decide it" is not."""
    if stands.kinds & {"ACCUSE", "NOMINATE"}:
        goes_on = _names_on(sentence.text[stands.at:], book) or signature(sentence.text, book)
        return error.problem != "not understood" or bool(goes_on)
    nobody = error.problem == "unknown player" and not error.suggestions
    said = sentence.text[stands.at:]
    if _EVERYBODY.search(said) and not sentence.asked:
        return True
    gerund = sentence.text.casefold().startswith("endorsing") and error.problem == "not understood"
    if gerund or ("ENDORSE" in stands.kinds and nobody):
        return False
    if seems_elsewhere(sentence.text[stands.at:], endorsed="ENDORSE" in stands.kinds):
        return False
    words = {word.casefold().strip(".,!") for word in sentence.text[stands.at:].split()[2:]}
    of_nomic = (words & NOMIC_WORDS and words.isdisjoint(_SOMEBODY)) or any(map(is_proposal, words))
    if of_nomic and not book.names_in(sentence.text):
        return False
    return not (stands.manner == "bare" and nobody and len(sentence.text.split()) > BRIEF)


def _names_on(said: str, book: NameBook) -> bool:
    """Whether *said*, an accusation, goes on behind the name with another, or with a condition."""
    named = _ACCUSES.match(said)
    name = book.find(said, named.end()) if named and named.end() < len(said) else None
    return name is not None and _GOES_ON.match(said, name.end) is not None


def seems_elsewhere(text: str, *, endorsed: bool) -> bool:
    """Whether *text*, which can't be taken as a vote, is about an office or an election, or what is *endorsed* is none.

    "I vote for Gus in the Assessor election", "I endorse Bex's theory".
    """
    return bool(_ELSEWHERE.search(text)) or (endorsed and bool(_THEORY.search(text)))


def is_proposal(word: str) -> bool:
    """Whether *word* is the number of a proposal, or a range of such: "7084", "7084-90"."""
    first, _, last = word.partition("-")
    return len(first) > 2 and first.isdecimal() and (not last or last.isdecimal())
