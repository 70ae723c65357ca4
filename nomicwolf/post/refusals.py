"""Errors, logins and servers' refusals.

A refusal is about a letter and its recipient, or about us, who could send or read nothing at all; a remedy says what to
do about a refused login. A login is by password, by a token (XOAUTH2, and OAUTHBEARER of RFC 7628), or by SCRAM
(RFC 5802, 7677).
"""

from __future__ import annotations

import re
import socket
import ssl
from base64 import b64encode
from collections.abc import Callable, Collection, Iterable
from typing import Literal, Protocol, TypeAlias


class PostError(Exception):
    """Mail can't be read or sent as things are; the text names the server, and what to do."""


class Away(PostError):
    """A server is not to be had now; the next run tries again (exit status 75)."""


class Denied(PostError):
    """A server or a file refuses us, and will until someone changes the settings or the rights."""


class Locked(PostError):
    """Another run is at work; the next one will do."""


BY_TOKEN = ("OAUTHBEARER", "XOAUTH2")
"""The mechanisms, the standard one first."""
BY_PROOF = ("SCRAM-SHA-256", "SCRAM-SHA-1")
"""The mechanisms by which a password isn't told, but proved, and the server proves that it knows it; the best first."""


class Bearer(Protocol):
    """Knows the token by which the contest logs in, and renews it."""

    def __call__(self, refused: str = "") -> str:
        """Return an access token; another than the *refused* one, if there can be one. `Away` and `Denied` may come."""


def sasl_words(mechanism: str, user: str, token: str) -> str:
    r"""Return a client's first words.

    >>> sasl_words("XOAUTH2", "wolf", "t0k"), sasl_words("OAUTHBEARER", "a,b", "t0k")
    ('user=wolf\x01auth=Bearer t0k\x01\x01', 'n,a=a=2Cb,\x01auth=Bearer t0k\x01\x01')
    """
    if mechanism == "XOAUTH2":
        return f"user={user}\1auth=Bearer {token}\1\1"
    name = user.replace("=", "=3D").replace(",", "=2C")
    return f"n,a={name},\1auth=Bearer {token}\1\1"


def speaker(mechanism: str, user: str, token: str) -> Callable[[bytes], bytes]:
    """Return what answers a server: its first word by ours, and why it refuses them by nothing but a nod (3.2.3).

    imapclient's own `oauthbearer_login` tells the token once more there.
    """
    return spoken(sasl_words(mechanism, user, token).encode(), b"\1" if mechanism == "OAUTHBEARER" else b"")


def spoken(*words: bytes) -> Callable[[bytes], bytes]:
    """Return what answers a server with one of *words* after the other; ValueError for one that asks on and on."""
    left = iter(words)

    def answer(_: bytes) -> bytes:
        for word in left:
            return word
        raise ValueError("it asks on and on")

    return answer


def by_token_only(mechanisms: Iterable[str]) -> bool:
    """Return whether a server that offers these *mechanisms* takes tokens, and no password in any way."""
    offered = {each.upper() for each in mechanisms}
    return bool(offered) and offered <= set(BY_TOKEN)


def by_proof(mechanisms: Iterable[str]) -> str:
    """Return the best mechanism by proof that is offered, '' if none is."""
    offered = {each.upper() for each in mechanisms}
    return next((each for each in BY_PROOF if each in offered), "")


class Proof:
    """A client in a login by proof, in which the server has *proved* itself, too, in the end."""

    def __init__(self, mechanism: str, user: str, password: str, where: str) -> None:
        from scramp import ScramClient

        self._client = ScramClient([mechanism], user, password)
        self._where = where
        self._step = 0
        self.proved = False

    def __call__(self, challenge: bytes) -> bytes:
        """Return the answer to a challenge; `Denied` if the server doesn't prove that it knows the password."""
        from scramp import ScramException

        self._step += 1
        try:
            if self._step == 1:
                return str(self._client.get_client_first()).encode()
            if self._step == 2:
                self._client.set_server_first(challenge.decode())
                return str(self._client.get_client_final()).encode()
            self._client.set_server_final(challenge.decode())
        except (ScramException, UnicodeDecodeError) as error:
            raise self.unproved() from error
        self.proved = True
        return b""

    def unproved(self) -> Denied:
        """Return the error for a server that lets us in without a proof."""
        return Denied(f"{self._where}: doesn't prove that it knows the password, so it may be somebody else's server; "
                      "look at its name, and tell whoever runs it")


About: TypeAlias = Literal["login", "sender", "host", "blocked"]
"""What of us a server refuses."""
_SENDER = (r"\b5\.7\.60\b|\b5\.2\.252\b|SendAsDenied|not owned by user|not authori[sz]ed to send (?:from|as)|"
           r"(?:from|sender) address (?:is )?not verified|permissions? to send as|sender address rejected|sender verif|"
           r"\b5\.1\.[78]\b")
_ABOUT: tuple[tuple[str, About], ...] = (
    (r"bad outbound sender", "blocked"),
    (_SENDER, "sender"),
    (r"relay|\b5\.7\.(?:8|9|11|57|64)\b|authentication required|not authenticated|must (?:log|auth)", "login"),
    (r"client host|helo command|blocked using|reverse dns|reverse hostname|block ?list|\b5\.7\.2[0-7]\b", "host"),
)
_LIMITED = re.compile(
    r"\b5\.4\.5\b|SubmissionQuotaExceeded|(?:sending|daily|hourly|submission)[\w ]* (?:limit|quota)", re.IGNORECASE)

