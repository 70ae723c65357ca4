"""The frame of commands: folder, options, help, errors."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, TypeVar

import typer
from typer.core import TyperCommand, TyperGroup

from nomicwolf.cli.output import complain
from nomicwolf.ledger.errors import Busy
from nomicwolf.nomic.times import instant_in
from nomicwolf.post.refusals import Away, Locked
from nomicwolf.settings.keys import Settings
from nomicwolf.settings.load import load

if TYPE_CHECKING:
    from nomicwolf.contest import Command

NEEDS_YOU, WRONG_USE, LATER = 1, 2, 75

RuleSet = Annotated[
    str, typer.Argument(help="nomic-crossing, gadianton, tabula, six-phases, narrated-mafia.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
At = Annotated[
    str, typer.Option("--at", metavar="TIME", help="Use this ISO 8601 time as the present (tests, rehearsals).")]


class Untried(Exception):
    """A trial that `check` could not make, with the note that says why."""


class Captured(Exception):
    """A command of the contestmaster's, taken from the command line in place of being done."""

    def __init__(self, command: Command) -> None:
        super().__init__(command.name)
        self.command = command


@dataclass(slots=True)
class Here:
    """Where a command runs: in *folder*; with *capture* orders are handed back as `Captured`.

    *order_of* makes an order of a command line, as rehearsals need it; *run* runs one and returns its status.
    """

    folder: Path = Path()
    capture: bool = False
    order_of: Callable[[Sequence[str]], Command] | None = None
    run: Callable[[Sequence[str]], int] | None = None

    def settings(self, *, mail: bool = True) -> Settings:
        """Return the contest's settings; `SettingsError` with every wrong key if they can't be used.

        Commands that only look at the ledger need no *mail*, and so no passwords.
        """
        found = load(self.folder, os.environ, mail=mail)
        if found.switches:
            from nomicwolf.run.contest_setup import unknown_switches  # most contests have the usual ones

            if unknown := unknown_switches(found):
                fail(unknown)
        return found

    @property
    def has_contest(self) -> bool:
        """Whether there is a contest in the folder."""
        return (self.folder / "contest.toml").is_file()


def here(ctx: typer.Context) -> Here:
    """Return where the command of *ctx* runs."""
    found = ctx.obj
    assert isinstance(found, Here)
    return found


def fail(lines: str | Iterable[str], status: int = NEEDS_YOU) -> NoReturn:
    """Say on standard error what is wrong, and end the command."""
    complain(lines)
    raise typer.Exit(status)


def demand_one_form(*, as_csv: bool, as_json: bool) -> None:
    """End the command if it is to answer in two forms."""
    if as_csv and as_json:
        fail("--csv and --json are two forms of one answer; give one of them", WRONG_USE)


def refuse_other_options(order: str, *, as_csv: bool = False, as_json: bool = False) -> None:
    """End the command if it is to show something as CSV or JSON although it gives an *order*, whose answer is words."""
    if as_csv or as_json:
        form = "--csv" if as_csv else "--json"
        fail(f"{order} gives an order, and {form} shows how things stand; give one after the other", WRONG_USE)


def said_of(error: Exception) -> str:
    """Return what *error* says; of a file that can't be used its name, what is wrong, and what to look at."""
    if isinstance(error, OSError) and error.filename is not None and error.strerror:
        name = str(error.filename)[:200]
        return f"{name}: {error.strerror}; look at that path, and at who may read or write it"
    return str(error)


def status_of(error: Exception) -> int:
    """Return with which status a command ends that *error* has stopped.

    That is 75 where a server is away or another run is at work, so that who gives commands by a script waits.
    """
    return LATER if isinstance(error, (Busy, Away, Locked)) else NEEDS_YOU


def clock(at: str) -> Callable[[], int]:
    """Return the clock that a command goes by: the machine's, or the instant given by ``--at``."""
    if not at:
        return lambda: int(time.time())
    try:
        given = instant_in(at)
    except ValueError:
        fail(f"--at {at}: is no time; write it like 2026-12-01T12:00:00Z", WRONG_USE)
    return lambda: given


def program() -> str:
    """Return how this program is called from anywhere: the path that it was started by, or where PATH finds it.

    What ``python -m nomicwolf`` started lies beside that Python.
    """
    started = Path(sys.argv[0])
    if started.name == "__main__.py":
        started = Path(sys.executable).with_name("nomicwolf")
    if started.name == "nomicwolf" and started.is_file():
        return str(started.absolute())
    return shutil.which("nomicwolf") or "nomicwolf"


