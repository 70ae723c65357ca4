"""The other contests that read the same mailbox, as their own folders tell of them (D-N43)."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace

from nomicwolf.contest import Contest, Setup
from nomicwolf.contest.mail.routing import names_of
from nomicwolf.ledger.peek import glance
from nomicwolf.ledger.store import Store
from nomicwolf.nomic.setup import Other
from nomicwolf.run.setting import setup_of
from nomicwolf.settings import Settings, SettingsError, load, secret_of
from nomicwolf.settings.keys import LedgerSettings


def others_of(settings: Settings) -> tuple[Other, ...]:
    """Return what is known of each contest in ``contest.others``; SettingsError names one that can't be read."""
    return tuple(_other(settings, path) for path in settings.contest.others)


def _other(settings: Settings, path: str) -> Other:
    try:
        found = load(settings.folder / path, {}, mail=False)
    except SettingsError as error:
        raise SettingsError(tuple(f"contest.others: {path}: {problem}" for problem in error.problems)) from error
    if found.contest.id == settings.contest.id:
        why = f"contest.others: {path}: is called {found.contest.id} as this contest is; give it an id of its own"
        raise SettingsError((why,))
    found = replace(found, ledger=_ledger(settings, found))
    seen = glance(found.ledger.url, found.contest.id, 1)
    secret = secret_of(found).encode() if seen is not None else b""
    setup = setup_of(found, secret)
    forums = tuple(f.address for f in setup.forums)
    if seen is None:
        return Other(names_of(setup), setup.address, forums)
    with closing(Store.open(found.ledger.url, found.contest.id, keys=found.ledger.key)) as store:
        contest = Contest.of(setup, store.record())
    return _known(setup, contest, forums)


def _ledger(settings: Settings, other: Settings) -> LedgerSettings:
    """Return where another contest's ledger is: on this one's server, if that has it, else where its settings say.

    Its key is its own, wherever it lies.
    """
    if settings.ledger_file is None and glance(settings.ledger.url, other.contest.id, 1) is not None:
        return replace(other.ledger, url=settings.ledger.url)
    return other.ledger


def _known(setup: Setup, contest: Contest, forums: tuple[str, ...]) -> Other:
    members = tuple(a for person in contest.persons.values() for a in person.addresses)
    seats = contest.running.seats if contest.running is not None else ()
    return Other(names_of(setup), setup.address, forums, setup.secret, members, tuple(seats))
