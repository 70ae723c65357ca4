"""What a server's refusal is about: a letter and whom it is for, or us, who could send or read nothing at all."""

from __future__ import annotations

import re
import socket
import ssl
from base64 import b64encode
from collections.abc import Iterable
from typing import Literal, TypeAlias

from nomicwolf.post.errors import Denied
from nomicwolf.post.sasl import BY_TOKEN, words

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
    """Return what of us a server refuses, whatever the letter, as far as *code* and what it *said* tell.

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
    """Whether a server refuses what MAIL asks for besides the sender, such as SMTPUTF8 (RFC 5321 4.1.1.11)."""
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


def without(said: str, user: str, password: str, tokens: Iterable[str] = ()) -> str:
    """Return what a server *said* without password and tokens, should it have repeated what it was told.

    A password is told as it is or by RFC 4616 or 2195, a token as `sasl.words`.
    """
    told = [password, f"\0{user}\0{password}"] if password else []
    for token in tokens:
        told += [token, *(words(each, user, token) for each in BY_TOKEN)]
    for secret in (*(b64encode(each.encode()).decode() for each in told), *told):
        said = said.replace(secret, "...")
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
