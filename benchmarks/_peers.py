"""Peers that a user may have and this project doesn't ship; a row goes without the one that is not at hand.

* ``NOMICWOLF_SKETCH``: the folder of the early sketch of the engine (``kernel.py``, ``rulesets/nomic_crossing.py``),
  with its resolvers of votes in ``votes/`` (``bench.py``, ``auto.py``).
* ``NOMICWOLF_KAGGLE``: a Python that has ``kaggle-environments``, in an environment of its own since it brings some
  hundred packages. Without it, ``build/kaggle/bin/python`` is looked for, which ``make bench-peers`` makes.

Each is run in a process of its own, which prints seconds: modules of theirs have the names of ours.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks._harness import Costs, lack

KAGGLE = Path("build/kaggle/bin/python")
_SESSIONS = """
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


def sketch(row: str) -> str:
    """Return the sketch's folder, '' (and tell of it) if *row* must go without."""
    folder = os.environ.get("NOMICWOLF_SKETCH", "")
    if not folder:
        lack(row, "the sketch", "NOMICWOLF_SKETCH names no folder")
    return folder


def sketched_session(folder: str, players: int) -> Costs:
    """Play one session by the sketch in *folder*; seconds."""
    return (_printed([sys.executable, "-c", _SESSIONS, folder, str(players), "1", "1"]),)


def kaggle(row: str) -> str:
    """Return the Python that has Kaggle's werewolf, '' (and tell of it) if *row* must go without."""
    given = os.environ.get("NOMICWOLF_KAGGLE", "") or (str(KAGGLE) if KAGGLE.exists() else "")
    if not given:
        lack(row, "Kaggle's loop", "there is no kaggle-environments; `make bench-peers` installs it in build/kaggle")
    return given


def kaggled_phase(python: str, players: int, seed: int) -> Costs:
    """Play one session of players that act by lot in Kaggle's loop; seconds for each night and each day of it."""
    return (_printed([python, "-c", _KAGGLE, str(players), str(seed)]),)


def _printed(words: Sequence[str]) -> float:
    """Return the number in the last line that a process prints."""
    done = subprocess.run(words, check=False, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{words[0]} ended with {done.returncode}: {done.stderr[-500:]}")
    return float(done.stdout.split()[-1])
