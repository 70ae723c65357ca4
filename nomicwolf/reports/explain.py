"""Why a vote counts as it does, why someone died, what brought a phase or an event about: with letter and clause.

For the contestmaster's own eyes: what is asked about may be secret.
"""

from __future__ import annotations

from dataclasses import dataclass

from nomicwolf.nomic.duties import deeds_owed
from nomicwolf.nomic.events import DeedHeard, LetterHeard
from nomicwolf.nomic.state import Contest
from nomicwolf.reports.asjson import SCHEMA, Json, event_json, phase_name
from nomicwolf.reports.counting import Vote, present_count
from nomicwolf.reports.countpage import status_words, vote_line
from nomicwolf.reports.dying import behind, condemning
from nomicwolf.reports.happened import happened
from nomicwolf.reports.layout import clean, fit
from nomicwolf.reports.people import meant
from nomicwolf.reports.prose import by_contract
from nomicwolf.reports.replying import entry_at
from nomicwolf.reports.times import when
from nomicwolf.reports.views import rules_of
from nomicwolf.village.events import Cause, Entry, Killed, Lynched, PhaseBegan
from nomicwolf.village.game import Game, heirs_of
from nomicwolf.village.laws.majority import casts, voted

WIDE = 100
"""Columns of a line on a terminal."""
VOTES, SETUP = "NC 3", "NC 2"
"""The contract's clauses on votes, and on how a session begins."""


class Unexplained(ValueError):
    """There is nothing of that name to explain; the message says what there is."""


@dataclass(frozen=True)
class Explanation:
    """The answer to "why": *says* in words, the *steps* of a vote, the *chain* of entries from effect to letter.

    *clause* is what it rests on in the contract's own game, where no entry says.
    """

    what: str
    says: tuple[str, ...]
    steps: tuple[str, ...] = ()
    chain: tuple[Entry, ...] = ()
    clause: str = ""


def explain(contest: Contest, what: str) -> Explanation:
    """Return why *what* is so: a living player's vote, a death, ``phase``, ``count``, or an entry by its number."""
    words = what.strip()
    game = contest.game
    seats = game.seats if game is not None else ()
    heirs = {old.casefold(): (old, new) for old, new in heirs_of(game).items()} if game is not None else {}

    def seated(text: str) -> str:
        who = "" if text.strip().casefold() in heirs else meant(contest, text)
        return who if who in seats else ""

    if game is not None and (who := seated(words)):
        return _vote(contest, game, who) if who in game.alive else _death(contest, game, who)
    kind, _, name = words.partition(" ")
    if game is not None and kind == "death" and (who := seated(name)):
        return _death(contest, game, who)
    if game is not None and words == "phase":
        return _phase(contest, game)
    if game is not None and words == "count":
        return _count(game)
    entry = entry_at(contest, int(words)) if words.isdecimal() else None
    if entry is not None:
        return Explanation(f"entry {entry.number}", (_line(entry),), (), chain(contest, entry))
    players = ", ".join(seats) or "nobody plays yet"
    if swap := heirs.get((name if kind == "death" else words).strip().casefold()):
        raise Unexplained("{} was replaced, and what was eirs is {}'s now (D-N41): ask for em.".format(*swap))
    if not contest.last:
        raise Unexplained("There is nothing to explain yet: the record is empty.")
    raise Unexplained(
        f"There is no {what!r} to explain. Name a player ({players}), death NAME, phase, count, or an entry of the "
        f"record from 1 to {contest.last}.")


def _vote(contest: Contest, game: Game, who: str) -> Explanation:
    if game.phase != "day":
        return Explanation(f"{who}'s vote", (f"Nobody votes now: it is {phase_name(game)}.",), clause=VOTES)
    vote, cited = next((v for v in present_count(game)[0].votes if v.who == who), None), _cited(game, VOTES)
    if vote is None:
        says = f"{who} is no living townsperson, and has no vote{cited}."
        return Explanation(f"{who}'s vote", (says,), clause=VOTES)
    cast = next((e for e in reversed(casts(game)) if voted(e).who == who), None)
    behind = chain(contest, cast) if cast else ()
    return Explanation(f"{who}'s vote", (_verdict(vote, cited), *_waiting(contest, who)), vote.why, behind, VOTES)


def _waiting(contest: Contest, who: str) -> tuple[str, ...]:
    """Return what *who* has written to a forum and what doesn't count yet, since earlier mail may still come (D-A4)."""
    return tuple(
        f"Waiting: {d.says!r} of {when(d.instant)}; mail with earlier stamps may still come first."
        for d in contest.pending.values() if d.who == who and d.channel in contest.setup.nomics)


