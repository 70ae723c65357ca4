"""``check``: everything that can be wrong with a setup is tried, and each fault told with what to do about it."""

from __future__ import annotations

import os
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from typing import TypeAlias

import nomicwolf.contest  # noqa: F401 - declares every kind of event
from nomicwolf.cli import faults
from nomicwolf.cli.base import Here, Untried, say, waiting
from nomicwolf.cli.escaping import escaped
from nomicwolf.cli.postmaster import domain
from nomicwolf.cli.rekeying import unsealed
from nomicwolf.cli.sureness import identity, left_open
from nomicwolf.ledger.errors import LedgerError
from nomicwolf.ledger.store import Store
from nomicwolf.post.refusals import PostError
from nomicwolf.reports.prose import Prose
from nomicwolf.reports.times import lasting
from nomicwolf.reports.trying import trial_letter
from nomicwolf.run.contest_setup import setup_of
from nomicwolf.run.desk import own_templates
from nomicwolf.run.network import route_of
from nomicwolf.run.record_heads import other_key_warning
from nomicwolf.run.relays import lacking
from nomicwolf.run.resources import ensure_founded, fullness_of, source_of
from nomicwolf.run.sending import composed, envelope_of, signer_of, wire_of
from nomicwolf.settings import Settings, SettingsError
from nomicwolf.settings.load import load

Fault: TypeAlias = str
Trial: TypeAlias = Callable[[Settings], Iterator[Fault]]
SLACK = 300
"""Seconds by which the clock may be behind the ledger's last change before that is told."""
FULL = 0.9
"""Of what a mailbox may hold; then it is told."""
BOOK = 1_767_225_600  # 2026-01-01: a clock before that was never set


def check_all(place: Here, *, send: bool = False) -> bool:
    """Try all, tell what was found, and return whether all is well; with *send* a test letter goes out too."""
    try:
        settings = load(place.folder, os.environ)
        setup_of(settings, b"")
    except SettingsError as error:
        for problem in error.problems:
            print(escaped(f"settings: {problem}"), file=sys.stderr)
        return False
    say(f"settings: good ({settings.folder / 'contest.toml'})")
    if settings.secrets:
        say("secrets: " + ", ".join(f"{key} from {where}" for key, where in settings.secrets.items()))
    well = True
    for name, trial in (TRIALS | {"test letter": _test_letter} if send else TRIALS).items():
        well = _tried(name, trial(settings)) and well
    for line in filter(None, (*left_open(settings), lacking(settings), unsealed(settings))):
        say(f"note: {line}")
    return well


def _tried(name: str, trial: Iterator[Fault]) -> bool:
    """Tell what a trial has found, and return whether that is nothing."""
    found: list[Fault] = []
    untried = ""
    with waiting(f"Trying: {name}"):
        try:
            found += trial
        except Untried as error:
            untried = str(error)
    for fault in found:
        print(escaped(f"{name}: {fault}"), file=sys.stderr)
    if untried:
        say(f"note: {untried}")
    elif not found:
        say(f"{name}: good")
    return not found


def _source(settings: Settings) -> Iterator[Fault]:
    try:
        with closing(source_of(settings, int(time.time()))) as source:
            source.nothing_new((source.name, 0, 0))
            full = fullness_of(settings)
    except (PostError, OSError) as error:
        yield f"{error}"
        return
    if full >= FULL:
        yield (f"the mailbox is {full:.0%} full: what comes when it is full goes back to its author, who isn't heard. "
               "Make room: nomicwolf needs no letter that it has heard; or get more of it")


def _smtp(settings: Settings) -> Iterator[Fault]:
    from nomicwolf.post.smtp import greet

    try:
        if not greet(wire_of(settings)) and settings.smtp.utf8:
            say("note: the mail server takes no address beyond ASCII (it doesn't offer SMTPUTF8, RFC 6531); set "
                "smtp.utf8 = false, so that nobody joins with one, since no letter could reach em")
    except (PostError, OSError) as error:
        yield f"{error}"


