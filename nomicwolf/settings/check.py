"""The checks of each setting, beyond its type."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Mapping
from dataclasses import replace
from ipaddress import ip_address
from typing import Any

from nomicwolf.settings.keys import (
    ContestSettings,
    ImapSettings,
    NomicSettings,
    OAuthSettings,
    SmtpSettings,
    is_loopback,
)

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


def completed_oauth(oauth: OAuthSettings) -> OAuthSettings:
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
    found = completed_oauth(oauth)
    told = ("scope",) if found.issuer else ("token_url", "scope")
    missing = [key for key in told if not getattr(found, key)]
    if not found.device_url and not found.authorize_url and not found.issuer:
        missing.append("device_url")
    known = ", ".join(name for name in _PROVIDERS if name != "other")
    return [f"oauth.{key}: missing; write what the provider's pages say (with authorize_url where it has no "
            f"device_url, or issuer, which tells them), or name a provider that is known here ({known})"
            for key in missing]


_NO_HOST = re.compile(r"[/@\s]|^$|^\.|\.\.|[^.]{64}")
"""A fault in a host's name, by which no server is looked for (RFC 1035 2.3.4)."""


def address_problems(parts: Mapping[str, Any], nomics: tuple[NomicSettings, ...]) -> list[str]:
    """Say which addresses would let a private letter reach a forum, or one nomic's letter another's."""
    private = _private(parts)
    forums = [(f"nomic.{n.name}.{key}", a) for n in nomics
              for key, a in (("forum", n.forum), ("discussion", n.discussion)) if a]
    ours = {a.lower() for _, a in private}
    problems = [f"{key}: {a} is also the contest's or contestmaster's address, so private letters would be public"
                 for key, a in forums if a.lower() in ours]
    seen = Counter(a.lower() for _, a in forums)
    twice = [f"nomic: {a} is named {n} times; each forum belongs to one nomic" for a, n in seen.items() if n > 1]
    return problems + twice


def _private(parts: Mapping[str, Any]) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    contest: ContestSettings | None = parts.get("contest")
    smtp: SmtpSettings | None = parts.get("smtp")
    if contest is not None:
        found += [("contest.contestmaster.addresses", a) for a in contest.contestmaster.addresses]
        found += [("contest.address", contest.address)] if contest.address else []
    return [*found, ("smtp.from", smtp.sender)] if smtp is not None else found


def part_problems(parts: Mapping[str, Any], given: Container[str], *, mail: bool) -> list[str]:
    """Say what is wrong within each table that could be read.

    Passwords are asked for only if there is *mail*; *given* are the secrets that are somewhere, read or not.
    """
    needed = mail and "oauth" not in parts  # by which one logs in without a password
    problems = [fault for name in ("imap", "smtp")
                for fault in _wire_problems(name, parts.get(name), needed and f"{name}.password" not in given)]
    problems += oauth_problems(parts.get("oauth"))
    absence = parts.get("absence")
    if absence is not None and len(absence.remind) > 2:
        problems.append("absence.remind: is more than two times; whoever is reminded too often stops reading")
    domain = parts.get("domain")
    for address in domain.leaves_from if domain is not None else ():
        try:
            ip_address(address)
        except ValueError:
            problems.append(f"domain.leaves_from: {address!r} is no address; write it like 192.0.2.25 or 2001:db8::25")
    return problems


def _wire_problems(name: str, wire: ImapSettings | SmtpSettings | None, needed: bool) -> list[str]:
    if wire is None:
        return []
    problems = []
    if wire.certificate_file and wire.security == "none":
        problems.append(f"{name}.certificate_file: is shown with encryption alone; set {name}.security")
    if _NO_HOST.search(wire.host):
        problems.append(f"{name}.host: {wire.host!r} is no host's name; write it alone, like {name}.example.org")
    elif wire.security == "none" and not is_loopback(wire.host):
        problems.append(f"{name}.security: none is for loopback only, and {wire.host} is not; use tls or starttls")
    if needed and wire.user and not wire.certificate_file:
        ways = f"{name}.password, {name}.password_file or NOMICWOLF_{name.upper()}_PASSWORD"
        problems.append(f"{name}.password: missing; set {ways}, or write [oauth] (docs/mailboxes.md)")
    return problems