def command_of(*words: str) -> str:
    """Return a command line that works in the reader's shell now: the bare name only if PATH finds it."""
    return shlex.join(["nomicwolf" if shutil.which("nomicwolf") else program(), *words])


def domain_of(address: str) -> str:
    """Return the domain of a mail address as DNS has it, lower case and without a final dot."""
    return address.rpartition("@")[2].lower().rstrip(".")


Function = TypeVar("Function", bound=Callable[..., Any])
SYNONYMS = {
    word: command for command, words in {
        "init": "new create found", "start": "begin deal", "poll": "fetch run cron",
        "check": "test doctor", "party add": "add join", "parties": "roster players",
        "explain": "why", "history": "log record", "votes": "count", "end": "stop abort",
        "archive": "site web publish-archive", "demo": "play", "held": "letters",
    }.items() for word in words.split()
}
"""What newcomers type, and the command for it here."""
UNKNOWN = re.compile(r"No such command '([^']*)'\.")
TYPE = re.compile(r" <[\w. ]+(?:\[\w+\])?>(?:\.\.\.)?$")
"""How typer names the type of a value; a choice (``<yes|no>``) is kept."""


def first_sentence(text: str) -> str:
    """Return the first sentence of a help text, without its full stop.

    >>> first_sentence("Show how it is read. Nothing is done.")
    'Show how it is read'
    """
    return " ".join(text.partition("\n\n")[0].split()).partition(". ")[0].rstrip(".")


def argument_shape(argument: Any) -> str:  # noqa: ANN401 - typer has no public name for its type
    """Return the form of an argument in a call: ``WHO``, ``[ADDRESS]``, ``[FILE...]``."""
    bare = str(argument.metavar).strip("[].") if argument.metavar else str(argument.name).upper()
    bare += "..." if argument.nargs == -1 else ""
    return bare if argument.required else f"[{bare}]"


def explain_usage_error(error: Any) -> None:  # noqa: ANN401
    """Reword the *error* to name a missing argument as the help does, and a command that has another name here."""
    param, message = getattr(error, "param", None), str(getattr(error, "message", ""))
    if type(error).__name__ == "MissingParameter" and getattr(param, "param_type_name", "") == "argument":
        error.param_hint = argument_shape(param).removesuffix("...")
        error.message = str(getattr(param, "help", "") or "").rstrip(".")
    elif (unknown := UNKNOWN.match(message)) and (meant := SYNONYMS.get(unknown[1])):
        error.message = f"{unknown[0]} Did you mean '{meant}'?"
    elif message.startswith("Input should be a valid integer"):
        error.message = "it has to be a whole number, such as 7."


class PlainCommand(TyperCommand):
    """A command whose help names arguments as the handbook does: ``party add WHO [ADDRESS]``."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:  # noqa: ANN401
        """Return the parts of the usage line."""
        arguments = [argument_shape(p) for p in self.get_params(ctx) if p.param_type_name == "argument"]
        return ["[OPTIONS]", *arguments]

    def format_options(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401
        """Write the arguments and options; a value is named by its option, not by a type of Python's."""
        for kind, title in (("argument", "Arguments"), ("option", "Options")):
            found = [(p, p.get_help_record(ctx)) for p in self.get_params(ctx) if p.param_type_name == kind]
            if rows := [(_option_name(p, row[0]), row[1]) for p, row in found if row is not None]:
                with formatter.section(title):
                    formatter.write_dl(rows)


def _option_name(param: Any, name: str) -> str:  # noqa: ANN401
    if param.param_type_name == "argument":
        return argument_shape(param)
    return TYPE.sub(f" {str(param.opts[0]).strip('-').rpartition('-')[2].upper()}", name)


class Group(TyperGroup):
    """Commands whose list is read as a whole: by what one wants, in *sections*, and no sentence cut short."""

    sections: Mapping[str, Iterable[str]] = {}

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401
        """Write the commands under their headings; those below another command under one."""
        for title, section in (self.sections or {"Commands": self.list_commands(ctx)}).items():
            found = [(name, self.get_command(ctx, name)) for name in section]
            with formatter.section(title):
                formatter.write_dl([(name, first_sentence(command.help or "")) for name, command in found if command])


class Commands(typer.Typer):
    """Commands that are written so: the program's own, and those below ``party``, ``ledger`` and ``host``."""

    def __init__(self, cls: type[Group] = Group, **more: Any) -> None:  # noqa: ANN401
        super().__init__(cls=cls, no_args_is_help=True, **more)

    def command(self, name: str | None = None, **more: Any) -> Callable[[Function], Function]:  # noqa: ANN401
        """Return what makes a function one of the commands."""
        return super().command(name, cls=PlainCommand, **more)
