"""A whole session in memory, as `odds` plays it, beside a loop of our own with no engine below it.

Sessions of twelve are also played by Kaggle's loop, where it is at hand: it brings some hundred packages, so this
project doesn't ship it. ``NOMICWOLF_KAGGLE`` names a Python that has ``kaggle-environments``; without it,
``build/kaggle/bin/python`` is looked for, which ``make bench-peers`` makes. Its players speak, too, by lot, one after
another: two phases of its loop, a night and a day, are compared with two of ours.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from time import process_time

from benchmarks._harness import Against, Costs, Effort, Row, compare, lack, timed
from nomicwolf.odds import outcome, played_session
from nomicwolf.village.events import PhaseBegan
from nomicwolf.village.rulesets import ruleset

KAGGLE = Path("build/kaggle/bin/python")
_KAGGLE = """
import logging, sys, time
logging.disable(logging.CRITICAL)
from kaggle_environments import make
players, seed = map(int, sys.argv[1:])
roles = ["Werewolf"] * (1 + (players - 5) // 3) + ["Seer", "Doctor"]
roles += ["Villager"] * (players - len(roles))
agents = [{"id": f"p{n:02}", "role": role, "agent_id": "random"} for n, role in enumerate(roles)]
game = make("werewolf", configuration={"agents": agents, "seed": seed, "randomize_roles": True})
start = time.process_time()
game.run(["random"] * players)
spent = time.process_time() - start
print(spent / (2 * game.info["GAME_END"]["last_day"]))
"""


def kaggle(row: str) -> str:
    """Return the Python that has Kaggle's werewolf, '' (and tell of it) if *row* must go without."""
    given = os.environ.get("NOMICWOLF_KAGGLE", "") or (str(KAGGLE) if KAGGLE.exists() else "")
    if not given:
        lack(row, "Kaggle's loop", "there is no kaggle-environments; `make bench-peers` installs it in build/kaggle")
    return given


def kaggled_phase(python: str, players: int, seed: int) -> Costs:
    """Play one session of players that act by lot in Kaggle's loop; seconds for each night and each day of it."""
    done = subprocess.run(
        [python, "-c", _KAGGLE, str(players), str(seed)], check=False, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{python} ended with {done.returncode}: {done.stderr[-500:]}")
    return (float(done.stdout.split()[-1]),)


SIZES = (6, 12, 24)
PEERS = 12
ROLES = ("seer", "witch", "hunter")
RULES = ruleset("nomic-crossing")


def rows(effort: Effort) -> Iterator[Row]:
    """Sessions of six, twelve and twenty-four; the peer beside those of twelve."""
    few = Effort(1, 0)
    for size in SIZES[: effort.sizes]:
        seeds = count()
        yield from compare("session", "in memory", size, {
            "ours": timed(lambda size=size, seeds=seeds: [whole(size, next(seeds)) for _ in range(10)], 10),  # type: ignore[misc]
            "loop without rules": timed(lambda size=size: [bare(size, seed) for seed in range(1000)], 1000),  # type: ignore[misc]
        }, [Against("loop without rules", "<=", 1000)], effort)
    if python := kaggle("session"):
        seeds = count(1)
        yield from compare("session", "a phase", PEERS, {
            "ours": partial(phase, PEERS), "Kaggle's loop": lambda: kaggled_phase(python, PEERS, next(seeds))},
            [Against("Kaggle's loop", ">=", 5)], few)


def whole(players: int, seed: int) -> str:
    """Play a session; return the side that won."""
    return outcome(played_session(RULES, players, ROLES, str(seed)))[0]


def phase(players: int) -> Costs:
    """Play ten sessions; return the seconds for each night and each day of them."""
    start = process_time()
    games = [played_session(RULES, players, ROLES, str(seed)) for seed in range(10)]
    spent = process_time() - start
    return (spent / sum(isinstance(entry.event, PhaseBegan) for game in games for entry in game.entries),)


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
