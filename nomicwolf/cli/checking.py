"""``check``: everything that can be wrong with a setup is tried, and each fault told with what to do about it."""

from __future__ import annotations

import os
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import TypeAlias

import nomicwolf.contest  # noqa: F401 - declares every kind of event
from nomicwolf.cli.base import Here, say
from nomicwolf.ledger.errors import LedgerError
from nomicwolf.ledger.store import Store
from nomicwolf.post.errors import PostError
from nomicwolf.reports.prose import template_faults
from nomicwolf.run.sending import wire_of
from nomicwolf.run.setting import setup_of
from nomicwolf.run.working import own_templates
from nomicwolf.run.world import prepared_secret, source_of
from nomicwolf.settings import Settings, SettingsError
from nomicwolf.settings.load import load
from nomicwolf.village.kernel import with_switches
from nomicwolf.village.rules import Refused
from nomicwolf.village.rulesets import ruleset

Fault: TypeAlias = str
Trial: TypeAlias = Callable[[Settings], Iterator[Fault]]
SLACK = 300
BOOK = 1_767_225_600  # 2026-01-01: a clock before that was never set


def check_all(place: Here) -> bool:
    """Try all, tell what was found, and return whether all is well."""
    try:
        settings = load(place.folder, os.environ)
    except SettingsError as error:
        for problem in error.problems:
            print(f"settings: {problem}", file=sys.stderr)
        return False
    say(f"settings: good ({settings.folder / 'contest.toml'})")
    well = True
    for name, trial in TRIALS.items():
        faults = list(trial(settings))
        well = well and not faults
        if not faults:
            say(f"{name}: good")
        for fault in faults:
            print(f"{name}: {fault}", file=sys.stderr)
    return well


def _rules(settings: Settings) -> Iterator[Fault]:
    try:
        rules = ruleset(settings.contest.ruleset)
        with_switches(rules, setup_of(settings, b"").switches)
    except Refused as refused:
        yield f"{refused.why} Mend [contest] or [switches] in contest.toml."


def _files(settings: Settings) -> Iterator[Fault]:
    for path in (settings.folder / "contest.toml", settings.ledger_file):
        if path is not None and path.exists() and path.stat().st_mode & 0o077:
            yield f"{path}: others can read it, and it may hold secrets; chmod 600 {path}"
    try:
        yield from template_faults(own_templates(settings))
    except (OSError, UnicodeDecodeError) as error:
        yield f"templates: {error}; save them as UTF-8 files that this user can read"


def _forums(settings: Settings) -> Iterator[Fault]:
    for nomic in settings.nomics:
        if nomic.forum.lower() == settings.address.lower():
            yield f"nomic.{nomic.name}.forum: is the contest's own address; write the forum's"
        if not nomic.list_id and not nomic.received_by:
            continue
        host = nomic.received_by or nomic.forum.rpartition("@")[2]
        if "." not in host:
            yield f"nomic.{nomic.name}.received_by: {host} is no host's whole name; copy it from a Received header"


def _source(settings: Settings) -> Iterator[Fault]:
    try:
        with closing(source_of(settings, int(time.time()))) as source:
            source.nothing_new((source.name, 0, 0))
    except (PostError, OSError) as error:
        yield f"{error}"


def _smtp(settings: Settings) -> Iterator[Fault]:
    from nomicwolf.post.smtp import greet

    try:
        greet(wire_of(settings))
    except (PostError, OSError) as error:
        yield f"{error}"


def _names(settings: Settings) -> Iterator[Fault]:
    for key, host in (("smtp.host", settings.smtp.host), ("imap.host", settings.imap.host if settings.imap else "")):
        try:
            if host:
                socket.getaddrinfo(host, None)
        except (OSError, UnicodeError) as error:
            yield f"{key}: {host}: {error}; is the name right, and does this machine have a network?"


def _clock(settings: Settings) -> Iterator[Fault]:
    now = int(time.time())
    if now < BOOK:
        yield "this machine's clock was never set; let it be set by NTP (timedatectl set-ntp true)"
    try:
        prepared_secret(settings)
        with closing(Store.open(settings.ledger.url, settings.contest.id, readonly=True)) as store:
            ahead = store.standing().polled_at - now
    except (LedgerError, SettingsError, OSError):
        return  # the ledger's own trial tells
    if ahead > SLACK:
        yield f"it is {ahead // 60} minutes behind the ledger's last change; set the clock, or wait"


def _ledger(settings: Settings) -> Iterator[Fault]:
    try:
        prepared_secret(settings)
        with closing(Store.open(settings.ledger.url, settings.contest.id, readonly=True)) as store:
            problems, counts = store.verify(), store.counts()
    except (LedgerError, SettingsError, OSError) as error:
        yield f"{error}"
        return
    yield from problems
    if not counts.balanced:
        yield f"it doesn't balance: {counts}; stop the cron job and restore a backup"


TRIALS: dict[str, Trial] = {
    "rule set": _rules, "files": _files, "forums": _forums, "names": _names, "letters in": _source,
    "letters out": _smtp, "ledger": _ledger, "clock": _clock,
}  # fmt: skip
