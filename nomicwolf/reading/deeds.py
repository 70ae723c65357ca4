"""What a letter says, as values: deeds, problems, and lines that look like deeds and do not count."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from nomicwolf.village.ballots import Ballot

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
    """A sentence that performs, or seems to, but can't be taken; *hint* says what could stand there."""

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
    """Everything that was understood of one letter, in the order of its lines."""

    deeds: tuple[Deed, ...] = ()
    problems: tuple[Problem, ...] = ()
    ignored: tuple[Ignored, ...] = ()


@dataclass(frozen=True, slots=True)
class People:
    """Who can be meant.

    *living* and *dead* are townspersons' canonical names; *others* are known persons who are neither
    (the contestmaster, parties who are not in this session); *aliases* maps any further spelling to a
    canonical name; *author* is who writes, if known; *prefixes* lets unique prefixes stand for names;
    *own_votes* lets one vote for oneself (D-M18, D-T23).
    """

    living: tuple[str, ...]
    dead: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    aliases: dict[str, str] = field(default_factory=dict)
    author: str | None = None
    prefixes: bool = False
    own_votes: bool = False
