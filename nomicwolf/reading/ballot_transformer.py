"""Parsed rules to ballots (NC 3).

Each rule of `grammar/ballots.lark` has its attribute here.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from lark import Token, Transformer, v_args

from nomicwolf.reading.condition_transformer import Group, always, lasting, name_of, of_parts, passed, same_as
from nomicwolf.reading.deeds import Act, BallotError, ambiguous_words, follow_or_copy
from nomicwolf.village.ballots import (
    And,
    Ballot,
    Condition,
    Copy,
    Count,
    Endorse,
    FirstOf,
    For,
    If,
    More,
    Nobody,
    Not,
    Votes,
)


def _when(condition: Condition, then: Ballot, otherwise: Ballot) -> Ballot:
    """`If`, with "does" filled in from the name that *then* puts forward."""
    return If(same_as(condition, then.whom if isinstance(then, For) else None), then, otherwise)


@v_args(inline=True)
class BallotRules(Transformer[Token, Any]):
    """Values, fall-backs and conditionals."""

    first_of = of_parts(lambda *options: FirstOf(options))  # A or else B or else C

    def leader(self, group: Group) -> Ballot:
        """``whichever of Gus and Hal has more votes``; in a tie nobody."""
        ballot: Ballot = Nobody()
        for name in reversed(group.names):
            ahead = tuple(More(name, other) for other in group.names if other != name)
            ballot = If(ahead[0] if len(ahead) == 1 else And(ahead), For(name), ballot)
        return ballot

    def leader_or(self, led: Ballot, *rest: Ballot | Token) -> Ballot:
        """``whichever of Gus and Hal has more votes, or Gus in case of a tie``."""
        return replace(led, otherwise=self.leader_or(led.otherwise, *rest)) if isinstance(led, If) else _last(rest)

    if_other = of_parts(lambda value, condition, _comma, other: _when(condition, value, other))  # A if C, B otherwise
    if_ = of_parts(lambda value, condition, *rest: _when(condition, value, _last(rest)))  # A if C, otherwise B
    unless = of_parts(lambda value, condition, *rest: _when(Not(condition), value, _last(rest)))
    unless_in_which_case = of_parts(lambda value, condition, instead: _when(Not(condition), value, instead))

    def but_if(self, value: Ballot, condition: Condition, instead: Ballot) -> Ballot:
        """``A, but if C, B``; who "does" so too votes for A. An endorsement of one who votes for nobody falls back."""
        if isinstance(value, Endorse) and condition == Votes(value.whom, None):
            return FirstOf((value, instead))
        return If(same_as(condition, value.whom if isinstance(value, For) else None), instead, value)

    but_value_if = of_parts(lambda value, instead, condition: _when(condition, instead, value))  # A, but B if C
    once = of_parts(lambda value, condition, *rest: _when(lasting(condition), value, _last(rest)))  # A once C
    prefix_once = of_parts(lambda condition, value, *rest: _when(lasting(condition), value, _last(rest)))
    prefix_if = of_parts(lambda condition, value, *rest: _when(condition, value, _last(rest)))  # if C, A, otherwise B
    prefix_unless = of_parts(lambda condition, value, *rest: _when(Not(condition), value, _last(rest)))

    def same_if(self, condition: Condition, *_comma: Token) -> Ballot:
        """``if Bex is voting for Gus, so do I``: for whom the condition says that others vote."""
        parts = condition.parts if isinstance(condition, And) else (condition,)
        whom = {part.whom for part in parts if isinstance(part, Votes | Count)}
        one = next(iter(whom)) if len(whom) == 1 and all(isinstance(part, Votes | Count) for part in parts) else None
        if one is None:
            raise BallotError("ambiguous", "For whom do you vote?", hint="write “I vote for NAME if ...”")
        return If(condition, For(one), Nobody())

    otherwise = always(None)
    branch = of_parts(lambda *parts: _last(parts))  # what follows a condition that stands in front
    value = said = changed = passed  # what a vote was before does not matter
    for_ = of_parts(lambda token, *_possessive: For(name_of(token)))  # a name, or "Gus's lynching"

    def against(self, token: Token) -> Ballot:
        """``against Gus``: to lynch them, or not to."""
        raise BallotError("ambiguous", f"Is {name_of(token)} to be lynched, or not?", token.column or 1,
                          (f"vote {name_of(token)}", "vote nobody"), "say for whom you vote")

    def one_of_targets(self, words: Token, *_names: object) -> Ballot:
        """``one of Gus and Hal`` is a vote for nobody in particular."""
        raise ambiguous_words(words)

    def or_value(self, *values: Ballot) -> Ballot:
        """``Gus or for Hal``: neither comes first."""
        raise two_targets(tuple(value.whom for value in values if isinstance(value, For)))

    for_nobody = always(Nobody())
    endorse = of_parts(lambda _words, name, *_possessive: Endorse(name))

    def endorse_or(self, _words: Token, name: str, rest: Ballot) -> Ballot:
        """``endorse Bex or Gus``: a fall-back, as in the nomics (Agoran CFJ 3042)."""
        return FirstOf((Endorse(name), *(rest.options if isinstance(rest, FirstOf) else (rest,))))

    def endorse_or_if(self, words: Token, name: str, rest: Ballot, condition: Condition) -> Ballot:
        """``endorse Bex or Gus if Bex is voting for nobody``: the condition is the fall-back's."""
        return self.but_if(self.endorse(words, name), condition, rest)

    def alike_vote(self, words: Token, name: str, *_rest: Token) -> Ballot:
        """``as Bex does``: to follow or to copy, as the token says, or its author (D-N6)."""
        match words.value:
            case "track":
                return Endorse(name)
            case "pin":
                return Copy(name)
        raise follow_or_copy(words, name)

    copy = of_parts(lambda _words, name, *_possessive: Copy(name))
    verdict_value = of_parts(lambda verdict: For(verdict.verb))
    verdict_if = of_parts(lambda verdict, condition, *rest: _when(condition, For(verdict.verb), _last(rest)))
    verdict_unless = of_parts(lambda verdict, condition, *rest: _when(Not(condition), For(verdict.verb), _last(rest)))

    def verdict_after(self, condition: Condition, *rest: Act | Ballot | Token) -> Ballot:
        """``if C, guilty, otherwise innocent``."""
        verdict = next(part for part in rest if isinstance(part, Act))
        return _when(condition, For(verdict.verb), _last(tuple(p for p in rest if not isinstance(p, Act))))

    def two_targets(self, *tokens: Token) -> Ballot:
        """``Gus and Hal``: one vote can't go to two."""
        raise two_targets(tuple(name_of(token) for token in tokens if token.type == "NAME"))


def two_targets(names: tuple[str, ...]) -> BallotError:
    """The question which of *names* is meant."""
    return BallotError(
        "ambiguous", f"{' and '.join(names)}: a vote goes to one person." if len(names) > 1 else "Which of the two?",
        suggestions=(*names, " or else ".join(names)), hint="name one person, or say which comes first",
    )


def _last(parts: tuple[Ballot | Token | None, ...]) -> Ballot:
    """The ballot among *parts*; nobody when there is none."""
    for part in reversed(parts):
        if part is not None and not isinstance(part, Token):
            return part
    return Nobody()
