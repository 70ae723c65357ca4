"""How even the setups are that come with the program: sessions played by each policy, drawn and told.

``python -m benchmarks.balance --play 400`` plays them, and keeps who won each and in how many days in `balance.json`;
``python -m benchmarks.balance`` makes `docs/balance.md` and its pictures from that. The figures are those of
``nomicwolf odds SETUP --games NUMBER --policy POLICY --weigh``.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from itertools import starmap
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

import drawsvg

from nomicwolf.odds import DRAW, POLICIES, Rate, difference, outcome, played_session, sides_of, weighed, wilson
from nomicwolf.reports.archive.charts import svg_text
from nomicwolf.reports.setups import checked_setup
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.rulesets import SetupFile, setups

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "benchmarks" / "balance.json"
PAGE, SHARES, MOVES = (ROOT / "docs" / name for name in (
    "balance.md", "images/balance-shares.svg", "images/balance-roles.svg"))
SEED = "odds"
"""The seed of `nomicwolf odds`, so that anyone gets these figures by it."""
WEIGHING = "believing"
"""The policy by which a role is weighed."""
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
"""A digit for each session: the side that won, by its place among the sides, and the days that it had."""


class Case(NamedTuple):
    """Sessions of a *setup* by a *policy*, with all of its roles or all but one, which is *without*."""

    setup: str
    policy: str
    without: str = ""


class Table(NamedTuple):
    """A setup that can be played: its file, its rule set with its roles, and for how many it is."""

    setup: SetupFile
    rules: Ruleset
    players: int

    @property
    def sides(self) -> tuple[str, ...]:
        """All that can win, the good side first, and then a draw."""
        return (*sides_of(self.rules, self.players, self.setup.roles, self.setup.switches), DRAW)

    def without(self) -> dict[str, tuple[str, ...]]:
        """Each role that can be left out, with the roles that are left."""
        return weighed(self.rules, self.players, self.setup.roles, self.setup.switches)


def table(name: str) -> Table:
    """Return the setup called *name*."""
    setup, rules, players = checked_setup(setups()[name], name, {})
    return Table(setup, rules, players[0])


def cases(name: str) -> list[Case]:
    """Return all that is played of the setup called *name*."""
    left_out = (Case(name, WEIGHING, role) for role in table(name).without())
    return [*(Case(name, policy) for policy in POLICIES), *left_out]


def played(case: Case, numbers: Sequence[int]) -> tuple[str, str]:
    """Play the sessions with these *numbers*; return who won each, and how many days it had, a digit each."""
    found = table(case.setup)
    roles = found.without()[case.without] if case.without else found.setup.roles
    ends = [outcome(played_session(found.rules, found.players, roles, f"{SEED}/{number}", case.policy,
                                   found.setup.switches)) for number in numbers]
    return ("".join(DIGITS[found.sides.index(side)] for side, _ in ends),
            "".join(DIGITS[min(days, len(DIGITS) - 1)] for _, days in ends))


def play(games: int, workers: int) -> dict[str, Any]:
    """Play everything, so many *games* of each case; return it as it is kept."""
    every = [case for name in sorted(setups()) for case in cases(name)]
    kept: dict[str, Any] = {}
    with ProcessPoolExecutor(workers) as pool:
        for case, (won, days) in zip(every, pool.map(played, every, [range(games)] * len(every)), strict=True):
            found = kept.setdefault(case.setup, {"policies": {}, "without": {}})
            place = found["without"] if case.without else found["policies"]
            place[case.without or case.policy] = [won, days]
    return kept


@dataclass(frozen=True)
class Balance:
    """What the sessions of one setup came to; *kept* is as `play` gives it."""

    name: str
    kept: Mapping[str, Any]

    @cached_property
    def table(self) -> Table:
        """The setup."""
        return table(self.name)

    @cached_property
    def sides(self) -> tuple[str, ...]:
        """All that have won a session or could, the good side first; a draw only where there was one."""
        every = self.table.sides
        drawn = any(DIGITS[len(every) - 1] in won for won, _ in self.kept["policies"].values())
        return every if drawn else every[:-1]

    def share(self, policy: str, side: str) -> Rate:
        """Return how often *side* won."""
        return _rate(self.kept["policies"][policy][0], self.table.sides.index(side))

    def days(self, policy: str) -> float:
        """Return how many days a session has, in the mean."""
        return fmean(map(DIGITS.index, self.kept["policies"][policy][1]))

    def moves(self) -> dict[str, Rate]:
        """Return by how much the good side's share is higher for each role's being there."""
        whole = self.share(WEIGHING, self.sides[0])
        return {role: difference(whole, _rate(won, 0), len(won)) for role, (won, _) in self.kept["without"].items()}


def _rate(won: str, place: int) -> Rate:
    return wilson(won.count(DIGITS[place]), len(won))


HEAD = """\
# How even the setups are

