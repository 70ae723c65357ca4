"""Votes in force, of a day or a stage.

NC 3: “As soon as more than half of the townspersons have their votes on one and the same person, that person is
lynched”.

Ballots stand until they are changed or the day ends. They are counted again after each ballot, each death, each
fact that is published, and at each instant that a condition names. A late ballot has the day counted again from its
beginning, in event time (D-V9). NC 1e lets a contest limit its days (D-N56): a switch says after how many days one ends
without a majority, and what happens then.

In games whose days have stages, ballots are for one stage, such as verdicts on one person. A late verdict has the vote
weighed again, moment by moment, from its own instant on (D-A8, D-V9).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Literal, TypeVar

from nomicwolf.village.ballots import NOT_A_WEREWOLF, Ballot, Endorse, FirstOf, For, If, Nobody, Town
from nomicwolf.village.day_replay import Cast, Record, next_threshold, replay_day
from nomicwolf.village.events import (
    CONDITION,
    DAY,
    LIMIT,
    ClockStruck,
    Counted,
    Disclosed,
    Entry,
    Event,
    Extended,
    Joined,
    Killed,
    Lynched,
    PhaseBegan,
    Published,
    Recounted,
    Revived,
    StageBegan,
    Voided,
    Voted,
)
from nomicwolf.village.game import Game
from nomicwolf.village.laws.phases import quiet_day
from nomicwolf.village.lots import public_lot
from nomicwolf.village.resolution import Table, pin, pins_votes, resolve, resolve_sparing
from nomicwolf.village.rules import Duty, Events, Law, Owed, Refusal, Switch, executed, whenever

E = TypeVar("E", bound=Event)
RECORD, MESSAGE = 1, 2


def recast(game: Game, voted: Voted | None, at: int, spared: tuple[str, ...]) -> tuple[int, Sequence[Event]] | None:
    """Count the day again with *voted*, cast at *at* but heard only now.

    It is counted from its beginning, or, where a lynching has left the vote open, from that (D-N12), which stands. None
    for *voted*: nothing but that lynching is new. Votes of those who are *spared* for each other are null (D-N16).
    Returns the instant of a lynching that it brings about, with the events; None if it brings none.
    """
    stands = max((e.at for e in game.lines_now(Lynched)), default=0)
    new = [Entry(game.next, at, voted)] if voted else []
    found = _counted_again(game, town_of(game, game.clock), [*game.lines_now(Voted), *new], stands, spared=spared)
    if found is None:
        return None
    instant, lynched, void = found
    return instant, [*([Recounted(voted.who, at)] if voted else []), Lynched(lynched), *void]


def _counted_again(
    game: Game, town: Town, cast: Iterable[Entry], stands: int, *, spared: tuple[str, ...] = (), only: str = "",
) -> tuple[int, str, list[Event]] | None:
    """Count *cast* again from the instant *stands* on; *town* is the public record now.

    Returns the instant of the first majority (or the first for *only*), whom it is for, and what is void then; None if
    there is none.
    """
    news = [e for kind in (Killed, Disclosed, Published) for e in game.lines_now(kind) if e.at > stands]
    casts = sorted((_cast(e.at, voted(e)) for e in cast), key=lambda cast: cast.key)
    standing = {cast.who: cast.ballot for cast in casts if cast.key[0] <= stands}
    outcome = replay_day(_town_then(game, town, stands), [cast for cast in casts if cast.key[0] > stands],
                         map(_record, news), game.clock, spared=spared, standing=standing, only=only)
    check = outcome.lynching
    if check is None or check.table.lynched is None:
        return None
    void = [Voided(v.cast.who, v.cast.key[0], check.at) for v in outcome.void if v.why == "over"]
    return check.at, check.table.lynched, list(void)


def _cast(at: int, voted: Voted) -> Cast:
    return Cast((at, MESSAGE, *voted.key), voted.who, voted.ballot)


def _record(entry: Entry) -> Record:
    """Return what *entry* made public, as the counting of a day takes it."""
    key = (entry.at, RECORD, entry.number)
    match entry.event:
        case Killed(who, _):
            return Record(key, dead=(who,))
        case Disclosed(who, what):
            return Record(key, disclosed={who: what})
        case Published(text, value):
            return Record(key, facts={text: value})
        case _:
            return Record(key)


def _town_then(game: Game, town: Town, stands: int) -> Town:
    """Return *town* as it was with the lynching that *stands* at that instant, or when the day began if that is 0."""
    died = {e.event.who for e in game.lines_now(Killed) if isinstance(e.event, Killed) and e.at > stands}
    options = town.living[len(town.living) - town.verdicts:]
    return replace(
        town, living=(*(p for p in game.seats if p in game.alive or p in died), *options),
        dead=tuple(p for p in town.dead if p not in died), now=max(stands, game.began),
        disclosed={told.who: told.what for told in _known(game, Disclosed, stands)},
        facts={fact.text: fact.value for fact in _known(game, Published, stands)})


def _known(game: Game, kind: type[E], stands: int) -> list[E]:
    """Return the events of *kind* before the present phase, and in it up to the instant *stands*, oldest first."""
    later = sum(e.at > stands for e in game.lines_now(kind))
    ever = game.ever(kind)
    return ever[: len(ever) - later]


LAST = 1 << 62
"""Later than any instant that a condition can name, UTC seconds."""


def voting(game: Game, me: str) -> bool:
    """D-N12: votes close with the lynching, unless it killed the Hunter and ``hunter_pause`` is ``open``."""
    return game.phase == "day" and me in game.alive and not lynched_today(game)


def lynched_today(game: Game) -> bool:
    """Return whether the day's last lynching closed the vote; one that kills no Hunter does so in any case (D-N12).

    Who knows no roles sees it by this: only for a Hunter does a day go on, and only once.
    """
    lynchings = [e.number for e in game.lines_now(Lynched)]
    if not lynchings or game.switches.get("hunter_pause") != "open":
        return bool(lynchings)
    if not any(game.roles.values()):
        return len(lynchings) > 1
    return not any(game.roles[death.who] == "hunter" for death in game.since(lynchings[-1], Killed))


def town_of(game: Game, now: int) -> Town:
    """Return the public record of *game* at *now*, UTC seconds; by day a death is public at once."""
    phase: Literal["day", "night"] = "night" if game.phase == "night" else "day"
    living = game.living() if phase == "day" else game.shown_living()
    dead = dict.fromkeys((*game.shown_dead, *game.seats))
    gone = tuple(p for p in dead if p not in living)
    return Town(living, gone, game.disclosed, max(game.number, 1), phase, now, game.facts,
                weights=game.weights)


def casts(game: Game) -> list[Entry]:
    """Return the entries of this phase's ballots in the order in which they take effect."""
    return sorted(game.lines_now(Voted), key=cast_order)


