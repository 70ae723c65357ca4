"""What anyone can try, without a contest: how letters are read, what ballots come to, rehearsals, rules, odds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from nomicwolf.cli.base import WRONG_USE, Json, RuleSet, complain, fail, here, say_json, say_report
from nomicwolf.cli.odds import odds

Several = list[str] | None
Files = Annotated[list[str] | None, typer.Argument(metavar="[FILE]...", help="Files; '-' or none: standard input.")]


def read(
    ctx: typer.Context,
    files: Files = None,
    text: Annotated[str | None, typer.Option(help="A body alone, or a file with one; '-': standard input.")] = None,
    author: Annotated[str, typer.Option(help="Who wrote it.")] = "",
    players: Annotated[Several, typer.Option(metavar="PLAYERS", help="Who can be meant: 'Ash,Bex,G.,0x44'.")] = None,
    dead: Annotated[Several, typer.Option(metavar="DEAD", help="Those of them who are dead.")] = None,
    aliases: Annotated[Several, typer.Option(metavar="ALIASES", help="Further names: 'Gus=Gustav,GG'.")] = None,
    to: Annotated[str, typer.Option(help="Where it was sent: forum or contestmaster.")] = "",
    role: Annotated[str, typer.Option(help="What its author is, as private letters are read: werewolf, seer.")] = "",
    ruleset: Annotated[str, typer.Option(help="The rule set that has that role.")] = "nomic-crossing",
    why: Annotated[
        bool, typer.Option("--why", help="Tell which row of the language decides on each sentence.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Tell how a letter is understood: its deeds, its problems, and what does not count.

    Example: nomicwolf read letter.eml --players Ash,Bex,Gus
    """
    from nomicwolf.cli.reading import Terms, read_all

    if to not in ("", "forum", "contestmaster", "discussion"):
        fail(f"--to {to}: write forum or contestmaster", WRONG_USE)
    terms = Terms(author, _joined(players), _joined(dead), _joined(aliases), to, role, ruleset, why)
    read_all(here(ctx), files or (), text, terms, as_json=as_json)


def _joined(values: Several) -> str:
    return ",".join(values or ())


def tally(files: Files = None, as_json: Json = False) -> None:
    """Tell what ballots come to, and why.

    The input is YAML or JSON: townspersons: [Ash, Bex, Cam]; votes: {Ash: "endorse Bex", Bex: Cam}; and if needed
    now, phase, killed, disclosed, facts.

    Example: nomicwolf tally votes.yaml
    """
    from nomicwolf.cli.texts import texts
    from nomicwolf.tally import TallyError, load_tally, tally_text
    from nomicwolf.tally import tally as tallied

    wrong = False
    for name, content in texts(files or ()):
        try:
            result = tallied(load_tally(content))
        except TallyError as error:
            complain(f"{name}: {error}")
            wrong = True
            continue
        say_json(result) if as_json else say_report(tally_text(result))
    if wrong:
        raise typer.Exit(WRONG_USE)


def rehearse(
    ctx: typer.Context,
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Rehearsals, or folders of them.")],
    until: Annotated[int | None, typer.Option(metavar="STEP", help="Stop after this step.", min=0)] = None,
    as_json: Json = False,
) -> None:
    """Play scripted contests offline and check what they expect.

    A file says what is given (roles, phase), what happens when (letters, commands, time), and what must be so then;
    docs and tests/scenarios have examples.

    Example: nomicwolf rehearse tests/scenarios/nomic-crossing
    """
    from nomicwolf.cli.rehearsing import rehearse_all

    order_of = here(ctx).order_of
    assert order_of is not None
    raise typer.Exit(rehearse_all(files, order_of, until, as_json=as_json))


def demo(
    ruleset: Annotated[str, typer.Argument(metavar="[RULESET]", help="What is played.")] = "nomic-crossing",
    players: Annotated[int | None, typer.Option(help="How many play.", min=1)] = None,
    seed: Annotated[str, typer.Option(help="Any text: another seed is another contest.")] = "8",
    speed: Annotated[str, typer.Option(metavar="slow|fast", help="slow lets one read along.")] = "fast",
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Where letters and ledger are left; new.")] = None,
) -> None:
    """Play a whole contest over a mail server on loopback, with players who write real mail.

    Example: nomicwolf demo --players 9 --seed 7 --speed slow
    """
    from nomicwolf.cli.showing import show_demo

    if speed not in ("slow", "fast"):
        fail(f"--speed {speed}: write slow or fast", WRONG_USE)
    show_demo(ruleset, players, seed, out, pause=0.4 if speed == "slow" else 0.0)


def rules(
    ctx: typer.Context,
    ruleset: RuleSet,
    switches: Annotated[bool, typer.Option("--switches", help="The switches and what they can be.")] = False,
    as_json: Json = False,
) -> None:
    """Print a rule set in plain words: roles, phases, ways to vote, switches as they stand in the contest's folder.

    Example: nomicwolf rules nomic-crossing --switches
    """
    from nomicwolf.cli.ruling import print_rules

    print_rules(here(ctx), ruleset, switches=switches, as_json=as_json)


COMMANDS: dict[str, Callable[..., None]] = {
    "read": read, "tally": tally, "rehearse": rehearse, "rules": rules, "demo": demo, "odds": odds,
}  # fmt: skip
