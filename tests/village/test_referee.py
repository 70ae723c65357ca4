"""Whole games before the rules and before a referee who knows nothing of them: they agree on all that happens."""

from __future__ import annotations

import os
import random
from collections.abc import Mapping

import pytest

from nomicwolf.village.ballots import After, Ballot, Before, Condition, Endorse, For, If, Nobody
from nomicwolf.village.events import Removed
from nomicwolf.village.rules import Refusal
from tests.village import towns
from tests.village.beside import Beside
from tests.village.games import HOUR, Play
from tests.village.referee import NOBODY, NotAllowed, Referee, renamed
from tests.village.referee_ballots import POWERS, SixPhases, Tabula
from tests.village.referee_trials import Gadianton, Narrated

GAMES = max(20, int(os.environ.get("NOMICWOLF_EXAMPLES", "50")))
STEPS = 120
NAMES = ("Ash", "Bex", "Cam", "Dov", "Eli", "Fay", "Gus", "Hal", "Ida", "Jon", "Kim", "Lea")
REFEREES: Mapping[str, type[Referee]] = {
    "gadianton": Gadianton, "narrated-mafia": Narrated, "six-phases": SixPhases, "tabula": Tabula}
FIXED = {
    "gadianton": "gadianton gadianton prophet nephite nephite nephite nephite nephite",
    "narrated-mafia": "mafioso civilian civilian", "six-phases": "mafioso townie townie",
    "tabula": "werewolf werewolf seer villager villager villager villager villager",
}
MAYBE = {
    "gadianton": "prophet nephite gadianton",
    "narrated-mafia": "mafioso godfather policeman policeman policeman doctor doctor mason",
    "six-phases": "mafioso godfather cop doctor roleblocker roleblocker roleblocker vigilante mayor miller neutral",
    "tabula": "medium possessed bodyguard owl werehamster mythomaniac",
}
ALL = {"dawn": ("08:00, 20:00", "at once"), "departure": ("kill", "stay"),
       "deadlines": ("72, 48, 24, 48, 72", "1, 2, 3, 2, 1", "30, 0, 12, 20, 10", "2, 1, 0, 1, 9")}
SWITCHES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "gadianton": {"must_kill": ("off", "on"), "answer_aloud": ("off", "on"), **ALL},
    "narrated-mafia": {"call_threshold": ("1", "2"), "stalemate": ("5", "2", "0"), **ALL},
    "six-phases": {"mafia_picks": ("plurality", "each"), "last_words": ("0", "12"), **ALL},
    "tabula": {"first_night_victim": ("moderator", "player"), "ballot_order": ("open", "sequential"), **ALL},
}
BY_NIGHT = {
    "gadianton": "attack", "prophet": "see", "mafioso": "attack", "godfather": "attack", "policeman": "see",
    "werewolf": "attack", "seer": "see", "bodyguard": "guard", "owl": "point", "mythomaniac": "point", **POWERS,
}


def attempt(
    name: str, referee: Referee, chance: random.Random, *, wild: float, verdicts: float = 1
) -> tuple[str, str, str]:
    """Return what somebody tries by the rule set *name*, mostly something that e may do.

    *wild* is how often it is anybody at all, *verdicts* how often a verdict is given where one is asked for.
    """
    living, odd = referee.living() or list(referee.seats), chance.random() < wild
    who, whom = chance.choice(referee.seats if odd else living), chance.choice(referee.seats if odd else living)
    if referee.phase == "night":
        actors = [w for w in living if referee.role[w] in BY_NIGHT]
        who = who if odd or not actors else chance.choice(actors)
        verb = BY_NIGHT.get(referee.role[who], "see")
        whom = chance.choice(living[:3]) if chance.random() < 0.6 else whom
        if name == "narrated-mafia" and referee.role[who] == "doctor":
            verb, whom = "revive", chance.choice(referee.seats)
        return who, verb, NOBODY if chance.random() < 0.1 else whom
    if name in ("gadianton", "narrated-mafia") and referee.stage != "ballot":
        return who, chance.choice(["accuse", "second", "second"]), chance.choice(referee.seats[:4])
    if isinstance(referee, Tabula) and referee.one_by_one() and chance.random() < 0.7:
        who = referee.turn() or who
    judged = referee.stage in ("ballot", "verdict") and name != "tabula"
    if judged and (verdicts == 1 or chance.random() < verdicts) and not (
            referee.stage == "ballot" and name == "six-phases"):
        return who, "vote", chance.choice(["guilty", "guilty", "innocent"])
    return who, "vote", chance.choice(living[:3]) if chance.random() < 0.7 else whom


def an_hour(chance: random.Random, now: int) -> Condition:
    """Return a condition that names an instant, which often comes within the stage or is just *now*."""
    at = now + chance.choice([-HOUR, 0, 1, 60, 660, HOUR, 5 * HOUR, 24 * HOUR])
    either: list[Condition] = [After(at), Before(at)]
    return chance.choice(either)


