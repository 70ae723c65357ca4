"""Trials: after accusations, or after sealed nominations.

`accusation`: an accusation, seconds, a defence, a vote in which more than half of the living convict. `trial`: sealed
nominations, a run-off and a sealed verdict; a failed first trial leads to a second.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from nomicwolf.village.events import (
    ACCUSATIONS,
    CONDITION,
    Acquitted,
    Announced,
    BallotsOpened,
    ClockStruck,
    Counted,
    Declared,
    Event,
    Extended,
    Killed,
    Lynched,
    Nominated,
    PhaseBegan,
    Published,
    StageBegan,
    Tried,
    Voted,
)
from nomicwolf.village.game import Game
from nomicwolf.village.laws.majority import (
    GUILTY,
    INNOCENT,
    VERDICTS,
    ballot_duty,
    condition_alarm,
    rejudge,
    stage_count,
    votes_for,
)
from nomicwolf.village.laws.phases import about, begin, deadline, night_after_lynching, nightfall, quiet_day, ran_out
from nomicwolf.village.lots import public_lot
from nomicwolf.village.rules import Duty, Events, Law, Owed, Rule, Switch, always, another, listed, whenever

ACCUSATION = "accusation"
"""The name of the law."""


def on_trial(game: Game) -> str:
    """Return whom the present trial is of, '' if there is none."""
    return next(iter(about(game)), "") if game.phase == "day" else ""


def awake(game: Game, me: str) -> bool:
    """Open by day, to the living; a conviction ends the day at once."""
    return game.phase == "day" and me in game.alive


def accusers(game: Game, it: str) -> set[str]:
    """Return who has accused *it* today."""
    return {d.who for d in game.now(Declared, verb="accuse") if it in d.what}


def seconded(game: Game, it: str) -> bool:
    """Return whether an accusation of *it* has as many seconds, by others than its accuser, as it needs (D-C1)."""
    them = {d.who for d in game.since(_tried_mark(game, it), Declared, verb="second") if it in d.what}
    return len(them) >= needed(game) and any(len(them - {who}) >= needed(game) for who in accusers(game, it))


def _tried_mark(game: Game, it: str) -> int:
    tried = [e.number for e in game.lines_now(Tried, who=it)]
    return max(tried, default=game.phase_mark)


def needed(game: Game) -> int:
    """Return how many seconds bring an accusation to a vote (D-C1; one by GA 5c)."""
    return int(game.switches.get("call_threshold", "1"))


def waiting(game: Game) -> list[str]:
    """Return who is to be tried next: those seconded often enough, in the order of their accusations (D-G11).

    Whoever has been tried comes last, in the order of what was said against them since.
    """
    said = [(e.number, e.event.what) for e in game.lines_now(Declared) if isinstance(e.event, Declared)]
    order = dict.fromkeys(w for number, names in said for w in names if number > _tried_mark(game, w))
    return [w for w in order if w in game.alive and w != on_trial(game) and seconded(game, w)]


def closes(game: Game) -> int:
    """Return when today's time for accusations is over (UTC seconds), as it was announced or extended; 0 if not yet.

    While somebody is voted on for the first time today that time stands still (D-C17).
    """
    until, stage, since = 0, "", 0
    said = sorted((*game.lines_now(StageBegan), *game.lines_now(Extended)), key=lambda e: e.number)
    for entry in said:
        if isinstance(entry.event, StageBegan):
            stage, since = entry.event.stage, entry.at
        if stage == "discussion" and isinstance(entry.event, (StageBegan, Extended)):
            until = entry.event.until
    return until + game.clock - since if until and _stands_still(game) else until


def _stands_still(game: Game) -> bool:
    tried = [e.who for e in game.now(Tried)]
    return game.stage == "ballot" and tried.count(tried[-1]) == 1


def instants(game: Game, owed: Owed) -> Iterable[tuple[int, str]]:
    """Return when the stage ends, and in a vote also the next instant before that which a verdict's condition names."""
    yield from deadline(game, owed)
    if game.phase == "day" and game.stage == "ballot":
        yield from condition_alarm(game)


def alarms(game: Game, owed: Owed) -> Iterable[tuple[int, str]]:
    """Return the same, and in a vote also when nobody can be accused any more today (D-C17)."""
    yield from instants(game, owed)
    if game.phase == "day" and game.stage == "ballot" and not _stands_still(game) and closes(game) > game.clock:
        yield closes(game), ACCUSATIONS


