"""The archive as polls keep it.

It is written where something has changed, then published by the contestmaster's command.

What is still to be done is in a file beside the lock, so that a run that dies, or a server that is away, leaves it
to the next one.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from nomicwolf.nomic.times import duration
from nomicwolf.run.hook_commands import HookFailed, run_hook
from nomicwolf.run.resources import lock_file
from nomicwolf.run.run_report import NEEDS_YOU, PollReport, system_error_text
from nomicwolf.settings import Settings

if TYPE_CHECKING:
    from nomicwolf.letters.letter import Letter
    from nomicwolf.reports.archive import Published, Wrote


def published(settings: Settings) -> Published:
    """Return what may be published now; `LedgerError` if the ledger can't be read."""
    from nomicwolf.contest import Contest
    from nomicwolf.reports.archive import Posted, publish
    from nomicwolf.run.contest_setup import setup_of
    from nomicwolf.run.resources import read_store, secret_if_any

    with read_store(settings) as store:
        contest = Contest.of(setup_of(settings, secret_if_any(settings)), store.record())
        posted = [Posted(owed.letter, owed.message_id) for owed in store.outbox().each()
                  if owed.state == "sent" and owed.letter.kind == "public"]
        wrote = {kept.entry: _words(kept.letter) for kept in store.letters() if kept.entry and kept.letter.forums}
        return publish(contest, posted, settings.archive.url, wrote)


def _words(letter: Letter) -> Wrote:
    from nomicwolf.reports.archive import Wrote

    answers = (letter.in_reply_to, *reversed(letter.references))
    return Wrote(letter.subject, letter.body, tuple(dict.fromkeys(i for i in answers if i)))


SUMS = "SHA256SUMS"
SOONEST, LATEST = 300, 6 * 3600
"""Seconds until a command that failed is tried again: at first, and at most; each time it is twice as long."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The archive's state: whether it is *due* to be written, and which state of it was *published*.

    The command has failed *tries* times since it last did its work, and is not tried before *until* (UTC seconds).
    """

    due: bool = True
    published: str = ""
    tries: int = 0
    until: int = 0


def note_due(settings: Settings) -> None:
    """Note that the archive is to be brought up to date, before anything happens that changes it."""
    if settings.archive.write:
        _note(settings, replace(_standing(settings), due=True))


def is_due(settings: Settings, now: int) -> bool:
    """Return whether there is something to be written or published at *now* (UTC seconds)."""
    if not settings.archive.write:
        return False
    standing = _standing(settings)
    return standing.due or (_unpublished(settings, standing) and standing.until <= now)


def bring_up_to_date(settings: Settings, now: int) -> PollReport:
    """Write what has changed, and publish it.

    A command that has failed is left alone until its time comes, however much is written meanwhile.
    """
    if not is_due(settings, now):
        return PollReport(idle=True)
    standing = _standing(settings)
    if standing.due:
        if said := _written(settings):
            return PollReport(NEEDS_YOU, (said,))
        standing = replace(standing, due=False)
        _note(settings, standing)
    if not _unpublished(settings, standing) or standing.until > now:
        return PollReport()
    try:
        run_hook("archive.publish", settings.archive.publish, settings.folder, settings.archive.timeout)
    except HookFailed as error:
        wait = min(LATEST, SOONEST << min(standing.tries, 10))
        _note(settings, replace(standing, tries=standing.tries + 1, until=now + wait))
        return PollReport(error.status, (f"{error}; it is tried again in {duration(wait)}",))
    _note(settings, Standing(due=False, published=_state(settings)))
    return PollReport()


def _written(settings: Settings) -> str:
    """Write the archive where it changed; return what keeps it from being written, '' for nothing."""
    from nomicwolf.archive.files import ForeignFiles, write

    try:
        write(published(settings), settings.archive.path)
    except ForeignFiles as error:
        return f"archive.path: {error}"
    except OSError as error:
        return f"archive.path: {system_error_text(error)}"
    return ""


def _unpublished(settings: Settings, standing: Standing) -> bool:
    return bool(settings.archive.publish) and _state(settings) != standing.published


def _state(settings: Settings) -> str:
    """Return a hash of all files of the archive, '' if there is none."""
    try:
        return sha256((settings.archive.path / SUMS).read_bytes()).hexdigest()
    except OSError:
        return ""


def _file(settings: Settings) -> Path:
    return lock_file(settings).with_suffix(".archive")


def _standing(settings: Settings) -> Standing:
    """Return what is to be done; of a file that can't be read, or isn't there, all of it."""
    try:
        return Standing(**json.loads(_file(settings).read_text(encoding="ascii")))
    except (OSError, ValueError, TypeError):
        return Standing()


def _note(settings: Settings, standing: Standing) -> None:
    file = _file(settings)
    fresh = file.with_name(f".{file.name}.new")
    fresh.write_text(json.dumps(asdict(standing)) + "\n", encoding="ascii")
    fresh.replace(file)
