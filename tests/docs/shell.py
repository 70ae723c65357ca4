"""What the handbook tells its readers to type, typed: in a folder of its own, against mail servers on loopback.

A comment such as ``# Ash and Bex write "I join this contract." to the forum`` is done too, by real letters.
"""

from __future__ import annotations

import os
import re
import shlex
import smtplib
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from nomicwolf.cli.app import run
from nomicwolf.maillist import MailingList
from nomicwolf.mailworld import MailWorld

CONTEST = "wolf@example.org"
FORUM = "agora-business@agora.example"
PLAYERS = ("Ash", "Bex", "Cam", "Dov", "Eli", "Fay", "Gus")
_LETTER = re.compile(r'# (.+?) writes? "(.+)" to (the forum|the contest)$')
_EXPORT = re.compile(r"export (.+)$")


@dataclass(slots=True)
class Shell:
    """A reader at eir machine: *mail* is the world, *patch* undoes what was set."""

    mail: MailWorld
    patch: pytest.MonkeyPatch
    capture: pytest.CaptureFixture[str]
    letters: int = 0

    def type(self, line: str) -> str:
        """Do one line and return what it prints; AssertionError if a command fails, or is none that is known here."""
        if letter := _LETTER.match(line):
            for who in re.findall(r"[A-Z][a-z]+", letter[1]):
                self.write(who, letter[2], FORUM if letter[3] == "the forum" else CONTEST)
            return ""
        words = shlex.split(line, comments=True)
        if not words:
            return ""
        if export := _EXPORT.match(line):
            self._export(shlex.split(export[1], comments=True))
        elif words[0] == "cd":
            self.patch.chdir(words[1])
        elif words[0] == "printf":
            return subprocess.run(["sh", "-c", line], check=True, capture_output=True, text=True).stdout
        else:
            return self._nomicwolf(words, line)
        return ""

    def _export(self, pairs: list[str]) -> None:
        for pair in pairs:
            name, _, value = pair.partition("=")
            if not os.environ.get(name):
                self.patch.setenv(name, value)

    def _nomicwolf(self, words: list[str], line: str) -> str:
        assert words[0] == "nomicwolf", f"nobody can type this here: {line}"
        status = run(words[1:])
        printed = self.capture.readouterr()
        assert status == 0, f"{line}: status {status}\n{printed.out}{printed.err}"
        return str(printed.out)

    def write(self, who: str, text: str, to: str) -> None:
        """Let a player send a letter."""
        self.letters += 1
        sender = f"{who.lower()}@players.example"
        head = f"From: {who} <{sender}>\r\nTo: {to}\r\nSubject: wolves\r\nMessage-ID: <{self.letters}@players.example>"
        with smtplib.SMTP("127.0.0.1", self.mail.smtp_port, local_hostname="players.example") as smtp:
            smtp.sendmail(sender, [to], f"{head}\r\n\r\n{text}\r\n".encode())


@contextmanager
def shell(folder: Path, patch: pytest.MonkeyPatch, capture: pytest.CaptureFixture[str]) -> Iterator[Shell]:
    """Open a shell in *folder*; whatever servers a contest's settings name, those on loopback are asked."""
    everyone = (CONTEST, *(f"{who.lower()}@players.example" for who in PLAYERS))
    lists = [MailingList(FORUM, "Agora", "BUS:", "a footer", everyone)]
    with MailWorld(lists, lambda: int(time.time()), everyone) as mail:
        patch.chdir(folder)
        for side, port in (("IMAP", mail.imap_port), ("SMTP", mail.smtp_port)):
            for key, value in (("HOST", "127.0.0.1"), ("PORT", str(port)), ("SECURITY", "none")):
                patch.setenv(f"NOMICWOLF_{side}_{key}", value)
        patch.setenv("NOMICWOLF_IMAP_PASSWORD", mail.password)
        patch.setenv("NOMICWOLF_SMTP_USER", "")
        patch.setenv("NOMICWOLF_SMTP_PASSWORD", "")
        yield Shell(mail, patch, capture)


def lines_of(text: str) -> list[str]:
    """Return the lines of a shell's block, those that end with a backslash joined with the next."""
    return [line.strip() for line in text.replace("\\\n", " ").splitlines() if line.strip()]
