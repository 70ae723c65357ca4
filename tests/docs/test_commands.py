"""The generated pages are what the program says: commands, rehearsals, library."""

from __future__ import annotations

import re
import shlex

import pytest

from nomicwolf.rehearsal.script import GIVEN, STEP, THEN, TOP
from tests.docs import librarypage
from tests.docs.commandpage import commands, examples, group, page
from tests.docs.pages import PAGES, blocks, name_of, prose, table, text_of
from tests.tables import each

COMMANDS = dict(commands())
NAMES = {path.removeprefix("nomicwolf ").split()[0] for path in COMMANDS}
ADDED = {"seats"}
"""The command that CONTRIBUTING adds as an example."""
WORDS = re.compile(r"(?:-C \S+ )?([a-z][a-z-]+)\b")
HASHED = ("seed 1", "draw 1", "role 1", "nonce 1", "half 1", "seed from 1")  # first lines of texts that are hashed


def test_the_page_is_what_the_program_says() -> None:
    """``python -m tests.docs.commandpage > docs/commands.md`` writes it anew."""
    assert text_of("docs/commands.md") == page()


@each("path", COMMANDS)
def test_a_command_says_what_it_does_with_an_example(path: str) -> None:
    """A help text, one example or more, each of this very command; and a word on each of its options."""
    command = COMMANDS[path]
    lines = examples(path, command)
    assert lines

    for line in lines:
        assert resolved(line) is command
    assert [p.name for p in command.params if not p.help and p.name != "help"] == []


@each("page", [name_of(p) for p in PAGES])
def test_pages_name_commands_that_there_are(page: str) -> None:
    """What is written in backquotes or blocks as a call of nomicwolf's begins with a command."""
    calls = re.findall(r"`nomicwolf ([^`]+)`", prose(page))
    calls += re.findall(r"(?m)^(?:\$ )?nomicwolf (.+)$", "\n".join(b.text for b in blocks(page)))

    named = {match[1] for call in calls if call not in HASHED and (match := WORDS.match(call))}
    assert named <= NAMES | ADDED


def resolved(line: str) -> object:
    """Return the command that *line* calls, its words understood; whatever is wrong with them is raised."""
    command, words = group(), shlex.split(line)[1:]
    while hasattr(command, "commands"):
        context = command.make_context("nomicwolf", words)
        _, command, words = command.resolve_command(context, [*context._protected_args, *context.args])
    command.make_context("nomicwolf", words)
    return command


@pytest.mark.parametrize(
    ("heading", "keys"),
    [("## The file", TOP), ("## How things stand: `given`", GIVEN), ("## What happens: `when`", STEP),
     ("## Expectations: `then`", THEN)],
)
def test_every_key_is_told(heading: str, keys: tuple[str, ...]) -> None:
    """The first cells of a section's table name exactly the keys that the reader of scripts knows."""
    told = [key for row in table("docs/rehearsals.md", heading) for key in re.findall(r"`([a-z]+)`", row[0])]

    assert sorted(told) == sorted(keys)


@pytest.mark.slow
def test_the_page_is_what_the_files_say() -> None:
    """``python -m tests.docs.librarypage > docs/library.md`` writes it anew."""
    assert text_of("docs/library.md") == librarypage.page()
