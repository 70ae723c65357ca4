"""Messages to a web address, by Standard Webhooks.

Each is signed, and sent, refused for now or for good, or lost. Redirects are not followed, and a host's tenants reach
the public network alone (`routes`).
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from hashlib import sha256
from hmac import new as keyed
from typing import Literal, TypeAlias
from urllib.parse import quote, urlsplit

from nomicwolf.post.refusals import Denied
from nomicwolf.post.routes import DIRECTLY, Route
from nomicwolf.post.web import Unreached, asked

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