_NOT_TLS = ("WRONG_VERSION_NUMBER", "UNKNOWN_PROTOCOL", "HTTP_REQUEST", "PACKET_LENGTH_TOO_LONG")
_OURS = ("CERTIFICATE_REQUIRED", "ALERT_UNKNOWN_CA", "ALERT_BAD_CERTIFICATE", "ALERT_UNSUPPORTED_CERTIFICATE",
         "ALERT_CERTIFICATE_", "ALERT_HANDSHAKE_FAILURE", "ALERT_ACCESS_DENIED")
"""What a server says, as OpenSSL names it, to whom it wants to see another certificate of (RFC 8446 6.2)."""
_UNREACHED = (ConnectionRefusedError, socket.gaierror, TimeoutError)


def about_us(code: int, said: str) -> About | None:
    """Return what of us a server refuses, whatever the letter, by *code* and what it *said*.

    It wants a login or doesn't relay (RFC 4954 6), our host or name is blocked, or our address isn't one that may send
    (RFC 3463 3.2, 3.8; RFC 7372). Postfix says so only when it is told the recipient, and some say it for now (4yz).
    """
    if code == 530:
        return "login"
    found: About | None = next((what for form, what in _ABOUT if re.search(form, said, re.IGNORECASE)), None)
    return found if code >= 500 or (code == 454 and found == "login") else None


def is_limited(said: str) -> bool:
    """Return whether a server refuses for good what it would take later: some say so of their limits, with 5yz.

    >>> is_limited("550 5.4.5 Daily user sending limit exceeded"), is_limited("552 5.2.2 over quota")
    (True, False)
    """
    return _LIMITED.search(said) is not None


def about_options(code: int, said: str) -> bool:
    """Return whether a server refuses an option of MAIL, such as SMTPUTF8 (RFC 5321 4.1.1.11)."""
    return code in (501, 504, 555) or re.search(r"\b5\.(?:5\.4|6\.7)\b|smtputf8", said, re.IGNORECASE) is not None


def no_tls(error: BaseException, where: str, key: str) -> Denied | None:
    """Return what is wrong if *error* is of TLS, and waiting mends nothing; *key* is the setting. None for any other.

    A certificate that isn't trusted may be somebody's on the way (RFC 8314 5.1), so nothing is told to that server.
    """
    cause = error if isinstance(error, ssl.SSLError) else error.__cause__
    if isinstance(cause, ssl.SSLCertVerificationError):
        return Denied(f"{where}: its certificate is not good for that name: {cause.verify_message}")
    if isinstance(cause, ssl.SSLError) and cause.reason in _NOT_TLS:
        return Denied(f"{where}: doesn't speak TLS at that port; set {key}")
    if isinstance(cause, ssl.SSLError) and any(each in (cause.reason or "") for each in _OURS):
        return Denied(f"{where}: wants a certificate of ours that it knows ({cause.reason}); set "
                      f"{where.partition(' ')[0]}.certificate_file")
    return None


_SHORT = 5  # letters of a password that may stand in any word by chance


def without(said: str, user: str, password: str, tokens: Iterable[str] = ()) -> str:
    """Return what a server *said* without password and tokens, in case it repeated them.

    A password is told as it is or by RFC 4616 or 2195, a token as `sasl.words`.
    """
    told = [password, f"\0{user}\0{password}"] if password else []
    for token in tokens:
        told += [token, *(sasl_words(each, user, token) for each in BY_TOKEN)]
    every = (*(b64encode(each.encode()).decode() for each in told), *told)
    for secret in sorted(every, key=len, reverse=True):  # one may be the end of another
        form = re.escape(secret)
        said = re.sub(form if len(secret) > _SHORT else rf"(?<!\w){form}(?!\w)", "...", said)
    return said


def unreached(error: BaseException) -> str:
    """Return in words why a server could not be reached; what the system or a library says where there are none.

    >>> unreached(ConnectionRefusedError(111, "Connection refused"))
    'nothing listens there; look whether the server is up, and at host and port'
    """
    found: BaseException | None = error
    while found is not None and not isinstance(found, _UNREACHED):
        found = found.__cause__
    match found:
        case ConnectionRefusedError():
            return "nothing listens there; look whether the server is up, and at host and port"
        case socket.gaierror():
            return "no host of that name is found; look at its spelling, and whether this machine is online"
        case TimeoutError():
            return f"no answer in time ({error})" if str(error) else "no answer in time"
        case _:
            return str(error)


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
_OWN_PASSWORD = re.compile(r"Invalid credentials \(Failure\)|Username and Password not accepted", re.IGNORECASE)
"""What Gmail says of the account's own password as of any that is wrong."""
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
        takes = ("or an app password in place of the account's own: make one in the account's settings, or"
                 if _OWN_PASSWORD.search(said) else "alone:")
        return f"{keys}; if they are right, it takes OAuth 2.0 {takes} {BY_OAUTH}"
    return keys


def known(name: str, said: str, *, by_token: bool) -> str:
    """Return what to do about what a server *said*, if it is a sentence of a known provider's; else nothing."""
    for form, by_password, instead in _KNOWN:
        advice = instead if by_token else by_password
        if advice and form.search(said):
            return advice.format(name=name)
    return ""
