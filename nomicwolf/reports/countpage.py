"""A vote count as text: who has how many votes, from whom, and why each counts as it does."""

from __future__ import annotations

from collections.abc import Sequence

from nomicwolf.nomic.state import Contest
from nomicwolf.reports.counting import Count, Vote
from nomicwolf.reports.layout import bar, clean
from nomicwolf.reports.prose import Prose
from nomicwolf.reports.times import when
from nomicwolf.reports.ways import PLURALITY
from nomicwolf.village.ballots import ballot_text

Change = tuple[str, str | None, str | None]


def count_text(prose: Prose, count: Count, changes: Sequence[Change] = (), decides: str = "") -> str:
    """Return *count* as a table with footnotes; *changes* are (voter, before, now) since the last one.

    *decides* says what it takes, where that isn't a majority of votes for one person; how far a majority is shows only
    where one is needed.
    """
    notes = footnotes(count)
    voters = {whom: [_voter(v, notes) for v in count.votes if v.value == whom] for whom in count.counts}
    least = count.majority
    rows = [
        (*((str(number),) if decides == PLURALITY else (f"{number}/{least}", bar(number, least))), whom,
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


def to_come(contest: Contest, prose: Prose) -> str:
    """Return what forums have had of the present day and is not counted yet, '' if there is nothing (D-N9)."""
    rows = rows_to_come(contest)
    return prose.text("count-to-come", rows=rows, minutes=contest.setup.settling // 60) if rows else ""


def rows_to_come(contest: Contest) -> tuple[tuple[str, str, str], ...]:
    """Return when each forum's deed that is not counted yet takes effect, whose it is, and what it says.

    Everyone has read it there, and whoever has just voted looks for eir vote.
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


def summary(count: Count) -> str:
    """Return a count in one line: ``Gus 3, Fay 1, 3 for nobody``."""
    parts = [f"{clean(whom)} {number}" for whom, number in count.counts.items()]
    rest = sum(v.value is None for v in count.votes)
    return ", ".join([*parts, f"{rest} for nobody"] if rest else parts)


def vote_line(vote: Vote) -> str:
    """Return how one vote reads: ``Cam: endorse Bex = Gus``."""
    if not vote.ballot:
        return f"{clean(vote.who)}: no vote"
    value = clean(vote.value or "nobody")
    ballot = clean(vote.ballot)
    comes_to = "" if vote.plain and ballot == value else f" = {value}"
    return f"{clean(vote.who)}: {ballot}{comes_to}"


def status_words(vote: Vote) -> str:
    """Return in words how a null vote came about (NC 3)."""
    return {
        "circular": "it goes round in a circle", "paradox": "it contradicts itself",
        "secret": "it hangs on what not everyone can know", "invalid": "it comes to nobody who can be voted for",
    }.get(vote.status, "that is what it comes to at present")


def _voter(vote: Vote, notes: Sequence[Vote]) -> str:
    name = clean(vote.who)
    if vote.endorses:
        name += f" (endorsing {clean(vote.endorses)})"
    return f"{name} [{notes.index(vote) + 1}]" if vote in notes else name


def _note(number: int, vote: Vote) -> str:
    why = clean("; ".join(vote.why)).replace("→", "->")
    if why and vote.status not in ("determined", "invalid"):
        return f'[{number}] {clean(vote.who)}, cast {when(vote.at)}: "{clean(vote.ballot)}". {why}.'
    null = "counts as null" if why and vote.status == "determined" else f"counts as null: {status_words(vote)}"
    value = f"counts for {clean(vote.value)}" if vote.value else f"{null} (NC 3)"
    text = f'[{number}] {clean(vote.who)}, cast {when(vote.at)}: "{clean(vote.ballot)}" {value}.'
    return f"{text} Since: {why}." if why else text
