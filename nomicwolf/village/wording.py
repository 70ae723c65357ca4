"""Ballots and conditions in words: the canonical text, which reads back as the same ballot.

Precedence is *not*, *and*, *or*; an ``otherwise`` belongs to the nearest ``if``; parentheses stand where they are
needed, and around ``... are voting alike`` and ``..., not counting my own vote`` inside another condition. No
function here calls itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final, TypeAlias

from nomicwolf.village.ballots import (
    After,
    Alike,
    Alive,
    And,
    AsMany,
    AsOfNow,
    Ballot,
    Before,
    Cast,
    Condition,
    Copy,
    Count,
    Day,
    Dead,
    Endorse,
    Fact,
    FirstOf,
    Fixed,
    For,
    If,
    InPhase,
    IntoDay,
    Leads,
    Majority,
    More,
    Nobody,
    Not,
    Operator,
    Or,
    Votes,
    Was,
)

Piece: TypeAlias = "str | Ballot | Condition"

QUANTITY: Final[dict[Operator, str]] = {
    ">=": "at least", ">": "more than", "<=": "at most", "<": "fewer than", "==": "exactly", "!=": "not exactly",
}
DAY: Final[dict[Operator, str]] = {
    ">=": "it is day {} or later", ">": "it is after day {}", "<=": "it is day {} or earlier",
    "<": "it is before day {}", "==": "it is day {}", "!=": "it is not day {}",
}
NOT_MINE: Final = ", not counting my own vote"


def ballot_text(ballot: Ballot) -> str:
    """*ballot* in its canonical form, as ``read --json`` prints it after ``vote``."""
    return _ballot(ballot) or _spelled(ballot)


def condition_text(condition: Condition) -> str:
    """*condition* in its canonical form."""
    return _spelled(condition)


def instant_text(instant: int) -> str:
    """UTC seconds as ISO 8601, with seconds only where there are some: ``2026-12-01T12:00Z``."""
    moment = datetime.fromtimestamp(instant, UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ" if moment.second else "%Y-%m-%dT%H:%MZ")


def _spelled(piece: Piece) -> str:
    """Spell out pieces from left to right; what is compound is replaced by its parts."""
    todo: list[Piece] = [piece]
    words: list[str] = []
    while todo:
        piece = todo.pop()
        if isinstance(piece, str):
            words.append(piece)
        elif isinstance(piece, (If, FirstOf, And, Or, Not, AsOfNow)):
            todo += reversed(_parts(piece))
        else:
            words.append(_plain(piece))
    return "".join(words)


def _parts(piece: If | FirstOf | And | Or | Not | AsOfNow) -> list[Piece]:
    """The parts of something compound, with the words between them."""
    match piece:
        case If(condition, then, otherwise):
            last = _inside(otherwise, (FirstOf,))
            return [*_inside(then, (If, FirstOf)), " if ", condition, ", otherwise ", *last]
        case FirstOf(options):
            return _joined([_inside(option, (If, FirstOf)) for option in options], " or else ") or ["nobody"]
        case And(parts):
            return _joined([_inside(part, (And, Or)) for part in parts], " and ") or [Fixed(value=True)]
        case Or(parts):
            return _joined([_inside(part, (Or,)) for part in parts], " or ") or [Fixed(value=False)]
        case Not(part):
            return ["not (", part, ")"]
        case AsOfNow(part):
            return [*_inside(part, (And, Or, Not, AsOfNow)), " as of now"]


def _inside(piece: Ballot | Condition, loose: tuple[type, ...]) -> list[Piece]:
    """*piece*, in parentheses if it is one of *loose*, has an *and* of its own, or ends in a clause of its own."""
    if isinstance(piece, (*loose, Alike)) or _plain_ending(piece):
        return ["(", piece, ")"]
    return [piece]


def _plain_ending(piece: Ballot | Condition) -> bool:
    """Whether *piece* ends in ``not counting my own vote``."""
    return isinstance(piece, (More, AsMany, Leads, Majority, Cast)) and piece.others


def _joined(parts: Sequence[list[Piece]], word: str) -> list[Piece]:
    """*parts* with *word* between them."""
    return [piece for number, part in enumerate(parts) for piece in ([word, *part] if number else part)]


def _plain(piece: Piece) -> str:
    """The words of a ballot or condition that has no parts; those that most ballots are made of come first."""
    match piece:
        case For(whom):
            return whom
        case Nobody():
            return "nobody"
        case Votes(who, whom):
            return f"{who} is voting for {whom or 'nobody'}"
    text = _ballot(piece) or _about_votes(piece) or _public(piece)
    return text + NOT_MINE if not isinstance(piece, str) and _plain_ending(piece) else text


def _ballot(piece: Piece) -> str:
    match piece:
        case For(whom):
            return whom
        case Endorse(whom):
            return f"endorse {whom}"
        case Copy(whom):
            return f"copy {whom}"
        case _:
            return ""


def _about_votes(piece: Piece) -> str:
    match piece:
        case Votes(who, whom):
            return f"{who} is voting for {whom or 'nobody'}"
        case Alike(one, other):
            return f"{one} and {other} are voting alike"
        case Count(whom, operator, number, others):
            crowd = "others" if others else "townspersons"
            return f"{QUANTITY[operator]} {number} {crowd} are voting for {whom}"
        case More(one, other):
            return f"{one} has more votes than {other}"
        case AsMany(one, other):
            return f"{one} has at least as many votes as {other}"
        case Leads(whom, tied):
            return f"{whom} is leading or tied for the lead" if tied else f"{whom} is leading"
        case Majority(whom):
            return f"{whom} has a majority"
        case Cast(operator, number):
            return f"{QUANTITY[operator]} {number} votes have been cast"
        case _:
            return ""


def _public(piece: Piece) -> str:
    match piece:
        case Alive(who):
            return f"{who} is alive"
        case Dead(who):
            return f"{who} is dead"
        case Was(who, side):
            return f"{who} was a {side}"
        case Day(operator, number):
            return DAY[operator].format(number)
        case InPhase(phase):
            return f"it is {phase}"
        case After(instant) | Before(instant):
            return f"it is {'after' if isinstance(piece, After) else 'before'} {instant_text(instant)}"
        case IntoDay(hours, reached):
            return f"it is {'after' if reached else 'before'} {hours} hours into the day"
        case Fact(text):
            return f'"{text}" is so'
        case Fixed(value):
            return "it was so when cast" if value else "it was not so when cast"
        case _:
            return "nobody"
