"""Acts under the law around the game: without member objection, holidays, clocks, outages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from nomicwolf.cli.base import At
from nomicwolf.cli.orders import DryRun, Phase, give

Nomic = Annotated[str, typer.Argument(help="The nomic's name in the settings.")]


def intend(
    ctx: typer.Context,
    what: Annotated[str, typer.Argument(help="remove, amend, end-session or end-subgame.")],
    who: Annotated[str, typer.Option(help="Whom to remove.")] = "",
    text: Annotated[Path | None, typer.Option(help="A file with the contract as it is to be.")] = None,
    base: Annotated[Path | None, typer.Option(help="A file with the contract as it is, for the first time.")] = None,
    why: Annotated[str, typer.Option(help="What all are told of the reason.")] = "",
    phase: Phase = "",
    dry_run: DryRun = False,
    at: At = "",
) -> None:
    """Announce an action that may be done without member objection.

    Example: nomicwolf intend remove --who Bex --why "e has left both nomics"
    """
    args = {"what": what, "who": who, "text": _text(text), "base": _text(base), "why": why}
    give(ctx, "intend", args, at, dry_run=dry_run, phase=phase)


def _text(path: Path | None) -> str:
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
    """Do what was intended, in each nomic in which nobody has objected in time.

    Example: nomicwolf resolve 1
    """
    give(ctx, "resolve", {"number": number}, at, dry_run=dry_run, phase=phase)


def holiday(
    ctx: typer.Context,
    nomic: Nomic,
    first: Annotated[str, typer.Argument(metavar="FROM", help="Its first day, as 2026-12-20.")],
    last: Annotated[str, typer.Argument(metavar="TO", help="Its last day.")],
    undo: Annotated[bool, typer.Option("--undo", help="Take back the one of these days, recorded by mistake.")] = False,
    why: Annotated[str, typer.Option(help="With --undo: what was wrong; all are told.")] = "",
    phase: Phase = "",
    dry_run: DryRun = False,
    at: At = "",
) -> None:
    """Record a holiday of a nomic's, in which nothing falls due; or, until it ends, take back one that is none.

    What it had put off is then due when it would be without it, but not before three days from now; all are told.

    Example: nomicwolf holiday agora 2026-12-20 2027-01-03

    Example: nomicwolf holiday agora 2026-12-20 2027-01-03 --undo --why "that was last year's"
    """
    args = {"nomic": nomic, "from": first, "to": last, "undo": "yes" if undo else "", "why": why}
    give(ctx, "holiday", args, at, dry_run=dry_run, phase=phase)


def turn_clock(
    ctx: typer.Context,
    nomic: Nomic,
    turned: Annotated[str, typer.Argument(metavar="on|off", help="Which way.")],
    phase: Phase = "",
    dry_run: DryRun = False,
    at: At = "",
) -> None:
    """Record that a nomic's clock was turned on or off.

    Example: nomicwolf clock b off
    """
    give(ctx, "clock", {"nomic": nomic, "turned": turned}, at, dry_run=dry_run, phase=phase)


def pause(
    ctx: typer.Context,
    why: Annotated[str, typer.Option(help="What all are told.")],
    phase: Phase = "",
    dry_run: DryRun = False,
    at: At = "",
) -> None:
    """Stop all clocks of the session, until you say `resume`; what players send meanwhile is done then (D-A15).

    Example: nomicwolf pause --why "half of us are at a wedding"
    """
    give(ctx, "pause", {"why": why}, at, dry_run=dry_run, phase=phase)


def resume(ctx: typer.Context, phase: Phase = "", dry_run: DryRun = False, at: At = "") -> None:
    """Let the session go on after a pause, or after an outage that you have looked into.

    The deadline of the present stage comes later by what of either lies in it, unless you have moved it since.

    Example: nomicwolf resume
    """
    give(ctx, "resume", {}, at, dry_run=dry_run, phase=phase)


COMMANDS: dict[str, Callable[..., None]] = {
    "intend": intend, "resolve": resolve, "holiday": holiday, "clock": turn_clock, "pause": pause,
    "resume": resume,
}  # fmt: skip
