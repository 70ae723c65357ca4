"""What else happens in two worlds: orders that all see, orders about secrets, the dead, forgers, outages, bounces."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime

from nomicwolf.contest import Command
from nomicwolf.village.events import Chose
from nomicwolf.village.rulesets import ruleset
from tests.secrecy.worlds import World, Written

DAY = 86_400
STEPS = (6 * 3600, 6 * 3600, 6 * 3600, 11 * 3600, 30 * 3600, 3 * DAY, 6 * DAY)
"""How long nobody polls; more than two days is an outage (D-N39), and after some days somebody is late (NC 1j)."""
PROBES = (
    "status", "votes", "history", "help", "check: attack {0}", "check: see {0}", "see {0}", "attack {0}", "poison {0}",
    "heal", "protect {0}", "shoot {0}", "match {0} and {1}", "say hello", "say pack: hello", "ask gm: Is {0} evil?",
    "pass", "holiday: 2026-12-20 to 2027-01-03", "holiday: over", "revive {0}", "point {0}", "object", "frobnicate {0}",
    "I vote for {0}.", "> attack {0}", "If this is not for you, delete it.\n\nattack {0}", "confirm ABCDEFGH",
    "I endorse {0} if {1} is a werewolf, otherwise nobody.", "claim", "alias: nobody", "alias: {0} and {1}",
    "alias: Zoe", "address: other@players.example", "nomicwolf: close", "I join this contract.", "Thanks!", "",
    "-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----", "-- \nattack {0}", "attack {0}\nsee {0}\nhelp",
    "If you are not {0}, delete this: it has no effect.", "attack {0}.\n\nattack {1}",
)
"""What a curious player writes in private to see whether the answer tells em anything."""


def public_orders(world: World, plan: random.Random, at: int) -> Iterator[Command]:
    """Yield orders that are the same in both worlds, of which all are told, or nobody."""
    game = world.contest.running
    if game is None:
        return
    living = sorted(game.shown_living())
    if (world.contest.law.guard or world.contest.law.paused) and plan.random() < 0.7:
        yield Command("resume")
    if plan.random() < 0.5:
        until = datetime.fromtimestamp(at + 2 * DAY, UTC).strftime("%Y-%m-%dT%H:%MZ")
        yield plan.choice((
            Command("ruling", {"text": "Nothing follows.", "authority": "CFJ 1"}), Command("announce"),
            Command("extend", {"until": until}), Command("close"),
            Command("holiday", {"nomic": "b", "from": "2026-12-04", "to": "2026-12-05"}),
            Command("holiday", {"nomic": "b", "from": "2026-12-04", "to": "2026-12-05", "undo": "yes", "why": "no"}),
            Command("intend", {"what": "remove", "who": living[0]}), Command("clock", {"nomic": "b", "turned": "off"}),
            Command("publish", {"fact": "it rains", "value": "true"}), Command("pause", {"why": "a wedding"}),
            Command("extend", {"by": "36h"}),
        ))


def substitution(world: World, plan: random.Random, plain: list[str]) -> Iterator[Command]:
    """Yield, now and then, that *Zed* takes over from somebody, who has the same role in both worlds or not."""
    game = world.contest.running
    if game is not None and "Zed" not in game.seats and plan.random() < 0.15:
        old = plan.choice(sorted(game.shown_living()) or plain)
        yield Command("substitute", {"old": old, "new": "Zed"})


def secret_orders(world: World, own: random.Random) -> Iterator[Command]:
    """Yield orders about what is secret, another set in each world: none of them may show."""
    game = world.contest.running
    if game is None or game.phase not in ("setup", "night"):
        return
    chosen = [e for e in game.lines_now(Chose) if isinstance(e.event, Chose)]
    if chosen and own.random() < 0.4:
        yield Command("undo", {"number": str(own.choice(chosen).number), "why": "it was a slip"})
    for number in list(world.contest.held):
        if world.contest.letters[number].channel == "contestmaster" and own.random() < 0.5:
            yield Command("reject", {"number": str(number), "why": "no"})
    asked = {n: q for n, q in world.contest.recalled.questions.items() if q.who in game.seats}
    for number in asked:
        if own.random() < 0.5:
            yield Command("answer", {"number": str(number), "text": own.choice(("No.", "Yes, by NC 7b."))})
    rules = ruleset(world.rules.partition(" ")[0])
    for who, verb in rules.owed(game):
        yield Command("act-for", {"who": who, "deed": f"{verb} {own.choice(sorted(game.shown_living()))}"})


def probes(world: World, plan: random.Random, since: int, until: int) -> Iterator[Written]:
    """Yield what curious players, living and dead, write in private: the same letters in both worlds."""
    game = world.contest.running
    if game is None or until <= since:
        return
    people = sorted(set(game.seats) & set(world.addresses))
    if plan.random() < 0.2:
        lost = plan.choice(people)
        told = f"Letter {plan.randrange(1, 90)} to {lost} came back."
        yield Written(plan.randrange(since, until), lost, "bounce", told)
    for _ in range(plan.randrange(3)):
        who, one, other = plan.choice(people), plan.choice(people), plan.choice(people)
        yield Written(plan.randrange(since, until), who, "contestmaster", plan.choice(PROBES).format(one, other))
