"""A referee of nomic-crossing, whose votes stand (see `referee`); `oracle` works out conditions by the letter."""

from __future__ import annotations

from collections.abc import Mapping

from nomicwolf.village.ballots import Ballot, Endorse, For, Nobody, Town
from tests.village import oracle
from tests.village.referee import NOBODY, NotAllowed, Referee, instants

DAWNS = (8 * 3600, 20 * 3600)
WEEK = 7 * 86400


class Crossing(Referee):
    """NC: no stages; days end with a lynching, nights with the slot after their last duty (D-N24)."""

    def open(self) -> None:
        """NC 2d, 7d: Cupid comes before the first day."""
        self.spent: set[str] = set()
        self.lovers: tuple[str, ...] = ()
        self.told_dead: list[str] = []
        self.shooter = self.chosen_by_all = self.slot = self.lynched = ""
        self.disclosed: dict[str, str] = {}
        self.casts: list[tuple[str, Ballot]] = []
        self.table: dict[str, str | None] = {}
        self.dawned = self.still_open = False
        self.done_at = 0
        self.phase, self.until = "setup", 0
        if not self.holders("cupid"):
            self.morning()

    def morning(self) -> None:
        """NC 3: votes begin as null."""
        self.phase, self.number = "day", self.number + 1
        self.say("phase", "day", self.number)
        self.casts, self.table, self.lynched, self.until, self.still_open = [], {}, "", 0, False

    def evening(self) -> None:
        """NC 4: the night's duties are open."""
        self.phase, self.choices, self.chosen_by_all, self.dawned = "night", {}, "", False
        self.chose = []
        self.say("phase", "night", self.number)
        self.began = self.now
        self.settle()

    def until_now(self, at: int) -> None:
        """Let a dawn come whose slot is reached, and each instant that a vote names."""
        while not self.over and (due := min([t for t in (self.until, *self.named()) if t], default=at + 1)) <= at:
            self.now = due
            if due == self.until:
                self.time_is_over()
            else:
                self.weigh()
        self.now = max(self.now, at)

    def named(self) -> list[int]:
        """Return the instants to come that votes name, while there is voting."""
        return [t for t in instants(self.standing()) if self.now < t] if self.voting() else []

    def voting(self) -> bool:
        """D-N12: until somebody is lynched, or with ``open`` until that is somebody who takes no Hunter along."""
        return self.phase == "day" and not self.over and (not self.lynched or self.still_open)

    def time_is_over(self) -> None:
        """The slot after the night's last duty: deaths, or their announcement once a Hunter has chosen."""
        self.until = 0
        if self.dawned:
            self.announce()
        else:
            self.dawn()

    def slot_after(self, at: int) -> int:
        """D-N24: the next slot after *at*."""
        return next(day * 86400 + s for day in range(at // 86400, at // 86400 + 2) for s in DAWNS
                    if day * 86400 + s > at)

    def owes(self) -> list[tuple[str, str]]:
        """NC 4a, 4b, 7: who still has to do what tonight."""
        if self.phase != "night" or self.dawned or self.over:
            return []
        owed = [] if self.chosen_by_all else [(w, "attack") for w in self.holders("werewolf")
                                              if (w, "attack") not in self.choices]
        if not self.chosen_by_all and not owed:
            owed = [(w, "attack") for w in self.holders("werewolf")]
        owed += [(w, "see") for w in self.holders("seer") if (w, "see") not in self.choices]
        if self.chosen_by_all:
            owed += [(w, v) for w in self.holders("witch") for v in ("heal", "poison")
                     if v not in self.spent and (w, v) not in self.choices]
        return owed

    def settle(self) -> None:
        """NC 4c: once all is done, the dawn is due at the next slot, or at once."""
        if self.phase == "night" and not self.dawned and self.chosen_by_all and not self.owes():
            self.due()

    def due(self) -> None:
        """Let the dawn, or its announcement, be due."""
        if self.switches.get("dawn") == "at once":
            self.time_is_over()
        else:
            self.until = self.slot_after(self.now)

    def deed(self, at: int, who: str, verb: str, whom: str | Ballot) -> None:
        """Take a night deed, Cupid's pair (``A B``) or a Hunter's shot."""
        self.until_now(at)
        self.must(not self.over, isinstance(whom, str))
        whom = str(whom)
        if verb == "shoot":
            self.must(who == self.shooter, whom in self.alive)
            self.shooter = ""
            self.choices[who, verb] = whom
            self.die([whom])
            self.after_deaths()
            return
        self.must(who in self.alive)
        if verb == "match":
            one, _, two = whom.partition(" ")
            self.must(self.phase == "setup", self.role[who] == "cupid", one != two, {one, two} <= self.alive)
            self.lovers = (one, two)
            self.morning()
            return
        self.must((who, verb) in self.may())
        self.by_night(who, verb, whom)

    def may(self) -> list[tuple[str, str]]:
        """Return who can do what tonight: a wolf can name another until all agree (D-N13)."""
        if self.phase != "night" or self.dawned:
            return []
        wolves = [] if self.chosen_by_all else [(w, "attack") for w in self.holders("werewolf")]
        return [*wolves, *(x for x in self.owes() if x[1] != "attack")]

    def by_night(self, who: str, verb: str, whom: str) -> None:
        """NC 4a, 7a, 7b."""
        victim = self.chosen_by_all
        if verb == "attack":
            self.must(whom in self.alive, self.role.get(whom) != "werewolf")
        elif verb == "see":
            self.must(whom in self.alive, whom != who)
            self.say("seen", whom, self.role[whom] == "werewolf")
        elif verb == "heal":
            self.must(whom in (victim, NOBODY))
        else:
            self.must(whom == NOBODY or (whom in self.alive and whom not in (who, victim)))
        if verb in ("heal", "poison") and whom != NOBODY:
            self.spent.add(verb)
        self.choices[who, verb] = whom
        self.chose.append((who, verb, whom))
        self.agree()
        self.settle()

    def undo_choice(self, at: int, who: str, verb: str) -> None:
        """D-N42: while no death depends on it; what the Witch answered to an attack is undone with that."""
        self.until_now(at)
        self.must(not self.dawned)
        super().undo_choice(at, who, verb)

    def without_choice(self, who: str, verb: str, whom: str) -> None:
        """Undo what all agreed on with it."""
        self.spent -= {verb} if whom != NOBODY else set()
        if verb == "attack" and self.chosen_by_all:
            self.chosen_by_all = ""
            for one in [c for c in self.chose if c[1] in ("heal", "poison")]:
                self.chose.remove(one)
                self.choices.pop(one[:2])
                self.spent -= {one[1]} if one[2] != NOBODY else set()
        self.until = 0
        self.drop_gone()
        self.agree()
        self.settle()

    def undo_vote(self, at: int, who: str) -> None:
        """D-N42: the vote before it stands again, unless that would condemn somebody."""
        self.until_now(at)
        mine = [n for n, (voter, _) in enumerate(self.casts) if voter == who]
        self.must(not self.over, self.phase == "day", not self.lynched, who in self.alive, bool(mine))
        before = self.casts.copy()
        del self.casts[mine[-1]]
        again = next((b for w, b in reversed(self.casts) if w == who), Nobody())
        self.must_not_condemn(before, who, again)
        self.weigh()

    def must_not_condemn(self, before: list[tuple[str, Ballot]], who: str, again: Ballot) -> None:
        """Refuse, with the votes as they were *before*, where *who*'s vote *again* would condemn somebody."""
        votes = self.come_to({**self.standing(), who: again})
        if any(2 * list(votes.values()).count(x) > len(self.alive) for x in self.living()):
            self.casts = before
            raise NotAllowed

    def agree(self) -> None:
        """NC 4a, D-N13: it is settled once all living werewolves name the same."""
        named = {self.choices.get((w, "attack"), "") for w in self.holders("werewolf")}
        if not self.chosen_by_all and len(named) == 1 and "" not in named:
            self.chosen_by_all = named.pop()

    def die(self, victims: list[str]) -> None:
        """Kill those, then Lovers; a Hunter among them chooses (NC 7c, 7d, D-N15)."""
        dying = set(victims) & self.alive
        if dying & set(self.lovers):
            dying |= set(self.lovers) & self.alive
        hunters = [w for w in self.holders("hunter") if w in dying]
        self.kill(*dying)
        if hunters and self.alive:
            self.shooter = hunters[0]

    def dawn(self) -> None:
        """NC 4a, 7b: the attacked, unless healed, and the poisoned."""
        self.dawned, self.dawn_at = True, self.now
        victim = self.chosen_by_all
        healed = victim in self.chosen("heal").values()
        self.die([*([] if healed else [victim]), *self.chosen("poison", nobody=False).values()])
        if self.over_before_the_shot():
            return
        if not self.shooter:
            self.announce()

    def after_deaths(self) -> None:
        """Go on once a Hunter has chosen: to the night, or to the dawn's announcement at its slot."""
        if self.shooter or self.over:
            return
        if self.phase == "day":
            if not self.ended():
                self.evening()
        elif not self.ended():
            if self.dawn_at == self.now:
                self.announce()
            else:
                self.due()

    def announce(self) -> None:
        """NC 4c: who was killed is told, and a day begins."""
        if not self.ended():
            self.morning()

    def vote(self, at: int, who: str, ballot: Ballot) -> None:
        """NC 3: change a vote; a plain one for oneself or the dead, and endorsing oneself, is refused (D-N27)."""
        self.until_now(at)
        self.must(self.voting(), who in self.alive)
        match ballot:
            case For(whom):
                self.must(whom in self.alive, whom != who)
            case Endorse(whom):
                self.must(whom != who, whom in self.seats)
        self.casts.append((who, ballot))
        self.weigh()

    def standing(self) -> dict[str, Ballot]:
        """Return each living voter's last ballot."""
        return {w: b for w, b in dict(self.casts).items() if w in self.alive}

    def weigh(self) -> None:
        """NC 3: whoever more than half of the townspersons vote for is lynched."""
        votes = self.come_to(self.standing())
        self.table = {w: votes[w] for w in self.living()}
        for whom in self.living():
            if 2 * list(self.table.values()).count(whom) > len(self.alive):
                self.lynched = whom
                self.say("lynched", whom)
                self.disclosed = {**self.disclosed, whom: (
                    "werewolf" if self.role[whom] == "werewolf" else "not a werewolf")}
                alone = not self.still_open
                self.die([whom])
                self.still_open = alone and bool(self.shooter) and self.switches.get("hunter_pause") == "open"
                if self.still_open:
                    self.weigh()
                if not self.over_before_the_shot():
                    self.after_deaths()
                return

    def come_to(self, ballots: Mapping[str, Ballot]) -> Mapping[str, str | None]:
        """NC 3, D-N16: return what *ballots* come to; with ``spared`` a Lover's for the other is null."""
        dead = tuple(w for w in self.seats if w not in self.alive)
        town = Town(tuple(self.living()), dead, self.disclosed, self.number, "day", self.now, {})
        votes, _ = oracle.resolve(town, ballots)
        love = [w for w in self.lovers if votes.get(w) in self.lovers and self.switches.get("lovers_vote") == "spared"]
        return self.come_to({**ballots, **dict.fromkeys(love, Nobody())}) if love else votes

    def over_before_the_shot(self) -> bool:
        """D-N17: with ``immediate`` the end is tested though a Hunter has to choose."""
        return self.over or (bool(self.shooter) and self.switches.get("parity") == "immediate" and self.ended())

    def leave(self, at: int, who: str) -> None:
        """D-N11: nothing, or a death without a shot, a grief or a pair; majorities and agreements are tested anew."""
        self.until_now(at)
        if self.switches.get("departure") != "kill" or self.over:
            return
        if who == self.shooter:
            self.shooter = ""
            self.after_deaths()
            return
        if who not in self.alive:
            return
        self.kill(who)
        before = self.lynched
        if self.voting() and self.casts:
            self.weigh()
        if self.over_before_the_shot() or self.shooter or self.lynched != before:
            return
        if self.phase == "night" and self.dawned:
            return
        if self.ended():
            return
        if self.phase == "setup" and not self.holders("cupid"):
            self.morning()
        elif self.phase == "night":
            named = {self.choices.get((w, "attack"), "") for w in self.holders("werewolf")}
            if not self.chosen_by_all and len(named) == 1 and named <= self.alive:
                self.agree()
            if self.chosen_by_all and not self.owes():
                self.due()

    def ended(self) -> bool:
        """NC 5a, 5b, 7d, D-N18, D-N19."""
        wolves = self.holders("werewolf")
        villagers = [w for w in self.living() if w not in wolves]
        if wolves and len(wolves) < len(villagers):
            return False
        evil = [w for w in self.seats if self.role[w] == "werewolf"]
        if wolves:
            won = evil
        elif villagers:
            won = villagers
        else:
            won = evil if self.switches.get("nobody_left", "werewolves") == "werewolves" else []
        if self.lovers and len({self.role[x] == "werewolf" for x in self.lovers}) == 2:
            both = set(self.lovers)
            won = [w for w in self.seats if (self.alive == both if w in both else w in won)]
        return self.end(won)

    def act_for(self, at: int, who: str, verb: str, whom: str) -> None:
        """NC 1j: for a townsperson who is REQUIRED to do it tonight and has not for seven days (D-N3)."""
        self.until_now(at)
        if (who, verb) not in self.owes() or who not in self.alive or self.now < self.began + WEEK:
            raise NotAllowed
        self.deed(at, who, verb, whom)
