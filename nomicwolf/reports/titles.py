"""What a contest is called in the subjects of its letters, and what the private ones are called."""

from __future__ import annotations

from nomicwolf.nomic.setup import Setup


def tag_of(setup: Setup) -> str:
    """Return the short name of a contest, as subjects carry it (``Werewolves``)."""
    return setup.name.removeprefix("The ").partition(" of ")[0][:30] or setup.contest


def titled(setup: Setup, session: int, what: str) -> str:
    """Return the subject of a private letter, the same for everyone in *session* (0: before the first)."""
    return f"[{tag_of(setup)}] session {session}: {what}" if session else f"[{tag_of(setup)}] {what}"
