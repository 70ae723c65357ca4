"""The votes of a town as a logic program, for clingo to settle: the peer in the benchmark of votes.

Stable models are not the definition of ``docs/votes.md``: where conditions lean on each other there may be none, or
several. Endorsements alone make a positive program, whose one model is the definition's result.
"""

from __future__ import annotations

from collections.abc import Mapping

import clingo

from nomicwolf.village.ballots import And, Ballot, Condition, Count, Endorse, For, If, More, Not, Or, Votes


class Program:
    """The program text of *ballots*: ``v(V,X)`` says that V's vote is X.

    Ballots without conditions are facts, with one rule for all votes and one for all endorsements, which clingo grounds
    several times as fast as a rule for each.
    """

    def __init__(self, seats: Mapping[str, int], ballots: Mapping[str, Ballot]) -> None:
        self.seats = seats
        self.lines = ["v(V,X):-p(V,X).", "v(V,X):-e(V,U),v(U,X),V!=X."]
        self.conditions = 0
        for who, ballot in ballots.items():
            self.ballot(ballot, seats[who], ())
        if self.conditions:
            self.lines.append("vd(V):-v(V,_).")
        self.text = "\n".join([*self.lines, "#show v/2."])

    def ballot(self, ballot: Ballot, me: int, given: tuple[str, ...]) -> None:
        """Write *me*'s *ballot*, taken while all of *given* hold."""
        if isinstance(ballot, For):
            if (whom := self.seats[ballot.whom]) != me:
                self.rule(f"v({me},{whom})" if given else f"p({me},{whom})", given)
        elif isinstance(ballot, Endorse) and not given:
            self.rule(f"e({me},{self.seats[ballot.whom]})", ())
        elif isinstance(ballot, Endorse):
            self.rule(f"v({me},X)", (*given, f"v({self.seats[ballot.whom]},X)", f"X!={me}"))
        elif isinstance(ballot, If):
            truth = f"t({self.condition(ballot.condition)})"
            self.ballot(ballot.then, me, (*given, truth))
            self.ballot(ballot.otherwise, me, (*given, f"not {truth}"))

    def rule(self, head: str, body: tuple[str, ...]) -> None:
        """Write one rule, or a fact."""
        self.lines.append(f"{head}:-{','.join(body)}." if body else f"{head}.")

    def condition(self, condition: Condition) -> int:
        """Write *condition*; the number under which it is known."""
        self.conditions += 1
        mine = self.conditions
        truth, seats = f"t({mine})", self.seats
        match condition:
            case Count(whom, ">=", number):
                self.rule(truth, (f"#count{{V:v(V,{seats[whom]})}}>={number}",))
            case More(one, other):
                self.rule(truth, (f"#sum{{1,V:v(V,{seats[one]});-1,V:v(V,{seats[other]})}}>0",))
            case Votes(who, None):
                self.rule(truth, (f"not vd({seats[who]})",))
            case Votes(who, str(whom)):
                self.rule(truth, (f"v({seats[who]},{seats[whom]})",))
            case Not(part):
                self.rule(truth, (f"not t({self.condition(part)})",))
            case And(parts):
                self.rule(truth, tuple(f"t({self.condition(part)})" for part in parts))
            case Or(parts):
                for part in parts:
                    self.rule(truth, (f"t({self.condition(part)})",))
            case _:
                raise ValueError(f"no workload for clingo has {condition}")
        return mine


def stable(text: str) -> int | None:
    """Ground and solve: how many votes the first stable model has, or None if there is no model."""
    control = clingo.Control(["--warn=none"])
    control.add("base", [], text)
    control.ground([("base", [])])
    found: list[int] = []
    control.solve(on_model=lambda model: found.append(len(model.symbols(shown=True))))
    return found[0] if found else None
