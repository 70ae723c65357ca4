"""A contest on its first day, and its live screen in a terminal that nobody sees.

``python -m tests.watch.watched > docs/images/watch.svg`` draws the handbook's picture anew.
"""

from __future__ import annotations

import asyncio
import re
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

from textual.pilot import Pilot

from nomicwolf.settings.load import load
from nomicwolf.watch import WatchApp
from tests.run.world import BEGIN, World, letter, running_world

HOUR = 3600
FONTS = re.compile(r"@font-face\s*\{[^}]*\}\s*")
Steps = Callable[[Pilot[None]], Awaitable[None]]


def first_day(folder: Path) -> World:
    """Make a contest in *folder* in which four have voted; the last letters of it did not go out."""
    with running_world(folder) as world:
        for hour, (who, says) in enumerate((
            ("Ash", "I vote for Gus."), ("Bex", "I endorse Ash."), ("Cam", "I vote for Gus if Dov is voting for Gus."),
        ), 1):
            world.post(f"v{hour}", who, says, BEGIN + hour * HOUR)
        world.deliver("p1", letter("p1", "Dov", "help", BEGIN + 4 * HOUR, "wolf@contest.test"), BEGIN + 4 * HOUR)
        assert world.poll(BEGIN + 4 * HOUR).status == 0
    world.post("v9", "Eli", "I vote for Fay.", BEGIN + 5 * HOUR)
    world.deliver("p9", letter("p9", "Ash", "help", BEGIN + 5 * HOUR, "wolf@contest.test"), BEGIN + 5 * HOUR)
    world.poll(BEGIN + 5 * HOUR + 60)
    return world


def app_of(world: World) -> WatchApp:
    """Return the screen of *world*, which looks when it is told to, and once as it begins."""
    return WatchApp(load(world.folder, {}, mail=False), lambda: BEGIN + 6 * HOUR, every=3600)


def watched(world: World, steps: Steps, size: tuple[int, int] = (140, 50)) -> None:
    """Open the screen of *world* in a terminal of *size* columns and lines, and do *steps*."""
    app = app_of(world)

    async def go() -> None:
        async with app.run_test(size=size) as pilot:
            await settle(pilot)
            await steps(pilot)

    asyncio.run(go())


async def settle(pilot: Pilot[None]) -> None:
    """Wait until the look that is under way has been shown."""
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


def drawn(world: World, size: tuple[int, int] = (120, 40)) -> str:
    """Return the screen as an SVG that asks for nothing from elsewhere."""
    found: list[str] = []

    async def steps(pilot: Pilot[None]) -> None:
        found.append(pilot.app.export_screenshot(title="nomicwolf watch"))

    watched(world, steps, size)
    return FONTS.sub("", found[0])


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        sys.stdout.write(drawn(first_day(Path(place) / "contest")))