def cast_order(entry: Entry) -> tuple[int, tuple[int, ...], int]:
    """Return the place of a ballot among the others of its vote: its instant, then its place in the mailbox (D-N30)."""
    return entry.at, voted(entry).key, entry.number


def voted(entry: Entry) -> Voted:
    """Return the ballot of an entry that is one."""
    assert isinstance(entry.event, Voted)
    return entry.event


def standing(game: Game, until: int | None = None) -> dict[str, Ballot]:
    """Return the ballot that each living voter has standing now, or had just before the instant *until*."""
    if until is not None and until <= game.clock:
        last = {voted(e).who: e for e in casts(game) if e.at < until}
    else:
        last = latest(game)
    return {who: voted(entry).ballot for who, entry in last.items() if who in game.alive}


def latest(game: Game) -> dict[str, Entry]:
    """Return the entry of each voter's last ballot of this phase, whether they live or not; not to be changed."""
    return game.folded("latest", Voted, {}, _later)


def _later(last: dict[str, Entry], cast: Entry) -> dict[str, Entry]:
    """Return the entry of each voter's last ballot once *cast* is known, which may be late."""
    known = last.get(voted(cast).who)
    return last if known is not None and cast_order(cast) < cast_order(known) else {**last, voted(cast).who: cast}


def count(game: Game, now: int) -> Table:
    """Return what the standing ballots evaluate to at *now*; D-N16: the switch ``lovers_vote`` may spare a Lover."""
    return resolve_sparing(town_of(game, now), standing(game), spared(game))


def spared(game: Game) -> tuple[str, ...]:
    """Return the Lovers, if their votes for each other count as null (D-N16)."""
    joined = game.last(Joined) if game.switches.get("lovers_vote") == "spared" else None
    return joined.lovers if joined else ()


