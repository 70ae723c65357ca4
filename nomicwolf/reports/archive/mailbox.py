"""The letters that were posted, as an mbox (RFC 4155) that any mail program opens; no address in it leads anywhere."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

from nomicwolf.reports.archive.published import Published, Sent
from nomicwolf.reports.layout import clean

NOWHERE = "archive.invalid"
QUOTED = re.compile(rb"^(>*From )", re.MULTILINE)


def mbox(published: Published) -> bytes:
    """Return every posted letter in the mboxrd form, oldest first."""
    known = {letter.number: letter for letter in published.sent}
    return b"".join(_message(published, letter, known) for letter in published.sent)


def _message(published: Published, letter: Sent, known: dict[int, Sent]) -> bytes:
    sent = datetime.fromtimestamp(letter.at, UTC)
    message = EmailMessage(policy=SMTP.clone(linesep="\n"))
    message["Date"] = format_datetime(sent)
    message["From"] = f'"{_safe(published.about.name)}" <contest@{NOWHERE}>'
    message["To"] = ", ".join(f'"{_safe(published.about.title(n))}" <forum{i}@{NOWHERE}>'
                              for i, n in enumerate(letter.nomics, 1))
    message["Subject"] = clean(letter.subject)
    message["Message-ID"] = _id(letter)
    if letter.thread in known:
        message["In-Reply-To"] = message["References"] = _id(known[letter.thread])
    message.set_content(letter.body, cte="quoted-printable")
    return f"From nomicwolf {sent:%a %b %d %H:%M:%S %Y}\n".encode() + QUOTED.sub(rb">\1", bytes(message)) + b"\n"


def _safe(name: str) -> str:
    return "".join(c for c in clean(name) if c not in '"\\<>@,;:')


def _id(letter: Sent) -> str:
    return f"<{letter.messages[0][:32]}@{NOWHERE}>"
