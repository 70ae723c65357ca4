"""From settings to a contest's setup, and packs.

A pack is roles and setups in one zip. It is read within limits, and written beside a contest, never over a file.
"""

from __future__ import annotations

import re
import stat
import tomllib
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Final
from zipfile import BadZipFile, ZipFile, ZipInfo

from nomicwolf.contest import Contest
from nomicwolf.contest.mail.assurance import names_of
from nomicwolf.contest.step import forums_of
from nomicwolf.ledger.errors import LedgerError
from nomicwolf.ledger.idle_check import glance
from nomicwolf.ledger.store import Store
from nomicwolf.letters.letter import ForumInfo, Letter, Raw
from nomicwolf.nomic.delivery import slots_of
from nomicwolf.nomic.setup import STEPS, Caps, Forum, Other, Policy, Profile, Setup, profile, profile_of
from nomicwolf.run.resources import read_store, secret_if_any
from nomicwolf.settings.keys import LedgerSettings, NomicSettings, Settings, SettingsError
from nomicwolf.settings.load import load, secret_of
from nomicwolf.settings.shape import nearest
from nomicwolf.village.role_file import LARGEST, RoleError, decoded
from nomicwolf.village.rules import OF_ALL, Refusal
from nomicwolf.village.rulesets import BUILT_IN, SetupFile, ruleset, setups, switches_of_all

LAWS = {"agora": "agora-2009", "b": "b-2009"}
"""The law of a nomic by its name, unless the settings give another."""
USUAL_LAW = "agora-2009"
MOST_ROLES = 100
"""Roles that a contest's folder may have."""
_OURS = ("settling", "instant", "cover")
SETTLING, SETTLING_CLAMPED = 10, 30
"""Default minutes during which an earlier public deed may still arrive (D-N9)."""


def unknown_switches(settings: Settings) -> tuple[str, ...]:
    """Return the problems with switches that no rule set has; some may be for sessions of another rule set."""
    given = [name for name in settings.switches if name not in _OURS]
    if all(any(name == s.name for rules in BUILT_IN.values() for s in rules.switches) for name in given):
        return ()
    try:
        own = [switch.name for switch in ruleset(settings.contest.ruleset).switches]
        every = {*own, *switches_of_all()}
    except Refusal:
        return ()  # `check` and `start` tell what is wrong with the rule set
    return tuple(f"switches.{name}: unknown key; {nearest(name, [*own, *OF_ALL])}"
                 for name in given if name not in every)


def setup_of(settings: Settings, secret: bytes, others: tuple[Other, ...] = ()) -> Setup:
    """Return the contest's setup; *secret* keys the marks of its mail, *others* read the same mailbox.

    `SettingsError` for switches that no rule set has.
    """
    if unknown := unknown_switches(settings):
        raise SettingsError(*unknown)
    contest, own = settings.contest, own_roles(settings.folder)
    chosen = chosen_setup(settings, own)
    default = SETTLING_CLAMPED if any(n.instant == "clamped" for n in settings.nomics) else SETTLING
    return Setup(
        contest=contest.id,
        name=contest.name or contest.id,
        ruleset=contest.ruleset,
        contestmaster=contest.contestmaster.name,
        contestmaster_addresses=tuple(a.lower() for a in contest.contestmaster.addresses),
        address=settings.address,
        forums=tuple(_forum(n, settings) for n in settings.nomics),
        switches={**(chosen.switches if chosen else {}),
                  **{name: value for name, value in settings.switches.items() if name not in _OURS}},
        settling=60 * int(settings.switches.get("settling", default)),
        limit={n.name: n.limit for n in settings.nomics if n.limit is not None},
        secret=secret,
        daily_count=contest.daily_count,
        quiet_days=contest.quiet_days,
        guard=3600 * contest.guard_hours,
        prefixes=contest.prefixes,
        joining=contest.joining,
        observers=contest.observers,
        authserv_ids=contest.authserv_ids,
        forum_authserv_ids=tuple(host for n in settings.nomics for host in n.authserv_ids),
        assurance=settings.required,
        subaddresses=settings.identity.subaddresses,
        token_hours=settings.identity.token_hours,
        signature_days=settings.identity.signature_days,
        cover=slots_of(settings.switches.get("cover", "off")),
        others=others,
        open_journal=contest.open_journal,
        uniform_subjects=settings.mail.uniform_subjects,
        html=settings.mail.html,
        remind=tuple(when for when in settings.absence.remind if when != "never"),
        absence=_policy(settings),
        utf8=settings.smtp.utf8,
        stamps_prove=bool(settings.contest.mail_hosts),
        archive=settings.archive.url if settings.archive.write else "",
        roles=own,
        chosen=chosen,
        caps=Caps(settings.limits.letters_per_day, settings.limits.deeds_per_day, settings.limits.answers_per_day),
    )


