"""``odds``: win rates of a rule set, exact where they can be, else by playing."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from nomicwolf.cli.base import WRONG_USE, Json, RuleSet, fail, here, say, say_json, waiting

if TYPE_CHECKING:
    from nomicwolf.contest import Contest

FEW = 200
"""How many sessions are played for a first look at the odds."""


def odds(
    ctx: typer.Context,
    ruleset: RuleSet,
    players: Annotated[int, typer.Argument(help="How many play.")],
    roles: Annotated[str, typer.Option(help="Roles in play, with commas: seer,witch.")] = "",
    games: Annotated[int, typer.Option(help="How many sessions are played where it can't be computed.", min=1)] = 2000,
    policy: Annotated[str, typer.Option(help="Whom the village lynches: random, or believing its seers.")] = "random",
    seed: Annotated[str, typer.Option(help="Any text: the same seed gives the same rates.")] = "odds",
    processes: Annotated[int, typer.Option(help="How many at a time; 0 for one a processor.", min=0)] = 0,
    played: Annotated[bool, typer.Option("--played", help="Play, even where it can be computed.")] = False,
    as_json: Json = False,
) -> None:
    """Tell how often each side wins: exactly, where lynching is by lot and there are no roles, else by playing.

    Roles can be files, too: of the contest's folder, and of the library.

    Example: nomicwolf odds nomic-crossing 8 --roles seer,witch --games 5000
    """
    from nomicwolf.odds import odds as work_out
    from nomicwolf.reports.setups import role_texts
    from nomicwolf.run.contest_setup import own_roles
    from nomicwolf.village.rules import Refusal
    from nomicwolf.village.rulesets import ruleset as rules_called

    chosen = [role.strip() for role in roles.split(",") if role.strip()]
    try:
        brought = role_texts(rules_called(ruleset), chosen, own_roles(here(ctx).folder))
        with progress(games, show=not as_json) as tell:
            found = work_out(ruleset, players, chosen, games=games, policy=policy, seed=seed,
                             processes=processes or os.cpu_count() or 1, played=played, tell=tell, brought=brought)
    except Refusal as refused:
        fail(f"{refused.why} Possible: {', '.join(refused.untold)}." if refused.untold else refused.why, WRONG_USE)
    if as_json:
        say_json(found.as_json())
        return
    how = "exact" if found.method == "exact" else f"{found.games} sessions played, policy {found.policy}, 95 % sure"
    say(f"{found.ruleset}, {found.players} players ({how}): {found.in_words()}.")
    say(f"Assumed: {found.assumed}.")
    for warning in found.warnings:
        say(f"Beware: {warning}.")


def foretell(contest: Contest, name: str, roles: str) -> None:
    """Say what the odds of a session would be that began now; where it can't begin, that is for the start to say."""
    from nomicwolf.odds import odds as work_out
    from nomicwolf.reports.setups import role_texts
    from nomicwolf.village.rules import Refusal
    from nomicwolf.village.rulesets import ruleset

    chosen = [role.strip() for role in roles.split(",") if role.strip() and "=" not in role]
    if contest.running is not None:
        return
    name, setup = name or contest.setup.ruleset, contest.setup.chosen
    if not roles and setup is not None and setup.ruleset == name:
        chosen = [*setup.roles]
    try:
        brought = role_texts(ruleset(name), chosen, contest.setup.roles)
        with waiting("Playing to see the odds"):
            found = work_out(name, len(contest.contestants()), chosen, games=FEW, brought=brought)
    except Refusal:
        return
    how = "exact" if found.method == "exact" else f"{FEW} sessions played at random"
    say(f"Odds with {found.players} players ({how}): {found.in_words()}.")
    say(f"Assumed: {found.assumed}.")
    for warning in found.warnings:
        say(f"Beware: {warning}.")


@contextmanager
def progress(games: int, *, show: bool) -> Iterator[Callable[[int], None] | None]:
    """Show a progress bar on standard error where that is a terminal, once anything is played.

    Gives what is to be told of each advance.
    """
    if not show or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(console=Console(stderr=True), transient=True)
    task = bar.add_task("playing", total=games)

    def tell(done: int) -> None:
        bar.start()
        bar.update(task, completed=done)

    try:
        yield tell
    finally:
        bar.stop()
