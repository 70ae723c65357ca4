"""Rule sets, and the loop of their games.

Consequences happen first in, first out; each rule replaces one chain of events at most once; *always* is asked
when nothing is left to happen, in the order of the rule set's laws, so that endings come before phases. Another package
can add roles to a rule set (`with_role`).
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import lru_cache
from itertools import chain
from typing import TypeAlias

from nomicwolf.village.ballots import Ballot
from nomicwolf.village.events import STAGE, Chose, ClockStruck, Declared, Drawn, Entry, Event, Opened, Voted
from nomicwolf.village.game import Card, Game
from nomicwolf.village.lots import cases, cast, draw, is_choice, item_of, possible, rows_of
from nomicwolf.village.rules import (
    OF_ALL,
    Course,
    Deal,
    Dealt,
    Duty,
    Events,
    Law,
    Licences,
    Refusal,
    Role,
    Rule,
    Switch,
    either,
    licence,
)

LIMIT = 1000
"""More events than ever follow from one: rules that go on answer one another."""
GROUPS = ("pack", "masons", "lovers", "spirits", "policemen", "prophets")
"""Whom a ``say`` can be for."""


class Endless(RuntimeError):
    """Rules keep answering one another: a defect of the rule set."""


@dataclass(frozen=True, eq=False)
class Ruleset:
    """A game: laws, roles, a deal, switches.

    *prefix* begins the labels of its clauses (``NC``), *rulings* those of its rulings (``D-N``). *deal* raises
    `Refusal` for players or roles that can't be; *optional* are the roles that may be asked for, *aliases* other
    names of roles, *plain* the role of those who hold no other, *smallest* how few can play, *first* the phase that
    comes first. *cards* are the clauses by which nobody may show a card; *warnings(players, chosen)* says what is odd
    about a choice of roles. In its text's own words *person* is whoever plays, and *condemned* what befalls whoever is
    so by a vote. *licences* name the clauses of what no rule's own clauses fit. *evil* is the side that the others look
    for, *example* how roles are listed where the text names no counts, as the clauses *uncounted* have it, *course* how
    a session without roles goes (None: nobody plays so). Where it *tells_causes*, letters say by what
    somebody was killed, if by the roles in play it can have been one thing only.
    """

    name: str
    title: str
    prefix: str
    laws: tuple[Law, ...]
    roles: Mapping[str, Role]
    deal: Deal
    switches: tuple[Switch, ...] = ()
    optional: tuple[str, ...] = ()
    smallest: int = 5
    first: str = "day"
    plain: str = ""
    person: str = "player"
    cards: tuple[str, ...] = ()
    aliases: Mapping[str, str] = field(default_factory=dict)
    warnings: Callable[[int, Sequence[str]], tuple[str, ...]] | None = None
    condemned: str = "lynched"
    rulings: str = ""
    licences: Licences = field(default_factory=dict)
    evil: str = "werewolves"
    example: str = ""
    uncounted: tuple[str, ...] = ()
    course: Course | None = None
    tells_causes: bool = False

    @property
    def common_duties(self) -> tuple[Duty, ...]:
        """The duties of its laws, which bind everyone."""
        return tuple(duty for law in self.laws for duty in law.duties)

    @property
    def all_duties(self) -> tuple[Duty, ...]:
        """The duties of its laws, then those of its roles."""
        return (*self.common_duties, *(duty for role in self.roles.values() for duty in role.duties))

    @property
    def groups(self) -> frozenset[str]:
        """The names of all to whom players may speak apart."""
        return frozenset((*GROUPS, *(duty.called for duty in self.all_duties if duty.called)))

    @property
    def votes_stand(self) -> bool:
        """Whether votes count from when they are cast until they are changed (NC 3), so that they can be told of."""
        return any(law.standing for law in self.laws)

    def called(self, name: str) -> str:
        """Return the role that players call *name*, in one or many words; *name* itself if there is none such."""
        plain = name.strip().lower()
        found = self.aliases.get(plain) or self.aliases.get(plain.replace("-", " "), plain)
        return found if found in self.roles else name.strip()

    def listed(self, item: str) -> str:
        """Return an item of a list of roles with the roles' own names: ``cop``, or ``Ash=cop`` of a deal by hand."""
        if is_choice(item):
            return item_of([tuple(map(self.called, row)) for row in rows_of(item)])
        who, by_hand, role = item.rpartition("=")
        return f"{who}{by_hand}{self.called(role)}"

    def dealt(self, names: Sequence[str], items: Sequence[str], seed: str, switches: Mapping[str, str]) -> Dealt:
        """Deal *items* among *names*: roles, and choices of rows, of which the *seed* draws one first.

        Raises `Refusal` as *deal* does, for a row with a role that isn't there, and where nobody is against the others.
        """
        if not any(map(is_choice, items)):
            return self._opposed(names, items, seed, switches)
        if unknown := [role for role in possible(items) if role not in self.roles]:
            raise Refusal(f"There is no role {unknown[0]} to be drawn.", options=tuple(self.roles))
        roles, lots = cast(items, seed)
        deal, drawn = self._opposed(names, [role for role in roles if role != self.plain], seed, switches)
        return deal, (*lots, *drawn)

    def decks(self, names: Sequence[str], items: Sequence[str], switches: Mapping[str, str]) -> list[Counter[str]]:
        """Return how many of each role are dealt in each of the ways in which the rows of *items* can fall.

        Raises `Refusal` if one of them can't be dealt.
        """
        every = (items if case == items else [role for role in case if role != self.plain] for case in cases(items))
        return [Counter(role for _, role in self._opposed(names, roles, "anyone's", switches)[0]) for roles in every]

    def opponents(self, roles: Iterable[str]) -> Counter[str]:
        """Return how many of *roles* are on each side that is against all others: the evil one, or a role's own."""
        cards = (self.roles[role] for role in roles)
        return Counter(card.side for card in cards if card.side == self.evil or card.traits.own)

    def _opposed(self, names: Sequence[str], roles: Sequence[str], seed: str, switches: Mapping[str, str]) -> Dealt:
        """Deal *roles*; raise `Refusal` if whoever asks for them has to ask for an opponent, and they have none.

        Where somebody is of the evil side one of it hunts, since the others become what that one is.
        """
        dealt, drawn = self.deal(names, roles, seed, switches)
        there = [role for _, role in dealt]
        sides = self.opponents(there)
        able = [role.name for role in self.roles.values() if role.hunts or (role.traits.own and not sides[self.evil])]
        if self.uncounted and not {*able} & {*there}:
            needed = either(able)
            raise Refusal(
                f"These rules name no counts: say which roles are in play, and among them a {needed}, such as "
                f"{self.example}; the others are {self.plain}s.", self.uncounted, tuple(self.roles))
        return dealt, drawn

    def duties(self, game: Game, who: str) -> list[Duty]:
        """Return what *who* may do now, role duties first."""
        if who not in game.roles:
            return []
        game, mine = self._asked(game), _duties_of(self, game.roles[who])
        return [d for d in mine if d.opens(game, who) and (d.again or not done(game, who, d.verb))]

    def owed(self, game: Game) -> list[tuple[str, str]]:
        """Return the (player, verb) pairs that hold the phase open."""
        if game.phase == "over":
            return []
        game = self._asked(game)
        return [(p, d.verb) for p in game.seats for d in _duties_of(self, game.roles[p]) if d.owed
                and d.opens(game, p) and not settled(game, p, d)]

    def options(self, game: Game, who: str, duty: Duty) -> tuple[str, ...]:
        """Return the players whom *who* may name with *duty*."""
        game = self._asked(game)
        return tuple(p for p in game.seats if not duty.allows(game, who, p))

    def alarm(self, game: Game) -> tuple[int, str] | None:
        """Return the next instant after the clock at which something hangs, and on what."""
        return next(iter(self.alarms(game)), None)

    def alarms(self, game: Game) -> list[tuple[int, str]]:
        """Return all known instants after the clock at which something hangs, the next first.

        A stage also ends when something else has come in the same second, such as the end of the time for accusations.
        """
        if game.phase == "over" or game.opened is None:
            return []
        owed = self.owed(game)
        due = (a for law in self.laws if law.alarms for a in law.alarms(game, owed))
        return sorted(a for a in due if a[0] > game.clock or a == (game.clock, STAGE))

    def strike(self, game: Game, at: int, what: str) -> tuple[Game, tuple[Entry, ...]]:
        """Return the game after the instant *at* has come."""
        return self.settle(game, at, (ClockStruck(what),), (), "clock")

    def act(
        self, game: Game, at: int, who: str, verb: str, what: tuple[str, ...] = (), *,
        passing: bool = False, by: str = "", cause: str = "",
    ) -> tuple[Game, tuple[Entry, ...]]:
        """Return the game after *who* does *verb* to *what*; raise `Refusal` for what no open duty allows."""
        duty, what = self.judge(game, who, verb, what, passing=passing)
        chose = (Declared if duty.spoken else Chose)(who, verb, what, by)
        follows = () if passing else duty.then(self._asked(game), who, what) or ()
        return self.settle(game, at, (chose, *follows), duty.cites, cause)

    def cast(
        self, game: Game, at: int, who: str, verb: str, ballot: Ballot, *,
        key: tuple[int, ...] = (), by: str = "", cause: str = "", more: bool = False,
    ) -> tuple[Game, tuple[Entry, ...]]:
        """Return the game after *who* cast *ballot* at *at*; raise `Refusal` if they may not.

        A ballot that comes in late (*at* lies before the clock) is put in its place among the others of the
        phase, and the phase is counted again from there; where votes don't stand, what follows from it follows now.
        With *more* to come that are late as well it is counted again with the last of them, which may be of the
        clock's own instant.
        """
        duty = next((d for d in self.duties(game, who) if d.verb == verb and d.pins), None)
        if duty is None or duty.pins is None:
            raise Refusal(f"No such action is open to you now: {verb}.")
        late = at < game.clock or _waits(game)
        voted = Voted(who, duty.pins(game, at, who, ballot), key, late, duty.sealed, by, verb)
        if voted.late and more and any(law.recast for law in self.laws):
            return self.settle(game, at, (replace(voted, overtakes=True),), duty.cites, cause)
        if voted.late and (recast := self._recast(game, at, voted, duty.cites, cause)):
            return recast
        after = game.clock if voted.late and not self.votes_stand else at
        return self.settle(game, at, (voted,), duty.cites, cause, after=after)

    def _recast(
        self, game: Game, at: int, voted: Voted, cites: tuple[str, ...], cause: str
    ) -> tuple[Game, tuple[Entry, ...]] | None:
        """Return the game after a law has had a late vote's phase happen anew from *at* on, None if none has to."""
        for law in self.laws:
            if law.recast and (then := law.recast(game, voted, at)):
                game, made = self.settle(game, at, (replace(voted, overtakes=True),), cites, cause)
                while then:
                    game, more_made = self.settle(game, then[0], then[1], cites, f"entry {made[0].number}")
                    made, then = made + more_made, law.recast(game, None, at)
                return game, made
        return None

    def speak(
        self, game: Game, at: int, who: str, verb: str, words: str, *, by: str = "", cause: str = "",
    ) -> tuple[Game, tuple[Entry, ...]]:
        """Return the game after *who* said *words*, which may begin with ``GROUP:``; raise `Refusal` if they may not.

        Without a group they are for the first whom *who* may speak to.
        """
        group, _, text = words.partition(":")
        open_now = [d for d in self.duties(game, who) if d.verb == verb and d.hears]
        for_whom = group.strip()
        named = [d for d in open_now if for_whom and d.group == for_whom]
        named = named or [d for d in open_now if for_whom and d.called == for_whom]
        duty = next(iter(named or open_now), None)
        if duty is None or duty.hears is None or (for_whom in self.groups and verb == "say" and not named):
            raise Refusal(f"No such action is open to you now: {verb}.")
        said = (text if named else words).strip()
        if not said:
            raise Refusal(f"There are no words to {verb}.", duty.cites)
        follows = duty.hears(self._asked(game), who, said) or ()
        kept = f"{duty.group}: {said}" if duty.group else said
        return self.settle(game, at, (Chose(who, verb, (), by, kept), *follows), duty.cites, cause)

    def judge(
        self, game: Game, who: str, verb: str, what: tuple[str, ...], *, passing: bool = False
    ) -> tuple[Duty, tuple[str, ...]]:
        """Return the duty by which *who* may do this, with the names filled in; raise `Refusal` otherwise."""
        game = self._asked(game)
        duty = next((d for d in self.duties(game, who) if d.verb == verb and not d.hears), None)
        if duty is None:
            raise Refusal(f"No such action is open to you now: {verb}.")
        if passing:
            if not duty.may_pass or (duty.must and duty.must(game)):
                raise Refusal(f"You can't decline to {verb}.", duty.cites, self.options(game, who, duty))
            return duty, ()
        if not what and duty.optional:
            what = duty.optional(game, who)
        if len(what) != duty.arity:
            number = {0: "nobody", 1: "one person", 2: "two persons"}.get(duty.arity, f"{duty.arity} persons")
            raise Refusal(f"To {verb} you must name {number}.", duty.cites, self.options(game, who, duty))
        if len(set(what)) != len(what):
            raise Refusal("Name different persons.", duty.cites, self.options(game, who, duty))
        for it in what:
            if why := duty.allows(game, who, it):
                raise Refusal(why, duty.cites, self.options(game, who, duty))
        return duty, what

    def settle(
        self, game: Game, at: int, events: Sequence[Event], cites: tuple[str, ...], cause: str, *, after: int = 0
    ) -> tuple[Game, tuple[Entry, ...]]:
        """Return the game after *events* and all that follows from them, and the new entries.

        What follows is dated *at*, or *after* if that is later.
        """
        game = game.branch()
        game.cards = _cards_of(self)
        first = len(game.entries)
        rules = _rules_of(self, _dealt(game, events))
        queue = deque((event, cites, cause, frozenset[Rule]()) for event in events)
        for step in range(LIMIT):
            if not queue and not self._pulse(game, rules, queue):
                game.cards = {}
                return game, tuple(game.entries[first:])
            self._step(game, at if step < len(events) else max(at, after), rules, queue)
        raise Endless(f"after {[type(e.event).__name__ for e in game.entries[-4:]]}")

    def _asked(self, game: Game) -> Game:
        """Return *game* as rules and duties are asked about it: they may look at the cards of its roles."""
        if game.cards:
            return game
        game = game.branch()
        game.cards = _cards_of(self)
        return game

    def _pulse(self, game: Game, rules: _Rules, queue: deque[_Item]) -> bool:
        owed = self.owed(game)
        for rule in rules.always:
            if new := tuple(rule.then(game, owed) or ()):
                queue.extend((e, rule.cites, "", frozenset()) for e in new)
                return True
        return False

    def _step(self, game: Game, at: int, rules: _Rules, queue: deque[_Item]) -> None:
        event, cites, cause, spent = queue.popleft()
        for rule in rules.instead:
            if isinstance(event, rule.on) and rule not in spent and (new := rule.then(game, event)) is not None:
                queue.extendleft((e, rule.cites or cites, cause, spent | {rule}) for e in reversed(tuple(new)))
                return
        entry = Entry(game.next, at, event, licence(self.licences, game, event) or cites, cause)
        game.record(entry)
        for rule in rules.whenever:
            if isinstance(event, rule.on):
                follows = rule.then(game, event) or ()
                queue.extend((e, rule.cites, f"entry {entry.number}", frozenset()) for e in follows)


