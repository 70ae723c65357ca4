"""A question that several ask together by night: about whom all name, or else about whom most of them name."""

from __future__ import annotations

from nomicwolf.dataclass import dataclass
from nomicwolf.village.events import Chose, Event, Killed, NightClosed, Seen, Told, Undone
from nomicwolf.village.game import Game
from nomicwolf.village.laws.ties import most
from nomicwolf.village.laws.voices import NOBODY, tell_others, unanimous, voices
from nomicwolf.village.notices import JOINT_QUESTION
from nomicwolf.village.rules import Duty, Events, Rule, whenever
from nomicwolf.village.words import Allows, another, each_night

SEE = "see"


@dataclass(frozen=True, slots=True)
class Question:
    """What the living holders of *role* ask: whether somebody is of the side *evil*; its roles *blind* pass for others.

    *answer* is how they are told, with ``{who}`` and ``{negation}`` in it.
    """

    role: str
    evil: str
    answer: str
    blind: tuple[str, ...] = ()

    def answered(self, game: Game) -> bool:
        """Return whether it has been answered in this night."""
        return any(game.roles[seen.by] == self.role for seen in game.now(Seen))

    def look(self, game: Game, whom: str, by: str) -> list[Event]:
        """Return what *by*, who asks for all of them, sees of *whom*."""
        return [Seen(by, whom, game.sides[whom] == self.evil and game.roles[whom] not in self.blind)]


def ask_together(
    question: Question, *, says: str, cites: tuple[str, ...], allows: Allows = another,
) -> tuple[Duty, tuple[Rule, ...]]:
    """Return the duty and rules by which those who hold a role ask one question together, and all hear the answer.

    They are answered as soon as all who live name the same; else each is told what another names, and the most named is
    asked about when the night closes. *says* is what it does, for letters; *allows* is about whom they may ask.
    """
    duty = Duty(
        SEE, lambda game, me: each_night(game, me) and not question.answered(game), allows, may_pass=True, again=True,
        changeable=True, cites=cites, says=f"{SEE} NAME: {says}",
    )
    return duty, (*_agreeing(question, cites), *_deciding(question, cites))


def _agreeing(question: Question, cites: tuple[str, ...]) -> tuple[Rule, ...]:
    """Return the rules by which they are answered at once: as soon as all name the same, also as one has left."""
    role = question.role

    @whenever(Chose, *cites)
    def agree(game: Game, event: Chose) -> Events:
        if event.verb != SEE or game.roles[event.who] != role:
            return None
        whom = unanimous(game, SEE, role)
        return question.look(game, whom, event.who) if whom else tell_others(JOINT_QUESTION, event, game.living(role))

    def agree_without(game: Game, event: Killed | Undone) -> Events:
        tested = isinstance(event, Undone) or event.cause == "departure"
        whom = unanimous(game, SEE, role) if tested and game.phase == "night" else ""
        return question.look(game, whom, game.living(role)[0]) if whom and not question.answered(game) else None

    return agree, whenever(Killed, *cites, "D-A3")(agree_without), whenever(Undone, *cites, "D-N42")(agree_without)


def _deciding(question: Question, cites: tuple[str, ...]) -> tuple[Rule, ...]:
    """Return the rules by which the most named is looked at when the night closes, and all are told the answer."""
    role = question.role

    @whenever(NightClosed, *cites)
    def decide(game: Game, event: NightClosed) -> Events:
        named = {p: w for p, w in voices(game, SEE, role).items() if w != NOBODY}
        if not named or question.answered(game):
            return None
        whom, drawn = most(game, f"{SEE} {role}, night {game.number}", named.values())
        return [*drawn, *question.look(game, whom, min(named))]

    @whenever(Seen, *cites)
    def tell(game: Game, event: Seen) -> Events:
        if game.roles[event.by] != role:
            return None
        text = question.answer.format(who=event.who, negation="" if event.evil else "not ")
        return [Told(p, "seen", text, (event.who,)) for p in game.living(role)]

    return decide, tell
