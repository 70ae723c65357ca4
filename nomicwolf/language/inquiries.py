"""Questions to the contest in players' own words: the count, who lives, what was sent before."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from nomicwolf.language.words import Word
from nomicwolf.reading.deeds import Act

_LONGEST = 24
"""Words of the longest sentence that is nothing but a question."""
_ASKING = frozenset(
    {
        "send",
        "resend",
        "forward",
        "tell",
        "post",
        "publish",
        "show",
        "have",
        "get",
        "see",
        "know",
        "give",
        "list",
        "keeping",
    }
)
_COUNT = frozenset({"count", "counts", "tally", "tallies", "votecount", "vc"})
_WHO_VOTED = frozenset({"voted", "voting", "votes"})
_STANDING = frozenset({"stand", "stands", "standing", "standings", "state", "score"})
_ALIVE = frozenset({"alive", "left", "living", "remaining", "survivors", "townspersons"})
_SENDING = frozenset({"send", "resend", "forward"})
_LETTER = frozenset(
    {"role", "letter", "letters", "mail", "email", "message", "pm", "it", "report", "note", "one", "last"}
)
_OWN = frozenset({"me", "my", "it"})
_TERM = frozenset(
    {"day", "night", "phase", "deadline", "session", "round", "game", "lynch", "voting", "today", "tonight"}
)
_ENDING = frozenset({"end", "ends", "ending", "close", "closes", "over", "due", "deadline", "left", "finish", "stop"})
_CALL = 6
"""Words of the longest call that is a question without its mark: "wait who is even alive still"."""


def inquiry(words: Sequence[Word], *, asked: bool) -> Act | None:
    """Return the question to the contest that a sentence of *words* is, such as ``votes``; or None.

    A sentence that names a player asks about them, and not the contest.
    """
    texts = {part for word in words for part in word.text.split()}
    told = [word for word in words if not (word.breaks or word.marks & {"discourse", "force", "polite", "official"})]
    named = any(word.person is not None and "official" not in word.marks for word in words)
    if (
        not told
        or words[-1].terminal == "COLON"
        or (named and not texts >= {"how", "many"})
        or len(words) > _LONGEST
        or _forbids(words)
    ):
        return None
    courteous = any("polite" in word.marks or word.sense("CAN", "REQUEST") for word in words)
    courteous = courteous or "requested" in texts
    wanted = texts & _ASKING or texts & {"request", "ask"} or "votecount" in texts
    called = _called(told)
    nouns = [word for word in told if not (word.text == "the" or "adjective" in word.marks)]
    counted = courteous and len(nouns) == 1 and not _COUNT.isdisjoint(nouns[0].text.split())
    if not (asked or (courteous and wanted) or counted or called or told[0].text.startswith("request")):
        return None
    if asked and "resend" in texts and len(told) <= _CALL:
        return Act("resend")
    again = texts & {"again", "resend"} or texts >= {"once", "more"}
    sends = texts & _SENDING and texts & {*_OWN, "you"}
    if again and texts & _LETTER and (sends or ("i" in texts and texts & {"get", "have"})):
        return Act("resend")
    count = _asks_count(words, texts, asked=asked, wanted=bool(wanted), counted=counted)
    who_voted = "who" in texts and texts & _WHO_VOTED and not texts >= {"for", "me"}
    if count or who_voted or texts >= {"what", "the", "count"}:
        return Act("votes")
    if asked and told[0].text == "who" and [word.text for word in told[-2:]] == ["still", "in"]:
        return Act("who")
    if _asks_when(told, texts):
        return Act("status")
    if texts & _ALIVE and ("list" in texts or ("who" in texts and any(word.sense("BE") for word in words))):
        return Act("who")
    rules = texts & {"rules", "instructions"} and texts & {
        "where",
        "find",
        "link",
        "send",
        *(("see", "read") if asked else ()),
    }
    return Act("help") if rules or _how(told) else None


def _how(told: Sequence[Word]) -> bool:
    """Return whether one asks how something is done here: "how do I vote", "how does this work"."""
    if any(word.text == "commands" for word in told) and {"what", "which", "list"} & {
        part for word in told for part in word.text.split()
    }:
        return True
    first, second, third = [word.text for word in told[:3]] if len(told) > 2 else ("", "", "")
    works = third in {"it", "this", "any"} and any(word.text in {"work", "works"} for word in told)
    return first == "how" and second in {"do", "does", "can"} and (third in {"i", "one", "you", "we"} or works)


def _asks_count(words: Sequence[Word], texts: set[str], *, asked: bool, wanted: bool, counted: bool) -> bool:
    """Return whether one asks for the count, and doesn't say what counts."""
    does = any(one.sense("NOT", "DO", "TO", "I") and two.text in _COUNT for one, two in pairwise(words))
    return not does and bool(
        (texts & _COUNT and (wanted or counted or texts & {"where", "wheres"}))
        or (asked and texts >= {"how", "many"} and (texts & {"on"} or texts >= {"votes", "has"}))
        or ("votes" in texts and texts & {"publish", "post", "request"})
        or (texts & {"count", "votes", "vote", "voting"} and texts & _STANDING and not texts & {"i", "my", "we"})
    )


def _called(told: Sequence[Word]) -> bool:
    """Return whether one asks without a mark: "who is even alive", "whens the deadline", "how do I vote"."""
    first = told[0].text
    who = any(word.text.split()[0] == "who" for word in told[:2]) and len(told) <= _CALL
    inverted = first in {"when", "wen"} and any(word.sense("DO", "BE") for word in told[1:2])
    return who or inverted or first in {"whens", "wheres"} or _how(told)


def _asks_when(told: Sequence[Word], texts: set[str]) -> bool:
    """Return whether one asks when something ends: "when does the day end", "how long is left"."""
    when = {"when", "whens", "wen"} & texts or texts >= {"what", "time"} or texts >= {"how", "long"}
    begins = any(word.text.split()[0] in {"when", "whens", "wen", "what", "how", "is", "till"} for word in told[:2])
    return bool(when and (begins or texts & {"tell", "know"}) and texts & _TERM and texts & _ENDING)


def _forbids(words: Sequence[Word]) -> bool:
    """Return whether *words* ask that something not be sent or posted."""
    return any(
        word.sense("NOT") and after.text.split()[0] in _SENDING | {"post", "publish", "tell"}
        for word, after in pairwise(words)
    )
