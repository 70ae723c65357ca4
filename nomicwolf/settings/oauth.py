"""``oauth``: how the contest logs in to its mailbox where no password is taken (OAuth 2.0, RFC 6749)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

_LOOPBACK = r"(?:127\.0\.0\.1|localhost|\[::1\])"
ENDPOINT: Mapping[str, Any] = {
    "form": re.compile(rf"https://[^\s/@]+(?:/\S*)?|http://{_LOOPBACK}(?::\d+)?(?:/\S*)?"),
    "else": "must be an address that begins with https://",
}
REDIRECT: Mapping[str, Any] = {
    "form": re.compile(rf"http://{_LOOPBACK}(?::\d{{1,5}})?(?:/[^\s?#]*)?"),
    "else": "must lead to this machine, like http://127.0.0.1/ or http://localhost:8400/",
}


@dataclass(frozen=True, slots=True)
class OAuthSettings:
    """``oauth``: the program as the provider knows it (*client_id*), and where the provider is asked.

    A *provider* that is known here brings the addresses and the scope; each can be set nevertheless. An *issuer* tells
    those addresses itself that aren't set (RFC 8414, OpenID Connect Discovery). *redirect_url* is where a browser on
    this machine hands the answer over; without a port in it, any free one is taken (RFC 8252 7.3).
    """

    client_id: str
    provider: Literal["microsoft", "google", "yahoo", "fastmail", "other"] = "other"
    client_secret: str = field(default="", repr=False, metadata={"secret": True})
    issuer: str = field(default="", metadata=ENDPOINT)
    token_url: str = field(default="", metadata=ENDPOINT)
    device_url: str = field(default="", metadata=ENDPOINT)
    authorize_url: str = field(default="", metadata=ENDPOINT)
    scope: str = ""
    redirect_url: str = field(default="http://127.0.0.1/", metadata=REDIRECT)


_MICROSOFT = "https://login.microsoftonline.com/common/oauth2/v2.0"
_PROVIDERS: Mapping[str, Mapping[str, str]] = {
    "microsoft": {
        "token_url": f"{_MICROSOFT}/token", "device_url": f"{_MICROSOFT}/devicecode",
        "authorize_url": f"{_MICROSOFT}/authorize",
        "scope": "https://outlook.office.com/IMAP.AccessAsUser.All https://outlook.office.com/SMTP.Send offline_access",
    },
    # Google's devices can't have the scope of mail, and a refresh token comes only to who asks for it, and asks again.
    "google": {
        "token_url": "https://oauth2.googleapis.com/token", "scope": "https://mail.google.com/",
        "authorize_url": "https://accounts.google.com/o/oauth2/v2/auth?access_type=offline&prompt=consent",
    },
    "yahoo": {
        "token_url": "https://api.login.yahoo.com/oauth2/get_token", "scope": "mail-w",
        "authorize_url": "https://api.login.yahoo.com/oauth2/request_auth",
    },
    "fastmail": {
        "token_url": "https://api.fastmail.com/oauth/refresh",
        "authorize_url": "https://api.fastmail.com/oauth/authorize",
        "scope": "https://www.fastmail.com/dev/protocol-imap https://www.fastmail.com/dev/protocol-smtp",
    },
    "other": {},
}


def whole(oauth: OAuthSettings) -> OAuthSettings:
    """Return the settings with what the provider brings where they are silent."""
    usual = _PROVIDERS[oauth.provider]
    return replace(
        oauth, token_url=oauth.token_url or usual.get("token_url", ""), scope=oauth.scope or usual.get("scope", ""),
        device_url=oauth.device_url or usual.get("device_url", ""),
        authorize_url=oauth.authorize_url or usual.get("authorize_url", ""))


def oauth_problems(oauth: OAuthSettings | None) -> list[str]:
    """Say what is missing of a provider that isn't known here."""
    if oauth is None:
        return []
    found = whole(oauth)
    told = ("scope",) if found.issuer else ("token_url", "scope")
    missing = [key for key in told if not getattr(found, key)]
    if not found.device_url and not found.authorize_url and not found.issuer:
        missing.append("device_url")
    known = ", ".join(name for name in _PROVIDERS if name != "other")
    return [f"oauth.{key}: missing; write what the provider's pages say (with authorize_url where it has no "
            f"device_url, or issuer, which tells them), or name a provider that is known here ({known})"
            for key in missing]
