"""Where a public letter stands in the contest's archive: an address that the letter itself can name."""

from __future__ import annotations

from hashlib import sha256

_SHOWN = 12
"""How many hex digits of a letter's hash its anchor has."""


def letter_anchor(subject: str, at: int) -> str:
    """Return the anchor of the public letter with this *subject*, written at *at* (UTC seconds): ``m-`` and 12 digits.

    The forum's tag does not matter, so the copies to all forums have one anchor. It is made from what everyone who has
    the letter knows, and from nothing else.

    >>> letter_anchor("[Wolf] Day 2", 1796119200) == letter_anchor("[Village] Day 2", 1796119200)
    True
    """
    bare = subject.partition("] ")[2] if subject.startswith("[") else subject
    return "m-" + sha256(f"nomicwolf letter 1\n{at}\n{bare}\n".encode("utf-8", "replace")).hexdigest()[:_SHOWN]


def letter_page(url: str, session: int, subject: str, at: int) -> str:
    """Return the address of a public letter's page in the archive at *url*; '' where *url* is.

    *session* is the number of the latest session when it was written (0: before the first), *subject* is as the letter
    has it, and *at* is when it was written (UTC seconds).

    >>> letter_page("https://wolf.example", 1, "[Wolf] Day 2", 1796119200)
    'https://wolf.example/letters/session-1.html#m-ec4045bc092c'
    """
    return f"{url.rstrip('/')}/letters/session-{session}.html#{letter_anchor(subject, at)}" if url else ""
