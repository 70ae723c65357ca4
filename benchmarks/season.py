"""A season of contests whose players are silent, late, on holiday or gone: what reminders and a policy are worth.

``python -m benchmarks.season --contests 200 --json season.json --plots docs/images`` plays it, and draws it.

Everything that happens is a letter or a command that the program itself hears; only the mail's way is left out.
"""

from __future__ import annotations

import argparse
import heapq
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from multiprocessing import Pool
from pathlib import Path
from random import Random
from statistics import fmean, median
from typing import Any

import drawsvg

from nomicwolf.contest import Command, LetterCame, Outcome, Tick, hear, next_alarm
from nomicwolf.contest.silence import for_the_silent
from nomicwolf.demo.players import ways_of
from nomicwolf.nomic.duties import deeds_owed, owing
from nomicwolf.nomic.events import Reminded
from nomicwolf.nomic.setup import Alerted, Policy, Prodded
from nomicwolf.village.events import Ended, PhaseBegan, StageBegan
from nomicwolf.village.rules import Duty
from nomicwolf.village.rulesets import ruleset
from tests.contest.world import HOUR, START, World, setup

DAY = 24.0
"""Hours; all times here are hours since the start."""
LONGEST = 90 * DAY
"""After so long a session counts as one without a result: nobody waits for it any more."""
NAMES = ("Ash", "Bex", "Cam", "Dov", "Eli", "Fay", "Gus", "Hal", "Ida", "Jon", "Kim")
STANDBY = ("Lea", "Moe")
SETS: Mapping[str, tuple[int, str]] = {
    "nomic-crossing": (8, "seer,witch"), "gadianton": (9, ""), "tabula": (9, "medium"),
    "six-phases": (9, "mafioso,mafioso,cop,doctor"),
    "narrated-mafia": (9, "mafioso,mafioso,policeman,doctor"),
}
"""By rule set: how many play, and with which roles."""
DROPOUTS = 2.02 / 7
"""How many of those who begin a game by electronic mail don't see its end (Nelson 1995: CompuServe, 80 games)."""
GAME = 60 * DAY
"""Over how long these drop out: about as long as a session that nothing keeps alive takes."""


@dataclass(frozen=True)
class Arm:
    """One way to run a contest; *alerts* tells whether the contestmaster is told, or has to look (once a week)."""

    name: str
    alerts: bool = True
    standby: bool = False
    settings: Mapping[str, Any] = field(default_factory=dict)
    switches: Mapping[str, str] = field(default_factory=dict)


ARMS = (
    Arm("none", alerts=False, settings={"remind": (), "absence": Policy(()), "daily_count": False}),
    Arm("defaults"),
    Arm("init", settings={"absence": Policy(("prod", "replace", "act-for"))}),
    Arm("policy", standby=True, settings={"absence": Policy(
        ("prod", "replace", "act-for"), extend_if_missing=4)}, switches={"day_limit": "10 plurality"}),
)
"""Nothing of it; what a contest has that sets nothing; what `init` writes; and all that a contest can choose."""


@dataclass
class Habits:
    """How one player writes: *delay* is the median of hours until e does what e owes, *forgets* how often e doesn't.

    From *gone* on e never writes again; in *away* (from, to) neither; *minds* is how often e does what e is reminded
    of.
    """

    delay: float
    forgets: float
    minds: float
    gone: float
    away: tuple[float, float]

    @classmethod
    def of(cls, chance: Random) -> Habits:
        """Return the habits of somebody: of ten seven are steady, two are late, and one is often silent."""
        delay, forgets, minds = chance.choices(((12, 0.05, 0.8), (40, 0.15, 0.7), (60, 0.5, 0.5)), (7, 2, 1))[0]
        gone = chance.uniform(0, GAME) if chance.random() < DROPOUTS else LONGEST
        since = chance.uniform(0, GAME)
        away = (since, since + chance.uniform(3, 12) * DAY) if chance.random() < 0.25 else (0.0, 0.0)
        return cls(delay, forgets, minds, gone, away)

    def writes(self, at: float) -> bool:
        """Return whether e writes at *at* at all."""
        return at < self.gone and not self.away[0] <= at < self.away[1]


