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

    *connection* is a session each of whose statements is by itself; it holds the places until `let_go`.
    """

    def __init__(self, host: HostSettings, connection: psycopg.Connection, server: str, minute: int) -> None:
        self._host = host
        self._connection = connection
        self._server = server
        self._minute = minute
        self._holds = False

    def connections(self, wanted: int) -> int:
        """Return how many of so many connections may be made now."""
        return self._places(self._server, wanted)

    def letters(self, wanted: int) -> int:
        """Return how many of so many letters may be sent in this minute, and count them.

        All that were wanted are counted: if fewer are granted, nothing is left of this minute either way.
        """
        row = self._connection.execute(_COUNT, (self._server, self._minute, wanted)).fetchone()
        before = row[0] - wanted if row else 0
        return max(0, min(wanted, self._host.limits.sends - before))

    def demand_place(self, server: str) -> None:
        """Take a place at the server that letters come from; `Away` if all are taken."""
        if not self._places(server, 1):
            most = self._host.limits.connections
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
