"""The tests' own house rules hold."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.source import ROOT

SKIPPING = '"""A test that skips."""\nimport pytest\ndef test_skipping():\n    pytest.skip("no server here")\n'


def test_tests_stay_on_loopback() -> None:
    """A connection to anywhere else is refused before a packet leaves (192.0.2.0/24 is nowhere: RFC 5737)."""
    with pytest.raises(ConnectionRefusedError, match="tests stay on loopback"):
        socket.create_connection(("192.0.2.1", 25), 1)


@pytest.mark.parametrize(("forbidden", "status"), [("", pytest.ExitCode.OK), ("1", pytest.ExitCode.TESTS_FAILED)])
def test_a_skip_fails_the_run_in_ci(tmp_path: Path, forbidden: str, status: int) -> None:
    """NOMICWOLF_FORBID_SKIPS makes a run with skips fail, and says so; without it a skip is only told."""
    (tmp_path / "test_skipping.py").write_text(SKIPPING)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "tests.conftest", "-p", "no:cacheprovider", str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, "NOMICWOLF_FORBID_SKIPS": forbidden},
        capture_output=True,
        text=True,
        check=False,
    )

    assert run.returncode == status, run.stdout
    assert ("Nothing may be skipped here, and 1 were" in run.stdout) is bool(forbidden)
