"""Sentences about the law around the game: intents, claims of error, acting for others, absences.

Their words are those of `lexicon.toml` (marks that begin with ``law``); what they are about is kept as text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise, takewhile

from nomicwolf.language.words import Word
from nomicwolf.reading.day_spans import is_span
from nomicwolf.reading.deeds import Act, BallotError
from nomicwolf.reading.law_checks import away

_BASIS = re.compile(
    r"[\s,]*[(]?\b(?:(?:with(?:out)?|w/o?) (?:\d+ |two |three |one |any |a |no |the )?(?:member |members' )?"
    r"(?:objections?(?: of any (?:member|party|player))?|support(?:ers)?|"
    r"notice|consent|agoran consent)(?: of (?:the )?(?:\w+ ){0,3}"
    r"(?:members?|players?|parties|others|townspersons))?"
    r"|with \d+ agoran consent)\b(?: from (?:any|a) (?:member|party|player)s?)?"
    r"(?: in the \w+ sense)?[)]?[\s,:]*",
    re.IGNORECASE,
)
_UNOPPOSED = re.compile(
    r"(?:without|w/o) (?:\d+ |two |three |one |any |a |the )?(?:member |members' )?objections?", re.IGNORECASE
)
_OFFICERS = re.compile(r"\b(?:mayor|herald|speaker|assessor|promotor|registrar|scorekeepor|office)\b", re.IGNORECASE)
"""What a nomic has beside the contest."""
_INTENT = re.compile(r"\b(?:intend(?:ing)?|intent(?:ion)?s?)\b", re.IGNORECASE)
_RECALLED = re.compile(r"\b(?:in|by|per|of) (?:the|that|this|my|said) (?:\w+ )?$", re.IGNORECASE)
"""What is before an intent of which another sentence told: "as described in the quoted intent"."""
_ANNOUNCED = re.compile(r"\b(?:announced|published|gave|had|posted|declared)\b", re.IGNORECASE)
"""What is before an intent that was announced earlier."""
_WHEN = re.compile(
    r"\b(?:(?:on )?\d{4}-\d\d?-\d\d?|"
    r"from|until|till|til|through|thru|between|for (?:the next|\w+ (?:days?|weeks?))|\d{1,2}\.? ?-|"
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w* \d|"
    r"this week|next week|all week|back on|back by|"
    r"returning|back|(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b)\b.*",
    re.IGNORECASE | re.DOTALL,
)
_ENDS = re.compile(r"[,;.(]|\b(?:and|but|so|because|as|no|with)\b", re.IGNORECASE)
_UNTIL = re.compile(
    r"(?:,? (?:and|but) |, )?\b(?:til|till|'til|thru|returning(?: on)?|back(?: (?:on|by))?|(?<=and )until)\b(?: on\b)?",
    re.IGNORECASE,
)
_BACK_FROM = frozenset({"holiday", "vacation", "holidays", "trip", "camp", "hold", "absence", "travels"})
_HERE_AGAIN = frozenset({"i am back", "i am back home", "i am home", "i have returned"})
_STEPS = re.compile(
    r"\b(?:(?:no|without|lack of|absence of|any) (?:\w+ )?object(?:ions?|ors?)|"
    r"(?:nobody|no one|none|no (?:party|member|player|one)) (?:has |having )?object\w*|"
    r"objections?[^,;:]* none|without an objection|no (?:party|member|player) objected)\b[^,;:]*[,;:]?",
    re.IGNORECASE,
)
_DO = re.compile(r"\bI +(?:(?:do|hereby|therefore|now|then|shall) +)*(?=\w)", re.IGNORECASE)
_NOT_ACTS = frozenset(
    {
        "vote",
        "object",
        "support",
        "intend",
        "am",
        "have",
        "think",
        "will",
        "resolve",
        "see",
        "was",
        "endorse",
        "would",
        "announce",
        "announced",
        "said",
        "want",
        "can",
        "could",
    }
)
_ACT = re.compile(r",? (?:as (?:intended|announced|i (?:had |have )?announced|planned|i said).*)$", re.IGNORECASE)
NO_DAYS = BallotError("ambiguous", "From when to when are you away?", hint="write “holiday: 2026-12-20 to 2027-01-03”")
_UNSURE = frozenset({"might", "may", "could", "would", "if", "maybe", "perhaps", "unless"})
_OTHERS = frozenset({"he", "she", "e", "they", "you", "we", "it"})
_SHORT, _FEW = 12, 4
_NEAR = 12
"""Characters between an absence and its days, at most."""
_REPORTS = frozenset({"announcement", "count", "tally", "report", "standings", "votecount", "vc", "summary"})
_WRONG = frozenset({"wrong", "incorrect", "mistaken", "inaccurate", "erroneous", "error", "mistake", "omits"})
_MISSHOWS = [
    *([verb, "me"] for verb in ("has", "have", "shows", "lists", "counts", "missed")),
    ["missed", "my"],
    ["counted", "me"],
    ["omitted", "my"],
    ["forgot", "my"],
    ["is", "off"],
]
"""What a report does that shows its reader otherwise than they voted."""
_PARTING = frozenset({"SEMI", "COLON", "DASH"})


def lawful(words: Sequence[Word], text: str, *, asked: bool) -> Act | BallotError | None:
    """Return what a sentence of *words* without any other deed does by the law around the game, or None."""
    texts = {word.text for word in words}
    if asked or not words or "as contestmaster" in text.casefold():
        return None
    marks = {mark for word in words for mark in word.marks}
    told = [mark for word in words for mark in word.marks if mark in {"law proxy", "law intent"}]
    if told[:1] != ["law intent"] and (act := _for_another(words, text, marks)) is not None:
        return act
    intent = next((word for word in words if "law intent" in word.marks), None)
    recalled = intent is not None and _RECALLED.search(text[: intent.start]) is not None
    if (
        intent
        and not recalled
        and "law undoing" not in marks
        and not _owned(words, intent)
        and (found := _intended(text)) is not None
    ):
        return found
    if "law claim" in marks:
        return _claimed(words, text)
    if _finds_wrong(words):
        return Act("claim", words=text.strip(" .!"))
    end = next((number for number, word in enumerate(words) if word.terminal == "SEMI"), len(words))
    unsure = {word.text for word in words[:end]} & _UNSURE - {"may"}
    relative = next((n for n, word in enumerate(words) if n and "joint relative" in word.marks), len(words))
    others = {word.text for word in words[:relative]} & _OTHERS
    if unsure or (others and not texts & {"i", "my"}):
        return None
    if "i" in texts and (step := _step_in(text)) is not None:
        return _resolved(text[step.end() :])
    if (found := _matter(words, text, marks, texts)) is not None:
        return found
    if any(word.person for word in words) and ("i" not in texts or "report" in marks):
        return None
    return Act("holiday", words="over") if _is_back(words, texts) else _absent(words, text)


def _absent(words: Sequence[Word], text: str) -> Act | BallotError | None:
    """The absence that a sentence tells of its author; None where it has none, or denies it."""
    away = next((number for number, word in enumerate(words) if "away" in word.marks), None)
    if away is None or any(word.text in {"not", "no", "never", "had", "was", "were"} for word in words[:away]):
        return None
    if any(word.person is not None for word in words[away + 1 : away + 4]) or (away and words[away - 1].text == "from"):
        return None
    goes = any(one.sense("I") and two.text in {"go", "am"} for one, two in pairwise(words[:away]))
    said = _away(text, words[away].start - words[0].start)
    return said or (NO_DAYS if goes and words[away].text in {"holiday", "vacation"} else None)


def _for_another(words: Sequence[Word], text: str, marks: set[str]) -> Act | BallotError | None:
    """``on behalf of Bex, I vote for Gus``, ``I cause Bex to vote for Gus``."""
    if (
        "law proxy" not in marks
        or _ends_power(words)
        or any("law proxy" in word.marks and "my vote" in word.text for word in words)
    ):
        return None
    if any("law proxy" in word.marks and after.sense("WE") for word, after in pairwise(words)):
        return None
    person = next((word for word in words if word.person is not None), None)
    if person is None or person.person is None or len(person.person.names) != 1:
        return None
    causes = next((number for number, word in enumerate(words) if word.text in {"cause", "causes"}), None)
    if causes is not None and not _causes_another(words, causes):
        return None
    start = next(
        (
            number
            for number in range(causes + 1 if causes is not None else 0, len(words))
            if (
                words[number].text == "to"
                if causes is not None
                else words[number].text in {"i", "to"} and words[number].start > person.start
            )
        ),
        None,
    )
    if start is None or start + 1 >= len(words):
        return None
    said = text[words[start + 1].start :].strip(" .!")
    return Act("act-for", (person.person.name,), words=said)


def _ends_power(words: Sequence[Word]) -> bool:
    """Whether what allows to act for somebody is taken back: "I withdraw my consent to Eve's acting for me"."""
    kinds = [next((m for m in ("law undoing", "law proxy") if m in word.marks), "") for word in words]
    return next((kind for kind in kinds if kind), "") == "law undoing"


def _causes_another(words: Sequence[Word], at: int) -> bool:
    """Whether the author is who causes something, and not that their own vote becomes another."""
    own = next((word for word in reversed(words[:at]) if not word.marks & {"force"}), None)
    said = {part for word in words[:at] for part in word.text.split()}
    mine = "i" in said and own is not None and own.terminal not in {"WOULD", "THEY"}
    return mine and at + 1 < len(words) and words[at + 1].terminal != "MY"


def _intended(text: str) -> Act | None:
    """``I intend, without member objection, to amend the contract``: the action that is intended (NC 1c).

    Another basis, which the contract doesn't have, stands before it: ``with 2 support, to amend the contract``.
    """
    found = _INTENT.search(text)
    if found is None:
        return None
    basis = _BASIS.search(text)
    said = _BASIS.sub(" ", text[found.end() :]).strip(" ,.:;()")
    if not said:
        said = _BASIS.sub(" ", text[found.start() :]).strip(" ,.:;()")
    to = re.search(r"\bto\b", said)
    said = said[to.start() :] if to is not None else f"to {said.removeprefix('that ').strip()}"
    opposed = _UNOPPOSED.search(text) is None
    elsewhere = basis is None or (opposed and ("notice" in basis[0].casefold() or _OFFICERS.search(said) is not None))
    if basis is None or elsewhere or _ANNOUNCED.search(text[: found.start()]):
        return None
    how = f"{basis[0].strip(' ,:;()')}, " if opposed else ""
    return Act("intend", words=how + " ".join(said.split())) if len(said.split()) > 1 else None


def _claimed(words: Sequence[Word], text: str) -> Act | BallotError | None:
    """``CoE: the award to Gus is wrong``: what is wrong with an award (NC 5i)."""
    first = next(word for word in words if "law claim" in word.marks)
    near = words[: words.index(first) + 2]
    if (
        any(word.text in _UNSURE - {"may"} for word in near)
        or any(word.terminal in {"WILL", "NOT"} for word in words[:3])
        or any(word.person is not None or word.terminal == "THEY" for word in words[:1])
    ):
        return None
    if '"' in text[: first.start]:
        return None
    said = text[first.end - len("award") if first.text == "challenge award" else first.end :].strip(" ,.:;!-")
    said = re.sub(r"^with regard to ", "", said, flags=re.IGNORECASE)
    said = re.sub(r"^(?:in|on|about|against|regarding|that|with)\b[:,]? *", "", said, flags=re.IGNORECASE)
    said = said or text[: first.start].rpartition(",")[0].strip()
    if not said:
        return BallotError(
            "ambiguous",
            "What is wrong with which award?",
            hint="write “claim: award 3 of session 1: ” and why it is wrong",
        )
    return Act("claim", words=said)


def _owned(words: Sequence[Word], noun: Word) -> bool:
    """Whether somebody else's is said to be what is before *noun*: "Bex's intent"."""
    return any(
        word.person is not None
        and "official" not in word.marks
        and after.terminal == "POSS"
        and word.start < noun.start
        for word, after in pairwise(words)
    )


