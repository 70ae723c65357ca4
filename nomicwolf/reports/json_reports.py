"""JSON reports, as `docs/json.md` describes them.

Keys may be added, none is ever renamed; instants are ISO 8601.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields, is_dataclass
from typing import Any

from nomicwolf.nomic.awards import derive
from nomicwolf.nomic.duties import contract_duties, deeds_owed
from nomicwolf.nomic.state import Contest
from nomicwolf.nomic.times import iso
from nomicwolf.reports.awards import award_book, award_totals
from nomicwolf.reports.journal import drafts
from nomicwolf.reports.views import contestmaster_view, untold_view
from nomicwolf.reports.vote_counts import Count, present_count
from nomicwolf.village.ballots import Copy, Endorse, FirstOf, For, If, Nobody, ballot_text
from nomicwolf.village.events import Entry, Event
from nomicwolf.village.game import Game

SCHEMA = 1
"""The version of all these shapes; another would mean that a key was renamed."""
INSTANTS = {"since", "until", "cast", "over", "instant", "sent", "stamped", "arrived"}
TAKEN = {"event", "entry", "at", "audience", "cites", "cause"}
Json = dict[str, Any]


def event_json(entry: Entry) -> Json:
    """Return an entry of the record: name, number, instant, readers, clauses, cause, and the event's own keys."""
    readers = entry.event.readers()
    return {
        "event": entry.event.name, "entry": entry.number, "at": iso(entry.at),
        "audience": readers if isinstance(readers, str) else list(readers), "cites": list(entry.cites),
        "cause": entry.cause, **_own(entry.event),
    }


def _own(event: Event) -> Json:
    """Return an event's own keys; one that clashes with a key of the entry is replaced by the event's name."""
    names = [f.name for f in fields(event)]  # type: ignore[arg-type] # every kind of event is a dataclass
    return {event.name if name in TAKEN else name: _value(name, getattr(event, name)) for name in names}


def _value(name: str, value: object) -> object:
    """Return *value* of the field *name* of an event as JSON."""
    if name in INSTANTS and isinstance(value, int) and not isinstance(value, bool):
        return iso(value) if value else None
    if isinstance(value, (Nobody, For, Endorse, Copy, If, FirstOf)):
        return ballot_text(value)
    if isinstance(value, Event):
        return {"event": value.name, **_own(value)}
    if isinstance(value, tuple):
        return dict(value) if value and all(map(_pair, value)) else [_value("", v) for v in value]
    if is_dataclass(value):
        return {field.name: _value(field.name, getattr(value, field.name)) for field in fields(value)}
    return value


def _pair(value: object) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], str)


def status_json(contest: Contest, now: int = 0) -> Json:
    """Return the status, including who owes what, for the contestmaster's eyes only.

    *now* (UTC seconds) is the time of asking, if that is later than the last thing heard.
    """
    view, public, game = contestmaster_view(contest), untold_view(contest), contest.game
    return {
        "schema": SCHEMA, "contest": contest.setup.contest, "name": contest.setup.name, "session": contest.session,
        "ruleset": public.ruleset or contest.setup.ruleset, "phase": phase_name(game),
        "stage": game.stage if game else "", "began": iso(game.began) if game and game.began else None,
        "deadline": iso(game.deadline) if game and game.deadline else None,
        "clock": iso(contest.clock) if contest.clock else None, "alive": list(game.living()) if game else [],
        "dead": [p for p in game.seats if p not in game.alive] if game else [],
        "disclosed": dict(game.disclosed) if game else {}, "majority": public.majority if public.living else None,
        "owed": owed_json(contest), "held": held_json(contest)["held"], "pending": len(contest.pending),
        "drafts": [asdict(d) for d in drafts(view, now)],
        "duties": duties_json(contest), "guard": iso(contest.law.guard) if contest.law.guard else None,
        "paused": iso(contest.law.paused) if contest.law.paused else None,
        "awards_held": [a.nomic for a in contest.awards_held.values()], "buckets": dict(view.buckets),
        "parties": {nomic: list(names) for nomic, names in contest.parties.items()},
        "commitment": public.commitment, "switches": dict(public.switches),
    }


