"""Nominations and ballot, turn by turn if chosen.

LT 5a: “clockwise, beginning to the right of the last one slaughtered”.

All name somebody, the most named are nominated, and those who are not decide between them. Where the contest says so,
they vote one after the other, and each is asked in turn (D-T22).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from nomicwolf.village.ballots import instant_text
from nomicwolf.village.events import (
    CONDITION,
    TURN,
    Announced,
    BallotsOpened,
    Chose,
    ClockStruck,
    Counted,
    Event,
    Lynched,
    Nominated,
    PhaseBegan,
    StageBegan,
    Told,
    Voted,
)
from nomicwolf.village.game import Game
from nomicwolf.village.laws.majority import (
    VOTING,
    ballot_duty,
    condition_alarm,
    in_turn,
    one_by_one,
    order,
    stage_count,
    turns,
    votes_for,
    whose,
)
from nomicwolf.village.laws.phases import begin, deadline, night_after_lynching, ran_out
from nomicwolf.village.lots import public_lot
from nomicwolf.village.rules import Events, Law, Owed, Rule, always, listed, whenever

YOUR_TURN = "turn"
"""The topic of what one is told when their turn comes."""


def asked(game: Game, me: str, out: tuple[str, ...]) -> bool:
    """D-T22: whether *me* can vote now: always, or where votes come in turn if it is theirs."""
    return not one_by_one(game) or whose(game, out)[0] == me


def turn_alarms(game: Game, out: tuple[str, ...]) -> Iterable[tuple[int, str]]:
    """Return when the turns end, where votes come in turn."""
    if one_by_one(game):
        yield from ((at, TURN) for at in turns(game, len(order(game, out))) if at > game.clock)


def call_up(out: Callable[[Game], tuple[str, ...]], cites: tuple[str, ...]) -> tuple[Rule, ...]:
    """Return the rules by which the order is announced with the stage, and each is asked when their turn comes."""

    @whenever(StageBegan, *cites)
    def tell_the_order(game: Game, event: StageBegan) -> Events:
        if not one_by_one(game):
            return None
        names = tuple(order(game, out(game)))
        return [Announced("the order", f"All vote in turn, and have the same time each: {listed(names)}.", names)]

    @always(*cites)
    def ask(game: Game, owed: Owed) -> Events:
        who, until = whose(game, out(game)) if one_by_one(game) else ("", 0)
        if not who or game.since(game.mark(StageBegan), Told, to=who, topic=YOUR_TURN):
            return None
        said = f"It is your turn to vote, until {instant_text(until)}; then the next one is asked."
        return [Told(who, YOUR_TURN, said)]

    return tell_the_order, ask


def nominees(game: Game) -> tuple[str, ...]:
    """Return who is nominated now."""
    found = since_first_round(game)
    return tuple(p for p in found[-1].names if p in game.alive) if found else ()


def first_nominees(game: Game) -> tuple[str, ...]:
    """Return who was nominated in the latest first round: they take no part in any ballot that follows (D-T8)."""
    found = since_first_round(game)
    return found[0].names if found else ()


def since_first_round(game: Game) -> list[Nominated]:
    """Return the nominations of today's latest first round, and of the ballots that repeat it."""
    rounds = [e.number for e in game.lines_now(StageBegan, stage="nominations")]
    return game.since(rounds[-1], Nominated) if rounds else game.now(Nominated)


def naming(game: Game, me: str) -> bool:
    """Open in the first round, to the living."""
    return game.phase == "day" and game.stage == "nominations" and me in game.alive and asked(game, me, ())


def deciding(game: Game, me: str) -> bool:
    """LT 5d: open in the ballot, to those who are not nominated."""
    out = first_nominees(game)
    return (game.phase == "day" and game.stage == "ballot" and me in game.alive and me not in out
            and asked(game, me, out))


def out_now(game: Game) -> tuple[str, ...]:
    """Return who of the living has no vote in the present stage."""
    return () if game.stage == "nominations" else first_nominees(game)


def alarms(game: Game, owed: Owed) -> Iterable[tuple[int, str]]:
    """Return when the stage ends, where votes come in turn when the present turn does, and what conditions name."""
    yield from deadline(game, owed)
    yield from turn_alarms(game, out_now(game))
    if game.phase == "day" and game.stage in VOTING:
        yield from condition_alarm(game)


def owls_choice(game: Game) -> str:
    """D-T10: return whom the Owl named last night, '' if that person is dead."""
    nights = [e.number for e in game.lines(PhaseBegan, phase="night")]
    chosen = [c for c in game.since(nights[-1], Chose, verb="point") if game.roles[c.who] == "owl"] if nights else []
    named = chosen[-1].what if chosen else ()
    return named[0] if named and named[0] in game.alive else ""


def nominated(game: Game, votes: dict[str, list[str]], owl: str) -> tuple[str, ...]:
    """Return the nominees in seat order (D-T5, D-T6); the *owl*'s choice, or else all the living, if nobody was named.

    Without an Owl, or a choice of theirs, *owl* is ''.
    """
    ranks = sorted({game.votes_of(v) for v in votes.values() if v}, reverse=True)
    if not ranks:
        return (owl,) if owl else game.living()
    first = [p for p in game.living() if game.votes_of(votes.get(p, ())) == ranks[0]]
    second = [p for p in game.living() if len(ranks) > 1 and game.votes_of(votes.get(p, ())) == ranks[1]]
    more = [owl] if owl and owl not in first else second if len(first) == 1 else []
    return tuple(p for p in game.living() if p in {*first, *more})


