"""The ballot that a deed casts: a vote, a verdict, a nomination."""

from __future__ import annotations

from dataclasses import replace

from nomicwolf.nomic.care import DeedUndone
from nomicwolf.nomic.events import DeedHeard
from nomicwolf.nomic.times import when
from nomicwolf.village.ballots import Ballot, For, Nobody, ballot_text
from nomicwolf.village.events import Entry, StageBegan, Voted
from nomicwolf.village.game import Game
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.laws.majority import cast_order, latest, voted
from nomicwolf.village.laws.phases import about
from nomicwolf.village.laws.runoff import one_by_one, out_now, turn_began
from nomicwolf.village.laws.verdicts import VERDICTS
from nomicwolf.village.pinning import dated
from nomicwolf.village.rules import Refusal


def ballot_of(deed: DeedHeard, accused: tuple[str, ...]) -> Ballot:
    """Return the ballot that *deed* casts; a verdict may name only those whom the vote is about."""
    if deed.verb in VERDICTS:
        if deed.names and deed.names[0] not in accused:
            raise Refusal(f"{deed.names[0]} is not on trial.", (), accused)
        return For(deed.verb)
    if deed.verb == "nominate":
        return For(deed.names[0]) if deed.names else Nobody()
    return deed.ballot or Nobody()


def cast(
    rules: Ruleset, game: Game, deed: DeedHeard, entries: list[Entry], *, by: str = "", cause: str = "",
    more: bool = False,
) -> tuple[Game, tuple[Entry, ...]]:
    """Return *game* after the ballot *deed* has been cast, and the new entries; raise `Refusal` if it can't be.

    With *more* another one that is late as well follows it. *entries* are the contest's, which tell what was undone: a
    ballot that would have stood again when a later one was undone stands from that instant, too (D-N42).
    """
    in_turn = one_by_one(game)
    opened = turn_began(game, deed.who, out_now(game)) if in_turn and deed.who in game.alive else max(
        [game.began, *(e.at for e in game.lines_now(StageBegan)[-1:])])
    if deed.instant < opened:
        what = "your turn" if in_turn else f"the {game.stage} of {game.place}" if game.stage else game.place
        took, began = when(deed.instant), when(opened)
        raise Refusal(f"Your vote took effect at {took}, and {what} began at {began}.", ("NC 3",))
    ballot = ballot_of(deed, about(game))
    undone = _undone_after(entries, game, deed)
    after, made = rules.cast(
        game, deed.instant, deed.who, "vote", ballot, key=deed.key, by=by, cause=cause, more=more or undone is not None)
    if undone is None:
        return after, made
    said, instead = voted(made[0]).ballot, voted(undone)
    last, again = rules.cast(
        after, undone.at, deed.who, "vote", still(after, said), key=(*instead.key, 1), by=instead.by,
        cause=f"entry {made[0].number}", more=more)
    return last, made + again


def still(game: Game, ballot: Ballot) -> Ballot:
    """Return *ballot* as it can be cast now: a plain one for somebody who has left since is for nobody."""
    gone = isinstance(ballot, For) and ballot.whom in game.seats and ballot.whom not in game.alive
    return Nobody() if gone else ballot


def cast_now(entries: list[Entry], game: Game, who: str) -> tuple[Entry, list[Entry]]:
    """Return the entry by which *who*'s ballot stands in the present vote, and eir ballots that are not undone.

    They are in the order in which they took effect. What an undoing put in a ballot's place stands for one of them.
    """
    since = max(game.phase_mark, game.mark(StageBegan))
    undone = [e for e in entries[since:] if isinstance(e.event, DeedUndone)]
    void = {e.event.deed for e in undone if isinstance(e.event, DeedUndone)}
    instead = set[tuple[int, ...]]()
    real = list[Entry]()
    cast = sorted((e for e in game.lines_now(Voted, who=who) if e.number > since), key=cast_order)
    for entry in cast:
        key = voted(entry).key
        if entry.number - 1 in {e.number for e in undone} or key[:-1] in instead:
            instead.add(key)
        elif entry.number not in void:
            real.append(entry)
    return cast[-1], real


def _undone_after(entries: list[Entry], game: Game, deed: DeedHeard) -> Entry | None:
    """Return what an undoing put in place of a ballot, if *deed* comes in later and is what stood before that one."""
    last, place = latest(game).get(deed.who), (deed.instant, deed.key)
    if last is None or not voted(last).by or place > cast_order(last)[:2]:
        return None
    if last.number <= max(game.phase_mark, game.mark(StageBegan)):
        return None
    last, real = cast_now(entries, game, deed.who)
    put = not any(e.number == last.number for e in real)
    return last if put and not any(cast_order(e)[:2] > place for e in real) else None


def would_be_cast(rules: Ruleset, game: Game, deed: DeedHeard, entries: list[Entry]) -> bool:
    """Return whether the ballot *deed*, with others that come in late, is one that *game* takes."""
    try:
        cast(rules, game, deed, entries, more=True)
    except Refusal:
        return False
    return deed.who in game.seats


def in_its_day(deed: DeedHeard, game: Game | None) -> DeedHeard:
    """Return *deed* with its hours into the day as instants of the day in which it is done, if *game* is at one."""
    if deed.ballot is None or game is None or game.phase != "day" or "hours into the day" not in deed.says:
        return deed
    ballot = dated(deed.ballot, game.began)
    return replace(deed, ballot=ballot, says=f"vote {ballot_text(ballot)}")
