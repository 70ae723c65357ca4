"""A host for each test that asks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.host.hosted import Host, new_host
from tests.servers.postgres import Postgres


@pytest.fixture
def host(postgres: Postgres, tmp_path: Path) -> Iterator[Host]:
    """Return a host that is set up and has no contests."""
    with new_host(postgres, tmp_path / "host") as made:
        yield made
