"""One exchange with a web server: a request, and its answer.

A redirect is an answer like any other, and is not followed. However slowly a server talks, and whatever it says on the
way, the exchange has its end.
"""

from __future__ import annotations

import ssl
from collections.abc import Mapping
from contextlib import closing
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlsplit

from nomicwolf.post.routes import DIRECTLY, PORTS, Route, connected, hurried

LONGEST = 100_000
"""Bytes of an answer that are read."""


class Unreached(OSError):
    """No server was reached, or none that is who it should be: nothing was sent."""


def asked(
    method: str, url: str, seconds: float, *, fields: Mapping[str, str] | None = None, body: bytes | None = None,
    route: Route = DIRECTLY, address: str = "", longest: int = LONGEST,
) -> tuple[int, bytes]:
    """Return the status of the answer to a request, and the first *longest* bytes of what it holds.

    It is over after so many *seconds*. With an *address*, the server is looked for there and must still prove its name.
    `Unreached` if nothing was sent, another OSError if it isn't known what became of it; `Denied` if it may not be.
    """
    parts = urlsplit(url)
    host, tls = parts.hostname or "", parts.scheme == "https"
    kind: type[OSError] = Unreached
    with closing(HTTPConnection(host)) as connection:
        try:
            line = connected(address or host, parts.port or PORTS[parts.scheme], seconds, encrypted=tls, route=route)
            connection.sock = line
            with hurried(line, seconds):
                if tls:
                    connection.sock = ssl.create_default_context().wrap_socket(line, server_hostname=host)
                kind = OSError
                path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
                connection.request(method, path, body, {
                    "Host": parts.netloc, "User-Agent": "nomicwolf", "Connection": "close", **(fields or {})})
                with connection.getresponse() as answer:
                    return answer.status, answer.read(longest) if longest else b""
        except (OSError, HTTPException) as error:
            raise kind(str(error) or type(error).__name__) from error
