"""Sessions, from their seeds to their awards.

Players can have a part in the seed: the contestmaster's half is bound, their letters go into it, and in the end it is
published (NC 2b).

NC 2: “With five contestants or more and no session running, the contestmaster CAN take the steps 2a to 2d”.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from nomicwolf.contest import delivery, silence
from nomicwolf.contest.step import Command, Work
from nomicwolf.nomic.awards import BY_SETTINGS, TROPHY, awards_for, derivation_text, unconfirmed
from nomicwolf.nomic.events import (
    AwardsHeld,
    HalfTold,
    LetterHeard,
    LimitConfirmed,
    Noted,
    Refused,
    SeedBound,
    SeedKept,
    SeedMixed,
    SessionStarted,
    SessionStopped,
    Words,
    revealed,
)
from nomicwolf.nomic.intents import open_intents
from nomicwolf.nomic.law_events import IntentBlocked
from nomicwolf.nomic.state import Contest
from nomicwolf.reports.setups import role_texts
from nomicwolf.village.events import Announced, Ended, Event, Opened, RolesBrought
from nomicwolf.village.game import Game
from nomicwolf.village.kernel import Ruleset, with_switches
from nomicwolf.village.lots import commitment, half_commitment, mixed_seed, roles_bound
from nomicwolf.village.rules import Refusal
from nomicwolf.village.rulesets import rules_with, ruleset

FROM_LETTERS = "letters"
"""The word for a seed made of the bound half and of players' letters."""
SEED_CITES = ("NC 2b",)


def bind_seed(work: Work, command: Command) -> str:
    """Bind the contestmaster's half of the next session's seed; once only, for a second one would be a choice."""
    number, half = work.contest.session + 1, command.get("seed")
    if bound_entry(work.contest, number):
        raise Refusal(f"The half of session {number}'s seed is bound already; start with --seed-from letters.",
                      SEED_CITES)
    work.add(SeedBound(number, half_commitment(work.contest.setup.contest, number, half)),
             cites=SEED_CITES, cause="command")
    work.add(SeedKept(number, half), cites=SEED_CITES, cause="command")
    return (f"Your half of session {number}'s seed is bound, and announced: what is written on a forum from now on "
            "goes into the seed. Then: nomicwolf start --seed-from letters")


def bound_entry(contest: Contest, session: int) -> int:
    """Return the number of the entry that bound the half of *session*'s seed, 0 if none was."""
    return contest.recalled.bound.get(session, 0)


def seed_half(contest: Contest, session: int) -> str:
    """Return the contestmaster's half of *session*'s seed, '' if there is none."""
    return contest.recalled.halves.get(session, "")


def letters_since(contest: Contest, entry: int) -> Words:
    """Return the letters that players have sent through a forum since *entry*, in the order of the mailbox."""
    letters = (e.event for e in contest.entries[entry:] if isinstance(e.event, LetterHeard))
    return tuple((heard.author, heard.digest) for heard in letters
                 if heard.channel in contest.setup.nomics and heard.bucket in ("deeds", "no-deed")
                 and heard.author != contest.setup.contestmaster)


def seed_for(work: Work, session: int, given: str) -> tuple[str, tuple[SeedMixed, ...]]:
    """Return the seed of *session*, and how it was mixed; raise `Refusal` if it was bound and isn't, or the reverse."""
    since = bound_entry(work.contest, session)
    if given != FROM_LETTERS:
        if since:
            raise Refusal(f"A half of session {session}'s seed is bound, and players were told that their letters go "
                          "into it: start with --seed-from letters.",
                      SEED_CITES)
        return given, ()
    if not since:
        raise Refusal("Bind your half of the seed first, before anyone writes: nomicwolf start --bind.", SEED_CITES)
    words = letters_since(work.contest, since)
    return mixed_seed(seed_half(work.contest, session), words), (SeedMixed(session, words),)


def publish_seed_half(work: Work) -> None:
    """Publish the contestmaster's half of the session's seed, if it had one."""
    half = seed_half(work.contest, work.contest.session)
    if half:
        work.add(HalfTold(work.contest.session, half), cites=("D-N23",))


BY_HAND = "The contestmaster has dealt the cards by hand, not by lot."


def start(work: Work, roles: tuple[str, ...], seed: str, name: str = "", odds: str = "") -> None:
    """NC 2: initiate a session among the contestants; raise `Refusal` if that can't be done now."""
    contest = work.contest
    rules, names, number = _startable(contest, name), contest.contestants(), contest.session + 1
    roles = roles or roles_asked(contest, rules, len(names))
    brought = role_texts(rules, roles, contest.setup.roles)
    rules = rules_with(rules.name, brought)
    switches = with_switches(rules, switches_for(rules, contest.setup.switches))
    roles = tuple(map(rules.listed, roles))
    seed, mixed = seed_for(work, number, seed)
    by_hand = any("=" in role for role in roles)
    rules.decks(names, roles, dict(switches))
    dealt, drawn = rules.dealt(names, roles, seed, dict(switches))
    roles = in_play(rules, roles, dealt)
    deal = tuple((p, r, rules.roles[r].side) for p, r in dealt)
    opened = Opened(rules.name, number, seed, deal, switches, roles)
    bind = commitment(contest.setup.contest, number, seed)
    bound = roles_bound(contest.setup.contest, number, seed, dealt)
    started = SessionStarted(number, rules.name, names, roles, bind, odds, bound)
    for event in (started, *mixed):
        work.add(event, cites=("NC 2", "NC 2a"), cause="command")
    silence.begin_policy(work)
    delivery.begin_covers(work)
    open_game(work, rules, opened, (*drawn, *((RolesBrought(brought),) if brought else ())))
    if by_hand:
        work.play(lambda game: rules.settle(game, work.now, (Announced("cards", BY_HAND),), ("NC 2b",), "command"))
    for warning in rules.warnings(len(names), roles) if rules.warnings else ():
        work.add(Noted("deck", f"{warning[0].upper()}{warning[1:]}."), cause="command")


