"""Letters read and ballots counted without a contest."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from nomicwolf.cli.base import WRONG_USE, Here, Json, fail, here
from nomicwolf.cli.output import complain, say, say_json, say_report
from nomicwolf.cli.queries import contest_of

if TYPE_CHECKING:
    from nomicwolf import readout
    from nomicwolf.contest import Contest
    from nomicwolf.letters.letter import Letter, Raw

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
    verbs = _verbs(terms) if terms.role else None
    prove = _prove(place, contest) if contest else None
    return readout.Terms(terms.author, terms.to, people, contest, prove, role=terms.role, verbs=verbs,
                         why=terms.why)


def _verbs(terms: Terms) -> frozenset[str]:
    """Return the verbs of the given role's duties."""
    from nomicwolf.village.rulesets import BUILT_IN, ruleset

    if terms.ruleset not in BUILT_IN:
        fail(f"--ruleset {terms.ruleset}: there are {', '.join(BUILT_IN)}", WRONG_USE)
    roles = ruleset(terms.ruleset).roles
    if terms.role not in roles:
        fail(f"--role {terms.role}: in {terms.ruleset} there are {', '.join(roles)}", WRONG_USE)
    return frozenset(duty.verb for duty in roles[terms.role].duties)


def _keyed(place: Here, contest: Contest) -> Contest:
    """Return *contest* with its key, by which it knows its own mail and its reply addresses, if that can be read."""
    from nomicwolf.settings import SettingsError, secret_of

    with suppress(SettingsError):
        contest.setup = replace(contest.setup, secret=secret_of(place.settings(mail=False)).encode())
    return contest


def _prove(place: Here, contest: Contest) -> Callable[[Raw, Letter], Letter]:
    """Return how a letter to *contest* is looked at for proofs, as a poll does."""
    from nomicwolf.run.desk import prover_of
    from nomicwolf.run.letter_intake import proven

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
    ruleset: Annotated[str, typer.Option(help="The rule set that has that role.")] = "nomic-crossing",
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
    terms = Terms(author, _joined(players), _joined(dead), _joined(aliases), to, role, ruleset, why)
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


COMMANDS: dict[str, Callable[..., None]] = {"read": read, "tally": tally}
