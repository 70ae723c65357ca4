"""Sessions played at random, for properties: whatever is open is done by somebody, and time passes."""

from __future__ import annotations

import random
from typing import TypeAlias

from nomicwolf.village.ballots import Ballot, Endorse, For, If, Nobody, Votes
from nomicwolf.village.events import Chose, Entry, Event, Extended, Opened, Removed, Replaced
from nomicwolf.village.game import Game
from nomicwolf.village.kernel import Ruleset, with_switches
from nomicwolf.village.rules import Duty, Refusal
from nomicwolf.village.rulesets import ruleset

LISTS: dict[str, list[tuple[str, ...]]] = {
    "nomic-crossing": [("seer", "witch", "hunter", "cupid"), ()],
    "gadianton": [()],
    "tabula": [("medium", "possessed", "bodyguard", "owl", "freemason", "freemason", "werehamster", "mythomaniac"),
               ("owl", "werehamster"), ()],
    "six-phases": [("mafioso", "mafioso", "cop", "doctor", "roleblocker", "tracker", "watcher", "vigilante", "medium"),
                   ("mafioso", "neutral", "mayor", "godfather", "roleblocker")],
    "narrated-mafia": [("mafioso", "mafioso", "godfather", "policeman", "policeman", "doctor", "mason", "mason"),
                       ("mafioso", "doctor")],
}
STEPS = 1500


def opened(rules: Ruleset, n: int, seed: str, roles: tuple[str, ...], switches: dict[str, str]) -> Game:
    """A session of *n* players that has just begun."""
    names = [f"p{i}" for i in range(n)]
    if switches.get("dealt_by_moderator") == "on":
        by_lot = {k: v for k, v in switches.items() if k != "dealt_by_moderator"}
        roles = tuple(f"{p}={r}" for p, r in rules.deal(names, roles, seed, by_lot)[0])
    dealt, drawn = rules.deal(names, roles, seed, switches)
    deal = tuple((p, r, rules.roles[r].side) for p, r in dealt)
    event = Opened(rules.name, 1, seed, deal, with_switches(rules, switches))
    return rules.settle(Game(), 1, (event, *drawn), (), "command")[0]


Step: TypeAlias = tuple[Game, tuple[Entry, ...]]


