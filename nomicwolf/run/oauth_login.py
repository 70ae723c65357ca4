"""The contest's OAuth 2.0 login, encrypted and renewed."""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

from nomicwolf.ledger.database import write_private
from nomicwolf.ledger.encryption import MARK, Seals
from nomicwolf.ledger.errors import LedgerError
from nomicwolf.post import oauth
from nomicwolf.post.refusals import LOG_IN, Denied
from nomicwolf.post.routes import Route
from nomicwolf.settings.keys import Settings, SettingsError
from nomicwolf.settings.load import completed_oauth, key_file

FILE = "oauth.token"
EARLY = 300
"""Seconds before its expiry at which a token is renewed, because a run may take as long."""
YOUNG = 60
"""Seconds for which a new token isn't renewed even if a server refuses it."""


@dataclass(frozen=True, slots=True)
class StoredTokens:
    """The file's content: the tokens, their *client*, and their validity from *since* *until* (UTC seconds)."""

    client: str
    access: str = field(repr=False)
    refresh: str = field(repr=False)
    since: int
    until: int


def token_file(settings: Settings) -> Path:
    """Return the login's file, beside the contest's key."""
    return key_file(settings).with_name(FILE)


class Login:
    """A contest's login; *clock* returns UTC seconds."""

    def __init__(self, settings: Settings, clock: Callable[[], float] = time.time) -> None:
        if settings.oauth is None:
            raise SettingsError("oauth: missing; write [oauth] with provider and client_id (docs/mailboxes.md)")
        if not settings.ledger.key.split():
            raise SettingsError("oauth: the login is sealed with the ledger's key, and there is none; write [ledger] "
                                'and below it key_file = "ledger.key", then nomicwolf ledger rekey')
        route = Route.of(settings.network.proxy, settings.network.direct)
        self._client = oauth.Client(**asdict(completed_oauth(settings.oauth)), route=route)
        self._issuer = settings.oauth.issuer
        self._path = token_file(settings)
        self._seals = Seals(settings.ledger.key)
        self._clock = clock

    @property
    def client(self) -> oauth.Client:
        """The program, and where its provider is asked; an issuer is asked for that once in a run."""
        if self._issuer and not (self._client.token_url and (self._client.device_url or self._client.authorize_url)):
            self._client = oauth.discovered(self._client, self._issuer)
        return self._client

    def __call__(self, refused: str = "") -> str:
        """Return an access token, renewed if it expires or was *refused*; `Away` or `Denied` if there is none."""
        kept = self._read()
        if self._good(kept, refused):
            return kept.access
        with _login_lock(self._path.parent):
            kept = self._read()  # another run may have renewed it meanwhile
            if self._good(kept, refused):
                return kept.access
            tokens = oauth.renewed(self.client, kept.refresh)
            self._write(tokens)
        return tokens.access

    def keep(self, tokens: oauth.Tokens) -> None:
        """Store the tokens of a login in place of any others."""
        with _login_lock(self._path.parent):
            self._write(tokens)

    def reseal(self) -> None:
        """Encrypt the login, if there is one, anew by the first key."""
        with _login_lock(self._path.parent):
            if self._path.exists():
                write_private(self._path, self._seals.seal(self._opened()).decode("ascii"))

    def _good(self, kept: StoredTokens, refused: str) -> bool:
        now = self._clock()
        if kept.access == refused:
            return kept.since <= now < kept.since + YOUNG
        return now < kept.until - EARLY

    def _read(self) -> StoredTokens:
        if not self._path.exists():
            raise Denied(f"{self._client.where}: nobody has logged in for the contest yet; {LOG_IN}")
        try:
            kept = StoredTokens(**json.loads(self._opened()))
        except (ValueError, TypeError) as error:
            raise Denied(f"{self._path}: is no login of nomicwolf's; {LOG_IN} anew") from error
        if kept.client != self._named():
            raise Denied(f"{self._path}: is a login for another oauth.client_id or oauth.token_url; {LOG_IN} anew")
        return kept

    def _opened(self) -> bytes:
        sealed = self._path.read_bytes().strip()
        try:
            return self._seals.open(sealed) if sealed.startswith(MARK) else b""
        except LedgerError as error:
            raise Denied(f"{self._path}: was sealed with another key than ledger.key; {LOG_IN} anew") from error

    def _write(self, tokens: oauth.Tokens) -> None:
        now = int(self._clock())
        kept = {"client": self._named(), "access": tokens.access, "refresh": tokens.refresh, "since": now,
                "until": now + tokens.seconds}
        write_private(self._path, self._seals.seal(json.dumps(kept).encode()).decode("ascii"))

    def _named(self) -> str:
        return f"{self._client.client_id} {self._issuer or self._client.token_url}"


@contextmanager
def _login_lock(folder: Path) -> Iterator[None]:
    """Lock the login while it is renewed: many providers accept a refresh token once (RFC 9700 2.2.2)."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