def _names(settings: Settings) -> Iterator[Fault]:
    route = route_of(settings)
    for key, host in (("smtp.host", settings.smtp.host), ("imap.host", settings.imap.host if settings.imap else "")):
        try:
            if host and route.through(host) is None:
                socket.getaddrinfo(host.strip("[]"), None)
        except (OSError, UnicodeError) as error:
            yield f"{key}: {host}: {error}; is the name right, and does this machine have a network?"


def _clock(settings: Settings) -> Iterator[Fault]:
    now = int(time.time())
    if now < BOOK:
        yield "this machine's clock was never set; let it be set by NTP (timedatectl set-ntp true)"
    try:
        ensure_founded(settings)
        with closing(Store.open(
                settings.ledger.url, settings.contest.id, readonly=True, keys=settings.ledger.key)) as store:
            ahead = store.tip().polled_at - now
    except (LedgerError, SettingsError, OSError):
        return  # the ledger's own trial tells
    if ahead > SLACK:
        yield f"it is {lasting(ahead)} behind the ledger's last change; set the clock, or wait"


def _key(settings: Settings) -> Iterator[Fault]:
    """Tell what is wrong with the contest's own key: gone, not to be read, or another contest's."""
    try:
        secret = ensure_founded(settings)
    except SettingsError as error:
        yield f"{error}"
        return
    except (LedgerError, OSError):
        return  # the ledger's own trial tells
    try:
        with closing(Store.open(
                settings.ledger.url, settings.contest.id, readonly=True, keys=settings.ledger.key)) as store:
            found = other_key_warning(store, secret)
    except (LedgerError, OSError):
        return
    if found:
        yield found


def _ledger(settings: Settings) -> Iterator[Fault]:
    with suppress(SettingsError):  # the key's own trial tells
        ensure_founded(settings)
    try:
        with closing(Store.open(
                settings.ledger.url, settings.contest.id, readonly=True, keys=settings.ledger.key)) as store:
            problems, counts = store.verify(), store.counts()
        if settings.ledger_file is None:
            from nomicwolf.ledger.postgres import demand_row_security_at

            demand_row_security_at(settings.ledger.url)
    except (LedgerError, OSError) as error:
        yield f"{error}"
        return
    yield from problems
    if not counts.balanced:
        yield f"it doesn't balance: {counts}; stop the cron job and restore a backup"


def _test_letter(settings: Settings) -> Iterator[Fault]:
    """Send a letter to the contestmaster: that it leaves is tried here, that it arrives e has to see."""
    from nomicwolf.letters.compose import recipient
    from nomicwolf.post.smtp import Fate, Job, send

    found: list[Fault] = []

    def end(_: Job, fate: Fate, why: str) -> None:
        if fate != "sent":
            found.append(f"the letter to {letter.to} was not taken ({fate}): {why}")

    try:
        letter = trial_letter(setup_of(settings, b""), Prose(own_templates(settings)), int(time.time()))
        envelope = envelope_of(settings, ensure_founded(settings))
        job = Job(letter.key, recipient(letter, envelope), composed(letter, envelope, signer_of(settings)))
        send([job], wire_of(settings), lambda _: None, end)
    except (PostError, LedgerError, SettingsError, OSError, ValueError) as error:
        found.append(f"{error}")
    else:
        if not found:
            say(f"A test letter is on its way to {letter.to}; look whether it arrives, and not among the spam.")
    yield from found


TRIALS: dict[str, Trial] = {
    "rule set": faults.rules, "files": faults.files, "forums": faults.forums, "ports": faults.wires, "names": _names,
    "letters in": _source, "letters out": _smtp, "domain": domain, "key": _key, "ledger": _ledger, "clock": _clock,
    "archive": faults.archive, "identity": identity,
    "timer": faults.timer,
}  # fmt: skip
