"""How help reads: commands under headings, each with its whole first sentence; arguments and values in capitals."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeVar

import typer
from typer.core import TyperCommand, TyperGroup

SECTIONS: dict[str, tuple[str, ...]] = {
    "To begin": ("init", "login", "check", "dkim", "party", "start", "demo"),
    "Each day": ("poll", "status", "votes", "held", "release", "reject", "answer", "resend", "announce", "watch"),
    "To look closer": ("history", "explain", "parties", "statistics", "unsent"),
    "What only the contestmaster may do": (
        "act-for", "ruling", "publish", "extend", "close", "pause", "resume", "intend", "resolve", "substitute", "undo",
        "holiday", "clock", "contestmaster"),
    "The end, and what is shown of it": ("end", "award", "claim", "correct", "archive", "verify", "export"),
    "The ledger, and many contests": ("backup", "restore", "replay", "ledger", "host"),
    "Without a contest": ("read", "tally", "rehearse", "rules", "roles", "setup", "odds", "bench"),
}
"""The commands by what somebody wants; each stands in one section."""
Function = TypeVar("Function", bound=Callable[..., Any])
ELSEWHERE = {
    word: command for command, words in {
        "init": "new create found", "start": "begin deal", "poll": "fetch run cron",
        "check": "test doctor", "party add": "add join", "parties": "roster players",
        "explain": "why", "history": "log record", "votes": "count", "end": "stop abort",
        "archive": "site web publish-archive", "demo": "play", "held": "letters",
    }.items() for word in words.split()
}
"""What newcomers type, and the command that it is here."""
UNKNOWN = re.compile(r"No such command '([^']*)'\.")
TYPE = re.compile(r" <[\w. ]+(?:\[\w+\])?>(?:\.\.\.)?$")
"""How typer names the type of a value; a choice (``<yes|no>``) is kept."""


def first_sentence(text: str) -> str:
    """Return the first sentence of a help text, without its full stop.

    >>> first_sentence("Tell how it is read. Nothing is done.")
    'Tell how it is read'
    """
    return " ".join(text.partition("\n\n")[0].split()).partition(". ")[0].rstrip(".")


def shape(argument: Any) -> str:  # noqa: ANN401 - typer has no public name for its type
    """Return how an argument stands in a call: ``WHO``, ``[ADDRESS]``, ``[FILE...]``."""
    bare = str(argument.metavar).strip("[].") if argument.metavar else str(argument.name).upper()
    bare += "..." if argument.nargs == -1 else ""
    return bare if argument.required else f"[{bare}]"


def named(error: Any) -> None:  # noqa: ANN401
    """Let the *error* name an argument that is missing as the help does, and a command that others have elsewhere."""
    param, message = getattr(error, "param", None), str(getattr(error, "message", ""))
    if type(error).__name__ == "MissingParameter" and getattr(param, "param_type_name", "") == "argument":
        error.param_hint = shape(param).removesuffix("...")
        error.message = str(getattr(param, "help", "") or "").rstrip(".")
    elif (unknown := UNKNOWN.match(message)) and (meant := ELSEWHERE.get(unknown[1])):
        error.message = f"{unknown[0]} Did you mean '{meant}'?"
    elif message.startswith("Input should be a valid integer"):
        error.message = "it has to be a whole number, such as 7."


class Command(TyperCommand):
    """A command whose help names arguments as the handbook does: ``party add WHO [ADDRESS]``."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:  # noqa: ANN401
        """Return the parts of the usage line."""
        arguments = [shape(p) for p in self.get_params(ctx) if p.param_type_name == "argument"]
        return ["[OPTIONS]", *arguments]

    def format_options(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401
        """Write what can be given; a value is named by its option, and no type of Python's stands there."""
        for kind, title in (("argument", "Arguments"), ("option", "Options")):
            found = [(p, p.get_help_record(ctx)) for p in self.get_params(ctx) if p.param_type_name == kind]
            if rows := [(_named(p, row[0]), row[1]) for p, row in found if row is not None]:
                with formatter.section(title):
                    formatter.write_dl(rows)


def _named(param: Any, name: str) -> str:  # noqa: ANN401
    if param.param_type_name == "argument":
        return shape(param)
    return TYPE.sub(f" {str(param.opts[0]).strip('-').rpartition('-')[2].upper()}", name)


class Group(TyperGroup):
    """Commands whose list is read as a whole: by what one wants, and no sentence cut short."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401
        """Write the commands under their headings; those below another command under one."""
        names = self.list_commands(ctx)
        for title, section in (SECTIONS if "init" in names else {"Commands": tuple(names)}).items():
            found = [(name, self.get_command(ctx, name)) for name in section]
            with formatter.section(title):
                formatter.write_dl([(name, first_sentence(command.help or "")) for name, command in found if command])


class Commands(typer.Typer):
    """Commands that are written so: the program's own, and those below ``party``, ``ledger`` and ``host``."""

    def __init__(self, **more: Any) -> None:  # noqa: ANN401
        super().__init__(cls=Group, no_args_is_help=True, **more)

    def command(self, name: str | None = None, **more: Any) -> Callable[[Function], Function]:  # noqa: ANN401
        """Return what makes a function one of the commands."""
        return super().command(name, cls=Command, **more)
