"""Reports that an announcement came back, from anyone: they weigh less than the forum's own copy of it."""

from __future__ import annotations

from nomicwolf.nomic.events import Noted
from tests.letters.test_machine import REPORT
from tests.run.test_echoes import contest, echo, world
from tests.run.world import BEGIN, World

__all__ = ["world"]


def forge_a_bounce(world: World, at: int) -> str:
    """Let somebody say that the start never reached Agora: its Message-ID stands in everyone's mailbox."""
    with world.store() as store:
        start = next(
            o for o in store.outbox().each() if o.letter.forum == "agora" and "begins" in o.letter.subject)
    report = REPORT.format(to="wolf@contest.test", action="failed", status="5.1.1", kind="text/rfc822-headers",
                           back=f"Message-ID: {start.message_id}")
    world.deliver(f"bounce.{at}", report.replace("<report@", f"<report{at}@").encode(), at)
    return start.message_id


def test_nobody_can_say_that_an_announcement_came_back_which_the_forum_has(world: World) -> None:
    """It stays sent, nobody is told to send it again, and nothing goes out twice (found by an attack through mail)."""
    echo(world, "agora", BEGIN + 60)
    world.poll(BEGIN + 120)
    message_id = forge_a_bounce(world, BEGIN + 180)

    assert world.poll(BEGIN + 240).status == 0
    with world.store() as store:
        assert store.outbox().in_state("failed") == ()
        assert store.outbox().heard_again(message_id)
    assert not [e for e in contest(world).entries if isinstance(e.event, Noted) and e.event.topic == "bounce"]


def test_an_echo_outweighs_a_bounce(world: World) -> None:
    """Said to have come back before the forum's copy is read: the copy settles it."""
    message_id = forge_a_bounce(world, BEGIN + 30)
    assert world.poll(BEGIN + 40).status == 1
    echo(world, "agora", BEGIN + 60)
    world.poll(BEGIN + 120)

    with world.store() as store:
        outbox = store.outbox()
        assert outbox.in_state("failed") == ()
        found = outbox.by_message_id(message_id)
        assert found is not None
        assert found.state == "sent"
