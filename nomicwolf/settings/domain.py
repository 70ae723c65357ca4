"""What can be set of the contest's own domain: the table ``domain`` of `contest.toml`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SELECTOR: Mapping[str, Any] = {
    "form": re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9])?"),
    "else": "is no selector; write what stands before ._domainkey in the DNS, such as nomicwolf",
}
DKIM_FILE = "dkim.key"
"""Where the key by which letters are signed lies, unless the settings name another file."""


@dataclass(frozen=True, slots=True)
class DomainSettings:
    """``domain``: what proves to receivers that letters are of the contest's own domain.

    With *dkim_sign* nomicwolf signs them by the private key in *dkim_key_file*. *dkim_selector* is where the public key
    is in the DNS, whoever signs. *leaves_from* are the addresses from which letters leave (none: `check` takes those of
    the server).
    """

    dkim_sign: bool = False
    dkim_selector: str = field(default="", metadata=SELECTOR)
    dkim_key_file: Path = Path(DKIM_FILE)
    leaves_from: tuple[str, ...] = ()

    @property
    def selector(self) -> str:
        """Return where the public key is, '' if nobody knows."""
        return self.dkim_selector or ("nomicwolf" if self.dkim_sign else "")