@dataclass
class Season:
    """What came of one session: whether it has *ended* with a result, after how many *days*, and what it cost.

    *letters* are those to one player and day, *acts* the contestmaster's, *still* is the longest time in days in which
    no phase or stage has ended.
    """

    ruleset: str
    arm: str
    ended: bool
    days: float
    letters: float
    acts: int
    still: float


class Heard(World):
    """A contest that is asked once for whatever happens, as by a poll; what is due then comes by the next."""

    def _hear(self, happening: LetterCame | Command | None, now: int) -> Outcome:
        found = hear(self.contest, happening or Tick(), now)
        self.contest, self.entries, self.letters = found.contest, found.entries, found.letters
        self.sent += found.letters
        return found


class Played:
    """One session, event by event."""

    def __init__(self, name: str, arm: Arm, number: int) -> None:
        self.chance = Random(f"{name} {number}")
        many, roles = SETS[name]
        self.arm, self.rules, self.names, self.at = arm, ruleset(name), NAMES[:many], 0.0
        known = {switch.name for switch in self.rules.switches}
        switches = {key: value for key, value in arm.switches.items() if key in known}
        self.world = Heard(replace(setup(settling=0, switches=switches, **arm.settings), ruleset=name))
        self.habits = {who: Habits.of(self.chance) for who in (*NAMES, *STANDBY)}
        for who in STANDBY:
            self.habits[who].gone = LONGEST
        self.queue: list[tuple[float, int, str, str]] = []
        self.asked: set[tuple[str, str, int]] = set()
        self.order, self.acts, self.moved, self.still = 0, 0, 0.0, 0.0
        for who in self.names:
            self.world.write(who, "I join.")
        outcome = self.world.command("start", roles=roles, seed=f"{number:064x}", limit="agora=100", how="as reckoned")
        if outcome.status:
            raise RuntimeError(outcome.said)
        if arm.standby:
            for who in STANDBY:
                self.world.write(who, "I join.\n\nstandby", at=0.01)
        self.first = len(self.world.sent)

    def later(self, at: float, who: str, what: str) -> None:
        """Put something in the queue."""
        self.order += 1
        heapq.heappush(self.queue, (at, self.order, who, what))

    def run(self) -> Season:
        """Play to the end, or to the day on which nobody waits any more."""
        self.look()
        if not self.arm.alerts:
            self.later(7 * DAY, "", "look")
        while self.world.contest.running is not None and self.at < LONGEST:
            alarm = next_alarm(self.world.contest)
            tick = (alarm - START) / HOUR if alarm is not None else LONGEST
            if self.queue and self.queue[0][0] <= tick:
                at, _, who, what = heapq.heappop(self.queue)
                self.at = max(self.at, at)
                self.act(who, what) if self.at < LONGEST else None
            else:
                self.at = max(self.at + 0.01, tick)
                self.world.tick(self.at)
            self.look()
        return self.told()

    def told(self) -> Season:
        """Return what came of it."""
        ended = self.world.events(Ended)
        days = min(self.at, LONGEST) / DAY
        mine = [o for o in self.world.sent[self.first:] if o.person in self.names]
        return Season(self.rules.name, self.arm.name, bool(ended), days, len(mine) / len(self.names) / max(days, 1),
                      self.acts, max(self.still, min(self.at, LONGEST) - self.moved) / DAY)

    def look(self) -> None:
        """Let everyone see what e is asked for: what is owed anew, what e is reminded of, and what others do."""
        contest, game = self.world.contest, self.world.contest.running
        if game is None:
            return
        for entry in self.world.entries:
            if isinstance(entry.event, PhaseBegan | StageBegan):
                self.still, self.moved = max(self.still, self.at - self.moved), self.at
            if isinstance(entry.event, Alerted) and self.arm.alerts:
                self.later(self.at + 12, "", "look")
            if isinstance(entry.event, Reminded | Prodded) and entry.event.who in self.habits:
                self.nudge(entry.event.who)
        self.world.entries = ()
        for owed in owing(contest):
            key = owed.who, f"{owed.verb} {game.place}", owed.since
            if owed.who in self.habits and key not in self.asked:
                self.asked.add(key)
                self.ask(owed.who)
        for letter in self.world.letters:
            if letter.forum == "agora" and game.phase == "day":
                self.crowd()
        self.world.letters = ()

    def ask(self, who: str) -> None:
        """Let *who* do sooner or later what e owes, unless e forgets it."""
        habits = self.habits[who]
        if self.chance.random() >= habits.forgets:
            self.later(self.at + habits.delay * self.chance.lognormvariate(0, 0.7), who, "act")

    def nudge(self, who: str) -> None:
        """Let *who*, who was reminded or named, write within hours, if e minds."""
        if self.chance.random() < self.habits[who].minds:
            self.later(self.at + self.chance.lognormvariate(2, 0.8), who, "act")

    def crowd(self) -> None:
        """Let some of those who read the forums think about their votes anew."""
        game = self.world.contest.running
        for who in game.living() if game is not None else ():
            if self.chance.random() < 0.4 * (1 - self.habits[who].forgets):
                self.ask(who)

    def act(self, who: str, what: str) -> None:
        """Let *who*, or the contestmaster, do something now."""
        if not who:
            self.rule()
            if not self.arm.alerts:
                self.later(self.at + 7 * DAY, "", "look")
            return
        if not self.habits[who].writes(self.at):
            return
        for to, text in self.words(who):
            self.world.write(who, text, to, at=self.at)
            self.look()

    def rule(self) -> None:
        """The contestmaster looks, and acts for whom NC 1j lets em act."""
        contest, game = self.world.contest, self.world.contest.running
        if game is None:
            return
        for owed in deeds_owed(contest):
            late = owed.until and START + self.at * HOUR >= owed.until
            if self.rules.votes_stand and game.phase == "night" and late and owed.who in game.alive:
                named, _ = for_the_silent(self.rules, game, owed.who, owed.verb)
                deed = f"{owed.verb} {' and '.join(named) or 'nobody'}"
                self.acts += not self.world.command("act-for", self.at, who=owed.who, deed=deed).status

    def words(self, who: str) -> Iterator[tuple[str, str]]:
        """Yield what *who* writes, and where to."""
        game = self.world.contest.running
        if game is None or who not in game.alive:
            return
        for duty in self.rules.duties(game, who):
            if duty.pins:
                yield ("contestmaster" if duty.sealed else "agora"), self.ballot(who)
            elif duty.verb in ("accuse", "second"):
                if (whom := self.suspect(who)) and self.chance.random() < 0.5:
                    yield "agora", f"{duty.verb} {whom}"
            elif duty.owed:
                yield "contestmaster", self.deed(who, duty)

    def ballot(self, who: str) -> str:
        """Return a vote for whom most vote for, or for somebody else, or a verdict."""
        game = self.world.contest.running
        assert game is not None
        accused = "accuse" in ways_of(self.rules.name).verbs
        if game.stage == "verdict" or (game.stage == "ballot" and accused):
            return "guilty" if self.chance.random() < 0.6 else "innocent"
        return f"I vote for {self.suspect(who)}."

    def suspect(self, who: str) -> str:
        """Return whom *who* suspects: mostly whom others vote for already."""
        game = self.world.contest.running
        assert game is not None
        others = [each for each in game.living() if each != who]
        ballots = [str(getattr(ballot, "who", "")) for ballot in game.table.values()]
        leading = max(others, key=lambda each: (ballots.count(each), -others.index(each)))
        return leading if ballots.count(leading) and self.chance.random() < 0.75 else self.chance.choice(others)

    def deed(self, who: str, duty: Duty) -> str:
        """Return a deed by lot; a pack names whom its first has named."""
        game = self.world.contest.running
        assert game is not None
        options = sorted(self.rules.options(game, who, duty))
        if not options or len(options) < duty.arity:
            return f"{duty.verb} nobody"
        named, _ = for_the_silent(self.rules, game, who, duty.verb)
        picked = named if named and set(named) <= set(options) else self.chance.sample(options, duty.arity)
        return f"{duty.verb} {' and '.join(picked)}".strip()


