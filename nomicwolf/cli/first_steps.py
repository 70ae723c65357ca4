"""Commands for setting a contest up and polling."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from nomicwolf.cli.base import NEEDS_YOU, At, clock, domain_of, fail, here
from nomicwolf.cli.output import say


def init(
    ctx: typer.Context,
    folder: Annotated[Path | None, typer.Argument(metavar="[DIR]", help="The folder; created if missing.")] = None,
    name: Annotated[str, typer.Option(help="What the contest is called.")] = "",
    contestmaster: Annotated[str, typer.Option(help="Who runs it.")] = "",
    address: Annotated[str, typer.Option(help="The contestmaster's own address, for the journal.")] = "",
    contest_address: Annotated[str, typer.Option(help="The contest's address, which players write to.")] = "",
    imap: Annotated[str, typer.Option(help="The IMAP server, host or host:port; found by default.")] = "",
    smtp: Annotated[str, typer.Option(help="The SMTP server, likewise.")] = "",
    user: Annotated[str, typer.Option(help="The user's name at both.")] = "",
    forum: Annotated[list[str] | None, typer.Option(help="A nomic's forum: agora=ADDRESS. Can be repeated.")] = None,
    mail_hosts: Annotated[str, typer.Option(
        help="The mail servers on your side, as in Received: names, or the file of a letter that came through a forum.",
    )] = "",
    ruleset: Annotated[str, typer.Option(help="The rule set; without --name, the contest is called by it.")] = "",
    yes: Annotated[bool, typer.Option("--yes", help="Ask nothing; use the options and the defaults.")] = False,
) -> None:
    """Create a contest's folder: settings, an empty ledger, a crontab line and a systemd timer to copy.

    Example: nomicwolf init crossing
    """
    from nomicwolf.cli.contest_folder import found_contest

    given = {
        "name": name, "contestmaster": contestmaster, "address": address, "contest_address": contest_address,
        "imap": imap, "smtp": smtp, "user": user, "forum": ", ".join(forum or ()), "ruleset": ruleset,
        "mail_hosts": mail_hosts,
    }
    found_contest(folder or here(ctx).folder, given, ask=not yes)


def check(
    ctx: typer.Context,
    send: Annotated[bool, typer.Option("--send", help="Send a test letter to the contestmaster, too.")] = False,
) -> None:
    """Check the whole setup, and say how to fix each fault.

    Example: nomicwolf -C crossing check --send
    """
    from nomicwolf.cli.check import check_all

    if not check_all(here(ctx), send=send):
        raise typer.Exit(NEEDS_YOU)


def poll(
    ctx: typer.Context,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Print what was done.")] = False,
    clock_is_right: Annotated[bool, typer.Option(
        "--clock-is-right", help="Continue although the mail servers say that it is earlier, or none tells the time.",
    )] = False,
    at: At = "",
) -> None:
    """Fetch letters, act on them and on the clock, and send: one cron run, silent when all is well.

    Example: nomicwolf -C crossing poll
    """
    from nomicwolf.cli.poll import poll as run

    raise typer.Exit(run(str(here(ctx).folder), here(ctx).order_of, clock(at), verbose=verbose,
                         clock_is_right=clock_is_right or bool(at)))


def login(
    ctx: typer.Context,
    browser: Annotated[bool, typer.Option(
        "--browser", help="Use a browser on this machine even if any device would do.")] = False,
) -> None:
    """Log in to the contest's mailbox by OAuth 2.0, as [oauth] says; polls renew the login by themselves.

    If the provider has device codes, use a browser on any device; otherwise one on this machine.

    Example: nomicwolf -C crossing login
    """
    from nomicwolf.post import oauth
    from nomicwolf.run.oauth_login import Login, token_file

    settings = here(ctx).settings(mail=False)
    kept = Login(settings)
    user = settings.imap.user if settings.imap else settings.smtp.user
    if browser and not kept.client.authorize_url:
        fail("--browser: this provider is set without a page for browsers; set oauth.authorize_url")

    def enter(page: str, code: str) -> None:
        say(f"Open {page} in a browser, on any device, log in there as {user}, and enter the code {code}")

    def go(page: str) -> None:
        say(f"Open this page in a browser on this machine, and log in there as {user}:\n\n{page}\n")

    if kept.client.device_url and not browser:
        tokens = oauth.by_device(kept.client, enter)
    else:
        tokens = oauth.by_browser(kept.client, user, go)
    kept.keep(tokens)
    say(f"Logged in; the login is sealed in {token_file(settings)}. `nomicwolf check` tries it.")


def dkim(ctx: typer.Context) -> None:
    """Create the key with which nomicwolf signs letters (DKIM) if the mail server doesn't, and print the DNS record.

    An existing key is kept. domain.dkim_key_file names the file.

    Example: nomicwolf -C crossing dkim
    """
    from nomicwolf.ledger.database import write_private
    from nomicwolf.postmaster.records import key_name
    from nomicwolf.proofs.signing import new_key, record_of, zone_line

    settings = here(ctx).settings(mail=False)
    path, name = settings.domain.dkim_key_file, domain_of(settings.address)
    found = path.exists()
    if not found:
        write_private(path, new_key().decode("ascii"))
    try:
        record = record_of(path.read_bytes())
    except ValueError as error:
        fail(f"{path}: {error}; move it away, and nomicwolf dkim makes another")
    selector = settings.domain.selector or "nomicwolf"
    say(f"The key is in {path}{', as before' if found else ''}. Put its public half into the DNS of {name}:")
    say(f"  {zone_line(key_name(selector, name), record)}")
    if settings.domain.dkim_sign:
        say("Letters are signed by it. `nomicwolf check` says whether the DNS has it.")
    else:
        say("When it is there, write [domain] and below it dkim_sign = true into contest.toml; `nomicwolf check` then "
            "says whether receivers find it.")


COMMANDS: dict[str, Callable[..., None]] = {"init": init, "login": login, "check": check, "dkim": dkim, "poll": poll}
