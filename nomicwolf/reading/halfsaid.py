"""Votes half said: someone speaks of eir own vote, here and now, in words that nobody has planned for.

"I strongly and without hesitation vote for Gus", "I join Bex in voting for Gus", "my vote lands on Gus": none is worded
as a vote, each could be one, so its author is asked. What denies, supposes, remembers, foresees or tells of others
is talk, whatever else stands in it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from nomicwolf.reading.telling import without

_VERBS = frozenset({"vote", "voting"})
_NOUNS = frozenset({"ballot", "choice", "endorsement", "pick", "vote"})
_LYNCH = frozenset({"lynch", "lynched", "lynching", "nolynch"})
_WORDS = _VERBS | _NOUNS | _LYNCH | {"abstain", "abstaining", "voters", "votes"}
_WITHOUT = ("count me ", "it is", "mark me ", "please count me ", "please mark me ", "please put me ", "put me ")
"""One of these words is in every vote half said, or one of these phrases is at its beginning or end."""
_SPEAKER = frozenset({"i", "i'm", "im", "me", "my", "myself"})
_BEGINS = frozenset({
    "a", "accept", "adding", "another", "changing", "count", "delighted", "enter", "glad", "happy", "hence", "hereby",
    "honored", "honoured", "mark", "moving", "note", "one", "pencil", "please", "proud", "put", "record", "register",
    "so", "switching", "take", "therefore", "thus", "write",
})
"""First words of a vote half said that has no "I"."""
_PUTTING = ("ing", "my")
_TELLING = frozenset({
    "concerning", "counting", "defending", "discussing", "explaining", "hiding", "justifying", "reconsidering",
    "regarding", "regretting", "revealing",
})
_ONTO = frozenset({"at", "behind", "on", "onto", "to", "toward", "towards", "upon", "with"})
_OTHERS = frozenset({
    "any", "anybody", "anyone", "each", "eir", "eirs", "every", "everybody", "everyone", "he", "her", "his", "let",
    "let's", "nobody", "one's", "our", "people", "she", "somebody", "someone", "the", "their", "these", "they", "those",
    "us", "we", "who", "whoever", "whose", "you", "your",
})
TALK = frozenset({
    "advise", "almost", "always", "appreciate", "ask", "asked", "because", "been", "before", "believe", "between",
    "call", "can", "can't", "cannot", "cause", "challenge", "consider", "considered", "considering", "contest", "could",
    "decline", "defend", "demand", "deny", "depends", "did", "dislike", "dispute", "doubt", "encourage", "expect",
    "explain", "explained", "fear", "forget", "forgot", "from", "going", "gonna", "guess", "had", "hangs", "hardly",
    "hate", "have", "heard", "hesitate", "hinges", "hope", "how", "i'd", "i'll", "i've", "id", "if", "ill", "imagine",
    "inclined", "intend", "justify", "know", "later", "like", "likely", "love", "maybe", "mean", "mention", "might",
    "mistake", "nearly", "need", "never", "no", "none", "normally", "not", "notice", "often", "only", "ought", "owe",
    "perhaps", "plan", "planning", "pledge", "possibly", "prefer", "pretend", "probably", "promise", "propose",
    "question", "rather", "read", "reason", "recall", "recommend", "reconsider", "refuse", "regret", "remember",
    "remind", "request", "review", "said", "saw", "see", "seldom", "shall", "should", "sometimes", "soon", "suggest",
    "support", "suppose", "tell", "tempted", "tend", "than", "that", "think", "thinking", "thought", "threaten", "told",
    "tomorrow", "toyed", "trust", "understand", "unless", "unlikely", "until", "urge", "usually", "voted", "waiting",
    "want", "wants", "was", "were", "what", "when", "whenever", "whether", "why", "will", "wish", "without", "wonder",
    "would", "wrote", "yesterday",
})
"""Words before the vote with which a sentence only talks."""
_GLADLY = frozenset({
    "beg", "bound", "choose", "compelled", "continue", "dare", "decide", "delighted", "elect", "forced", "glad",
    "attempt", "freedom", "gladly", "liberty", "privilege", "right", "happy", "hasten", "honored", "honoured", "i",
    "i'm", "im", "obliged", "opt", "pleased", "proceed",
    "proud", "sad", "sorry",
})
"""Words before "to vote" that tell how one votes."""
_LATER = frozenset({"had", "later", "tomorrow", "was", "were", "would", "yesterday"})
"""Words after it that put it into another time."""
_LINKS = frozenset({
    "4", "against", "at", "behind", "belongs", "falls", "firmly", "follows", "for", "fro", "from", "goes", "has",
    "here", "in", "is", "it", "lands", "like", "moves", "must", "now", "of", "on", "onto", "remains", "stands", "stays",
    "still", "the", "to", "today", "toward", "towards", "upon", "with",
})
"""What may follow "my vote"."""
_EVER = re.compile(
    r"\b(?:(?:(?:have|see) )?no (?:other )?(?:choice|alternative|option) but|can only (?=vote)|no doubt"
    r"|without (?:any )?(?:hesitation|doubt|regret|joy|further ado))\b")
"""Words that deny nothing."""
_LIKE = re.compile(r"\bi(?:'d| would) like (?=to vote|my vote to (?:be|go|count))")
_MARKS = '.,;:!?()*_~"=-'
_LONGEST = 40
_LONGEST_TEXT = 300
_BRIEF = 6
_SHORT = 4
_HANDED = re.compile(
    r"\S+(?: \S+)? (?:gets|has|earns|receives|wins|takes) my vote\b(?! (?:if|of|once|only|unless|when)\b)")
_DONE = re.compile(
    r"abstain(?:ing)?(?: today| for now)?|no vote(?: today| for now)?"
    r"|(?:i |i hereby |i'm |i am )abstain(?:ing)? (?:from|on|in) (?:the |this |today's )?"
    r"(?:lynch|vot|hang|ballot)\w*\b.*"
    r"|\S+(?: \S+)? it is|no[ -]?lynch(?: today)?|[^,:]+[,:] you have my vote|[^,]+, i(?:'m| am) voting for you"
    r"|(?!(?:here|this|that|what|it|where|which|such)\b)\S+(?: \S+)? is my (?:vote|pick|choice)"
    r"(?: (?:today|now|for today))?|consider my vote .*"
    r"|(?:please )?(?:count|put|mark) me (?:in |down )?(?:for|on|against) \S+"
    r"|.*\b(?:go|going) ahead and vote for \S+(?: now| then)?|same vote as \S+"
    r"|i (?:second|follow|mirror|echo|match|adopt|share|join|back) \S+ vote\b.*|i (?:cast|give)(?: an?)? endorsement .*"
    r"|not \S+,? but \S+ (?:gets|has|earns|receives) my vote|\S+(?: \S+)? (?:gets|has|receives) (?:a|one|my) vote"
    r" from me(?: today)?"
    r"|i say(?: that)? we lynch \S+|i want \S+(?: to be)? lynched"
    r"|i (?:choose|pick|select|nominate|want) \S+(?: \S+)? for (?:the|today's) lynch(?:ing)?"
    r"|(?:chang|switch|mov)(?:e|ing) (?:my )?vote (?:2|to|for) \S+"
    r"|i (?:guess|suppose) (?:that )?(?:i|i'm|i am) vot(?:e|ing) .*"
    r"|(?!.*\b(?:tomorrow|later|next|eventually|if|unless|when|once|until|after)\b)"
    r"i (?:guess|suppose) (?:that )?(?:i'll|i will) (?:go with|vote) .*|you have my vote,? \S+"
    r"|my vote shall .* \S+'s|\S+ is my proxy.*"
    r"|i (?:(?:hereby|now|do) )?(?:cause|force|compel) (?!my\b|all\b|the\b|every)\S+(?: \S+)? to (?:vote|endorse)\b.*"
    r"|i (?:(?:hereby|now) )?(?:submit|enter|name|declare|register|record|choose|pick) \S+(?: \S+)? as my (?:vote"
    r"|ballot|pick|choice)\b.*|(?:you (?:may|can) |please )?count me among (?:the |those )?(?:vot\w+ |who vote )?"
    r"(?:for )?\S+.*")
"""Whole sentences that could be meant as one's vote."""
_NOBODY = re.compile(r"\b(?:nobody|no ?one|null|no[ -]?lynch|no vote|abstain(?:ing)?)\b", re.IGNORECASE)
_FOLLOWS = re.compile(
    r"(?:if|when|whenever|while|(?:as|so) long as|provided(?: that)?|should) [^?]*\bvot(?:es?|ing)\b[^?]*,? (?:then )?"
    r"(?:so do i|so am i|i do$|i'm in$|count me in$|i do (?:too|likewise|as well|so|the same)|me too)\b"
    r"|(?:if|when|whenever|provided(?: that)?|should) (?!you\b)[^?]*\bvot(?:es?|ing)\b[^?]*,? (?:then )?"
    r"(?:so (?:will|shall) i|i(?: will|'ll| shall)(?: do)?(?: so)? (?:too|likewise|as well|also|the same))\b"
    r"|(?:only|not) (?:if|until|when) [^?]*\bdo i vote\b|(?:if|when) [^?]*\bonly then (?:do|will) i vote\b"
    r"|if [^?]*\bvot(?:es?|ing)\b[^?:]*: \S+(?: \S+)?$"
    r"|i(?:'ll| will)(?: also)? vote (?:for )?\S+(?: \S+)? (?:if|unless|as long as|provided(?: that)?|iff|only if)"
    r" (?!you\b)\S+(?: \S+)? (?:does|do|votes?|is voting|are voting|has (?:at least )?\S+ votes?)\b")
