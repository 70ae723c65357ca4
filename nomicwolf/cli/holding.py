"""``held``: the letters that wait for the contestmaster's ruling, and what stands in one of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from nomicwolf.cli.asking import contest_of
from nomicwolf.cli.base import NEEDS_YOU, Here, Json, fail, fail_of, here, say, say_json, say_report

if TYPE_CHECKING:
    from nomicwolf.nomic.events import LetterHeld


def held(
    ctx: typer.Context,
    number: Annotated[int | None, typer.Argument(metavar="[N]", help="Show letter N, with its text.")] = None,
    as_json: Json = False,
) -> None:
    """List the letters that wait for your ruling; with N, show what stands in one.

    What a terminal would act on is shown as an escape. A letter may tell a player's secrets.

    Example: nomicwolf held 17
    """
    from nomicwolf.reports.json_reports import held_json
    from nomicwolf.reports.terminal import held_text

    place = here(ctx)
    contest = contest_of(place)
    if number is None:
        aside = _set_aside(place)
        if as_json:
            say_json({**held_json(contest), "set_aside": [{"place": where, "why": why} for where, why in aside]})
        else:
            say_report("\n".join([held_text(contest), *(f"Set aside whole ({why}): {where}" for where, why in aside)]))
        return
    if number not in contest.held:
        fail(f"No letter {number} waits for a ruling; waiting are: {', '.join(map(str, contest.held)) or 'none'}.")
    _show(place, number, contest.held[number], as_json=as_json)


def _set_aside(place: Here) -> list[tuple[str, str]]:
    """Return (place, why) of letters that the program could not bear: no entry of the record tells of them."""
    from nomicwolf.ledger.store import Store

    settings = place.settings(mail=False)
    with Store.open(settings.ledger.url, settings.contest.id, readonly=True, keys=settings.ledger.key) as store:
        return [(kept.letter.place, kept.why) for kept in store.held() if not kept.entry]


def _show(place: Here, number: int, held: LetterHeld, *, as_json: bool) -> None:
    from nomicwolf.ledger.errors import LedgerError
    from nomicwolf.ledger.store import Store
    from nomicwolf.reports.terminal import held_letter_json, held_letter_text

    settings = place.settings(mail=False)
    try:
        with Store.open(settings.ledger.url, settings.contest.id, readonly=True, keys=settings.ledger.key) as store:
            kept = store.letter_of(number)
    except LedgerError as error:
        fail_of(error)
    if kept is None:
        fail(f"The ledger has no text of letter {number}: look for it in the contest's mailbox.", NEEDS_YOU)
    if as_json:
        say_json({"schema": 1, "number": number, "why": held.why, **held_letter_json(kept.letter)})
        return
    reject = f"nomicwolf reject {number} --why ..."
    todo = (f"{held.other} What was announced stands (D-A8): {reject}, or rule on what follows" if held.other else
            f"Let it through with nomicwolf release {number}, or not with {reject}")
    say(f"{held_letter_text(kept.letter, held.why)}\n\n{todo}")


COMMANDS: dict[str, Callable[..., None]] = {"held": held}
