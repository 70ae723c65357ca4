"""One table of all that is owed.

By whom, since when, until when, and who may know that it is.

Reminders, public prods, what the contestmaster is told, the extension of stages and the absence policy all follow from
it. What players owe in a session comes from the duties of its rule set, what is owed besides from `duties`.
"""

from __future__ import annotations

from collections.abc import Iterable

from nomicwolf.nomic.absence import Owed
from nomicwolf.nomic.duties import contract_duties, due
from nomicwolf.nomic.state import Contest
from nomicwolf.village.events import Replaced, StageBegan, Voted
from nomicwolf.village.game import Game, replay
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.laws.runoff import one_by_one, out_now, turn_began, whose
from nomicwolf.village.rulesets import rules_in


def owing(contest: Contest) -> tuple[Owed, ...]:
    """Return all that is owed as *contest* stands, deeds first; it is worked out once for each place in the record."""
    if contest.owing is None or contest.owing[0] != contest.last:
        contest.owing = contest.last, (*deeds_owed(contest), *votes_owed(contest), *offices(contest))
    return contest.owing[1]


def offices(contest: Contest) -> tuple[Owed, ...]:
    """Return what the contestmaster and the members owe outside of what players do in a session."""
    return tuple(Owed(d.who, d.what, d.since, d.until, "office", clause=d.clause) for d in contract_duties(contest))


def deeds_owed(contest: Contest) -> tuple[Owed, ...]:
    """Return who holds the present phase of *contest* open, with what, since when, and until when (D-N37)."""
    game = contest.running
    if game is None or game.opened is None:
        return ()
    taken = _taken(game)
    found = []
    for who, verb, owed in _since(rules_in(game), game):
        since = max(owed, taken.get(who, 0))
        found.append(Owed(who, verb, since, due(contest, since, who), closes=game.deadline if game.stage else 0))
    return tuple(found)


def votes_owed(contest: Contest) -> tuple[Owed, ...]:
    """Return who can vote now and hasn't: since the vote opened, or since e took a seat (D-N41)."""
    game = contest.running
    if game is None or game.opened is None or game.phase != "day":
        return ()
    rules, stands = rules_in(game), not game.stage
    opened = game.began if stands else game.lines(StageBegan)[-1].at
    mark = game.phase_mark if stands else game.mark(StageBegan)
    voted = {v.who for v in game.since(mark, Voted)}
    taken = _taken(game)
    found = []
    for who in game.living():
        ballot = None if who in voted else next((d for d in rules.duties(game, who) if d.pins), None)
        if ballot is None:
            continue
        since, closes = max(opened, taken.get(who, 0)), game.deadline
        if one_by_one(game):
            out = out_now(game)
            since, closes = turn_began(game, who, out), whose(game, out)[1]
        found.append(Owed(who, ballot.verb, since, 0, "sealed" if ballot.sealed else "vote", closes))
    return tuple(found)


def reminders(owed: Owed, when: Iterable[str]) -> tuple[int, ...]:
    """Return the instants (UTC seconds) at which *owed* is to be reminded of; none of what has no end.

    Of *when*, ``50%`` is so much of the term, ``24h`` so many hours before its end; those are left out that lie in the
    first quarter of the term.

    >>> reminders(Owed("Cam", "see", 0, 604_800), ("50%", "24h"))
    (302400, 518400)
    >>> reminders(Owed("Cam", "vote", 0, 0, closes=86_400), ("50%", "24h"))
    (43200,)
    """
    term = owed.ends - owed.since
    found = {owed.since + term * int(text[:-1]) // 100 if text.endswith("%") else owed.ends - 3600 * int(text[:-1])
             for text in when} if owed.ends else set()
    return tuple(sorted(at for at in found if owed.since + term // 4 <= at < owed.ends))


def left_to_remind(contest: Contest, owed: Owed) -> tuple[int, ...]:
    """Return the instants at which *owed* is still to be reminded of; a new end of its term begins anew."""
    given = [at for at, until in contest.law.reminded.get((owed.who, owed.verb), ())
             if at >= owed.since and until == owed.ends]
    every = reminders(owed, contest.setup.remind)
    return tuple(at for at in every if at > max(given, default=0)) if len(given) < len(every) else ()


def _taken(game: Game) -> dict[str, int]:
    """Return since when those play who have taken over a seat."""
    return {e.event.new: e.at for e in game.lines(Replaced) if isinstance(e.event, Replaced)}


def _since(rules: Ruleset, game: Game) -> Iterable[tuple[str, str, int]]:
    """Yield (player, verb, since) for all that holds the phase open, owed without a break since then (UTC seconds)."""
    now = rules.owed(game)
    if not now:
        return
    past = replay(e for e in game.entries if e.number < game.phase_mark)
    since: dict[tuple[str, str], int] = {}
    for entry in (e for e in game.entries if e.number >= game.phase_mark):
        past.record(entry)
        owed = set(rules.owed(past))
        since = {pair: since.get(pair, entry.at) for pair in owed}
    for who, verb in now:
        yield who, verb, since.get((who, verb), game.clock)