def owed_json(contest: Contest) -> list[Json]:
    """Return who owes what since when, and when the contestmaster may act (NC 1j)."""
    return [
        {"who": o.who, "verb": o.verb, "since": iso(o.since), "until": iso(o.until)} for o in deeds_owed(contest)
    ]


def duties_json(contest: Contest) -> list[Json]:
    """Return what the contestmaster and members owe outside the session: clause, since when, until when."""
    return [{"who": d.who, "what": d.what, "clause": d.clause, "since": iso(d.since), "until": iso(d.until)}
            for d in contract_duties(contest)]


def phase_name(game: Game | None) -> str:
    """Return the phase as rehearsals name it: ``setup``, ``day 1``, ``night 2``, ``over``; '' before any session."""
    if game is None:
        return ""
    return f"{game.phase} {game.number}" if game.phase in ("day", "night") else game.phase


def votes_json(contest: Contest, heard: int = 0) -> Json:
    """Return the count of the present day in the shape of ``tally``; no votes at other times.

    *heard* (UTC seconds) is up to when everything is counted, if that is later than the last event.
    """
    game = contest.game
    if game is None or game.phase != "day":
        none: Json = {"schema": SCHEMA, "phase": phase_name(game), "majority": None, "counts": {}, "lynched": None}
        return {**none, "votes": {}}
    count, lynching = present_count(game)
    at = max(count.at, heard) if lynching is None else count.at
    return {"schema": SCHEMA, "phase": phase_name(game), "at": iso(at), **count_json(count)}


def count_json(count: Count) -> Json:
    """Return a count: the majority, the counts, who is lynched, and every vote with its reasons, in seat order."""
    votes = {v.who: v for v in count.votes}
    return {
        "majority": count.majority, "counts": dict(count.counts), "lynched": count.lynched,
        "votes": {
            who: {"value": votes[who].value, "status": votes[who].status, "why": list(votes[who].why),
                  "ballot": votes[who].ballot or None, "at": iso(votes[who].at) if votes[who].ballot else None}
            for who in count.living
        },
    }


def held_json(contest: Contest) -> Json:
    """Return the letters that wait for a ruling, by number."""
    return {"schema": SCHEMA, "held": [_held(contest, number) for number in sorted(contest.held)]}


def _held(contest: Contest, number: int) -> Json:
    held, letter = contest.held[number], contest.letters.get(number)
    return {
        "number": number, "why": held.why, "other": held.other,
        "from": letter.author if letter else "", "channel": letter.channel if letter else "",
        "message_id": letter.message_id if letter else "",
        "received": iso(letter.arrived) if letter and letter.arrived else None,
    }


def award_json(contest: Contest) -> Json:
    """Return the award book: every award, P of each nomic with its derivation, and awards that wait for P (D-N21)."""
    return {
        "schema": SCHEMA,
        "awards": [_own(a) for session in sorted(contest.awards) for a in contest.awards[session]],
        "book": [asdict(row) for row in award_book(contest)],
        "totals": [dict(zip(("nomic", "who", "what", "amount"), row, strict=True)) for row in award_totals(contest)],
        "derivations": [
            {"nomic": d.nomic, "points": d.points, "formula": d.formula, "counted": list(d.counted),
             "left_out": [{"who": who, "why": why} for who, why in d.left_out]}
            for d in (derive(contest, n) for n in contest.setup.nomics) if d
        ],
        "limits": {nomic: {"points": limit.points, "how": limit.how} for nomic, limit in contest.limits.items()},
        "held": [{"session": a.session, "nomic": a.nomic} for a in contest.awards_held.values()],
    }


def parties_json(contest: Contest) -> Json:
    """Return the roster of each nomic, and every known person with addresses and aliases."""
    persons = sorted(contest.persons.values(), key=lambda p: p.name.casefold())
    return {
        "schema": SCHEMA, "parties": _lists(contest.parties), "contestants": list(contest.contestants()),
        "contestmasters": {nomic: contest.contestmaster(nomic) for nomic in contest.setup.nomics},
        "status": [{"who": who, "nomic": nomic, **words} for (who, nomic), words in contest.law.status.items()],
        "persons": [{"name": p.name, "addresses": list(p.addresses), "aliases": list(p.aliases)} for p in persons],
    }


def _lists(names: Mapping[str, tuple[str, ...]]) -> dict[str, list[str]]:
    return {key: list(value) for key, value in names.items()}
