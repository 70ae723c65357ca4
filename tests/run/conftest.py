"""What tests that stop a run in the middle share."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest


@pytest.fixture
def swept() -> Iterator[None]:
    """Close what a stopped run left open, while that is forgiven; else a later test would be blamed for it."""
    yield
    gc.collect()
