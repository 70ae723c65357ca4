"""Servers' refusals, logins, and the sending pace.

A refusal is about a letter and its recipient, or about us, who could send or read nothing at all; a remedy says what to
do about a refused login. A login is by password, by a token (XOAUTH2, and OAUTHBEARER of RFC 7628), or by SCRAM
(RFC 5802, 7677).

When a letter goes again that a server has put off follows from the class of its answer and from its known limits. All
of it is derived from what the outbox has: when a letter became owed, when it was tried last, what the server said then,
and when others were sent. So a run needs to remember nothing.
"""

from __future__ import annotations

import re
import socket
import ssl
from base64 import b64encode
from bisect import insort
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
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


def token_response(mechanism: str, user: str, token: str) -> str:
    r"""Return a client's first words.

    >>> token_response("XOAUTH2", "wolf", "t0k"), token_response("OAUTHBEARER", "a,b", "t0k")
    ('user=wolf\x01auth=Bearer t0k\x01\x01', 'n,a=a=2Cb,\x01auth=Bearer t0k\x01\x01')
    """
    if mechanism == "XOAUTH2":
        return f"user={user}\1auth=Bearer {token}\1\1"
    name = user.replace("=", "=3D").replace(",", "=2C")
    return f"n,a={name},\1auth=Bearer {token}\1\1"


def token_responder(mechanism: str, user: str, token: str) -> Callable[[bytes], bytes]:
    """Return what answers a server: its first word by ours, and why it refuses them by nothing but a nod (3.2.3).

    imapclient's own `oauthbearer_login` tells the token once more there.
    """
    return spoken(token_response(mechanism, user, token).encode(), b"\1" if mechanism == "OAUTHBEARER" else b"")


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


_SHORT = 5  # letters of a password that may be in any word by chance


def without(said: str, user: str, password: str, tokens: Iterable[str] = ()) -> str:
    """Return what a server *said* without password and tokens, in case it repeated them.

    A password is told as it is or by RFC 4616 or 2195, a token as `sasl.words`.
    """
    told = [password, f"\0{user}\0{password}"] if password else []
    for token in tokens:
        told += [token, *(token_response(each, user, token) for each in BY_TOKEN)]
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


Scope: TypeAlias = Literal["letter", "server"]
MINUTE, HOUR, DAY = 60, 3600, 86400
PATIENCE = 5 * DAY
"""Seconds after which somebody should look at a letter that is still put off (RFC 5321 4.5.4.1)."""


@dataclass(frozen=True, slots=True)
class Pause:
    """The pause for a class of answers: whose it is, and its seconds at *first* and at *most*."""

    name: str
    scope: Scope
    first: int
    most: int

    def wait(self, age: int) -> int:
        """Return for how long to wait with a letter that has been owed for *age* seconds: it doubles with the age."""
        return max(self.first, min(self.most, age))


_LIMITS = Pause("the server's limits", "server", 15 * MINUTE, 4 * HOUR)
_CLASSES: tuple[tuple[str, Pause], ...] = (
    (r"gr[ae]y-?list|postgrey|\b4\.7\.1\b.*(?:try|retry|later|minutes|seconds)",
     Pause("greylisting", "letter", 5 * MINUTE, HOUR)),
    (r"\b4\.2\.2\b|mailbox (?:is )?full|over ?quota|quota exceeded|insufficient (?:mailbox|user) storage",
     Pause("a full mailbox", "letter", HOUR, 12 * HOUR)),
    (r"\b4\.2\.1\b|recipient .*(?:\brate\b|too fast|too quickly)",
     Pause("a busy mailbox", "letter", 15 * MINUTE, 4 * HOUR)),
    (r"^(?:421|432)|\b4\.(?:7\.(?:28|0|5)|5\.3|3\.[12])\b|\brate\b|thrott|too (?:many|much)|limit|sending quota",
     _LIMITS),
    (r"^4", Pause("a passing trouble", "letter", 5 * MINUTE, 4 * HOUR)),
)
"""The first that fits. Answers to one letter that tell of the whole server come after those that tell of a mailbox."""


