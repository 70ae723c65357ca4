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
_KNOWN: tuple[tuple[re.Pattern[str], str, str], ...] = tuple(
    (re.compile(form, re.IGNORECASE), by_password, by_token) for form, by_password, by_token in (
        # Exchange Online and Outlook.com
        (r"basic authentication is disabled", f"it takes OAuth 2.0 and no password: {BY_OAUTH}", ""),
        (r"SmtpClientAuthentication is disabled|security defaults policy|did not meet the criteria", _POLICY, _POLICY),
        (r"authenticated but not connected", "", f"{_ALLOW}, and see that {{name}}.user is the account that logged in"),
        # Gmail
        (r"not enabled for IMAP|IMAP access is disabled", _ALLOW, _ALLOW),
        (r"application-specific password|app password|\b5\.7\.9\b",
         f"make an app password in the account's settings and set {{name}}.password to it, or {BY_OAUTH}", ""),
        (r"web browser|\b5\.7\.14\b", _BROWSE, _BROWSE),
    ))


def remedy(name: str, said: str, offers: Collection[str], *, by_token: bool) -> str:
    """Return what to do about a refused login at the *name*d server (``imap``, ``smtp``), which *offers* mechanisms.

    >>> remedy("imap", "LOGIN failed.", ["PLAIN"], by_token=False)
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
    keys = f"set {name}.user and {name}.password"
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
