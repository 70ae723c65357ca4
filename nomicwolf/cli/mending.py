"""Acts that put something right: a player replaced, a deed undone, an award corrected, another contestmaster."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from nomicwolf.cli.base import At
from nomicwolf.cli.lawful import Nomic
from nomicwolf.cli.orders import DryRun, Phase, give

Award = Annotated[str, typer.Argument(metavar="N", help="The award's number in its session.")]
Session = Annotated[str, typer.Option(help="The session; if none is named, the latest in which anything was awarded.")]


def substitute(
    ctx: typer.Context,
    old: Annotated[str, typer.Argument(help="Who is replaced.")],
    new: Annotated[str, typer.Argument(help="Who plays on, a party to the contract.")],
    address: Annotated[str, typer.Option(help="Where the new one writes from, if that is not known yet.")] = "",
    dry_run: DryRun = False,
    phase: Phase = "",
    at: At = "",
) -> None:
    """Let one player take over everything that is another's in this session.

    Example: nomicwolf substitute Gus Ida --phase "day 2"
    """
    give(ctx, "substitute", {"old": old, "new": new, "address": address}, at, dry_run=dry_run, phase=phase)


def undo(
    ctx: typer.Context,
    number: Annotated[str, typer.Argument(metavar="N", help="The number of its entry, as `history` shows it.")],
    why: Annotated[str, typer.Option(help="The reason; all are told of an undone vote.")],
    authority: Annotated[str, typer.Option(
        help="The clause, amendment or case that allows it where someone has been told what followed.")] = "",
    dry_run: DryRun = False,
    phase: Phase = "",
    at: At = "",
) -> None:
    """Undo a vote or a night deed of the present phase, unless a death depends on it.

    Example: nomicwolf undo 117 --why "it was sent by eir cat"
    """
    give(ctx, "undo", {"number": number, "why": why, "authority": authority}, at, dry_run=dry_run, phase=phase)


def answer(
    ctx: typer.Context,
    number: Annotated[str, typer.Argument(metavar="N", help="Its number, as the journal and `history` show it.")],
    text: Annotated[str, typer.Argument(help="The answer, which discloses nothing that the asker may not know.")],
    public: Annotated[bool, typer.Option(
        "--public/--private", help="Tell all, but not who asked; refused where answers stay private.")] = False,
    dry_run: DryRun = False,
    phase: Phase = "",
    at: At = "",
) -> None:
    """Answer a question that a player has put to you with "ask: ...".

    Example: nomicwolf answer 41 "No: the dead write to the Medium alone."
    """
    give(ctx, "answer", {"number": number, "text": text, "public": "yes" if public else ""}, at, dry_run=dry_run,
         phase=phase)


def contestmaster(
    ctx: typer.Context,
    nomic: Nomic,
    who: Annotated[str, typer.Argument(help="Who is contestmaster there now.")],
    how: Annotated[str, typer.Option(help="By which of the nomic's rules.")],
    phase: Phase = "",
    dry_run: DryRun = False,
    at: At = "",
) -> None:
    """Record that somebody else is the contestmaster in a nomic.

    Example: nomicwolf contestmaster b Root --how "elected under B's rule 57"
    """
    give(ctx, "contestmaster", {"nomic": nomic, "who": who, "how": how}, at, dry_run=dry_run, phase=phase)


def claim(
    ctx: typer.Context,
    number: Award,
    why: Annotated[str, typer.Option(help="What is wrong; or, with --answer, why it is answered so.")],
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
    amount: Annotated[str, typer.Option(help="What it should have come to.")],
    why: Annotated[str, typer.Option(help="The reason; all are told.")],
    to: Annotated[str, typer.Option(help="Who should have had it, if somebody else.")] = "",
    what: Annotated[str, typer.Option(help='"X points" or "Y points", if it should have been the other.')] = "",
    session: Session = "",
    phase: Phase = "",
    dry_run: DryRun = False,
    at: At = "",
) -> None:
    """Set an award right by a further numbered action; awards themselves are never edited.

    Example: nomicwolf correct 3 --amount 11 --why "P was 45"
    """
    args = {"number": number, "amount": amount, "why": why, "who": to, "what": what, "session": session}
    give(ctx, "correct", args, at, dry_run=dry_run, phase=phase)


def resend(
    ctx: typer.Context,
    player: Annotated[str, typer.Argument(help="Who gets it, at eir present address.")],
    phase: Phase = "",
    dry_run: DryRun = False,
    at: At = "",
) -> None:
    """Send a player eir role once more, with what opens its hash and all that e was told since.

    Letters to em that came back, or were refused, go again, too. E gets the same by writing "resend".

    Example: nomicwolf resend Gus
    """
    give(ctx, "resend", {"who": player}, at, dry_run=dry_run, phase=phase)


COMMANDS: dict[str, Callable[..., None]] = {
    "answer": answer, "resend": resend,
    "substitute": substitute, "undo": undo, "contestmaster": contestmaster, "claim": claim, "correct": correct,
}  # fmt: skip
