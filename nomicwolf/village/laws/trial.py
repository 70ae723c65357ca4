"""Sealed nominations, a run-off and a trial.

A failed first trial leads to a second.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from nomicwolf.village.events import (
    Acquitted,
    Announced,
    BallotsOpened,
    ClockStruck,
    Event,
    Lynched,
    Nominated,
    PhaseBegan,
    StageBegan,
    Tried,
)
from nomicwolf.village.game import Game
from nomicwolf.village.laws.phases import about, begin, deadline, nightfall, quiet_day, ran_out
from nomicwolf.village.laws.verdicts import GUILTY, INNOCENT, VERDICTS, ballot_duty, count, votes_for
from nomicwolf.village.lots import public_lot
from nomicwolf.village.rules import Duty, Events, Law, Owed, Rule, Switch, always, listed, whenever

TRIAL = "trial"
LAST_WORDS = "last words"
ON_TRIAL = ("defence", "discussion", "verdict", LAST_WORDS)
"""The stages that can be about somebody who is on trial; free discussion is where it follows eir defence (SP 3a)."""
SWITCH = Switch("last_words", (), "D-M14", "hours in which the condemned may send a last letter; 0 means none", "12",
                form=r"\d{1,4}", like="a whole number of hours, 0 for none")
SILENCE = {
    "nominations": "Nothing is discussed until the nominations are opened.",
    "defence": "Until the defence is over only the accused speaks.",
}
"""SP 2d, SP 3a, D-M17: when players are asked to be silent; mail can't hold them to it, and posts are no deeds."""


def nominable(game: Game) -> tuple[str, ...]:
    """Return who can be nominated: the living, whoever was tried before (D-M6, D-M18); in a run-off the tied (D-M3)."""
    return tuple(p for p in about(game) if p in game.alive) if game.stage == "ballot" else game.living()


def choosing(game: Game, me: str) -> bool:
    """Open in the nominations and their run-off, to the living."""
    return game.phase == "day" and game.stage in ("nominations", "ballot") and me in game.alive


def judging(game: Game, me: str) -> bool:
    """D-M4: open in the verdict to the living, the accused included."""
    return game.phase == "day" and game.stage == "verdict" and me in game.alive


def condemned(game: Game, me: str) -> bool:
    """D-M14: open to the condemned until e is executed."""
    return game.phase == "day" and game.stage == LAST_WORDS and me in about(game) and me in game.alive


def speak_last(game: Game, me: str, words: str) -> Events:
    """D-M14: one letter, published with the execution."""
    return [Announced(LAST_WORDS, f"The last words of {me}: {words}", (me,)), Lynched(me)]


def opened_ballots(game: Game, options: tuple[str, ...]) -> tuple[dict[str, list[str]], Event]:
    """Return who votes for each of *options*, and the opening of all ballots with their names (D-M1)."""
    table = count(game, options)
    votes = tuple((p, v if (v := table.values.get(p)) in options else None) for p in game.living())
    return votes_for(game, table, options), BallotsOpened(votes)


def trial(trials: int, *, nominate: tuple[str, ...], verdict: tuple[str, ...]) -> Law:
    """Return the law; there are at most *trials* on a day (D-M5)."""

    @whenever(PhaseBegan, *nominate)
    def open_day(game: Game, event: PhaseBegan) -> Events:
        if event.phase != "day":
            return None
        return [begin(game, "discussion", lasts="defence" if event.number == 0 else "")]

    @whenever(ClockStruck, *verdict)
    def go_on(game: Game, event: ClockStruck) -> Events:
        closes = CLOSES.get(game.stage)
        return closes(game, trials) if closes and ran_out(game, event, game.stage) else None

    duties = (
        ballot_duty(choosing, nominable, sealed=True, public=False, cites=nominate,
                    says="vote NAME: nominate somebody for trial, sealed until the deadline"),
        ballot_duty(judging, lambda game: VERDICTS, sealed=True, public=False, cites=verdict,
                    says="guilty or innocent: your verdict, sealed until the deadline"),
        Duty("say", condemned, owed=False, arity=0, hears=speak_last, speech=True,
             cites=("SP 3c", "D-M14"), says="say: TEXT, your last words, published with your execution"),
    )
    return Law(TRIAL, duties, (open_day, go_on, *_endings(trials, verdict)), deadline, describes=(
        "All nominate in secret, and the ballots are opened together. Whoever is named most is tried; more votes for "
        "guilty than for innocent execute em. After a first trial without execution there is a second."
    ))


