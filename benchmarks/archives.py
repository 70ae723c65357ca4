"""The public archive of many sessions, beside one bare loop."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from benchmarks._harness import Against, Costs, Effort, Row, compare, wall
from nomicwolf.archive.files import write
from nomicwolf.reports.archive import Published, pages
from tests.archive.stories import Story, play, published

SIZES = (2, 8, 25)
FULL = (10, 30, 100)
HOURS = 800
"""From one session to the next; the first takes less."""


def rows(effort: Effort) -> Iterator[Row]:
    """Write the archive of some sessions into an empty folder."""
    story = Story()
    played = 0
    for size in (FULL if effort.full else SIZES)[: effort.sizes]:
        while played < size:
            play(story) if not played else again(story, HOURS * played)
            played += 1
        before = published(story)
        yield from compare(
            "archive, full", f"of {size} sessions", size,
            {"ours": lambda before=before: full(before), "bare loop": lambda before=before: bare(before)},  # type: ignore[misc]
            [Against("bare loop", "<=", 1.5)], Effort(3, effort.seconds))


def again(story: Story, at: int) -> None:
    """Play one session more in the same contest, some votes long, *at* hours after its beginning."""
    for name, more in (("start", {"roles": "seer,witch,hunter", "seed": "7", "limit": "agora=50"}),
                       ("end", {"why": "the next one begins"})):
        if name == "end":
            for who in ("Ash", "Cam", "Dov"):
                story.write(who, "I vote for Bex.", at=at + 1)
        outcome = story.command(name, at=at, **more)
        if outcome.status:
            raise RuntimeError(outcome.said)


def full(found: Published) -> Costs:
    """Write into an empty folder."""
    with tempfile.TemporaryDirectory() as folder:
        return wall(lambda: write(found, Path(folder)))()


def bare(found: Published) -> Costs:
    """Render each page and write its bytes; nothing is compared, hashed or kept."""
    with tempfile.TemporaryDirectory() as folder:

        def loop() -> None:
            for page in pages(replace(found)):
                path = Path(folder) / page.path
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(page.make())

        return wall(loop)()
