"""The letters of the forums as an mbox (RFC 4155) that any mail program opens; no address in it leads anywhere."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from hashlib import sha256
from itertools import accumulate
from operator import attrgetter

from nomicwolf.reports.archive.keys import Keys
from nomicwolf.reports.archive.published import Published
from nomicwolf.reports.archive.threads import Item
from nomicwolf.reports.layout import clean

POLICY = SMTP.clone(linesep="\n")
WIDTH = 78
"""Characters of a header's line (RFC 5322, section 2.1.1)."""
NOWHERE = "archive.invalid"
QUOTED = re.compile(rb"^(>*From )", re.MULTILINE)


class Mailbox:
    """Every letter of *letters* in the mboxrd form, oldest first; *key* is a hash of all that it is made from."""

    def __init__(self, published: Published, letters: Mapping[int, Sequence[Item]], keys: Keys) -> None:
        self._published = published
        self._letters = keys.letters
        self._ids = {f"letter-{x.number}": _id(x.messages[0]) for x in published.sent}
        self._ids |= {f"heard-{x.number}": _id(x.message) for x in published.heard}
        items = (item for found in letters.values() for item in found)
        self._items = sorted(items, key=attrgetter("place"))
        self._keys = [*accumulate(map(self._told, self._items), _next, initial=keys.about)]

    def _told(self, item: Item) -> str:
        return f"{self._letters[item.anchor]} {self._ids.get(item.follows)}"

    @property
    def key(self) -> str:
        """What tells this mailbox from others: each letter's part of it is made from the part before."""
        return self._keys[-1]

    def all(self) -> bytes:
        """Return the whole file."""
        return self._from(0)

    def after(self, key: str) -> bytes | None:
        """Return what follows the letters of the mailbox of an earlier *key*; None if it has others."""
        return self._from(self._keys.index(key)) if key in self._keys else None

    def _from(self, first: int) -> bytes:
        file = bytearray()
        for item in self._items[first:]:
            file += _message(self._published, item, self._ids)
        return bytes(file)


def _next(key: str, told: str) -> str:
    return sha256(f"{key}\0{told}".encode("utf-8", "backslashreplace")).hexdigest()


def _message(published: Published, item: Item, ids: dict[str, str]) -> bytes:
    sent = datetime.fromtimestamp(item.at, UTC)
    headers = {"Date": format_datetime(sent)}
    name = item.author or published.about.name
    headers["From"] = f'"{_safe(name)}" <{"player" if item.author else "contest"}@{NOWHERE}>'
    headers["To"] = ", ".join(f'"{_safe(published.about.title(n))}" <forum{i}@{NOWHERE}>'
                              for i, n in enumerate(item.nomics, 1))
    headers["Subject"] = clean(item.subject)
    headers["Message-ID"] = ids[item.anchor]
    if item.follows in ids:
        headers["In-Reply-To"] = headers["References"] = ids[item.follows]
    message = EmailMessage(policy=POLICY)
    message.set_content(item.body, cte="quoted-printable")
    written = "".join(_field(*field) for field in headers.items()).encode() + bytes(message)
    return f"From nomicwolf {sent:%a %b %d %H:%M:%S %Y}\n".encode() + QUOTED.sub(rb">\1", written) + b"\n"


def _field(name: str, value: str) -> str:
    """Return a header as it is sent; one line of plain ASCII needs nobody to encode or fold it, and most are."""
    line = f"{name}: {value}"
    if line.isascii() and line.isprintable() and len(line) <= WIDTH and "=?" not in line and not line.endswith(" "):
        return f"{line}\n"
    return str(POLICY.fold(*POLICY.header_store_parse(name, value)))


def _safe(name: str) -> str:
    return "".join(c for c in clean(name) if c not in '"\\<>@,;:')


def _id(message: str) -> str:
    return f"<{message[:32]}@{NOWHERE}>"
