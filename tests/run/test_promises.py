"""Promises about real letters: one forum's failure is its own, and no instant in the record goes backwards."""

from __future__ import annotations

from email import message_from_bytes

import pytest

from tests.post.scripted import SmtpScript
from tests.run.world import BEGIN, running_world

pytestmark = pytest.mark.slow

HOUR = 3600
OWN = ("letter", "deed", "entry")
"""What brings entries at instants of its own, when its letter was written: not the contest's clock."""


def ids(script: SmtpScript, forum: str) -> list[str]:
    """The Message-IDs of what the server took for *forum*, in order."""
    return [str(message_from_bytes(data)["Message-ID"]) for to, data in script.taken if to == forum]


@pytest.mark.parametrize("reply", ["450 try again later", "drop"])
def test_one_forums_failure_repeats_nothing_in_the_other(tmp_path_factory: pytest.TempPathFactory, reply: str) -> None:
    """N-114: while one forum's letters are put off, the other's go out; later the first gets them, each once."""
    with running_world(tmp_path_factory.mktemp("forums") / "contest") as world:
        good, bad = sorted({to for to, _ in world.smtp.taken if "lists" in to})
        before = {forum: ids(world.smtp, forum) for forum in (good, bad)}
        world.smtp.rcpt[bad] = reply
        world.command("announce", BEGIN + HOUR)
        world.poll(BEGIN + 2 * HOUR)
        world.poll(BEGIN + 3 * HOUR)
        meanwhile = {forum: ids(world.smtp, forum) for forum in (good, bad)}
        del world.smtp.rcpt[bad]
        for later in range(4, 60):
            world.poll(BEGIN + later * HOUR)

    after = {forum: ids(world.smtp, forum) for forum in (good, bad)}
    assert meanwhile[bad] == before[bad]
    assert len(meanwhile[good]) == len(before[good]) + 1
    assert len(after[bad]) >= len(before[bad]) + 1
    for sent in after.values():
        assert len(set(sent)) == len(sent)


def test_no_instant_in_the_record_goes_backwards(tmp_path_factory: pytest.TempPathFactory) -> None:
    """X-22: whatever the server's clock does, the contest's time only goes on; each letter keeps its three stamps."""
    with running_world(tmp_path_factory.mktemp("clock") / "contest") as world:
        for place, (hour, poll) in enumerate(((1, 30), (2, 3), (40, 41), (5, 20), (50, 60))):
            world.post(f"v{place}", ("Ash", "Bex", "Cam", "Dov", "Eli")[place], "I vote for Gus.", BEGIN + hour * HOUR)
            world.poll(BEGIN + poll * HOUR)

    record = list(world.store().record())
    instants = [e.at for e in record if not e.event.name.endswith("-heard") and not e.cause.startswith(OWN)]
    heard = [e.event for e in record if e.event.name == "letter-heard"]
    assert instants == sorted(instants)
    assert instants[-1] > instants[0]
    assert len(heard) >= 5
    assert all(getattr(letter, stamp) for letter in heard for stamp in ("sent", "stamped", "arrived"))
