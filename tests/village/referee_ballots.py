"""Referees of tabula and six-phases, whose days are ballots among nominees (see `referee`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tests.village.referee import HOUR, NOBODY, Referee, most

MAFIA = ("mafioso", "godfather")
POWERS = {"cop": "see", "doctor": "protect", "roleblocker": "block", "tracker": "track", "watcher": "watch",
          "vigilante": "shoot"}


class Tabula(Referee):
    """LT: two votes each day, and a night of special characters."""

    slain = ""
    nominees: Sequence[str] = ()
    electors: Sequence[str] = ()

    def one_by_one(self) -> bool:
        """D-T22: whether votes are given in turn now."""
        return self.switches.get("ballot_order") == "sequential" and self.stage in ("nominations", "ballot")

    def turn(self) -> str:
        """D-T22, D-T26: return whose turn it is, to the right of whom the pack killed last; '' if all have had it."""
        start = self.seats.index(self.slain) + 1 if self.slain else 0
        electors = self.seats if self.stage == "nominations" else self.electors
        order = [w for w in self.seats[start:] + self.seats[:start] if w in self.alive and w in electors]
        for place, who in enumerate(order, 1):
            if who not in self.votes and self.now < self.began + (self.until - self.began) * place // len(order):
                return who
        return ""

    def begin(self, stage: str, names: Iterable[str] = ()) -> None:
        """Remember when the stage began."""
        super().begin(stage, names)
        self.began = self.now

    def by_night(self, who: str, verb: str, whom: str) -> None:
        """LT 3a, 3c, 8c, 8d, 8g: choices that may be changed, but for the question and the Mythomaniac's chance."""
        role, other = self.role[who], whom == NOBODY or (whom in self.alive and whom != who)
        match role, verb:
            case "werewolf", "attack":
                self.must(self.number > 1 or self.switches.get("first_night_victim") == "player")
                self.must(whom in self.alive, self.role.get(whom) != "werewolf")
            case "seer", "see":
                self.must(not self.seen, other)
            case "bodyguard", "guard":
                self.must(self.number > 1, other)
            case "owl", "point":
                self.must(whom == NOBODY or whom in self.alive)
            case "mythomaniac", "point":
                self.must(self.number == 2, other, (who, verb) not in self.choices)
            case _:
                self.must(False)
        self.choices[who, verb] = whom
        asked = self.chosen("see")
        if verb == "see" and whom != NOBODY and all(asked.get(p) == whom for p in self.holders("seer")):
            self.answer(whom)

    def owes(self) -> list[tuple[str, str]]:
        """LT 3a, 3c, 8c, 8d, 8g."""
        later = self.number > 1
        victim = later or self.switches.get("first_night_victim") == "player"
        return [*((w, "attack") for w in self.holders("werewolf") if victim),
                *((w, "see") for w in self.holders("seer") if not self.seen),
                *((w, "guard") for w in self.holders("bodyguard") if later),
                *((w, "point") for w in self.holders("owl")),
                *((w, "point") for w in self.holders("mythomaniac") if self.number == 2)]

    def nightfall(self, number: int) -> None:
        """Begin a night in which the Seer has seen nothing yet."""
        self.seen = ""
        super().nightfall(number)

    def answer(self, whom: str) -> None:
        """Show the Seers what *whom* is."""
        self.seen = whom
        if whom != NOBODY:
            self.say("seen", whom, self.role[whom] == "werewolf")

    def time_is_over(self) -> None:
        """End the night, the nominations, the defence or the vote."""
        match self.stage:
            case "night":
                self.dawn()
            case "discussion":
                self.begin("nominations")
            case "nominations":
                self.nominate()
            case "defence":
                self.begin("ballot", [w for w in self.nominees if w in self.alive])
            case _:
                self.count()

    def dawn(self) -> None:
        """LT 4a, 8f: the pack's victim, unless guarded, and a Werehamster who was seen; then the Mythomaniac."""
        victim = self.together(self.chosen("attack").values())
        if not self.seen:
            self.answer(self.together(self.chosen("see", nobody=False).values()))
        dying = {x for x in (self.seen,) if self.role.get(x) == "werehamster"}
        if victim not in self.chosen("guard").values() and self.role.get(victim) != "werehamster":
            dying.add(victim)
            self.slain = victim if victim in self.alive else self.slain
        for who, whom in self.chosen("point", nobody=False).items():
            if self.role[who] == "mythomaniac" and who not in dying and self.role[whom] in ("seer", "werewolf"):
                self.role[who] = self.role[whom]
                self.say("turned", who)
        self.owl = next((x for w, x in self.chosen("point", nobody=False).items() if self.role[w] == "owl"), "")
        self.kill(*dying)
        if not self.ended():
            self.daybreak()
            self.begin("discussion" if self.switches.get("ballot_order") == "sequential" else "nominations")

    def ask_without(self) -> None:
        """D-A3: a question that those who are left agree on is asked at once."""
        asked = {self.chosen("see").get(p, NOBODY) for p in self.holders("seer")}
        if len(asked) == 1 and not self.seen and asked != {NOBODY}:
            self.answer(asked.pop())

    def without_choice(self, who: str, verb: str, whom: str) -> None:
        """LT 8g, D-T17: what those who see had been shown by all of them counts as not shown."""
        if verb == "see":
            self.seen = "" if self.seen == whom else self.seen
            self.ask_without()

    def may_vote(self, who: str) -> bool:
        """LT 5a, 5d: the nominated don't vote."""
        if self.one_by_one():
            return who == self.turn()
        return self.stage == "nominations" or (self.stage == "ballot" and who in self.electors)

    def options(self) -> list[str]:
        """LT 5a, 5d: return everybody, or the nominated."""
        return self.living() if self.stage == "nominations" else [w for w in self.nominees if w in self.alive]

    def day_without(self, who: str) -> None:
        """D-T7: the last of the nominated is lynched; without any there are new nominations."""
        if self.ended() or self.stage not in ("defence", "ballot") or who not in self.nominees:
            return
        left = self.options()
        if not left:
            self.begin("nominations")
        elif len(left) == 1:
            self.lynch(*left)

    def nominate(self) -> None:
        """LT 5b, 8d, D-T5, D-T6, D-T7, D-T9."""
        named = list(self.counted().values())
        first = most(named)
        if self.owl in self.alive and self.owl not in first:
            self.nominees = [*first, self.owl]
        elif len(first) == 1:
            self.nominees = [*first, *most(x for x in named if x not in first)]
        else:
            self.nominees = first or self.living()
        self.electors = [who for who in self.living() if who not in self.nominees]
        self.again = False
        self.say("nominated", tuple(sorted(self.nominees)))
        if len(self.nominees) == 1 or not self.electors or not (first or self.owl in self.alive):
            self.lynch(*self.nominees)
        else:
            self.begin("defence", self.nominees)

    def count(self) -> None:
        """LT 5d, 5e: a tie is voted on once more, and then drawn."""
        top = most(self.counted().values()) or self.options()
        if len(top) == 1 or self.again:
            self.lynch(*top)
            return
        self.again, self.nominees = True, top
        self.say("nominated", tuple(sorted(top)))
        self.begin("defence", top)

    def lynch(self, *tied: str) -> None:
        """Lynch one of *tied*."""
        self.kill(tied[0] if len(tied) == 1 else self.lot(tied))
        if not self.ended():
            self.nightfall(self.number + 1)

    def ended(self) -> bool:
        """LT 6a, 6b, 8b, 8f."""
        wolves, evil = self.holders("werewolf"), ("werewolf", "possessed")
        if wolves and 2 * len(wolves) < len(self.alive):
            return False
        if hamster := self.holders("werehamster"):
            return self.end(hamster)
        return self.end(who for who in self.seats if (
            self.role[who] in evil if wolves else self.role[who] not in (*evil, "werehamster")))