Each setup that comes with the program, played {games} times by each of the four [policies](roles.md#how-even-is-it).
The figures compare setups and don't predict people. `nomicwolf odds SETUP --games {games} --policy believing --weigh`
prints those of a setup, and by how much each role moves them.

| setup | of | players | good | days |
|---|---|---|---|---|
{rows}

*Good* is the good side's share of the wins in per cent, by the policies {policies};
*days* is the mean length of a session by *believing*.

![The share of each side in each setup, by each policy](images/balance-shares.svg)

Green is the good side's share, with its bounds as a line, red the evil side's, violet a third one's, grey are draws.

![By how much each role moves the good side's share](images/balance-roles.svg)

A role that surely helps the good side is green, one that surely harms it is red.
"""


def page(found: Sequence[Balance]) -> str:
    """Return the page of the handbook."""
    games = len(found[0].kept["policies"][WEIGHING][0])
    return HEAD.format(games=games, rows="\n".join(map(_row, found)), policies=", ".join(POLICIES))


def _row(found: Balance) -> str:
    shares = " ".join(f"{100 * found.share(policy, found.sides[0]).p:.0f}" for policy in POLICIES)
    cells = (found.name, found.table.rules.name, found.table.players, shares, f"{found.days(WEIGHING):.1f}")
    return f"| {' | '.join(map(str, cells))} |"


WIDE, LEFT, RIGHT, LANE = 720, 190, 60, 9
GOOD, EVIL, THIRD, NOBODYS = "#2e8b57", "#b03a2e", "#7b5ea7", "#c8c8c8"
"""The colours of the sides, and of a draw."""


def _drawing(height: float) -> drawsvg.Drawing:
    drawing = drawsvg.Drawing(WIDE, height)
    drawing.append(drawsvg.Rectangle(0, 0, WIDE, height, fill="white"))
    return drawing


def _label(words: str, x: float, y: float, anchor: str = "start") -> drawsvg.Text:
    return svg_text(words, x, y, "label", text_anchor=anchor, font_family="sans-serif", fill="#222")


def _axis(drawing: drawsvg.Drawing, low: float, at: Mapping[str, float]) -> None:
    for words, x in at.items():
        drawing.append(drawsvg.Line(x, 30, x, low, stroke="#ddd"))
        drawing.append(_label(words, x, 22, "middle"))


def shares(found: Sequence[Balance]) -> str:
    """Draw for each setup and policy how often each side won; a line shows the bounds of the good side's share."""
    step = LANE * len(POLICIES) + 16
    drawing, plot = _drawing(44 + step * len(found)), WIDE - LEFT - RIGHT
    _axis(drawing, 30 + step * len(found), {f"{share} %": LEFT + plot * share / 100 for share in range(0, 101, 25)})
    drawing.append(_label("days", WIDE - 8, 22, "end"))
    for row, balance in enumerate(found):
        top = 36 + step * row
        drawing.append(_label(balance.name, 8, top + 12))
        for lane, policy in enumerate(POLICIES):
            y, x = top + LANE * lane, float(LEFT)
            for side in balance.sides:
                wide = plot * balance.share(policy, side).p
                colour = {balance.sides[0]: GOOD, balance.table.rules.evil: EVIL, DRAW: NOBODYS}.get(side, THIRD)
                drawing.append(drawsvg.Rectangle(round(x, 1), y, round(wide, 1), LANE - 1.5, fill=colour))
                x += wide
            good = balance.share(policy, balance.sides[0])
            drawing.append(drawsvg.Line(round(LEFT + plot * good.low, 1), y + LANE / 2 - 1, round(
                LEFT + plot * good.high, 1), y + LANE / 2 - 1, stroke="#111", stroke_width=1.5))
            drawing.append(drawsvg.Text(policy, 8, LEFT - 6, y + 7, text_anchor="end", font_family="sans-serif",
                                        fill="#555"))
        drawing.append(_label(f"{balance.days(WEIGHING):.1f}", WIDE - 8, top + 22, "end"))
    return _svg(drawing)


def roles(found: Sequence[Balance]) -> str:
    """Draw by how much each role of each setup moves the good side's share, with its bounds."""
    rows = [(balance.name, role, move) for balance in found for role, move in balance.moves().items()]
    drawing, plot = _drawing(44 + 15 * len(rows)), WIDE - 2 * LEFT + RIGHT
    middle = LEFT + 110 + plot / 2

    def x(share: float) -> float:
        return round(middle + plot / 2 * max(-0.6, min(0.6, share)) / 0.6, 1)

    _axis(drawing, 34 + 15 * len(rows), {f"{share:+} %": x(share / 100) for share in (-50, -25, 0, 25, 50)})
    named = ""
    for row, (name, role, move) in enumerate(rows):
        y = 46 + 15 * row
        drawing.append(_label("" if name == named else name, 8, y))
        drawing.append(_label(role, LEFT + 90, y, "end"))
        colour = GOOD if move.low > 0 else EVIL if move.high < 0 else "#777"
        drawing.append(drawsvg.Line(x(move.low), y - 4, x(move.high), y - 4, stroke=colour, stroke_width=1.5))
        drawing.append(drawsvg.Circle(x(move.p), y - 4, 3.5, fill=colour))
        named = name
    return _svg(drawing)


def _svg(drawing: drawsvg.Drawing) -> str:
    svg = drawing.as_svg()
    assert isinstance(svg, str)
    return svg


def balances() -> list[Balance]:
    """Return what is kept of each setup."""
    return list(starmap(Balance, json.loads(DATA.read_text(encoding="utf-8")).items()))


def made() -> dict[Path, str]:
    """Return the page and its pictures, by their paths."""
    found = balances()
    return {PAGE: page(found), SHARES: shares(found), MOVES: roles(found)}


def main() -> None:
    """Play if that is asked for, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--play", type=int, metavar="GAMES", help="play so many sessions of each case anew, first")
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    if given.play:
        lines = (f' "{name}": {json.dumps(kept)}' for name, kept in play(given.play, given.workers).items())
        DATA.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    for path, text in made().items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
