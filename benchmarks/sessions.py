"""A whole session of twelve in memory, as `odds` plays it; beside a loop of our own with no engine below it.

With ``NOMICWOLF_SKETCH`` set to a folder that has the early sketch of the engine (its ``kernel.py`` and
``rulesets/nomic_crossing.py``), the same decks are played by that, too.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from itertools import count
from random import Random

from benchmarks._harness import Against, Costs, Effort, Row, compare, timed
from nomicwolf.odds import one_session
from nomicwolf.village.rulesets import ruleset

SIZES = (6, 12, 24)
SKETCH = """
import random, sys, time
sys.path.insert(0, sys.argv[1])
from ballots import For
from events import Opened
from game import Game
from rulesets.nomic_crossing import nomic_crossing as rules
players, first, sessions = map(int, sys.argv[2:])
start = time.process_time()
for seed in range(first, first + sessions):
    chance = random.Random(seed)
    names = [f"p{n:02}" for n in range(players)]
    deck = rules.deal(players, ("seer", "witch", "hunter"))
    chance.shuffle(deck)
    deal = tuple((who, role, rules.roles[role].side) for who, role in zip(names, deck))
    game = rules.settle(Game(), Opened(rules.name, str(seed), deal))
    for _ in range(5000):
        if game.phase == "over":
            break
        if game.phase == "day" and not [one for one in rules.owed(game) if one[1] != "vote"]:
            whom, number = chance.choice(sorted(game.alive)), game.nights
            for who in sorted(game.alive - {whom}):
                if game.phase == "day" and game.nights == number:
                    game = rules.act(game, who, "vote", For(whom))
            continue
        who, verb = rules.owed(game)[0]
        duty = next(d for d in rules.duties(game, who) if d.verb == verb)
        options = [name for name in names if duty.allows(game, who, name)]
        game = rules.act(game, who, verb, *(chance.sample(options, duty.arity) if len(options) >= duty.arity else ()))
print((time.process_time() - start) / sessions)
"""


def rows(effort: Effort) -> Iterator[Row]:
    """Sessions of six, twelve and twenty-four; the sketch beside those of twelve, if it is at hand."""
    rules, folder = ruleset("nomic-crossing"), os.environ.get("NOMICWOLF_SKETCH", "")
    for size in SIZES[: effort.sizes]:
        seeds = count()

        def ours(size: int = size, seeds: Iterator[int] = seeds) -> None:
            one_session(rules, size, ("seer", "witch", "hunter"), str(next(seeds)))

        methods = {"ours": timed(lambda ours=ours: [ours() for _ in range(10)], 10),  # type: ignore[misc]
                   "loop without rules": timed(lambda size=size: [bare(size, seed) for seed in range(1000)], 1000)}  # type: ignore[misc]
        against = [Against("loop without rules", "<=", 1000)]
        if folder and size == 12:
            methods["sketch"] = partial(sketch, folder, size)
            against.append(Against("sketch", ">=", 100))
        yield from compare("session", "in memory", size, methods, against, effort)
    if not folder:
        sys.stderr.write("session: NOMICWOLF_SKETCH names no folder, so the sketch is not measured.\n")


def sketch(folder: str, size: int) -> Costs:
    """Play by the sketch in *folder*, in a process of its own, since its modules have common names."""
    done = subprocess.run([sys.executable, "-c", SKETCH, folder, str(size), "1", "1"], check=True, capture_output=True)
    return (float(done.stdout),)


def bare(size: int, seed: int) -> str:
    """The floor: lynch by lot and kill by lot until one side is gone; no roles, no record, no rules to ask."""
    chance = Random(seed)
    wolves = 1 + (size - 5) // 3
    living = [*range(size)]
    while True:
        living.remove(chance.choice(living))
        left = sum(who < wolves for who in living)
        if not left:
            return "town"
        if 2 * left >= len(living):
            return "werewolves"
        living.remove(chance.choice([who for who in living if who >= wolves]))
