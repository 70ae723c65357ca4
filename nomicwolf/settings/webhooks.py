"""Who is told of public facts as they happen: the tables ``webhook.NAME`` of `contest.toml`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

URL: Mapping[str, Any] = {
    "form": re.compile(r"https://[^\s/@:?#]+(?::\d{1,5})?(?:/[^\s#]*)?|"
                       r"http://(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?(?:/[^\s#]*)?"),
    "else": "must be an address that begins with https://",
    "secret": True,
}
USUAL = (
    "session-started", "phase-began", "stage-began", "lynched", "deaths-announced", "disclosed", "announced", "removed",
    "replaced", "ended", "awarded", "session-stopped", "extended",
)  # fmt: skip
"""The events that are told unless the settings name others."""


@dataclass(frozen=True, slots=True)
class WebhookSettings:
    """``webhook.<name>``: an address that is told of public facts.

    *url* may itself be a secret, as Discord's is. *secret* signs what is sent (HMAC-SHA-256, Standard Webhooks),
    *token* goes with it as Matrix wants it. *events* are the names of the events that are told (``*``: all public).
    """

    name: str
    url: str = field(repr=False, metadata=URL)
    secret: str = field(default="", repr=False, metadata={"secret": True})
    token: str = field(default="", repr=False, metadata={"secret": True})
    format: Literal["json", "discord", "matrix"] = "json"
    events: tuple[str, ...] = USUAL
    timeout: int = 10
