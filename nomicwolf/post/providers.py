"""What known providers take of one mailbox, and how one logs in there, by the names of their servers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from nomicwolf.post.pacing import DAY, MINUTE


@dataclass(frozen=True, slots=True)
class Provider:
    """A provider: its *name*, how many letters it takes in so many seconds, and at how many *connections* at once.

    *oauth* is how `[oauth]` names it where it takes no password from a program. Letters out go by *security*. One that
    *knows_senders* refuses any envelope's sender but the mailbox's own address.
    """

    name: str
    takes: Mapping[int, int] = field(default_factory=dict)
    connections: int = 0
    oauth: Literal["", "microsoft"] = ""
    security: Literal["tls", "starttls"] = "tls"
    knows_senders: bool = False


def _microsoft(name: str, day: int) -> Provider:
    return Provider(name, {MINUTE: 30, DAY: day}, 3, "microsoft", "starttls", knows_senders=True)


_PROVIDERS: Mapping[str, Provider] = {
    "smtp.gmail.com": Provider("Gmail", {DAY: 500}),
    "smtp.office365.com": _microsoft("Exchange Online", 10_000),
    "outlook.office365.com": _microsoft("Exchange Online", 10_000),
    "smtp-mail.outlook.com": _microsoft("Outlook.com", 300),
    "imap-mail.outlook.com": _microsoft("Outlook.com", 300),
    "smtp.mail.yahoo.com": Provider("Yahoo", {DAY: 500}),
    "smtp.mail.me.com": Provider("iCloud", {DAY: 1000}),
    "smtp.fastmail.com": Provider("Fastmail", {DAY: 4000}),
}
"""As their help pages had it in 2026. A paid mailbox may have more: `smtp.per_day` and its like come before these."""


def provider_of(host: str) -> Provider | None:
    """Return the provider whose server *host* is, None if it is nobody's that is known here."""
    return _PROVIDERS.get(host.lower().rstrip("."))
