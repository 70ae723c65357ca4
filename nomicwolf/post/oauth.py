"""OAuth 2.0 tokens for a mailbox.

RFC 6749 (the exchanges), 8628 (devices), 7636 (PKCE), 8252 (programs on one's own machine), 8414 (discovery). Each is
a form that is sent and an object of JSON that comes back, and the tokens are opaque to us: so the standard library does
it. Of the kept libraries msal knows Microsoft alone, authlib and oauthlib have no device flow for clients and no
redirect on loopback; requests-oauth2client has both, and brings a dozen packages. None keeps a login sealed, renews it
among runs of cron, or says what to do.

A browser on this machine hands over the provider's answer on one page on loopback (RFC 8252 7.3).
"""

from __future__ import annotations

import hmac
import json
import secrets
import socket
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, HTTPServer
from types import TracebackType
from typing import Any, ClassVar, Self
from urllib.parse import parse_qs, urlencode, urlsplit

from nomicwolf.post.refusals import LOG_IN, Away, Denied, no_tls, unreached
from nomicwolf.post.routes import DIRECTLY, Route, asked
from nomicwolf.settings.keys import OAuthSettings

_PAGE = b"<!doctype html><title>nomicwolf</title><p>You can close this page; the terminal says how it went on."


class _Page(BaseHTTPRequestHandler):
    """Takes the answer that has the right *state*, and no other: any page could send a browser here."""

    state: str
    answer: Mapping[str, str] | None
    timeout: ClassVar[int] = 5  # a browser may connect ahead and say nothing
    server_version = "nomicwolf"
    sys_version = ""

    def do_GET(self) -> None:
        """Keep the query of the address."""
        told = {key: values[0] for key, values in parse_qs(urlsplit(self.path).query).items()}
        if not hmac.compare_digest(told.get("state", "").encode(), self.state.encode()):
            self.send_error(404)
            return
        type(self).answer = told
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(_PAGE)))
        self.end_headers()
        self.wfile.write(_PAGE)

    def log_message(self, *_: object) -> None:
        """Log nothing: the address holds a code."""


class _Server6(HTTPServer):
    address_family = socket.AF_INET6


class Listener:
    """Listens on 127.0.0.1, or ::1, while the block lasts, at the port of *url*, or any that is free."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        page = type("_Answer", (_Page,), {"answer": None, "state": ""})
        self._page: type[_Page] = page
        try:
            self._server = (_Server6(("::1", parts.port or 0), page) if parts.hostname == "::1" else
                            HTTPServer(("127.0.0.1", parts.port or 0), page))
        except (OSError, OverflowError) as error:
            raise Denied(f"oauth.redirect_url: {url}: nobody can listen there ({error}); name another port, as it is "
                         "registered") from error
        host = f"[{parts.hostname}]" if parts.hostname == "::1" else parts.hostname
        self.url = f"http://{host}:{self._server.server_port}{parts.path or '/'}"

    def __enter__(self) -> Self:
        """Return itself; it listens already."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Listen no more."""
        self._server.server_close()

    def answer(self, state: str, patience: float) -> Mapping[str, str] | None:
        """Wait *patience* seconds at most for the answer with that *state*; None if none came."""
        self._page.state = state
        end = time.monotonic() + patience
        while self._page.answer is None and (left := end - time.monotonic()) > 0:
            self._server.timeout = left
            self._server.handle_request()
        return self._page.answer


DEVICE = "urn:ietf:params:oauth:grant-type:device_code"
WAIT = 30
"""Seconds for each exchange."""
PATIENCE = 900
"""Seconds for a person to log in, where the provider doesn't say."""
SAID = 300
_GONE = {"invalid_grant", "interaction_required", "consent_required", "login_required"}
_PASSING = {"temporarily_unavailable", "server_error", "slow_down"}
_ASK_AGAIN = {"authorization_pending": 0, "slow_down": 5}  # seconds that the interval grows by (RFC 8628 3.5)


@dataclass(frozen=True, slots=True)
class Client(OAuthSettings):
    """The program as a provider knows it, and where and by which *route* the provider is asked."""

    route: Route = DIRECTLY

    @property
    def where(self) -> str:
        """Return the provider as a place, for errors."""
        return f"oauth {urlsplit(self.token_url).netloc}"


