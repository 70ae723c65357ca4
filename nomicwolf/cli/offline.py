"""Commands without a contest: letters, ballots, rehearsals, odds."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple, TypeVar

import typer

from nomicwolf.cli.base import NEEDS_YOU, WRONG_USE, Here, Json, command_of, fail, here
from nomicwolf.cli.output import complain, escaped, progress_bar, say, say_json, say_report, waiting
from nomicwolf.cli.queries import contest_of

if TYPE_CHECKING:
    from nomicwolf import readout
    from nomicwolf.contest import Contest
    from nomicwolf.contest.step import Parse
    from nomicwolf.letters.letter import Letter, Raw
    from nomicwolf.odds import Odds
    from nomicwolf.rehearsal import Played
    from nomicwolf.village.game import Game
    from nomicwolf.village.kernel import Ruleset

KINDS = (".yaml", ".yml", ".json")


def rehearse_all(names: Sequence[str], parse: Parse, until: int | None, *, as_json: bool) -> int:
    """Play every rehearsal, print what came of each, and return the exit status: 1 if an expectation failed.

    One that can't be played is told on standard error, the others are played all the same, and the status is 2.
    """
    from nomicwolf.rehearsal import ScriptError, read_script
    from nomicwolf.rehearsal import rehearse as play
    from nomicwolf.rehearsal.outcome import outcome_json, outcome_text
    from nomicwolf.run.contest_setup import own_roles

    played: list[Played] = []
    broken = 0
    for name in _scripts(names):
        text = content_text(name)
        if text is None:
            broken += 1
            continue
        try:
            folder = Path(name).parent if Path(name).is_file() else Path()
            played.append(play(replace(read_script(text, folder), roles=own_roles(folder)), parse, until))
        except ScriptError as error:
            complain(f"{shown_name(name)}: {error}")
            broken += 1
            continue
        say_json(outcome_json(played[-1])) if as_json else say(outcome_text(played[-1]))
    failed = sum(p.passed is False for p in played)
    if not as_json and len(played) + broken > 1:
        say(f"{len(played)} rehearsals, {failed} failed." + (f" {broken} could not be played." if broken else ""))
    return WRONG_USE if broken else NEEDS_YOU if failed else 0


def _scripts(names: Sequence[str]) -> Iterator[str]:
    for name in names:
        folder = Path(name)
        if not folder.is_dir():
            yield name
            continue
        files = sorted(path for path in folder.rglob("*") if path.suffix in KINDS and path.is_file())
        if not files:
            fail(f"{name}: has no rehearsals ({', '.join(KINDS)}) in it", WRONG_USE)
        yield from map(str, files)


STYLES = {"phase": "bold cyan", "letter": "bold green", "text": "green", "private": "magenta", "note": "dim"}
LEADS = {"letter": "  => ", "text": "     ", "private": "  -> ", "post": "  ", "note": ""}


def _printer() -> Callable[[str, str], None]:
    if not sys.stdout.isatty():
        return lambda kind, line: say(_indented(kind, line))
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    return lambda kind, line: console.print(Text(escaped(_indented(kind, line)), STYLES.get(kind, "")))


def _indented(kind: str, line: str) -> str:
    if kind == "phase":
        return f"\n{line}\n{'-' * len(line)}"
    return "\n".join(f"{LEADS.get(kind, '')}{part}" for part in line.splitlines())


FEW = 200
"""How many sessions are played for a first look at the odds."""


def odds(
    ctx: typer.Context,
    ruleset: Annotated[str, typer.Argument(
        metavar="SETUP",
        help="A setup, by its file or name; or nomic-crossing, gadianton, tabula, six-phases, narrated-mafia.")],
    players: Annotated[int, typer.Argument(help="How many play; 0 for as many as the setup is for.", min=0)] = 0,
    roles: Annotated[str, typer.Option(help="Roles in play, separated by commas: seer,witch.")] = "",
    games: Annotated[int, typer.Option(help="How many sessions to play if it can't be computed.", min=1)] = 2000,
    policy: Annotated[str, typer.Option(
        help="Whom the village lynches: random, believing its seers, cautious (dead ones alone), or remembering all "
        "that was seen.")] = "random",
    seed: Annotated[str, typer.Option(help="Any text; the same seed gives the same rates.")] = "odds",
    processes: Annotated[int, typer.Option(help="How many processes; 0 for one per processor.", min=0)] = 0,
    played: Annotated[bool, typer.Option("--played", help="Play even if it can be computed.")] = False,
    weigh: Annotated[bool, typer.Option("--weigh", help="Also play without each role, to measure its effect.")] = False,
    as_json: Json = False,
) -> None:
    """Compute how often each side wins: exactly if lynching is by lot and there are no powers, else by playing.

    Powers are switches, and roles neither plain nor of the rule set's own pack, from files and setups as well.

    Example: nomicwolf odds nomic-crossing 8 --roles seer,witch --games 5000
    Example: nomicwolf odds nine-open --policy believing
    """
    from nomicwolf.odds import moves
    from nomicwolf.odds import odds as work_out
    from nomicwolf.village.rules import Refusal

    workers = processes or os.cpu_count() or 1
    try:
        asked = _asked(here(ctx), ruleset, players, roles)
        with progress_bar("playing", games, show=not as_json, patience=0) as tell:
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
    _say_assumptions(found)


class Asked(NamedTuple):
    """Whose odds are asked for: with which roles, those that are *brought* among them, and which switches."""

    ruleset: str
    players: int
    roles: tuple[str, ...]
    brought: tuple[str, ...]
    switches: Mapping[str, str]


def _asked(place: Here, name: str, players: int, roles: str) -> Asked:
    """Return what is asked for by the *name* of a rule set or a setup; *roles* are beside those of a setup."""
    from nomicwolf.reports.setups import checked_setup, role_texts
    from nomicwolf.run.contest_setup import file_text, own_roles
    from nomicwolf.village.rules import Refusal
    from nomicwolf.village.rulesets import ruleset, setups

    chosen = tuple(role.strip() for role in roles.split(",") if role.strip())
    file, shipped = Path(name), setups()
    if not file.is_file() and name not in shipped:
        try:
            ruleset(name)
        except Refusal as refused:
            known = (*shipped, *refused.options)
            raise Refusal(f"{name}: no such file, setup or rule set.", options=known) from refused
        if not players:
            raise Refusal(f"Say how many play: nomicwolf odds {name} 9.")
        return Asked(name, players, chosen, role_texts(ruleset(name), chosen, own_roles(place.folder)), {})
    try:
        text = file_text(file, name) if file.is_file() else shipped[name]
    except OSError as error:
        raise Refusal(f"{name}: {error}") from error
    own = own_roles(file.absolute().parent) if file.is_file() else {}
    found, rules, fits = checked_setup(text, name, own)
    every = (*found.roles, *chosen)
    return Asked(rules.name, players or fits[0], every, role_texts(ruleset(rules.name), every, own), found.switches)


def _say_assumptions(found: Odds) -> None:
    say(f"Assumed: {found.assumed}.")
    for warning in found.warnings:
        say(f"Beware: {warning}.")


def say_odds(contest: Contest, name: str, roles: str) -> None:
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
        rules = ruleset(name)
        brought = role_texts(rules, chosen, contest.setup.roles)
        usual = {switch.name: switch.usual for switch in rules.switches}
        switches = {switch: value for switch, value in contest.setup.switches.items()
                    if value != usual.get(switch, value)}
        with waiting("Playing to see the odds"):
            found = work_out(name, len(contest.contestants()), chosen, games=FEW, brought=brought, switches=switches)
    except Refusal:
        return
    how = "exact" if found.method == "exact" else f"{FEW} sessions played at random"
    say(f"Odds with {found.players} players ({how}): {found.in_words()}.")
    _say_assumptions(found)


def rehearse(
    ctx: typer.Context,
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Rehearsals, or folders of them.")],
    until: Annotated[int | None, typer.Option(metavar="STEP", help="Stop after this step.", min=0)] = None,
    as_json: Json = False,
) -> None:
    """Play scripted contests offline, and check their expectations.

    docs/rehearsals.md has the keys of the files, and tests/scenarios has examples.

    Example: nomicwolf rehearse tests/scenarios/nomic-crossing
    """
    order_of = here(ctx).order_of
    assert order_of is not None
    raise typer.Exit(rehearse_all(files, order_of, until, as_json=as_json))


def demo(
    ruleset: Annotated[str, typer.Argument(metavar="[RULESET]", help="The rule set.")] = "nomic-crossing",
    players: Annotated[int | None, typer.Option(help="How many play.", min=1)] = None,
    seed: Annotated[str, typer.Option(help="Any text; each seed gives another contest.")] = "8",
    speed: Annotated[str, typer.Option(metavar="slow|fast", help="slow leaves time to read along.")] = "fast",
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="A new folder for letters and ledger.")] = None,
) -> None:
    """Play a whole contest over a mail server on loopback, with players who write real mail.

    Example: nomicwolf demo --players 9 --seed 7 --speed slow
    """
    if speed not in ("slow", "fast"):
        fail(f"--speed {speed}: write slow or fast", WRONG_USE)
    try:
        from nomicwolf.demo import DemoError, run_demo, usual
    except ModuleNotFoundError as missing:
        fail(str(missing))
    try:
        demo = run_demo(ruleset, players or usual(ruleset), seed, out, _printer(), 0.4 if speed == "slow" else 0.0)
    except DemoError as error:
        fail(str(error), WRONG_USE)
    kept = f"{demo.letters} letters in letters/, the ledger in contest/, the pages in archive/"
    say(f"\nAll of it is in {demo.folder}: {kept}.")
    history = command_of("-C", str(demo.folder / "contest"), "history")
    say(f"Look at it: {demo.folder / 'archive' / 'index.html'}, or {history}")
    if not demo.ended:
        fail("the session did not come to an end by itself; please report this seed", NEEDS_YOU)


CHECKOUT = Path(__file__).resolve().parents[2]


def bench(
    rows: Annotated[str, typer.Option(help="Rows of the table, separated by commas: votes,ledger.")] = "",
    quick: Annotated[bool, typer.Option("--quick", help="Use short turns and small sizes.")] = False,
    full: Annotated[bool, typer.Option("--full", help="Include sizes that take minutes.")] = False,
    minutes: Annotated[float | None, typer.Option(help="Minutes to spend; 14 without --full.")] = None,
    as_json: Json = False,
) -> None:
    """Measure the program's speed against floors and peers, in a checkout of the sources.

    With --json the table goes to standard error. docs/performance.md explains the rows.

    Example: nomicwolf bench --rows votes,ledger --quick
    """
    if not (CHECKOUT / "benchmarks" / "__main__.py").is_file():
        fail("the benchmarks are not installed with the package; run this in a checkout of the sources, "
             "after `make setup`: .venv/bin/nomicwolf bench", NEEDS_YOU)
    words = [
        *(("--rows", rows) if rows else ()), *(("--quick",) if quick else ()), *(("--full",) if full else ()),
        *(("--minutes", str(minutes)) if minutes is not None else ()), *(("--json", "-") if as_json else ()),
    ]
    done = subprocess.run(  # noqa: S603 - our own program, and no shell
        [sys.executable, "-m", "benchmarks", *words], cwd=CHECKOUT, check=False)
    raise typer.Exit(done.returncode)


STDIN = "-"
"""The name by which the standard input is given."""
Found = TypeVar("Found", bytes, str)


def contents(files: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the bytes of each file; of the standard input for ``-`` and where none is named.

    Those that can't be read are told, and when all others have been used, the command ends as wrongly used.
    """
    return _each(files, content)