def play(job: tuple[str, int, int]) -> Season:
    """Play one session of a rule set, in one arm."""
    name, arm, number = job
    return Played(name, ARMS[arm], number).run()


def summed(found: list[Season]) -> dict[str, dict[str, float]]:
    """Return what the page tells of each arm."""
    return {arm.name: {
        "sessions": len(mine), "with a result": sum(s.ended for s in mine) / len(mine),
        "days, median": median(s.days for s in mine), "days, mean": fmean(s.days for s in mine),
        "letters a player and day": fmean(s.letters for s in mine), "acts a session": fmean(s.acts for s in mine),
        "longest standstill, 95 %": sorted(s.still for s in mine)[int(0.95 * (len(mine) - 1))],
        "longest standstill": max(s.still for s in mine),
    } for arm in ARMS if (mine := [s for s in found if s.arm == arm.name])}


def plot(found: list[Season], path: Path) -> None:
    """Draw for each arm how many sessions have a result by which day."""
    width, height, left, low = 640, 320, 48, 280
    picture = drawsvg.Drawing(width, height)
    picture.append(drawsvg.Rectangle(0, 0, width, height, fill="white"))
    across, up = (width - left - 20) / 90, 250 / 100
    for share in range(0, 101, 25):
        y = low - share * up
        picture.append(drawsvg.Line(left, y, width - 20, y, stroke="#ddd"))
        picture.append(drawsvg.Text(f"{share} %", 11, left - 6, y + 4, text_anchor="end", font_family="sans-serif"))
    for day in range(0, 91, 15):
        picture.append(drawsvg.Text(str(day), 11, left + day * across, low + 16, text_anchor="middle",
                                    font_family="sans-serif"))
    picture.append(drawsvg.Text("days since the start", 11, width / 2, low + 34, text_anchor="middle",
                                font_family="sans-serif"))
    for place, (arm, colour) in enumerate(zip(ARMS, ("#999", "#1f77b4", "#2e8b57", "#b03a2e"), strict=True)):
        mine = [s for s in found if s.arm == arm.name]
        over = [100 * sum(s.ended and s.days <= day for s in mine) / max(len(mine), 1) for day in range(91)]
        points = [xy for day, share in enumerate(over) for xy in (left + day * across, low - share * up)]
        picture.append(drawsvg.Lines(*points, fill="none", stroke=colour, stroke_width=2.5))
        picture.append(drawsvg.Text(arm.name, 12, left + 12, 24 + 16 * place, fill=colour, font_family="sans-serif"))
    picture.save_svg(str(path))


def main() -> None:
    """Play the season."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--contests", type=int, default=200, help="how many, all rule sets together")
    parser.add_argument("--json", type=Path, help="where to keep each session")
    parser.add_argument("--plots", type=Path, help="a folder to draw in")
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    each = -(-given.contests // len(SETS))
    jobs = [(name, arm, number) for number in range(each) for name in SETS for arm in range(len(ARMS))]
    found = []
    with Pool(given.workers) as pool:
        for session in pool.imap_unordered(play, jobs):
            found.append(session)
            if given.json:
                given.json.write_text(json.dumps([asdict(s) for s in found], indent=1) + "\n", encoding="utf-8")
    if given.plots:
        plot(found, given.plots / "season.svg")
    print(json.dumps(summed(found), indent=2))


if __name__ == "__main__":
    main()