def _verdict(vote: Vote, cited: str) -> str:
    if not vote.ballot:
        return f"{vote.who} has no vote standing, which is a vote for nobody{cited}."
    if vote.value is None and vote.status != "determined":
        return f"{vote_line(vote)}: it counts as null, since {status_words(vote)}{cited}."
    return f"{vote_line(vote)}{cited}."


def _cited(game: Game, clause: str) -> str:
    """Return a *clause* of the contract's as it is cited, '' in a game that has others."""
    return f" ({clause})" if _has_clauses(game) else ""


def _has_clauses(game: Game) -> bool:
    return game.opened is not None and by_contract(rules_of(game.opened.ruleset))


def _count(game: Game) -> Explanation:
    if game.phase != "day":
        return Explanation("the count", (f"Nobody votes now: it is {phase_name(game)}.",), clause=VOTES)
    count, _ = present_count(game)
    cited = _cited(game, VOTES)
    says = [f"{clean(who)} has {n} of the {count.majority} votes that lynch{cited}." for who, n in count.counts.items()]
    steps = [f"{vote_line(v)}{': ' if v.why else ''}{'; '.join(v.why)}" for v in count.votes]
    return Explanation("the count", tuple(says or [f"Nobody has a vote{cited}."]), tuple(steps), clause=VOTES)


def _death(contest: Contest, game: Game, who: str) -> Explanation:
    killed = game.lines(Killed, who=who)
    if not killed:
        return Explanation(f"the death of {who}", (f"{who} has not been killed.",))
    entry = killed[-1]
    lynched = next((e for e in reversed(game.lines(Lynched, who=who)) if entry.event == Killed(who, "lynch")), None)
    steps = condemning(contest, lynched) if lynched else ()
    return Explanation(f"the death of {who}", (_line(entry),), steps, chain(contest, lynched or entry))


def _phase(contest: Contest, game: Game) -> Explanation:
    begun = game.lines(PhaseBegan)[-1:]
    says = [_line(e) for e in begun] or [f"The session is being set up{_cited(game, SETUP)}."]
    says += [f"{clean(o.who)} owes {o.verb} since {when(o.since)}, which holds the phase open."
             for o in deeds_owed(contest)]
    return Explanation("the phase", tuple(says), (), chain(contest, begun[0]) if begun else (), SETUP)


def chain(contest: Contest, entry: Entry) -> tuple[Entry, ...]:
    """Return *entry* and what brought it about, back to the letter or command that it comes from."""
    found = [entry]
    while len(found) < 50:
        event = found[-1].event
        number = event.letter if isinstance(event, DeedHeard) else Cause.of(found[-1].cause).number
        before = behind(contest.game, found[-1]) or (entry_at(contest, number) if number else None)
        if before is None or before in found:
            break
        found.append(before)
    return tuple(found)


def _line(entry: Entry) -> str:
    cites = f" ({', '.join(entry.cites)})" if entry.cites else ""
    return f"{when(entry.at)}: {happened(entry.event)}{cites}."


def _source(entry: Entry) -> str:
    event = entry.event
    if isinstance(event, DeedHeard):
        return f"line {event.line} of letter {event.letter}, by {event.who}: {clean(event.text)}"
    if isinstance(event, LetterHeard):
        return f"letter {entry.number} {event.message_id} through {event.channel}, arrived {when(event.arrived)}"
    return f"entry {entry.number}, {_line(entry)}"


def explain_text(contest: Contest, what: str) -> str:
    """Return the explanation of *what* in words; raise `Unexplained` if there is nothing of that name."""
    found = explain(contest, what)
    lines = [*map(clean, found.says), *(f"  - {clean(step)}" for step in found.steps)]
    if found.chain:
        last = found.chain[-1].cause
        lines += ["It comes from:", *(f"  - {clean(_source(e))}" for e in found.chain)]
        lines += [f"  - {last}"] if last in ("clock", "command") else []
    return fit("\n".join(lines), WIDE)


def explain_json(contest: Contest, what: str) -> Json:
    """Return the explanation of *what* for programs; raise `Unexplained` if there is nothing of that name."""
    found = explain(contest, what)
    deed = next((e.event for e in found.chain if isinstance(e.event, DeedHeard)), None)
    letter = next((e for e in found.chain if isinstance(e.event, LetterHeard)), None)
    clauses = dict.fromkeys(c for e in found.chain for c in e.cites)
    if not clauses and found.clause and contest.game is not None and _has_clauses(contest.game):
        clauses = {found.clause: None}
    return {
        "schema": SCHEMA, "what": found.what, "says": list(found.says), "why": list(found.steps),
        "clauses": list(clauses), "events": [event_json(e) for e in found.chain],
        "letter": {
            "number": letter.number, "message_id": getattr(letter.event, "message_id", ""),
            "line": deed.line if deed else None, "text": deed.text if deed else None,
        } if letter else None,
    }