def go_back(game: Game, *, once: bool) -> list[Event]:
    """Return what follows a trial that came to nothing: with *once* there is time for accusations anew (GA 5f).

    Else the day's deadline stands, but for the time that first votes take (D-C17): those who were seconded before it
    are still tried, and then night falls.
    """
    until = closes(game)
    if once or not until:
        return [begin(game, "discussion")]
    if until > game.clock:
        return [StageBegan("discussion", until)]
    return put_on_trial(game, defence=False) if waiting(game) else list(quiet_day(game))


def put_on_trial(game: Game, *, defence: bool) -> list[Event]:
    """Return the beginning of the next trial of those who wait."""
    who = waiting(game)[0]
    return [Tried(who), begin(game, "defence" if defence else "ballot", (who,))]


def accusation(
    *, once: bool, defence: bool, accuse: tuple[str, ...], second: tuple[str, ...], verdict: tuple[str, ...]
) -> Law:
    """Return the law; *once*: the acquitted are safe for the day (GA 5f); *defence*: there is time for one (GA 5d).

    *accuse*, *second* and *verdict* are the clauses on these.
    """
    duties = (*_accusing(accuse, second, once=once), ballot_duty(
        lambda game, me: awake(game, me) and game.stage == "ballot", lambda game: VERDICTS, cites=verdict,
        says="guilty or innocent: your verdict; it can be changed until the vote closes",
        silence="If you don't, that counts as not guilty: more than half of the living convict."))
    rules = _rules(second, verdict, once=once, defence=defence)
    heard = "the accused is heard, and then all the living vote" if defence else "all the living vote"
    again = "" if once else (
        " The first vote on a player takes nothing of the day's time, a further one on em does; whoever was seconded in"
        " time is still voted on.")
    return Law(ACCUSATION, duties, rules, instants if once else alarms, late, describes=(
        f"A player accuses another. When somebody else seconds it, {heard}; more than half of them convict.{again}"))


def _accusing(accuse: tuple[str, ...], second: tuple[str, ...], *, once: bool) -> tuple[Duty, Duty]:
    """Return the duties of accusing somebody and of seconding that, by these clauses."""

    def accusable(game: Game, me: str, it: str) -> str:
        """D-G18: nobody accuses themself."""
        if why := another(game, me, it):
            return why
        if once and game.now(Acquitted, who=it):
            return f"{it} was acquitted today and can't be accused again before tomorrow."
        return f"{it} is on trial already." if it == on_trial(game) else ""

    def accused(game: Game, me: str, it: str) -> str:
        if why := accusable(game, me, it):
            return why
        if not accusers(game, it):
            return f"Nobody has accused {it}."
        return "" if accusers(game, it) - {me} else "An accusation is seconded by somebody else than its accuser."

    def only_accused(game: Game, me: str) -> tuple[str, ...]:
        found = tuple(p for p in game.living() if not accused(game, me, p))
        return found if len(found) == 1 else ()

    def in_time(game: Game, me: str) -> bool:
        return awake(game, me) and (once or game.stage == "discussion" or not 0 < closes(game) <= game.clock)

    return (
        Duty("accuse", in_time, accusable, owed=False, again=True, public=True, spoken=True, cites=accuse,
             says="accuse NAME: it comes to a vote when somebody seconds it"),
        Duty("second", in_time, accused, optional=only_accused, owed=False, again=True, public=True, spoken=True,
             cites=second, says="second NAME: bring an accusation to a vote"),
    )


def _rules(
    cites: tuple[str, ...], verdict: tuple[str, ...], *, once: bool, defence: bool
) -> tuple[Rule, ...]:
    """Return the rules of the day: the floor opens, the seconded are tried in turn, each stage ends at its time."""

    @whenever(PhaseBegan, *cites)
    def open_floor(game: Game, event: PhaseBegan) -> Events:
        return [begin(game, "discussion")] if event.phase == "day" else None

    @always(*cites)
    def try_next(game: Game, owed: Owed) -> Events:
        if game.phase != "day" or game.stage != "discussion" or not waiting(game):
            return None
        return put_on_trial(game, defence=defence)

    @whenever(ClockStruck, *cites)
    def go_on(game: Game, event: ClockStruck) -> Events:
        if ran_out(game, event, "discussion"):
            return quiet_day(game)
        if ran_out(game, event, "defence"):
            return [begin(game, "ballot", about(game))]
        return give_verdict(game, closing=True, once=once) if ran_out(game, event, "ballot") else None

    @always(*cites)
    def drop_the_dead(game: Game, owed: Owed) -> Events:
        gone = on_trial(game)
        return go_back(game, once=once) if gone and gone not in game.alive and not game.now(Lynched) else None

    return open_floor, try_next, go_on, *_weighing(verdict, once=once), drop_the_dead, night_after_lynching(*verdict)


