"""What programs read: each key that a command prints is on the page, and each key on the page is printed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from nomicwolf.cli.app import run
from tests.docs.pages import ROOT, text_of
from tests.run.world import BEGIN, World, letter, running_world

SECTIONS = {
    title: re.findall(r"(?m)^\| (`.*?) \| (.*) \|$", text)
    for title, text in re.findall(r"(?ms)^## `nomicwolf (.+?) --json`\n(.*?)(?=^## |\Z)", text_of("docs/json.md"))
}
REHEARSED = str(ROOT / "tests/scenarios/nomic-crossing/N-01-a-town-of-07-has-1-werewolf.yaml")
GIVEN = {
    "explain": ("Ash",), "rules": ("nomic-crossing",), "verify": ("archive",), "archive": ("archive",),
    "rehearse": (REHEARSED,),
}
"""What else is typed."""
SHOWN = {"read", "tally", "odds"}
"""What these print stands on the page, and is compared with it as any block is."""
BY_NAME = {"votes", "limits"}
"""Mappings from names, each to an object whose keys the page tells."""


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A day with a vote, and a letter that waits."""
    with running_world(tmp_path_factory.mktemp("json") / "contest") as here:
        here.post("v1", "Ash", "I vote for Gus.", BEGIN + 60)
        here.deliver("huge", letter("h", "Bex", "x\n" * 600_000, BEGIN + 60, "wolf@contest.test"), BEGIN + 60)
        assert here.poll(BEGIN + 120).status == 0
        assert run(["-C", str(here.folder), "archive", str(here.folder / "archive")]) == 0
        yield here


def printed(world: World, title: str, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """Return what the command prints with ``--json``."""
    words = [str(world.folder / word) if word == "archive" else word for word in GIVEN.get(title, ())]
    assert run(["-C", str(world.folder), *title.split(), *words, "--json"]) == 0
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    return told


@pytest.mark.parametrize("title", sorted(SECTIONS.keys() - SHOWN))
def test_the_page_has_the_keys_that_are_printed(
    world: World, title: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """At the top just these; in the lists below it none that the row does not name, but for an event's own."""
    told = printed(world, title, capsys)
    rows = {key: words for keys, words in SECTIONS[title] for key in words_in(keys)}

    assert told.pop("schema") == 1
    assert told.keys() == rows.keys()
    for key in told.keys() - {"events"}:
        named = words_in(SECTIONS["held"][0][1] if "as `held` has them" in rows[key] else rows[key])
        objects = list(told[key].values()) if key in BY_NAME else told[key]
        if isinstance(objects, list):
            assert {name for one in objects if isinstance(one, dict) for name in one} <= named


def words_in(text: str) -> set[str]:
    """Return what stands in backquotes."""
    return set(re.findall(r"`(\w+)`", text))


def test_every_command_with_json_is_on_the_page() -> None:
    """By a section of its own, or in the last sentence."""
    page = text_of("docs/commands.md")
    commands = re.findall(r"(?ms)^## `nomicwolf ([a-z ]+?)(?: [A-Z\[][^`]*)?`\n(.*?)(?=^## |\Z)", page)
    printing = {name for name, text in commands if "`--json`" in text}
    last = text_of("docs/json.md").rpartition("\n\n")[2]

    assert SECTIONS.keys() <= printing
    assert printing - SECTIONS.keys() == set(re.findall(r"`([a-z ]+?)(?: --json)?`", last)) - {"--json"}
