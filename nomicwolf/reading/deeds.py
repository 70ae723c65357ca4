"""Deeds, people, problems and hints as values.

A literal vote for oneself, the dead, or someone who does not play is refused (NC 3, D-N27).
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Self, TypeAlias

from nomicwolf.village.ballots import Ballot, Copy, Endorse, For, Nobody, ballot_text

ProblemKind: TypeAlias = Literal[
    "unknown player", "ambiguous player", "not a townsperson", "oneself", "ambiguous", "not understood",
    "too long", "quoted only", "not public", "not now",
]
Why: TypeAlias = Literal["quoted", "signature", "footer", "forwarded", "html-only-copy", "attachment", "talk"]


@dataclass(frozen=True, slots=True)
class Deed:
    """One thing that a letter does.

    *line* counts from 1 in the decoded text body; *text* is the author's sentence; *verb* is one of the
    verbs of ``read --json``; *names* are the persons named, canonical, in order; *ballot* is there for
    ``vote``; *words* is free text for verbs that carry some (say, ask, check, alias, address, confirm,
    intend ...); *says* is the canonical form: reading it again gives the same deed.
    """

    line: int
    text: str
    verb: str
    says: str
    names: tuple[str, ...] = ()
    ballot: Ballot | None = None
    words: str = ""


@dataclass(frozen=True, slots=True)
class Problem:
    """A sentence that performs, or seems to, but can't be taken; *hint* says what could be written instead."""

    line: int
    text: str
    problem: ProblemKind
    suggestions: tuple[str, ...] = ()
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Ignored:
    """A line that looks like a deed and does not count."""

    line: int
    text: str
    why: Why


@dataclass(frozen=True, slots=True)
class Reading:
    """The result of reading one letter, in the order of its lines."""

    deeds: tuple[Deed, ...] = ()
    problems: tuple[Problem, ...] = ()
    ignored: tuple[Ignored, ...] = ()


@dataclass(frozen=True, slots=True)
class People:
    """The people who can be meant.

    *living* and *dead* are townspersons' canonical names; *others* are known persons who are neither
    (the contestmaster, parties who are not in this session); *aliases* maps any further spelling to a
    canonical name; *author* is who writes, if known; *prefixes* lets unique prefixes stand for names;
    *own_votes* lets one vote for oneself (D-M18, D-T23); *person* is the game's word for a player;
    *groups* maps each name of those of the session's own who talk apart to the one by which they are addressed.
    """

    living: tuple[str, ...]
    dead: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    aliases: dict[str, str] = field(default_factory=dict)
    author: str | None = None
    prefixes: bool = False
    own_votes: bool = False
    person: str = "townsperson"
    groups: dict[str, str] = field(default_factory=dict)


NOBODY = "nobody"
_WORDED = frozenset({"say", "ask", "check", "alias", "address", "claim", "holiday", "timezone"})
"""Verbs of which all words are somebody's own."""
GROUPS = frozenset({"pack", "masons", "lovers", "spirits", "policemen", "prophets"})
"""Whom a `say` can be for; its words then begin with the group and a colon."""


@dataclass(frozen=True, slots=True)
class Act:
    """The act of one part of a sentence; *words* is free text, or ``nobody`` where nobody was chosen.

    Where *grouped*, they begin with the group whom they are for, and a colon.
    """

    verb: str
    names: tuple[str, ...] = ()
    ballot: Ballot | None = None
    words: str = ""
    grouped: bool = False


