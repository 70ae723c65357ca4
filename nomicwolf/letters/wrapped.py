"""Letters that a list has put whole into one of its own (``message/rfc822``), against DMARC, as Mailman can.

Their words are their author's own, now sent; those of a letter that a person has forwarded are not. A list that wraps
a letter has its own address in From, the author's beside it, and leaves the Date as it was.
"""

from __future__ import annotations

from collections.abc import Sequence

from nomicwolf.letters.addresses import fold_address, mailbox
from nomicwolf.letters.decoding import transfer
from nomicwolf.letters.fingerprint import original_senders
from nomicwolf.letters.headers import Fields, Head, split_head
from nomicwolf.letters.letter import ForumInfo, Limits
from nomicwolf.letters.parts import Part
from nomicwolf.letters.route import own_addresses

WHOLE = "message/rfc822"
"""The type of a part that is a letter of its own (RFC 2046 5.2.1)."""
_AROUND = (WHOLE, "multipart/mixed")
_LISTS_OWN = "text/plain"
_FROM_MACHINES = ("auto-", "x-auto", "x-failed-", "x-mail-auto", "x-vacation", "x-nomicwolf")


def wrapped(
    head: Head, whole: Part, forums: Sequence[ForumInfo], limits: Limits
) -> tuple[Head, tuple[Part, ...]] | None:
    """Return the letter that a list of *forums* has wrapped in *head* and *whole*, and the list's own parts beside it.

    None if it is no such letter: its one From has to be the only address that the list gives for the author, and its
    Date that of the wrapping. What someone forwards, even a letter of eir own, has a Date of its own around it.
    """
    inside = [part for part in whole.children or (whole,) if part.kind == WHOLE]
    beside = tuple(part for part in whole.children if part.kind != WHOLE)
    if whole.kind not in _AROUND or len(inside) != 1:
        return None
    if any(part.kind != _LISTS_OWN or part.disposition == "attachment" for part in beside):
        return None
    lists = {address for forum in forums for address in own_addresses(forum)}
    outer = mailbox(head.first("From"))
    if outer is None or fold_address(outer[1]) not in lists:
        return None
    data, _ = transfer(inside[0].data, inside[0].encoding)
    inner = split_head(data or b"", limits.headers, limits.header_bytes)
    senders, dates = inner.all("From"), inner.all("Date")
    author = mailbox(senders[0]) if len(senders) == 1 else None
    if author is None or original_senders(head.fields, lists)[:1] != (fold_address(author[1]),):
        return None
    return (inner, beside) if len(dates) == 1 and dates == head.all("Date") else None


def of_machines(fields: Fields) -> Fields:
    """Return those of *fields* by which a machine says that it wrote the letter: a list leaves them inside."""
    return tuple((name, value) for name, value in fields if name.lower().startswith(_FROM_MACHINES))
