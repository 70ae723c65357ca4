"""The plain poll: silent when all is well."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from nomicwolf.cli.output import escaped
from nomicwolf.run.polling import poll as run_poll
from nomicwolf.settings.keys import SettingsError
from nomicwolf.settings.load import load

if TYPE_CHECKING:
    from nomicwolf.contest.step import Parse


def poll(
    folder: str, parse: Parse | None, clock: Callable[[], int] | None = None, *, verbose: bool = False,
    clock_is_right: bool = False,
) -> int:
    """Poll the contest in *folder*, tell on standard error what went wrong, and return the exit status.

    *parse* reads orders that came by mail; the clock isn't doubted if somebody says that *clock_is_right*.
    """
    try:
        settings = load(Path(folder), os.environ)
    except SettingsError as error:
        for problem in error.problems:
            print(escaped(f"nomicwolf: {problem}"), file=sys.stderr)
        return 1
    report = run_poll(settings, clock or (lambda: int(time.time())), parse, clock_is_right=clock_is_right)
    for line in report.said:
        print(escaped(f"nomicwolf: {settings.contest.id}: {line}"), file=sys.stderr)
    if verbose:
        done = "nothing to do" if report.idle else f"{report.heard} heard, {report.sent} sent. {report.balance}"
        print(escaped(done))
    return report.status
