"""What a rehearsal prints: how the contest stands, and all that happened, as plain data and as text."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any

from nomicwolf.contest import Contest
from nomicwolf.letters.letter import Outgoing
from nomicwolf.nomic.events import Awarded
from nomicwolf.reports.asjson import event_json, phase_name
from nomicwolf.reports.counting import count_of
from nomicwolf.reports.times import iso
from nomicwolf.village.events import Ended, Killed
from nomicwolf.village.explaining import explain
from nomicwolf.village.game import Game
from nomicwolf.village.laws.verdicts import cast_in_stage, put_forward, town_with
from nomicwolf.village.resolution import resolve
from nomicwolf.village.rulesets import ruleset

if TYPE_CHECKING:
    from nomicwolf.rehearsal.playing import Played


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
    return ruleset(game.opened.ruleset).owed(game) if game is not None and game.opened is not None else []


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