@dataclass(frozen=True, slots=True)
class Tokens:
    """A provider's tokens: *access* to log in for so many *seconds*, *refresh* to get another."""

    access: str = field(repr=False)
    refresh: str = field(repr=False)
    seconds: int = 3600


def discovered(client: Client, issuer: str) -> Client:
    """Complete *client* with the addresses that its issuer publishes; `Away` or `Denied` if there are none."""
    parts, known = urlsplit(issuer.rstrip("/")), "/.well-known/"
    for path in (f"{known}oauth-authorization-server{parts.path}", f"{parts.path}{known}openid-configuration"):
        status, told = _asked("GET", f"{parts.scheme}://{parts.netloc}{path}", "oauth.issuer", client.route)
        if status == 200 and _text(told, "token_endpoint"):
            break
        if status >= 500:
            raise Away(f"oauth {parts.netloc}: doesn't tell its addresses now ({status}); the next run tries again")
    else:
        raise Denied(f"oauth {parts.netloc}: tells no addresses for oauth.issuer; look at it, or set oauth.token_url "
                     "and oauth.device_url or oauth.authorize_url")
    if _text(told, "issuer").rstrip("/") != issuer.rstrip("/"):
        raise Denied(f"oauth {parts.netloc}: says that it is {_text(told, 'issuer') or 'nobody'}, and not oauth.issuer "
                     f"({issuer}); set that as it says (RFC 8414 3.3)")
    found = {name: _text(told, key) for name, key in (
        ("token_url", "token_endpoint"), ("device_url", "device_authorization_endpoint"),
        ("authorize_url", "authorization_endpoint"))}
    plain = [url for url in found.values() if url and urlsplit(url).scheme != parts.scheme]
    if plain:
        raise Denied(f"oauth {parts.netloc}: tells the address {plain[0]}, which isn't encrypted; ask whoever runs it")
    return replace(client, token_url=client.token_url or found["token_url"],
                   device_url=client.device_url or found["device_url"],
                   authorize_url=client.authorize_url or found["authorize_url"])


def by_device(
    client: Client, say: Callable[[str, str], None], sleep: Callable[[float], None] = time.sleep
) -> Tokens:
    """Log in a person on any device (RFC 8628); *say* gets the page, and the code to enter there."""
    status, told = _posted(client, client.device_url, {"scope": client.scope})
    code, page = _text(told, "device_code"), _text(told, "verification_uri") or _text(told, "verification_url")
    if not code or not page:
        raise refused(client, status, told)
    say(page, _text(told, "user_code"))
    wait, left = _number(told, "interval", 5), _number(told, "expires_in", PATIENCE)
    while left > 0:
        sleep(wait)
        left -= max(wait, 1)
        try:
            status, told = _posted(client, client.token_url, {"grant_type": DEVICE, "device_code": code})
        except Away:
            wait = max(2 * wait, 1)  # RFC 8628 3.5
            continue
        if (error := _text(told, "error")) in _ASK_AGAIN:
            wait += _ASK_AGAIN[error]
            continue
        return _first(client, status, told)
    raise Denied(f"{client.where}: nobody has entered the code in time; {LOG_IN} anew")