def _endings(trials: int, verdict: tuple[str, ...]) -> tuple[Rule, ...]:
    """Return the rules on silence, on an accused who dies before eir trial is over, and on the end of the day."""

    @whenever(StageBegan, "D-M17")
    def ask_for_silence(game: Game, event: StageBegan) -> Events:
        words = SILENCE.get(event.stage) if game.phase == "day" else None
        return [Announced("silence", words)] if words else None

    @always(*verdict)
    def drop_the_dead(game: Game, owed: Owed) -> Events:
        free = game.stage == "discussion" and not about(game)
        gone = game.stage in ON_TRIAL and not free and not set(about(game)) & game.alive
        if game.phase != "day" or not gone or game.now(Lynched):
            return None
        return [begin(game, "closing") if game.stage == LAST_WORDS else go_back(game, trials)]

    @always(*verdict)
    def talk_once_more(game: Game, owed: Owed) -> Events:
        """SP 3e, D-M5: an execution ends the voting of the day, which ends with its last free discussion."""
        executed = game.phase == "day" and game.now(Lynched) and game.stage != "closing"
        return [begin(game, "closing")] if executed else None

    return ask_for_silence, drop_the_dead, talk_once_more


def close_discussion(game: Game, trials: int) -> list[Event]:
    """SP 0b: the short first day ends; after a defence all judge (SP 3b); else the nominations begin."""
    if about(game):
        return [begin(game, "verdict", about(game))]
    return list(nightfall(game)) if game.number == 0 else [begin(game, "nominations")]


def close_defence(game: Game, trials: int) -> list[Event]:
    """SP 3a: when the accused has spoken all may discuss it, before anybody votes."""
    return [begin(game, "discussion", about(game), lasts="defence")]


def go_back(game: Game, trials: int) -> Event:
    """SP 3d, D-M5: after a trial without an execution on to a second one, or to the day's end."""
    return begin(game, "discussion" if len(game.now(Tried)) < trials else "closing")


def close_nominations(game: Game, trials: int) -> list[Event]:
    """Open the nominations: one on trial, a run-off among the tied, then a lot; nobody named, nobody tried (D-M2)."""
    run_off = game.stage == "ballot"
    options = nominable(game)
    votes, opened = opened_ballots(game, options)
    top = max(map(game.votes_of, votes.values()), default=0)
    tied = tuple(p for p in options if game.votes_of(votes[p]) == top)
    if not top and not (run_off and options):
        return [opened, begin(game, "closing")]
    if len(tied) > 1 and not run_off:
        return [opened, Nominated(tied), begin(game, "ballot", tied)]
    held = len(game.now(Tried)) + 1
    who, drawn = public_lot(game, f"trial {held}, day {game.number}", sorted(tied))
    return [opened, *drawn, Tried(who), begin(game, "defence", (who,))]


def close_verdict(game: Game, trials: int) -> list[Event]:
    """Open the verdicts: more guilty than innocent condemn, and there may be time for last words (D-M14)."""
    who = about(game)[0]
    votes, ballots = opened_ballots(game, VERDICTS)
    counts = weight(game, votes[GUILTY]), weight(game, votes[INNOCENT])
    opened = (ballots, *with_second_verdicts(game, votes, counts))
    if counts[0] <= counts[1]:
        return [*opened, Acquitted(who), go_back(game, trials)]
    hours = int(game.switches.get(SWITCH.name, SWITCH.usual))
    found = Announced("verdict", f"{who} is found guilty.", (who,))
    return [*opened, found, StageBegan(LAST_WORDS, game.clock + 3600 * hours, (who,)) if hours else Lynched(who)]


def with_second_verdicts(
    game: Game, votes: Mapping[str, Sequence[str]], counts: tuple[int, int]
) -> tuple[Event, ...]:
    """D-M19: where the outcome hangs on a second vote, tell the *counts* with it: guilty and innocent."""
    guilty, innocent = counts
    if (guilty > innocent) == (game.votes_of(votes[GUILTY]) > game.votes_of(votes[INNOCENT])):
        return ()
    held = _twice(game, (p for option in VERDICTS for p in votes[option]))
    titles = tuple(dict.fromkeys(f"the {game.cards[game.roles[p]].title}'s" for p in held))
    return (Announced("count", f"With {listed(titles)} second vote: {GUILTY} {guilty}, {INNOCENT} {innocent}."),)


def weight(game: Game, voters: Sequence[str]) -> int:
    """Return how many votes *voters* have in a trial: of some the verdict counts twice."""
    return game.votes_of(voters) + game.votes_of(_twice(game, voters))


def _twice(game: Game, voters: Iterable[str]) -> list[str]:
    return [p for p in voters if game.traits(p).verdict]


CLOSES: Mapping[str, Callable[[Game, int], list[Event]]] = {
    "discussion": close_discussion,
    "nominations": close_nominations,
    "ballot": close_nominations,
    "defence": close_defence,
    "verdict": close_verdict,
    LAST_WORDS: lambda game, trials: [Lynched(who) for who in about(game)],
    "closing": lambda game, trials: list(quiet_day(game)),
}
"""What the end of each stage brings; free discussion is SP 1, after a defence SP 3a, and at the day's end SP 3e."""
