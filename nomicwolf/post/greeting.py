"""What time a server for letters out says that it is, in its greeting (RFC 5321 4.2), before anybody logs in."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path

from nomicwolf.letters.headers import seconds
from nomicwolf.post.errors import Away
from nomicwolf.post.reach import DIRECTLY, Route, bare, connected
from nomicwolf.post.refusals import unreached
from nomicwolf.post.tls import context_of

LONGEST = 4096
"""Bytes of a greeting that are read; a line has 512 at most."""
_DATE = re.compile(r"(?:\w{3}, ?)?\d{1,2} \w{3} \d{4} \d\d:\d\d:\d\d [+\-\w]+", re.ASCII)


def told_time(
    host: str, port: int, *, tls: bool, timeout: int, certificate: Path | None = None, route: Route = DIRECTLY
) -> int | None:
    """Return the time (UTC seconds) that the server tells, as many do; None if this one doesn't.

    `Away` if it can't be reached within *timeout* seconds.
    """
    try:
        with (closing(connected(host, port, timeout, encrypted=tls, route=route)) as plain,
              closing(context_of(certificate, "smtp.certificate_file").wrap_socket(plain, server_hostname=bare(host))
                      if tls else plain) as server, server.makefile("rb") as lines):
            greeting = lines.readline(LONGEST).decode("ascii", "replace")
            server.sendall(b"QUIT\r\n")
    except OSError as error:
        raise Away(f"smtp {host}:{port}: {unreached(error)}") from error
    found = _DATE.search(greeting)
    return seconds(found[0]) if greeting.startswith("220") and found is not None else None
