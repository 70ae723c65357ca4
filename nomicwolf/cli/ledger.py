"""The ledger copied, replayed, restored, verified and rekeyed."""

from __future__ import annotations

import os
import sys
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nomicwolf.cli.base import WRONG_USE, At, Commands, Here, Json, clock, fail, here
from nomicwolf.cli.output import complain, say, say_json, waiting
from nomicwolf.ledger.database import write_private
from nomicwolf.nomic.times import instant_in
from nomicwolf.settings.keys import URL, Settings
from nomicwolf.settings.load import KEY_FILE, key_file
from nomicwolf.settings.shape import without_password

if TYPE_CHECKING:
    from nomicwolf.contest import Contest
    from nomicwolf.run.replay import Recording, Replayed


def ledger_copy(
    ctx: typer.Context,
    url: Annotated[str, typer.Argument(metavar="URL", help="sqlite:///new.db or postgresql+psycopg://user@host/name.")],
    as_json: Json = False,
) -> None:
    """Copy the contest's ledger to another database, and verify that both are equal.

    A database that already has the contest is left alone.
    Afterwards set ledger.url to the new one; the old ledger stays as it was.

    Example: nomicwolf ledger copy postgresql+psycopg://wolf@db.example/contests
    """
    from nomicwolf.ledger.store import copy_contest
    from nomicwolf.run.resources import turn

    settings = here(ctx).settings(mail=False)
    target = rooted(settings, url)
    with turn(settings) as held:
        copied = copy_contest(settings.ledger.url, target, settings.contest.id, settings.ledger.key)
        moved = replace(settings, ledger=replace(settings.ledger, url=target))
        with nullcontext(held) if _same_turn(settings, moved) else turn(moved) as there:
            there.note(held.since)
    if as_json:
        say_json({"schema": 1, "contest": settings.contest.id, "rows": copied.rows, "last": copied.last,
                  "head": copied.head, "equal": True})
        return
    say(f"{sum(copied.rows.values())} rows of {settings.contest.id} are there, each as it was, and the copy is whole:")
    say(f"entry {copied.last} is the last, {copied.head} the chain's head.")
    line = f'`url = "{url}"` below [ledger]' if url.startswith("sqlite") else "its URL as ledger.url"
    say(f"To go on there, write {line} in contest.toml; the ledger here stays as it was.{_key_move(settings, target)}")


def _same_turn(here: Settings, there: Settings) -> bool:
    """Return whether both ledgers have one lock, as two files in one folder do."""
    from nomicwolf.run.resources import lock_file

    return bool(here.ledger_file and there.ledger_file) and lock_file(here) == lock_file(there)


def rooted(settings: Settings, url: str) -> str:
    """Return *url* with an SQLite path made absolute, from the contest's folder; end the command if it is none."""
    if not URL["form"].fullmatch(url):
        fail(f"{without_password(url)}: {URL['else']}", WRONG_USE)
    kind, slashes, rest = url.partition(":///")
    return f"{kind}{slashes}{settings.folder / rest}" if kind.startswith("sqlite") else url


def _key_move(settings: Settings, target: str) -> str:
    """Say where the contest's key must lie, if that is elsewhere by then."""
    kind, _, rest = target.partition(":///")
    there = settings.folder.joinpath(rest).parent if kind.startswith("sqlite") else settings.folder
    if settings.contest.secret or there == key_file(settings).parent:
        return ""
    return f"\nTake {key_file(settings)} along, to {there / KEY_FILE}."


KEY_FILE_NAME = "ledger.key"


def ledger_rekey(ctx: typer.Context) -> None:
    """Seal the ledger with a new key, and leave nothing that the old one opens.

    The key is in the file that ledger.key_file names. Backups stay sealed with the key of their time, which is kept
    beside it. With a key from the settings or a keyring, put the new one before the old, then run this command.

    Example: nomicwolf ledger rekey
    """
    from nomicwolf.ledger.encryption import make_key
    from nomicwolf.run.letter_intake import open_store
    from nomicwolf.run.oauth_login import Login
    from nomicwolf.run.resources import turn

    place = here(ctx)
    path = _key_path(place.folder)
    first = path is not None and not path.exists()
    if path is not None and first:
        write_private(path, make_key())
    settings = place.settings(mail=False)
    old = "" if first else settings.ledger.key
    keys = f"{make_key()} {old}" if path is not None and not first else settings.ledger.key
    with turn(settings), waiting("Sealing"):
        if path is not None:
            write_private(path, keys)
        keyed = replace(settings, ledger=replace(settings.ledger, key=keys))
        with open_store(keyed) as store:
            count = store.reseal()
        if settings.oauth is not None:
            Login(keyed).reseal()
    kept = _store_old_key(path, keys, old)
    say(f"{count} rows of the ledger are sealed with the {'new' if old else 'first'} key.{kept}")


