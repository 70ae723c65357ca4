"""Towns and ballots made at random, from a seed: the language small enough that circles are common."""

from __future__ import annotations

from random import Random

from nomicwolf.village import ballots as b
from nomicwolf.village.ballots import Town

DEAD = "Z"
OPERATORS: tuple[b.Operator, ...] = (">=", ">", "<=", "<", "==", "!=")


def record(random: Random, living: str) -> Town:
    """A public record: Z is dead, some sides are disclosed, some facts are published."""
    sides = ("werewolf", "villager", "not a werewolf")
    return Town(
        living=tuple(living),
        dead=(DEAD,),
        disclosed={who: random.choice(sides) for who in living + DEAD if random.random() < 0.4},
        day=random.randint(1, 3),
        now=random.randint(0, 20),
        facts={"p": random.random() < 0.5} if random.random() < 0.5 else {},
    )


def public(random: Random, living: str) -> b.Condition:
    """A condition on the public record, or one about a dead person's vote or votes for em."""
    who = random.choice(living + DEAD)
    choices: list[b.Condition] = [
        b.Alive(who), b.Dead(who), b.Was(who, random.choice(("werewolf", "villager"))), b.Fact(random.choice("pq")),
        b.Day(random.choice(OPERATORS), random.randint(1, 3)), b.After(random.randint(0, 20)),
        b.Before(random.randint(0, 20)), b.Votes(DEAD, random.choice([*living, None])), b.Votes(who, DEAD),
        b.Alike(DEAD, who), b.Fixed(True), b.InPhase("night"),
        b.Count(DEAD, random.choice(OPERATORS), 1), b.More(who, DEAD), b.AsMany(DEAD, who), b.Leads(DEAD, True),
        b.AsOfNow(b.Alive(who)),
    ]
    return random.choice(choices)


def about_votes(random: Random, living: str) -> b.Condition:
    """A condition on votes of the living."""
    one, other = random.choice(living), random.choice(living)
    others = random.random() < 0.25
    number, operator = random.randint(1, 3), random.choice(OPERATORS)
    choices: list[b.Condition] = [
        b.Votes(one, other), b.Votes(one, other), b.Votes(one, None), b.Alike(one, other),
        b.Count(one, operator, number, others), b.Count(one, operator, number, others), b.More(one, other, others),
        b.AsMany(one, other, others), b.Leads(one, False, others), b.Leads(one, True, others), b.Majority(one, others),
        b.Cast(operator, number, others),
    ]
    return random.choice(choices)


def condition(random: Random, living: str, depth: int = 0) -> b.Condition:
    """A condition, nested up to twice."""
    turn = random.random()
    if depth < 2 and turn < 0.3:
        parts = tuple(condition(random, living, depth + 1) for _ in range(random.randint(2, 3)))
        return b.And(parts) if random.random() < 0.5 else b.Or(parts)
    if depth < 2 and turn < 0.45:
        return b.Not(condition(random, living, depth + 1))
    return (public if turn > 0.85 else about_votes)(random, living)


def ballot(random: Random, living: str, depth: int = 0) -> b.Ballot:
    """A ballot, nested up to twice; sometimes for the dead or oneself."""
    turn = random.random()
    anyone = living * 3 + DEAD
    if turn < 0.08:
        return b.Nobody()
    if turn < 0.3 or (depth == 2 and turn < 0.6):
        return b.For(random.choice(anyone))
    if turn < 0.5 or depth == 2:
        return b.Endorse(random.choice(anyone))
    if turn < 0.85:
        return b.If(condition(random, living), ballot(random, living, depth + 1), ballot(random, living, depth + 1))
    return b.FirstOf(tuple(ballot(random, living, depth + 1) for _ in range(random.randint(2, 3))))


def town(random: Random, most: int = 5, least: int = 2) -> tuple[Town, dict[str, b.Ballot]]:
    """A town of *least* to *most* voters and what they have cast."""
    living = "ABCDEFGHIJKLMNOPQRSTUVWX"[: random.randint(least, most)]
    return record(random, living), {who: ballot(random, living) for who in living if random.random() < 0.95}
