"""Vote counts, as values and as text (NC 3)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from nomicwolf.nomic.state import Contest
from nomicwolf.nomic.times import when
from nomicwolf.reports.layout import bar, clean
from nomicwolf.reports.prose import Prose, plural
from nomicwolf.village.ballots import Ballot, Endorse, For, Nobody, Town, ballot_text
from nomicwolf.village.events import Counted, DeathsAnnounced, Entry, Lynched, Voided
from nomicwolf.village.explaining import explain
from nomicwolf.village.game import Game
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.laws.majority import (
    INNOCENT,
    VERDICTS,
    ballots_of_stage,
    cast_order,
    casts,
    latest,
    lynched_today,
    put_forward,
    town_of,
    town_with,
    voted,
)
from nomicwolf.village.resolution import Status, resolve
from nomicwolf.village.rules import Duty, Law


@dataclass(frozen=True, slots=True)
class Vote:
    """One voter's vote.

    *ballot* is its canonical text ('' if none was cast), *value* who it counts for (None: nobody), *endorses* who it
    endorses outright, *plain* whether it names its value itself, *why* the steps from ballot to value; *at* is when it
    was cast, in UTC seconds; *weight* is as how many it
    counts.
    """

    who: str
    value: str | None
    status: Status
    ballot: str = ""
    endorses: str = ""
    plain: bool = True
    why: tuple[str, ...] = ()
    at: int = 0
    weight: int = 1


@dataclass(frozen=True, slots=True)
class Count:
    """The result of a town's votes: *votes* in order of arrival, those who have not voted last.

    *counts* has the votes of each candidate, most first; *majority* is how many lynch.
    """

    at: int
    living: tuple[str, ...]
    votes: tuple[Vote, ...]
    counts: Mapping[str, int]
    majority: int
    lynched: str | None = None

    @property
    def total(self) -> int:
        """How many votes there are."""
        return sum(vote.weight for vote in self.votes)


def count_of(game: Game) -> Count:
    """Return the count of the present phase of *game*, from what is public in it."""
    if game.stage:
        return stage_count(game)
    lines = [*latest(game).values()]
    town = town_of(game, game.clock)
    return count_ballots(town, lines, game.clock, _null_by_record(game, town, lines, game.lines_now(Counted)))


def stage_count(game: Game) -> Count:
    """Return the count of the present stage of a day, which may be about things other than townspersons."""
    lines = ballots_of_stage(game)
    found = count_ballots(town_with(game, put_forward(voted(e).ballot for e in lines)), lines, game.clock)
    town = town_of(game, game.clock)
    votes = tuple(v for v in found.votes if v.who in town.living)
    return Count(found.at, town.living, votes, found.counts, town.majority)


def final_count(game: Game, lynching: Entry) -> tuple[Count, Entry | None]:
    """Return the count that lynched, and the ballot that decided it (None: a condition's instant, or a death, did).

    *game* is at the end of what is known of that phase; ballots that took effect later do not count.
    """
    void = {(v.who, v.cast) for v in game.now(Voided) if v.over == lynching.at}
    lines = [e for e in casts(game) if e.at <= lynching.at and e.number < lynching.number
             and (voted(e).who, e.at) not in void]
    town = town_of(game, lynching.at)
    back = {getattr(lynching.event, "who", "")} | {  # their deaths are public by now
        who for e in game.lines_now(DeathsAnnounced) if e.number > lynching.number
        and isinstance(e.event, DeathsAnnounced) for who in e.event.killed}
    if not back <= {*town.living}:
        living = tuple(p for p in game.seats if p in town.living or p in back)
        told = {k: v for k, v in town.disclosed.items() if k not in back}
        town = Town(living, tuple(p for p in town.dead if p not in back), told, town.day, town.phase, town.now,
                    town.facts, weights=town.weights)
    last = lines[-1] if lines and lines[-1].at == lynching.at else None
    counts = [e for e in game.lines_now(Counted) if e.at <= lynching.at and e.number < lynching.number]
    return count_ballots(town, lines, lynching.at, _null_by_record(game, town, lines, counts)), last


def present_count(game: Game) -> tuple[Count, Entry | None]:
    """Return the present count and None, or, once someone was lynched today, the deciding count and the lynching."""
    lynching = game.lines_now(Lynched)[-1] if not game.stage and game.phase == "day" and lynched_today(game) else None
    return (final_count(game, lynching)[0], lynching) if lynching is not None else (count_of(game), None)


def _null_by_record(game: Game, town: Town, lines: Sequence[Entry], counts: Sequence[Entry]) -> frozenset[str]:
    """Return who the record's *counts* have with a null vote whose ballot among *lines* comes to somebody (D-N16).

    Who the Lovers are is secret, so that only the record tells whose votes are spared. A late ballot that overtakes
    others is in no count before the next.
    """
    if game.switches.get("lovers_vote") != "spared":
        return frozenset()
    last = counts[-1].number if counts else 0
    recorded = {who: value for e in counts if isinstance(e.event, Counted) for who, value in e.event.votes}
    known = {voted(e).who: voted(e).ballot for e in lines if e.number < last or not voted(e).overtakes}
    null: set[str] = set()
    while more := {who for who, value in resolve(town, _with_null(known, null)).values.items()
                   if value is not None and recorded.get(who) is None}:
        null |= more
    return frozenset(null)


def _with_null(ballots: Mapping[str, Ballot], null: Collection[str]) -> dict[str, Ballot]:
    return {who: Nobody() if who in null else ballot for who, ballot in ballots.items()}


def count_ballots(town: Town, lines: Sequence[Entry], at: int, null: Collection[str] = ()) -> Count:
    """Return the result of the ballots of *lines* in *town*; the votes of those in *null* count as null."""
    cast = {voted(e).who: e for e in lines if voted(e).who in town.living}
    cast = dict(sorted(cast.items(), key=lambda item: cast_order(item[1])))
    ballots = _with_null({who: voted(e).ballot for who, e in cast.items()}, null)
    table = resolve(town, ballots)
    votes = [
        _vote(who, voted(e).ballot, table.values[who], table.statuses[who],
              _BY_RECORD if who in null else explain(town, ballots, table, who), e.at)
        for who, e in cast.items()
    ]
    votes += [Vote(who, None, "no vote") for who in town.living if who not in cast]
    votes = [replace(vote, weight=town.weights[vote.who]) if vote.who in town.weights else vote for vote in votes]
    return Count(at, town.living, tuple(votes), dict(table.counts), table.majority, table.lynched)


_BY_RECORD = ("as the record counts it",)


def _vote(who: str, ballot: Ballot, value: str | None, status: Status, why: tuple[str, ...], at: int) -> Vote:
    endorses = ballot.whom if isinstance(ballot, Endorse) else ""
    return Vote(who, value, status, ballot_text(ballot), endorses, isinstance(ballot, (For, Nobody)), why, at)


def changed_votes(counts: Sequence[Entry], after: int, until: int) -> list[tuple[str, str | None, str | None]]:
    """Return (voter, before, now) for the votes whose values differ between entry *after* and entry *until*.

    *counts* has the entries of counts in order; *after* is where a phase or the last report began.
    """
    before: dict[str, str | None] = {}
    now: dict[str, str | None] = {}
    for entry in counts:
        if isinstance(entry.event, Counted) and entry.number <= until:
            (before if entry.number <= after else now).update(dict(entry.event.votes))
    return [(who, before.get(who), value) for who, value in now.items() if before.get(who) != value]


STANDING = (
    "How to vote: by day, write in a forum on a line of its own, for example",
    '- "I vote for Cam."',
    '- "I endorse Cam."',
    '- "I vote for Cam if Bex is voting for Cam, otherwise nobody."',
    '- "I retract my vote."',
)
"""In quotation marks, so that they have no effect where a reply quotes them without marks."""
CONDITIONS = (
    'A vote may also follow another\'s ("endorse Cam") or depend on a condition ("{}"). Until the deadline the last '
    "one that you send counts."
)
ON_NAMES = "Cam if Bex is voting for Cam, otherwise nobody"
PLURALITY = "most votes decide"
ON_VERDICTS = "guilty if Bex votes guilty, otherwise innocent"


def how_to_vote(rules: Ruleset, address: str, told: Sequence[str] = ()) -> list[str]:
    """Return lines that explain to everyone how to vote, but for what is *told* besides.

    Sealed ballots go to *address* alone (D-M1).
    """
    if rules.votes_stand:
        return list(STANDING)
    every = rules.common_duties
    duties = [duty for duty in every if duty.says not in told]
    lines = [f"How it is decided: {law.describes}" for law in rules.laws if law.describes and is_voting_law(law)]
    lines += _block("By day, in a forum, on a line of its own:", (d for d in duties if d.public))
    lines += _block(f"By day, by private mail to {address} alone:", (d for d in duties if d.pins and not d.public))
    names = any(duty.says.startswith("vote NAME") for duty in every if duty.pins)
    more = [law.describes for law in rules.laws if law.describes and not is_voting_law(law)]
    return [*lines, CONDITIONS.format(ON_NAMES if names else ON_VERDICTS), *more]


def is_voting_law(law: Law) -> bool:
    """Return whether *law* is a way to vote."""
    return any(duty.pins for duty in law.duties)


def public_duties(rules: Ruleset, game: Game) -> list[str]:
    """Return what is open to the living in the present stage of a *game* as publicly known, ballots first."""
    duties = sorted((d for d in rules.common_duties
                     if (d.public or d.pins) and any(d.opens(game, who) for who in game.living())),
                    key=lambda d: d.pins is None)
    return [*_block("Open in a forum, on a line of its own:", (d for d in duties if d.public)),
            *_block("Open by private mail alone:", (d for d in duties if not d.public))]


def poll_kind(rules: Ruleset, game: Game) -> str:
    """Return how ballots can be cast now: ``open`` to all eyes, ``sealed``, or '' if they can't."""
    ballots_open = [d for d in rules.common_duties
                    if d.pins and any(d.opens(game, who) for who in game.living())]
    return "sealed" if any(d.sealed for d in ballots_open) else "open" if ballots_open else ""


def decision_rule(rules: Ruleset, stage: str, majority: int) -> str:
    """Return what decides a vote in *stage* ('': no stage); *majority* is more than half of the living."""
    if any(duty.sealed for duty in rules.common_duties):
        return "ballots are sealed until all are opened together"
    if rules.votes_stand:
        return f"{majority} votes lynch"
    accused = any(law.name == "accusation" for law in rules.laws)
    return f"{majority} for guilty convict" if accused else PLURALITY


def where_to_write(rules: Ruleset, address: str) -> str:
    """Return the line at the foot of a letter that says where votes and actions go."""
    sealed = any(d.sealed for d in rules.common_duties)
    return f"Ballots and private actions go to {address}." if sealed else (
        f"Votes go to a forum, private actions to {address}.")


def _block(head: str, duties: Iterable[Duty]) -> list[str]:
    lines = [f"- {duty.says}" for duty in duties]
    return [head, *lines] if lines else []


Change = tuple[str, str | None, str | None]


def count_text(prose: Prose, count: Count, changes: Sequence[Change] = (), decides: str = "") -> str:
    """Return *count* as a table with footnotes; *changes* are (voter, before, now) since the last one.

    *decides* says what decides the vote, unless that is a majority for one person; progress towards a majority is shown
    only where one is needed.
    """
    notes = footnotes(count)
    voters = {whom: [_voter(v, notes) for v in count.votes if v.value == whom] for whom in count.counts}
    least = count.majority
    rows = [
        (*((str(number),) if decides == PLURALITY else (str(number), "") if whom == INNOCENT else
           (f"{number}/{least}", bar(number, least))), whom,
         ", ".join(voters[whom])) for whom, number in count.counts.items()
    ]
    null = [v for v in count.votes if v.value is None and v.ballot]
    return prose.text(
        "count", rows=rows, nobody=[_voter(v, notes) for v in null if v.status == "determined"],
        null=[_voter(v, notes) for v in null if v.status != "determined"],
        silent=[clean(v.who) for v in count.votes if not v.ballot], living=len(count.living),
        decides=decides or f"{count.majority} votes lynch",
        notes=[_note(number, vote) for number, vote in enumerate(notes, 1)], changes=change_rows(changes),
    )


def uncounted_text(contest: Contest, prose: Prose) -> str:
    """Return what was posted to the forums today and is not counted yet, '' if there is nothing (D-N9)."""
    rows = uncounted_rows(contest)
    return prose.text("count-to-come", rows=rows, minutes=contest.setup.settling // 60) if rows else ""


def uncounted_rows(contest: Contest) -> tuple[tuple[str, str, str], ...]:
    """Return (when it takes effect, who, what) for each forum deed that is not counted yet.

    Everyone has read it there, and whoever has just voted looks for that vote.
    """
    public = [d for d in contest.pending.values() if d.channel in contest.setup.nomics]
    return tuple((when(d.instant), clean(d.who), clean(ballot_text(d.ballot) if d.ballot else d.says))
                 for d in sorted(public, key=lambda d: (d.instant, d.key)))


def footnotes(count: Count) -> list[Vote]:
    """Return the votes that need a footnote: conditional ones, and those that count as null."""
    return [v for v in count.votes if v.ballot and (v.status != "determined" or not (v.plain or v.endorses))]


def change_rows(changes: Sequence[Change]) -> list[tuple[str, str]]:
    """Return *changes* as rows of a table."""
    return [(who, f"{clean(before or 'nobody')} -> {clean(now or 'nobody')}") for who, before, now in changes]


def count_summary(count: Count) -> str:
    """Return a count in one line: ``Gus 3, Fay 1, 3 for nobody``."""
    parts = [f"{clean(whom)} {number}" for whom, number in count.counts.items()]
    rest = sum(v.value is None for v in count.votes)
    none = "neither" if parts and count.counts.keys() <= {*VERDICTS} else "nobody"
    return ", ".join([*parts, f"{rest} for {none}"] if rest else parts)


def vote_line(vote: Vote) -> str:
    """Return one vote as a line: ``Cam: endorse Bex = Gus``."""
    if not vote.ballot:
        return f"{clean(vote.who)}: no vote"
    value = clean(vote.value or "nobody")
    ballot = clean(vote.ballot)
    comes_to = "" if vote.plain and ballot == value else f" = {value}"
    return f"{clean(vote.who)}: {ballot}{comes_to}"


def status_words(vote: Vote) -> str:
    """Return in words why a vote is null (NC 3)."""
    return {
        "circular": "it goes round in a circle", "paradox": "it contradicts itself",
        "secret": "it depends on something that is not public", "invalid": "it names nobody who can be voted for",
    }.get(vote.status, "that is what it comes to at present")


def _voter(vote: Vote, notes: Sequence[Vote]) -> str:
    name = clean(vote.who)
    if vote.endorses:
        name += f" (endorsing {clean(vote.endorses)})"
    if vote.weight != 1:
        name += f" ({plural(vote.weight, 'vote', 'votes') if vote.weight else 'no vote'})"
    return f"{name} [{notes.index(vote) + 1}]" if vote in notes else name


def _note(number: int, vote: Vote) -> str:
    why = clean("; ".join(vote.why)).replace("→", "->")
    if why and vote.status not in ("determined", "invalid"):
        return f'[{number}] {clean(vote.who)}, cast {when(vote.at)}: "{clean(vote.ballot)}". {why}.'
    null = "counts as null" if why and vote.status == "determined" else f"counts as null: {status_words(vote)}"
    value = f"counts for {clean(vote.value)}" if vote.value else f"{null} (NC 3)"
    text = f'[{number}] {clean(vote.who)}, cast {when(vote.at)}: "{clean(vote.ballot)}" {value}.'
    return f"{text} Reason: {why}." if why else text
