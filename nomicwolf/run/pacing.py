"""Which of the letters owed go now, and when the others go: what servers said of them, and what they take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nomicwolf.ledger.outbox import Outbox
from nomicwolf.ledger.records import OwedLetter
from nomicwolf.post.pacing import DAY, HOUR, MINUTE, Waiting, provider_of, schedule
from nomicwolf.settings.keys import SmtpSettings


def limits_of(smtp: SmtpSettings) -> Mapping[int, int]:
    """Return how many letters the server takes in so many seconds: as the settings say, else as its provider is known.

    >>> from nomicwolf.settings.keys import SmtpSettings
    >>> limits_of(SmtpSettings("smtp.gmail.com", "wolf@gmail.example", per_hour=40))
    {86400: 500, 3600: 40}
    """
    provider = provider_of(smtp.host)
    given = {MINUTE: smtp.per_minute, HOUR: smtp.per_hour, DAY: smtp.per_day}
    return {**(provider.takes if provider else {}), **{seconds: most for seconds, most in given.items() if most}}


def connections_of(smtp: SmtpSettings) -> int:
    """Return how many connections are made at most: of a known provider no more than it takes."""
    provider = provider_of(smtp.host)
    return min(smtp.connections, provider.connections) if provider and provider.connections else smtp.connections


def takes_senders(smtp: SmtpSettings) -> bool:
    """Return whether letters may have return paths of their own, for all that is known of the server."""
    provider = provider_of(smtp.host)
    return provider is None or not provider.knows_senders


def times_of(smtp: SmtpSettings, owed: Sequence[OwedLetter], outbox: Outbox, now: int) -> Mapping[int, int]:
    """Return when each of the letters *owed* goes, by its number (UTC seconds; *now*: at once)."""
    limits = limits_of(smtp)
    sent = outbox.sent_since(now - max(limits)) if limits else ()
    return schedule([waiting_of(one) for one in owed], sent, limits, now)


def waiting_of(one: OwedLetter) -> Waiting:
    """Return an owed letter as it waits; one that was never tried, or was asked for again, has no answer."""
    letter = one.letter
    return Waiting(one.number, letter.forum or letter.to.lower(), letter.at, one.changed_at if one.error else 0,
                   one.error)
