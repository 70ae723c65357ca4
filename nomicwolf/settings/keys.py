"""The settings: one frozen dataclass for each table.

A field's name is its key; where Python keeps the word for itself, ``key`` in its metadata says the key.
A field without a default must be given. ``secret`` in its metadata means that the value may also be in
a file (``password_file``), in a keyring (``password_keyring``, the name of the service there), or in systemd's keeping
(``password_credential``). ``form`` is what a text must look like, ``else`` what is said if it doesn't; `between` bounds
a number.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from nomicwolf.settings.shape import between

SELECTOR: Mapping[str, Any] = {
    "form": re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9])?"),
    "else": "is no selector; write what stands before ._domainkey in the DNS, such as nomicwolf",
}
DKIM_FILE = "dkim.key"
"""The file of the key that signs letters, unless the settings name another."""


@dataclass(frozen=True, slots=True)
class DomainSettings:
    """``domain``: what proves to receivers that letters are of the contest's own domain.

    With *dkim_sign* nomicwolf signs them by the private key in *dkim_key_file*. *dkim_selector* is where the public key
    is in the DNS, whoever signs. *leaves_from* are the addresses from which letters leave (none: `check` takes those of
    the server).
    """

    dkim_sign: bool = False
    dkim_selector: str = field(default="", metadata=SELECTOR)
    dkim_key_file: Path = Path(DKIM_FILE)
    leaves_from: tuple[str, ...] = ()

    @property
    def selector(self) -> str:
        """Return where the public key is, '' if nobody knows."""
        return self.dkim_selector or ("nomicwolf" if self.dkim_sign else "")


SPAN: Mapping[str, Any] = {
    "form": re.compile(r"[1-9]\d{0,3}[dwmy]"),
    "else": "is no time; write a number with d, w, m or y for days, weeks, months or years, such as 1y",
}
_DAYS: Final = {"d": 1, "w": 7, "m": 31, "y": 366}
BACKUPS = "backups"
"""The folder of backups, unless the settings name another."""


@dataclass(frozen=True, slots=True)
class KeepSettings:
    """``keep``: how long *letters* are kept (none: for good), and backups that nomicwolf makes by itself.

    Before each change of phase and each upgrade it copies the ledger into the folder *backups*, where it keeps the
    newest *backup_count* (0: it makes none). *copy* is a command that then takes them to another machine; it may take
    *timeout* seconds.
    """

    letters: str = field(default="", metadata=SPAN)
    backups: Path = Path(BACKUPS)
    backup_count: int = 10
    copy: tuple[str, ...] = ()
    timeout: int = field(default=120, metadata=between(1))

    @property
    def letter_seconds(self) -> int:
        """Return for how many seconds letters are kept, 0 for good; a month has 31 days here, a year 366."""
        return 86400 * int(self.letters[:-1]) * _DAYS[self.letters[-1]] if self.letters else 0


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


WEBHOOK_URL: Mapping[str, Any] = {
    "form": re.compile(r"https://[^\s/@:?#]+(?::\d{1,5})?(?:/[^\s#]*)?|"
                       r"http://(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?(?:/[^\s#]*)?"),
    "else": "must be an address that begins with https://",
    "secret": True,
}
USUAL_FACTS = (
    "session-started", "phase-began", "stage-began", "lynched", "deaths-announced", "disclosed", "announced", "removed",
    "replaced", "ended", "awarded", "session-stopped", "extended",
)  # fmt: skip
"""The events that are told unless the settings name others."""


@dataclass(frozen=True, slots=True)
class WebhookSettings:
    """``webhook.<name>``: an address to which public facts are posted.

    *url* may itself be a secret, as Discord's is. *secret* signs what is sent (HMAC-SHA-256, Standard Webhooks),
    *token* goes with it as Matrix wants it. *events* are the names of the events that are told (``*``: all public).
    """

    name: str
    url: str = field(repr=False, metadata=WEBHOOK_URL)
    secret: str = field(default="", repr=False, metadata={"secret": True})
    token: str = field(default="", repr=False, metadata={"secret": True})
    format: Literal["json", "discord", "matrix"] = "json"
    events: tuple[str, ...] = USUAL_FACTS
    timeout: int = field(default=10, metadata=between(1, 60))


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


ADDRESS: Mapping[str, Any] = {
    "form": re.compile(r"[^\s@<>(),;:\"\\]+@[^\s@<>(),;:\"\\]+"),
    "else": "is no address; write it as name@host, without a display name",
}
NAME: Mapping[str, Any] = {
    "form": re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*"),
    "else": "must be letters, digits, '.', '-' and '_', for it stands in Message-IDs",
}
ZONE: Mapping[str, Any] = {
    "form": re.compile(r"[A-Za-z]+(?:/[A-Za-z0-9_+-]+)*"),
    "else": "is no time zone; write it like Europe/Berlin or UTC",
}
REMIND: Mapping[str, Any] = {
    "form": re.compile(r"[1-9]\d?%|[1-9]\d{0,3}h|never"),
    "else": "is no time of a reminder; write 50% for half of a term, 24h for so many hours before its end, or never",
}
STEP: Mapping[str, Any] = {
    "form": re.compile(r"prod|replace|act-for|remove|leave"),
    "else": "is no step; there are prod, replace, act-for, remove, and leave, which is none of these",
}
URL: Mapping[str, Any] = {
    "form": re.compile(
        r"sqlite:///[^:?].*|postgresql(\+psycopg)?://([^@/]*@)?([^][@/:?]*|\[[^]@/]*\])(:\d{1,5})?(/[^/?]*)?(\?.*)?"),
    "else": "must be like sqlite:///contest.db or postgresql+psycopg://user@host:5432/name; in a password write @ as "
            "%40, / as %2F",
    "hushed": True,
}

Security: TypeAlias = Literal["tls", "starttls", "none"]
Instant: TypeAlias = Literal["forum", "clamped", "date"]
Level: TypeAlias = Literal["none", "from", "forum", "signed", "confirmed", "openpgp"]


class SettingsError(Exception):
    """Settings that can't be used; *problems* names each wrong key and what to write in its place."""

    def __init__(self, *problems: str) -> None:
        self.problems = problems
        super().__init__("\n".join(problems))


