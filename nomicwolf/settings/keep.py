"""What is kept, and how long: the table ``keep`` of `contest.toml`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

SPAN: Mapping[str, Any] = {
    "form": re.compile(r"[1-9]\d{0,3}[dwmy]"),
    "else": "is no time; write a number with d, w, m or y for days, weeks, months or years, such as 1y",
}
_DAYS: Final = {"d": 1, "w": 7, "m": 31, "y": 366}
BACKUPS = "backups"
"""The folder of backups, unless the settings name another."""


@dataclass(frozen=True, slots=True)
class KeepSettings:
    """``keep``: how long *letters* are kept (none: for good), and backups that nomicwolf makes by itself.

    Before each change of phase and each upgrade it copies the ledger into the folder *backups*, where it keeps the
    newest *backup_count* (0: it makes none). *copy* is a command that then takes them to another machine; it may take
    *timeout* seconds.
    """

    letters: str = field(default="", metadata=SPAN)
    backups: Path = Path(BACKUPS)
    backup_count: int = 10
    copy: tuple[str, ...] = ()
    timeout: int = 120

    @property
    def letter_seconds(self) -> int:
        """Return for how many seconds letters are kept, 0 for good; a month has 31 days here, a year 366."""
        return 86400 * int(self.letters[:-1]) * _DAYS[self.letters[-1]] if self.letters else 0