_Item: TypeAlias = tuple[Event, tuple[str, ...], str, frozenset[Rule]]


@dataclass(frozen=True)
class _Rules:
    instead: tuple[Rule, ...]
    whenever: tuple[Rule, ...]
    always: tuple[Rule, ...]


def _dealt(game: Game, events: Iterable[Event]) -> tuple[str, ...]:
    opened = game.opened or next((e for e in events if isinstance(e, Opened)), None)
    return tuple(dict.fromkeys(role for _, role, _ in opened.deal)) if opened else ()


@lru_cache(maxsize=256)
def _duties_of(ruleset: Ruleset, role: str) -> tuple[Duty, ...]:
    return (*ruleset.roles[role].duties, *ruleset.common_duties)


@lru_cache(maxsize=64)
def _cards_of(ruleset: Ruleset) -> Mapping[str, Card]:
    return {role.name: Card(
        role.title or role.name, role.seems, {duty.verb: duty.does for duty in role.duties}, role.traits,
        role.name == ruleset.plain, frozenset(duty.verb for duty in role.duties if duty.shared),
    ) for role in ruleset.roles.values()}


@lru_cache(maxsize=64)
def _rules_of(ruleset: Ruleset, dealt: tuple[str, ...]) -> _Rules:
    """Return the rules of a deal's laws and roles; one that several of them have is asked once, as the first has it."""
    bundles = chain((law.rules for law in ruleset.laws), (ruleset.roles[r].rules for r in sorted(dealt)))
    first = dict[tuple[str, type[Event], Callable[..., Events]], Rule]()
    for rule in chain(*bundles):
        first.setdefault((rule.kind, rule.on, rule.then), rule)
    rules = tuple(first.values())
    return _Rules(*(tuple(r for r in rules if r.kind == kind) for kind in ("instead", "whenever", "always")))


