"""The contestmaster's orders under the nomics' law."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from nomicwolf.cli.base import WRONG_USE, At, Json, fail, here, one_form, only_said
from nomicwolf.cli.orders import DryRun, Phase, give
from nomicwolf.cli.output import say, say_json, say_report

Nomic = Annotated[str, typer.Argument(help="The nomic's name in the settings.")]


def intend(
    ctx: typer.Context,
    what: Annotated[str, typer.Argument(help="remove, amend, end-session or end-subgame.")],
    who: Annotated[str, typer.Option(help="The contestant to remove.")] = "",
    text: Annotated[Path | None, typer.Option(help="A file with the contract as amended.")] = None,
    base: Annotated[Path | None, typer.Option(help="A file with the contract as it is, the first time only.")] = None,
    why: Annotated[str, typer.Option(help="The reason, told to everyone.")] = "",
    phase: Phase = "",
    dry_run: DryRun = False,
    at: At = "",
) -> None:
    """Announce an action that may be done without member objection.

    Example: nomicwolf intend remove --who Bex --why "e has left both nomics"
    """
    args = {"what": what, "who": who, "text": _text_of(text), "base": _text_of(base), "why": why}
    give(ctx, "intend", args, at, dry_run=dry_run, phase=phase)


def _text_of(path: Path | None) -> str:
    try:
        return path.read_text(encoding="utf-8") if path is not None else ""
    except (OSError, UnicodeDecodeError) as error:
        said = error.strerror if isinstance(error, OSError) else "is no text in UTF-8"
        raise typer.BadParameter(f"{path}: {said}; name a text file in UTF-8") from error


def resolve(
    ctx: typer.Context,
    number: Annotated[str, typer.Argument(metavar="N", help="The intent's number.")],
    phase: Phase = "",
    dry_run: DryRun = False,
    at: At = "",
) -> None:
    """Carry out an intent, in each nomic in which nobody has objected in time.

    Example: nomicwolf resolve 1
    """
    give(ctx, "resolve", {"number": number}, at, dry_run=dry_run, phase=phase)


def holiday(
    ctx: typer.Context,
    nomic: Nomic,
    first: Annotated[str, typer.Argument(metavar="FROM", help="Its first day, as 2026-12-20.")],
    last: Annotated[str, typer.Argument(metavar="TO", help="Its last day.")],
    undo: Annotated[bool, typer.Option("--undo", help="Take back the holiday of these days.")] = False,
    why: Annotated[str, typer.Option(help="With --undo: the reason; everyone is told.")] = "",
    phase: Phase = "",
    dry_run: DryRun = False,
    at: At = "",
) -> None:
    """Record a nomic's holiday, in which nothing falls due; with --undo, take one back before it ends.

    With --undo, what it put off falls due as without it, but no sooner than in three days; everyone is told.

    Example: nomicwolf holiday agora 2026-12-20 2027-01-03

    Example: nomicwolf holiday agora 2026-12-20 2027-01-03 --undo --why "that was last year's"
    """
    args = {"nomic": nomic, "from": first, "to": last, "undo": "yes" if undo else "", "why": why}
    give(ctx, "holiday", args, at, dry_run=dry_run, phase=phase)


def turn_clock(
    ctx: typer.Context,
    nomic: Nomic,
    turned: Annotated[str, typer.Argument(metavar="on|off", help="The clock's new state.")],
    phase: Phase = "",
    dry_run: DryRun = False,
    at: At = "",
) -> None:
    """Record that a nomic's clock was turned on or off.

    Example: nomicwolf clock b off
    """
    give(ctx, "clock", {"nomic": nomic, "turned": turned}, at, dry_run=dry_run, phase=phase)


Award = Annotated[str, typer.Argument(metavar="N", help="The award's number in its session.")]
Session = Annotated[str, typer.Option(help="The session; by default the latest with awards.")]


def contestmaster(
    ctx: typer.Context,
    nomic: Nomic,
    who: Annotated[str, typer.Argument(help="The new contestmaster.")],
    how: Annotated[str, typer.Option(help="The nomic's rule that made it so.")],
    phase: Phase = "",
    dry_run: DryRun = False,
    at: At = "",
) -> None:
    """Record a new contestmaster in a nomic.

    Example: nomicwolf contestmaster b Root --how "elected under B's rule 57"
    """
    give(ctx, "contestmaster", {"nomic": nomic, "who": who, "how": how}, at, dry_run=dry_run, phase=phase)


def claim(
    ctx: typer.Context,
    number: Award,
    why: Annotated[str, typer.Option(help="What is wrong; with --answer, the reason for the answer.")],
    who: Annotated[str, typer.Option("--by", help="Who claims it.")] = "",
    answer: Annotated[str, typer.Option(help="Answer an open claim: accepted or denied.")] = "",
    session: Session = "",
    phase: Phase = "",
    dry_run: DryRun = False,
    at: At = "",
) -> None:
    """Record a claim of error on an award, or answer one.

    Example: nomicwolf claim 3 --by Bex --why "P was 45, not 60"

    Example: nomicwolf claim 3 --answer accepted --why "two parties were no players"
    """
    args = {"number": number, "why": why, "who": who, "answer": answer, "session": session}
    give(ctx, "claim", args, at, dry_run=dry_run, phase=phase)


def correct(
    ctx: typer.Context,
    number: Award,
    amount: Annotated[str, typer.Option(help="The right amount.")],
    why: Annotated[str, typer.Option(help="The reason; everyone is told.")],
    to: Annotated[str, typer.Option(help="The right winner, if it was somebody else.")] = "",
    what: Annotated[str, typer.Option(help='"X points" or "Y points", if the kind was wrong.')] = "",
    session: Session = "",
    phase: Phase = "",
    dry_run: DryRun = False,
    at: At = "",
) -> None:
    """Correct an award by a further numbered action; awards themselves are never edited.

    Example: nomicwolf correct 3 --amount 11 --why "P was 45"
    """
    args = {"number": number, "amount": amount, "why": why, "who": to, "what": what, "session": session}
    give(ctx, "correct", args, at, dry_run=dry_run, phase=phase)


def award(
    ctx: typer.Context,
    limit: Annotated[list[str] | None, typer.Option(help="Confirm P of a nomic: agora=50.")] = None,
    how: Annotated[str, typer.Option(help="How that P was computed, for the announcement.")] = "",
    as_csv: Annotated[bool, typer.Option("--csv", help="The award book over all sessions as CSV.")] = False,
    phase: Phase = "",
    dry_run: DryRun = False,
    at: At = "",
    as_json: Json = False,
) -> None:
    """Show the award book; with --limit, confirm P and make the awards that wait for it.

    Example: nomicwolf award --limit agora=50 --how "5 times the 10 parties"
    """
    if limit or here(ctx).capture:
        only_said("--limit", as_csv=as_csv, as_json=as_json)
        give(ctx, "award", {"limit": limit, "how": how}, at, dry_run=dry_run, phase=phase)
        return
    if how:
        fail("--how tells how the P of --limit comes about; give --limit, too", WRONG_USE)
    from nomicwolf.cli.queries import contest_of
    from nomicwolf.reports.awards import book_csv
    from nomicwolf.reports.json_reports import award_json
    from nomicwolf.reports.terminal import award_text

    one_form(as_csv=as_csv, as_json=as_json)
    contest = contest_of(here(ctx))
    if as_csv:
        say(book_csv(contest).replace("\r\n", "\n").rstrip("\n"))
        return
    say_json(award_json(contest)) if as_json else say_report(award_text(contest))


COMMANDS: dict[str, Callable[..., None]] = {
    "intend": intend, "resolve": resolve, "holiday": holiday, "clock": turn_clock, "contestmaster": contestmaster,
    "claim": claim, "correct": correct, "award": award,
}  # fmt: skip
