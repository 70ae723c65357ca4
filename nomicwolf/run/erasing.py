"""A person taken out of the ledger; what a crash left undone, the next poll does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from nomicwolf.contest import Contest, Setup
from nomicwolf.ledger.erasure import ERASURE_SOURCE, Rewritten
from nomicwolf.ledger.errors import LedgerError
from nomicwolf.ledger.files import BESIDE, remove_file
from nomicwolf.ledger.store import Store
from nomicwolf.letters.pseudonyms import Disguise
from nomicwolf.run.backups import ERASURE, backups, make_backup, unfinished, wanted
from nomicwolf.run.contest_setup import setup_of
from nomicwolf.run.desk import open_store
from nomicwolf.run.resources import secret_if_any
from nomicwolf.run.traces import OutOfSight, Traces, traces_of
from nomicwolf.run.turn import turn
from nomicwolf.settings import Settings
from nomicwolf.village.events import Entry

PSEUDONYM = "Anon"
LONGEST = 50_000_000
"""Bytes of a file in the contest's folder that is looked into."""


@dataclass(frozen=True, slots=True)
class Erasing:
    """What an erasure did, or would do: the *name* that stands for the person, and how much is written anew.

    *names* and *addresses* are what was looked for. *copies* are other files of the ledger that were removed, since
    they still had it all; *archive* is the public archive, if one is there and was written anew. *rest* is where the
    person may still be.
    """

    name: str
    names: tuple[str, ...]
    addresses: tuple[str, ...]
    done: Rewritten | None = None
    copies: tuple[Path, ...] = ()
    archive: Path | None = None
    rest: tuple[str, ...] = ()


def erase(
    settings: Settings, who: str, now: Callable[[], int], also: Iterable[str] = (), *, dry_run: bool = False
) -> Erasing:
    """Take *who* (a name, or the address of somebody who has none here) out of the contest's ledger and its copies.

    *also* are further names to look for, such as one that only others used. `LedgerError`, with nothing changed, if
    that can't be: the person is a party or plays, is the contestmaster, or nobody knows the name.
    """
    with turn(settings), closing(open_store(settings)) as store:
        setup = setup_of(settings, secret_if_any(settings))
        contest = Contest.of(setup, store.record())
        traces = traces_of(contest, store, who, also)
        _demand_free(contest, setup, traces.names)
        name = pseudonym(contest)
        found = Erasing(name, traces.names, traces.addresses, rest=tuple(_rest(settings, traces)))
        if dry_run:
            return found
        change = OutOfSight(Disguise(name, traces.names, traces.addresses, traces.ids, traces.words), traces)
        done = store.rewrite(name, change, now(), lambda entries: demand_same(contest, entries, change.disguise.text))
        copies, archive = finish(settings, store, now())
        return replace(found, done=done, copies=copies, archive=archive)


def finish(settings: Settings, store: Store, now: int) -> tuple[tuple[Path, ...], Path | None]:
    """Take away what an erasure leaves outside of the ledger's rows: old bytes in its file, and of a person all copies.

    The archive of a person is written anew, and one backup made in place of those before; those with letters that only
    became too old go in their time. `LedgerError` if something reads the ledger just then, or the archive can't be
    written; the next poll tries again. Returns the files removed, and the archive.
    """
    mark = store.mark(ERASURE_SOURCE)
    of_a_person = mark is not None and bool(mark[1])
    copies = tuple(_copies(settings)) if of_a_person else ()
    for copy in copies:
        remove_file(copy)
    if not store.sweep():
        raise LedgerError("what was erased may still lie in the ledger's -wal file, for another program reads the "
                          "ledger; end it, and the next poll finishes this")
    archive = _archived_anew(settings) if of_a_person else None
    if of_a_person and wanted(settings):
        make_backup(settings, store.last(), now, ERASURE)
    store.end_erasure()
    return copies, archive


def _archived_anew(settings: Settings) -> Path | None:
    """Write the public archive anew if there is one, and return its folder."""
    folder = settings.archive.path
    if not (folder / "index.html").is_file():
        return None
    from nomicwolf.archive import write
    from nomicwolf.archive.files import ForeignFiles
    from nomicwolf.run.publishing import published

    try:
        write(published(settings), folder)
    except (OSError, ForeignFiles) as error:
        raise LedgerError(f"{folder}: the archive still names the person: {error}; mend that, and the next poll writes "
                          "it anew") from error
    return folder


