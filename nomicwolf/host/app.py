"""The queue as procrastinate's own commands want it: ``procrastinate --app=nomicwolf.host.app.app shell``.

Run them in the folder with ``host.toml``.
"""

from __future__ import annotations

from pathlib import Path

from procrastinate import App

from nomicwolf.host.queue import Hands
from nomicwolf.host.settings import load_host


def __getattr__(name: str) -> App:
    """Make ``app`` when it is asked for."""
    if name != "app":
        raise AttributeError(name)
    return Hands(load_host(Path.cwd()), "shell").app