def _finds_wrong(words: Sequence[Word]) -> bool:
    """Whether it is said that the contestmaster's count or report is wrong: "your tally has me on Cam"."""
    told = [part for word in words for part in word.text.split()]
    report = next(
        (n for n, part in enumerate(told) if part in _REPORTS or (part == "list" and told[:n][-1:] == ["your"])), None
    )
    said_of_it = takewhile(lambda word: word.terminal != "COLON", words)
    if report is None or any(word.marks & {"hedge", "joint condition"} for word in said_of_it):
        return False
    if not {"who", "what", "how", "why", "which"}.isdisjoint(told[:report]):
        return False
    error = next((n for n, part in enumerate(told) if part in _WRONG or told[n : n + 2] in _MISSHOWS), None)
    if (
        error is None
        or abs(error - report) > _SHORT
        or {"not", "no", "never"} & set(told[min(error, report) : error + 1])
    ):
        return False
    said = next(word for word in words if set(word.text.split()) & {told[report]})
    return not (_owned(words, said) or {"was", "were", "if", "think"} & set(told[: max(error, report)]))


def _matter(words: Sequence[Word], text: str, marks: set[str], texts: set[str]) -> Act | None:
    """Objections and support as nouns: made, or withdrawn."""
    matters = [word for word in words if "law matter" in word.marks]
    noun = next((word for word in matters if not word.text.startswith("inten")), matters[0] if matters else None)
    if noun is None:
        return None
    words = _segment(words, noun)
    undoing = next((number for number, word in enumerate(words) if "law undoing" in word.marks), None)
    if undoing is not None and any(
        not word.sense("MY", "THE", "FROM") and not word.marks & {"adjective", "force"}
        for word in words[undoing + 1 :]
        if word.start < noun.start
    ):
        return None
    if (_owned(words, noun) and not texts & {"intent", "intents", "intention"}) or any(
        word.text == "never" for word in words
    ):
        return None
    if "no" in texts or "not" in texts:
        return None
    rest = text[noun.end :].strip(" ,.:;!()")
    rest = re.sub(r" (?:is|are) (?:hereby )?\w+$", "", rest) if "law undoing" in marks else rest
    about = re.sub(
        r"^(?:(?:to|for|of|against|from)\b )?(?:(?:the |this |that )?(?:above )?intent(?:ion)?\b ?)?",
        "",
        rest,
        flags=re.IGNORECASE,
    )
    if "law undoing" in marks or texts >= {"take", "back"}:
        own = texts & {"i", "my"} or words[0].marks & {"law undoing"} or words[0] is noun
        return Act("withdraw", words=_short(about)) if own else None
    verb = "support" if noun.text.startswith("support") else "object" if noun.text.startswith("object") else ""
    alone = words[0].text in {"objection", "objections"} and (
        len(words) < _FEW or words[1].breaks or words[1].text == "to"
    )
    given = any(
        one.sense("HAVE") and two.terminal == "MY" and three is noun
        for one, two, three in zip(words, words[1:], words[2:], strict=False)
    )
    makes = (
        alone
        or given
        or ("law making" in marks and {part for each in texts for part in each.split()} & {"i", "me", "my", "this"})
    )
    return Act(verb, words=_short(about)) if verb and makes else None