def recorded(settings: Settings, store: Store) -> Contest:
    """Return the contest that its ledger records."""
    return Contest.of(setup_of(settings, secret_if_any(settings)), store.record())


def chosen_setup(settings: Settings, own: Mapping[str, str]) -> SetupFile | None:
    """Return the setup that ``contest.setup`` names, with a contest's *own* roles; None where it names none.

    It is a file of the contest's, or one of those that come with the program, which is played with their roles alone.
    `SettingsError` for one that can't be played, or is for another rule set than the contest.
    """
    name = settings.contest.setup
    if not name:
        return None
    from nomicwolf.reports.setups import checked_setup  # few contests have one, and it brings the reader along

    try:
        shipped = "" if (settings.folder / name).exists() else setups().get(name, "")
        text = shipped or file_text(settings.folder / name, name)
        found, rules, _ = checked_setup(text, name, {} if shipped else own)
    except RoleError as error:
        raise SettingsError(*error.problems) from error
    except (OSError, Refusal) as error:
        raise SettingsError(f"contest.setup: {name}: {error}") from error
    if rules.name != settings.contest.ruleset:
        raise SettingsError(f'contest.ruleset: {name} is a setup of {rules.name}; write ruleset = "{rules.name}"')
    return found


def own_roles(folder: Path) -> dict[str, str]:
    """Return the text of each role in ``roles/*.toml`` of a contest's *folder*, by its name.

    It is '' for a file that can't be read, is too large, or comes after so many others, which is told to whoever would
    play it.
    """
    files = sorted((folder / "roles").glob("*.toml"))
    return {file.stem: _text(file, folder) if nth < MOST_ROLES else "" for nth, file in enumerate(files)}


def _text(file: Path, folder: Path) -> str:
    """Return what a plain file within *folder* says: nothing is read of pipes, devices, or by links to elsewhere."""
    try:
        if not file.is_file() or not file.resolve().is_relative_to(folder.resolve()):
            return ""
        return file_text(file, str(file))
    except (OSError, RoleError):
        return ""


def file_text(file: Path, place: str) -> str:
    """Return the text of a role's or a setup's *file*; `RoleError` names the *place* of what can't be read in it."""
    if file.exists() and not file.is_file():
        raise RoleError((f"{place}: it is no plain file; name a file of text",))  # a pipe or a device may never end
    with file.open("rb") as opened:
        return decoded(opened.read(LARGEST + 1), place)


def _policy(settings: Settings) -> Policy:
    given, stages = settings.absence, settings.stages
    return Policy(
        tuple(step for step in STEPS if step in given.policy), given.prod_days, given.prods, stages.extend_if_missing,
        stages.extend_hours, stages.extend_times)


def _forum(nomic: NomicSettings, settings: Settings) -> Forum:
    law = _law(nomic, settings)
    return Forum(
        nomic=nomic.name,
        address=nomic.forum,
        discussion=nomic.discussion,
        list_id=nomic.list_id.strip("<>"),
        received_by=nomic.received_by,
        instant=nomic.instant,
        profile=law.name,
        own=law,
        title=nomic.title,
        zone=nomic.zone,
        tag=nomic.tag.strip("[] "),
    )


