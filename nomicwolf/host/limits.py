"""What one mail server is asked to take, over all workers: so many connections at once, so many letters a minute.

A connection's place is an advisory lock, which the database lets go of with the worker; letters are counted.
"""

from __future__ import annotations

import psycopg

from nomicwolf.host.settings import HostSettings
from nomicwolf.post.refusals import Away

_PLACES = "SELECT place FROM unnest(%s::int[]) place WHERE pg_try_advisory_lock(hashtext(%s), place) LIMIT %s"
_COUNT = """INSERT INTO host.sends AS s VALUES (%s, %s, %s)
            ON CONFLICT (server, minute) DO UPDATE SET count = s.count + excluded.count RETURNING count"""
_FORGET = "DELETE FROM host.sends WHERE minute < %s"


class ServerAllowance:
    """What the mail servers take of one contest now: *server* is the one for letters out.

    *connection* is a session each of whose statements is by itself; it holds the places until `let_go`. Where a server
    takes no more, *room_at* tells when it will: the beginning of a minute (UTC seconds) for letters, 0, which is soon,
    for a place.
    """

    room_at: int | None = None

    def __init__(self, host: HostSettings, connection: psycopg.Connection, server: str, minute: int) -> None:
        self._host = host
        self._connection = connection
        self._server = server.lower()
        self._minute = minute
        self._reads = ""
        self._held: list[int] = []

    def connections(self, wanted: int) -> int:
        """Return how many of so many connections may be made now.

        The one to the mailbox has been closed: its place is one of them, or is let go of if it was another server's.
        """
        if self._reads != self._server:
            self.let_go()
        self._take(self._server, wanted)
        if not self._held:
            self.room_at = 0
        return min(wanted, len(self._held))

    def letters(self, wanted: int) -> int:
        """Return how many of so many letters may be sent in this minute, and count them.

        That is a quarter of a minute's at once; who wants more comes again soon, behind those who came meanwhile. All
        that are asked for are counted, and so tell in which minute to come for what was not granted: whoever is turned
        away later comes later, and no minute is asked for more than its letters.
        """
        most = self._host.limits.sends
        asked = min(wanted, -(-most // 4))
        row = self._connection.execute(_COUNT, (self._server, self._minute, asked)).fetchone()
        before = row[0] - asked if row else 0
        granted = max(0, min(asked, most - before))
        if granted < asked:
            self.room_at = 60 * (self._minute + max(before, most) // most)
        elif asked < wanted:
            self.room_at = 0
        return granted

    def demand_place(self, server: str) -> None:
        """Take a place at the server that letters come from; `Away` if all are taken."""
        self._reads = server.lower()
        self._take(self._reads, 1)
        if not self._held:
            most, self.room_at = self._host.limits.connections, 0
            raise Away(f"{server}: {most} connections are open already; this contest's turn comes later")

    def _take(self, server: str, wanted: int) -> None:
        """Hold so many places at a server, or as many as there are; a session is given what it holds once more."""
        others = [place for place in range(1, self._host.limits.connections + 1) if place not in self._held]
        rows = self._connection.execute(_PLACES, (others, server, max(0, wanted - len(self._held))))
        self._held += [place for (place,) in rows]

    def let_go(self) -> None:
        """Let go of all places."""
        if self._held:
            self._held.clear()
            self._connection.execute("SELECT pg_advisory_unlock_all()")


def forget(connection: psycopg.Connection, minute: int) -> None:
    """Forget what was counted before *minute*."""
    connection.execute(_FORGET, (minute,))