def _segment(words: Sequence[Word], noun: Word) -> Sequence[Word]:
    """The part of *words*, between marks that part clauses, in which *noun* is."""
    at = words.index(noun)
    first = next((n + 1 for n in range(at, -1, -1) if words[n].terminal in _PARTING or _begins_anew(words, n)), 0)
    last = next((n for n in range(at, len(words)) if words[n].terminal == "SEMI"), len(words))
    return words[first:last]


def _begins_anew(words: Sequence[Word], at: int) -> bool:
    """Whether a clause of the author's own begins behind the comma *at*: ", and I"."""
    rest = [word.terminal for word in words[at + 1 : at + 3]]
    return words[at].terminal == "COMMA" and (rest[:1] == ["I"] or rest == ["AND", "I"])


def _short(about: str) -> str:
    """What an intent is described by, where that is no tale."""
    said = re.split(r"[;,(]", about)[0].strip()
    return said if len(said.split()) <= _SHORT and re.search(r"\d|remov|amend|end|intent", said) else ""


def tells_steps(text: str) -> bool:
    """Return whether *text* says what an intent has to have behind it: that nobody objected."""
    return _step_in(text) is not None


def _step_in(text: str) -> re.Match[str] | None:
    """Where *text* says by itself, and not in quotation marks, that nobody objected."""
    found = _STEPS.search(text)
    return found if found is not None and text[: found.start()].count('"') % 2 == 0 else None


