"""What one mail server is asked to take, over all workers: so many connections at once, so many letters a minute.

A connection's place is an advisory lock, which the database lets go of with the worker; letters are counted.
"""

from __future__ import annotations

import psycopg

from nomicwolf.host.settings import HostSettings
from nomicwolf.post.errors import Away

_PLACES = """SELECT place FROM generate_series(1, %s) place
             WHERE pg_try_advisory_xact_lock(hashtext(%s), place) LIMIT %s"""
_COUNT = """INSERT INTO host.sends AS s VALUES (%s, %s, 0) ON CONFLICT (server, minute) DO UPDATE SET count = s.count
            RETURNING count"""
_TAKE = "UPDATE host.sends SET count = count + %s WHERE server = %s AND minute = %s"
_FORGET = "DELETE FROM host.sends WHERE minute < %s"


class ServerAllowance:
    """What the server for letters out takes of one contest now; places are held as long as *connection* is."""

    def __init__(self, host: HostSettings, connection: psycopg.Connection, server: str, minute: int) -> None:
        self._host = host
        self._connection = connection
        self._server = server
        self._minute = minute

    def connections(self, wanted: int) -> int:
        """Return how many of so many connections may be made now."""
        return places(self._host, self._connection, self._server, wanted)

    def letters(self, wanted: int) -> int:
        """Return how many of so many letters may be sent in this minute, and count them."""
        with psycopg.connect(self._connection.info.dsn, password=self._connection.info.password) as counting:
            row = counting.execute(_COUNT, (self._server, self._minute)).fetchone()
            granted = max(0, min(wanted, self._host.limits.sends - (row[0] if row else 0)))
            counting.execute(_TAKE, (granted, self._server, self._minute))
        return granted


def places(host: HostSettings, connection: psycopg.Connection, server: str, wanted: int) -> int:
    """Take up to so many of a server's places until the transaction of *connection* ends; return how many it got."""
    taken = connection.execute(_PLACES, (host.limits.connections, server, wanted)).fetchall()
    return len(taken)


def demand_place(host: HostSettings, connection: psycopg.Connection, server: str) -> None:
    """Take a place at the server that letters come from; `Away` if all are taken."""
    if not places(host, connection, server, 1):
        raise Away(f"{server}: {host.limits.connections} connections are open already; this contest's turn comes later")


def forget(connection: psycopg.Connection, minute: int) -> None:
    """Forget what was counted before *minute*."""
    connection.execute(_FORGET, (minute,))
