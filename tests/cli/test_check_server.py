"""`check` against a real Dovecot: what is wrong at the server is told in a line, with what to look at."""

from __future__ import annotations

import re
import smtplib
from pathlib import Path

import pytest

from nomicwolf.cli.app import run
from tests.run.world import write_reading
from tests.servers.dovecot import PASSWORD, Dovecot, running_dovecot

pytestmark = pytest.mark.slow

@pytest.mark.parametrize(("password", "folder", "said"), [
    (PASSWORD, "INBOX", ""),
    ("wrong", "INBOX", "refuses wolf: [AUTHENTICATIONFAILED] Authentication failed; set imap.user (often the"),
    (PASSWORD, "Nowhere", "imap.mailbox"),
])
def test_the_mailbox_is_tried(
    password: str, folder: str, said: str, dovecot: Dovecot, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A wrong password and a folder that isn't there name the settings to mend; a good mailbox is good."""
    write_reading(tmp_path, dovecot.imap_port, f'password = "{password}"\nmailbox = "{folder}"')
    assert run(["-C", str(tmp_path), "check"]) == 1  # nothing listens at the port for sending
    out, err = capsys.readouterr()
    assert ("letters in: good" in out) is (not said)
    assert "smtp.host" in err
    if said:
        fault = next(line for line in err.splitlines() if line.startswith("letters in:"))
        assert said in fault


def test_a_mailbox_that_fills_up_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Dovecot gives back what comes to a full mailbox, so players' votes: that is told before it happens."""
    with running_dovecot(room=20_000) as dovecot:
        write_reading(tmp_path, dovecot.imap_port, f'password = "{PASSWORD}"')
        assert run(["-C", str(tmp_path), "check"]) == 1
        assert "letters in: good" in capsys.readouterr().out
        fill(dovecot, 19_000)
        assert run(["-C", str(tmp_path), "check"]) == 1
        assert re.search(r"letters in: the mailbox is 9\d% full: .*Make room", capsys.readouterr().err)
        with pytest.raises(smtplib.SMTPDataError, match="Quota"):
            fill(dovecot, 2_000)


def fill(dovecot: Dovecot, size: int) -> None:
    """Put a letter of *size* bytes into the contest's mailbox."""
    data = b"Subject: x\r\n\r\n" + b"x" * 70 + b"\r\n" + (b"y" * 70 + b"\r\n") * (size // 72)
    with smtplib.LMTP("127.0.0.1", dovecot.lmtp_port) as lmtp:
        lmtp.sendmail("ash@players.example", ["wolf@contest.example"], data)
