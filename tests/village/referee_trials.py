"""Referees of gadianton and narrated-mafia, whose days are accusations and verdicts (see `referee`)."""

from __future__ import annotations

from nomicwolf.village.ballots import Ballot
from tests.village.referee import NOBODY, NotAllowed, Referee

MAFIA = ("mafioso", "godfather")


class Trials(Referee):
    """Somebody accuses, another seconds; of several the one is tried first of whom was spoken first."""

    defended = True

    def morning(self) -> None:
        """Begin the day with the time for accusations (GA 5a, NM 7a)."""
        self.daybreak()
        self.accusers: dict[str, set[str]] = {}
        self.seconds: dict[str, set[str]] = {}
        self.order: list[str] = []
        self.trial, self.safe, self.tried = "", set[str](), set[str]()
        self.begin("discussion")
        self.day_ends = self.until

    def by_day(self, who: str, verb: str, whom: str) -> None:
        """Accuse, second, or give a verdict."""
        self.must(verb in ("accuse", "second"), whom in self.alive, whom != who, whom not in self.safe,
                  whom != self.trial, not self.too_late())
        said = self.accusers if verb == "accuse" else self.seconds
        self.must(verb == "accuse" or bool(self.accusers.get(whom, set()) - {who}))
        said.setdefault(whom, set()).add(who)
        self.order += [whom] if whom not in self.order else []
        self.try_next()

    def by_ballot(self, who: str, ballot: Ballot) -> None:
        """Take a verdict, and weigh them all."""
        super().by_ballot(who, ballot)
        self.weigh()

    def undo_vote(self, at: int, who: str) -> None:
        """D-N42: not where the vote before it would condemn."""
        self.until_now(at)
        before = self.cast.copy(), self.votes.copy()
        super().undo_vote(at, who)
        if 2 * list(self.counted().values()).count("guilty") > len(self.alive):
            self.cast, self.votes = before
            raise NotAllowed
        self.weigh()

    def hour_comes(self) -> None:
        """D-V9: verdicts that hang on it are weighed then."""
        if self.stage == "ballot":
            self.weigh()

    def may_vote(self, who: str) -> bool:
        """GA 5e, NM 7b: in the vote all the living."""
        return self.stage == "ballot"

    def options(self) -> list[str]:
        """Return the verdicts."""
        return ["guilty", "innocent"]

    def day_without(self, who: str) -> None:
        """D-A2: the trial of one who has left is off; the others' verdicts may be enough now."""
        if self.trial == who:
            if not self.ended():
                self.go_on()
            return
        day = self.number
        if self.stage == "ballot":
            self.weigh()
        if not self.over and (self.phase, self.number) == ("day", day):
            self.ended()

    def too_late(self) -> bool:
        """Whether nobody can be accused any more today."""
        return False

    def waiting(self) -> list[str]:
        """Return who has been seconded by enough others than an accuser (GA 5c, D-C1)."""
        needed = int(self.switches.get("call_threshold", "1"))
        return [x for x in self.order if x in self.alive and any(
            len(self.seconds.get(x, set()) - {a}) >= needed for a in self.accusers.get(x, ()))]

    def try_next(self) -> None:
        """Begin the next trial, unless one is on or nobody waits (D-G11)."""
        if self.trial or not self.waiting():
            return
        self.trial, self.began = self.waiting()[0], self.now
        self.first = self.trial not in self.tried
        self.tried.add(self.trial)
        self.order.remove(self.trial)
        self.seconds.pop(self.trial)
        self.say("tried", self.trial)
        self.begin("defence" if self.defended else "ballot", [self.trial])

    def weigh(self) -> None:
        """Convict once more than half of the living say guilty, acquit once all have spoken (D-G10, D-C2)."""
        verdicts = self.counted()
        if 2 * list(verdicts.values()).count("guilty") > len(self.alive):
            self.kill(self.trial)
            if not self.ended():
                self.nightfall(self.number + 1)
        elif self.alive <= verdicts.keys():
            self.acquit()

    def acquit(self) -> None:
        """Let the day go on after a vote that failed."""
        self.say("acquitted", self.trial)
        if self.defended:
            self.safe.add(self.trial)
        self.go_on()

    def go_on(self) -> None:
        """Let the day go on without the present trial."""
        self.trial = ""
        self.begin("discussion")
        if not self.ended():
            self.try_next()

    def time_is_over(self) -> None:
        """End the night, the day, the defence or the vote."""
        match self.stage:
            case "night":
                self.dawn()
            case "discussion":
                self.nightfall(self.number + 1)
            case "defence":
                self.begin("ballot", [self.trial])
            case _:
                self.acquit()

    def dawn(self) -> None:
        """Let happen what was chosen by night."""
        raise NotImplementedError

class Gadianton(Trials):
    """GA: a card is shown of each of the dead, and the acquitted are safe for the day."""

    def by_night(self, who: str, verb: str, whom: str) -> None:
        """GA 3i, 3ii: a victim, which may be changed; one question."""
        if self.role[who] == "gadianton":
            self.must(verb == "attack", whom == NOBODY or whom in self.alive)
            self.must(whom != NOBODY or self.switches.get("must_kill") != "on")
            self.must(whom == NOBODY or self.role[whom] != "gadianton")
        else:
            self.must(self.role[who] == "prophet", verb == "see", (who, "see") not in self.choices,
                      whom == NOBODY or whom in self.alive)
            if whom != NOBODY:
                self.say("seen", whom, self.role[whom] == "gadianton")
                if self.switches.get("answer_aloud") == "on":
                    self.say("aloud", "yes" if self.role[whom] == "gadianton" else "no")
        self.choices[who, verb] = whom

    def owes(self) -> list[tuple[str, str]]:
        """GA 3i, 3ii."""
        return [*((w, "attack") for w in self.holders("gadianton")), *((w, "see") for w in self.holders("prophet"))]

    def dawn(self) -> None:
        """GA 4a, D-G4, D-G21: those who must kill and named nobody have one named for them by lot."""
        named = self.chosen("attack")
        prey = [w for w in self.living() if self.role[w] != "gadianton"]
        silent = [w for w in self.holders("gadianton") if named.get(w, NOBODY) == NOBODY]
        drawn = [self.lot(prey) for _ in silent] if self.switches.get("must_kill") == "on" else []
        self.kill(self.together([*named.values(), *drawn]))
        if not self.ended():
            self.morning()

    def ended(self) -> bool:
        """GA 6a, 6b, D-G12."""
        evil = self.holders("gadianton")
        if evil and len(self.alive) - len(evil) > len(evil):
            return False
        return self.end(who for who in self.seats if (self.role[who] == "gadianton") == bool(evil))


