"""A provider of OAuth 2.0 tokens on loopback: devices, browsers, PKCE, refresh tokens that last for one use."""

from __future__ import annotations

import json
import ssl
import threading
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

Answer = tuple[int, dict[str, object]]


@dataclass
class Provider:
    """What it knows, and what it was asked.

    *user* is who logs in; *lasting* is for how long (seconds) a token lasts. What is in *answers* is said to the next
    requests for tokens, in place of the right thing. Of *good* tokens each belongs to a user. What is *told* stands on
    pages by their paths, which were *looked* at.
    """

    port: int = 0
    user: str = "wolf"
    client_id: str = "werewolves"
    client_secret: str = ""
    lasting: int = 3600
    answers: list[Answer] = field(default_factory=list)
    asked: list[dict[str, str]] = field(default_factory=list)
    good: dict[str, str] = field(default_factory=dict)
    refresh: set[str] = field(default_factory=set)
    challenges: dict[str, tuple[str, str]] = field(default_factory=dict)
    count: int = 0
    told: dict[str, Answer] = field(default_factory=dict)
    looked: list[str] = field(default_factory=list)

    def url(self, path: str) -> str:
        """Return the address of one of its pages."""
        return f"http://127.0.0.1:{self.port}/{path}"

    def settings(self, *, device: bool = True) -> str:
        """Return the table of `contest.toml` that names this provider."""
        page = f'device_url = "{self.url("device")}"' if device else f'authorize_url = "{self.url("authorize")}"'
        return (f'[oauth]\nclient_id = "{self.client_id}"\ntoken_url = "{self.url("token")}"\n{page}\n'
                'scope = "imap smtp offline_access"\n')

    def tell(self, path: str, issuer: str, **more: object) -> None:
        """Let the addresses stand on a page (RFC 8414), for *issuer*."""
        self.told[path] = 200, {
            "issuer": issuer, "token_endpoint": self.url("token"), "authorization_endpoint": self.url("authorize"),
            "device_authorization_endpoint": self.url("device"), **more}

    def token(self, form: dict[str, str]) -> Answer:
        """Answer a request for tokens (RFC 6749 5)."""
        self.asked.append(form)
        if self.answers:
            return self.answers.pop(0)
        if (form["client_id"], form.get("client_secret", "")) != (self.client_id, self.client_secret):
            return 401, {"error": "invalid_client"}
        if form["grant_type"] == "refresh_token":
            if form["refresh_token"] not in self.refresh:
                return 400, {"error": "invalid_grant", "error_description": "AADSTS70000: The token has been revoked."}
            self.refresh.remove(form["refresh_token"])
        elif form["grant_type"] == "authorization_code":
            challenge, redirect = self.challenges.pop(form["code"], ("", ""))
            made = urlsafe_b64encode(sha256(form["code_verifier"].encode()).digest()).rstrip(b"=").decode()
            if (made, form["redirect_uri"]) != (challenge, redirect):
                return 400, {"error": "invalid_grant"}
        return 200, self.new()

    def new(self) -> dict[str, object]:
        """Make a pair of tokens."""
        self.count += 1
        access, refresh = f"access-token-number-{self.count}-{'x' * 900}", f"refresh-token-number-{self.count}"
        self.good[access] = self.user
        self.refresh.add(refresh)
        return {"access_token": access, "refresh_token": refresh, "expires_in": self.lasting, "token_type": "Bearer"}

    def log_in_at(self, page: str) -> str:
        """Return where a browser is sent by a person who has logged in at *page* and allowed what it asks."""
        told = dict(parse_qsl(urlsplit(page).query))
        self.count += 1
        self.challenges[f"code-{self.count}"] = told["code_challenge"], told["redirect_uri"]
        assert (told["response_type"], told["code_challenge_method"]) == ("code", "S256")
        return f"{told['redirect_uri']}?{urlencode({'code': f'code-{self.count}', 'state': told['state']})}"


@contextmanager
def running_provider(context: ssl.SSLContext | None = None) -> Iterator[Provider]:
    """Run a provider for as long as the block lasts; with a *context* it speaks TLS."""
    provider = Provider()

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            provider.looked.append(self.path)
            self.say(*provider.told.get(self.path, (404, {})))

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            form = {key: values[0] for key, values in parse_qs(body).items()}
            if self.path == "/introspect":
                user = provider.good.get(form["token"])
                self.say(200, {"active": user is not None, "username": user, "scope": "imap smtp"})
            elif self.path.endswith(("/device", "/devicecode")):
                self.say(200, {
                    "device_code": "device-code", "user_code": "ABCD-EFGH", "interval": 5, "expires_in": 900,
                    "verification_uri": provider.url("enter")})
            else:
                self.say(*provider.token(form))

        def say(self, status: int, told: dict[str, object]) -> None:
            data = json.dumps(told).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        provider.port = server.server_port
        if context is not None:
            server.socket = context.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield provider
        finally:
            server.shutdown()
            thread.join()
