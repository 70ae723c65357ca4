"""The contract's duties, with clause and term.

Each is wanted "as soon as possible": since when, and when it is due (NC 1j).

What players owe in a session comes from its rule set; what follows here is how long they have for it, and what the
contestmaster and the members owe besides.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from nomicwolf.nomic.intents import CLAUSES, chance_of, law_of, open_intents, published, put_off, says
from nomicwolf.nomic.law import Law
from nomicwolf.nomic.profiles import DAY
from nomicwolf.nomic.setup import Setup
from nomicwolf.nomic.state import Contest
from nomicwolf.village.events import Completed

AWAY = 14 * DAY
"""For how long an absence that someone announces can put off what e owes (D-N37)."""
FAR = 10_000 * DAY
"""Seconds for which an outage or a pause lasts while nobody has said that it is over: longer than any contest."""


@dataclass(frozen=True, slots=True)
class Due:
    """*who* is to do *what* by *clause*, since *since* and until *until* (UTC seconds)."""

    who: str
    what: str
    clause: str
    since: int
    until: int


def soon(setup: Setup) -> int:
    """Return what "as soon as possible" lasts, in seconds: the longest of the nomics in which the contract is."""
    return max((law_of(setup, n).soon for n in setup.nomics), default=7) * DAY


def due(contest: Contest, since: int, who: str = "") -> int:
    """Return until when what is owed since *since* is to be done, UTC seconds: see `term`."""
    return term(contest.setup, contest.law, since, who)


def term(setup: Setup, law: Law, since: int, who: str = "") -> int:
    """Return until when what *who* owes since *since* is to be done by the *law* that is known, UTC seconds.

    Outages and the absences that *who* announced don't count (D-N37); a holiday in which the end would fall moves it to
    72 hours after (CFJ 2321).
    """
    at = past(since, soon(setup), (*absences(law, who), *stoppages(law)))
    for nomic in setup.nomics:
        at = put_off(law, nomic, at)
    return at


def absences(law: Law, who: str) -> list[tuple[int, int]]:
    """Return (since, until) of the absences that *who* announced, as far as they put anything off (D-N37)."""
    return [(a, min(b, a + AWAY)) for name, a, b in law.away if name == who]


def stoppages(law: Law) -> list[tuple[int, int]]:
    """Return (since, until) of the outages and the pauses in which no time counted (D-N39, D-A15)."""
    return [*law.outages, *law.pauses, *((since, since + FAR) for since in (law.guard, law.paused) if since)]


def past(since: int, lasts: int, pauses: Iterable[tuple[int, int]]) -> int:
    """Return the instant by which *lasts* seconds from *since* on have passed, without those of *pauses*.

    >>> past(100, 50, [(110, 130), (120, 140), (500, 600)])
    180
    """
    left, now = lasts, since
    for start, end in sorted(pauses):
        if end <= now:
            continue
        if start >= now + left:
            break
        left -= max(start - now, 0)
        now = end
    return now + left


def contract_duties(contest: Contest) -> tuple[Due, ...]:
    """Return what the contestmaster and the members owe outside of what players do in a session, soonest first."""
    found = [*_of_the_session(contest), *_of_awards(contest), *_of_intents(contest), *_of_members(contest)]
    return tuple(sorted(found, key=lambda d: (d.until, d.who, d.what)))


def _of_the_session(contest: Contest) -> list[Due]:
    """Return what the contestmaster owes a session: the news of a complete night, or to start one that can be."""
    master, game = contest.contestmaster(), contest.running
    if game is not None:
        done = game.lines_now(Completed)
        if game.phase == "night" and done:
            at = done[-1].at
            return [Due(master, "announce who was killed", "NC 4c", at, due(contest, at))]
        return []
    if contest.law.subgame_ended or len(contest.contestants()) < 5:
        return []
    since = _startable(contest)
    return [Due(master, "start a session: five contestants or more, and none is running", "NC 2", since,
                due(contest, since))]


def _startable(contest: Contest) -> int:
    """Return since when a session can be started: the fifth contestant's joining, or the end of the last session."""
    joined = contest.recalled.joined
    return max(sorted(joined.get(who, 0) for who in contest.contestants())[4], contest.recalled.over_at)


def _of_awards(contest: Contest) -> list[Due]:
    """Return what the contestmaster owes about awards: P where they wait for it, and answers to claims of error."""
    master = contest.contestmaster()
    ended = contest.recalled.ended_at
    found = [
        Due(master, f"confirm P of {held.nomic}, and award", "NC 5", ended,
            due(contest, ended))
        for held in contest.awards_held.values()
    ]
    found += [
        Due(master, f"answer the claim of error on award {claim.claimed.award} of session {claim.claimed.session}",
            "NC 5i", claim.at, due(contest, claim.at))
        for claim in contest.law.claims.values() if claim.accepted is None
    ]
    return found


def _of_intents(contest: Contest) -> list[Due]:
    """What is to be done about intents, in each nomic in which nothing happens by itself (NC 1c, D-N34)."""
    master, found = contest.contestmaster(), []
    for intent in open_intents(contest):
        for nomic in contest.setup.nomics:
            law = law_of(contest.setup, nomic)
            if intent.objections or intent.settled(nomic) or law.window.by_itself:
                continue
            clause = CLAUSES[intent.announced.action]
            if published(contest, intent, nomic) is None:
                found.append(Due(master, f"see whether the forum of {law.title} has published intent {intent.number}, "
                                 f"{says(intent)}, and announce it anew if it hasn't", clause, intent.at,
                                 due(contest, intent.at)))
                continue
            open_ = chance_of(contest, intent, nomic)
            if open_.first is not None and open_.last is not None:
                found.append(Due(master, f"resolve intent {intent.number}, {says(intent)}, in {law.title}, or let it "
                                 "lapse", clause, open_.first, open_.last))
    return found


def _of_members(contest: Contest) -> list[Due]:
    found = []
    for who, nomic, elsewhere in missing_members(contest):
        since = contest.law.to_join.get((who, nomic))
        if since is not None:
            found.append(Due(who, f"become a party in {nomic} too, as in {elsewhere}", "NC 1h", since,
                             due(contest, since, who)))
    return found


def missing_members(contest: Contest) -> list[tuple[str, str, str]]:
    """NC 1h: return (who, nomic, elsewhere) for each player of *nomic* who is a member *elsewhere* and not there."""
    found = []
    for (who, nomic), status in contest.law.status.items():
        here = contest.parties.get(nomic, ())
        elsewhere = [n for n, names in contest.parties.items() if who in names and n != nomic]
        if status.get("player") and elsewhere and who not in here:
            found.append((who, nomic, elsewhere[0]))
    return found