def texts(files: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each file, as `contents` does; it must be UTF-8."""
    return _each(files, content_text)


def _each(files: Sequence[str], reader: Callable[[str], Found | None]) -> Iterator[tuple[str, Found]]:
    missing = False
    for name in files or (STDIN,):
        found = reader(name)
        if found is None:
            missing = True
        else:
            yield shown_name(name), found
    if missing:
        raise typer.Exit(WRONG_USE)


def content(name: str) -> bytes | None:
    """Return the bytes of the file, or of the standard input for ``-``; None, and say so, if it can't be read."""
    try:
        return sys.stdin.buffer.read() if name == STDIN else Path(name).read_bytes()
    except (OSError, ValueError) as error:  # a name with a zero byte is a ValueError
        complain(f"{name}: {getattr(error, 'strerror', None) or error}; name a file that can be read")
        return None


def content_text(name: str) -> str | None:
    """Return the `content` as text; None, and say so, if it is not in UTF-8."""
    data = content(name)
    try:
        return None if data is None else data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        complain(f"{shown_name(name)}: {error}; save it as UTF-8")
        return None


def shown_name(name: str) -> str:
    """Return what the file is called in messages."""
    return "standard input" if name == STDIN else name


@dataclass(frozen=True, slots=True)
class Terms:
    """The options of ``read``: what the command line says of the letters."""

    author: str
    players: str
    dead: str
    aliases: str
    to: str
    role: str = ""
    ruleset: str = "nomic-crossing"
    phase: str = ""
    why: bool = False


def read_all(place: Here, files: Sequence[str], text: str | None, terms: Terms, *, as_json: bool) -> None:
    """Print how each file, or each body that *text* means (see `bodies`), is understood."""
    from nomicwolf import readout

    known = _read_terms(place, terms)
    found = (readout.from_bytes(data, known) for _, data in contents(files)) if text is None else (
        readout.from_text(body, known) for body in bodies(text, files))
    for each in found:
        say_json(each) if as_json else say(readout.as_text(each))


def bodies(text: str, files: Sequence[str]) -> Iterator[str]:
    """Yield the bodies that ``--text`` means: its value; a file of that name; the *files* or the input for ``-``."""
    named = files if text == STDIN and files else [text, *files]
    if text == STDIN or _is_file(text):
        yield from (content for _, content in texts(named))
    elif files:
        fail(f"--text {text}: is no file, and a body by itself: leave out the files", WRONG_USE)
    else:
        yield text


def _is_file(text: str) -> bool:
    """Whether *text* is the name of a file; one that is too long for a name is a body."""
    try:
        return Path(text).is_file()
    except OSError:
        return False


def _read_terms(place: Here, terms: Terms) -> readout.Terms:
    from nomicwolf import readout
    from nomicwolf.reading.deeds import People

    contest = _keyed(place, contest_of(place)) if place.has_contest and not terms.players else None
    names = _names(terms.players)
    dead = _names(terms.dead)
    people = People(tuple(n for n in names if n not in dead), dead, (), _aliases(terms.aliases))
    rules = _rules_of(terms)
    verbs = _verbs(rules, terms) if terms.role else None
    prove = _prove(place, contest) if contest else None
    return readout.Terms(terms.author, terms.to, people, contest, prove, role=terms.role, verbs=verbs,
                         ruleset=rules.name, why=terms.why)


def _rules_of(terms: Terms) -> Ruleset:
    from nomicwolf.village.rulesets import BUILT_IN, ruleset

    if terms.ruleset not in BUILT_IN:
        fail(f"--ruleset {terms.ruleset}: there are {', '.join(BUILT_IN)}", WRONG_USE)
    return ruleset(terms.ruleset)


def _verbs(rules: Ruleset, terms: Terms) -> frozenset[str]:
    """Return the verbs of the given role's duties: all, or those that are open as the given phase begins."""
    if terms.role not in rules.roles:
        fail(f"--role {terms.role}: in {terms.ruleset} there are {', '.join(rules.roles)}", WRONG_USE)
    duties = rules.roles[terms.role].duties
    if terms.phase:
        game = _in_phase(rules, terms.role, terms.phase)
        duties = tuple(duty for duty in duties if duty.opens(game, game.seats[0]))
    return frozenset(duty.verb for duty in duties)


def _in_phase(rules: Ruleset, role: str, phase: str) -> Game:
    """Return a session as *phase*, "night 1", begins; its first seat holds *role*, the others the plain one."""
    from nomicwolf.village.events import Entry, Opened, PhaseBegan
    from nomicwolf.village.game import replay
    from nomicwolf.village.kernel import with_switches

    kind, _, number = phase.partition(" ")
    if kind not in {"day", "night"} or not number.isdecimal():
        fail(f"--phase {phase}: write such as 'night 1' or 'day 2'", WRONG_USE)
    roles = (role, *[rules.plain] * (rules.smallest - 1))
    seats = tuple((str(seat), held, rules.roles[held].side) for seat, held in enumerate(roles, 1))
    opened = Opened(rules.name, 1, "", seats, with_switches(rules, {}))
    return replay((Entry(1, 0, opened), Entry(2, 0, PhaseBegan(kind, int(number)))))


def _keyed(place: Here, contest: Contest) -> Contest:
    """Return *contest* with its key, by which it knows its own mail and its reply addresses, if that can be read."""
    from nomicwolf.settings.keys import SettingsError
    from nomicwolf.settings.load import secret_of

    with suppress(SettingsError):
        contest.setup = replace(contest.setup, secret=secret_of(place.settings(mail=False)).encode())
    return contest


def _prove(place: Here, contest: Contest) -> Callable[[Raw, Letter], Letter]:
    """Return how a letter to *contest* is looked at for proofs, as a poll does."""
    from nomicwolf.run.letter_intake import proven, prover_of

    prover = prover_of(place.settings(mail=False))
    return lambda raw, letter: proven(contest, prover, raw, letter)


def _names(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))


