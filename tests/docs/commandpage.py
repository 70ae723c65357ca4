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

`-C DIR` before the command names the contest's folder, by default the present one. `--json` is for programs
([what programs read](json.md)).

| status | means |
|---|---|
| 0 | done |
| 1 | something needs the contestmaster; standard error says what |
| 2 | wrong use |
| 75 | try again later: another run is at work, or a server is away |

Many commands have some of these:

"""
COMMON = ("--dry-run", "--phase", "--json", "--at", "WHO", "NOMIC", "CONTEST")
"""Options and arguments that are described once, at the top, if a command words them like all the others."""


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
    told = common()
    parts = [HEAD + "".join(f"* `{name}`: {_kept(help_text)}\n" for name, help_text in told.items())]
    for path, command in commands():
        parts.append("\n".join(_section(path, command, told)))
    return "\n".join(parts)


def common() -> dict[str, str]:
    """Return each common option or argument with its usual help."""
    every = [p for _, command in commands() for p in command.params]
    helps = {name: [p.help for p in every if name == _called(p)] for name in COMMON}
    return {name: max(set(texts), key=texts.count) for name, texts in helps.items()}


def _section(path: str, command: Any, told: dict[str, str]) -> Iterator[str]:
    arguments = [p for p in command.params if p.param_type_name == "argument"]
    options = [p for p in command.params if p.param_type_name == "option" and p.name != "help"]
    shown = " ".join([path, *(shape(a) for a in arguments)])
    yield f"## `{shown}`"
    said = str(command.help).partition("Example:")[0]
    for paragraph in said.strip().split("\n\n"):
        yield "\n" + fill(_kept(paragraph), 116)
    if telling := [line for line in examples(path, command) if re.sub(" -C [^ ]+", "", line) != path]:
        yield "\n".join(("\n```text", *telling, "```"))
    usual = [o for o in options if told.get(_called(o)) == o.help and not o.required]
    rows = [(f"`{_kept(_bare(a))}`", a.help or "") for a in arguments if told.get(_called(a)) != a.help]
    rows += [(_names(o), o.help or "") for o in options if o not in usual]
    told_here = [f"{left}: {_kept(right)}" for left, right in rows]
    if told_here or usual:
        yield ""
    for row in (*told_here, *([", ".join(map(_names, usual))] if usual else [])):
        yield fill(f"* {row}", 116, subsequent_indent="  ", break_on_hyphens=False)
    yield ""


def shape(argument: Any) -> str:
    """Return how an argument stands in a call (``[FILE...]``)."""
    bare = _bare(argument) + ("..." if argument.nargs == -1 else "")
    return bare if argument.required else f"[{bare}]"


def _called(given: Any) -> str:
    return str(given.opts[0]) if given.param_type_name == "option" else _bare(given)


def _bare(argument: Any) -> str:
    name = str(argument.metavar or argument.name).strip("[].")
    return name if "|" in name else name.upper()


def _names(option: Any) -> str:
    names = ", ".join(f"`{name}`" for name in option.opts)
    return f"{names} (needed)" if option.required else names


def _kept(text: str) -> str:
    return " ".join(text.split()).replace("<", "&lt;")


if __name__ == "__main__":
    sys.stdout.write(page())
