"""Messages to a web address, by Standard Webhooks.

Each is signed, and sent, refused for now or for good, or lost. Redirects are not followed, and a host's tenants reach
the public network alone (`routes`).
"""

from __future__ import annotations

import ssl
from base64 import b64decode, b64encode
from collections.abc import Mapping
from hashlib import sha256
from hmac import new as keyed
from http.client import HTTPException, HTTPResponse
from typing import Literal, TypeAlias
from urllib.parse import quote, urlsplit

from nomicwolf.post.refusals import Denied
from nomicwolf.post.routes import DIRECTLY, PORTS, Route, connected

Fate: TypeAlias = Literal["sent", "later", "refused", "unknown"]
PREFIX = "whsec_"
_LONGEST = 100_000


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

    *unknown*: the connection broke after the message was begun, so it may be there.
    """
    parts = urlsplit(url)
    host, port = parts.hostname or "", parts.port or PORTS[parts.scheme]
    path = (parts.path.rstrip("/") + f"/{quote(message_id)}" if put else parts.path or "/") + (
        f"?{parts.query}" if parts.query else "")
    fields = {"Host": parts.netloc, "Content-Type": "application/json", "Content-Length": str(len(body)),
              "User-Agent": "nomicwolf", "Connection": "close", "webhook-id": message_id, "webhook-timestamp": str(at)}
    if secret:
        fields["webhook-signature"] = signature(secret, message_id, at, body)
    if token:
        fields["Authorization"] = f"Bearer {token}"
    try:
        line = connected(host, port, timeout, encrypted=parts.scheme == "https", route=route)
        if parts.scheme == "https":
            line = ssl.create_default_context().wrap_socket(line, server_hostname=host)
    except Denied as error:
        return "refused", str(error)
    except OSError as error:
        return "later", str(error) or type(error).__name__
    with line:
        try:
            line.settimeout(timeout)
            line.sendall(_head("PUT" if put else "POST", path, fields) + body)
            answer = HTTPResponse(line)
            answer.begin()
            answer.read(_LONGEST)
        except (OSError, HTTPException) as error:
            return "unknown", str(error) or type(error).__name__
    return _fate(answer.status)


def _head(method: str, path: str, fields: Mapping[str, str]) -> bytes:
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items()), "", ""]
    return "\r\n".join(lines).encode("ascii", "replace")


def _fate(status: int) -> tuple[Fate, str]:
    if 200 <= status < 300:
        return "sent", ""
    return ("later" if status >= 500 or status in (408, 425, 429) else "refused"), f"answers {status}"
