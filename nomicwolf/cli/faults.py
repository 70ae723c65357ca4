"""What can be wrong with settings and with the files beside them, each fault with what to do about it."""

from __future__ import annotations

import os
import shutil
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path

from nomicwolf.nomic.times import duration
from nomicwolf.reports.layout import zone_of
from nomicwolf.reports.prose import template_faults
from nomicwolf.reports.setups import checked_role
from nomicwolf.run.contest_setup import own_roles, setup_of
from nomicwolf.run.desk import own_templates
from nomicwolf.run.oauth_login import token_file
from nomicwolf.run.resources import last_run
from nomicwolf.settings import ImapSettings, Settings, SettingsError, SmtpSettings, key_file
from nomicwolf.village.kernel import with_switches
from nomicwolf.village.role_file import RoleError
from nomicwolf.village.rules import Refusal
from nomicwolf.village.rulesets import ruleset

USUAL = {993: "tls", 143: "starttls", 465: "tls", 587: "starttls"}
"""Which security belongs to a port (RFC 8314)."""
OWN_SENDER = ("smtp.gmail.com", "smtp.googlemail.com")
"""Servers that put the account's own address into From, whatever a letter says."""
ROOM = 50_000_000
"""Bytes that must be free beside the ledger: a letter has up to a megabyte, and many may wait."""
MOUNTED = Path("/run/secrets")
"""Where containers have their secrets, of modes that nobody in there can change; no other user is there."""
LATE = 3600
"""Seconds since the last poll after which a timer is taken to stand still; cron polls each ten minutes."""


def rules(settings: Settings) -> Iterator[str]:
    """Yield what the rule set finds wrong with itself or its switches."""
    try:
        found = ruleset(settings.contest.ruleset)
        with_switches(found, setup_of(settings, b"").switches)
    except Refusal as refused:
        yield f"{refused.why} Mend [contest] or [switches] in contest.toml."


def files(settings: Settings) -> Iterator[str]:
    """Yield which files others can read, or nobody can write, what fails in them, and contests that are missing."""
    for path in secret_files(settings):
        if path.exists() and path.stat().st_mode & 0o077 and path.parent != MOUNTED:
            yield f"{path}: others can read it, and it may hold secrets; chmod 600 {path}"
    place = settings.ledger_file.parent if settings.ledger_file else settings.folder
    if not os.access(place, os.W_OK | os.X_OK):
        yield f"{place}: this user can't write there; let it own the folder, or run as the one who does"
    elif shutil.disk_usage(place).free < ROOM:
        yield f"{place}: less than {ROOM // 1_000_000} MB are free there; make room before a letter can't be kept"
    yield from _roles(settings)
    try:
        yield from template_faults(own_templates(settings))
    except SettingsError as error:
        yield from error.problems
    for other in settings.contest.others:
        if not (settings.folder / other / "contest.toml").is_file():
            yield f"contest.others: {other}: no contest.toml is there; name the other contest's folder, or take it out"


def _roles(settings: Settings) -> Iterator[str]:
    """Yield what is wrong with the roles in the contest's folder, for the rule set that it plays."""
    try:
        found = ruleset(settings.contest.ruleset)
    except Refusal:
        return  # which `rules` tells
    for name, text in own_roles(settings.folder).items():
        try:
            checked_role(text, found, f"roles/{name}.toml")
        except RoleError as error:
            yield from error.problems


def secret_files(settings: Settings) -> tuple[Path, ...]:
    """Return the files that nobody else may read, each once; not all need be there."""
    ledger = settings.ledger_file
    named = (settings.folder / "contest.toml", *((ledger,) if ledger else ()), key_file(settings), token_file(settings))
    return tuple(dict.fromkeys((*named, settings.domain.dkim_key_file, *_passwords(settings))))


def _passwords(settings: Settings) -> Iterator[Path]:
    """Yield the files in which passwords and keys stand."""
    try:
        given = tomllib.loads((settings.folder / "contest.toml").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return  # then the environment holds all settings
    for table in given.values():
        for key, value in (table.items() if isinstance(table, dict) else ()):
            if key.endswith("_file") and isinstance(value, str):
                yield settings.folder / value


def forums(settings: Settings) -> Iterator[str]:
    """Yield what is wrong with the forums' addresses and hosts."""
    masters = {address.lower() for address in settings.contest.contestmaster.addresses}
    if settings.address.lower() in masters:
        yield f"contest.contestmaster: {settings.address} is the contest's own address; give em another of eir own"
    for nomic in settings.nomics:
        if nomic.forum.lower() == settings.address.lower():
            yield f"nomic.{nomic.name}.forum: is the contest's own address; write the forum's"
        if nomic.zone and zone_of(nomic.zone) is None:
            yield f"nomic.{nomic.name}.zone: {nomic.zone} is not known on this machine; write it like Europe/Berlin"
        if not nomic.list_id and not nomic.received_by:
            continue
        host = nomic.received_by or nomic.forum.rpartition("@")[2]
        if "." not in host:
            yield f"nomic.{nomic.name}.received_by: {host} is no host's whole name; copy it from a Received header"


def wires(settings: Settings) -> Iterator[str]:
    """Yield which port and security don't belong together, and which server would not send as the contest."""
    pairs: tuple[tuple[str, ImapSettings | SmtpSettings | None], ...] = (
        ("imap", settings.imap), ("smtp", settings.smtp))
    for name, wire in pairs:
        if wire is not None and wire.security != "none" and USUAL.get(wire.port, wire.security) != wire.security:
            yield (f"{name}.security: port {wire.port} is for {USUAL[wire.port]}, and {wire.security} is set; "
                   f'write security = "{USUAL[wire.port]}" or leave the port out')
    smtp = settings.smtp
    if smtp.host.lower() in OWN_SENDER and smtp.user and smtp.user.lower() != smtp.sender.lower():
        yield f"smtp.from: {smtp.host} sends as {smtp.user} only, whatever stands in From; write that address"


def archive(settings: Settings) -> Iterator[str]:
    """Yield what would keep the archive from being written or linked to."""
    path, url = settings.archive.path, settings.archive.url
    if url and not url.startswith(("https://", "http://")):
        yield f"archive.url: {url} is no address of a web page; write it like https://wolf.example/"
    if path.exists() and not path.is_dir():
        yield f"archive.path: {path} is a file; name a folder"
    publish = settings.archive.publish
    if publish and not settings.archive.write:
        yield "archive.publish: nothing is written that could be published; set archive.write = true"
    if publish and shutil.which(settings.folder / publish[0] if "/" in publish[0] else publish[0]) is None:
        yield f"archive.publish: there is no program {publish[0]} here; install it, or name it by its path"
    there = next(p for p in (path, *path.parents) if p.exists())
    if there.is_dir() and not os.access(there, os.W_OK | os.X_OK):
        yield f"archive.path: this user can't write in {there}; let it own that folder, or name another"


def timer(settings: Settings) -> Iterator[str]:
    """Yield that nothing polls any more; a contest whose mailbox was never read is still being set up."""
    read = last_run(settings)
    idle = int(time.time()) - read
    if read and idle > LATE:
        yield (f"the mailbox was last read {duration(idle)} ago; is the line of {settings.folder / 'crontab'} in your "
               "crontab, or the timer enabled? nomicwolf poll reads it now")
