"""The log: a line of JSON for each event, of which only what is named here is ever written.

No letter, no address, no password and no role gets in: texts of exceptions don't, and what a turn said to its
contestmaster is kept in the registry, for em alone.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from nomicwolf.run.run_report import error_place

LOG = logging.getLogger("nomicwolf.host")
KEPT = ("contest", "status", "heard", "sent", "idle", "seconds", "due", "monotonic", "version")
"""What an event may carry, by name."""


class Lines(logging.Formatter):
    """An event as a line of JSON, whoever says it: *worker* is the process that all of them are of."""

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
    """Write the events of a worker of this name, and its libraries' warnings, to standard error for a while."""
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
