"""``replay`` and ``restore``: the contest done again from its ledger, and the ledger brought back from a backup."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nomicwolf.cli.base import WRONG_USE, At, Here, Json, clock, complain, fail, fail_of, here, say, say_json
from nomicwolf.nomic.times import instant_in

if TYPE_CHECKING:
    from nomicwolf.contest import Contest
    from nomicwolf.run.replay import Recording, Replayed
    from nomicwolf.settings import Settings


def replay(
    ctx: typer.Context,
    until: Annotated[str, typer.Option(metavar="T", help="Only what had happened by this ISO 8601 time.")] = "",
    without: Annotated[str, typer.Option(
        metavar="LETTER", help="What would have been without it: its number in `history`, or its Message-ID.")] = "",
    as_json: Json = False,
) -> None:
    """Do the contest again from its letters and commands, and compare all that follows with the ledger.

    Exit status 1 if anything differs, but for words that another version of nomicwolf chose otherwise. With --without
    nothing is compared with the ledger: it is told what was (-) and what would have been (+), if everybody had written
    and commanded the same all the same.

    Example: nomicwolf replay

    Example: nomicwolf replay --until 2026-12-01T12:00Z

    Example: nomicwolf replay --without 117
    """
    end = _instant(until)
    with _original(here(ctx)) as original:
        if without:
            _otherwise(original, without, end, as_json=as_json)
            return
        from nomicwolf.run.replay import replay as once_more

        done = once_more(original, end)
    if as_json:
        state = _state(done.contest) if until else {}
        say_json({"schema": 1, "same": not done.differs, "events": done.entries, "letters": done.letters,
                  "differs": done.differs, "given": done.given, "worded": done.worded, **state})
    else:
        say(summary(done))
        if until:
            from nomicwolf.reports.terminal import status_text

            say(status_text(done.contest))
    if done.differs:
        fail(() if as_json else done.differs)


def summary(done: Replayed) -> str:
    """Return one line on a replay, and one on each thing that is worded otherwise now."""
    but = " but for words, which may differ between versions" if done.worded else ""
    how = f"all is the same{but}" if not done.differs else f"{len(done.differs)} differences"
    given = f" {done.given} older entries were taken as they stand: nothing tells what they followed from." * bool(
        done.given)
    line = f"{done.entries} entries and {done.letters} letters were made again: {how}.{given}"
    return "\n".join([line, *done.worded])


def redone(place: Here) -> Replayed:
    """Replay the contest in this folder."""
    from nomicwolf.run.replay import replay as once_more

    with _original(place) as original:
        return once_more(original)


def _otherwise(original: Recording, letter: str, end: int | None, *, as_json: bool) -> None:
    from nomicwolf.run.counterfactual import without

    found = without(original, letter, end)
    if as_json:
        say_json({"schema": 1, "same": not found.differs, "events": found.contest.last, "letters": 0,
                  "differs": found.differs, "without": letter, "missing": found.missing, **_state(found.contest)})
        return
    for command in found.missing:
        say(f"The command `{command}` would have been about nothing, and is left out.")
    if not found.differs:
        say(f"Without letter {letter} all would be as it is.")
        return
    say(f"Without letter {letter} (- is what was, + what would have been):\n")
    say("\n".join(found.differs))


def _state(contest: Contest) -> dict[str, Any]:
    from nomicwolf.reports.asjson import phase_name

    game = contest.game
    return {
        "phase": phase_name(game), "alive": list(game.living()) if game else [],
        "dead": [p for p in game.seats if p not in game.alive] if game else [],
    }


def _instant(text: str) -> int | None:
    if not text:
        return None
    try:
        return instant_in(text)
    except ValueError:
        fail(f"--until {text}: is no time; write it like 2026-12-01T12:00:00Z", WRONG_USE)


@contextmanager
def _original(place: Here) -> Iterator[Recording]:
    """Give the contest's ledger as it is to be done again; end the command if it can't be read."""
    from nomicwolf.ledger.errors import LedgerError
    from nomicwolf.ledger.store import Store
    from nomicwolf.run.contest_setup import others_of, setup_of
    from nomicwolf.run.replay import recording_of
    from nomicwolf.settings import SettingsError, secret_of

    settings = place.settings(mail=False)
    try:
        setup = setup_of(settings, secret_of(settings).encode(), others_of(settings))
        with Store.open(settings.ledger.url, settings.contest.id, readonly=True, keys=settings.ledger.key) as store:
            yield recording_of(settings, setup, store, place.order_of)
    except (LedgerError, SettingsError) as error:
        fail_of(error)


def restore(
    ctx: typer.Context,
    backup: Annotated[Path | None, typer.Argument(
        metavar="[BACKUP]", help="A copy that `nomicwolf backup` made, or the name of one in --list.")] = None,
    listed: Annotated[bool, typer.Option("--list", help="List the backups in their folder; do nothing.")] = False,
    over: Annotated[bool, typer.Option("--over", help="Go back, although the ledger here has what it lacks.")] = False,
    at: At = "",
) -> None:
    """Bring the ledger back from a backup, proved whole first; the one that stands there is kept beside it.

    The next poll hears again what the mailbox has got since. Announcements that may be out already are not sent
    again, but listed by `nomicwolf unsent` until their echo is found.

    Example: nomicwolf restore /var/backups/contest.db

    Example: nomicwolf restore --list
    """
    from nomicwolf.ledger.errors import LedgerError
    from nomicwolf.post.refusals import PostError
    from nomicwolf.reports.times import when
    from nomicwolf.run.restoring import restore as bring_back

    settings = here(ctx).settings(mail=False)
    if listed or backup is None:
        _list(settings, asked=listed)
        return
    if not backup.exists() and (settings.keep.backups / backup.name).is_file() and backup == Path(backup.name):
        backup = settings.keep.backups / backup.name
    if (within := backup / "contest.db").is_file():
        fail(f"{backup}: is a folder; name the ledger in it: {within}", WRONG_USE)
    if settings.ledger_file is not None and backup.is_file() and backup.resolve() == settings.ledger_file.resolve():
        fail(f"{backup}: is the contest's own ledger; name the copy that `nomicwolf backup` made", WRONG_USE)
    if not backup.is_file():
        fail(f"{backup}: there is no such file; name the copy that `nomicwolf backup` made", WRONG_USE)
    try:
        done = bring_back(settings, backup, clock(at), over=over)
    except (LedgerError, PostError, OSError) as error:
        fail_of(error)
    if done.aside is not None:
        say(f"What stood here is kept as {done.aside.name}.")
    say(f"The ledger is back as of {when(done.at)}, entry {done.last}. The next poll hears again what came since;\n"
        "commands that you gave since then you must give again, and `nomicwolf unsent` lists what may be out already.")
    if key := _key_fault(settings):
        complain(f"before the next poll: {key}")


def _list(settings: Settings, *, asked: bool) -> None:
    """List the backups in their folder, newest first; end the command if none was named and that wasn't *asked*."""
    from nomicwolf.reports.times import when
    from nomicwolf.run.backups import backups

    found = backups(settings)
    for each in found:
        say(f"{each.file.name}  {when(each.at)}, entry {each.last}, before {each.why}" if each.why != "wish" else
            f"{each.file.name}  {when(each.at)}, entry {each.last}, by nomicwolf backup")
    if not found:
        say(f"{settings.keep.backups}: has no backups of this contest.")
    if not asked:
        fail("restore: name a backup", WRONG_USE)


def _key_fault(settings: Settings) -> str:
    """Return what is wrong with the contest's own key, '' if the ledger's letters were made by it."""
    from nomicwolf.ledger.store import Store
    from nomicwolf.run.record_heads import other_key_warning
    from nomicwolf.settings import SettingsError, secret_of

    try:
        secret = secret_of(settings).encode()
    except SettingsError as error:
        return str(error)
    with Store.open(settings.ledger.url, settings.contest.id, readonly=True, keys=settings.ledger.key) as store:
        return other_key_warning(store, secret)


COMMANDS: dict[str, Callable[..., None]] = {"replay": replay, "restore": restore}