def _store_old_key(path: Path | None, keys: str, old: str) -> str:
    """Leave the new key alone in its file, and say where the old one is."""
    if path is None or not old:
        return ""
    kept = path.with_name(f"{path.name}.old")
    before = kept.read_text(encoding="ascii") if kept.exists() else ""
    write_private(kept, f"{old}\n{before}")
    write_private(path, keys.split(maxsplit=1)[0])
    return f"\nThe old key is in {kept}, for backups; remove it when none of them is left."


def _key_path(folder: Path) -> Path | None:
    """Return the key's file as the settings name it, None for a key that is elsewhere; end the command without any."""
    try:
        told = tomllib.loads((folder / "contest.toml").read_text(encoding="utf-8")).get("ledger", {})
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        fail(f"{folder / 'contest.toml'}: {error}")
    name = told.get("key_file")
    if isinstance(name, str):
        return folder / name
    if "key" in told or "key_keyring" in told or "key_credential" in told or "NOMICWOLF_LEDGER_KEY" in os.environ:
        return None
    return fail('The ledger has no key. Write [ledger] and below it '
                f'key_file = "{KEY_FILE_NAME}" into contest.toml; the file is made.')


def unsealed(settings: Settings) -> str:
    """Return what to say of a ledger without a key, '' for one that has it."""
    if settings.ledger.key:
        return ""
    return (f"the ledger isn't sealed: who can read its file or a backup knows every role; write [ledger] and below it "
            f'key_file = "{KEY_FILE_NAME}", then nomicwolf ledger rekey')


def replay(
    ctx: typer.Context,
    until: Annotated[str, typer.Option(metavar="T", help="Stop at this ISO 8601 time.")] = "",
    without: Annotated[str, typer.Option(
        metavar="LETTER", help="Leave out this letter or command: its number in `history`, or its Message-ID.")] = "",
    as_json: Json = False,
) -> None:
    """Redo the contest from its letters and commands, and compare the result with the ledger.

    Exit status 1 if anything differs, except the wording of another version. With --without, it prints what was (-) and
    what would have been (+) if nobody had acted otherwise.

    Example: nomicwolf replay

    Example: nomicwolf replay --until 2026-12-01T12:00Z

    Example: nomicwolf replay --without 117
    """
    end = _until(until)
    with _recording(here(ctx)) as original:
        if without:
            _replay_without(original, without, end, as_json=as_json)
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


def replayed(place: Here) -> Replayed:
    """Replay the contest in this folder."""
    from nomicwolf.run.replay import replay as once_more

    with _recording(place) as original:
        return once_more(original)


def _replay_without(original: Recording, letter: str, end: int | None, *, as_json: bool) -> None:
    from nomicwolf.run.replay import replay_without

    found = replay_without(original, letter, end)
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
    from nomicwolf.reports.json_reports import phase_name

    game = contest.game
    return {
        "phase": phase_name(game), "alive": list(game.living()) if game else [],
        "dead": [p for p in game.seats if p not in game.alive] if game else [],
    }


def _until(text: str) -> int | None:
    if not text:
        return None
    try:
        return instant_in(text)
    except ValueError:
        fail(f"--until {text}: is no time; write it like 2026-12-01T12:00:00Z", WRONG_USE)


@contextmanager
def _recording(place: Here) -> Iterator[Recording]:
    """Yield the contest's ledger for a replay."""
    from nomicwolf.run.contest_setup import others_of, setup_of
    from nomicwolf.run.replay import recording_of
    from nomicwolf.run.resources import read_store
    from nomicwolf.settings.load import secret_of

    settings = place.settings(mail=False)
    setup = setup_of(settings, secret_of(settings).encode(), others_of(settings))
    with read_store(settings) as store:
        yield recording_of(settings, setup, store, place.order_of)


def restore(
    ctx: typer.Context,
    backup: Annotated[Path | None, typer.Argument(
        metavar="[BACKUP]", help="A file that `nomicwolf backup` made, or a name from --list.")] = None,
    listed: Annotated[bool, typer.Option("--list", help="List the backups in their folder; do nothing.")] = False,
    over: Annotated[bool, typer.Option("--over", help="Restore, even if the backup lacks entries.")] = False,
    at: At = "",
) -> None:
    """Restore the ledger from a verified backup; the present one is kept beside it.

    The next poll rereads the letters since then. Announcements that may be out already are not sent again; `nomicwolf
    unsent` lists them until their echo is found.

    Example: nomicwolf restore /var/backups/contest.db

    Example: nomicwolf restore --list
    """
    from nomicwolf.nomic.times import when
    from nomicwolf.run.copies import restore as bring_back

    settings = here(ctx).settings(mail=False)
    if listed or backup is None:
        _list_backups(settings, asked=listed)
        return
    if not backup.exists() and (settings.keep.backups / backup.name).is_file() and backup == Path(backup.name):
        backup = settings.keep.backups / backup.name
    if (within := backup / "contest.db").is_file():
        fail(f"{backup}: is a folder; name the ledger in it: {within}", WRONG_USE)
    if settings.ledger_file is not None and backup.is_file() and backup.resolve() == settings.ledger_file.resolve():
        fail(f"{backup}: is the contest's own ledger; name the copy that `nomicwolf backup` made", WRONG_USE)
    if not backup.is_file():
        fail(f"{backup}: there is no such file; name the copy that `nomicwolf backup` made", WRONG_USE)
    done = bring_back(settings, backup, clock(at), over=over)
    if done.aside is not None:
        say(f"What stood here is kept as {done.aside.name}.")
    say(f"The ledger is back as of {when(done.at)}, entry {done.last}. The next poll hears again what came since;\n"
        "commands that you gave since then you must give again, and `nomicwolf unsent` lists what may be out already.")
    if key := _key_fault(settings):
        complain(f"before the next poll: {key}")


