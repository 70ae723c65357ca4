"""What time a server for letters out says that it is, in its greeting (RFC 5321 4.2), before anybody logs in."""

from __future__ import annotations

import re
import socket
import ssl
from contextlib import closing

from nomicwolf.letters.dates import seconds
from nomicwolf.post.errors import Away
from nomicwolf.post.refusals import unreached

LONGEST = 4096
"""Bytes of a greeting that are read; a line has 512 at most."""
_DATE = re.compile(r"(?:\w{3}, ?)?\d{1,2} \w{3} \d{4} \d\d:\d\d:\d\d [+\-\w]+", re.ASCII)


def told_time(host: str, port: int, *, tls: bool, timeout: int) -> int | None:
    """Return the time (UTC seconds) that the server tells, as many do; None if this one doesn't.

    `Away` if it can't be reached within *timeout* seconds.
    """
    try:
        with closing(_connected(host, port, tls=tls, timeout=timeout)) as server, server.makefile("rb") as lines:
            greeting = lines.readline(LONGEST).decode("ascii", "replace")
            server.sendall(b"QUIT\r\n")
    except OSError as error:
        raise Away(f"smtp {host}:{port}: {unreached(error)}") from error
    found = _DATE.search(greeting)
    return seconds(found[0]) if greeting.startswith("220") and found is not None else None


def _connected(host: str, port: int, *, tls: bool, timeout: int) -> socket.socket:
    plain = socket.create_connection((host, port), timeout)
    if not tls:
        return plain
    try:
        return ssl.create_default_context().wrap_socket(plain, server_hostname=host)
    except BaseException:
        plain.close()
        raise
