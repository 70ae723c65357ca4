"""``read``: how letters are understood."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from nomicwolf import readout
from nomicwolf.cli.asking import contest_of
from nomicwolf.cli.base import WRONG_USE, Here, fail, say, say_json
from nomicwolf.cli.texts import contents, texts
from nomicwolf.cli.words import STDIN
from nomicwolf.contest import Contest
from nomicwolf.letters.letter import Letter, Raw
from nomicwolf.reading.deeds import People
from nomicwolf.settings import SettingsError, secret_of
from nomicwolf.village.rulesets import BUILT_IN, ruleset


@dataclass(frozen=True, slots=True)
class Terms:
    """What the command line tells of the letters."""

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
    known = _terms(place, terms)
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


def _terms(place: Here, terms: Terms) -> readout.Terms:
    contest = _keyed(place, contest_of(place)) if place.has_contest and not terms.players else None
    names = _names(terms.players)
    dead = _names(terms.dead)
    people = People(tuple(n for n in names if n not in dead), dead, (), _aliases(terms.aliases))
    verbs = _verbs(terms) if terms.role else None
    prove = _prove(place, contest) if contest else None
    return readout.Terms(terms.author, terms.to, people, contest, prove, role=terms.role, verbs=verbs,
                         why=terms.why)


def _verbs(terms: Terms) -> frozenset[str]:
    """Return the verbs of the duties of the role that is told."""
    if terms.ruleset not in BUILT_IN:
        fail(f"--ruleset {terms.ruleset}: there are {', '.join(BUILT_IN)}", WRONG_USE)
    roles = ruleset(terms.ruleset).roles
    if terms.role not in roles:
        fail(f"--role {terms.role}: in {terms.ruleset} there are {', '.join(roles)}", WRONG_USE)
    return frozenset(duty.verb for duty in roles[terms.role].duties)


def _keyed(place: Here, contest: Contest) -> Contest:
    """Return *contest* with its key, by which it knows its own mail and its reply addresses, if that can be read."""
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