def _aliases(text: str) -> dict[str, str]:
    """Return each further name with whose it is: ``Gus=Gustav,GG`` names two of Gus's; a new ``NAME=`` begins another.

    >>> _aliases("Gus=Gustav,GG,Bex=Becky")
    {'Gustav': 'Gus', 'GG': 'Gus', 'Becky': 'Bex'}
    """
    found: dict[str, str] = {}
    whose = ""
    for part in text.replace(";", ",").split(","):
        name, equals, alias = part.partition("=")
        whose = name.strip() if equals else whose
        further = (alias if equals else part).strip()
        if further and not whose:
            fail(f"--aliases {text}: write NAME=OTHER,ANOTHER", WRONG_USE)
        if further:
            found[further] = whose
    return found


Several = list[str] | None
Files = Annotated[list[str] | None, typer.Argument(metavar="[FILE]...", help="Files; '-' or none: standard input.")]


def read(
    ctx: typer.Context,
    files: Files = None,
    text: Annotated[str | None, typer.Option(help="A letter's text, or a file with it; '-': standard input.")] = None,
    author: Annotated[str, typer.Option(help="Who wrote it.")] = "",
    players: Annotated[Several, typer.Option(metavar="PLAYERS", help="Players it can name: 'Ash,Bex,G.,0x44'.")] = None,
    dead: Annotated[Several, typer.Option(metavar="DEAD", help="The dead among them.")] = None,
    aliases: Annotated[Several, typer.Option(metavar="ALIASES", help="Further names: 'Gus=Gustav,GG'.")] = None,
    to: Annotated[str, typer.Option(help="Where it was sent: forum or contestmaster.")] = "",
    role: Annotated[str, typer.Option(help="The author's role, for private letters: werewolf, seer.")] = "",
    ruleset: Annotated[str, typer.Option(help="The rule set, outside a contest's folder.")] = "nomic-crossing",
    phase: Annotated[str, typer.Option(help="The phase that began before it, such as 'night 1'.")] = "",
    why: Annotated[
        bool, typer.Option("--why", help="Show which rule of the language decides each sentence.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Show how a letter is understood: its deeds, its problems, and what does not count.

    Example: nomicwolf read letter.eml --players Ash,Bex,Gus
    """
    if to not in ("", "forum", "contestmaster", "discussion"):
        fail(f"--to {to}: write forum or contestmaster", WRONG_USE)
    terms = Terms(author, _joined(players), _joined(dead), _joined(aliases), to, role, ruleset, phase, why)
    read_all(here(ctx), files or (), text, terms, as_json=as_json)


def _joined(values: Several) -> str:
    return ",".join(values or ())


def tally(files: Files = None, as_json: Json = False) -> None:
    """Print the result of ballots, with the reasons.

    The input is YAML or JSON: townspersons: [Ash, Bex, Cam]; votes: {Ash: "endorse Bex", Bex: Cam}; and, if needed,
    now, phase, killed, disclosed, facts.

    Example: nomicwolf tally votes.yaml
    """
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
