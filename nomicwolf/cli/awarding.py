"""``award``: the award book, and P of a nomic, which awards may wait for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from nomicwolf.cli.base import WRONG_USE, At, Json, fail, here, one_form, only_said, say, say_json, say_report
from nomicwolf.cli.orders import DryRun, Phase, give


def award(
    ctx: typer.Context,
    limit: Annotated[list[str] | None, typer.Option(help="Confirm P of a nomic: agora=50.")] = None,
    how: Annotated[str, typer.Option(help="How that P comes about, for the announcement.")] = "",
    as_csv: Annotated[bool, typer.Option("--csv", help="The award book over all sessions as CSV.")] = False,
    phase: Phase = "",
    dry_run: DryRun = False,
    at: At = "",
    as_json: Json = False,
) -> None:
    """Show the award book; with --limit, confirm P, and give the awards that wait for it.

    Example: nomicwolf award --limit agora=50 --how "5 times the 10 parties"
    """
    if limit or here(ctx).capture:
        only_said("--limit", as_csv=as_csv, as_json=as_json)
        give(ctx, "award", {"limit": limit, "how": how}, at, dry_run=dry_run, phase=phase)
        return
    if how:
        fail("--how tells how the P of --limit comes about; give --limit, too", WRONG_USE)
    from nomicwolf.cli.asking import contest_of
    from nomicwolf.reports.awards import book_csv
    from nomicwolf.reports.json_reports import award_json
    from nomicwolf.reports.terminal import award_text

    one_form(as_csv=as_csv, as_json=as_json)
    contest = contest_of(here(ctx))
    if as_csv:
        say(book_csv(contest).replace("\r\n", "\n").rstrip("\n"))
        return
    say_json(award_json(contest)) if as_json else say_report(award_text(contest))


COMMANDS: dict[str, Callable[..., None]] = {"award": award}
