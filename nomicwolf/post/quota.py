"""How full a mailbox is, where its server tells (QUOTA, RFC 9208): what comes to a full one goes back to its author."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing

from nomicwolf.post.imap_connection import ImapAccount, ImapConnection

_LIST = re.compile(rb"\(([^()]*)\)\s*\Z")


def fullness(account: ImapAccount) -> float | None:
    """Return how much of what a mailbox may hold is used, of bytes or of letters whichever is more; 1 is full.

    None where the server sets no limit, or tells none. `Away` and `Denied` may come.
    """
    connection = ImapConnection(account)
    with closing(connection), connection.telling(opening=True):
        client = connection.client()
        if not client.has_capability("QUOTA"):
            return None
        server = client._imap  # noqa: SLF001 - imapclient doesn't quote the mailbox's name
        status, (_, quotas) = server.getquotaroot(client._normalise_folder(account.mailbox))  # noqa: SLF001
    lines = [line for line in quotas if isinstance(line, bytes)] if status == "OK" else []
    return max((used / most for line in lines for used, most in limits(line) if most), default=None)


def limits(quota: bytes) -> Iterator[tuple[int, int]]:
    """Yield what is used and the limit of each resource in an answer.

    >>> [*limits(b'"User quota" (STORAGE 10 512 MESSAGE 3 50)')]
    [(10, 512), (3, 50)]
    """
    found = _LIST.search(quota)
    words = found[1].split() if found else []
    for used, most in zip(words[1::3], words[2::3], strict=False):
        if used.isdigit() and most.isdigit():
            yield int(used), int(most)
