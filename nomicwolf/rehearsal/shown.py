"""A rehearsal's outcome, as plain data and as text."""

from __future__ import annotations

from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

from nomicwolf.contest import Contest
from nomicwolf.letters.letter import Outgoing
from nomicwolf.nomic.events import Asked, Awarded, DeedHeard, LetterHeld, Refused
from nomicwolf.nomic.times import iso
from nomicwolf.rehearsal.script import Script
from nomicwolf.reports.json_reports import event_json, phase_name
from nomicwolf.reports.vote_counts import count_of
from nomicwolf.village.events import Ended, Entry, Killed
from nomicwolf.village.explaining import explain
from nomicwolf.village.game import Game
from nomicwolf.village.laws.verdicts import cast_in_stage, put_forward, town_with
from nomicwolf.village.resolution import resolve
from nomicwolf.village.rule_helpers import either
from nomicwolf.village.rulesets import rules_in


@dataclass(frozen=True, slots=True)
class Denied:
    """Something that was not done: *who* wrote or gave *text* at *at* (UTC seconds), and *why* it was not."""

    who: str
    at: int
    text: str
    why: str


@dataclass(slots=True)
class Played:
    """A rehearsal as far as it has been played: the contest, and all that is new since it began.

    *failures* are the expectations that did not hold, in words; *checked* tells whether there were any; *said* what
    the commands answered.
    """

    script: Script
    contest: Contest
    entries: list[Entry] = field(default_factory=list)
    letters: list[Outgoing] = field(default_factory=list)
    refused: list[Denied] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    checked: bool = False

    @property
    def passed(self) -> bool | None:
        """Whether all that was expected is so; None if nothing was expected."""
        return not self.failures if self.checked else None


def shown(played: Played) -> dict[str, Any]:
    """Return a rehearsal as ``rehearse --json`` prints it.

    Events stand in the order of their instants: a letter is recorded before what fell due until it came.
    """
    contest = played.contest
    game = contest.game
    votes, counts = votes_of(game) if game is not None else ({}, {})
    ended = game.last(Ended) if game is not None else None
    return {
        "schema": 1,
        "title": played.script.title,
        "passed": played.passed,
        "failures": list(played.failures),
        "phase": phase_name(game) or "none",
        "alive": list(game.living()) if game is not None else [],
        "dead": list(dead(game)) if game is not None else [],
        "votes": votes,
        "counts": counts,
        "winners": list(ended.winners) if ended else [],
        "awards": [
            {"who": a.who, "nomic": a.nomic, "what": a.what, "amount": a.amount}
            for a in (e.event for e in played.entries) if isinstance(a, Awarded)
        ],
        "events": [event_json(e) for e in sorted(played.entries, key=attrgetter("at"))],
        "letters": [letter_json(x) for x in played.letters],
        "refused": [{"from": d.who, "at": iso(d.at), "text": d.text, "why": d.why} for d in played.refused],
        "owed": [{"who": who, "verb": verb} for who, verb in owed(contest)],
    }


def denied(contest: Contest, entry: Entry) -> Denied | None:
    """Return what *entry* tells was not done, None if it tells of nothing of the kind."""
    match entry.event:
        case Refused(who=who, text=text, why=why, options=options):
            return Denied(who, entry.at, text, " ".join([why, *(["Possible:", ", ".join(options)] if options else [])]))
        case Asked(who=who, text=text, problem=problem, hint=hint, suggestions=near):
            mean = f"Did you mean {either(near)}?" if near else ""
            return Denied(who, entry.at, text, " ".join(part for part in (f"{problem}:", hint, mean) if part))
        case LetterHeld(letter=number, why=why):
            heard = contest.letters.get(number)
            told = any(isinstance(e.event, DeedHeard) and e.event.letter == number for e in contest.entries) or any(
                isinstance(e.event, Refused) and e.cause == f"letter {number}" for e in contest.entries)
            return None if told else Denied(heard.author if heard else "", entry.at, "", f"held: {why}")
    return None


def letter_json(letter: Outgoing) -> dict[str, Any]:
    """Return a letter that was sent: to a forum by its nomic's name, or to a person by eirs."""
    return {
        "to": letter.forum or letter.person, "audience": letter.kind, "at": iso(letter.at), "subject": letter.subject,
        "body": letter.body,
    }


def dead(game: Game) -> tuple[str, ...]:
    """Return who is dead, in the order in which they died: who was brought back, and killed again, by the last time."""
    last_first = dict.fromkeys(k.who for k in reversed(game.ever(Killed)) if k.who not in game.alive)
    return tuple(reversed(last_first))


def owed(contest: Contest) -> list[tuple[str, str]]:
    """Return who holds the phase open, and by which verb."""
    game = contest.running
    return rules_in(game).owed(game) if game is not None and game.opened is not None else []


def votes_of(game: Game) -> tuple[dict[str, Any], dict[str, int]]:
    """Return each vote as ``tally`` shows it, and the counts; in a day of stages, those of the present stage."""
    if game.stage:
        ballots = cast_in_stage(game)
        town = town_with(game, put_forward(ballots.values()))
        table = resolve(town, ballots)
        votes = {
            who: {"value": table.values[who], "status": table.statuses[who],
                  "why": list(explain(town, ballots, table, who))}
            for who in game.living()
        }
        return votes, dict(table.counts)
    count = count_of(game)
    by_name = {v.who: {"value": v.value, "status": v.status, "why": list(v.why)} for v in count.votes}
    return {who: by_name[who] for who in game.seats if who in by_name}, dict(count.counts)


def as_text(played: Played) -> str:
    """Return a rehearsal as people read it: whether it passed, what did not hold, how it stands."""
    found = shown(played)
    word = {True: "passed", False: "FAILED", None: "played"}[played.passed]
    lines = [f"{word}: {played.script.title or played.script.ruleset}"]
    if played.passed:
        return lines[0]
    lines += [f"  {failure}" for failure in played.failures]
    standing = f"  it is {found['phase']}; living: {', '.join(found['alive']) or 'nobody'}"
    lines.append(f"{standing}; dead: {', '.join(found['dead']) or 'nobody'}")
    if found["winners"]:
        lines.append(f"  winners: {', '.join(found['winners'])}")
    if found["counts"]:
        lines.append("  votes: " + ", ".join(f"{who} {number}" for who, number in found["counts"].items()))
    lines += [f"  refused, {r['from']} at {r['at']}: {' '.join(r['why'].split())}" for r in found["refused"]]
    return "\n".join(lines)
