"""What talk does to a deed beside it: three tables, for talk behind it, before it, and in the next sentences.

The first row that fits decides; what no row fits is known to be harmless. A row is a feature of talk, never a sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from nomicwolf.language.parts import Talk
from nomicwolf.language.words import Word

Mood: TypeAlias = Literal["does", "ask", "talk"]
_HARMLESS = frozenset({"discourse", "force", "polite"})
_TRIFLES = _HARMLESS | {"hedge", "elsewhere", "manner"}
_GOING_ON = frozenset({"reason", "concession", "relative", "addition", "contrast"})
_EXPLAINING = frozenset({"reason", "concession", "relative"})
_LINKS = frozenset({"AND", "OR", "NOT", "FOR", "TO"})
_OWN = frozenset({"I", "ACTION", "N_VOTE", "LABEL", "POWER", "FINAL", "VOTE"})
_TITLING = frozenset({"THE", "IN", "FOR", "TO", "OF", "AND"})
_TITLES = frozenset({"day", "night", "today", "action"})
_REASONS = frozenset({
    "reason", "reasons", "record", "purposes", "this", "that", "these", "sake", "he", "she", "e", "they", "i", "is",
    "lack", "want",
})
_REFERRING = frozenset({
    "this", "that", "it", "above", "below", "following", "next", "previous", "vote", "message", "none", "letter",
    "mail", "sentence",
})
_DENYING = frozenset({"no", "not", "nah", "nope"})
_TURNING = _DENYING | {"hmm", "actually", "wait"}
_UNMEANT = frozenset({"want", "mean", "now", "yet", "today", "really"})
_VOID = frozenset({"count", "counts", "real", "serious", "mean", "meant", "valid"})
_CONJUNCTIONS = frozenset({"that", "if", "whether", "how", "why"})
_CONSEQUENCE = frozenset({"so", "therefore", "then", "hence"})
_FRAGMENT, _SHORT, _LONG, _FEW = 7, 10, 15, 4


class Hazard(NamedTuple):
    """What talk beside a deed does to it: the *mood* that is left of the deed, and why."""

    name: str
    mood: Mood
    reason: str


CONDITION = Hazard("condition", "ask", "It hangs on something that can't be evaluated.")
CORRECTION = Hazard("correction", "ask", "It is corrected beside it.")
TAKEN_BACK = Hazard("taken back", "ask", "Beside it stands that it is not meant.")
CHOICE = Hazard("another choice", "ask", "Another choice stands beside it.")
THOUGHT = Hazard("thought", "ask", "It is only thought.")
ANOTHERS = Hazard("another's words", "ask", "It may be said by somebody else.")
SAMPLE = Hazard("sample", "ask", "It may be an example, or made up.")
QUESTION = Hazard("question", "talk", "It is asked.")
TIME = Hazard("another time", "ask", "It names another time, or another game.")
HEDGED = Hazard("hedged", "ask", "It is not said for certain.")
HEADING = Hazard("heading", "ask", "What stands above it leaves it in doubt.")
LEFT_OVER = Hazard("left over", "ask", "Words beside it are not understood.")
BIDDING = Hazard("bidding", "talk", "It asks others to do it.")
TWICE = Hazard("two votes", "ask", "Beside a conditional vote stands another.")
UNREAD = Hazard("unread", "ask", "Part of the sentence is not understood.")


@dataclass(frozen=True, slots=True)
class Beside:
    """What is known of talk beside a deed: its *words*, their *marks* and *texts*, how it is joined and *parted*.

    *named* says that it names somebody, *private* that the letter goes to the contestmaster; *last* is its last word
    but for "that".
    """

    words: Sequence[Word]
    marks: frozenset[str]
    texts: frozenset[str]
    joint: str
    before: str
    parted: str
    attached: bool
    named: bool
    private: bool

    @property
    def first(self) -> Word:
        """Its first word."""
        return self.words[0]

    @property
    def last(self) -> Word:
        """Its last word but for "that"."""
        return next((word for word in reversed(self.words) if word.text != "that"), self.words[-1])

    def only(self, marks: frozenset[str]) -> bool:
        """Whether each word has one of *marks*."""
        return all(word.marks & marks for word in self.words)

    @property
    def corrects(self) -> bool:
        """Whether it begins by correcting something."""
        return any("joint correction" in word.marks for word in self.words[:2])


class Row(NamedTuple):
    """One row: when it fits, and the hazard; None where talk of the kind is harmless, whatever rows below say."""

    fits: Callable[[Beside], bool]
    hazard: Hazard | None


def _embeds(talk: Beside) -> bool:
    """Whether what follows *talk* is what it says, thinks or asks."""
    return not talk.parted and bool(talk.last.marks & {"report", "think", "question"}) and (
        talk.last.text not in _CONSEQUENCE)


ANYWHERE = (
    Row(lambda t: "quoted" in t.marks, None),
    Row(lambda t: all(word.marks & _HARMLESS and not word.senses for word in t.words), None),
    Row(lambda t: "cancel" in t.marks and (
        t.joint not in {"reason", "concession"} or bool(t.before) or t.first.text == "as"), TAKEN_BACK),
)
BEHIND = (
    Row(lambda t: t.corrects, CORRECTION),
    Row(lambda t: t.joint == "condition", CONDITION),
    Row(lambda t: t.joint == "choice" or t.before == "SLASH", CHOICE),
    Row(lambda t: t.named and all(
        word.person is not None or word.terminal in _LINKS or word.marks & _HARMLESS or "joint contrast" in word.marks
        or word.text in {"first", "second"} for word in t.words), CHOICE),
    Row(lambda t: "elsewhere" in t.marks and t.attached and len(t.words) < _FRAGMENT and "i" not in t.texts
        and t.first.terminal in {"FOR", "AS", "IN"}, TIME),
    Row(lambda t: t.joint in _EXPLAINING, None),
    Row(lambda t: "report" in t.marks and t.named and len(t.words) <= _FEW and t.first.terminal != "I", ANOTHERS),
    Row(lambda t: t.joint == "contrast" and "not" in t.texts and bool(t.texts & _UNMEANT), TAKEN_BACK),
    Row(lambda t: t.texts in ({"not"}, {"no"}), TAKEN_BACK),
    Row(lambda t: "elsewhere" in t.marks and "i" not in t.texts and (t.attached or t.only(_TRIFLES)), TIME),
    Row(lambda t: "hedge" in t.marks and t.only(_TRIFLES), HEDGED),
    Row(lambda t: t.texts >= {"not", "sure"}, HEDGED),
    Row(lambda t: "i" in t.texts and "think" in t.marks and len(t.words) < _FEW, HEDGED),
    Row(lambda t: t.attached and t.joint not in _GOING_ON and not t.first.marks & _HARMLESS and (
        not _adds(t)), LEFT_OVER),
)
BEFORE = (
    Row(lambda t: t.corrects, None),
    Row(lambda t: t.joint == "condition", CONDITION),
    Row(lambda t: not t.parted and t.words[-1].text in _CONJUNCTIONS and not t.named and not t.only(_TRIFLES), THOUGHT),
    Row(lambda t: not t.parted and t.words[-1].text in _CONJUNCTIONS and t.named, ANOTHERS),
    Row(lambda t: _embeds(t) and "think" in t.last.marks and not t.named, THOUGHT),
    Row(_embeds, ANOTHERS),
    Row(lambda t: t.parted == "COLON" and not _titles(t), HEADING),
    Row(lambda t: t.parted == "COLON", None),
    Row(lambda t: "report" in t.marks and t.named and t.parted == "COMMA" and len(t.words) < _FEW, ANOTHERS),
    Row(lambda t: "fiction" in t.marks and (not t.parted or len(t.words) <= _FEW) and (
        t.joint not in {"reason", "concession"}), SAMPLE),
    Row(lambda t: "sample" in t.marks and (not t.parted or len(t.words) < _FEW), SAMPLE),
    Row(lambda t: "question" in t.first.marks and t.joint != "relative" and not t.parted, QUESTION),
    Row(lambda t: t.first.text in {"for", "as"} and not t.parted and not t.texts & _REASONS and (
        t.joint == "reason"), LEFT_OVER),
    Row(lambda t: t.joint in {"reason", "concession"}, None),
    Row(lambda t: "elsewhere" in t.marks and t.first.terminal in {"IN", "FOR"} and len(t.words) <= _SHORT, TIME),
    Row(lambda t: "elsewhere" in t.marks and (not t.parted or len(t.words) <= _FEW) and (
        not t.texts & {"i", "my"}), TIME),
    Row(lambda t: "hedge" in t.marks and t.only(_TRIFLES), HEDGED),
    Row(lambda t: "manner" in t.marks and len(t.words) == 1, LEFT_OVER),
    Row(lambda t: not t.parted and not _leads(t), LEFT_OVER),
    Row(lambda t: t.first.terminal == "WITH" and t.named, ANOTHERS),
)
AROUND = (
    Row(lambda t: "quoted" in t.marks, None),
    Row(lambda t: "cancel" in t.marks and "no" in t.texts and len(t.words) <= _FEW, None),
    Row(lambda t: "cancel" in t.marks and (len(t.words) <= _SHORT or bool(t.texts & _REFERRING)), TAKEN_BACK),
    Row(lambda t: bool(t.texts & {"not", "none", "nothing"}) and bool(t.texts & _VOID) and (
        bool(t.texts & _REFERRING) or len(t.words) <= _FEW + 1), TAKEN_BACK),
)
NEXT = (
    Row(lambda t: t.joint == "condition" and not t.parted and len(t.words) <= _LONG, CONDITION),
    Row(lambda t: (t.joint == "choice" or "joint correction" in t.marks) and (
        len(t.words) <= _FRAGMENT), CORRECTION),
    Row(lambda t: t.texts <= _TURNING and bool(t.texts & _DENYING), TAKEN_BACK),
    Row(lambda t: t.joint == "contrast" and "elsewhere" in t.marks and len(t.words) <= _FEW, TIME),
    Row(lambda t: t.first.terminal == "IN" and "game" in t.texts and len(t.words) <= _FRAGMENT, TIME),
)
ABOVE = (
    Row(lambda t: t.parted == "COLON" and (_embeds(t) or not _titles(t)), HEADING),
    Row(lambda t: bool(t.marks & {"fiction", "sample"}) and len(t.words) <= _SHORT and not t.named, SAMPLE),
)


def hazard(talk: Talk, *, before: bool, private: bool) -> Hazard | None:
    """Return what *talk* does to the deed beside it in its sentence, *before* which it stands or not.

    None for what is known to be harmless.
    """
    return _first(_known([talk], talk.parted, private=private), (*ANYWHERE, *(BEFORE if before else BEHIND)))


def beside(talk: list[Talk], text: str, *, before: bool) -> Hazard | None:
    """Return what a whole sentence of *talk* does to a deed in the next one, *before* which it stands, or behind it."""
    if not talk:
        return None
    parted = "COLON" if text.endswith(":") else "COMMA" if len(talk) > 1 else ""
    return _first(_known(talk, parted, private=False), (*AROUND, *(ABOVE if before else NEXT)))


def _first(known: Beside, rows: Sequence[Row]) -> Hazard | None:
    return next((row.hazard for row in rows if row.fits(known)), None)


def _known(talk: list[Talk], parted: str, *, private: bool) -> Beside:
    words = [word for each in talk for word in each.words]
    return Beside(
        words, frozenset(mark for each in talk for mark in each.marks), frozenset(word.text for word in words),
        talk[0].joint, talk[0].before, parted, talk[0].attached, any(word.person for word in words), private)


def _adds(talk: Beside) -> bool:
    """Whether words right behind a deed only add to it: "in the lynching", "of being a wolf", "to end this"."""
    first = talk.first
    if any(word.person is not None for word in talk.words[:3]) or "elsewhere" in talk.marks:
        return False
    if first.terminal == "OF" and len(talk.words) > 1:
        return talk.words[1].text in {"being", "having"}
    if first.terminal == "IN" or first.text in {"who", "under", "at", "with", "out"}:
        return not talk.texts & {"game", "case", "name"}
    purpose = first.terminal == "TO" and len(talk.words) > 1
    return purpose or (talk.private and first.terminal in {"FROM", "AS", "WITH"})


def _titles(talk: Beside) -> bool:
    """Whether a heading says no more than that a deed follows: "Day 2 action:", "After long thought this is it:"."""
    own = any(word.terminal in _OWN for word in talk.words)
    plain = own or len(talk.words) >= _FEW or all(
        word.marks & (_HARMLESS | {"joint reason", "joint contrast", "joint addition"}) or word.terminal in _TITLING
        or word.text.isdigit() or word.text in _TITLES for word in talk.words)
    return plain and not talk.marks & {"sample", "fiction", "report"} and (own or not talk.named)


def _leads(talk: Beside) -> bool:
    """Whether *talk* leads to the clause right behind it without changing it."""
    last = talk.words[-1]
    if last.marks & {"joint addition", "joint contrast", "force", "discourse"} or last.terminal == "AND" or (
            last.text in _CONSEQUENCE) or talk.only(_TRIFLES):
        return True
    adjunct = talk.first.terminal in {"WITH", "IN", "FOR", "OF", "FROM", "AS"} or (
        talk.first.text in {"after", "by", "without", "under"})
    return adjunct and not talk.named and not talk.texts & {
        "no", "not", "time", "day", "universe", "life", "case", "any", "means"}
