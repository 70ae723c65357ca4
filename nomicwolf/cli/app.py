"""The commands by name."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.main import get_command

from nomicwolf import __version__
from nomicwolf.cli import contest_folder, host, ledger, offline, orders, party, queries, rules
from nomicwolf.cli.base import NEEDS_YOU, Captured, Commands, Group, Here, explain_usage_error, said_of, status_of
from nomicwolf.cli.output import complain
from nomicwolf.ledger.errors import LedgerError
from nomicwolf.post.refusals import PostError
from nomicwolf.settings.keys import SettingsError

if TYPE_CHECKING:
    from nomicwolf.contest import Command

OPTIONS = ("--json", "--text", "--author", "--players", "--dead", "--aliases", "--to", "--role", "--ruleset", "--phase",
           "--why", "--help", "-h")
"""The options of ``read``; one of them after ``--text`` is not its value."""


def with_value(words: Sequence[str]) -> list[str]:
    """Return a command line in which a ``--text`` of ``read`` has its value, which may be left out for ``-``.

    >>> with_value(["read", "--text", "--json"]), with_value(["read", "--text", "vote Gus"]), with_value([])
    (['read', '--text', '-', '--json'], ['read', '--text', 'vote Gus'], [])
    """
    found: list[str] = []
    for word, after in zip_longest(words, words[1:], fillvalue="--json"):
        found.append(word)
        if word == "--text" and "read" in found and after.partition("=")[0] in OPTIONS:
            found.append("-")
    return found


SECTIONS: Mapping[str, Mapping[str, Callable[..., None] | Commands]] = {
    "To begin": {
        "init": contest_folder.init, "login": contest_folder.login, "check": contest_folder.check,
        "dkim": contest_folder.dkim, "party": party.party, "start": orders.start, "demo": offline.demo,
    },
    "Each day": {
        "poll": contest_folder.poll, "status": queries.status, "votes": queries.votes, "held": queries.held,
        "release": orders.release, "reject": orders.reject, "answer": orders.answer, "resend": orders.resend,
        "announce": orders.announce, "watch": queries.watch,
    },
    "To look closer": {
        "history": queries.history, "explain": queries.explain, "parties": queries.parties,
        "statistics": queries.statistics, "unsent": queries.unsent,
    },
    "What only the contestmaster may do": {
        "act-for": orders.act_for, "ruling": orders.ruling, "publish": orders.publish, "extend": orders.extend,
        "close": orders.close, "pause": orders.pause, "resume": orders.resume, "intend": orders.intend,
        "resolve": orders.resolve, "substitute": orders.substitute, "undo": orders.undo, "holiday": orders.holiday,
        "clock": orders.turn_clock, "contestmaster": orders.contestmaster,
    },
    "The end, and what is shown of it": {
        "end": orders.end, "award": orders.award, "claim": orders.claim, "correct": orders.correct,
        "archive": queries.archive, "verify": queries.verify, "export": queries.export,
    },
    "The ledger, and many contests": {
        "backup": ledger.backup, "restore": ledger.restore, "replay": ledger.replay, "ledger": ledger.ledger,
        "host": host.host,
    },
    "Without a contest": {
        "read": offline.read, "tally": offline.tally, "rehearse": offline.rehearse, "rules": rules.rules,
        "roles": rules.list_roles, "setup": rules.setup, "odds": offline.odds, "bench": offline.bench,
    },
}
"""The commands by purpose, each in one section; further ones are below some of them."""


class _Group(Group):
    sections = SECTIONS


app = Commands(
    cls=_Group, name="nomicwolf", rich_markup_mode=None, pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"nomicwolf {__version__}")
        raise typer.Exit


@app.callback()
def everywhere(
    ctx: typer.Context,
    folder: Annotated[Path, typer.Option("-C", metavar="DIR", help="The contest's folder.")] = Path(),
    version: Annotated[bool, typer.Option(
        "--version", callback=_version, is_eager=True, help="Print the version.")] = False,
) -> None:
    """Werewolf by email, for nomics: a cron job that keeps the game, the votes and the law.

    Exit status: 0 done, 1 something needs the contestmaster, 2 wrong use, 75 try again later.

    Example: nomicwolf -C crossing status
    """
    if not isinstance(ctx.obj, Here):
        ctx.obj = Here(folder, order_of=order_of, run=run)


COMMANDS = {name: command for section in SECTIONS.values() for name, command in section.items()}
for name, command in COMMANDS.items():
    app.add_typer(command, name=name) if isinstance(command, Commands) else app.command(name)(command)
ORDERS = frozenset(name for name, command in COMMANDS.items()
                   if command is party.party or command.__module__ == orders.__name__)
"""The commands that are one happening in a contest, so that a rehearsal can give them."""


def run(words: Sequence[str]) -> int:
    """Run the command that *words* say, and return its exit status; raise KeyboardInterrupt if a Ctrl-C stopped it."""
    command: Any = get_command(app)
    try:
        status = command.main(args=with_value(words), prog_name="nomicwolf", standalone_mode=False)
    except SettingsError as error:
        complain(error.problems)
        return NEEDS_YOU
    except (LedgerError, PostError, OSError) as error:
        complain(said_of(error).splitlines())
        return status_of(error)
    except typer.Abort as error:
        raise KeyboardInterrupt from error
    except Exception as error:
        if not hasattr(error, "exit_code"):
            raise
        if hasattr(error, "show"):
            explain_usage_error(error)
            if hasattr(error, "message"):
                error.message = str(error.message).removeprefix("Value error, ")  # how pydantic begins
            error.show(file=sys.stderr)
        return int(error.exit_code)
    return _status_of(status)


def _status_of(returned: object) -> int:
    """Return a command's exit status by what it returned; Typer makes a status of a Ctrl-C, and says nothing."""
    if returned == 128 + signal.SIGINT:
        raise KeyboardInterrupt
    return returned if isinstance(returned, int) else 0


def order_of(words: Sequence[str]) -> Command:
    """Return the order that a command line gives, and do nothing; ValueError for one that is none, or is refused.

    Commands that are no orders are never run: a rehearsal that somebody sent touches nothing on this machine.
    """
    if not words or words[0] not in ORDERS or {"-h", "--help"} & set(words):
        raise ValueError(f"{' '.join(words)}: is no order of the contestmaster's. Orders: {', '.join(sorted(ORDERS))}.")
    command: Any = get_command(app)
    try:
        command.main(args=list(words), prog_name="nomicwolf", standalone_mode=False, obj=Here(capture=True))
    except Captured as captured:
        return captured.command
    except Exception as error:
        if not hasattr(error, "exit_code"):
            raise
        said = error.format_message() if hasattr(error, "format_message") else str(error)
        context: Any = getattr(error, "ctx", None)
        where = context.command_path if context is not None else f"nomicwolf {words[0]}"
        raise ValueError(f"{said} See `{where} --help`.") from error
    raise ValueError(f"{' '.join(words)}: is no order of the contestmaster's.")
