"""Letters that came back: what a server says of one of ours that it could not deliver (RFC 3464, 3463, 6522).

Each of our letters has a return path of its own (VERP): the words of its Message-ID, which only the contest's key can
make. Nothing of a bounce but its status is ever shown, and none is passed on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nomicwolf.letters.addresses import with_tag
from nomicwolf.letters.headers import every, split_head
from nomicwolf.letters.letter import Letter, Limits, Raw
from nomicwolf.letters.parts import Part, TooMuchError, tree, value_of

MARK = "b-"
_RETURNED = ("message/rfc822", "message/global", "text/rfc822-headers", "message/global-headers")
_STATUS = ("message/delivery-status", "message/global-delivery-status")


@dataclass(frozen=True, slots=True)
class Bounce:
    """A letter that was given up: its *status* (``5.1.1``), and the Message-IDs that it may have had."""

    status: str
    ids: tuple[str, ...]


def return_path(sender: str, message_id: str) -> str:
    """Return the address to which the letter with this Message-ID comes back; *sender* where there is no room.

    >>> return_path("wolf@contest.example", "<abc.def@contest.example>")
    'wolf+b-abc.def@contest.example'
    """
    return with_tag(sender, MARK + message_id.strip("<>").rpartition("@")[0])


def bounce(raw: Raw, letter: Letter, domain: str, limits: Limits | None = None) -> Bounce | None:
    """Return what *letter* reports of one of ours with an id in *domain*, None if it reports no failure."""
    if value_of(next(iter(every(letter.headers, "Content-Type")), "")) != "multipart/report":
        return None
    bounds = limits or Limits()
    try:
        head = split_head(raw.data.replace(b"\r\n", b"\n"), bounds.headers, bounds.header_bytes)
        parts = list(_leaves(tree(head, bounds)))
    except TooMuchError:
        return None
    status = _status(parts)
    if status is None:
        return None
    tagged = letter.tag.removeprefix(MARK).lower() if letter.tag.lower().startswith(MARK) else ""
    heads = [split_head(p.data, bounds.headers, bounds.header_bytes) for p in parts if p.kind in _RETURNED]
    ids = (f"<{tagged}@{domain}>" if tagged else "", *(found.first("Message-ID").strip() for found in heads))
    return Bounce(status, tuple(dict.fromkeys(i for i in ids if i)))


def _status(parts: list[Part]) -> str | None:
    """Return the status of the first recipient that was given up, '' if none is told; None if nobody was."""
    for part in parts:
        if part.kind not in _STATUS:
            continue
        for group in part.data.split(b"\n\n"):
            fields = dict(_field(line) for line in group.decode("ascii", "replace").splitlines() if ":" in line)
            if fields.get("action", "").lower() == "failed":
                found = fields.get("status", "").split(" ")[0].split("(")[0]
                return found if found.replace(".", "").isdecimal() and len(found) <= 11 else ""
    return None


def _field(line: str) -> tuple[str, str]:
    name, _, value = line.partition(":")
    return name.strip().lower(), value.strip()


def _leaves(part: Part) -> Iterator[Part]:
    if not part.children:
        yield part
    for child in part.children:
        yield from _leaves(child)