def _list_backups(settings: Settings, *, asked: bool) -> None:
    """List the backups in their folder, newest first; end the command if none was named and that wasn't *asked*."""
    from nomicwolf.nomic.times import when
    from nomicwolf.run.copies import backups

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
    from nomicwolf.run.replay import other_key_warning
    from nomicwolf.run.resources import read_store
    from nomicwolf.settings.keys import SettingsError
    from nomicwolf.settings.load import secret_of

    try:
        secret = secret_of(settings).encode()
    except SettingsError as error:
        return str(error)
    with read_store(settings) as store:
        return other_key_warning(store, secret)


def backup(
    ctx: typer.Context,
    target: Annotated[Path | None, typer.Argument(
        metavar="[TARGET]", help="The copy: a new file, or - for standard output; by default a file in keep.backups.",
    )] = None,
    at: At = "",
) -> None:
    """Copy the ledger while it is in use, and verify the copy.

    Without a name it goes to keep.backups, which `nomicwolf restore --list` shows. To copy to another machine, use
    standard output, for example into `ssh elsewhere 'cat > contest.db'`.

    Example: nomicwolf backup /var/backups/contest.db

    Example: nomicwolf backup -
    """
    from nomicwolf.ledger.store import backup as copied
    from nomicwolf.run.copies import WISH, backup_to, make_backup, tip_of

    settings = here(ctx).settings(mail=False)
    if target is not None and target.is_dir():
        fail(f"{target}: is a folder; name the copy in it: {target / 'contest.db'}", WRONG_USE)
    if target is not None and str(target) == "-":
        backup_to(settings, sys.stdout.buffer)
        return
    with waiting("Copying the ledger"):
        if target is None:
            target = make_backup(settings, tip_of(settings).last, clock(at)(), WISH)
        else:
            copied(settings.ledger.url, settings.contest.id, target, settings.ledger.key)
    say(f"The ledger is copied to {target}. Keep contest.key with it: without that key mail can't be told for ours.")
    if settings.ledger.key:
        say("The copy is sealed: keep the ledger's key (ledger.key) too, in another place; without it nobody reads it.")


ledger = Commands(help="Verify the ledger, copy it to another database, or seal it with a new key.")


@ledger.command("verify")
def ledger_verify(
    ctx: typer.Context,
    told: Annotated[list[Path] | None, typer.Option(
        help="A letter or mbox from the forum, whose heads must match this record. Can be repeated.")] = None,
    as_json: Json = False,
) -> None:
    """Verify the ledger: its chain, numbers, letters and sums; then replay it.

    Example: nomicwolf ledger verify

    Example: nomicwolf ledger verify --told agora-december.mbox
    """
    import nomicwolf.contest  # noqa: F401 - declares every kind of event
    from nomicwolf.run.replay import foreign_heads, other_key_warning
    from nomicwolf.run.resources import read_store
    from nomicwolf.settings.load import secret_of

    settings, files = here(ctx).settings(mail=False), _existing(told or ())
    secret = secret_of(settings).encode()
    with waiting("Following the chain"), read_store(settings) as store:
        problems, counts = store.verify(), store.counts()
        key = other_key_warning(store, secret)
        problems += [key] if key else foreign_heads(store, secret, files)
    again = None if problems else replayed(here(ctx))
    differs, worded = (again.differs, again.worded) if again else ([], [])
    if as_json:
        say_json({"schema": 1, "whole": not problems, "problems": problems, "differs": differs, "worded": worded})
    elif again:
        say(f"The ledger is whole. {counts}\n{summary(again)}")
    if problems:
        fail([*problems, "restore the last backup that verifies"] if not as_json and problems != [key] else problems)
    if differs:
        fail([*differs, "the record stands; was it heard by another version, or with other keys?"]
             if not as_json else differs)


def _existing(files: Sequence[Path]) -> Sequence[Path]:
    """Return *files*; end the command if one of them is none."""
    for file in files:
        if file.is_dir() or not file.exists():
            fail(f"{file}: there is no such file; name a letter or mbox of the forum's own", WRONG_USE)
    return files


ledger.command("copy")(ledger_copy)
ledger.command("rekey")(ledger_rekey)
