"""``login``: a person lets the contest into its mailbox by OAuth 2.0, once."""

from __future__ import annotations

from typing import Annotated

import typer

from nomicwolf.cli.base import fail, here, say


def login(
    ctx: typer.Context,
    browser: Annotated[bool, typer.Option(
        "--browser", help="By a browser on this machine, also where any other device would do.")] = False,
) -> None:
    """Log in to the contest's mailbox by OAuth 2.0, as [oauth] says; polls renew the login by themselves.

    Where the provider has codes for devices, any browser anywhere will do; else it has to be one on this machine.

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