def pinned(game: Game, at: int, me: str, ballot: Ballot) -> Ballot:
    """Return *ballot* with its pinned parts settled as of *at*; refuse what NC 3 does not let one vote for (D-N27)."""
    match ballot:
        case For(whom) if whom == me:
            raise Refusal("Your vote is for another townsperson, not for yourself.", ("NC 3", "D-N27"))
        case Endorse(whom) if whom == me:
            raise Refusal("You can endorse another townsperson, not yourself.", ("NC 3", "D-N27"))
        case For(whom) if whom not in game.alive:
            what = "is dead" if whom in game.shown_dead else "is no townsperson of this session"
            raise Refusal(f"{whom} {what}.", ("NC 3", "D-N27"), game.living())
    if isinstance(ballot, (Nobody, For, Endorse)):
        return ballot
    town = town_of(game, at)
    cast = standing(game, at + 1 if at >= game.clock else at)
    return pin(ballot, town, resolve_sparing(town, cast, spared(game)), me)


def recount(game: Game, event: Event) -> Events:
    """Count again; note what changed; lynch whoever has the majority.

    What follows from a death that a late ballot has brought about is for `late` to say: it has its own instant.
    """
    if game.phase != "day" or not any(voting(game, p) for p in game.living()):
        return None
    if (isinstance(event, Killed) and not game.lines_now(Voted)) or (isinstance(event, Voted) and event.overtakes):
        return None
    table, past = count(game, game.clock), game.entries[-1].at < game.clock
    changed = tuple((p, v) for p, v in table.values.items() if game.table.get(p) != v)
    news: list[Event] = []
    if changed or isinstance(event, Killed):
        news.append(Counted(changed, tuple(table.counts.items()), table.majority))
    if table.lynched and not (past and isinstance(event, Killed)):
        news.append(Lynched(table.lynched))
    return news


def late(game: Game, voted: Voted | None, at: int) -> tuple[int, Sequence[Event]] | None:
    """Return the lynching that *voted*, heard late, brings about at its own instant (see `recast`)."""
    if game.phase != "day" or lynched_today(game):
        return None
    found = recast(game, voted, at, spared(game))
    if found is None or not leaves_open(game, found[1]):
        return found
    return found[0], [event for event in found[1] if not isinstance(event, Voided)]


def leaves_open(game: Game, news: Iterable[Event]) -> bool:
    """Return whether the lynching among *news* leaves the vote open, so that later votes count still (D-N12)."""
    if game.switches.get("hunter_pause") != "open":
        return False
    hunters, joined = set(game.living("hunter")), game.last(Joined)
    pair = set(joined.lovers) if joined else set[str]()
    lynched = [event.who for event in news if isinstance(event, Lynched)]
    return any(hunters & (pair if who in pair else {who}) for who in lynched)


def instants(game: Game, owed: Owed) -> Iterable[tuple[int, str]]:
    """Return the instants that conditions of the standing ballots name."""
    if game.phase != "day" or lynched_today(game):
        return ()
    at = next_threshold(standing(game).values(), game.clock, LAST)
    return ((at, CONDITION),) if at is not None else ()


def majority(disclose: Mapping[str, str], *cites: str, disclosing: tuple[str, ...] = ()) -> Law:
    """Return the law of standing votes, without a deadline (D-N29).

    *disclose* maps a side to what is said of one who is lynched; of a side of their own, that they are no werewolf.
    """

    @whenever(Lynched, *disclosing)
    def say_what_e_was(game: Game, event: Lynched) -> Events:
        if game.card_is_hidden(event.who):
            return None
        return [Disclosed(event.who, disclose.get(game.sides[event.who], NOT_A_WEREWOLF))]

    counts = tuple(whenever(kind, *cites)(recount) for kind in (Voted, Killed, Revived, Published, ClockStruck))
    vote = Duty(
        "vote", voting, owed=False, again=True, public=True, pins=pinned, cites=cites,
        says="vote NAME, endorse NAME, or a conditional vote; unvote takes it back",
    )
    rules = (executed(*cites), say_what_e_was, *counts)
    return Law("majority", (vote,), rules, instants, late, standing=True, describes=(
        "Each living townsperson has one vote, standing until e changes it or the day ends. Whoever more than half "
        "of the living vote for is lynched at that instant."
    ))


OFF, PLURALITY, NOBODY, EXTENSION = "off", "plurality", "nobody", "extension"
DAY_LIMIT = Switch(
    "day_limit", (), "D-N56", "after how many days a day ends without a majority, and what happens then", default=OFF,
    form=rf"{OFF}|[1-9]\d{{0,2}} ({PLURALITY}|{NOBODY}|{EXTENSION})",
    like=f"{OFF!r}, or a number of days and one of {PLURALITY}, {NOBODY} and {EXTENSION}, such as '14 {PLURALITY}'")