def _resolved(rest: str) -> Act | None:
    """The intent of which *rest*, what its author then says, makes a deed."""
    start = _DO.search(rest)
    said = rest[start.end() :].strip(" .!") if start is not None else ""
    if not said or said.split()[0].casefold() in _NOT_ACTS:
        return None
    if said.casefold() in {"so", "it", "that", "do so", "do it", "do that"}:
        return Act("resolve")
    return Act("resolve", words=f"to {_ACT.sub('', said)}")


def _is_back(words: Sequence[Word], texts: set[str]) -> bool:
    """Whether somebody says that they are back from an absence: in a sentence, or in a part of it that says no more."""
    parts: list[list[Word]] = [[]]
    for word in words:
        if word.breaks or word.terminal == "AND":
            parts.append([])
        elif not word.marks & {"discourse", "force"}:
            parts[-1].append(word)
    if any(" ".join(word.text for word in part) in _HERE_AGAIN for part in parts):
        return True
    if "no longer" in texts:
        return bool(texts & (_BACK_FROM | {"away", "absent", "offline", "unavailable"})) and "i" in texts
    if "not" in texts or any("elsewhere" in word.marks for word in words):
        return False
    at = next((number for number, word in enumerate(words) if word.text in {"back", "return"}), len(words))
    if 0 < at < len(words) and words[at - 1].sense("THE", "MY"):
        return False
    if at + 1 < len(words) and (
        words[at + 1].text in {"on", "by", "in", "at", "next", "until", "and", "to", "off", "out", "up", "down"}
        or ("elsewhere" in words[at + 1].marks)
    ):
        return False
    returned = bool(texts & {"back", "returned", "return"}) or any(
        {one.text, two.text} == {"here", "again"} for one, two in pairwise(words)
    )
    if returned and texts & {"i", "from"} and texts & {"am", "have", "from", "return", "returned"}:
        place = words[at + 2] if at + 2 < len(words) and words[at + 1].text == "from" else None
        from_there = place is not None and not (place.text.endswith("ing") or place.person or place.senses)
        return len(words) <= 4 or from_there or bool(texts & _BACK_FROM | texts & {"all", "lads", "everyone", "again"})
    ended = bool(texts & {"over", "end", "ended", "ends", "off", "cancel", "done"})
    return ended and bool(texts & _BACK_FROM) and bool(texts & {"my", "i"})


def _span_in(said: str) -> str:
    """The days that *said* begins with; '' where it begins with none."""
    cut = _ENDS.search(said)
    words = " ".join(said[: cut.start() if cut else len(said)].split())
    while words and not is_span(words) and " " in words:
        words = words.rpartition(" ")[0]
    return words if is_span(words) else ""


def _away(text: str, at: int) -> Act | BallotError | None:
    """The days on which the author is away; the question about them where they can't be read; None without any.

    They are the first in *text*, or else those behind its place *at*, where the absence is named.
    """
    found = _WHEN.search(_UNTIL.sub(" until", text))
    if found is None or found[0].split()[0] == "since":
        return None
    behind = _WHEN.search(_UNTIL.sub(" until", text[at:]))
    near = behind is not None and behind.start() <= _NEAR
    words = _span_in(found[0]) or (_span_in(behind[0]) if behind is not None and near else "")
    if not words:
        return NO_DAYS
    try:
        return Act("holiday", words=away(words))
    except BallotError as error:
        return error.as_value()