def class_of(said: str) -> Pause | None:
    """Return what a server's answer asks for; None for what is no answer of a server's, or no "later" (RFC 5321 4.2.1).

    >>> class_of("450 4.2.0 Greylisted, see you later").name
    'greylisting'
    """
    if re.match(r"5\d\d\b", said) and is_limited(said):
        return _LIMITS
    if not re.match(r"4\d\d\b", said):
        return None
    return next(pause for form, pause in _CLASSES if re.search(form, said, re.IGNORECASE))


@dataclass(frozen=True, slots=True)
class Waiting:
    """A letter that waits: its *number* and *recipient*, since when it is *owed*, when it was *tried*, what was *said*.

    Instants are UTC seconds; *tried* and *said* are 0 and '' for one that was not.
    """

    number: int
    recipient: str
    owed: int
    tried: int = 0
    said: str = ""

    @property
    def pause(self) -> Pause | None:
        """Return what the server's answer asks for."""
        return class_of(self.said) if self.tried else None

    @property
    def due(self) -> int:
        """Return when it may be tried again."""
        return self.tried + self.pause.wait(self.tried - self.owed) if self.pause else 0


def schedule(
    letters: Sequence[Waiting], sent: Iterable[int], limits: Mapping[int, int], now: int
) -> dict[int, int]:
    """Return when each letter goes, by its number (UTC seconds; *now* for those that go at once).

    *sent* is when others went, *limits* how many letters a server takes in so many seconds. What one recipient is owed
    goes in its order, and nothing goes while the server itself wants a pause.
    """
    paused = max((one.due for one in letters if one.pause and one.pause.scope == "server"), default=0)
    gone, recipients = sorted(sent), dict[str, int]()
    found: dict[int, int] = {}
    for one in letters:
        at = max(now, one.due, paused, recipients.get(one.recipient, 0))
        for seconds, most in limits.items():
            if 0 < most <= len(gone):
                at = max(at, gone[-most] + seconds)
        insort(gone, at)
        recipients[one.recipient] = found[one.number] = at
    return found


@dataclass(frozen=True, slots=True)
class Provider:
    """A provider: its *name*, its limits of letters per seconds, and of *connections* at once.

    *oauth* is how `[oauth]` names it where it takes no password from a program. Letters out go by *security*. One that
    *knows_senders* refuses any envelope's sender but the mailbox's own address.
    """

    name: str
    takes: Mapping[int, int] = field(default_factory=dict)
    connections: int = 0
    oauth: Literal["", "microsoft"] = ""
    security: Literal["tls", "starttls"] = "tls"
    knows_senders: bool = False


def _microsoft(name: str, day: int) -> Provider:
    return Provider(name, {MINUTE: 30, DAY: day}, 3, "microsoft", "starttls", knows_senders=True)


_PROVIDERS: Mapping[str, Provider] = {
    "smtp.gmail.com": Provider("Gmail", {DAY: 500}),
    "smtp.office365.com": _microsoft("Exchange Online", 10_000),
    "outlook.office365.com": _microsoft("Exchange Online", 10_000),
    "smtp-mail.outlook.com": _microsoft("Outlook.com", 300),
    "imap-mail.outlook.com": _microsoft("Outlook.com", 300),
    "smtp.mail.yahoo.com": Provider("Yahoo", {DAY: 500}),
    "smtp.mail.me.com": Provider("iCloud", {DAY: 1000}),
    "smtp.fastmail.com": Provider("Fastmail", {DAY: 4000}),
}
"""As their help pages had it in 2026. A paid mailbox may have more: `smtp.per_day` and its like come before these."""


def provider_of(host: str) -> Provider | None:
    """Return the provider whose server *host* is, None if it is nobody's that is known here."""
    return _PROVIDERS.get(host.lower().rstrip("."))