def limit_of(game: Game) -> tuple[int, str]:
    """Return how many seconds a day lasts at most, and what happens then; 0 and '' where it lasts for ever."""
    days, _, then = game.switches.get("day_limit", OFF).partition(" ")
    return (DAY * int(days), then) if then else (0, "")


def day_limit(*cites: str) -> Law:
    """Return the law; *cites* are the clauses by which a contest can have chosen it."""

    @whenever(PhaseBegan, *cites)
    def set_limit(game: Game, event: PhaseBegan) -> Events:
        lasts, _ = limit_of(game)
        return [Extended(game.clock + lasts)] if lasts and event.phase == "day" else None

    @whenever(ClockStruck, *cites)
    def end_day(game: Game, event: ClockStruck) -> Events:
        return at_limit(game) if event.what == LIMIT and not game.now(Lynched) else None

    return Law("day limit", rules=(set_limit, end_day), alarms=alarms)


def alarms(game: Game, owed: Owed) -> Iterable[tuple[int, str]]:
    """Return when the day is over, until somebody is lynched; one that did not bite in its second comes in the next."""
    if game.phase != "day" or not game.deadline or not limit_of(game)[0] or game.now(Lynched):
        return ()
    return ((max(game.deadline, game.clock + 1), LIMIT),)


def at_limit(game: Game) -> list[Event]:
    """Return what happens when the time is over: more time, once; else whoever most vote for is lynched, or nobody."""
    lasts, then = limit_of(game)
    if then == EXTENSION and len(game.now(ClockStruck, what=LIMIT)) == 1:
        return [Extended(game.clock + lasts)]
    counts = count(game, game.clock).counts if then != NOBODY else {}
    most = max(counts.values(), default=0)
    if not most:
        return list(quiet_day(game))
    won, drawn = public_lot(game, f"lynching, day {game.number}", sorted(who for who, n in counts.items() if n == most))
    return [*drawn, Lynched(won)]


GUILTY, INNOCENT = "guilty", "innocent"
VERDICTS = (GUILTY, INNOCENT)


def cast_in_stage(game: Game) -> dict[str, Ballot]:
    """Return the ballot that each living voter has cast since the present stage began, the last one counting.

    The last is the one that took effect last, not the one that was heard last (D-A8).
    """
    return _of_the_living(game, ballots_of_stage(game))


def _of_the_living(game: Game, cast: Iterable[Entry]) -> dict[str, Ballot]:
    found = {vote.who: vote.ballot for vote in map(voted, cast)}
    return {who: ballot for who, ballot in found.items() if who in game.alive}


def ballots_of_stage(game: Game) -> list[Entry]:
    """Return the ballots of the present stage in the order in which they took effect, without those that came after."""
    mark = game.mark(StageBegan)
    void = {(v.who, v.cast) for v in game.since(mark, Voided)}
    lines = (e for e in game.lines(Voted) if e.number > mark and (voted(e).who, e.at) not in void)
    return sorted(lines, key=cast_order)


def condition_alarm(game: Game) -> Iterable[tuple[int, str]]:
    """Return the next instant before the stage's end that a condition of one of its ballots names."""
    at = next_threshold(cast_in_stage(game).values(), game.clock, game.deadline - 1)
    return ((at, CONDITION),) if at is not None else ()


def town_with(game: Game, options: tuple[str, ...], now: int | None = None) -> Town:
    """Return the public record with *options* that can be voted for though they are no players.

    It is that of *now* (UTC seconds), or else of the last thing that has happened.
    """
    town = town_of(game, game.clock if now is None else now)
    extra = tuple(o for o in options if o not in town.living)
    return replace(town, living=(*town.living, *extra), own_votes=True, verdicts=len(extra))


def put_forward(ballots: Iterable[Ballot]) -> tuple[str, ...]:
    """Return what *ballots* can evaluate to, in whichever of their branches, without what they endorse."""
    found: dict[str, None] = {}
    todo = list(ballots)
    while todo:
        match todo.pop(0):
            case For(whom):
                found[whom] = None
            case If(_, then, otherwise):
                todo = [then, otherwise, *todo]
            case FirstOf(options):
                todo = [*options, *todo]
    return tuple(found)


def stage_count(game: Game, options: tuple[str, ...], at: int | None = None) -> Table:
    """Return what the ballots of the present stage come to, *options* being what can be voted for.

    With *at* (UTC seconds) as they do at that instant, which if it has passed is just before what was cast in it.
    """
    cast = ballots_of_stage(game)
    if at is not None and at < game.clock:
        cast = [entry for entry in cast if entry.at < at]
    ballots = {who: b for who, b in _of_the_living(game, cast).items() if not isinstance(b, Nobody)}
    return resolve(town_with(game, options, at), ballots)


