"""The public archive and exports, written and verified."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nomicwolf.cli.base import NEEDS_YOU, WRONG_USE, Here, Json, fail, fail_of, here
from nomicwolf.cli.output import progress_bar, say, say_json, waiting

if TYPE_CHECKING:
    from nomicwolf.reports.archive import Published
    from nomicwolf.settings import Settings

LEDGER = "contest.db"
SECRET = (LEDGER, "contest.key", "contest.toml", "ledger.key")
"""The files of a contest as `init` names them, or of a whole export; nothing is published beside them."""


def archive(
    ctx: typer.Context,
    folder: Annotated[Path | None, typer.Argument(metavar="[DIR]", help="The folder; by default archive.path.")] = None,
    publish: Annotated[bool, typer.Option("--publish", help="Run archive.publish afterwards.")] = False,
    as_json: Json = False,
) -> None:
    """Write the contest's public archive: web pages with plots, an mbox, a feed, and the record for programs.

    It has public facts only while a session runs, and everything once its roles are revealed. Unchanged files are left
    alone. A folder with other files is refused. With archive.write each poll does this by itself.

    Example: nomicwolf archive /var/www/wolf
    """
    from nomicwolf.archive import write
    from nomicwolf.archive.files import ForeignFiles

    place = here(ctx)
    settings = place.settings(mail=False)
    if publish and folder is not None:
        fail("--publish goes with archive.path alone: leave DIR out", WRONG_USE)
    target = folder or settings.archive.path
    _may_be_shared(target, settings)
    with waiting("Reading the ledger"):
        published = published_of(place)
    try:
        with progress_bar("Writing pages") as told:
            done = write(published, target, told)
    except ForeignFiles as error:
        fail(str(error), WRONG_USE)
    except OSError as error:
        mend = "name a folder" if target.is_file() else "make the folder writable"
        fail(f"{target}: the archive can't be written: {error.strerror or error}; {mend}", NEEDS_YOU)
    if as_json:
        say_json({"schema": 1, "folder": str(target), "files": done.files, "changed": done.changed,
                  "removed": done.removed})
    else:
        say(f"{target / 'index.html'}: {done.files} files, {done.changed} of them new or changed.")
    if publish:
        _publish(settings)


def _publish(settings: Settings) -> None:
    """Run the contestmaster's command; end ours if it fails, or there is none."""
    from nomicwolf.run.copies import HookFailed, run_hook

    if not settings.archive.publish:
        fail("archive.publish: names no command; docs/archive.md shows some", WRONG_USE)
    try:
        run_hook("archive.publish", settings.archive.publish, settings.folder, settings.archive.timeout)
    except HookFailed as error:
        fail(str(error), error.status)


def export(
    ctx: typer.Context,
    target: Annotated[Path | None, typer.Argument(metavar="[TARGET]", help="The folder; by default export.")] = None,
    public: Annotated[bool, typer.Option("--public", help="Only what everyone may know.")] = False,
) -> None:
    """Export the contest as data: its whole ledger, or what everyone may know.

    The ledger stays sealed if it is sealed here, and `nomicwolf restore` reads it. What --public writes has no secrets,
    and `nomicwolf verify` checks it.

    Example: nomicwolf export --public shared
    """
    from nomicwolf.archive.files import SUMS
    from nomicwolf.archive.files import export as exported
    from nomicwolf.ledger.errors import LedgerError
    from nomicwolf.ledger.store import backup

    place = here(ctx)
    settings = place.settings(mail=False)
    target = target or place.folder / "export"
    try:
        if public:
            _may_be_shared(target, settings)
            names = exported(published_of(place), target)
        else:
            if (target / SUMS).exists():
                fail(f"{target}: has what may be shared, which a whole ledger may not; name another folder", WRONG_USE)
            names = (LEDGER,)
            backup(settings.ledger.url, settings.contest.id, target / names[0], settings.ledger.key)
    except (LedgerError, OSError) as error:
        fail_of(error)
    say(f"{target}: {', '.join(names)}. " + ("All of it may be shared." if public else "It holds all secrets."))


def _may_be_shared(folder: Path, settings: Settings) -> None:
    """End the command if *folder* has what nobody else may see: whoever publishes it would publish that, too."""
    from nomicwolf.cli.check import secret_files

    names = dict.fromkeys((*SECRET, *(path.name for path in secret_files(settings))))
    if secret := [name for name in names if (folder / name).exists()]:
        fail(f"{folder}: has {', '.join(secret)} in it, which must not be shared; name another folder", WRONG_USE)


def published_of(place: Here) -> Published:
    """Return what may be published of the contest in this folder; end the command if its ledger can't be read."""
    from nomicwolf.ledger.errors import LedgerError
    from nomicwolf.run.copies import published

    try:
        return published(place.settings(mail=False))
    except LedgerError as error:
        fail_of(error)


def verify(
    folder: Annotated[Path, typer.Argument(metavar="ARCHIVE", help="The archive's folder.")],
    as_json: Json = False,
) -> None:
    """Redo every draw, count, death and award of a published archive, and say what differs.

    Exit status 1 if anything differs.

    Example: nomicwolf verify /var/www/wolf
    """
    from nomicwolf.archive import verify as verified
    from nomicwolf.archive.verification import NoArchive

    try:
        with waiting("Redoing the contest"):
            verdict = verified(folder)
    except NoArchive as error:
        fail(str(error), WRONG_USE)
    if as_json:
        say_json(verdict.json())
    else:
        counts = ", ".join(f"{number} {kind}" for kind, number in verdict.checked.items())
        if verdict.other:
            say(f"The pages are by {verdict.other}, and only that could make them again: they were compared with "
                "SHA256SUMS alone.")
        say(f"{'All is as it must be' if verdict.verified else 'This differs from what it must be'}: {counts} checked.")
    if not verdict.verified:
        fail(() if as_json else verdict.differs)


COMMANDS: dict[str, Callable[..., None]] = {"archive": archive, "verify": verify, "export": export}
