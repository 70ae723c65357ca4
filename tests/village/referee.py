"""An evaluator of its own for the games in stages, written from the contracts and rulings alone.

It shares nothing with `nomicwolf.village` but the names of roles, verbs and stages, and tells what happens as `Line`s:
``(at, what, ...)``. A test plays random games before both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

HOUR = 3600
Line = tuple[object, ...]
Lot = Callable[[Sequence[str]], str]
"""Where a lot has fallen; who referees has no dice, and only says between whom it must be."""
NOBODY = "nobody"


class NotAllowed(Exception):
    """A deed that a referee refuses."""


class Referee:
    """A session: who lives, the clock, the stage and its end; *hours* are those of the switch ``deadlines``."""

    hours: Mapping[str, int] = {
        "discussion": 72, "nominations": 48, "defence": 24, "closing": 24, "ballot": 48, "verdict": 48, "night": 72}

    def __init__(self, cast: Mapping[str, str], switches: Mapping[str, str], at: int, lot: Lot) -> None:
        self.seats = tuple(cast)
        self.role = dict(cast)
        self.alive = set(cast)
        self.switches, self.now, self.lot = switches, at, lot
        self.phase, self.number, self.stage, self.until = "", 0, "", 0
        self.over = False
        self.log: list[Line] = []
        self.choices: dict[tuple[str, str], str] = {}
        self.votes: dict[str, str] = {}
        self.open()

    def open(self) -> None:
        """Begin with the first night."""
        self.nightfall(1)

    def say(self, *what: object) -> None:
        """Write a line."""
        self.log.append((self.now, *what))

    def living(self) -> list[str]:
        """Return who lives, in seat order."""
        return [who for who in self.seats if who in self.alive]

    def holders(self, *roles: str) -> list[str]:
        """Return the living holders of *roles*."""
        return [who for who in self.living() if self.role[who] in roles]

    def begin(self, stage: str, names: Iterable[str] = ()) -> None:
        """Begin *stage*, about *names*."""
        self.stage, self.until = stage, self.now + HOUR * self.hours[stage]
        self.votes = {}
        self.say("stage", stage, self.until, tuple(sorted(names)))

    def nightfall(self, number: int) -> None:
        """Begin a night, in which nothing has been chosen yet."""
        self.phase, self.number, self.choices = "night", number, {}
        self.say("phase", "night", number)
        self.begin("night")

    def daybreak(self) -> None:
        """Begin the day of this number."""
        self.phase = "day"
        self.say("phase", "day", self.number)

    def kill(self, *victims: str) -> None:
        """Kill those of *victims* who live."""
        for who in sorted(set(victims) & self.alive):
            self.alive.discard(who)
            self.say("killed", who)

    def end(self, winners: Iterable[str]) -> bool:
        """End the session, which *winners* have won."""
        self.over = True
        self.say("ended", tuple(sorted(winners)))
        return True

    def until_now(self, at: int) -> None:
        """Let every stage end that ends up to *at*."""
        while not self.over and self.until <= at:
            self.now = self.until
            self.time_is_over()
        self.now = max(self.now, at)

    def time_is_over(self) -> None:
        """Do what follows when the stage's time is over."""
        raise NotImplementedError

    def deed(self, at: int, who: str, verb: str, whom: str) -> None:
        """Let *who* do something at *at*, *whom* being a name, ``nobody`` or a verdict; NotAllowed if e can't."""
        self.until_now(at)
        if self.over or who not in self.alive:
            raise NotAllowed
        if self.phase == "night":
            self.by_night(who, verb, whom)
        else:
            self.by_day(who, verb, whom)

    def by_night(self, who: str, verb: str, whom: str) -> None:
        """Take a choice of the night."""
        raise NotImplementedError

    def by_day(self, who: str, verb: str, whom: str) -> None:
        """Take what is said by day."""
        raise NotImplementedError

    def must(self, *conditions: bool) -> None:
        """Refuse unless all *conditions* hold."""
        if not all(conditions):
            raise NotAllowed

    def chosen(self, verb: str, *, nobody: bool = True) -> dict[str, str]:
        """Return who has chosen whom with *verb*; without those who chose ``nobody`` unless *nobody* counts."""
        return {w: x for (w, v), x in self.choices.items() if v == verb and (nobody or x != NOBODY)}

    def together(self, picks: Iterable[str]) -> str:
        """Return what most have picked, a lot deciding ties; ``nobody`` if none has picked."""
        top = most(picks)
        return NOBODY if not top else top[0] if len(top) == 1 else self.lot(top)


def most(picks: Iterable[str]) -> list[str]:
    """Return what was picked most often, all of it if equally often."""
    given = list(picks)
    top = max((given.count(x) for x in given), default=0)
    return [x for x in dict.fromkeys(given) if given.count(x) == top]