def _weighing(verdict: tuple[str, ...], *, once: bool) -> tuple[Rule, ...]:
    """Return the rules by which verdicts are weighed: with each one given or condition met, and when a voter leaves."""

    def weigh(game: Game, event: Event) -> Events:
        overtakes = isinstance(event, Voted) and event.overtakes
        other = isinstance(event, ClockStruck) and event.what != CONDITION
        return None if overtakes or other else give_verdict(game, closing=False, once=once)

    @whenever(Killed, *verdict, "D-A2")
    def weigh_without(game: Game, event: Killed) -> Events:
        return weigh_again(game, event, once=once)

    return (*(whenever(kind, *verdict)(weigh) for kind in (Voted, Published, ClockStruck)), weigh_without)


def late(game: Game, voted: Voted | None, at: int) -> tuple[int, Sequence[Event]] | None:
    """Return the conviction that *voted*, cast at *at* and heard only now, brings about at its instant (D-A8)."""
    who = on_trial(game)
    if game.stage != "ballot" or not who or game.now(Lynched) or voted is None:
        return None
    return rejudge(game, who, voted, at)


def weigh_again(game: Game, event: Killed, *, once: bool) -> list[Event] | None:
    """D-A2: with a voter fewer, who has left, the verdicts may already decide."""
    decided = event.cause != "departure" or event.who == on_trial(game) or game.now(Lynched)
    return None if decided else give_verdict(game, closing=False, once=once)


def give_verdict(game: Game, *, closing: bool, once: bool) -> list[Event] | None:
    """Convict once more than half of the living say guilty; acquit when all have voted, or the time is over."""
    who = on_trial(game)
    if game.stage != "ballot" or not who:
        return None
    table = stage_count(game, VERDICTS)
    votes = votes_for(game, table, VERDICTS)
    living, guilty = game.living(), game.votes_of(votes[GUILTY])
    enough = table.majority
    changed = tuple((p, table.values.get(p)) for p in living if game.table.get(p) != table.values.get(p))
    counts = tuple((o, game.votes_of(votes[o])) for o in VERDICTS if votes[o])
    news: list[Event] = [Counted(changed, counts, enough)] if changed else []
    if guilty >= enough:
        return [*news, Lynched(who)]
    if closing or len(votes[GUILTY]) + len(votes[INNOCENT]) == len(living):
        return [*news, Acquitted(who), *go_back(game, once=once)]
    return news


TRIAL = "trial"
LAST_WORDS = "last words"
ON_TRIAL = ("defence", "discussion", "verdict", LAST_WORDS)
"""The stages that can be about somebody who is on trial; free discussion is where it follows their defence (SP 3a)."""
LAST_WORDS_SWITCH = Switch(
    "last_words", (), "D-M14", "hours in which the condemned may send a last letter; 0 means none", "12",
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
    """D-M14: open to the condemned until they are executed."""
    return game.phase == "day" and game.stage == LAST_WORDS and me in about(game) and me in game.alive


def speak_last(game: Game, me: str, words: str) -> Events:
    """D-M14: one letter, published with the execution."""
    return [Announced(LAST_WORDS, f"The last words of {me}: {words}", (me,)), Lynched(me)]


def opened_ballots(game: Game, options: tuple[str, ...]) -> tuple[dict[str, list[str]], Event]:
    """Return who votes for each of *options*, and the opening of all ballots with their names (D-M1)."""
    table = stage_count(game, options)
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
    """Return the rules on silence, on an accused who dies before their trial is over, and on the end of the day."""

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
        return [begin(game, "closing") if game.stage == LAST_WORDS else next_trial(game, trials)]

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


def next_trial(game: Game, trials: int) -> Event:
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
        return [*opened, Acquitted(who), next_trial(game, trials)]
    hours = int(game.switches.get(LAST_WORDS_SWITCH.name, LAST_WORDS_SWITCH.usual))
    found = Announced("verdict", f"{who} is found guilty.", (who,))
    return [*opened, found, StageBegan(LAST_WORDS, game.clock + 3600 * hours, (who,)) if hours else Lynched(who)]


def with_second_verdicts(
    game: Game, votes: Mapping[str, Sequence[str]], counts: tuple[int, int]
) -> tuple[Event, ...]:
    """D-M19: where the outcome depends on a second vote, tell the *counts* with it: guilty and innocent."""
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
