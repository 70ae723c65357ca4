"""What all tests share: hypothesis profiles, no network but loopback, and the mail servers."""

from __future__ import annotations

import os
import sys

from hypothesis import settings

settings.register_profile("nomicwolf", deadline=None, max_examples=int(os.environ.get("NOMICWOLF_EXAMPLES", "50")))
settings.load_profile("nomicwolf")


def stay_home(event: str, args: tuple[object, ...]) -> None:
    """Refuse every connection that would leave this machine; an audit hook, so it can't be forgotten."""
    if event == "socket.connect" and isinstance(args[1], tuple) and args[1][0] not in {"127.0.0.1", "::1", "localhost"}:
        raise ConnectionRefusedError(f"tests stay on loopback, and this one wanted {args[1]}")


sys.addaudithook(stay_home)
