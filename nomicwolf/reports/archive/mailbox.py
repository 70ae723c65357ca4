"""The letters of the forums as an mbox (RFC 4155) that any mail program opens; no address in it leads anywhere."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

from nomicwolf.reports.archive.published import Published
from nomicwolf.reports.archive.threads import Item, threads
from nomicwolf.reports.layout import clean

POLICY = SMTP.clone(linesep="\n")
WIDTH = 78
NOWHERE = "archive.invalid"
QUOTED = re.compile(rb"^(>*From )", re.MULTILINE)


def mbox(published: Published) -> bytes:
    """Return every letter that was posted or came through a forum in the mboxrd form, oldest first."""
    ids = {f"letter-{x.number}": _id(x.messages[0]) for x in published.sent}
    ids |= {f"heard-{x.number}": _id(x.message) for x in published.heard}
    items = [item for found in threads(published, ()).values() for item in found]
    return b"".join(_message(published, item, ids) for item in sorted(items, key=lambda i: (i.at, i.anchor)))


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