def owl_named(game: Game, votes: dict[str, list[str]]) -> list[Event]:
    """LT 8d, D-T27: whom the Owl chose is told with the votes, also where that changes nothing."""
    owl = owls_choice(game)
    changes = nominated(game, votes, owl) != nominated(game, votes, "")
    how = "nominated by that" if changes else "nominated anyway"
    return [Announced("the Owl's choice", f"The Owl chose {owl}, who is {how}.", (owl,))] if owl else []


def counted(
    game: Game, options: tuple[str, ...], out: tuple[str, ...] = ()
) -> tuple[dict[str, list[str]], list[Event]]:
    """Return who votes for each of *options*, and the record of the count in speaking order, without those *out*."""
    table = stage_count(game, options)
    votes = votes_for(game, table, options)
    spoken = tuple((p, table.values.get(p)) for p in in_turn(game) if p not in out)
    return votes, [BallotsOpened(spoken)]


def runoff(repeats: int, *, nominate: tuple[str, ...], decide: tuple[str, ...]) -> Law:
    """Return the law; a tie is voted again *repeats* times, then drawn by lot (LT 5e)."""

    @whenever(PhaseBegan, *nominate)
    def open_round(game: Game, event: PhaseBegan) -> Events:
        first = "discussion" if game.switches.get("ballot_order") == "sequential" else "nominations"
        return [begin(game, first)] if event.phase == "day" else None

    @whenever(ClockStruck, *decide)
    def close_round(game: Game, event: ClockStruck) -> Events:
        if ran_out(game, event, "discussion"):
            return [begin(game, "nominations")]
        if ran_out(game, event, "nominations"):
            return close_nominations(game)
        if ran_out(game, event, "defence"):
            return [begin(game, "ballot" if nominees(game) else "nominations", nominees(game))]
        return close_ballot(game, repeats) if ran_out(game, event, "ballot") else None

    @whenever(Voted, *decide)
    def show(game: Game, event: Voted) -> Events:
        return show_count(game)

    @whenever(ClockStruck, *decide)
    def show_later(game: Game, event: ClockStruck) -> Events:
        return show_count(game) if event.what == CONDITION else None

    @always(*decide, "D-A2")
    def go_on_without(game: Game, owed: Owed) -> Events:
        return without_the_dead(game)

    duties = (
        ballot_duty(naming, lambda game: game.living(), cites=nominate, says="vote NAME: nominate somebody"),
        ballot_duty(deciding, nominees, cites=decide, says="vote NAME: lynch one of the nominees, who have no vote"),
    )
    counts = (show, show_later)
    rules = (
        open_round, close_round, *counts, night_after_lynching(*decide), go_on_without, *call_up(out_now, nominate))
    return Law("runoff", duties, rules, alarms, describes=(
        "Everyone names somebody; the two named most, or more in a tie, are nominated and heard. The others then vote "
        "between them; a tie is voted on once more, then drawn by lot."
    ))


def show_count(game: Game) -> Events:
    """Return the count of the vote that is on, if it has changed."""
    table = stage_count(game, game.living() if game.stage == "nominations" else nominees(game))
    changed = tuple((p, table.values.get(p)) for p in game.living() if table.values.get(p) != game.table.get(p))
    return [Counted(changed, tuple(table.counts.items()), 0)] if changed else None


def close_nominations(game: Game) -> list[Event]:
    """Nominate; a sole nominee is lynched without a ballot (D-T7), and so is one by lot if nobody can vote (D-T9)."""
    votes, news = counted(game, game.living())
    names = nominated(game, votes, owls_choice(game))
    news += [*owl_named(game, votes), Nominated(names)]
    if len(names) == 1:
        return [*news, Lynched(names[0])]
    if len(names) == len(game.living()):
        won, drawn = public_lot(game, f"lynching, day {game.number}", names)
        return [*news, *drawn, Lynched(won)]
    return [*news, begin(game, "defence", names)]


def without_the_dead(game: Game) -> list[Event] | None:
    """D-T7: of nominees who have left, the last one who is there is lynched; if nobody is, there are nominations."""
    if game.phase != "day" or game.stage not in ("defence", "ballot") or game.now(Lynched):
        return None
    left = nominees(game)
    if len(left) > 1:
        return None
    return [Lynched(left[0])] if left else [begin(game, "nominations")]


def close_ballot(game: Game, repeats: int) -> list[Event]:
    """Lynch whoever has most votes; repeat a tie after another defence, or draw (LT 5c, D-T8, D-T9, D-T25)."""
    names = nominees(game)
    if not names:
        return [begin(game, "nominations")]
    votes, news = counted(game, names, first_nominees(game))
    top = max(map(game.votes_of, votes.values()))
    tied = tuple(p for p in names if game.votes_of(votes[p]) == top)
    if len(tied) == 1:
        return [*news, Lynched(tied[0])]
    again = len(since_first_round(game))
    if again <= repeats:
        return [*news, Nominated(tied, again + 1), begin(game, "defence", tied)]
    won, drawn = public_lot(game, f"lynching, day {game.number}", tied)
    return [*news, *drawn, Lynched(won)]