def by_browser(client: Client, user: str, say: Callable[[str], None], patience: float = PATIENCE) -> Tokens:
    """Log in a person in a browser on this machine (RFC 8252, with PKCE); *say* gets the page."""
    verifier, state = secrets.token_urlsafe(48), secrets.token_urlsafe(24)
    challenge = urlsafe_b64encode(sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    with Listener(client.redirect_url) as listener:
        form = {
            "response_type": "code", "client_id": client.client_id, "redirect_uri": listener.url, "scope": client.scope,
            "state": state, "code_challenge": challenge, "code_challenge_method": "S256", "login_hint": user,
        }
        say(f"{client.authorize_url}{'&' if '?' in client.authorize_url else '?'}{urlencode(form)}")
        answer = listener.answer(state, patience)
    if answer is None:
        raise Denied(f"{client.where}: no browser came back to {listener.url} in time; {LOG_IN} anew")
    if "code" not in answer:
        raise refused(client, 400, answer)
    status, told = _posted(client, client.token_url, {
        "grant_type": "authorization_code", "code": answer["code"], "redirect_uri": listener.url,
        "code_verifier": verifier})
    return _first(client, status, told)


def renewed(client: Client, refresh: str) -> Tokens:
    """Return new tokens for a *refresh* token, which stays if the provider gives no other (RFC 6749 6)."""
    status, told = _posted(client, client.token_url, {
        "grant_type": "refresh_token", "refresh_token": refresh, "scope": client.scope})
    return _tokens(client, status, told, refresh)


def refused(client: Client, status: int, told: Mapping[str, Any], *hidden: str) -> Away | Denied:
    """Explain a provider's refusal and what to do (RFC 6749 5.2, 4.1.2.1; RFC 8628 3.5), without *hidden*."""
    error = _text(told, "error")
    said = " ".join(f"{status} {error} {_text(told, 'error_description')}".split())
    for secret in filter(None, (*hidden, client.client_secret)):
        said = said.replace(secret, "...")
    said, where = said[:SAID], client.where
    if status >= 500 or status == 429 or error in _PASSING:
        return Away(f"{where}: gives no token now ({said}); the next run tries again")
    if error in _GONE:
        return Denied(f"{where}: takes the contest's login no more, for it was withdrawn or ran out ({said}); {LOG_IN}")
    if error in {"invalid_client", "unauthorized_client"}:
        return Denied(f"{where}: doesn't know the program ({said}); set oauth.client_id and oauth.client_secret to "
                      "what is registered there, and allow public clients there if it has no secret")
    if error == "invalid_scope":
        return Denied(f"{where}: gives no such rights ({said}); set oauth.scope")
    if error in {"access_denied", "expired_token"}:
        return Denied(f"{where}: nobody has allowed it ({said}); {LOG_IN} anew")
    return Denied(f"{where}: gives no token ({said}); look at oauth.provider, oauth.token_url and oauth.client_id")


def _first(client: Client, status: int, told: Mapping[str, Any]) -> Tokens:
    found = _tokens(client, status, told, "")
    if not found.refresh:
        raise Denied(f"{client.where}: gives no refresh token, without which someone would have to log in each hour; "
                     "set oauth.scope to one that has it (often with offline_access)")
    return found


def _tokens(client: Client, status: int, told: Mapping[str, Any], refresh: str) -> Tokens:
    access = _text(told, "access_token")
    if status != 200 or not access or not (access + _text(told, "refresh_token")).isascii():
        raise refused(client, status, told, refresh)
    return Tokens(access, _text(told, "refresh_token") or refresh, _number(told, "expires_in", 3600))


def _posted(client: Client, url: str, form: Mapping[str, str]) -> tuple[int, Mapping[str, Any]]:
    """Send a form and return the status and what was answered; nothing is sent on to where an answer may lead."""
    secret = {"client_secret": client.client_secret} if client.client_secret else {}
    body = urlencode({"client_id": client.client_id, **secret, **form})
    return _asked("POST", url, "oauth.token_url", client.route, body)


def _asked(method: str, url: str, key: str, route: Route, body: str | None = None) -> tuple[int, Mapping[str, Any]]:
    """Ask an address, which the setting *key* names, and return the status and the object of JSON that was answered."""
    where = f"oauth {urlsplit(url).netloc}"
    form = {} if body is None else {"Content-Type": "application/x-www-form-urlencoded"}
    try:
        status, data = asked(method, url, WAIT, fields={"Accept": "application/json", **form},
                                 body=None if body is None else body.encode("ascii"), route=route)
    except OSError as error:
        raise no_tls(error, where, key) or Away(f"{where}: {unreached(error)}; the next run tries again") from error
    try:
        told = json.loads(data)
    except (ValueError, RecursionError):
        told = {}
    return status, told if isinstance(told, dict) else {}


def _text(told: Mapping[str, Any], key: str) -> str:
    """Return a text from an answer; '' if there is none, or one that no header and no line could hold."""
    found = told.get(key)
    return found if isinstance(found, str) and found.isprintable() else ""


def _number(told: Mapping[str, Any], key: str, usual: int) -> int:
    """Return a number of seconds, which some providers send as text."""
    found = str(told.get(key, ""))
    return int(found) if found.isdecimal() and len(found) < 10 else usual