@dataclass(frozen=True, slots=True)
class Person:
    """The contestmaster: a name and addresses."""

    name: str
    addresses: tuple[str, ...] = field(metadata=ADDRESS)


@dataclass(frozen=True, slots=True)
class ContestSettings:
    """``contest``: what is run, and by whom; *secret* keys Message-IDs, reply addresses and ciphers.

    *setup* is a file with the roles and switches of its sessions ('': none). *authserv_ids* name one's own mail
    servers as they sign Authentication-Results, *mail_hosts* the same servers as they are in Received; *prefixes*
    lets an unambiguous beginning stand for a name, *daily_count* posts a vote count each day, or after
    *quiet_days* where no vote has changed since the last one (0: each day); *joining* says whether who joins waits
    for your word; *observers* is how many people may observe; *guard_hours* is for how long nobody may poll before
    deadlines wait for you (0: for ever); *others* are the folders of the other contests that read the same mailbox;
    *open_journal* lets the journal tell secrets in the clear where it can't be encrypted.
    """

    id: str = field(metadata=NAME)
    contestmaster: Person
    name: str = ""
    ruleset: str = "nomic-crossing"
    setup: str = ""
    address: str = field(default="", metadata=ADDRESS)
    authserv_ids: tuple[str, ...] = ()
    mail_hosts: tuple[str, ...] = ()
    prefixes: bool = False
    daily_count: bool = True
    quiet_days: int = 7
    joining: Literal["open", "asked"] = "open"
    observers: int = 100
    guard_hours: int = 48
    others: tuple[str, ...] = ()
    open_journal: bool = False
    secret: str = field(default="", repr=False, metadata={"secret": True})


@dataclass(frozen=True, slots=True)
class ImapSettings:
    """``imap``: where letters come from; *port* 0 is the usual one, *timeout* is in seconds.

    *certificate_file* has the certificate that we show, and its key; without a password it is the login.
    """

    host: str
    user: str
    password: str = field(default="", repr=False, metadata={"secret": True})
    port: int = field(default=0, metadata=between(0, 65535))
    security: Security = "tls"
    mailbox: str = "INBOX"
    timeout: int = field(default=60, metadata=between(1))
    certificate_file: Path | None = None

    @property
    def real_port(self) -> int:
        """Return the port, or the usual one of the kind of security (RFC 8314)."""
        return self.port or (993 if self.security == "tls" else 143)


@dataclass(frozen=True, slots=True)
class MaildirSettings:
    """``maildir``: a folder with ``new`` and ``cur`` as the source of letters."""

    path: Path


@dataclass(frozen=True, slots=True)
class MboxSettings:
    """``mbox``: one file of letters as the source; a path of ``-`` is the standard input."""

    path: Path


