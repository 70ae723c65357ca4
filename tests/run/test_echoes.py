"""Our own announcements come back from the forums, or their absence is told (NC 1g)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from nomicwolf.contest import Contest
from nomicwolf.maillist import distributed
from nomicwolf.nomic.events import Noted
from nomicwolf.reports.echoes import echoing
from nomicwolf.run.setting import setup_of
from tests.post.scripted import SmtpScript, smtp_server
from tests.run.world import BEGIN, FORUMS, World, make_world, started

DAY = 86_400


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A contest with a session in progress, its start announced in both forums."""
    script = SmtpScript()
    with smtp_server(script) as port:
        yield started(make_world(tmp_path / "contest", port, script))


def contest(world: World) -> Contest:
    """The contest as its ledger tells it."""
    with world.store() as store:
        return Contest.of(setup_of(world.settings, b"k" * 32), store.record())


def echo(world: World, nomic: str, at: int) -> None:
    """Let what was posted to *nomic* last come back through its list."""
    posted = [data for to, data in world.smtp.taken if to.startswith(f"{nomic}-business")][-1]
    world.deliver(f"echo.{nomic}.{at}", distributed(posted, FORUMS[nomic], at), at)


def noted(world: World) -> list[str]:
    """What was noted of echoes."""
    return [e.event.text for e in contest(world).entries if isinstance(e.event, Noted) and e.event.topic == "echo"]


def test_an_echo_is_a_receipt_of_its_forum(world: World) -> None:
    """The copy that comes back is nobody's letter, and tells when the forum had it."""
    echo(world, "agora", BEGIN + 60)
    assert world.poll(BEGIN + 120).status == 0

    (own,) = (heard for heard in contest(world).letters.values() if heard.bucket == "own")
    assert (own.channel, own.stamped) == ("agora", BEGIN + 60)
    assert echoing(contest(world)) == {"agora"}


def test_a_missing_echo_is_told_once_and_only_where_echoes_come(world: World) -> None:
    """B never echoes, so nothing is told of it; Agora's second letter is missed after a day, once."""
    echo(world, "agora", BEGIN + 60)
    world.poll(BEGIN + 120)
    world.command("announce", BEGIN + 3600)
    world.poll(BEGIN + 7200)
    before = noted(world)
    for later in (2, 3):
        world.post(f"m{later}", "Bex", "hello", BEGIN + later * DAY)
        world.poll(BEGIN + later * DAY)

    assert not any("vote count" in line.lower() or "count" in line.lower() for line in before)
    assert len([line for line in noted(world) if " to agora" in line]) == len(set(noted(world))) > 0
    assert not [line for line in noted(world) if " to b," in line]