class SixPhases(Referee):
    """SP: sealed nominations, a trial, perhaps another, and a night of powers."""

    def open(self) -> None:
        """SP 0b: a short day for talk."""
        self.trials, self.accused = 0, ""
        self.daybreak()
        self.begin("discussion")
        self.until = self.now + max(1, HOUR * self.hours["defence"])
        self.log[-1] = (self.now, "stage", "discussion", self.until, ())

    def by_night(self, who: str, verb: str, whom: str) -> None:
        """SP 4, SP 5: each has one power, and may change eir mind."""
        mafioso = self.role[who] in MAFIA
        self.must(verb == ("attack" if mafioso else POWERS.get(self.role[who])), whom == NOBODY or whom in self.alive)
        self.must(whom == NOBODY or (self.role[whom] not in MAFIA if mafioso else whom != who))
        self.choices[who, verb] = whom

    def owes(self) -> list[tuple[str, str]]:
        """SP 4, SP 5."""
        return [(w, "attack" if self.role[w] in MAFIA else POWERS[self.role[w]]) for w in self.living()
                if self.role[w] in MAFIA or self.role[w] in POWERS]

    def may_vote(self, who: str) -> bool:
        """SP 2a, 2c, 3b."""
        return self.stage in ("nominations", "ballot", "verdict")

    def options(self) -> list[str]:
        """SP 2a, 2c, 3b: return who can be tried, or is tied, or the verdicts."""
        if self.stage == "verdict":
            return ["guilty", "innocent"]
        return [w for w in (self.tied if self.stage == "ballot" else self.seats) if w in self.alive]

    def day_without(self, who: str) -> None:
        """D-A2: without the accused there is no trial; while e speaks last there is only talk then."""
        if self.ended() or who != self.accused or not (
                self.stage in ("defence", "verdict", "last words") or self.debated()):
            return
        if self.stage == "last words":
            self.begin("closing")
        else:
            self.begin("discussion" if self.trials == 1 else "closing")

    def time_is_over(self) -> None:
        """End the night, or a stage of the day."""
        match self.stage:
            case "night":
                self.dawn()
            case "discussion" if not self.number:
                self.nightfall(1)
            case "discussion" if self.debated():
                self.begin("verdict", [self.accused])
            case "discussion":
                self.tied: list[str] = []
                self.begin("nominations")
            case "nominations" | "ballot":
                self.nominate()
            case "defence":
                self.begin("discussion", [self.accused])
                self.until = self.now + max(1, HOUR * self.hours["defence"])
                self.log[-1] = (self.now, "stage", "discussion", self.until, (self.accused,))
            case "verdict":
                self.judge()
            case "last words":
                self.execute()
            case _:
                self.nightfall(self.number + 1)

    def nominate(self) -> None:
        """SP 2b, 2c, D-M2, D-M3."""
        top = most(self.counted().values()) or (self.options() if self.stage == "ballot" else [])
        if not top:
            self.begin("closing")
        elif len(top) > 1 and self.stage == "nominations":
            self.tied = top
            self.begin("ballot", top)
        else:
            self.accused = top[0] if len(top) == 1 else self.lot(top)
            self.trials += 1
            self.say("tried", self.accused)
            self.begin("defence", [self.accused])

    def judge(self) -> None:
        """SP 3c, 3d, D-M5, D-M14, D-M19."""
        said = [(v, 2 if self.role[w] == "mayor" else 1) for w, v in self.counted().items()]
        if sum(n for v, n in said if v == "guilty") > sum(n for v, n in said if v == "innocent"):
            if hours := int(self.switches.get("last_words", "12")):
                self.hours = {**self.hours, "last words": hours}
                self.begin("last words", [self.accused])
            else:
                self.execute()
            return
        self.say("acquitted", self.accused)
        self.begin("discussion" if self.trials == 1 else "closing")

    def execute(self) -> None:
        """SP 3c, 3e."""
        self.kill(self.accused)
        if not self.ended():
            self.begin("closing")

    def debated(self) -> bool:
        """SP 3a: return whether the talk that is on is about the accused."""
        return self.stage == "discussion" and self.heard

    def begin(self, stage: str, names: Iterable[str] = ()) -> None:
        """SP 3a: talk that is about somebody is about the accused, whom all have heard."""
        self.heard = stage == "discussion" and bool(names)
        super().begin(stage, names)

    def hindered(self) -> set[str]:
        """Return who is kept from acting: those who only block one another in a ring are, all of them (D-M8)."""
        blocks = self.chosen("block", nobody=False)
        free, stopped = set[str](), set[str]()
        for _ in blocks:
            free |= {w for w in blocks if all(b in stopped for b, x in blocks.items() if x == w)}
            stopped |= {blocks[b] for b in free}
        return stopped | (blocks.keys() - free)

    def dawn(self) -> None:
        """SP 4 to 6, D-M7, D-M8: what hinders, what protects, kills."""
        still = self.hindered()
        picks = [x for w, x in self.chosen("attack").items() if w not in still]
        one = self.switches.get("mafia_picks") != "each"
        shot = {self.together(picks)} if one else set(picks)
        shot |= {x for w, x in self.chosen("shoot").items() if w not in still}
        safe = {x for w, x in self.chosen("protect").items() if w not in still}
        self.kill(*shot - safe)
        if not self.ended():
            self.trials = 0
            self.daybreak()
            self.begin("discussion")

    def ended(self) -> bool:
        """SP 0d, D-M10, D-M11."""
        evil = self.holders(*MAFIA)
        town = [who for who in self.living() if self.role[who] not in (*MAFIA, "neutral")]
        if evil and town:
            return False
        side = MAFIA if evil else tuple({r for r in self.role.values() if r not in (*MAFIA, "neutral")})
        return self.end(who for who in self.seats if (evil or town) and self.role[who] in side)