@dataclass(frozen=True, slots=True)
class SmtpSettings:
    """``smtp``: where letters go; *sender* (key ``from``) is the contest's address.

    *utf8* lets people have addresses beyond ASCII, which takes a server that knows SMTPUTF8 (RFC 6531). *per_minute*,
    *per_hour* and *per_day* are how many letters the server takes in that time (0: what is known of the provider, else
    any number), *per_connection* how many on one connection (0: any number). *certificate_file* is as for ``imap``.
    """

    host: str
    sender: str = field(metadata={"key": "from", **ADDRESS})
    user: str = ""
    password: str = field(default="", repr=False, metadata={"secret": True})
    port: int = field(default=0, metadata=between(0, 65535))
    security: Security = "tls"
    timeout: int = field(default=60, metadata=between(1))
    connections: int = field(default=4, metadata=between(1, 32))
    per_connection: int = 0
    per_minute: int = 0
    per_hour: int = 0
    per_day: int = 0
    utf8: bool = True
    certificate_file: Path | None = None

    @property
    def real_port(self) -> int:
        """Return the port, or the usual one of the kind of security (RFC 8314)."""
        return self.port or {"tls": 465, "starttls": 587, "none": 25}[self.security]


@dataclass(frozen=True, slots=True)
class NomicSettings:
    """``nomic.<name>``: a nomic in which the contest lives.

    *forum* is its public forum's address, *received_by* the host whose ``Received`` stamp is believed,
    *tag* what is in brackets in the subjects of this contest there (its name by default), *title* what the nomic
    is called in prose, *zone* the time zone in which letters to its forum repeat their times, *limit* its P (points
    that a contest may award in a week; none until it is confirmed),
    *authserv_ids* the list's own mail servers.
    """

    name: str
    forum: str = field(metadata=ADDRESS)
    discussion: str = field(default="", metadata=ADDRESS)
    list_id: str = ""
    profile: str = ""
    instant: Instant = "forum"
    received_by: str = ""
    tag: str = ""
    title: str = ""
    limit: int | None = None
    authserv_ids: tuple[str, ...] = ()
    zone: str = field(default="", metadata=ZONE)


@dataclass(frozen=True, slots=True)
class LedgerSettings:
    """``ledger``: *url* is SQLAlchemy's; a relative SQLite path starts from the contest's folder.

    *key* seals what is secret in it (with several, apart by white space, the first one does); without one nothing is.
    """

    url: str = field(default="sqlite:///contest.db", metadata=URL)
    key: str = field(default="", repr=False, metadata={"secret": True})


@dataclass(frozen=True, slots=True)
class LimitSettings:
    """``limits``: sizes and caps of a letter; what is above one is set aside, never half read.

    *nesting* is the depth of its parts; *sendings* how often a private letter is sent while its fate is unknown;
    *letter_seconds* is how long the processor may take to read one letter (0: as long as it likes);
    *letters_per_day* and *deeds_per_day* are for what one person writes, *answers_per_day* for what they are answered;
    0 is no limit.
    """

    letter_bytes: int = field(default=1_000_000, metadata=between(1))
    header_bytes: int = field(default=65_536, metadata=between(1))
    headers: int = field(default=200, metadata=between(1))
    parts: int = field(default=100, metadata=between(1))
    nesting: int = field(default=20, metadata=between(1))
    body_chars: int = field(default=262_144, metadata=between(1))
    sendings: int = field(default=3, metadata=between(1))
    letter_seconds: int = 60
    run_seconds: int = 1800
    letters_per_day: int = 100
    deeds_per_day: int = 200
    answers_per_day: int = 60


@dataclass(frozen=True, slots=True)
class IdentitySettings:
    """``identity``: by what the author of a letter is known for certain.

    With *subaddresses* private letters are answered to ``local+TAG@host``, a tag for each player and session; without
    them private acts need no proof unless `Settings.assurance` says so. *dkim* ``dns`` checks signatures (and ARC) by
    keys looked up in the DNS, from *nameservers* (``192.0.2.1`` or ``127.0.0.1:5353``; none: the machine's own),
    for *dns_seconds* at most in a run. *arc_sealers* are domains whose word on what they received counts.
    *token_hours* is how long a confirmation may take, *signature_days* how old an OpenPGP signature may be.
    """

    subaddresses: bool = True
    dkim: Literal["off", "dns"] = "off"
    nameservers: tuple[str, ...] = ()
    dns_seconds: int = 10
    arc_sealers: tuple[str, ...] = ()
    token_hours: int = field(default=48, metadata=between(1))
    signature_days: int = 2


