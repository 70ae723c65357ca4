"""Exchanges with web servers, and webhooks.

A redirect is an answer like any other, and is not followed. However slowly a server talks, and whatever it says on the
way, the exchange has its end.

A message to a web address is signed (Standard Webhooks), and sent, refused for now or for good, or lost. A host's
tenants reach the public network alone (`routes`).
"""

from __future__ import annotations

import ssl
from base64 import b64decode, b64encode
from collections.abc import Mapping
from contextlib import closing
from hashlib import sha256
from hmac import new as keyed
from http.client import HTTPConnection, HTTPException
from typing import Literal, TypeAlias
from urllib.parse import quote, urlsplit

from nomicwolf.post.refusals import Denied
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


Fate: TypeAlias = Literal["sent", "later", "refused", "unknown"]
PREFIX = "whsec_"


def signature(secret: str, message_id: str, at: int, body: bytes) -> str:
    """Return the signature of a message: ``v1,`` and the HMAC-SHA-256 of its id, its time and its body in base64."""
    key = b64decode(secret.removeprefix(PREFIX)) if secret.startswith(PREFIX) else secret.encode()
    signed = b".".join((message_id.encode(), str(at).encode(), body))
    return f"v1,{b64encode(keyed(key, signed, sha256).digest()).decode('ascii')}"


def deliver(
    url: str, message_id: str, at: int, body: bytes, *, secret: str = "", token: str = "", put: bool = False,
    timeout: float = 10, route: Route = DIRECTLY,
) -> tuple[Fate, str]:
    """Send a message; return its fate, and why it wasn't sent. With *put*, the id is part of the address.

    *unknown*: the connection broke, or *timeout* seconds were over, after the message was begun, so it may be there.
    """
    parts = urlsplit(url)
    if put:
        url = parts._replace(path=f"{parts.path.rstrip('/')}/{quote(message_id)}").geturl()
    fields = {"Content-Type": "application/json", "webhook-id": message_id, "webhook-timestamp": str(at)}
    if secret:
        fields["webhook-signature"] = signature(secret, message_id, at, body)
    if token:
        fields["Authorization"] = f"Bearer {token}"
    try:
        status, _ = asked("PUT" if put else "POST", url, timeout, fields=fields, body=body, route=route, longest=0)
    except Denied as error:
        return "refused", str(error)
    except Unreached as error:
        return "later", str(error)
    except OSError as error:
        return "unknown", str(error)
    return _fate(status)


def _fate(status: int) -> tuple[Fate, str]:
    if 200 <= status < 300:
        return "sent", ""
    return ("later" if status >= 500 or status in (408, 425, 429) else "refused"), f"answers {status}"
