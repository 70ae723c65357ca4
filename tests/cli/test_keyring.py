"""A password in a keyring: put there as the handbook says, and taken from there to log in at a real Dovecot.

The keyring is a file of keyrings.alt's; on a desktop it is the desktop's own, by the same words.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import table
from tests.run.world import write_reading
from tests.servers.dovecot import PASSWORD, Dovecot

BIN = Path(sys.executable).parent
(WAY,) = [row for row in table("docs/settings.md", "## Secrets") if row[0] == "a keyring"]
FILE = "keyrings.alt.file.PlaintextKeyring"
NONE = "keyring.backends.fail.Keyring"


def typed(folder: Path, *words: str, backend: str = FILE, given: str = "") -> str:
    """Type a command where keyrings are of that *backend*; return all that it says."""
    environ = {**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder / "data"),
               "XDG_CONFIG_HOME": str(folder / "config"), "PYTHON_KEYRING_BACKEND": backend}
    done = subprocess.run([BIN / words[0], *words[1:]], env=environ, input=given, capture_output=True, text=True,
                          check=False, cwd=folder)
    return done.stdout + done.stderr


@pytest.fixture
def folder(tmp_path: Path, dovecot: Dovecot) -> Path:
    """Return a contest's folder whose settings have what the handbook's table says."""
    place = tmp_path / "crossing"
    place.mkdir(mode=0o700)
    return write_reading(place, dovecot.imap_port, WAY[1].strip("`"))


def test_a_login_from_a_keyring(folder: Path) -> None:
    """`keyring set`, and `check` reads the mailbox."""
    assert "`keyring set nomicwolf USER`" in WAY[2]
    typed(folder.parent, "keyring", "set", "nomicwolf", "wolf", given=f"{PASSWORD}\n")

    said = typed(folder.parent, "nomicwolf", "-C", "crossing", "check")

    assert "secrets: imap.password from the keyring nomicwolf\n" in said
    assert "letters in: good\n" in said


@pytest.mark.parametrize(("backend", "said"), [
    (FILE, "imap.password_keyring: the keyring has no password of 'wolf' for 'nomicwolf'"),
    (NONE, "imap.password_keyring: the keyring can't be used here: No recommended backend was available"),
])
def test_a_keyring_that_has_none(folder: Path, backend: str, said: str) -> None:
    """Nothing was put there, or there is no keyring, as in a cron job without a desktop: both are told, once."""
    told = typed(folder.parent, "nomicwolf", "-C", "crossing", "check", backend=backend)
    assert said in told
    assert "imap.password:" not in told
