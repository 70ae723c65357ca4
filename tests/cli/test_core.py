"""A process that crashes leaves nothing behind: its memory holds keys, roles and letters."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

CRASH = """
import os, resource, signal
resource.setrlimit(resource.RLIMIT_CORE, (resource.getrlimit(resource.RLIMIT_CORE)[1],) * 2)
from nomicwolf.cli.main import main
try:
    main(["-C", ".", "poll"])
except SystemExit:
    print(resource.getrlimit(resource.RLIMIT_CORE)[0], flush=True)
os.kill(os.getpid(), signal.SIGSEGV)
"""


def test_no_core_dump(tmp_path: Path) -> None:
    """Whatever the machine allows, and who called it."""
    done = subprocess.run([sys.executable, "-c", CRASH], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (-11, "0\n"), done.stderr
    assert list(tmp_path.glob("core*")) == []
