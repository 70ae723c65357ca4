"""The servers as fixtures: started once for each process of tests, emptied before each test that asks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.servers.dovecot import Dovecot, running_dovecot
from tests.servers.postgres import Postgres, running_postgres
from tests.servers.provider import Provider, running_provider
from tests.servers.site import MailSite, running_site


@pytest.fixture(scope="session")
def running_dovecot_once() -> Iterator[Dovecot]:
    """One Dovecot for all tests of this process."""
    with running_dovecot() as dovecot:
        yield dovecot


@pytest.fixture(scope="session")
def running_site_once(running_dovecot_once: Dovecot) -> Iterator[MailSite]:
    """One site for all tests of this process."""
    with running_site(running_dovecot_once) as site:
        yield site


@pytest.fixture
def dovecot(running_dovecot_once: Dovecot) -> Dovecot:
    """A Dovecot with empty mailboxes; skips where it is not installed."""
    running_dovecot_once.wipe()
    return running_dovecot_once


@pytest.fixture
def mail_site(running_site_once: MailSite, dovecot: Dovecot) -> MailSite:
    """Postfix, Dovecot and a host of lists, all empty; skips where they are not installed, or not root."""
    assert running_site_once.dovecot is dovecot
    running_site_once.host.reset()
    return running_site_once


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """One PostgreSQL for all tests of this process; skips where it is not installed."""
    with running_postgres() as server:
        yield server


@pytest.fixture
def postgres_url(postgres: Postgres) -> Iterator[str]:
    """A database of its own with the tables of a ledger, dropped afterwards."""
    url = postgres.ledger()
    yield url
    postgres.drop(url)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def ledger_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a ledger may be made, once for each kind of database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'contest.db'}"
    return str(request.getfixturevalue("postgres_url"))


@pytest.fixture
def provider() -> Iterator[Provider]:
    """Return a provider of tokens."""
    with running_provider() as running:
        yield running
