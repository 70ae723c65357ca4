"""A contest at the beginning of any phase.

Rehearsals begin here. What lies before the phase is told to the record in short, so that all rules find there what they
ask for; the phase itself begins as it does in a session, with everything that follows from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from nomicwolf.contest import delivery, silence
from nomicwolf.contest.sessions import switches_for
from nomicwolf.contest.step import Work
from nomicwolf.nomic.events import LimitConfirmed, PartyJoined, PersonKnown, SessionStarted
from nomicwolf.nomic.setup import Setup
from nomicwolf.nomic.state import Contest
from nomicwolf.reports.setups import role_texts
from nomicwolf.village.ballots import Ballot
from nomicwolf.village.events import (
    Chose,
    DeathsAnnounced,
    Disclosed,
    Event,
    Joined,
    Killed,
    Lynched,
    Opened,
    PhaseBegan,
    RolesBrought,
    Told,
    VotesWeighed,
)
from nomicwolf.village.game import Game
from nomicwolf.village.kernel import Ruleset, with_switches
from nomicwolf.village.laws.phases import begin
from nomicwolf.village.lots import commitment
from nomicwolf.village.rules import Refusal
from nomicwolf.village.rulesets import rules_with, ruleset

OPENING = ("setup", 0)


@dataclass(frozen=True, slots=True)
class Position:
    """The position of a session when *phase* with its *number* begins at *at* (UTC seconds).

    *roles* are (player, role) in seat order; *spent* maps a player to the powers that e has used; *votes* are cast at
    the beginning of the phase, in this order; *stage* is '' for the one that the rules give.
    """

    roles: tuple[tuple[str, str], ...]
    at: int
    phase: str = "setup"
    number: int = 0
    stage: str = ""
    dead: tuple[str, ...] = ()
    lovers: tuple[str, ...] = ()
    spent: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    votes: tuple[tuple[str, Ballot], ...] = ()
    disclosed: Mapping[str, str] = field(default_factory=dict)
    seed: str = ""


def people(contest: Contest, addresses: Mapping[str, tuple[str, ...]], limits: Mapping[str, int], at: int) -> Contest:
    """Return *contest* with everyone in *addresses* a party in every nomic, and P as *limits* have it."""
    work = Work(contest, at)
    for who, known in addresses.items():
        work.add(PersonKnown(who, known))
        for nomic in contest.setup.nomics:
            work.add(PartyJoined(who, nomic), cites=("NC 1c",))
    for nomic, points in limits.items():
        work.add(LimitConfirmed(nomic, points), cites=("D-N21",))
    return work.contest


def stand(contest: Contest, position: Position) -> Contest:
    """Return *contest* with a session in that position; raise `Refusal` for roles or votes that can't be.

    At ``setup`` the cards have just been dealt, and all follows that does then. Roles that the rule set has not may be
    files of the contest's, or of the library.
    """
    work = Work(contest, position.at)
    rules, brought = rules_for(contest.setup, position)
    position = replace(position, roles=tuple((who, rules.called(role)) for who, role in position.roles))
    opened = _opened(contest, rules, position)
    roles = _in_play(rules, position)
    bind = commitment(contest.setup.contest, opened.session, position.seed)
    names = tuple(who for who, _ in position.roles)
    work.add(SessionStarted(opened.session, rules.name, names, roles, bind), cites=("NC 2",), cause="command")
    silence.begin_policy(work)
    delivery.begin_covers(work)
    if (position.phase, position.number) == OPENING:
        work.contest.game = Game()
        events = (opened, *brought)
        work.play(lambda game: rules.settle(game, position.at, events, ("NC 2b", "NC 2c"), "command"))
        delivery.close_cover(work, contest)
        return work.contest
    votes = [(who, rules.roles[role].traits.votes) for who, role, _ in opened.deal]
    weighed = tuple((who, number) for who, number in votes if number != 1)
    for event in (opened, *brought, *([VotesWeighed(weighed)] if weighed else [])):
        work.add(event, cites=("NC 2b", "NC 2c"), cause="command")
    _past(work, rules, position)
    _begin(work, rules, position)
    delivery.close_cover(work, contest)
    return work.contest


def rules_for(setup: Setup, position: Position) -> tuple[Ruleset, tuple[Event, ...]]:
    """Return the rules by which a *position* is played, and that its roles from files, if any, are brought to it."""
    rules = ruleset(setup.ruleset)
    texts = role_texts(rules, sorted({role for _, role in position.roles}), setup.roles)
    return rules_with(rules.name, texts), (RolesBrought(texts),) if texts else ()


def _opened(contest: Contest, rules: Ruleset, position: Position) -> Opened:
    unknown = [role for _, role in position.roles if role not in rules.roles]
    if unknown:
        raise Refusal(f"{rules.name} has no role {unknown[0]!r}.", options=tuple(rules.roles))
    deal = tuple((who, role, rules.roles[role].side) for who, role in position.roles)
    chosen = _in_play(rules, position)
    switches = with_switches(rules, switches_for(rules, contest.setup.switches))
    return Opened(rules.name, contest.session + 1, position.seed, deal, switches, chosen)


def _in_play(rules: Ruleset, position: Position) -> tuple[str, ...]:
    """Return the roles that were asked for, as often as they are held: two Freemasons, three mafiosi."""
    held = [role for _, role in position.roles]
    return tuple(role for role in rules.optional if role != rules.plain for _ in range(held.count(role)))


def _past(work: Work, rules: Ruleset, position: Position) -> None:
    """Record what was before: phases, Lovers, powers used, deaths and what is known of the dead."""
    opening = _opening(rules, work, position)
    events: list[Event] = [PhaseBegan(*phase) for phase in earlier(opening, position.phase, position.number)]
    for event in events:
        work.add(event)
    if len(position.lovers) == 2:
        one, other = position.lovers
        work.add(Joined((one, other)), cites=("NC 7d",))
        for lover in position.lovers:
            work.add(Told(lover, "lovers", f"The Lovers are {one} and {other}.", position.lovers))
    for who, verbs in position.spent.items():
        for verb in verbs:
            work.add(Chose(who, verb, (who,)))
    for who in position.dead:
        _death(work, who, lynched=who in position.disclosed)
    for who, what in position.disclosed.items():
        work.add(Disclosed(who, what))
    game = work.contest.game
    assert game is not None
    for who, verb in rules.owed(game):
        if who in position.dead:
            work.add(Chose(who, verb))


def _death(work: Work, who: str, *, lynched: bool) -> None:
    if lynched:
        work.add(Lynched(who))
        work.add(Killed(who, "lynch"))
    else:
        work.add(Killed(who, "attack"))
        work.add(DeathsAnnounced((who,)))


def _opening(rules: Ruleset, work: Work, position: Position) -> str:
    """Return the phase with which a session of *rules* opens, of which the other kind follows: ``day`` or ``night``.

    After a short day 0 the numbers run as if night 1 were the first; `Refusal` for a phase 0 that there isn't.
    """
    game = work.contest.game
    assert game is not None
    assert game.opened is not None
    fresh, _ = rules.settle(Game(), 0, (game.opened,), (), "")
    begun = fresh.last(PhaseBegan)
    if position.number == 0 and (begun is None or (begun.phase, begun.number) != (position.phase, 0)):
        raise Refusal(f"{rules.name} has no {position.phase} 0.")
    return "night" if begun is not None and begun.number == 0 else begun.phase if begun is not None else rules.first


def earlier(first: str, phase: str, number: int) -> list[tuple[str, int]]:
    """Return the phases that come before *phase* *number* where the session begins with a *first* (day or night).

    >>> earlier("day", "night", 2)
    [('day', 1), ('night', 1), ('day', 2)]
    >>> earlier("night", "day", 1)
    [('night', 1)]
    """
    other = "night" if first == "day" else "day"
    found = [pair for count in range(1, number + 1) for pair in ((first, count), (other, count))]
    return found[: found.index((phase, number))] if (phase, number) in found else found


def _begin(work: Work, rules: Ruleset, position: Position) -> None:
    """Begin the phase with all that follows, and then the stage and the votes that are given."""
    at, phase = position.at, PhaseBegan(position.phase, position.number)
    work.play(lambda game: rules.settle(game, at, (phase,), (), "clock"))
    game = work.contest.game
    assert game is not None
    if position.stage and game.stage and position.stage != game.stage:
        stage = begin(game, position.stage)
        work.play(lambda g: rules.settle(g, at, (stage,), (), "clock"))

    def cast(place: int, who: str, ballot: Ballot) -> None:
        work.play(lambda g: rules.cast(g, at, who, "vote", ballot, key=(at, place), cause="command"))

    for place, (who, ballot) in enumerate(position.votes):
        cast(place, who, ballot)