class Narrated(Trials):
    """NM: no card is shown, the Doctor brings back the dead, and a vote that fails takes none of the day's time."""

    defended = False
    mornings: tuple[object, ...] = ()
    used: frozenset[tuple[str, str]] = frozenset()
    again = 0

    def nightfall(self, number: int) -> None:
        """Begin a night: whoever is dead now can come back (D-C6)."""
        self.dead = [who for who in self.seats if who not in self.alive]
        self.answered = False
        super().nightfall(number)

    def by_night(self, who: str, verb: str, whom: str) -> None:
        """NM 5b to 5d: a victim from the second night on, the policemen's question, somebody to come back."""
        role = self.role[who]
        if role in MAFIA:
            self.must(verb == "attack", self.number > 1, whom == NOBODY or whom in self.alive)
            self.must(whom == NOBODY or self.role[whom] not in MAFIA)
        elif role == "policeman":
            self.must(verb == "see", not self.answered, whom == NOBODY or whom in self.alive)
        else:
            self.must(role == "doctor", verb == "revive", bool(self.back()), whom in (*self.back(), NOBODY))
        self.choices[who, verb] = whom
        asked = self.chosen("see")
        if verb == "see" and whom != NOBODY and all(asked.get(p) == whom for p in self.holders("policeman")):
            self.answer(whom)

    def owes(self) -> list[tuple[str, str]]:
        """NM 5b to 5d."""
        return [*((w, "attack") for w in self.holders(*MAFIA) if self.number > 1),
                *((w, "see") for w in self.holders("policeman") if not self.answered),
                *((w, "revive") for w in self.holders("doctor") if self.back())]

    def back(self) -> list[str]:
        """D-A2: return who can come back, of whom nobody has left."""
        return [who for who in self.dead if who not in self.gone]

    def ask_without(self) -> None:
        """D-A3: a question that those who are left agree on is asked at once."""
        asked = {self.chosen("see").get(p, NOBODY) for p in self.holders("policeman")}
        if len(asked) == 1 and not self.answered and asked != {NOBODY}:
            self.answer(asked.pop())

    def without_choice(self, who: str, verb: str, whom: str) -> None:
        """NM 3d: what the policemen had been shown by all of them counts as not shown."""
        if verb == "see":
            self.answered = self.answered and self.asked != whom
            self.ask_without()

    def answer(self, whom: str) -> None:
        """Answer the policemen, once a night."""
        self.answered, self.asked = True, whom
        if whom != NOBODY:
            self.say("seen", whom, self.role[whom] == "mafioso")

    def dawn(self) -> None:
        """NM 6: who died, then who is back; then the end is tested (D-C9)."""
        victim = self.together(self.chosen("attack").values())
        if not self.answered:
            self.answer(self.together(self.chosen("see", nobody=False).values()))
        self.kill(victim)
        for who in dict.fromkeys(self.chosen("revive", nobody=False).values()):
            if who in self.gone:
                continue
            self.alive.add(who)
            self.say("revived", who)
        if not self.ended():
            self.morning()
            self.stand_still()

    def stand_still(self) -> None:
        """D-C11: a draw after so many mornings in a row that bring back who lives, used a power, and acted."""
        acted = frozenset(who for (who, _), whom in self.choices.items() if whom != NOBODY)
        self.used |= {choice for choice, whom in self.choices.items() if whom != NOBODY}
        position = frozenset(self.alive), frozenset(self.used), acted
        self.again = self.again + 1 if position in self.mornings else 0
        self.mornings = (*self.mornings, position)
        if int(self.switches.get("stalemate", "5")) in range(1, self.again + 1):
            self.end(())

    def extend(self, at: int, until: int) -> None:
        """D-C17: the contestmaster may move the day's deadline."""
        super().extend(at, until)
        if self.stage == "discussion":
            self.day_ends = until

    def too_late(self) -> bool:
        """D-C17: during a first vote on somebody the day's time stands still."""
        return bool(self.trial) and not self.first and self.now >= self.day_ends

    def go_on(self) -> None:
        """D-C17: what a first vote has taken is added to the day, and whoever waits is still tried."""
        self.trial = ""
        self.day_ends += self.now - self.began if self.first else 0
        if self.day_ends > self.now:
            self.begin("discussion")
            self.until = self.day_ends
            self.log[-1] = (self.now, "stage", "discussion", self.until, ())
            if self.ended():
                return
        self.try_next()
        if not self.trial and self.day_ends <= self.now:
            self.nightfall(self.number + 1)

    def ended(self) -> bool:
        """NM 8: no civilian, or no mafioso."""
        evil = self.holders(*MAFIA)
        if evil and len(evil) < len(self.alive):
            return False
        side = None if not self.alive else bool(evil)
        return self.end(who for who in self.seats if (self.role[who] in MAFIA) == side)
