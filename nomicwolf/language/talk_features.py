"""What is known of talk that is beside a deed, and the kinds of hazards that it may be."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from nomicwolf.language.words import Word

Mood: TypeAlias = Literal["does", "ask", "talk"]
HARMLESS = frozenset({"discourse", "force", "polite"})
TRIFLES = HARMLESS | {"hedge", "elsewhere", "manner"}
GOING_ON = frozenset({"reason", "concession", "relative", "addition", "contrast"})
EXPLAINING = frozenset({"reason", "concession", "relative"})
LINKS = frozenset({"AND", "OR", "NOT", "FOR", "TO"})
OWN = frozenset({"I", "MY", "WE", "ACTION", "N_VOTE", "LABEL", "POWER", "FINAL", "VOTE", "MATTER"})
TITLING = frozenset({"THE", "IN", "FOR", "TO", "OF", "AND", "USE", "BOTH", "POWER"})
TITLES = frozenset(
    {
        "day",
        "night",
        "today",
        "action",
        "actions",
        "votes",
        "decision",
        "conclusion",
        "result",
        "answer",
        "summary",
        "update",
        "position",
        "stance",
        "move",
        "orders",
        "verdict",
        "version",
        "workaround",
        "solution",
    }
)
REASONS = frozenset(
    {
        "reason",
        "reasons",
        "record",
        "purposes",
        "this",
        "that",
        "these",
        "sake",
        "he",
        "she",
        "e",
        "they",
        "i",
        "is",
        "lack",
        "want",
    }
)
SAYING = frozenset({"said", "says", "so says", "so said", "signed", "quoth", "posted", "forwarded", "posting"})
FORWARD = frozenset({"following", "below", "follows", "message", "next", "here", "this", "i", "only"})
PERIODS = frozenset({"day", "night", "session", "round", "phase"})
CLOCK = re.compile(r"\d{1,2}(?::\d\d|am|pm)")
POINTING = frozenset({"this", "that", "those", "these", "it", "the"})
DENYING = frozenset({"no", "not", "nah", "nope"})
TURNING = DENYING | {"hmm", "actually", "wait", "do"}
VOID = frozenset(
    {"effect", "count", "counts", "real", "serious", "mean", "meant", "valid", "vote", "votes", "action", "actions"}
)
CONSTRUED = frozenset({"understood", "construed", "taken", "counted", "treated", "interpreted", "recorded"})
SIDES = frozenset(
    {
        "gadianton",
        "robber",
        "one",
        "wolf",
        "werewolf",
        "wolves",
        "werewolves",
        "mafia",
        "mafioso",
        "evil",
        "good",
        "bad",
        "villager",
    }
)
"""What somebody may be, where it is asked what they are."""
VERDICTS = frozenset({"guilty", "innocent"})
PARTY_TERMS = frozenset(
    {"agreeing", "accepting", "consenting", "becoming", "thereby", "bound", "terms", "obligations", "receipt"}
)
"""Words of what a party agrees to."""
MEMBERSHIP = frozenset(
    {"if", "so", "i", "am", "not", "one", "already", "yet", "a", "party", "player", "member", "contestant"}
)
"""Words of a condition that somebody is no party yet, on which joining does not hang."""
DYING = frozenset(
    {
        "if",
        "when",
        "should",
        "once",
        "i",
        "am",
        "be",
        "get",
        "die",
        "dead",
        "killed",
        "lynched",
        "hanged",
        "must",
        "go",
        "tonight",
        "today",
    }
)
"""Words of the condition of one's own death, on which a Hunter's shot always hangs."""
CONDITIONS = frozenset({"condition", "conditions", "proviso", "depending", "contingent"})
OFFICES = frozenset(
    {
        "explain",
        "answer",
        "reveal",
        "talk",
        "claim",
        "survive",
        "go",
        "speak",
        "lead",
        "win",
        "become",
        "stay",
        "live",
        "act",
        "serve",
        "protect",
    }
)
"""What somebody may be voted to do, beside being lynched."""
SUPPOSING = frozenset({"imagine", "suppose", "supposing", "picture", "pretend"})
THEIRS = frozenset({"he", "she", "e", "they", "his", "her", "eir", "their"})
PLANNED = frozenset({"plan", "would", "could", "should"})
UNREAL = frozenset({"author", "report", "sample", "fiction", "question", "cancel", "hedge", "think", "elsewhere"})
"""Marks of talk that may take what it introduces out of here and now, or give it to somebody else."""
CONSEQUENCE = frozenset({"so", "therefore", "then", "hence"})
PARTICIPLES = frozenset(
    {
        "called",
        "known",
        "commonly",
        "being",
        "outstanding",
        "pending",
        "made",
        "cast",
        "brought",
        "posted",
        "published",
    }
)
FRAGMENT, SHORT, LONG, FEW = 7, 10, 15, 4


_LATER = frozenset({"before", "until", "now", "really", "tonight", "today"})
_AUXILIARY = ("WILL", "WOULD", "CAN", "BE", "HAVE", "DO")


class Deed(NamedTuple):
    """What is known of the deed that talk is beside: its *frame*, whether it has its object, whom it *names*.

    *mine* says that its subject is "I", *own* that it is "I" or "my vote", *wished* that it is what they would like.
    """

    frame: str = ""
    filled: bool = True
    names: frozenset[str] = frozenset()
    mine: bool = False
    own: bool = False
    wished: bool = False


class Hazard(NamedTuple):
    """What talk beside a deed does to it: the *mood* that is left of the deed, and why."""

    name: str
    mood: Mood
    reason: str


CONDITION = Hazard("condition", "ask", "It depends on a condition that can't be checked.")
CORRECTION = Hazard("correction", "ask", "You seem to correct it in the same breath.")
TAKEN_BACK = Hazard("taken back", "ask", "Words beside it suggest that you don't mean it.")
CHOICE = Hazard("another choice", "ask", "Another choice stands beside it, and it is not clear which you mean.")
THOUGHT = Hazard("thought", "ask", "It reads like a thought, not like an action.")
ANOTHERS = Hazard("another's words", "ask", "It could be somebody else's words.")
SAMPLE = Hazard("sample", "ask", "It could be an example, or made up.")
QUESTION = Hazard("question", "talk", "It is asked.")
TIME = Hazard("another time", "ask", "It seems to be about another time, or another game.")
HEDGED = Hazard("hedged", "ask", "You don't say it for certain.")
HEADING = Hazard("heading", "ask", "The line above it leaves it unclear whether you mean it.")
LEFT_OVER = Hazard("left over", "ask", "Some words beside it were not understood.")
BIDDING = Hazard("bidding", "talk", "It asks others to do it.")
NOT_WHOLE = Hazard("not whole", "ask", "Some words that may belong to it were not understood.")
TWICE = Hazard("two votes", "ask", "It has two votes, and only one can count.")
UNREAD = Hazard("unread", "ask", "Part of the sentence was not understood.")


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
    frame: str = ""
    filled: bool = True
    others: frozenset[str] = frozenset()
    asked: bool = False
    ended: bool = True
    above: bool = False
    mine: bool = False
    own: bool = False
    wished: bool = False
    near: bool = True

    @property
    def dated(self) -> bool:
        """Whether it names a day, night, session or round by its number, or a time of day."""
        return any(
            word.text in PERIODS and after.text.isdigit()
            for word, after in zip(self.words, self.words[1:], strict=False)
        ) or any(CLOCK.fullmatch(word.text) for word in self.words)

    @property
    def first(self) -> Word:
        """Its first word."""
        return self.words[0]

    @property
    def start(self) -> Word:
        """Its first word but for exclamations and the like."""
        return next((word for word in self.words if not word.marks & {"discourse"}), self.first)

    @property
    def last(self) -> Word:
        """Its last word but for "that"."""
        return next((word for word in reversed(self.words) if word.text != "that"), self.words[-1])

    @property
    def has_consequence(self) -> bool:
        """Whether it is a condition with what follows from it: "if he flips town y'all owe me a beer"."""
        start = next((n for n, word in enumerate(self.words[:2]) if "joint condition" in word.marks), None)
        if start is None:
            return False
        if self.last.text == "so be it":
            return True
        starts = self.words[start + 1 : start + 2]
        subjects = [word for word in starts if word.terminal == "MY" or word.text == "the"] + [
            after
            for before, word, after in zip(
                self.words[start:], self.words[start + 1 :], self.words[start + 2 :], strict=False
            )
            if (word.terminal in {"I", "WE", "THEY", "YOU"} or word.person is not None)
            and not (
                after.breaks
                or "joint relative" in word.marks
                or before.text in {"the", "than", "as", "all", "at", "least", "you", "there"}
                or before.terminal == "THEY"
                or (before.text == "of" and starts[0].terminal == "YOU")
                or word.text in {"others", "those", "these", "nobody else"}
                or (before.breaks and word.person is not None)
                or before.person is not None
                or before.sense("FOR", "TO", "AND", "OR", "BE")
                or (word.person is not None and not (after.sense(*_AUXILIARY) or after.text.endswith("s")))
            )
        ]
        embedded = self.texts & {"that", "this"} or self.marks & {"think", "report", "author"}
        return (len(subjects) > 1 and not embedded) or any(word.terminal in {"WILL", "CAN"} for word in subjects[1:])

    @property
    def conditional(self) -> bool:
        """Whether a condition begins it."""
        return any(
            "joint condition" in word.marks
            and (word.text != "should" or not place or self.words[place - 1].breaks or (self.words[0].text in POINTING))
            for place, word in enumerate(self.words[:3])
        )

    @property
    def reports_nothing(self) -> bool:
        """Whether what it says that somebody said is elsewhere: "Bex wrote this", not "Bex says he is shocked"."""
        at = max((n for n, word in enumerate(self.words) if word.marks & {"report", "author", "sample"}), default=0)
        told = [word for word in self.words[at + 1 :] if not (word.breaks or word.marks & (HARMLESS | {"refer"}))]
        return len(told) <= 1

    @property
    def ignores(self) -> bool:
        """Whether it tells its readers to ignore something: "so please ignore my list"."""
        start = next((word for word in self.words if not word.marks & HARMLESS), self.first)
        return start.text in {"forget", "ignore", "disregard", "scrap"}

    def denies(self, of: frozenset[str]) -> bool:
        """Whether "not" is close before one *of* these words, or "none" or "nothing" anywhere: not "mean to"."""
        if self.texts & {"none", "nothing"}:
            return True
        texts = [part for word in self.words for part in word.text.split()]
        denied = [place for place, text in enumerate(texts) if text == "not"]
        return any(
            (texts[place] in of and texts[place : place + 2] != ["mean", "to"])
            or (texts[place] in CONSTRUED and texts[place - 1] == "be")
            for at in denied
            for place in range(at + 1, min(at + 4, len(texts)))
        )

    @property
    def takes_back(self) -> bool:
        """Whether "but" begins it and it denies the deed before it, or its effect: "but not yet"."""
        after = [word for word in self.words if not word.marks & HARMLESS][1:]
        if self.joint != "contrast" or not after:
            return False
        if after[0].text == "not":
            return not after[1:] or bool(after[1].marks & {"elsewhere", "joint condition"}) or after[1].text in _LATER
        void = bool(self.texts & VOID) and bool(self.texts & {"it", "this", "that"})
        return void and (self.denies(VOID) or "elsewhere" in self.marks)

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


def embeds(talk: Beside) -> bool:
    """Whether what follows *talk* is what it says, thinks or asks."""
    return (
        not talk.parted
        and bool(talk.last.marks & {"report", "think", "question"})
        and (talk.last.text not in CONSEQUENCE)
    )


def says_whose(talk: Beside) -> bool:
    """Whether *talk* says whose words those beside it are: "that is what Bex wrote", "my sister sent that"."""
    others = bool(talk.others) or "kin" in talk.marks
    source = others or bool(talk.texts & {"nobody", "he", "she", "they", "someone", "everybody", "everyone", "you"})
    written = bool(talk.marks & {"author", "report"})
    owned = (
        others
        and any(word.terminal == "POSS" for word in talk.words)
        and bool(
            talk.texts
            & {"words", "line", "lines", "script", "vote", "voice", "shoes", "name", "style", "behalf", "notes"}
        )
    )
    told = written and (
        (talk.first.text.split(" ")[0] in POINTING and source)
        or ("kin" in talk.marks and "refer" in talk.marks)
        or (talk.texts >= {"never", "i"} and any(word.text in POINTING for word in talk.words))
        or (talk.first.text in SAYING and source)
        or (talk.asked and "refer" in talk.marks)
        or (
            source
            and not talk.above
            and "what" in talk.texts
            and not talk.texts.isdisjoint({"that", "this", "saying", "repeating"})
        )
        or (talk.texts >= {"made", "me"} and source)
        or (bool(talk.first.marks & {"author"}) and "kin" in talk.marks and "from" not in talk.texts)
    )
    quoted = "quote" in talk.texts and len(talk.words) <= FEW
    told = (
        told
        or quoted
        or (
            bool(written or talk.texts & {"took", "grabbed", "stole", "had", "got"})
            and sum("kin" in word.marks for word in talk.words) > 1
        )
    )
    not_mine = talk.texts >= {"not", "words"} or "was not me" in " ".join(word.text for word in talk.words)
    return len(talk.words) <= SHORT + 2 and (owned or told or not_mine)


def is_other_names(talk: Beside) -> bool:
    """Whether *talk* is no more than other names: "EDIT: Cam", "in the event of a tie, Hal"."""
    return (
        bool(talk.others)
        and not talk.texts
        & {"sorry", "poor", "thanks", "rip", "bye", "hello", "hi", "hey", "hiya", "dear", "greetings"}
        and all(
            word.person is not None
            or word.breaks
            or word.terminal in LINKS
            or word.marks & HARMLESS
            or any(mark.startswith("joint ") for mark in word.marks)
            for word in talk.words
        )
    )


def lacks_ground(talk: Beside) -> bool:
    """Whether *talk* begins with a place or case that is not known to be harmless: "in some timeline", "for a tie"."""
    placed = talk.first.terminal == "IN" or talk.first.text in {
        "at",
        "for",
        "absent",
        "without",
        "on",
        "during",
        "short",
    }
    return (
        placed
        and "ground" not in talk.marks
        and not talk.texts & REASONS
        and not any(word.terminal in {"I", "THIS"} or word.person is not None for word in talk.words)
    )


def is_comment(talk: Beside) -> bool:
    """Whether words right behind a deed are a clause about somebody, or call em names: "e is a wolf", "you fools"."""
    first = talk.first
    return (
        len(talk.words) > 1
        and (first.terminal in {"THEY", "YOU", "I", "LETS"} or first.text in {"it", "its"})
        and ("hedge" not in talk.marks)
    )


def runs_on(talk: Beside) -> bool:
    """Whether the next thing that somebody says follows a vote without a mark: "vote gus feeding the baby"."""
    word = talk.first
    unknown = not (word.senses or word.marks or word.person) and word.text.isalpha() and len(word.text) > 2
    unknown = unknown and not word.text.endswith("s")
    return unknown and talk.frame in {"vote", "unvote", "endorse"} and len(talk.words) > 1


def only_adds(talk: Beside) -> bool:
    """Whether words right behind a deed only add to it: "in the lynching", "of being a wolf", "to end this"."""
    first = talk.first
    if any(word.person is not None for word in talk.words[:3]) or "elsewhere" in talk.marks:
        return False
    if first.terminal == "OF":
        return any(
            word.text in {"being", "having"} or "ground" in word.marks or word.sense("COMMUNITY", "WE", "MY")
            for word in talk.words[1:3]
        )
    if first.text in PARTICIPLES:
        return True
    if first.terminal == "IN" or first.text == "on":
        return "ground" in talk.marks or (talk.private and first.text == "on")
    if first.text == "like" and len(talk.words) <= FEW:
        return True
    if first.text in {"who", "under", "at", "with", "out"}:
        return not talk.texts & {"game", "case", "name", "no"}
    purpose = first.terminal == "TO" and len(talk.words) > 1
    return purpose or (talk.private and (first.terminal in {"FROM", "AS", "WITH", "IN"} or first.text == "on"))


def is_title(talk: Beside) -> bool:
    """Whether a heading says no more than that a deed follows: "Day 2 action:", "After long thought this is it:"."""
    theirs = talk.named and bool(talk.texts & {"his", "her", "eir", "their"})
    own = any(word.terminal in OWN for word in talk.words) and not theirs
    plain = (
        own
        or talk.mine
        or len(talk.words) >= FEW
        or all(
            word.marks & (HARMLESS | {"joint reason", "joint contrast", "joint addition"})
            or word.terminal in TITLING
            or word.text.isdigit()
            or word.text in TITLES
            for word in talk.words
        )
    )
    start = next((word for word in talk.words if not word.marks & {"discourse", "joint addition"}), talk.first)
    if talk.mine and all(word.person or word.breaks or word.marks & HARMLESS for word in talk.words):
        return True
    if talk.parted == "COLON" and any("joint contrast" in word.marks for word in talk.words[-2:]):
        return True
    says = start.terminal == "I" and talk.texts & {"say", "announce", "declare", "state"} != set()
    adjunct = start.terminal in {"WITH", "FOR", "IN"} and not talk.named
    plan = (bool(talk.texts & PLANNED) and "new" not in talk.texts) or "none" in talk.texts
    return (
        (plain or adjunct)
        and not plan
        and not talk.marks
        & ({"sample", "fiction", "elsewhere"} if says else {"sample", "fiction", "report", "elsewhere"})
        and (own or not talk.named or (talk.mine and start.person is None and talk.frame in {"object", "support"}))
    )


def is_unknown_title(talk: Beside) -> bool:
    """Whether a short heading has a word that is not known to announce a deed: "Slogan:", "Sign on the door:"."""
    return (
        talk.parted == "COLON"
        and len(talk.words) <= FEW
        and not (is_title(talk) or talk.named or talk.own)
        and not any(word.sense("I", "MY", "VOTE", "N_VOTE") for word in talk.words)
        and not (talk.texts & TITLES or any(word.text.isdigit() for word in talk.words))
        and any(not (word.senses or word.marks or word.person) and len(word.text) > 1 for word in talk.words)
    )


def is_plain(talk: Beside) -> bool:
    """Whether *talk* has nothing that is known to change a deed beside it."""
    return not (
        talk.others
        or talk.texts & {"before", "time", "though", "forbid", "day", "night", "over", "once"}
        or talk.marks & ((UNREAL - {"author"}) | {"bygone"})
        or any(mark in talk.marks for mark in ("joint condition", "joint choice", "joint correction"))
        or any(word.sense("NOT", "NO", "WILL", "WOULD", "CAN", "PLAN", "YOU", "THEY", "WE") for word in talk.words)
    )


def only_leads(talk: Beside) -> bool:
    """Whether *talk* leads to the clause right behind it without changing it."""
    last = talk.words[-1]
    if talk.marks & {"report", "think"} and last.terminal == "AND":
        return False
    if last.text == "why" and talk.texts & {"that", "this", "which"} and len(talk.words) <= FEW:
        return True
    if (
        last.marks & {"joint addition", "joint contrast", "force", "discourse"}
        or last.terminal == "AND"
        or (last.text in CONSEQUENCE)
        or talk.only(TRIFLES)
    ):
        return True
    start = next((word for word in talk.words if not word.marks & {"joint contrast", "discourse", "force"}), talk.first)
    adjunct = start.terminal in {"WITH", "IN", "FOR", "OF", "FROM", "AS", "PURSUANT", "TO"} or (
        start.text in {"after", "by", "without", "under", "per"}
    )
    return (
        adjunct
        and not talk.named
        and not talk.texts & {"no", "not", "time", "day", "universe", "life", "case", "any", "means"}
    )
