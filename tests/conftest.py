"""What all tests share: hypothesis profiles, no network but loopback, no silent skips, and the mail servers."""

from __future__ import annotations

import os
import signal
import sys

import pytest
from hypothesis import settings

from tests.servers.chromium import browser
from tests.servers.fixtures import (
    dovecot,
    ledger_url,
    mail_site,
    postgres,
    postgres_url,
    provider,
    running_dovecot_once,
    running_site_once,
)

__all__ = [
    "browser", "dovecot", "ledger_url", "mail_site", "postgres", "postgres_url", "provider",
    "running_dovecot_once", "running_site_once",
]

if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's job in the background, or nohup's, ignores it

LOOPBACK = {"127.0.0.1", "::1", "localhost"}

SLOW_ROOMS = frozenset({"archive", "benchmarks", "demo", "host", "odds", "postmaster", "proofs", "release", "secrecy",
                        "watch"})
"""Folders of tests of which all are slow."""

# The usual run draws the same examples everywhere; NOMICWOLF_EXAMPLES=N searches on, with N new ones for each property.
EXAMPLES = os.environ.get("NOMICWOLF_EXAMPLES", "")
settings.register_profile("nomicwolf", deadline=None, max_examples=int(EXAMPLES or 50), derandomize=not EXAMPLES)
settings.load_profile("nomicwolf")


def stay_home(event: str, args: tuple[object, ...]) -> None:
    """Refuse every connection that would leave this machine; an audit hook, so no test can forget it."""
    if event == "socket.connect" and isinstance(args[1], tuple) and args[1][0] not in LOOPBACK:
        raise ConnectionRefusedError(f"tests stay on loopback, and this one wanted {args[1]}")


sys.addaudithook(stay_home)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark as slow what asks for PostgreSQL, whose server alone takes seconds, and whole rooms that seldom break."""
    for item in items:
        if "postgres" in getattr(item, "fixturenames", ()) or item.path.parent.name in SLOW_ROOMS:
            item.add_marker(pytest.mark.slow)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail the run on any skip where NOMICWOLF_FORBID_SKIPS is set, as it is in CI."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or not os.environ.get("NOMICWOLF_FORBID_SKIPS"):
        return  # a worker of xdist's, or a developer's machine
    skipped = reporter.stats.get("skipped", [])
    if skipped and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        reporter.write_line(f"\nNothing may be skipped here, and {len(skipped)} were; -ra names them.", red=True)
