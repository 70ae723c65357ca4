"""A host for each test that asks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.host.hosted import Host
from tests.post.scripted import SmtpScript, smtp_server
from tests.servers.postgres import Postgres


@pytest.fixture
def host(postgres: Postgres, tmp_path: Path) -> Iterator[Host]:
    """Return a host that is set up and has no contests."""
    script, url = SmtpScript(), postgres.ledger()
    with smtp_server(script) as port:
        made = Host(tmp_path / "host", url, script, port, postgres).configure()
        assert made.host("setup") == 0
        yield made
        made.stop()
    postgres.drop(url)