def pseudonym(contest: Contest) -> str:
    """Return a name that nobody has had."""
    names = {n.casefold() for p in contest.persons.values() for n in (p.name, *p.aliases)}
    number = 1
    while f"{PSEUDONYM}{number}".casefold() in names:
        number += 1
    return f"{PSEUDONYM}{number}"


def _demand_free(contest: Contest, setup: Setup, names: tuple[str, ...]) -> None:
    """Raise `LedgerError` if anything is still to come of the person."""
    masters = {setup.contestmaster, *map(contest.contestmaster, setup.nomics)}
    game = contest.running
    for name in names:
        if name in masters:
            raise LedgerError(f"{name} is the contestmaster; let somebody else be it first, in contest.toml")
        if nomics := [nomic for nomic, parties in contest.parties.items() if name in parties]:
            raise LedgerError(f"{name} is a party in {' and '.join(nomics)}; first: nomicwolf party remove "
                              f"'{name}' --why REASON")
        if game is not None and name in game.alive:
            raise LedgerError(f"{name} plays in the session in progress; wait for its end, or first: nomicwolf "
                              f"substitute '{name}' NEW")


def demand_same(before: Contest, entries: Iterable[Entry], called: Callable[[str], str] = str) -> None:
    """Raise `LedgerError` unless the record tells of the same contest, with everybody as *called*."""
    try:
        after = Contest.of(before.setup, entries)
    except Exception as error:
        raise LedgerError("the record can't be folded without that name, so nothing was changed; please report "
                          f"this ({type(error).__name__})") from error
    if _standing(after) != _standing(before, called):
        raise LedgerError("without that name the record would tell of another contest, so nothing was changed: is it "
                          "also a word of the game's? Give the person another name (party rename), and try again")


def _standing(contest: Contest, called: Callable[[str], str] = str) -> object:
    """Return how a contest stands, as far as an erasure must not change it, with everybody as *called*."""
    return (
        sorted(map(called, contest.persons)),
        {nomic: [*map(called, parties)] for nomic, parties in contest.parties.items()},
        {number: ([*map(called, game.seats)], sorted(map(called, game.alive)), game.over)
         for number, game in contest.games.items()},
        [(award.number, called(award.who), award.what, award.amount)
         for each in contest.awards.values() for award in each],
    )


def _others(settings: Settings) -> Iterator[Path]:
    """Yield files of the contest's folder that are neither mail, nor the ledger, nor written anew from it."""
    mail = [part.path for part in (settings.maildir, settings.mbox) if part is not None]
    ledger = settings.ledger_file
    own = {settings.archive.path, settings.keep.backups, *mail}
    for file in sorted(settings.folder.rglob("*")):
        of_ledger = ledger is not None and file.parent == ledger.parent and file.name.startswith(ledger.name)
        if file.is_file() and not of_ledger and own.isdisjoint((file, *file.parents)) and (
                file.stat().st_size <= LONGEST):
            yield file


def _copies(settings: Settings) -> Iterator[Path]:
    """Yield copies of the ledger that the program itself has made, backups and unfinished ones among them."""
    file = settings.ledger_file
    if file is not None:
        for form in (".schema-*", ".before-*", ".part"):
            found = file.parent.glob(f"{file.name}{form}")
            yield from sorted(each for each in found if not each.name.endswith(BESIDE[1:]))
    yield from sorted(unfinished(settings))
    yield from (each.file for each in backups(settings))


def _rest(settings: Settings, traces: Traces) -> Iterator[str]:
    """Yield where the person may still be: other files of the contest's folder, and what nobody here can reach."""
    disguise = Disguise("x", traces.names, traces.addresses)
    named = dict.fromkeys(file.relative_to(settings.folder).parts[0] for file in _others(settings)
                          if disguise.names(file.read_text(encoding="utf-8", errors="replace")))
    yield from (f"{name} in the contest's folder still names the person; remove it, or write it anew" for name in named)
    if traces.letters:
        yield f"the mailbox may still have up to {len(traces.letters)} letters of the person's; delete them there"
    yield "forums' own archives, copies of your archive and backups elsewhere are out of reach (docs/privacy.md)"