def _law(nomic: NomicSettings, settings: Settings) -> Profile:
    """Return a nomic's law: a profile of ours, or one from a TOML file beside the settings."""
    name = nomic.profile or LAWS.get(nomic.name.lower(), USUAL_LAW)
    try:
        if not name.endswith(".toml"):
            return profile(name)
        with (settings.folder / name).open("rb") as file:
            return profile_of(tomllib.load(file))
    except (OSError, ValueError) as error:
        raise SettingsError(f"nomic.{nomic.name}.profile: {error}") from error


def others_of(settings: Settings) -> tuple[Other, ...]:
    """Return each contest in ``contest.others``; `SettingsError` names one that can't be read."""
    return tuple(_other(settings, path) for path in settings.contest.others)


def _other(settings: Settings, path: str) -> Other:
    try:
        found = load(settings.folder / path, {}, mail=False)
    except SettingsError as error:
        raise SettingsError(*(f"contest.others: {path}: {problem}" for problem in error.problems)) from error
    if found.contest.id == settings.contest.id:
        why = f"contest.others: {path}: is called {found.contest.id} as this contest is; give it an id of its own"
        raise SettingsError(why)
    found = replace(found, ledger=_ledger(settings, found))
    seen = glance(found.ledger.url, found.contest.id, 1)
    secret = secret_of(found).encode() if seen is not None else b""
    setup = setup_of(found, secret)
    forums = tuple(f.address for f in setup.forums)
    if seen is None:
        return Other(names_of(setup), setup.address, forums)
    with closing(Store.open(found.ledger.url, found.contest.id, keys=found.ledger.key)) as store:
        contest = Contest.of(setup, store.record())
    return _known(setup, contest, forums)


def _ledger(settings: Settings, other: Settings) -> LedgerSettings:
    """Return another contest's ledger: on this one's server if it is there, otherwise as its settings say.

    Either way it has its own key.
    """
    if settings.ledger_file is None and glance(settings.ledger.url, other.contest.id, 1) is not None:
        return replace(other.ledger, url=settings.ledger.url)
    return other.ledger


def _known(setup: Setup, contest: Contest, forums: tuple[str, ...]) -> Other:
    members = tuple(a for person in contest.persons.values() for a in person.addresses)
    seats = contest.running.seats if contest.running is not None else ()
    return Other(names_of(setup), setup.address, forums, setup.secret, members, tuple(seats))


LATEST = 50
"""How many of the latest letters are looked at."""
UNNAMED = ("contest.mail_hosts names none of your mail servers, so that no stamp of a forum proves anything: what "
           'comes by a list that rewrites From is held, and assurance.public = "forum" waits for a confirmation')


def relays_of(letter: Letter, forums: Sequence[ForumInfo]) -> tuple[str, ...]:
    """Return the servers between a forum's and the mailbox that *letter* names; none if it came through no forum."""
    from nomicwolf.letters.origin import hosts_above

    found = [hosts_above(letter.headers, forum) for forum in forums if forum.name in letter.through]
    return next(filter(None, found), ())


def mail_hosts_note(settings: Settings) -> str:
    """Return what is to be said of `contest.mail_hosts`, '' if nothing: by the latest letters, where there are any."""
    named = bool(settings.contest.mail_hosts)
    forums, latest = forums_of(setup_of(settings, b"")), ""
    for letter in _latest(settings):
        if not letter.through:
            continue
        if named and letter.stamps:
            return ""
        found = relays_of(letter, forums)
        listed = ", ".join(f'"{host}"' for host in found)
        told = f"by the latest letter from {letter.through[0]} they are mail_hosts = [{listed}]"
        latest = latest or (listed and told)
    if named:
        return latest and (f"contest.mail_hosts does not name all of your mail servers, so that no forum's stamp is "
                           f"believed; {latest}, if that letter is no forgery")
    return f"{UNNAMED}; {latest or 'once a letter has come through a forum, this names them'}"


def _latest(settings: Settings) -> Iterator[Letter]:
    """Yield the latest letters of the ledger, the last one first; none where it can't be read."""
    try:
        with read_store(settings) as store:
            last = store.counts().received
            for number in range(last, max(last - LATEST, 0), -1):
                if (kept := store.letter(number)) is not None:
                    yield kept.letter
    except LedgerError:
        return


