"""An evaluator of its own for the games in stages, written from the contracts and rulings alone.

It shares nothing with `nomicwolf.village` but ballots as values and the names of roles, verbs and stages, and tells
what happens as `Line`s: ``(at, what, ...)``. What ballots come to it asks the `oracle`. A test plays random games
before both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from nomicwolf.village.ballots import After, Ballot, Before, Endorse, For, Nobody, Town
from tests.village import oracle

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
        self.votes: dict[str, Ballot] = {}
        self.gone: set[str] = set()
        self.cast: list[tuple[str, Ballot]] = []
        self.chose: list[tuple[str, str, str]] = []
        if given := switches.get("deadlines"):
            talk, name, defend, vote, sleep = map(int, given.split(","))
            self.hours = {"discussion": talk, "nominations": name, "defence": defend, "closing": defend,
                          "ballot": vote, "verdict": vote, "night": sleep}
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
        self.stage, self.until = stage, self.now + max(1, HOUR * self.hours[stage])
        self.votes, self.cast = {}, []
        self.say("stage", stage, self.until, tuple(sorted(names)))

    def nightfall(self, number: int) -> None:
        """Begin a night, in which nothing has been chosen yet."""
        self.phase, self.number, self.choices, self.chose = "night", number, {}, []
        self.say("phase", "night", number)
        self.begin("night")
        self.early()

    def owes(self) -> list[tuple[str, str]]:
        """Return who can do what tonight, whether or not e has."""
        raise NotImplementedError

    def early(self) -> None:
        """With ``dawn`` at once a night ends with its last deed."""
        if self.switches.get("dawn") == "at once" and self.stage == "night" and not (
                set(self.owes()) - self.choices.keys()):
            self.time_is_over()

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
        """Let every stage end that ends up to *at*, and every hour come that a ballot names."""
        while not self.over and (due := min([self.until, *self.named()])) <= at:
            self.now = due
            if due == self.until:
                self.time_is_over()
            else:
                self.hour_comes()
        self.now = max(self.now, at)

    def named(self) -> list[int]:
        """Return the instants that ballots name and that come before the stage's end."""
        return [t for t in instants(self.votes) if self.now < t < self.until]

    def hour_comes(self) -> None:
        """Let an instant come that a ballot names: where votes are counted at the end, nothing follows."""

    def time_is_over(self) -> None:
        """Do what follows when the stage's time is over."""
        raise NotImplementedError

    def deed(self, at: int, who: str, verb: str, whom: str | Ballot) -> None:
        """Let *who* do something at *at*: *whom* is a name, ``nobody``, a verdict or a ballot; or NotAllowed."""
        self.until_now(at)
        if self.over or who not in self.alive:
            raise NotAllowed
        if self.phase == "night":
            self.must(isinstance(whom, str))
            self.by_night(who, verb, str(whom))
            self.chose.append((who, verb, str(whom)))
            self.early()
        elif verb == "vote":
            self.by_ballot(who, For(whom) if isinstance(whom, str) else whom)
        else:
            self.by_day(who, verb, str(whom))

    def extend(self, at: int, until: int) -> None:
        """D-A1: the contestmaster moves the present stage's deadline, never into the past."""
        self.until_now(at)
        self.must(not self.over, until > self.now)
        self.until = until

    def undo_vote(self, at: int, who: str) -> None:
        """D-N42: eir last vote in what is voted on goes back to the one before it."""
        self.until_now(at)
        self.must(not self.over, who in self.alive, self.phase == "day", self.may_vote(who))
        mine = [n for n, (voter, _) in enumerate(self.cast) if voter == who]
        self.must(bool(mine))
        del self.cast[mine[-1]]
        self.votes[who] = self.cast[mine[-2]][1] if len(mine) > 1 else Nobody()

    def undo_choice(self, at: int, who: str, verb: str) -> None:
        """D-N42: eir last choice of the night counts as not done, so that the one before it stands again."""
        self.until_now(at)
        mine = [n for n, (actor, v, _) in enumerate(self.chose) if (actor, v) == (who, verb)]
        self.must(not self.over, self.phase == "night", bool(mine))
        whom = self.chose[mine[-1]][2]
        del self.chose[mine[-1]]
        self.choices.pop((who, verb), None)
        if len(mine) > 1:
            self.choices[who, verb] = self.chose[mine[-2]][2]
            self.drop_gone()
        self.without_choice(who, verb, whom)
        self.early()

    def drop_gone(self) -> None:
        """D-A3: whoever has left is nobody's victim, and has no voice."""
        self.choices = {(w, v): x for (w, v), x in self.choices.items()
                        if not (v == "attack" and {w, x} & self.gone) and not (v == "see" and w in self.gone)}

    def without_choice(self, who: str, verb: str, whom: str) -> None:
        """Let what followed from a choice be undone with it."""

    def act_for(self, at: int, who: str, verb: str, whom: str) -> None:
        """NC 1j is of nomic-crossing: elsewhere a night that lasts less than the week never comes so far."""
        self.until_now(at)
        raise NotAllowed

    def leave(self, at: int, who: str) -> None:
        """D-A2, D-A3: with ``stay`` e plays on, else e is dead, and has no voice in what several decide together."""
        self.until_now(at)
        if self.over or self.switches.get("departure", "kill") != "kill":
            return
        self.gone.add(who)
        if who not in self.alive:
            if self.phase == "night":
                self.early()
            return
        self.kill(who)
        if self.phase == "night":
            self.drop_gone()
            self.ask_without()
            if not self.ended():
                self.early()
        else:
            self.day_without(who)

    def ask_without(self) -> None:
        """D-A3: what those who are left ask together is answered."""

    def day_without(self, who: str) -> None:
        """Test at once what hangs on it that *who* is dead."""
        raise NotImplementedError

    def ended(self) -> bool:
        """Whether the session is over, which it is then."""
        raise NotImplementedError

    def substitute(self, at: int, old: str, new: str) -> None:
        """D-N41: somebody else takes over from one who lives."""
        self.until_now(at)
        self.must(not self.over, old in self.alive)
        self.rename(old, new)

    def rename(self, old: str, new: str) -> None:
        """Let all that is *old*'s be *new*'s."""
        for name, value in vars(self).items():
            if name not in ("log", "switches", "lot"):
                setattr(self, name, renamed(value, old, new))

    def by_night(self, who: str, verb: str, whom: str) -> None:
        """Take a choice of the night."""
        raise NotImplementedError

    def by_day(self, who: str, verb: str, whom: str) -> None:
        """Take what is said by day."""
        raise NotAllowed

    def by_ballot(self, who: str, ballot: Ballot) -> None:
        """Take a ballot, which is for one of the `options` if it is for somebody; nobody endorses emself."""
        self.must(self.may_vote(who))
        self.must(not isinstance(ballot, For) or ballot.whom in self.options())
        self.must(not isinstance(ballot, Endorse) or ballot.whom != who)
        self.votes[who] = ballot
        self.cast.append((who, ballot))

    def may_vote(self, who: str) -> bool:
        """Whether *who*, who lives, has a vote now."""
        raise NotImplementedError

    def options(self) -> list[str]:
        """Return what can be voted for now."""
        raise NotImplementedError

    def counted(self) -> dict[str, str]:
        """Return who of the living votes for which of the `options`, as the oracle has it."""
        options, living = self.options(), self.living()
        cast = {w: b for w, b in self.votes.items() if w in self.alive and not isinstance(b, Nobody)}
        if all(isinstance(b, For) for b in cast.values()):
            table: Mapping[str, str | None] = {w: b.whom for w, b in cast.items() if isinstance(b, For)}
        else:
            more = [x for x in options if x not in living]
            dead = tuple(w for w in self.seats if w not in self.alive)
            town = Town((*living, *more), dead, day=max(self.number, 1), now=self.now, own_votes=True,
                        verdicts=len(more))
            table, _ = oracle.resolve(town, cast)
        return {w: x for w in living if (x := table.get(w)) in options and x is not None}

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


def instants(value: Any) -> list[int]:
    """Return all instants that stand in *value*, UTC seconds."""
    if isinstance(value, (After, Before)):
        return [value.instant]
    if isinstance(value, dict):
        return [t for part in value.values() for t in instants(part)]
    if isinstance(value, (list, tuple)):
        return [t for part in value for t in instants(part)]
    if is_dataclass(value) and not isinstance(value, type):
        return [t for f in fields(value) for t in instants(getattr(value, f.name))]
    return []


def renamed(value: Any, old: str, new: str) -> Any:
    """Return *value* with *new* wherever *old* stands in it."""
    if isinstance(value, str):
        return new if value == old else value
    if isinstance(value, dict):
        return {renamed(k, old, new): renamed(v, old, new) for k, v in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return type(value)(renamed(part, old, new) for part in value)
    if is_dataclass(value) and not isinstance(value, type):
        return type(value)(*(renamed(getattr(value, f.name), old, new) for f in fields(value)))
    return value


def most(picks: Iterable[str]) -> list[str]:
    """Return what was picked most often, all of it if equally often."""
    given = list(picks)
    top = max((given.count(x) for x in given), default=0)
    return [x for x in dict.fromkeys(given) if given.count(x) == top]