def soft_ballot(chance: random.Random, living: list[str], options: list[str], now: int) -> Ballot:
    """Return a ballot that follows another's, or hangs on an hour or some's votes, and comes to some of *options*."""
    few, names = chance.sample(living, min(len(living), 3)), chance.sample(options, min(len(options), 2))
    if chance.random() < 0.3:
        return Endorse(chance.choice(living))
    found = towns.about_votes(chance, "ABCDE"[:len(few) + len(names)])
    for letter, name in zip("ABCDE", few + names, strict=False):
        found = renamed(found, letter, name)
    if chance.random() < 0.3:
        found = an_hour(chance, now)
    branches: list[Ballot] = [*map(For, names), *map(Endorse, few), Nobody()]
    return If(found, chance.choice(branches), chance.choice(branches))


class Match(Beside):
    """One random game, move by move before both."""

    def __init__(self, name: str, number: int) -> None:
        super().__init__(name)
        self.chance = random.Random(f"{name} {number}")
        deck = FIXED[name].split() + [r for r in MAYBE[name].split() if self.chance.random() < 0.55]
        deck = deck[:len(NAMES)]
        self.chance.shuffle(deck)
        cast = dict(zip(NAMES, deck, strict=False))
        switches = {k: self.chance.choice(v) for k, v in SWITCHES[name].items()}
        self.play = Play(" ".join(f"{w}:{r}" for w, r in cast.items()), name, switches)
        self.note(self.play.news)
        self.referee = REFEREES[name](cast, switches, HOUR, self.lot)
        self.compare("the beginning")

    def move(self) -> None:
        """Let time pass, now and then to the end of the stage or nearly so, and let somebody do something."""
        r, c = self.referee, self.chance
        left = r.until - r.now
        late = [max(left - 60, 0), left, left, left + 60, 5 * HOUR]
        at = r.now + c.choice(late if c.random() < 0.12 else [0, 60, 600])
        while (alarm := self.play.rules.alarm(self.play.game)) and alarm[0] <= at:
            self.play.game, news = self.play.rules.strike(self.play.game, *alarm)
            self.note(news)
        r.until_now(at)
        self.compare(f"time passes to {at}")
        if c.random() < 0.02:
            self.leaves(at, c.choice(r.seats))
            return
        deed = (at, *self.deed())
        assert self.allowed(*deed) == self.refereed(*deed), deed
        self.compare(deed)

    def leaves(self, at: int, who: str) -> None:
        """Let *who* leave the contract (D-A2, D-A3)."""
        if not self.play.game.over:
            self.play.game, news = self.play.rules.settle(self.play.game, at, (Removed(who, "left"),), (), "letter")
            self.note(news)
        self.referee.leave(at, who)
        self.compare((at, who, "leaves"))

    def deed(self) -> tuple[str, str, str | Ballot]:
        """Return what somebody tries: a ballot may follow another's, or hang on what others say."""
        who, verb, whom = attempt(self.name, self.referee, self.chance, wild=0.15, verdicts=0.9)
        soft = sum(not isinstance(b, For) for b in self.referee.votes.values())
        if verb != "vote" or soft > 2 or self.chance.random() < 0.7:
            return who, verb, whom
        return who, verb, soft_ballot(
            self.chance, self.referee.living(), self.referee.options() or [whom], self.referee.now)

    def allowed(self, at: int, who: str, verb: str, whom: str | Ballot) -> bool:
        """Whether the rules let it happen."""
        rules, game = self.play.rules, self.play.game
        try:
            if verb == "vote" or not isinstance(whom, str):
                ballot = For(whom) if isinstance(whom, str) else whom
                self.play.game, news = rules.cast(game, at, who, verb, ballot, key=(at, game.next))
            elif whom == NOBODY:
                self.play.game, news = rules.act(game, at, who, verb, passing=True)
            else:
                self.play.game, news = rules.act(game, at, who, verb, (whom,))
        except Refusal:
            return False
        self.note(news)
        return True

    def refereed(self, at: int, who: str, verb: str, whom: str | Ballot) -> bool:
        """Whether the referee lets it happen."""
        try:
            self.referee.deed(at, who, verb, whom)
        except NotAllowed:
            return False
        return True


@pytest.mark.parametrize("name", sorted(REFEREES))
def test_a_referee_sees_the_same_game(name: str) -> None:
    """Deaths, returns, trials, nominations, what Seers see, phases, stages to the second, winners, lots, refusals."""
    for number in range(GAMES):
        match = Match(name, number)
        for _ in range(STEPS):
            if match.referee.over:
                break
            match.move()
        assert match.play.game.over == match.referee.over, number
