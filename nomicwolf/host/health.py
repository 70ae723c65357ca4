"""How a worker is, over HTTP: ``/health`` for whoever restarts it, ``/metrics`` for Prometheus.

No metric carries a contest's name: there are too many, and none of them is anyone else's business.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from nomicwolf.host import registry
from nomicwolf.host.settings import HostSettings
from nomicwolf.ledger.errors import LedgerError
from nomicwolf.run.run_report import LATER, NEEDS_YOU, PollReport
from nomicwolf.settings.keys import SettingsError

_PATHS = ("/health", "/metrics")
_MEANING = {
    "contests": "Contests of the host.", "paused": "Contests that rest.", "due": "Contests whose time has come.",
    "late": "Seconds for which the contest that has waited longest has been due.",
    "needing": "Contests whose last turn said that someone must look.", "waiting": "Jobs that wait in the queue.",
    "doing": "Jobs that workers are at.", "workers": "Workers that were heard of lately.",
}


class Meters:
    """What one worker counts."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._turns = Counter("nomicwolf_turns", "Turns taken, by their outcome.", ["outcome"], registry=self.registry)
        self._seconds = Histogram("nomicwolf_turn_seconds", "How long turns took.", registry=self.registry)
        self._heard = Counter("nomicwolf_letters_heard", "Letters heard.", registry=self.registry)
        self._sent = Counter("nomicwolf_letters_sent", "Letters sent.", registry=self.registry)

    def turned(self, report: PollReport, seconds: float) -> None:
        """Count a turn."""
        outcome = {LATER: "later", NEEDS_YOU: "needs-you"}.get(report.status, "idle" if report.idle else "done")
        self._turns.labels(outcome).inc()
        self._seconds.observe(seconds)
        self._heard.inc(report.heard)
        self._sent.inc(report.sent)


class HostNumbers(Collector):
    """How the whole host stands, asked of the database at each look."""

    def __init__(self, host: HostSettings) -> None:
        self._host = host

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Return a gauge for each number of the registry's."""
        with registry.opened(self._host) as connection:
            found = registry.numbers(connection, int(time.time()), self._host.worker.stale)
        for name, number in found.items():
            yield GaugeMetricFamily(f"nomicwolf_host_{name}", _MEANING[name], value=number)


def numbers_text(host: HostSettings) -> bytes:
    """Return how the host stands, as Prometheus reads it; `LedgerError` if the database can't be asked."""
    found = CollectorRegistry(auto_describe=False)
    found.register(HostNumbers(host))
    return generate_latest(found)


def serve(host: HostSettings, meters: Meters, alive: Callable[[], bool]) -> ThreadingHTTPServer:
    """Answer ``/health`` and ``/metrics`` at ``worker.listen`` from a thread; ``shutdown`` ends it.

    `SettingsError` if that place can't be had.
    """

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked = self.path.partition("?")[0]
            if asked not in _PATHS:
                self._say(404, b"/health, /metrics\n")
                return
            try:
                found = numbers_text(host)
            except LedgerError:
                self._say(503, b"the database is not to be had\n")
                return
            if asked == "/metrics":
                self._say(200, generate_latest(meters.registry) + found)
            else:
                self._say(200, b"well\n") if alive() else self._say(503, b"the worker's loop stands still\n")

        do_HEAD = do_GET  # noqa: N815 - as the library calls it

        def _say(self, status: int, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name for it
            """Say nothing: these are machines that ask every few seconds."""

    class Server(ThreadingHTTPServer):
        address_family = socket.AF_INET6 if host.worker.listen.startswith("[") else socket.AF_INET

    address, _, port = host.worker.listen.rpartition(":")
    try:
        server = Server((address.strip("[]") or "127.0.0.1", int(port)), Answers)
    except OSError as error:
        problem = (f"worker.listen: {host.worker.listen}: {error.strerror}; name an address of this machine and a port "
                   "that nothing else has: give each worker one of its own, by --listen")
        raise SettingsError((problem,)) from error
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server
