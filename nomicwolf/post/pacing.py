"""Sending pace, and known providers' limits.

When letters go that a server has put off follows from the class of its answer and from its known limits. All of it is
derived from what the outbox has: when a letter became owed, when it was tried last, what the server said then, and when
others were sent. So a run needs to remember nothing.
"""

from __future__ import annotations

import re
from bisect import insort
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from nomicwolf.post.refusals import is_limited

Scope: TypeAlias = Literal["letter", "server"]
MINUTE, HOUR, DAY = 60, 3600, 86400
PATIENCE = 5 * DAY
"""Seconds after which somebody should look at a letter that is still put off (RFC 5321 4.5.4.1)."""


@dataclass(frozen=True, slots=True)
class Pause:
    """The pause for a class of answers: whose it is, and its seconds at *first* and at *most*."""

    name: str
    scope: Scope
    first: int
    most: int

    def wait(self, age: int) -> int:
        """Return for how long to wait with a letter that has been owed for *age* seconds: it doubles with the age."""
        return max(self.first, min(self.most, age))


_LIMITS = Pause("the server's limits", "server", 15 * MINUTE, 4 * HOUR)
_CLASSES: tuple[tuple[str, Pause], ...] = (
    (r"gr[ae]y-?list|postgrey|\b4\.7\.1\b.*(?:try|retry|later|minutes|seconds)",
     Pause("greylisting", "letter", 5 * MINUTE, HOUR)),
    (r"\b4\.2\.2\b|mailbox (?:is )?full|over ?quota|quota exceeded|insufficient (?:mailbox|user) storage",
     Pause("a full mailbox", "letter", HOUR, 12 * HOUR)),
    (r"\b4\.2\.1\b|recipient .*(?:\brate\b|too fast|too quickly)",
     Pause("a busy mailbox", "letter", 15 * MINUTE, 4 * HOUR)),
    (r"^(?:421|432)|\b4\.(?:7\.(?:28|0|5)|5\.3|3\.[12])\b|\brate\b|thrott|too (?:many|much)|limit|sending quota",
     _LIMITS),
    (r"^4", Pause("a passing trouble", "letter", 5 * MINUTE, 4 * HOUR)),
)
"""The first that fits. Answers to one letter that tell of the whole server come after those that tell of a mailbox."""


def class_of(said: str) -> Pause | None:
    """Return what a server's answer asks for; None for what is no answer of a server's, or no "later" (RFC 5321 4.2.1).

    >>> class_of("450 4.2.0 Greylisted, see you later").name
    'greylisting'
    """
    if re.match(r"5\d\d\b", said) and is_limited(said):
        return _LIMITS
    if not re.match(r"4\d\d\b", said):
        return None
    return next(pause for form, pause in _CLASSES if re.search(form, said, re.IGNORECASE))


@dataclass(frozen=True, slots=True)
class Waiting:
    """A letter that waits: its *number* and *recipient*, since when it is *owed*, when it was *tried*, what was *said*.

    Instants are UTC seconds; *tried* and *said* are 0 and '' for one that was not.
    """

    number: int
    recipient: str
    owed: int
    tried: int = 0
    said: str = ""

    @property
    def pause(self) -> Pause | None:
        """Return what the server's answer asks for."""
        return class_of(self.said) if self.tried else None

    @property
    def due(self) -> int:
        """Return when it may be tried again."""
        return self.tried + self.pause.wait(self.tried - self.owed) if self.pause else 0


def schedule(
    letters: Sequence[Waiting], sent: Iterable[int], limits: Mapping[int, int], now: int
) -> dict[int, int]:
    """Return when each letter goes, by its number (UTC seconds; *now* for those that go at once).

    *sent* is when others went, *limits* how many letters a server takes in so many seconds. What one recipient is owed
    goes in its order, and nothing goes while the server itself wants a pause.
    """
    paused = max((one.due for one in letters if one.pause and one.pause.scope == "server"), default=0)
    gone, recipients = sorted(sent), dict[str, int]()
    found: dict[int, int] = {}
    for one in letters:
        at = max(now, one.due, paused, recipients.get(one.recipient, 0))
        for seconds, most in limits.items():
            if 0 < most <= len(gone):
                at = max(at, gone[-most] + seconds)
        insort(gone, at)
        recipients[one.recipient] = found[one.number] = at
    return found


@dataclass(frozen=True, slots=True)
class Provider:
    """A provider: its *name*, its limits of letters per seconds, and of *connections* at once.

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