def relays_in(data: bytes, forums: Mapping[str, str]) -> tuple[str, ...]:
    """Return the same of a letter's bytes; *forums* are the addresses by nomic."""
    from nomicwolf.letters.mime import make_letter

    known = tuple(ForumInfo(nomic, (address,)) for nomic, address in forums.items())
    return relays_of(make_letter(Raw("", 0, 0, data, len(data)), known), known)


LARGEST_PACK: Final = 1 << 20
"""Bytes of a pack."""
MOST_FILES: Final = 2 * MOST_ROLES
_NAME: Final = re.compile(r"(roles/)?[a-z0-9]+(-[a-z0-9]+)*\.toml")
_IN_FOLDER: Final = re.compile(rf"\w[\w -]*/{_NAME.pattern}")
"""What is in a pack if a folder was zipped, and not what is in it."""


def read_pack(pack: Path) -> dict[str, str]:
    """Return the texts of the files in *pack*, by their names (``roles/warden.toml``, ``friday.toml``).

    Raises `RoleError` with everything that is wrong: for a pack that is no zip, is too large or names a file that has
    no business there. No more of any file is unpacked than a role may have.
    """
    try:
        _demand_small(pack)
        with ZipFile(pack) as opened:
            return _texts(pack, opened)
    except OSError as error:
        raise RoleError((f"{pack}: {error.strerror or error}",)) from error
    except RoleError:
        raise
    except (BadZipFile, RuntimeError, ValueError, EOFError, zlib.error) as error:
        raise RoleError((f"{pack}: this is no zip that can be read ({error})",)) from error


def _demand_small(pack: Path) -> None:
    if pack.stat().st_size > LARGEST_PACK:
        raise RoleError((f"{pack}: it is larger than {LARGEST_PACK} bytes; a pack is {MOST_FILES} files at most",))


def _texts(pack: Path, opened: ZipFile) -> dict[str, str]:
    entries = [entry for entry in opened.infolist() if not entry.is_dir()]
    if len(entries) > MOST_FILES:
        raise RoleError((f"{pack}: it has {len(entries)} files; {MOST_FILES} are the most",))
    names = [entry.filename for entry in entries]
    problems = [f"{pack}: {entry.filename!r} {why}" for entry in entries if (why := _unfit(entry, names))]
    found = dict[str, str]()
    for entry in entries if not problems else ():
        with opened.open(entry) as file:
            data = file.read(LARGEST + 1)
        try:
            found[entry.filename] = decoded(data, f"{pack}: {entry.filename}")
        except RoleError as error:
            problems += error.problems
    if problems:
        raise RoleError(tuple(problems))
    return found


def _unfit(entry: ZipInfo, names: list[str]) -> str:
    """Return why an entry can't be unpacked, '' if it can."""
    if _IN_FOLDER.fullmatch(entry.filename) and not entry.filename.startswith("roles/"):
        return "can't be in a pack in a folder of that name: zip what is in the folder, not the folder"
    if not _NAME.fullmatch(entry.filename):
        return "can't be in a pack; name files roles/NAME.toml, or NAME.toml for a setup"
    if names.count(entry.filename) > 1:
        return "is there twice"
    if stat.S_ISLNK(entry.external_attr >> 16):
        return "is a link"
    return "has a password" if entry.flag_bits & 1 else ""


def unpack(texts: dict[str, str], folder: Path) -> list[str]:
    """Write the *texts* of a pack into *folder*; return the names of those that weren't there.

    Raises `RoleError`, and writes nothing, if a file of the name is there that says something else.
    """
    places = {name: folder / name for name in texts}
    there = [name for name, place in places.items() if place.is_symlink() or place.exists()]
    other = [name for name in there if not _same(places[name], texts[name])]
    if other:
        raise RoleError(tuple(f"{places[name]}: there is such a file; move it away, or rename one" for name in other))
    new = [name for name in texts if name not in there]
    for name in new:
        places[name].parent.mkdir(exist_ok=True)
        places[name].write_text(texts[name], encoding="utf-8")
    return new


def _same(place: Path, text: str) -> bool:
    try:
        return file_text(place, str(place)) == text
    except (OSError, RoleError):
        return False