class Chance:
    """A session of the rule set *name* that chance *number* has dealt, and how it goes on."""

    def __init__(self, name: str, number: int) -> None:
        self.random, self.rules = random.Random(number), ruleset(name)
        roles = self.random.choice(LISTS[name])
        self.switches = {s.name: self.random.choice(s.values) for s in self.rules.switches
                         if s.values and self.random.random() < 0.3}
        n = self.random.randint(max(self.rules.smallest, len(roles) + 3), max(12, len(roles) + 4))
        self.unrest = self.random.choice((0.0, 0.01, 0.05, 0.15))
        self.heirs = 0
        self.game = opened(self.rules, n, str(number), roles, self.switches)
        self.stays = 0
        self.record: list[Entry] = list(self.game.entries)

    def take(self, step: Step) -> None:
        """Let *step* have been made; the record keeps what happened by the names that it had then, as a ledger does."""
        self.game, new = step
        self.record += new

    def play(self, steps: int = STEPS) -> Game:
        """Make moves until it is over or *steps* have been made; a day without a deadline is then brought to an end."""
        for _ in range(steps):
            if self.game.over:
                break
            self.move()
        for _ in range(steps):
            if self.game.over or steps < STEPS:
                break
            self.agree() if self.game.phase == "day" and self.rules.name == "nomic-crossing" else self.move()
        return self.game

    def agree(self) -> None:
        """Let all vote for one, and do what the lynching asks for."""
        whom = self.game.living()[-1]
        for who in [p for p in self.game.living() if p != whom]:
            if any(d.pins for d in self.rules.duties(self.game, who)):
                self.take(self.rules.cast(self.game, self.game.clock + 1, who, "vote", For(whom)))
            if whom not in self.game.alive:
                break
        if not self.game.over:
            self.move()

    def move(self) -> None:
        """Let someone do something that is open, or time pass to the next alarm."""
        rules, game = self.rules, self.game
        open_now = [(p, d) for p in game.seats for d in rules.duties(game, p)]
        alarm = rules.alarm(game)
        assert open_now or alarm, f"stuck in {game.phase} {game.stage}"
        if alarm and alarm[0] <= game.clock + 1:
            self.take(rules.strike(game, *alarm))
        elif self.random.random() < self.unrest:
            self.random.choice((self.depart, self.substitute, self.extend))()
        elif alarm and (not open_now or self.random.random() < (0.08 if game.phase == "night" else 0.25)):
            self.take(rules.strike(game, *alarm))
        elif open_now:
            quiet = [x for x in open_now if not x[1].hears]
            open_now = quiet if quiet and self.random.random() < 0.95 else open_now
            owed = [x for x in open_now if x[1].owed]
            self.act(*self.random.choice(owed if owed and self.random.random() < 0.8 else open_now))

    def depart(self) -> None:
        """Let someone leave in mid-session: mostly one of the living, who may have left before if that kills nobody."""
        whom = self.random.choice(self.game.living() if self.random.random() < 0.9 else self.game.seats)
        self.order(Removed(whom, self.random.choice(("left", "removed"))))

    def substitute(self) -> None:
        """Let someone new take the place of one who lives, or who is dead and still owes a choice (D-N41)."""
        owing = [who for who, _ in self.rules.owed(self.game)]
        self.heirs += 1
        self.order(Replaced(self.random.choice((*self.game.living(), *owing)), f"heir {self.heirs}"))

    def extend(self) -> None:
        """Let the contestmaster move the deadline of a stage, by a second or by days (X-18)."""
        if self.game.stage:
            self.order(Extended(self.game.clock + 1 + self.random.choice((1, 3600, 86_400))))

    def order(self, event: Event) -> None:
        """Let *event* be the contestmaster's, a second from now or in this very second."""
        at = self.game.clock + self.random.randint(0, 1)
        self.take(self.rules.settle(self.game, at, (event,), (), "command"))

    def act(self, who: str, duty: Duty) -> None:
        """Let *who* do *duty* as it allows; nothing happens if there is nobody to name."""
        rules, game, at = self.rules, self.game, self.game.clock + 1
        if duty.hears:
            self.take(rules.speak(game, at, who, duty.verb, "hello"))
        elif duty.pins:
            self.vote(who, duty.verb)
        else:
            options = rules.options(game, who, duty)
            passes = duty.may_pass and not (duty.must and duty.must(game))
            declines = self.random.random() < (0.8 if duty.verb == "revive" else 0.2)
            if len(options) >= duty.arity and not (passes and declines):
                self.take(rules.act(game, at, who, duty.verb, self.named(duty, options)))
            elif passes:
                self.take(rules.act(game, at, who, duty.verb, passing=True))
            else:
                assert not duty.owed, f"{who} owes {duty.verb} and has nobody to name"

    def named(self, duty: Duty, options: tuple[str, ...]) -> tuple[str, ...]:
        """Whom a duty is done to: mostly whom others have named, so that packs agree."""
        others = [c.what for c in self.game.now(Chose, verb=duty.verb) if c.what and set(c.what) <= set(options)]
        if others and self.random.random() < 0.7:
            return others[-1]
        return tuple(self.random.sample(options, duty.arity))

    def vote(self, who: str, verb: str) -> None:
        """Cast a ballot, mostly for one whom many vote for; what can't be voted for is refused."""
        living = self.game.living()
        common = [n for n in ("guilty", living[0], living[-1]) for _ in range(4)]
        a, b, c = (self.random.choice((*common, "innocent", *living)) for _ in range(3))
        ballots: list[Ballot] = [*(For(a) for _ in range(8)), Endorse(a), Nobody(), If(Votes(a, b), For(c), Endorse(b))]
        try:
            self.take(self.rules.cast(self.game, self.game.clock + 1, who, verb, self.random.choice(ballots)))
        except Refusal:
            self.stays += 1
