"""`docs/commands.md`, made from the program: ``python -m tests.docs.commandpage > docs/commands.md`` writes it anew."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import cache
from textwrap import fill
from typing import Any

from typer.main import get_command

from nomicwolf.cli.app import app

HEAD = """\
# The commands

`-C DIR` before the command names the contest's folder, by default the present one. `nomicwolf COMMAND --help` and
[the man page](nomicwolf.1) explain a command's options. Many have `--dry-run` (show what would happen, and do nothing),
`--phase` (only do it in this phase, such as 'night 1'), `--json` (for [programs](json.md)) and `--at` (a time to use as
the present, in tests).

| status | means |
|---|---|
| 0 | done |
| 1 | something needs the contestmaster; standard error says what |
| 2 | wrong use |
| 75 | try again later: another run is at work, or a server is away |

"""


@cache
def group() -> Any:
    """Return the whole program as one command with commands below it; typer has no public name for their type."""
    return get_command(app)


def commands(below: Any = None, path: str = "nomicwolf") -> Iterator[tuple[str, Any]]:
    """Yield (its words, the command) for every command that does something, in the order of ``--help``."""
    for name, found in (below or group()).commands.items():
        if hasattr(found, "commands"):
            yield from commands(found, f"{path} {name}")
        else:
            yield f"{path} {name}", found


def examples(path: str, command: Any) -> list[str]:
    """Return the command lines that a command's help gives as examples."""
    help_text = " ".join(str(command.help).split())
    return [f"nomicwolf {line}" for line in re.findall(r"Example: nomicwolf (.*?)(?= Example: |$)", help_text)]


def page() -> str:
    """Return the page's whole text."""
    return HEAD + "\n".join("\n".join(_section(path, command)) for path, command in commands())


def _section(path: str, command: Any) -> Iterator[str]:
    arguments = [p for p in command.params if p.param_type_name == "argument"]
    options = [p for p in command.params if p.param_type_name == "option" and p.name != "help"]
    shown = " ".join([path, *(shape(a) for a in arguments)])
    yield f"## `{shown}`"
    said = str(command.help).partition("Example:")[0]
    for paragraph in said.strip().split("\n\n"):
        yield "\n" + fill(_kept(paragraph), 116)
    if telling := [line for line in examples(path, command) if "--" in line or '"' in line]:
        yield "\n".join(("\n```text", *telling, "```"))
    if options:
        yield "\n" + fill(f"Options: {', '.join(map(_names, options))}", 116, break_on_hyphens=False)
    yield ""


def shape(argument: Any) -> str:
    """Return how an argument stands in a call (``[FILE...]``)."""
    bare = _bare(argument) + ("..." if argument.nargs == -1 else "")
    return bare if argument.required else f"[{bare}]"


def _bare(argument: Any) -> str:
    name = str(argument.metavar or argument.name).strip("[].")
    return name if "|" in name else name.upper()


def _names(option: Any) -> str:
    name = str(max(option.opts, key=len))
    return f"`{name}` (needed)" if option.required else f"`{name}`"


def _kept(text: str) -> str:
    return " ".join(text.split()).replace("<", "&lt;")


if __name__ == "__main__":
    sys.stdout.write(page())