def says(act: Act) -> str:
    """Return the canonical form: reading it again gives the same act."""
    verb = act.verb
    if act.ballot is not None:
        return f"vote {ballot_text(act.ballot)}"
    if verb == "act-for":
        return f"act-for {act.names[0]}: {act.words}"
    if len(act.names) == 2:
        return f"{verb} {act.names[0]} and {act.names[1]}"
    if act.names:
        return f"{verb} {act.names[0]}"
    if verb == "confirm" or act.grouped or (verb == "say" and act.words.partition(": ")[0] in GROUPS):
        return f"{verb} {act.words}"
    if act.words == NOBODY and verb not in _WORDED:
        return f"{verb} {NOBODY}"
    return f"{verb}: {act.words}" if act.words else verb


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a sentence (tokens, nesting, conditions) and of a letter (deeds)."""

    tokens: int = 500
    depth: int = 20
    conditions: int = 20
    deeds: int = 40


LIMITS = Limits()


class BallotError(ValueError):
    """Words that can't be taken as a ballot (or as another deed).

    *problem* is one of ``read --json``'s kinds; *at* the column (from 1) of the word where understanding
    stopped; *suggestions* are names or whole forms that could be meant; *hint* says what could be there.
    """

    def __init__(
        self, problem: ProblemKind, message: str, at: int = 1, suggestions: tuple[str, ...] = (), hint: str = "",
    ) -> None:
        super().__init__(message)
        self.problem: ProblemKind = problem
        self.message = message
        self.at = at
        self.suggestions = suggestions
        self.hint = hint

    def as_value(self) -> Self:
        """Return this error without its traceback, so that keeping it keeps no frames alive."""
        self.__context__ = None
        return self.with_traceback(None)


if TYPE_CHECKING:
    from lark import Token

_OFFERS = (
    ("NAME", "a name"), ("NOBODY", "nobody"), ("ENDORSE", "endorse NAME"), ("VOTES", "is voting for NAME"),
    ("ALIVE", "is alive"), ("DEAD", "is dead"), ("IS", "was a werewolf"), ("HAS", "has at least 3 votes"),
    ("AT_LEAST", "at least 3 others are voting for NAME"), ("NUMBER", "a number"), ("_IT_IS", "it is day 2 or later"),
    ("STRING", "“some text” is so (for the contestmaster to publish)"), ("TIME", "a time such as 2026-12-01T12:00Z"),
    ("_IF", "if ..."), ("_OTHERWISE", "otherwise NAME"), ("_AND", "and ..."), ("_OR", "or ..."), ("RPAR", ")"),
    ("_THEN", "then NAME"), ("WEREWOLF", "a werewolf"), ("CROWD", "townspersons, or others"), ("VOTE_NOUN", "votes"),
    ("TEXT", "some text"), ("COLON", "a colon"), ("$END", "the end of the sentence"),
)
_MOST_OFFERS = 7
_FACTS = ("What the language has no words for can be written as “some text” is so (in quotation marks), "
          "and counts from when the contestmaster publishes it")

MISSING = "Something is missing at the end."


def what_could_follow(accepts: Container[str], conditional: bool) -> str:
    """List what can be written for the terminals *accepts*; conditions can also be published as facts."""
    offers = [words for kind, words in _OFFERS if kind in accepts]
    hint = f"possible here: {'; '.join(offers[:_MOST_OFFERS])}" if offers else ""
    return f"{hint}. {_FACTS}".lstrip(". ") if conditional else hint


def doubtful_word(word: str, at: int) -> BallotError | None:
    """Return the question about a *word* that many write in conditions and that is ambiguous; None for others."""
    match word.casefold():
        case "currently" | "presently" | "now":
            return BallotError(
                "ambiguous", f"“{word}” could be now as you write, or whenever the votes are counted.", at,
                hint="leave it out to follow what is so at each moment, or end the condition with “as of now”")
        case "everyone" | "everybody" | "all":
            return BallotError(
                "ambiguous", f"Does “{word}” take in the one who is voted for, who can't vote for emself?", at,
                ("at least 3 others are voting for NAME",), "give a number")
        case "lynched" | "hanged" | "executed":
            return BallotError(
                "not understood", "The language knows who is dead, not how e died.", at, ("NAME is dead",),
                "write “is dead”, or a fact in quotation marks: “NAME was lynched” is so")
    return None


def ambiguous_words(token: Token) -> BallotError:
    """Return the question about *token*, a pronoun or words that name nobody in particular."""
    words = str(token)
    at = token.column or 1
    if token.type == "PRONOUN":
        return BallotError("ambiguous", f"Who is “{words}”?", at, hint="use the name")
    return BallotError("ambiguous", f"“{words}” names nobody in particular.", at, hint="name one person")


def follow_or_copy(token: Token, name: str) -> BallotError:
    """Return the question about *token*, which could follow the vote of *name* or copy it (D-N6)."""
    return BallotError(
        "ambiguous", f"“{token} {name} ...” could be understood in more than one way.", token.column or 1,
        suggestions=(f"endorse {name}", f"copy {name}'s present vote"),
        hint=(f"“endorse {name}” follows that vote whatever it becomes, "
              f"“copy {name}'s present vote” takes it as it is now"),
    )


def refuse_literal(ballot: Ballot, people: People) -> None:
    """Raise BallotError for a vote for oneself or for no townsperson; a conditional is null then instead."""
    if not isinstance(ballot, For | Endorse | Copy):
        return
    whom, word = ballot.whom, people.person
    if whom == people.author and not (people.own_votes and isinstance(ballot, For)):
        raise BallotError("oneself", f"A vote goes to another {word}.", hint=f"name another {word}, or nobody")
    if whom in people.dead and isinstance(ballot, For):
        raise BallotError("not a townsperson", f"{whom} is dead.", hint=f"name a living {word}, or nobody")
    if whom not in people.living and whom not in people.dead:
        raise BallotError("not a townsperson", f"{whom} is no {word} here.", hint=f"name a {word}, or nobody")


def refuse_called_conditional(said: str, ballot: Ballot) -> None:
    """Raise BallotError for a *ballot* without a condition in words that call it conditional."""
    if "onditional" in said and isinstance(ballot, For | Endorse | Nobody) and "nconditional" not in said:
        raise BallotError("ambiguous", "It is called conditional, and no condition was understood.",
                          hint="write “I vote for NAME if ...”, or leave the word out")
