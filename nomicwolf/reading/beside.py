"""What stands beside a deed, in brackets or in the next sentence, and could change it: its author is asked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from nomicwolf.reading.brackets import bracket_pairs
from nomicwolf.reading.correcting import cancels, corrects
from nomicwolf.reading.disowned import is_denial
from nomicwolf.reading.errors import BallotError
from nomicwolf.reading.everyday import BRIEF
from nomicwolf.reading.leads import is_timed, skip_leads, tells_of_another
from nomicwolf.reading.limits import Limits
from nomicwolf.reading.names import NameBook
from nomicwolf.reading.parsing import parse
from nomicwolf.reading.performing import begins_dangling, begins_instead, begins_otherwise
from nomicwolf.reading.qualifying import qualifies, qualifies_alone
from nomicwolf.reading.sentences import Sentence
from nomicwolf.reading.signing import signs_as_another
from nomicwolf.reading.telling import Told
from nomicwolf.reading.times import Clock
from nomicwolf.reading.vocables import about_votes

_HANGS = re.compile(
    r"(?:(?:but|and|though|albeit|that is|it is|this is|e\.g\.|i\.e\.),? )*(?:only,? (?:\w+, )?)?"
    r"(?:if|iff|unless|provided|providing|conditional(?:ly)?|contingent|subject to|depending|dependent|assuming"
    r"|(?:as|so) long as|on (?:the )?condition|except if|except when|until (?!further notice|then))\b", re.IGNORECASE)
_SAID_OF_IT = Told(re.compile(
    r"(?:(?:but |and )?(?:this|that|it|the above|(?:this|that|my|the)(?: above)? (?:vote|ballot|endorsement|action))"
    r" (?:is|will be|shall be|counts|holds|stands|applies|takes effect|has effect)(?: only| of course)*,? )?"
    r"(?:only,? (?:\w+, )?)?(?:if|iff|unless|provided|conditional(?:ly)?|contingent|subject to|depending|dependent"
    r"|(?:as|so) long as|on (?:the )?condition)\b"
    r"|(?:but |and )?(?:this|that|it|the above|(?:this|that|my|the)(?: above)? (?:vote|ballot|endorsement)) (?:"
    r"(?:is|becomes|will be|shall be) (?:hereby |then )?(?:void|null|withdrawn|retracted|cancel+ed|off|gone)"
    r"(?: and void)? (?:if|unless|once|when|as soon as|at|on|after|from)|(?:expires|ends|lapses|stops|stands|lasts"
    r"|counts|applies) (?:if|unless|once|when|at|on|after|until(?! (?:further|then|i\b))|till|from|in|only"
    r"|tomorrow|tonight))\b"
    r"|(?:and |so |but )?(?:what would happen|who would (?:be|die|get|hang|win)\b|would (?:that|this|it) (?:be|work"
    r"|count|help)\b"
    r"|(?:that |it |this )?would be (?:funny|fun|nice|silly|stupid|wise|hilarious|mad|crazy)\b)"
    r"|(?:but |and )?(?:should|were) \S+(?: \S+)? (?:vote|to vote|endorse|be|have)\b", re.IGNORECASE), {
    "applies", "canceled", "cancelled", "condition", "conditional", "conditionally", "contingent", "counts",
    "dependent", "depending", "ends", "expires", "gone", "if", "iff", "lapses", "lasts", "long", "null", "off",
    "provided", "retracted", "should", "stands", "stops", "subject", "unless", "void", "were", "withdrawn", "would",
})
"""What is said of the vote before, or puts a condition in other words: "should Bex vote for Gus, Hal"."""
_UNREAL = re.compile(
    r"(?:only )?in (?:theory|my dreams|jest|a parallel|an? alternate|another (?:life|universe|world))\b"
    r"|(?:only |just |obviously )*(?:an? )?(?:joke|jest|sarcasm)\b(?!'| aside)", re.IGNORECASE)
_ELSE = re.compile(r"(?:or|else|otherwise|alternatively|failing that|then)\b", re.IGNORECASE)
_QUOTES = re.compile(
    r"(?:(?:i(?:'m| am) )?(?:just |only )?quoting\b.*|(?:an? |end |from an? )?quot(?:e|ation)|(?:just )?(?:an? )?"
    r"(?:(?:mere|pure) )?(?:example|hypothetical|hypothesis|draft|test|suggestion|idea|proposal)|\?[?!]*"
    r"|this(?: message| letter| post)? .*\bno (?:vote|ballot|deed|action)s?)[ .!]*", re.IGNORECASE)
"""What stands in brackets makes a quotation or an example of what stands beside them, or doubts it."""
_WHOSE = re.compile(
    r"(?:(?:(?:so|thus|as) )?(?:says|said|writes|wrote|quoth|claims)|by|cf\.?|for|from|per|via|after"
    r"|(?:(?:those|these) are|this is|that is|that's)) (?=\S)", re.IGNORECASE)
_WORDS_OF = re.compile(
    r"(?:'s?)? ?(?:(?:words?|vote|ballot|line|sentence|quote|post|message|voice|speech)\b.*"
    r"|(?:says|said|wrote|writes|claims|posted|quoted)(?: (?:so|it|this|that|first|yesterday|today|earlier))*)?[ .!]*",
    re.IGNORECASE)
"""Whose words stand beside them: "(says Bex)", "(Bex said)", "(Bex's vote)", "[for Bex]"."""
_PART = re.compile(r"\b(?:if|iff|unless|and|or|not)[ (]*\Z", re.IGNORECASE)
"""Brackets that follow are a part of a condition: "if (at least 3 votes have been cast)"."""
_HESITATES = Told(re.compile(
    r"(?:(?:h+m+|well|but|though|ok|okay|er+|um+)[,. ]+)*(?:(?:i(?:'m| am) )?(?:(?:still|just|so|quite|entirely"
    r"|that|all"
    r"|really) )*(?:not (?:(?:so|quite|entirely|that|all|really) )*(?:sure|certain|decided|convinced)|unsure|undecided"
    r"|thinking)(?: (?:yet|really|now|though|about (?:it|that|this)|it over))*"
    r"|i(?:'ll| will) (?:post|send|cast|do|say|make) (?:it|that|this) .{0,25}"
    r"|(?:just|only) (?:an? )?(?:thought|idea|suggestion|proposal)"
    r"|(?:how does (?:that|this|it) sound|does (?:that|this|it) sound (?:ok|okay|good|right)|deal|is (?:that|it) a deal"
    r"|would (?:that|this) (?:work|do|help)|agreed)(?: (?:to|for) (?:you|everyone|all))?"
    r"|(?:(?:is|isn't|wasn't) (?:that|this|it)|(?:that|this|it)(?:'s| is| was)) what (?!i\b)\S+ (?:all )?(?:wants?"
    r"|wanted|expects?|expected|hopes?|hoped|likes?|liked)\b.*"
    r"|i (?:only |just )?(?:mean|meant|intend|intended|ask|asked) (?:it|this|that) (?:(?:only|just|merely) )*(?:as an?"
    r"|in|for) (?:joke|question|test|example|fun|hypothetical|suggestion|jest|proposal)\b.{0,20}"
    r"|(?:if only|i wish)(?: i (?:could|can|might)| it were so)?"
    r"|(?:(?:but|only|sadly|alas|unfortunately),? )*i (?:can't|cannot|can not|may not|won't|will not|don't dare"
    r"|daren't|am not allowed(?: to)?)(?: (?:yet|now|today))?"
    r"|(?:that|this|it) would be my (?:vote|choice|pick)\b.{0,30}"
    r"|conditions apply|terms and conditions apply|some restrictions apply)[ .!?]*", re.IGNORECASE), {
    "agreed", "apply", "ask", "asked", "can", "cannot", "cast", "certain", "convinced", "dare", "daren", "deal",
    "decided", "do", "don", "expect", "expected", "expects", "hope", "hoped", "hopes", "idea", "intend", "intended",
    "like", "liked", "likes", "make", "may", "mean", "meant", "not", "only", "post", "proposal", "say", "send", "sound",
    "suggestion", "sure", "thinking", "thought", "undecided", "unsure", "want", "wanted", "wants", "will", "wish",
    "won", "would", "am",
})
"""The next sentence hesitates, or offers: "Not sure yet.", "Just a thought.", "Deal?"."""
_OFFERED = Told(re.compile(
    r"(?:what do you (?:think|say|make) of|how(?:'s| is| about)|do you like) (?:that|this|it) (?:as|for) (?:an?|the|my)"
    r" (?:\w+ )?(?:line|opener|opening|sentence|verse|poem|lyric|motto|draft|example|ending|scene|dialogue)\b.{0,20}",
    re.IGNORECASE), {"how", "like", "make", "say", "think"})
"""The next sentence asks how it sounds: "What do you think of that as an opening line?"."""
_NONE = Told(re.compile(
    r"(?:(?:(?:that|this|it)(?:'s| is| was) )?(?:(?:just|only|all) )?(?:an? )?"
    r"(?:(?<= )lies?|false|untrue|not true|joke|example)|i(?:'m| am| was) (?:(?:just|only) )?lying(?:,? of course)?"
    r"|i lied|(?:at least |or )?(?:that|this)(?:'s| is| was) (?:the|my|our) (?:plan|intention)"
    r"|(?:that|this)(?:'s| is) what i(?:'d| would) (?:say|do)\b.{0,40}"
    r"|(?:that|this)(?:'s| is) how (?:it's|it is) done"
    r"|(?:please )?(?:count|record|register) (?:this|that|it)(?: vote)? (?:only|later|tomorrow|from|when|once|after"
    r"|at)\b.{0,30}"
    r"|(?:that|this|it|(?:my|the|this) vote)(?: only)? (?:takes|will take|shall take) effect"
    r" (?!now\b|immediately\b|at once\b)\S+.{0,30}"
    r"|(?:please )?(?:consider|treat|count|regard) (?:this|that|it)(?: vote)? (?:as )?(?:withdrawn|void|null|retracted"
    r"|cancell?ed|gone|off)\b.{0,30}|(?:if|when|unless|once) [^?]{1,40} (?:please )?(?:ignore|disregard|cancel|withdraw"
    r"|retract|forget) (?:this|that|it|my vote)"
    r")[ .!]*", re.IGNORECASE), {
    "cancel", "consider", "disregard", "forget", "ignore", "regard", "retract", "treat", "withdraw",
    "count", "do", "done", "effect", "example", "false", "joke", "lie", "lied", "intention", "lies", "lying", "plan",
    "record", "register", "say", "true", "untrue",
})
"""The next sentence says that it was none, or is for later: "That's a lie.", "This takes effect at noon."."""
_LONGEST_DOUBT = 60
_GOES_ON = re.compile(r"(?:is|was|were|would (?:be|have been)|are) (?:what|how|something|an?|the|not|only|just)\b")
"""With these small words a sentence goes on after an empty line: "is what I would say"."""
_PLAIN_IF = re.compile(r"if ", re.IGNORECASE)
_BROKEN_OFF = re.compile(
    r"if (?!you (?:ask|care|know|like|must|want|will|wonder)\b)(?!.*\b(?:i|i'm|i'll|i'd|i've|we|we'll|you'll|that's"
    r"|it's|say|tell|speak|shout|sue|let|let's|please|so|then|fine|bad|good|great|why|write|reply|call|sorry|tough"
    r"|blame"
    r"|will)\b)"
    r"[^\s,;:]+(?: [^\s,;:]+){0,7}(?:, (?:that is|of course|obviously|at least))?", re.IGNORECASE)
"""A condition in words of no condition, and no clause that hangs on it: "if nobody objects"."""
_AND_ALSO = re.compile(r"(?:and|also|plus|as well as|&|\+),? (?:for )?", re.IGNORECASE)
_STROKES = frozenset("-~\u2013")
_STRUCK = re.compile(r"([-~\u2013])(?=[^\W_]).*[^\s~\u2013-]\1[ .!]*", re.DOTALL)
"""Words struck out, as some programs write it: "-I vote for Gus-"."""
_SIDES = frozenset({"guilty", "innocent"})
_VERDICT = re.compile(
    r"\b(?:(?P<innocent>not[ -]guilty|(?<!not )innocent|acquit\w*)|(?P<guilty>guilty|convict\w*))\b", re.IGNORECASE)


def refuse_brackets(written: str, book: NameBook, verbs: AbstractSet[str]) -> None:
    """BallotError ``ambiguous`` if brackets in the author's own words say that e is joking, or hold a condition.

    Or if they hold another verdict than that among the *verbs* of what is done beside them (D-M20). What stands in
    square brackets is a comment in the nomics ("[if I could vote for em twice I would]"); one that names somebody could
    be meant as a condition all the same.
    """
    if written[:1] in _STROKES and _STRUCK.fullmatch(written):
        raise BallotError("ambiguous", "A stroke stands at both ends of it, as where words are struck out.",
                          hint="if it is meant, send it again without them")
    if "(" not in written and "[" not in written and "{" not in written:
        return
    pairs = bracket_pairs(written)
    for start, end in pairs.items():
        inner = written[start + 1:end].strip()
        if cancels(inner) or corrects(inner, book) or _UNREAL.match(inner) or tells_of_another(inner) or (
                qualifies(inner) and not _PART.search(written, 0, start)
                and qualifies(_own(written, start, end, pairs))) or (
                _QUOTES.fullmatch(inner) or _is_anothers(inner, written, start, book)) or is_denial(inner):
            raise BallotError("ambiguous", "What stands in brackets takes it back, or makes it another's.",
                              hint="if it is meant, send it again without that")
        if _judges_otherwise(inner, verbs & _SIDES):
            raise BallotError("ambiguous", f"“{written[start:end + 1]}” names another verdict.",
                              suggestions=("guilty", "innocent"), hint="write “guilty” or “innocent”, and no other")
        if written[start] == "(" and _ELSE.match(inner) and book.names_in(inner):
            raise BallotError(
                "ambiguous", f"“{written[start:end + 1]}” names another, and words in brackets have no effect.",
                hint="say all of it without brackets: NAME if ..., otherwise NAME")
        if _names_another(inner, written[:start], book):
            raise BallotError("ambiguous", f"“{written[start:end + 1]}” names another.", hint="name one person")
        if _HANGS.match(inner) and (written[start] == "(" or book.names_in(inner)):
            raise BallotError(
                "ambiguous", f"“{written[start:end + 1]}” stands in brackets, where words have no effect. "
                "Is it meant as a condition?", hint="write the condition without brackets, or leave it out")


def _own(written: str, start: int, end: int, pairs: Mapping[int, int]) -> str:
    """Return what stands in the brackets from *start* to *end* of what is *written*, without the brackets in them."""
    found, at = [], start + 1
    while at < end:
        inside = next((i for i in range(at, end) if i in pairs), end)
        found.append(written[at:inside])
        at = pairs.get(inside, end) + 1
    return " ".join(found).strip()


_STAMPED = re.compile(r"[ ,;|-]+(?:at )?\d{1,2}[:.]\d\d\b")
"""Behind a name in brackets: when e said what follows, as chats have it: "[Bex, 10:00]"."""


def _is_anothers(inner: str, written: str, start: int, book: NameBook) -> bool:
    """Whether *inner*, in the brackets at *start* of what is *written*, says whose words stand beside them.

    So does another's name before all: "[Bex] I vote for Gus".
    """
    whose = _WHOSE.match(inner)
    at = whose.end() if whose else 0
    name = book.find(inner, at) if at < len(inner) else None
    if name is None or name.person.names == (book.people.author,):
        return False
    said = _WORDS_OF.fullmatch(inner, name.end)
    if said is None:
        return not written[:start].strip() and _STAMPED.match(inner, name.end) is not None
    if whose or said[0].strip(" .!"):
        return True
    first = not written[:start].strip() and inner.casefold() not in ("vote", "unvote")
    return first and name.person.names[0] not in book.names_in(written[start + len(inner) + 2:])


def _names_another(inner: str, before: str, book: NameBook) -> bool:
    """Whether *inner*, which stands in brackets, is a name and not one that stands *before* it: "Gus (and Hal)"."""
    joined = _AND_ALSO.match(inner)
    at = joined.end() if joined else 0
    name = book.find(inner, at) if at < len(inner) else None
    if name is None or name.end < len(inner) or name.person.names == (book.people.author,):
        return False
    return name.person.names[0] not in (named := book.names_in(before)) and bool(named)


def _judges_otherwise(inner: str, said: AbstractSet[str]) -> bool:
    """Whether *inner*, which stands in brackets, has another verdict than those that are *said*.

    Where none is, but perhaps a conditional one: whether *inner* is a verdict, or says what it is to be otherwise.
    """
    found = {each.lastgroup for each in _VERDICT.finditer(inner)}
    return bool(found - said) and bool(said or _ELSE.match(inner) or _VERDICT.fullmatch(inner))


def _is_timed_value(text: str, book: NameBook) -> bool:
    """Whether *text* gives another value from a time on, or for a case: "From noon on, Hal", "On a tie, Hal"."""
    lead, _, value = text.rpartition(",")
    return len(value.split()) <= BRIEF and (is_timed(lead) or qualifies(lead)) and bool(book.names_in(value))


def _is_one_more(text: str, book: NameBook) -> bool:
    """Whether *text* is "and Hal", which adds a name to the one before it."""
    joined = _AND_ALSO.match(text)
    name = book.find(text, joined.end()) if joined and joined.end() < len(text) else None
    return name is not None and name.end == len(text)


def _hesitates(text: str) -> bool:
    """Whether *text* says that its author isn't sure yet, or offers what stands before it."""
    if len(text) > _LONGEST_DOUBT:
        return False
    return any(each.fullmatch(text) for each in (_HESITATES, _OFFERED, _NONE))


