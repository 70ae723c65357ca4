"""What one mail server is asked to take, over all workers: so many connections at once, so many letters a minute.

A connection's place is an advisory lock, which the database lets go of with the worker; letters are counted.
"""

from __future__ import annotations

import psycopg

from nomicwolf.host.settings import HostSettings
from nomicwolf.post.errors import Away

_PLACES = """SELECT place FROM generate_series(1, %s) place
             WHERE pg_try_advisory_lock(hashtext(%s), place) LIMIT %s"""
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
        self._server = server
        self._minute = minute
        self._holds = False

    def connections(self, wanted: int) -> int:
        """Return how many of so many connections may be made now."""
        found = self._places(self._server, wanted)
        if wanted and not found:
            self.room_at = 0
        return found

    def letters(self, wanted: int) -> int:
        """Return how many of so many letters may be sent in this minute, and count them.

        All that were wanted are counted, and so tell in which minute to come for what was not granted: whoever is
        turned away later comes later, and no minute is asked for more than its letters.
        """
        most = self._host.limits.sends
        row = self._connection.execute(_COUNT, (self._server, self._minute, wanted)).fetchone()
        before = row[0] - wanted if row else 0
        granted = max(0, min(wanted, most - before))
        if granted < wanted:
            self.room_at = 60 * (self._minute + max(before, most) // most)
        return granted

    def demand_place(self, server: str) -> None:
        """Take a place at the server that letters come from; `Away` if all are taken."""
        if not self._places(server, 1):
            most, self.room_at = self._host.limits.connections, 0
            raise Away(f"{server}: {most} connections are open already; this contest's turn comes later")

    def _places(self, server: str, wanted: int) -> int:
        self._holds = True
        return len(self._connection.execute(_PLACES, (self._host.limits.connections, server, wanted)).fetchall())

    def let_go(self) -> None:
        """Let go of all places."""
        if self._holds:
            self._connection.execute("SELECT pg_advisory_unlock_all()")


def forget(connection: psycopg.Connection, minute: int) -> None:
    """Forget what was counted before *minute*."""
    connection.execute(_FORGET, (minute,))
