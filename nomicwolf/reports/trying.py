"""The letter with which the contestmaster tries whether letters go out (``nomicwolf check --send``)."""

from __future__ import annotations

from nomicwolf.letters.letter import Outgoing
from nomicwolf.nomic.setup import Setup
from nomicwolf.reports.prose import Prose


def trial_letter(setup: Setup, prose: Prose, now: int) -> Outgoing:
    """Return a letter to the contestmaster alone that tells nothing (*now*: UTC seconds)."""
    name = setup.name or setup.contest
    body = prose.text("check", name=name, address=setup.address, at=now)
    return Outgoing(
        f"check/{now}", "private", f"[{name}] a test letter", body + "\n", now,
        to=setup.contestmaster_addresses[0], person=setup.contestmaster)
