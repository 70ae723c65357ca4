"""``odds``: win rates of a rule set, exact where they can be, else by playing."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from nomicwolf.cli.base import WRONG_USE, Here, Json, fail, here, say, say_json, waiting

if TYPE_CHECKING:
    from nomicwolf.contest import Contest

FEW = 200
"""How many sessions are played for a first look at the odds."""


def odds(
    ctx: typer.Context,
    ruleset: Annotated[str, typer.Argument(
        metavar="SETUP", help="A setup, by its file or name; or a rule set, such as six-phases.")],
    players: Annotated[int, typer.Argument(help="How many play; 0 for as many as the setup is for.", min=0)] = 0,
    roles: Annotated[str, typer.Option(help="Roles in play, with commas: seer,witch.")] = "",
    games: Annotated[int, typer.Option(help="How many sessions are played where it can't be computed.", min=1)] = 2000,
    policy: Annotated[str, typer.Option(
        help="Whom the village lynches: random, believing its seers, cautious (dead ones alone), or remembering all "
        "that was seen.")] = "random",
    seed: Annotated[str, typer.Option(help="Any text: the same seed gives the same rates.")] = "odds",
    processes: Annotated[int, typer.Option(help="How many at a time; 0 for one a processor.", min=0)] = 0,
    played: Annotated[bool, typer.Option("--played", help="Play, even where it can be computed.")] = False,
    weigh: Annotated[bool, typer.Option("--weigh", help="Play without each role, to see what it does.")] = False,
    as_json: Json = False,
) -> None:
    """Tell how often each side wins: exactly, where lynching is by lot and there are no roles, else by playing.

    Roles can be files, too: of the contest's folder, and of the library. A setup brings its roles and switches.

    Example: nomicwolf odds nomic-crossing 8 --roles seer,witch --games 5000
    Example: nomicwolf odds nine-open --policy believing
    """
    from nomicwolf.odds import moves
    from nomicwolf.odds import odds as work_out
    from nomicwolf.village.rules import Refusal

    workers = processes or os.cpu_count() or 1
    try:
        asked = _asked(here(ctx), ruleset, players, roles)
        with progress(games, show=not as_json) as tell:
            found = work_out(
                asked.ruleset, asked.players, asked.roles, games=games, policy=policy, seed=seed, processes=workers,
                played=played or weigh, tell=tell, brought=asked.brought, switches=asked.switches)
        if weigh:
            found = moves(found, asked.brought, asked.switches, seed=seed, processes=workers)
    except Refusal as refused:
        fail(f"{refused.why} Possible: {', '.join(refused.untold)}." if refused.untold else refused.why, WRONG_USE)
    if as_json:
        say_json(found.as_json())
        return
    how = "exact" if found.method == "exact" else f"{found.games} sessions played, policy {found.policy}, 95 % sure"
    say(f"{found.ruleset}, {found.players} players ({how}): {found.in_words()}.")
    if found.days:
        say(f"A session has {found.days:.1f} days in the mean.")
    for role, move in found.moves.items():
        say(f"With {role} the {next(iter(found.wins))} win {100 * move.p:+.0f} % ({100 * move.low:+.0f} to "
            f"{100 * move.high:+.0f}).")
    say(f"Assumed: {found.assumed}.")
    for warning in found.warnings:
        say(f"Beware: {warning}.")


class Asked(NamedTuple):
    """Whose odds are asked for: with which roles, those that are *brought* among them, and which switches."""

    ruleset: str
    players: int
    roles: tuple[str, ...]
    brought: tuple[str, ...]
    switches: Mapping[str, str]


def _asked(place: Here, name: str, players: int, roles: str) -> Asked:
    """Return what is asked for by the *name* of a rule set or a setup; *roles* are beside those of a setup."""
    from nomicwolf.reports.role_trial import texts_of
    from nomicwolf.reports.setup_page import playable
    from nomicwolf.run.contest_setup import own_roles
    from nomicwolf.village.rules import Refusal
    from nomicwolf.village.rulesets import ruleset, setups

    chosen = tuple(role.strip() for role in roles.split(",") if role.strip())
    file, shipped = Path(name), setups()
    if not file.is_file() and name not in shipped:
        if not players:
            raise Refusal(f"Say how many play: nomicwolf odds {name} 9.")
        return Asked(name, players, chosen, texts_of(ruleset(name), chosen, own_roles(place.folder)), {})
    try:
        text = file.read_text(encoding="utf-8") if file.is_file() else shipped[name]
    except (OSError, UnicodeDecodeError) as error:
        raise Refusal(f"{name}: {error}") from error
    own = own_roles(file.absolute().parent) if file.is_file() else {}
    found, rules, fits = playable(text, name, own)
    every = (*found.roles, *chosen)
    return Asked(rules.name, players or fits[0], every, texts_of(ruleset(rules.name), every, own), found.switches)


def foretell(contest: Contest, name: str, roles: str) -> None:
    """Say what the odds of a session would be that began now; where it can't begin, that is for the start to say."""
    from nomicwolf.odds import odds as work_out
    from nomicwolf.reports.role_trial import texts_of
    from nomicwolf.village.rules import Refusal
    from nomicwolf.village.rulesets import ruleset

    chosen = [role.strip() for role in roles.split(",") if role.strip() and "=" not in role]
    if contest.running is not None:
        return
    name, setup = name or contest.setup.ruleset, contest.setup.chosen
    if not roles and setup is not None and setup.ruleset == name:
        chosen = [*setup.roles]
    try:
        brought = texts_of(ruleset(name), chosen, contest.setup.roles)
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
