"""Kaggle's werewolf, a peer that a user may have and this project doesn't ship; its row goes without it.

``NOMICWOLF_KAGGLE`` names a Python that has ``kaggle-environments``, in an environment of its own since it brings some
hundred packages. Without it, ``build/kaggle/bin/python`` is looked for, which ``make bench-peers`` makes.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from benchmarks._harness import Costs, lack

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
