"""Logs, health and metrics of a worker.

The log has a line of JSON for each event, of which only what is named here is ever written. ``/health`` is for whoever
restarts the worker, ``/metrics`` for Prometheus.

No letter, address, password or role gets into the log: texts of exceptions don't, and what a turn said to its
contestmaster is kept in the registry, for them alone. No metric carries a contest's name: there are too many, and none
of them is anyone else's business.
"""

from __future__ import annotations

import json
import logging
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from nomicwolf.host import registry
from nomicwolf.host.settings import HostSettings
from nomicwolf.ledger.errors import LedgerError
from nomicwolf.run.resources import LATER, NEEDS_YOU, PollReport, error_place
from nomicwolf.settings.keys import SettingsError

LOG = logging.getLogger("nomicwolf.host")
KEPT = ("contest", "status", "heard", "sent", "idle", "seconds", "due", "monotonic", "version")
"""What an event may carry, by name."""


class Lines(logging.Formatter):
    """A formatter that writes events as lines of JSON, with *worker* as their process."""

    def __init__(self, worker: str) -> None:
        super().__init__()
        self._worker = worker

    def format(self, record: logging.LogRecord) -> str:
        """Return the time, the level, who says it, what happened, and what was kept of it."""
        ours = record.name == LOG.name
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage() if ours else str(getattr(record, "action", record.funcName)),
            "worker": self._worker,
        }
        line |= {name: getattr(record, name) for name in KEPT if hasattr(record, name)}
        if record.exc_info and isinstance(record.exc_info[1], Exception):
            line["error"] = error_place(record.exc_info[1])
        return json.dumps(line, default=str)


@contextmanager
def logging_to_stderr(worker: str) -> Iterator[None]:
    """Log a worker's events, and its libraries' warnings, to standard error during the block."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Lines(worker))
    root, before = logging.getLogger(), LOG.level
    root.addHandler(handler)
    LOG.setLevel(logging.INFO)
    try:
        yield
    finally:
        root.removeHandler(handler)
        LOG.setLevel(before)


_PATHS = ("/health", "/metrics")
_MEANING = {
    "contests": "Contests of the host.", "paused": "Contests that rest.", "due": "Contests whose time has come.",
    "late": "Seconds for which the contest that has waited longest has been due.",
    "needing": "Contests whose last turn said that someone must look.", "waiting": "Jobs that wait in the queue.",
    "doing": "Jobs that workers are at.", "workers": "Workers that were heard of lately.",
}


class Meters:
    """The counters of one worker."""

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


def numbers_text(host: HostSettings) -> bytes:
    """Return the host's state for Prometheus; `LedgerError` if the database can't be read."""
    with registry.opened(host) as connection:
        numbers = registry.numbers(connection, int(time.time()), host.worker.stale)
    found = CollectorRegistry()
    for name, number in numbers.items():
        Gauge(f"nomicwolf_host_{name}", _MEANING[name], registry=found).set(number)
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
                self._say(200, b"well\n") if alive() else self._say(503, b"the worker's loop has stopped\n")

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
        raise SettingsError(
            f"worker.listen: {host.worker.listen}: {error.strerror}; name an address of this machine and a port that "
            "nothing else has: give each worker one of its own, by --listen") from error
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server
