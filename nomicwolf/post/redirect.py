"""Where a browser on this machine hands over what a provider answered: one page on loopback (RFC 8252 7.3)."""

from __future__ import annotations

import hmac
import socket
import time
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, HTTPServer
from types import TracebackType
from typing import ClassVar, Self
from urllib.parse import parse_qs, urlsplit

from nomicwolf.post.errors import Denied

_PAGE = b"<!doctype html><title>nomicwolf</title><p>You can close this page; the terminal says how it went on."


class _Page(BaseHTTPRequestHandler):
    """Takes the answer that has the right *state*, and no other: any page could send a browser here."""

    state: str
    answer: Mapping[str, str] | None
    timeout: ClassVar[int] = 5  # a browser may connect ahead and say nothing
    server_version = "nomicwolf"
    sys_version = ""

    def do_GET(self) -> None:
        """Keep what stands behind the address."""
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
        """Tell no log: the address holds a code."""


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
