"""Letters to the contestmaster about the program itself: a test letter, and one about a letter that was set aside."""

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


def defect_letter(setup: Setup, prose: Prose, place: str, why: str, now: int) -> Outgoing:
    """Return the letter that tells of a letter that was set aside whole; it quotes nothing of it (*now*: UTC seconds).

    *place* is the mailbox copy's, *why* the kind of the error and the line of code it comes from.
    """
    name = setup.name or setup.contest
    return Outgoing(
        f"defect/{place}", "private", f"[{name}] a letter was set aside", prose.text("defect", place=place, why=why)
        + "\n", now, to=setup.contestmaster_addresses[0], person=setup.contestmaster)