"""A vote that hangs on another's, in words that are no ballot."""


def half_said(text: str, folded: str, names_in: Callable[[str], Sequence[str]]) -> bool:
    """Whether *text*, casefolded and without greetings *folded*, could be meant as one's own vote.

    *names_in* tells who is named in it: asked for last, since it takes the longest.
    """
    if without(text, _WORDS) and not (folded.startswith(_WITHOUT) or folded.endswith(_WITHOUT[1])):
        return False
    bare = " ".join(folded.strip(" .!*_~").split())
    if len(bare) <= _LONGEST_TEXT and (_DONE.fullmatch(bare) or (_FOLLOWS.match(bare) and names_in(text))):
        return True
    return '"' not in bare and _is_ones_own(bare) and bool(names_in(text))


def _is_ones_own(text: str) -> bool:
    """Whether *text* speaks of a vote that is its author's, and goes on to whom it is for."""
    if len(text) <= _LONGEST_TEXT and (handed := _HANDED.match(text)) is not None:
        return not _talks(handed[0].split())
    said = _LIKE.sub("i gladly ", _EVER.sub(" ", text))
    words = [word.strip(_MARKS) or word for word in said.split()[:_LONGEST]]
    at = next((place for place, word in enumerate(words) if word in _VERBS | _NOUNS), 0)
    return at > 0 and _is_own(words[:at]) and _is_for(words[:at], words[at], words[at + 1:])


