"""A sentence taken apart: clauses that may do something, and the talk before, between and behind them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TypeAlias

from nomicwolf.language.clauses import SKIPPED, Clause, Clauses
from nomicwolf.language.words import Word

_SUBJECTS = frozenset({"I", "WE", "MY", "LET"})
_STARTING = frozenset(
    {
        "VOTE",
        "LABEL",
        "ENDORSE",
        "CAST",
        "UNDO",
        "STRIKE",
        "ALONE",
        "MATCH",
        "TELL",
        "PARTY",
        "SECOND",
        "TAKE",
        "USE",
        "GIVE",
        "FIND",
        "REQUEST",
        "ASKED",
        "IT_IS",
        "NOLYNCH",
    }
)
_LEADING = frozenset({"discourse", "joint addition", "joint contrast"})
_SO = frozenset({"so", "therefore", "hence", "thus"})
_APART = frozenset({"SEMI", "DASH", "DOTS", "OPEN", "CLOSE", "COLON", "QUOTE", "ARROW"})


@dataclass(slots=True)
class Talk:
    """Words that do nothing by themselves; *before* is the mark in front of them, *joint* how they are joined.

    *behind* says that a deed is before them in the sentence; *attached* that nothing parts them from it; *parted*
    is the mark that follows them.
    """

    words: list[Word]
    before: str = ""
    joint: str = ""
    behind: bool = False
    attached: bool = False
    marks: set[str] = field(default_factory=set)
    parted: str = ""
    last: int = 0


Part: TypeAlias = Clause | Talk


def parts_of(clauses: Clauses) -> list[Part]:
    """Return the parts of a sentence, in order."""
    words, found, at = clauses.words, list[Part](), 0
    mark, quoted = "", False
    while at < len(words):
        word = words[at]
        if word.breaks or word.terminal == "SLASH":
            quoted ^= word.terminal == "QUOTE"
            mark, at = word.terminal, at + 1
            continue
        clause = clauses.at(at) if not quoted else None
        if clause is not None and (clause.skeleton is not None or clause.error is not None):
            found.append(clause)
            at, mark = max(clause.last, at + 1), ""
            continue
        talk = _talk(clauses, at, mark, found, quoted=quoted)
        found.append(talk)
        at, mark = talk.last, ""
    return found


def _talk(clauses: Clauses, first: int, mark: str, before: list[Part], *, quoted: bool) -> Talk:
    """The talk that begins at the word *first*: up to a mark, or to a clause that its author may do something by."""
    words, at = clauses.words, first
    leading = True
    attached = not mark and bool(before) and isinstance(before[-1], Clause)
    continued = attached and _is_mine(before[-1])
    while at < len(words):
        word = words[at]
        if at > first:
            if word.breaks:
                break
            going_on = (
                (words[first].sense("I") or continued)
                and words[at - 1].sense("AND")
                and not any(
                    each.person is not None
                    or each.sense("YOU", "THEY", "WILL", "WOULD", "CAN", "NOT")
                    or (each.marks & {"think", "report", "hedge"})
                    for each in words[first:at]
                )
            )
            if not quoted and (
                word.terminal in _SUBJECTS
                or ((leading or going_on or words[at - 1].text in _SO) and _starts(words, at))
            ):
                clause = clauses.at(at)
                if clause is not None and (clause.skeleton is not None or clause.error is not None):
                    break
        leading = leading and bool(word.marks & (_LEADING | SKIPPED) or word.person is not None)
        at += 1
    taken = words[first:at]
    while (
        len(taken) > 1
        and taken[0].marks & {"discourse", "force"}
        and not taken[0].senses
        and any(mark.startswith("joint ") for mark in taken[1].marks)
    ):
        taken = taken[1:]
        first += 1
    marks = {mark for each in taken for mark in each.marks} | ({"quoted"} if quoted else set())
    joint = next((m.removeprefix("joint ") for m in sorted(taken[0].marks) if m.startswith("joint ")), "")
    behind = any(isinstance(each, Clause) for each in before)
    parted = words[at].terminal if at < len(words) and words[at].breaks else ""
    return Talk(taken, mark, joint, behind, attached, marks, parted, at)


def _is_mine(part: Part) -> bool:
    """Whether *part* is a clause whose subject is "I"."""
    skeleton = part.skeleton if isinstance(part, Clause) else None
    return skeleton is not None and skeleton.subject is not None and skeleton.subject.sense("I") is not None


def _starts(words: list[Word], at: int) -> bool:
    """Whether a clause without a subject may begin at the word *at*: with its verb, or with what is used."""
    after = words[at + 1] if at + 1 < len(words) else None
    used = words[at].sense("THE") and after is not None and after.sense("POWER")
    before = words[at - 1]
    gets = "joint contrast" in before.marks and after is not None and after.sense("GO")
    joined = words[at].person is not None and (
        before.sense("AND", "COMMA") is not None or "discourse" in before.marks or gets
    )
    none = words[at].sense("NO") and after is not None and after.sense("POWER")
    kept = words[at].sense("KEEP") and any(word.sense("POWER", "BOTH") for word in words[at + 1 : at + 3])
    stressed = words[at].sense("DO") and after is not None and after.sense("STRIKE")
    return bool(used or none or kept or stressed or joined or words[at].sense(*_STARTING))


def as_talk(clause: Clause, number: int, parts: list[Part], words: list[Word]) -> Talk:
    """Return *clause*, the part *number* of *parts* that turned out to do nothing, as talk."""
    taken = [word for word in words[clause.first : max(clause.last, clause.first + 1)] if not word.breaks] or (
        words[clause.first : clause.first + 1]
    )
    before = words[clause.first - 1] if clause.first else None
    mark = before.terminal if before is not None and before.breaks else ""
    after = words[clause.last] if clause.last < len(words) else None
    joint = next((m.removeprefix("joint ") for m in sorted(taken[0].marks) if m.startswith("joint ")), "")
    behind = any(isinstance(each, Clause) for each in parts[:number])
    return Talk(
        taken,
        mark,
        joint,
        behind,
        not mark and behind,
        {mark for each in taken for mark in each.marks},
        after.terminal if after is not None and after.breaks else "",
        clause.last,
    )


def merged(parts: list[Part]) -> list[Part]:
    """Return *parts* with talk that nothing parts made one."""
    found: list[Part] = []
    for part in parts:
        last = found[-1] if found else None
        if isinstance(part, Talk) and isinstance(last, Talk) and not part.before and not last.parted:
            last.words = last.words + part.words
            last.marks = last.marks | part.marks
            last.parted, last.last = part.parted, part.last
        else:
            found.append(part)
    return found


def heading(parts: list[Part]) -> Talk:
    """Return all talk at the end of *parts*, as one heading."""
    first = len(parts) - 1
    while first and isinstance(parts[first - 1], Talk):
        first -= 1
    talk = [part for part in parts[first:] if isinstance(part, Talk)]
    return replace(
        talk[-1],
        words=[word for each in talk for word in each.words],
        joint=talk[0].joint,
        marks={mark for each in talk for mark in each.marks},
    )
