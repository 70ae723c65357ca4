"""Points and trophies, with their derivation (NC 5i, 5ii).

NC 5i: “In Agora, each of the N winners gets floor(P / N) points”.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from nomicwolf.nomic.events import Awarded
from nomicwolf.nomic.state import Contest
from nomicwolf.village.events import Ended
from nomicwolf.village.game import Game
from nomicwolf.village.rules import listed

TROPHY = "silver Trophy"
WITH_START, BY_SETTINGS, BY_COMMAND = (
    "confirmed with the start", "as the settings confirm", "confirmed by the contestmaster")
UNEXPLAINED = (WITH_START, BY_SETTINGS, BY_COMMAND)
"""How a P was confirmed whose derivation nobody gave (D-N21)."""
AXES = {"villagers": "X", "werewolves": "Y"}


def share(points: int, winners: int) -> int:
    """Return floor(P/N), what each of *winners* gets of *points*; 0 if nobody won (D-N20).

    >>> share(45, 4)
    11
    """
    return points // winners if winners else 0


def unconfirmed(contest: Contest, ended: Ended, now: Collection[str] = ()) -> str:
    """Return the nomic whose P has to be confirmed before the session that *ended* can be awarded, '' if none has.

    One that is more than the roster yields is taken from the contestmaster's word of *now* alone (D-N21).
    """
    pay = (f.nomic for f in contest.setup.forums if f.law.awards == "points" and f.nomic not in now)
    return next((n for n in pay if n not in contest.limits or excess(contest, n)), "") if ended.winners else ""


def excess(contest: Contest, nomic: str) -> int:
    """Return by how much the P of *nomic* that was confirmed is above what the roster yields now, else 0.

    People may have joined and left since it was confirmed.
    """
    found, said = derive(contest, nomic), contest.limits.get(nomic)
    if found is None or found.points is None or said is None:
        return 0
    return max(0, said.points - found.points)


def derivation_text(contest: Contest, nomic: str, points: int, how: str) -> str:
    """Return *how* P is derived as *points*, in the contestmaster's words or from the present roster (CFJ 2296)."""
    found = derive(contest, nomic)
    return found.in_words() if found and found.points == points and how in UNEXPLAINED else how


def cannot_receive(contest: Contest, nomic: str, who: str) -> bool:
    """Return whether no points of *nomic* can be awarded to *who*, who is no player of it (D-N55)."""
    return not contest.law.status.get((who, nomic), {}).get("player", True)


def awards_for(contest: Contest, game: Game, ended: Ended) -> tuple[Awarded, ...]:
    """Return the awards of the session as numbered actions; none of its P may be `unconfirmed`.

    Agora's come first, one action for each winner (CFJ 2296), Y points for werewolves and X points for others (D-A9);
    then B's Trophies. Nobody won: no awards (D-N20).
    """
    made: list[Awarded] = []
    for forum in contest.setup.forums if ended.winners else ():
        if forum.law.awards == "points":
            amount = share(contest.limits[forum.nomic].points, len(ended.winners))
            for who in ended.winners if amount else ():
                if cannot_receive(contest, forum.nomic, who):
                    continue
                axis = AXES.get(game.sides[who], "X")
                made.append(Awarded(contest.session, len(made) + 1, forum.nomic, who, f"{axis} points", amount))
        else:
            for who in ended.winners:
                made.append(Awarded(contest.session, len(made) + 1, forum.nomic, who, TROPHY, 1))
    return tuple(made)


def awarded_so_far(contest: Contest, session: int, nomic: str, what: str) -> int:
    """Return how much of *what* was awarded in *nomic* for *session*; points of both axes count together (CFJ 2686)."""
    alike = {what, "X points", "Y points"} if what.endswith("points") else {what}
    first = sum(a.amount for a in contest.awards.get(session, ()) if a.nomic == nomic and a.what in alike)
    return first + sum(c.amount for c in contest.law.corrections
                       if (c.session, c.nomic) == (session, nomic) and c.what in alike)


@dataclass(frozen=True, slots=True)
class Derivation:
    """How P of *nomic* comes about: *points* (None: to be entered), the *formula*, who is *counted*, who isn't and why.

    *left_out* is (who, why).
    """

    nomic: str
    points: int | None
    formula: str
    counted: tuple[str, ...]
    left_out: tuple[tuple[str, str], ...]

    def in_words(self) -> str:
        """Return all of it in one sentence, for the announcement."""
        out = "".join(f"; not {who}, {why}" for who, why in self.left_out)
        return f"{self.formula}: {len(self.counted)} counted, {listed(self.counted)}{out}"

    def lines(self) -> tuple[str, ...]:
        """Return it in words, one line for the formula and one for each person (CFJ 2296)."""
        what = "to be entered" if self.points is None else str(self.points)
        return (
            f"P of {self.nomic}: {what}; {self.formula}",
            *(f"  counted: {who}" for who in self.counted),
            *(f"  not counted: {who}, {why}" for who, why in self.left_out),
        )


def derive(contest: Contest, nomic: str) -> Derivation | None:
    """Return P of *nomic* by its profile and by what is known of its parties; None without points.

    A party of whom nothing else is known is taken for an active first-class player (D-N21): `party status` says
    otherwise. The contestmaster isn't counted (D-N1).
    """
    forum = contest.setup.forum(nomic)
    if forum is None or forum.law.awards != "points":
        return None
    law, master = forum.law, contest.contestmaster(nomic)
    counted: list[str] = []
    left_out: list[tuple[str, str]] = []
    for who in contest.parties.get(nomic, ()):
        lacks = [w for w in law.counted if not contest.law.status.get((who, nomic), {}).get(w, True)]
        if who == master:
            left_out.append((who, "the contestmaster"))
        elif lacks:
            left_out.append((who, f"not {' or '.join(lacks)}"))
        else:
            counted.append(who)
    points = law.factor * len(counted) if law.factor else None
    return Derivation(nomic, points, law.formula, tuple(counted), tuple(left_out))