def says_nobody(text: str) -> bool:
    """Whether *text* names nobody as the one to be lynched: "no lynch", "null"."""
    return _NOBODY.search(text) is not None


def _is_own(before: list[str]) -> bool:
    """Whether the words *before* the vote are those of someone who speaks for emself, and does it now."""
    own = before[0] in _SPEAKER | _BEGINS or _puts(before)
    return own and not _talks(before) and not before[-1].endswith(("'s", "s'"))


def _puts(before: list[str]) -> bool:
    """"Parking my vote on Gus", "swapping my vote to Gus"; but not "explaining my vote on Gus"."""
    return len(before) == len(_PUTTING) and before[0].endswith(_PUTTING[0]) and before[1] == _PUTTING[1] and (
        before[0] not in _TELLING)


def _talks(words: list[str]) -> bool:
    return any(word in TALK or word in _OTHERS or word.endswith("n't") for word in words)


def _is_for(before: list[str], vote: str, after: list[str]) -> bool:
    """Whether the words *after* the vote go on to whom it is for, as far as those *before* it leave that open."""
    if not after or _LATER & set(after) or (vote == "vote" and before == ["please"]):
        return False
    if _puts(before) and before[0] not in _BEGINS:
        return after[0] in _ONTO and len(after) > 1
    if vote == "vote" and before == ["i"]:
        return after[0] == "for" or (after[0] in {"on", "to"} and len(after) < _SHORT)
    if before[-1] == "to":
        return before[-2] in _GLADLY
    if before[0] in {"a", "another", "one"}:
        return len(after) < _BRIEF and "is" not in after
    if before[0] != "my":
        return True
    if _talks(after) or (after[0] in {"for", "on"} and len(after) > len(("for", "gus"))):
        return False
    return after[0] in _LINKS or vote in {"choice", "pick"}