def doubt_after(
    before: Sentence, following: list[Sentence], book: NameBook, clock: Clock, limits: Limits,
) -> BallotError | None:
    """The question about a vote *before* the sentence, if any is *following*, that could say on what it hangs."""
    if not following:
        return None
    text = following[0].text.lstrip(" ([*")
    bracketed = following[0].text != text
    text = text[skip_leads(text, 0):]
    skipped = len(following[0].text) - len(text)
    if text[:1].islower() and _GOES_ON.match(text):
        return BallotError("ambiguous", "The next words go on with it, and could make it talk.",
                           hint="send the vote by itself")
    if about_votes(text) and begins_otherwise(text):
        return BallotError("ambiguous", "Does the next sentence say what the vote is to be otherwise?",
                           hint="put all of it into one sentence, or one paragraph: NAME if ..., otherwise NAME")
    if begins_instead(text) or ("," in text and _is_timed_value(text, book)):
        return BallotError("ambiguous", "The next sentence votes too, on a condition: an exception to this?",
                           hint="put all of it into one sentence: NAME if ..., otherwise NAME")
    if _hesitates(text) or signs_as_another(following[0], before.text, book) or (
            not following[0].asked and (
                qualifies_alone(following[0].text) or _is_one_more(following[0].text, book))):
        return BallotError("ambiguous", f"Is “{following[0].written}” said of the vote before it?",
                           hint="if the vote is meant as it is, send it by itself")
    if not begins_dangling(text) and ((following[0].asked and "would" not in text.casefold())
                                      or not _SAID_OF_IT.match(text, following[0].text)):
        return None
    if not bracketed and (supposed := _PLAIN_IF.match(text)):
        try:
            parse(following[0].clean.part(skipped + supposed.end(), len(following[0].text)), "condition", book, clock,
                  limits)
        except BallotError:
            if not _BROKEN_OFF.fullmatch(text.rstrip(" .!")):
                return None
    return BallotError("ambiguous", "Is the condition in the next sentence part of the vote?",
                       hint="put the vote and its condition into one sentence")
