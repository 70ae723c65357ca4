"""The queue for procrastinate's own commands.

Run ``procrastinate --app=nomicwolf.host.app.app shell`` in the folder with ``host.toml``.
"""

from __future__ import annotations

from pathlib import Path

from procrastinate import App

from nomicwolf.host.settings import load_host
from nomicwolf.host.worker import HostQueue


def __getattr__(name: str) -> App:
    """Make ``app`` when it is asked for."""
    if name != "app":
        raise AttributeError(name)
    return HostQueue(load_host(Path.cwd()), "shell").app