def _waits(game: Game) -> bool:
    """Return whether the ballot cast last is to be weighed with the next one (see `Ruleset.cast`)."""
    last = game.entries[-1].event if game.entries else None
    return isinstance(last, Voted) and last.overtakes


def done(game: Game, who: str, verb: str) -> bool:
    """Return whether *who* has done *verb* in the present phase."""
    return bool(game.now(Chose, who=who, verb=verb) or game.now(Declared, who=who, verb=verb))


def settled(game: Game, who: str, duty: Duty) -> bool:
    """Return whether *who* has done *duty* in the present phase, or one who shares it, so that they owe it no more."""
    if duty.again and not duty.changeable:
        return False
    if duty.shared:
        return any(done(game, p, duty.verb) for p in game.living(game.roles[who]))
    return done(game, who, duty.verb) and not (duty.lapses and lapsed(game, who, duty.verb))


def lapsed(game: Game, who: str, verb: str) -> bool:
    """Return whether *who* has named last with *verb*, in the present phase, somebody who is dead now (D-A3)."""
    named = game.now(Chose, who=who, verb=verb)
    return bool(named) and not game.alive.issuperset(named[-1].what)


def with_switches(ruleset: Ruleset, given: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return all switches of *ruleset* with *given* in place of defaults; raise `Refusal` for what it has not."""
    known = {s.name: s for s in ruleset.switches}
    for name, value in given.items():
        if name not in known:
            near = get_close_matches(name, [*known, *OF_ALL], 1)
            what = f"did you mean {near[0]}?" if near else f"it has {', '.join(sorted(known)) or 'none'}."
            raise Refusal(f"{ruleset.name} has no switch {name!r}; {what}")
        values = known[name].values
        if values and value not in values:
            can = ", ".join(values)
            raise Refusal(f"The switch {name} can be {can}; it can't be {value!r}.", (known[name].decision,))
        if not values and not re.fullmatch(known[name].form, value):
            raise Refusal(f"The switch {name} is {known[name].like}; it can't be {value!r}.", (known[name].decision,))
    return tuple((s.name, given.get(s.name, s.usual)) for s in ruleset.switches)


def with_role(ruleset: Ruleset, role: Role) -> Ruleset:
    """Return *ruleset* with one more role that may be asked for, as often as it is named.

    It is dealt by lot among those who would hold the *plain* role otherwise, after all others, or
    as the contestmaster deals by hand. What is called as it is means it, and no longer what that was an alias of.
    Unless it says what it *kills* by, or is a file, nobody is told of deaths by
    what they were, for it may kill. Raises `ValueError` if there is a role of that name, or no plain role to deal it
    in place of.
    """
    if role.name in ruleset.roles or not ruleset.plain:
        raise ValueError(f"{ruleset.name} can't have another role called {role.name}: give it a name of its own")

    def deal(names: Sequence[str], chosen: Sequence[str], seed: str, switches: Mapping[str, str]) -> Dealt:
        wanted = list(chosen).count(role.name)
        by_hand = [who for who, _, held in (item.partition("=") for item in chosen) if held.strip() == role.name]
        others = tuple(r for r in chosen if r != role.name and r.partition("=")[2].strip() != role.name)
        plain = tuple(f"{who}={ruleset.plain}" for who in by_hand)
        dealt, drawn = ruleset.deal(names, (*others, *plain), seed, switches)
        if by_hand:
            held = {who.strip() for who in by_hand}
            return tuple((who, role.name if who in held else other) for who, other in dealt), drawn
        if not wanted:
            return dealt, drawn
        free = tuple(sorted(who for who, held in dealt if held == ruleset.plain))
        if wanted > len(free):
            raise Refusal(f"Only {len(free)} players are left without a role, and {wanted} {role.name} wanted.")
        holders = draw(seed, role.name, free, wanted)
        changed = tuple((who, role.name if who in holders else held) for who, held in dealt)
        return changed, (*drawn, Drawn(role.name, free, holders))

    if not (role.text or role.kills):
        role = replace(role, kills=dict.fromkeys(("day", "night"), ""))
    return replace(
        ruleset, roles={**ruleset.roles, role.name: role}, optional=(*ruleset.optional, role.name), deal=deal,
        aliases={alias: name for alias, name in ruleset.aliases.items() if alias != role.name})
