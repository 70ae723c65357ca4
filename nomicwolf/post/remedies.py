"""What to do about a login that a server refuses, by what it said and which logins it offers."""

from __future__ import annotations

import re
from collections.abc import Collection

from nomicwolf.post.sasl import BY_TOKEN, by_token_only

LOG_IN = "give nomicwolf login"
BY_OAUTH = f"write [oauth] into contest.toml without a password (docs/mailboxes.md), and {LOG_IN}"
_POLICY = ("allow this mailbox to send by authenticated SMTP, as its administrator (docs/mailboxes.md, Microsoft), and "
           "look whether the organisation's security defaults forbid it")
_ALLOW = "allow IMAP in the mailbox's own settings"
_BROWSE = "log in to the mailbox in a web browser once, answer what it asks, and try again"
_APP = f"make an app password in the account's settings and set {{name}}.password to it, or {BY_OAUTH}"
_RENEW = "it has run out: set a new one with the provider, and as {name}.password"
_ADMIN = "ask whoever runs that server about this account; its settings here may be right"
_WAIT = ("wait an hour before the next try, for each wrong one lengthens that; then set {name}.password to an app "
         "password made in the account's settings")
_BLOCKED = ("the provider has stopped this mailbox from sending; unblock it there (Microsoft: the account's security "
            "page, for an organisation Restricted entities in Defender)")
_KNOWN: tuple[tuple[re.Pattern[str], str, str], ...] = tuple(
    (re.compile(form, re.IGNORECASE), by_password, by_token) for form, by_password, by_token in (
        # Exchange Online and Outlook.com
        (r"basic authentication is disabled", f"it takes OAuth 2.0 and no password: {BY_OAUTH}", ""),
        (r"SmtpClientAuthentication is disabled|security defaults policy|did not meet the criteria", _POLICY, _POLICY),
        (r"5\.7\.139", f"it takes OAuth 2.0 and, of most accounts, no password: {BY_OAUTH}", ""),
        (r"authenticated but not connected", "", f"{_ALLOW}, and see that {{name}}.user is the account that logged in"),
        (r"bad outbound sender", _BLOCKED, _BLOCKED),
        # Gmail
        (r"not enabled for IMAP|IMAP access is disabled", _ALLOW, _ALLOW),
        (r"application-specific password|app password|\b5\.7\.9\b", _APP, ""),
        (r"web browser|\b5\.7\.14\b", _BROWSE, _BROWSE),
        # Yahoo, AOL and Yandex; Fastmail
        (r"AUTH005|too many (?:bad|failed|invalid) (?:auth|log)", _WAIT, _WAIT),
        (r"or IMAP is disabled", f"{_ALLOW}; then {_APP}", _ALLOW),
        (r"(?:LOGIN|AUTHENTICATE) Invalid credentials|incorrect username or password", _APP, ""),
        # RFC 5530, and servers that want encryption first (RFC 4954 6)
        (r"\[EXPIRED\]|password (?:has )?expired", _RENEW, ""),
        (r"\[CONTACTADMIN\]|account (?:is )?(?:locked|disabled|suspended)", _ADMIN, _ADMIN),
        (r"\b5\.7\.(?:4|11)\b|\b538\b|encryption required|STARTTLS (?:command )?first", "set {name}.security",
         "set {name}.security"),
    ))


def remedy(name: str, said: str, offers: Collection[str], user: str = "", *, by_token: bool) -> str:
    """Return what to do about a refused login of *user* at the *name*d server, which *offers* mechanisms.

    >>> remedy("imap", "LOGIN failed.", ["PLAIN"], "wolf@example.org", by_token=False)
    'set imap.user and imap.password'
    """
    if found := known(name, said, by_token=by_token):
        return found
    if by_token:
        if offers and not any(each.upper() in BY_TOKEN for each in offers):
            return f"set {name}.password, for it takes no OAuth 2.0; or look at {name}.host and {name}.security"
        return f"{LOG_IN} anew, as the account that {name}.user names, and look whether it may use {name.upper()}"
    if by_token_only(offers):
        return f"it takes OAuth 2.0 and no password: {BY_OAUTH}"
    if "PRIVACYREQUIRED" in said.upper():  # RFC 5530
        return f"set {name}.security"
    keys = f"set {name}.user{' (often the whole address)' * ('@' not in user)} and {name}.password"
    if any(each.upper() in BY_TOKEN for each in offers):
        return f"{keys}; if they are right, it takes OAuth 2.0 alone: {BY_OAUTH}"
    return keys


def known(name: str, said: str, *, by_token: bool) -> str:
    """Return what to do about what a server *said*, if it is a sentence of a known provider's; else nothing."""
    for form, by_password, instead in _KNOWN:
        advice = instead if by_token else by_password
        if advice and form.search(said):
            return advice.format(name=name)
    return ""
