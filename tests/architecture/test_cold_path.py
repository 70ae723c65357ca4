"""A poll that finds nothing stays cheap: what it imports brings none of the heavy packages along."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = {"aiosmtplib", "alembic", "asyncio", "jinja2", "lark", "pydantic", "rich", "selectolax", "sqlmodel"}
FIRST = ["nomicwolf.settings.load", "nomicwolf.post.imap", "nomicwolf.post.lock"]


@pytest.mark.parametrize("module", FIRST)
def test_what_each_poll_needs_is_light(module: str) -> None:
    """Most polls find no mail: settings, the lock and the mailbox are looked at without a database or a grammar."""
    code = f"import sys, {module}; print(*sorted({HEAVY!r} & sys.modules.keys()))"
    brought = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()

    assert brought == []