def votes_for(game: Game, table: Table, options: tuple[str, ...]) -> dict[str, list[str]]:
    """Return who votes for each of *options*, in seat order."""
    return {o: [p for p in game.living() if table.values.get(p) == o] for o in options}


def ballot_duty(
    opens: Callable[[Game, str], bool], options: Callable[[Game], tuple[str, ...]], *,
    sealed: bool = False, public: bool = True, cites: tuple[str, ...] = (), says: str = "", silence: str = "",
) -> Duty:
    """Return the duty of voting for one of *options* in a stage; a player may vote for themself, not endorse themself.

    What a *sealed* ballot says is no other's to copy: whoever asks for their own ballot would be told (D-M1).
    """

    def pins(game: Game, at: int, me: str, ballot: Ballot) -> Ballot:
        allowed = options(game)
        if isinstance(ballot, For) and ballot.whom not in allowed:
            raise Refusal(f"{ballot.whom} can't be voted for here.", cites, allowed)
        if isinstance(ballot, Endorse) and ballot.whom == me:
            raise Refusal("Name another, not yourself.", cites, tuple(o for o in allowed if o != me))
        if isinstance(ballot, (For, Nobody, Endorse)):
            return ballot
        if sealed and pins_votes(ballot):
            raise Refusal("These ballots are sealed, so nobody can go by what one says now; endorse its voter, or go "
                          "by what it comes to when all are opened.", cites)
        return pin(ballot, town_with(game, allowed, at), stage_count(game, allowed, at), me)

    return Duty("vote", opens, owed=False, again=True, public=public, sealed=sealed, pins=pins,
                cites=cites, says=says, silence=silence)


def rejudge(game: Game, who: str, verdict: Voted, at: int) -> tuple[int, Sequence[Event]] | None:
    """Return the conviction of *who* that *verdict*, cast at *at* and heard only now, brings about, and its instant.

    None if it brings none about. Verdicts that were given after that instant are void.
    """
    cast = [*ballots_of_stage(game), Entry(game.next, at, verdict)]
    found = _counted_again(
        game, town_with(game, VERDICTS), cast, game.lines_now(StageBegan)[-1].at, only=GUILTY)
    return (found[0], [Recounted(verdict.who, at), *found[2], Lynched(who)]) if found else None


VOTING = ("nominations", "ballot")
"""The stages in which votes can be given in turn."""


def in_turn(game: Game) -> tuple[str, ...]:
    """LT 5a, D-T26, D-T29: return the living in seat order, from the right of the last one slaughtered on."""
    slain = [k.who for k in game.ever(Killed, cause="attack")]
    start = game.seats.index(slain[-1]) + 1 if slain else 0
    turned = game.seats[start:] + game.seats[:start]
    return tuple(p for p in turned if p in game.alive)


def one_by_one(game: Game) -> bool:
    """Return whether there is a vote on in which votes are given one after the other."""
    return game.switches.get("ballot_order") == "sequential" and game.phase == "day" and game.stage in VOTING


def order(game: Game, out: tuple[str, ...]) -> list[str]:
    """Return who votes, in turn; those who are *out* have no vote."""
    return [p for p in in_turn(game) if p not in out]


def turns(game: Game, voters: int) -> list[int]:
    """D-T22: return when the turn of each of so many *voters* is over (UTC seconds); all have the same time."""
    began = game.lines(StageBegan)[-1].at
    return [began + (game.deadline - began) * (n + 1) // voters for n in range(voters)]


def whose(game: Game, out: tuple[str, ...]) -> tuple[str, int]:
    """Return whose turn it is and until when (UTC seconds), '' and 0 if all have had theirs.

    Who has voted hands on at once.
    """
    voted, voters = cast_in_stage(game), order(game, out)
    return next(((p, until) for p, until in zip(voters, turns(game, len(voters)), strict=True)
                 if p not in voted and game.clock < until), ("", 0))


def turn_began(game: Game, who: str, out: tuple[str, ...]) -> int:
    """Return when the turn of *who* began (UTC seconds): with the stage, or when the one before had voted or missed it.

    It ends where it would have, though it begins earlier.
    """
    began, before = game.lines_now(StageBegan)[-1].at, order(game, out)
    place = before.index(who)
    if not place:
        return began
    votes = [e.at for e in game.lines_now(Voted, who=before[place - 1]) if e.number > game.mark(StageBegan)]
    return votes[-1] if votes else turns(game, len(before))[place - 1]