def roles_asked(contest: Contest, rules: Ruleset, players: int) -> tuple[str, ...]:
    """Return the roles of the setup that the settings name, if it is one of *rules*; `Refusal` for other *players*."""
    chosen = contest.setup.chosen
    if chosen is None or chosen.ruleset != rules.name:
        return ()
    if chosen.players not in (0, players):
        raise Refusal(f"{chosen.title} is for {chosen.players} players, and there are {players}: --roles names others.")
    return chosen.roles


def _startable(contest: Contest, name: str) -> Ruleset:
    """Return the rule set called *name*, or else the settings', if a session of it can be started now."""
    if contest.running is not None:
        raise Refusal(f"Session {contest.session} is in progress; one session at a time.", ("NC 2",))
    if contest.session in contest.awards_held:
        raise Refusal(
            f"The end of session {contest.session} and its awards aren't announced yet: they wait until you confirm P. "
            "Do that first: nomicwolf award --limit NOMIC=POINTS.", ("NC 5", "D-N21"))
    rules, names = ruleset(name or contest.setup.ruleset), contest.contestants()
    if len(names) < rules.smallest:
        raise Refusal(
            f"{rules.title} needs at least {rules.smallest} contestants; there are {len(names)}: "
            f"{', '.join(names) or 'nobody'}. Wait for more to join.", ("NC 2",))
    return rules


def in_play(rules: Ruleset, roles: tuple[str, ...], dealt: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    """Return the roles that everyone may know to be in play: of a deal by hand, what was dealt and not to whom."""
    if not any("=" in role for role in roles):
        return roles
    return tuple(sorted(role for _, role in dealt if role in rules.optional and role != rules.plain))


def switches_for(rules: Ruleset, given: Mapping[str, str]) -> dict[str, str]:
    """Return those of the settings' switches that *rules* has: others belong to other rule sets."""
    known = {s.name for s in rules.switches}
    return {name: value for name, value in given.items() if name in known}


def open_game(work: Work, rules: Ruleset, opened: Opened, drawn: tuple[Event, ...]) -> None:
    """Begin the session with the lots drawn for it and the roles brought to it."""
    events: tuple[Event, ...] = (opened, *drawn)
    work.contest.game = Game()
    work.play(lambda game: rules.settle(game, work.now, events, ("NC 2b", "NC 2c"), "command"))


def award_after_end(work: Work) -> None:
    """Give the awards as soon as a session has ended: they belong into the announcement that ends it (NC 5)."""
    contest = work.contest
    game = contest.game
    if game is None or not game.mark(Ended):
        return
    session = contest.session
    if session in contest.revealed or session in contest.stopped or session in contest.awards_held:
        return
    award(work)


def award(work: Work, confirmed: Collection[str] = ()) -> None:
    """Award, or hold the awards while P of a nomic that pays points is not confirmed (D-N21); then reveal.

    *confirmed* are the nomics whose P the contestmaster confirms with this very command.
    """
    contest = work.contest
    game = contest.game
    assert game is not None
    ended = game.last(Ended)
    assert ended is not None
    for forum in contest.setup.forums:
        points = contest.setup.limit.get(forum.nomic)
        if points is not None and forum.nomic not in contest.limits:
            how = derivation_text(contest, forum.nomic, points, BY_SETTINGS)
            work.add(LimitConfirmed(forum.nomic, points, how), cites=("D-N21",))
    if nomic := unconfirmed(contest, ended, confirmed):
        if contest.session not in contest.awards_held:
            work.add(AwardsHeld(contest.session, nomic), cites=("D-N21",))
        return
    for awarded in awards_for(contest, game, ended):
        clause = "NC 5ii" if awarded.what == TROPHY else "NC 5i"
        work.add(awarded, cites=(clause, "D-N20", "D-N21"))
    reveal_roles(work)


def reveal_roles(work: Work) -> None:
    """D-N23: publish the seed and the roles, after the awards, unless the switch is off; no intent can end it now."""
    contest = work.contest
    game = contest.game
    if game is None or game.opened is None or contest.session in contest.revealed:
        return
    told = revealed(contest.session, game, contest.recalled.ruled)
    work.add(told, cites=("D-N23",))
    if told.deal:
        publish_seed_half(work)
    for intent in open_intents(contest):
        if (intent.announced.action, intent.announced.session) == ("end-session", contest.session):
            for nomic in (n for n in contest.setup.nomics if not intent.settled(n)):
                work.add(IntentBlocked(intent.number, nomic, f"session {contest.session} is over"), cites=("D-N34",))


def stop_session(work: Work, why: str) -> None:
    """NC 1f: end the session without winners; deeds that still wait are refused, seed and roles are told (D-N23)."""
    contest = work.contest
    if contest.running is None:
        raise Refusal("No session is in progress; `start` begins one.", ("NC 1f",))
    for number, deed in list(contest.pending.items()):
        work.add(Refused(number, deed.who, deed.verb, deed.text, "The session has been ended."), cites=("NC 1f",))
    work.add(SessionStopped(contest.session, why), cites=("NC 1f",), cause="command")
    reveal_roles(work)
