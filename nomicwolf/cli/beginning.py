"""Setting a contest up, trying the setup, and the cron job."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from nomicwolf.cli.base import NEEDS_YOU, At, clock, here
from nomicwolf.cli.entering import login


def init(
    ctx: typer.Context,
    folder: Annotated[Path | None, typer.Argument(metavar="[DIR]", help="Where; made if it is not there.")] = None,
    name: Annotated[str, typer.Option(help="What the contest is called.")] = "",
    contestmaster: Annotated[str, typer.Option(help="Who runs it.")] = "",
    address: Annotated[str, typer.Option(help="Eir own address, for the journal.")] = "",
    contest_address: Annotated[str, typer.Option(help="The contest's address, which players write to.")] = "",
    imap: Annotated[str, typer.Option(help="The IMAP server, host or host:port.")] = "",
    smtp: Annotated[str, typer.Option(help="The SMTP server, host or host:port.")] = "",
    user: Annotated[str, typer.Option(help="The user's name at both.")] = "",
    forum: Annotated[list[str] | None, typer.Option(help="A nomic's forum: agora=ADDRESS. May be given again.")] = None,
    mail_hosts: Annotated[str, typer.Option(
        help="The mail servers on your side, as in Received: names, or the file of a letter that came through a forum.",
    )] = "",
    ruleset: Annotated[str, typer.Option(help="The rule set; without --name, the contest is called by it.")] = "",
    yes: Annotated[bool, typer.Option("--yes", help="Ask nothing: take the options and the usual answers.")] = False,
) -> None:
    """Write a contest's folder: settings, an empty ledger, a crontab line and a systemd timer to copy.

    Example: nomicwolf init crossing
    """
    from nomicwolf.cli.founding import found

    given = {
        "name": name, "contestmaster": contestmaster, "address": address, "contest_address": contest_address,
        "imap": imap, "smtp": smtp, "user": user, "forum": ", ".join(forum or ()), "ruleset": ruleset,
        "mail_hosts": mail_hosts,
    }
    found(folder or here(ctx).folder, given, ask=not yes)


def check(
    ctx: typer.Context,
    send: Annotated[bool, typer.Option("--send", help="Send a test letter to the contestmaster, too.")] = False,
) -> None:
    """Try everything that can be wrong with a setup, and say what to do about each fault.

    Example: nomicwolf -C crossing check --send
    """
    from nomicwolf.cli.checking import check_all

    if not check_all(here(ctx), send=send):
        raise typer.Exit(NEEDS_YOU)


def poll(
    ctx: typer.Context,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Say what was done.")] = False,
    clock_is_right: Annotated[bool, typer.Option(
        "--clock-is-right", help="Go on though the mail servers say that it is earlier, or none says how late it is.",
    )] = False,
    at: At = "",
) -> None:
    """Fetch, hear, let time pass, send: one cron run, silent when all is well.

    Example: nomicwolf -C crossing poll
    """
    from nomicwolf.cli.polling import poll as run

    raise typer.Exit(run(str(here(ctx).folder), here(ctx).order_of, clock(at), verbose=verbose,
                         clock_is_right=clock_is_right or bool(at)))


COMMANDS: dict[str, Callable[..., None]] = {"init": init, "login": login, "check": check, "poll": poll}
