"""How servers are reached: the table ``network`` of `contest.toml`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

PROXY: Mapping[str, Any] = {
    "form": re.compile(r"(?:socks5|socks4|http)://(?:[^\s@/:]+(?::[^\s@/]*)?@)?(?:[^\s@/:?#\[\]]+|\[[0-9A-Fa-f:.]+\])"
                       r":\d{1,5}/?"),
    "else": "must be like socks5://127.0.0.1:9050 or http://user:password@proxy.example.org:8080; in a password write "
            "@ as %40, / as %2F",
    "secret": True,
}


@dataclass(frozen=True, slots=True)
class NetworkSettings:
    """``network``: a *proxy* through which servers are reached, but for this machine and the hosts named *direct*.

    It is for IMAP, SMTP, OAuth 2.0 and webhooks; name servers are asked, and `check` looks at a domain's own servers,
    without it.
    """

    proxy: str = field(default="", repr=False, metadata=PROXY)
    direct: tuple[str, ...] = ()