@dataclass(frozen=True, slots=True)
class AbsenceSettings:
    """``absence``: what becomes of silence; each session announces what holds for it.

    *remind* is when whoever owes something is reminded, at most twice: ``50%`` of the term, ``24h`` before its end, or
    ``never``. *policy* are the steps that are taken: ``prod``, ``replace``, ``act-for``, ``remove``; ``leave`` is none.
    *prod_days* is how long one may be silent where votes stand, *prods* how often one is named before more follows.
    """

    remind: tuple[str, ...] = field(default=("50%", "24h"), metadata=REMIND)
    policy: tuple[str, ...] = field(default=("prod",), metadata=STEP)
    prod_days: int = field(
        default=3, metadata=between(1, remedy="leave prod out of absence.policy to name nobody"))
    prods: int = 1


@dataclass(frozen=True, slots=True)
class StageSettings:
    """``stages``: a vote lasts longer if too few have voted at its deadline.

    It does by *extend_hours*, at most *extend_times* times, if *extend_if_missing* or more have not voted (0: never).
    """

    extend_if_missing: int = 0
    extend_hours: int = field(
        default=24, metadata=between(1, remedy="stages.extend_if_missing = 0 extends nothing"))
    extend_times: int = 1


@dataclass(frozen=True, slots=True)
class ArchiveSettings:
    """``archive``: the folder that the public archive is written to, and the address where it is read.

    With *write* each poll keeps the archive up to date; *publish* is a command that then takes it to where it is read,
    a program and its arguments, run in the contest's folder without a shell, for *timeout* seconds at most.
    """

    path: Path = Path("archive")
    url: str = ""
    write: bool = False
    publish: tuple[str, ...] = ()
    timeout: int = field(default=120, metadata=between(1))


@dataclass(frozen=True, slots=True)
class MailSettings:
    """``mail``: what private letters look like.

    *uniform_subjects* gives all of them one subject, *html* an HTML part beside their text.
    """

    uniform_subjects: bool = False
    html: bool = False


@dataclass(frozen=True, slots=True)
class Settings:
    """All of `contest.toml`: *folder* is where it lies, paths in it are absolute.

    *assurance* maps a verb, ``public`` or ``private`` to the level that a letter needs for it. *switches*
    maps a switch to its value as text: lists joined by ``, ``, ``deadlines.night`` for a table's keys. *secrets* says
    in words where each secret was found, by its key.
    """

    folder: Path
    contest: ContestSettings
    smtp: SmtpSettings
    nomics: tuple[NomicSettings, ...]
    imap: ImapSettings | None = None
    maildir: MaildirSettings | None = None
    mbox: MboxSettings | None = None
    ledger: LedgerSettings = LedgerSettings()
    limits: LimitSettings = LimitSettings()
    assurance: Mapping[str, Level] = field(default_factory=dict)
    switches: Mapping[str, str] = field(default_factory=dict)
    archive: ArchiveSettings = ArchiveSettings()
    identity: IdentitySettings = IdentitySettings()
    absence: AbsenceSettings = AbsenceSettings()
    stages: StageSettings = StageSettings()
    domain: DomainSettings = DomainSettings()
    oauth: OAuthSettings | None = None
    keep: KeepSettings = KeepSettings()
    network: NetworkSettings = NetworkSettings()
    webhooks: tuple[WebhookSettings, ...] = ()
    mail: MailSettings = MailSettings()
    secrets: Mapping[str, str] = field(default_factory=dict)

    @property
    def required(self) -> Mapping[str, Level]:
        """Return the level that each verb, and all ``public`` and ``private`` acts, need: the defaults below one's own.

        What is posted, everyone sees, and a forged vote shows. What is private nobody sees: it needs at least the reply
        address of one's own letters, where there are such.
        """
        private: Level = "signed" if self.identity.subaddresses else "from"
        return {"public": "from", "private": private, **self.assurance}

    @property
    def address(self) -> str:
        """Return the contest's own address."""
        return self.contest.address or self.smtp.sender

    @property
    def ledger_file(self) -> Path | None:
        """Return the ledger's file, or None if it is kept by a server."""
        kind, _, rest = self.ledger.url.partition(":///")
        return Path(rest) if kind.split("+")[0] == "sqlite" and rest else None


USUAL_SECURITY: Final[Mapping[int, Security]] = {993: "tls", 143: "starttls", 465: "tls", 587: "starttls"}
"""Which security belongs to a port (RFC 8314)."""


def is_loopback(host: str) -> bool:
    """Return whether *host* is this machine, where mail may travel without encryption."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower().rstrip(".") == "localhost"
