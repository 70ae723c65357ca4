"""The trials that ``check`` makes of a setup."""

from __future__ import annotations

import os
import shutil
import socket
import sys
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from importlib.util import find_spec
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import nomicwolf.contest  # noqa: F401 - declares every kind of event
from nomicwolf.cli.base import Here, Untried, domain_of
from nomicwolf.cli.ledger import unsealed
from nomicwolf.cli.output import escaped, say, waiting
from nomicwolf.ledger.errors import LedgerError
from nomicwolf.nomic.times import duration
from nomicwolf.post.refusals import PostError
from nomicwolf.reports.layout import zone_of
from nomicwolf.reports.prose import Prose, template_faults
from nomicwolf.reports.sections import probe_letter
from nomicwolf.reports.setups import checked_role
from nomicwolf.run.contest_setup import LAWS, USUAL_LAW, mail_hosts_note, own_roles, setup_of
from nomicwolf.run.letter_intake import own_templates
from nomicwolf.run.oauth_login import token_file
from nomicwolf.run.replay import other_key_warning
from nomicwolf.run.resources import ensure_founded, fullness_of, last_run, read_store, source_of
from nomicwolf.run.sending import composed, envelope_of, signer_of, wire_of
from nomicwolf.settings.keys import USUAL_SECURITY, ImapSettings, Settings, SettingsError, SmtpSettings, is_loopback
from nomicwolf.settings.load import key_file, load
from nomicwolf.settings.shape import nearest
from nomicwolf.village.events import Event
from nomicwolf.village.kernel import with_switches
from nomicwolf.village.role_file import RoleError
from nomicwolf.village.rules import Refusal
from nomicwolf.village.rulesets import ruleset

if TYPE_CHECKING:
    from nomicwolf.postmaster.examining import Examined, Sending
    from nomicwolf.proofs.dkim import Dns

OWN_SENDER = ("smtp.gmail.com", "smtp.googlemail.com")
"""Servers that put the account's own address into From, whatever a letter says."""
ROOM = 50_000_000
"""Bytes that must be free beside the ledger: a letter has up to a megabyte, and many may wait."""
MOUNTED = Path("/run/secrets")
"""Where containers have their secrets, of modes that nobody in there can change; no other user is there."""
LATE = 3600
"""Seconds since the last poll after which a timer is thought to have stopped; cron polls every ten minutes."""


def rule_faults(settings: Settings) -> Iterator[str]:
    """Yield what the rule set finds wrong with itself or its switches."""
    try:
        found = ruleset(settings.contest.ruleset)
        with_switches(found, setup_of(settings, b"").switches)
    except Refusal as refused:
        yield f"{refused.why} Mend [contest] or [switches] in contest.toml."


def file_faults(settings: Settings) -> Iterator[str]:
    """Yield which files others can read, or nobody can write, what fails in them, and contests that are missing."""
    for path in secret_files(settings):
        if path.exists() and path.stat().st_mode & 0o077 and path.parent != MOUNTED:
            yield f"{path}: others can read it, and it may hold secrets; chmod 600 {path}"
    place = settings.ledger_file.parent if settings.ledger_file else settings.folder
    if not os.access(place, os.W_OK | os.X_OK):
        yield f"{place}: this user can't write there; let it own the folder, or run as the one who does"
    elif shutil.disk_usage(place).free < ROOM:
        yield f"{place}: less than {ROOM // 1_000_000} MB are free there; make room before a letter can't be kept"
    yield from _role_faults(settings)
    yield from _command_faults(settings, "keep.copy", settings.keep.copy)
    try:
        yield from template_faults(own_templates(settings))
    except SettingsError as error:
        yield from error.problems
    for other in settings.contest.others:
        if not (settings.folder / other / "contest.toml").is_file():
            yield f"contest.others: {other}: no contest.toml is there; name the other contest's folder, or take it out"


def _role_faults(settings: Settings) -> Iterator[str]:
    """Yield what is wrong with the roles in the contest's folder, for the rule set that it plays."""
    try:
        found = ruleset(settings.contest.ruleset)
    except Refusal:
        return  # which `rule_faults` tells
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


def forum_faults(settings: Settings) -> Iterator[str]:
    """Yield what is wrong with the forums' addresses and hosts, and with the events that webhooks are told."""
    for hook in settings.webhooks:
        yield from (f"webhook.{hook.name}.events: no event is called {name}; {nearest(name, Event.kinds)}"
                    for name in hook.events if name not in Event.kinds and name != "*")
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


def port_faults(settings: Settings) -> Iterator[str]:
    """Yield which port and security don't belong together, and which server would not send as the contest."""
    pairs: tuple[tuple[str, ImapSettings | SmtpSettings | None], ...] = (
        ("imap", settings.imap), ("smtp", settings.smtp))
    for name, wire in pairs:
        usual = USUAL_SECURITY.get(wire.port) if wire is not None else None
        if wire is not None and usual and wire.security not in ("none", usual):
            yield (f"{name}.security: port {wire.port} is for {usual}, and {wire.security} is set; "
                   f'write security = "{usual}" or leave the port out')
    smtp = settings.smtp
    if smtp.host.lower() in OWN_SENDER and smtp.user and smtp.user.lower() != smtp.sender.lower():
        yield f"smtp.from: {smtp.host} sends as {smtp.user} only, whatever stands in From; write that address"


def archive_faults(settings: Settings) -> Iterator[str]:
    """Yield what would keep the archive from being written or linked to."""
    path, url = settings.archive.path, settings.archive.url
    if url and not url.startswith(("https://", "http://")):
        yield f"archive.url: {url} is no address of a web page; write it like https://wolf.example/"
    if path.exists() and not path.is_dir():
        yield f"archive.path: {path} is a file; name a folder"
    publish = settings.archive.publish
    if publish and not settings.archive.write:
        yield "archive.publish: nothing is written that could be published; set archive.write = true"
    yield from _command_faults(settings, "archive.publish", publish)
    there = next(p for p in (path, *path.parents) if p.exists())
    if there.is_dir() and not os.access(there, os.W_OK | os.X_OK):
        yield f"archive.path: this user can't write in {there}; let it own that folder, or name another"


def _command_faults(settings: Settings, key: str, command: Sequence[str]) -> Iterator[str]:
    program = next(iter(command), "")
    if not program or shutil.which(settings.folder / program if "/" in program else program) is not None:
        return
    mend = ('write the program and each argument as a text of its own, like ["rsync", "-a"]' if " " in program else
            "install it, or name it by its path")
    yield f"{key}: there is no program {program} here; {mend}"


def timer_faults(settings: Settings) -> Iterator[str]:
    """Yield that nothing polls any more; a contest whose mailbox was never read is still being set up."""
    read = last_run(settings)
    idle = int(time.time()) - read
    if read and idle > LATE:
        yield (f"the mailbox was last read {duration(idle)} ago; is the line of {settings.folder / 'crontab'} in your "
               "crontab, or the timer enabled? nomicwolf poll reads it now")


def identity_faults(settings: Settings) -> Iterator[str]:
    """Yield what is wrong with ``[identity]`` and ``[assurance]``."""
    chosen = settings.identity
    if chosen.arc_sealers and chosen.dkim == "off":
        yield 'identity.arc_sealers: their seals are not looked at; set identity.dkim = "dns"'
    if chosen.subaddresses and "+" in settings.address.partition("@")[0]:
        yield f"identity.subaddresses: {settings.address} has a + already; set it to false, or use another address"
    if "openpgp" in settings.required.values() and find_spec("pysequoia") is None:
        yield ("assurance: asks for openpgp, which is not installed; install nomicwolf with its extra openpgp, "
               "in a checkout: pip install '.[openpgp]'")
    if "forum" in settings.required.values() and not settings.contest.mail_hosts:
        yield ("assurance: asks for forum, and anyone can invent a forum's Received field; name your own mail servers "
               "in contest.mail_hosts, as they stand in the Received fields above the forum's")
    for server in chosen.nameservers:
        host = server.rpartition(":")[0] if server.count(":") == 1 else server
        try:
            ip_address(host)
        except ValueError:
            yield f"identity.nameservers: {server} is no address of a name server; write 192.0.2.1 or 127.0.0.1:5353"


def weak_settings(settings: Settings) -> Iterator[str]:
    """Yield what works as it is set, and was only guessed, or lets somebody in whom better settings would keep out."""
    for nomic in settings.nomics:
        if not nomic.profile and nomic.name.lower() not in LAWS:
            yield (f"nomic.{nomic.name}: no law is known by that name, and {USUAL_LAW} is taken; "
                   f'write profile = "..." under [nomic.{nomic.name}] if it has another')
    if settings.required["private"] in ("none", "from"):
        yield ("whoever forges a player's From can do eir night deeds (assurance.private is from); "
               'assurance.private = "confirmed" has each of them confirmed')
    elif settings.identity.subaddresses:
        local, _, host = settings.address.partition("@")
        yield (f"private letters are answered to {local}+TAG@{host}; if your server refuses such addresses, "
               "set identity.subaddresses = false")


def domain_faults(settings: Settings) -> Iterator[str]:
    """Yield what keeps letters of the contest's domain from arriving; say what is open.

    `Untried` if nobody has answered, or nothing was asked.
    """
    from nomicwolf.postmaster.examining import Sending
    from nomicwolf.postmaster.records import is_reserved
    from nomicwolf.proofs.dkim import Dns, Unanswered

    name, key = domain_of(settings.address), ""
    if settings.domain.dkim_sign:
        try:
            key = _dkim_record(settings)
        except SettingsError as error:
            yield from error.problems
    if not settings.identity.nameservers and is_reserved(name):
        raise Untried(f"{name} is a name for examples and local networks, so the DNS wasn't asked about it; to have it "
                      "asked, set identity.nameservers")
    smtp = settings.smtp
    sending = Sending(
        name, domain_of(smtp.sender), smtp.host.lower().rstrip("."), is_loopback(smtp.host),
        settings.domain.leaves_from, settings.domain.selector, key, len(settings.nomics))
    try:
        for found in _looks(sending, Dns(settings.identity.nameservers, settings.identity.dns_seconds)):
            for note in found.notes:
                say(f"note: {note}")
            yield from found.faults
    except Unanswered as error:
        raise Untried(f"what the DNS says of {name} wasn't looked at to its end: {error}; identity.nameservers names "
                      "whom else to ask") from error


def _looks(sending: Sending, dns: Dns) -> Iterator[Examined]:
    from nomicwolf.postmaster.examining import examine, incoming

    yield examine(sending, dns)
    yield incoming(sending.domain, dns)


def _dkim_record(settings: Settings) -> str:
    """Return the record of the key that signs; `SettingsError` if that can't be used."""
    from nomicwolf.proofs.dkim import record_of
    from nomicwolf.run.sending import signer_of

    signer = signer_of(settings)
    assert signer is not None, "asked only where nomicwolf signs"
    return record_of(signer.pem)


Fault: TypeAlias = str
Trial: TypeAlias = Callable[[Settings], Iterator[Fault]]
SLACK = 300
"""Seconds by which the clock may be behind the ledger's last change without a fault."""
FULL = 0.9
"""The part of a mailbox's quota from which it is reported."""
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
        well = _report_trial(name, trial(settings)) and well
    for line in filter(None, (*weak_settings(settings), mail_hosts_note(settings), unsealed(settings))):
        say(f"note: {line}")
    return well


def _report_trial(name: str, trial: Iterator[Fault]) -> bool:
    """Print the findings of a trial, and return whether there are none."""
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


def _mailbox_faults(settings: Settings) -> Iterator[Fault]:
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


def _smtp_faults(settings: Settings) -> Iterator[Fault]:
    from nomicwolf.post.smtp import greet

    try:
        if not greet(wire_of(settings)) and settings.smtp.utf8:
            say("note: the mail server takes no address beyond ASCII (it doesn't offer SMTPUTF8, RFC 6531); set "
                "smtp.utf8 = false, so that nobody joins with one, since no letter could reach em")
    except (PostError, OSError) as error:
        yield f"{error}"


def _name_faults(settings: Settings) -> Iterator[Fault]:
    from nomicwolf.post.routes import Route

    route = Route.of(settings.network.proxy, settings.network.direct)
    for key, host in (("smtp.host", settings.smtp.host), ("imap.host", settings.imap.host if settings.imap else "")):
        try:
            if host and route.through(host) is None:
                socket.getaddrinfo(host.strip("[]"), None)
        except (OSError, UnicodeError) as error:
            yield f"{key}: {host}: {error}; is the name right, and does this machine have a network?"


def _clock_faults(settings: Settings) -> Iterator[Fault]:
    now = int(time.time())
    if now < BOOK:
        yield "this machine's clock was never set; let it be set by NTP (timedatectl set-ntp true)"
    try:
        ensure_founded(settings)
        with read_store(settings) as store:
            ahead = store.tip().polled_at - now
    except (LedgerError, SettingsError, OSError):
        return  # the ledger's own trial tells
    if ahead > SLACK:
        yield f"it is {duration(ahead)} behind the ledger's last change; set the clock, or wait"


def _key_faults(settings: Settings) -> Iterator[Fault]:
    """Yield faults of the contest's own key: gone, unreadable, or another contest's."""
    try:
        secret = ensure_founded(settings)
    except SettingsError as error:
        yield f"{error}"
        return
    except (LedgerError, OSError):
        return  # the ledger's own trial tells
    try:
        with read_store(settings) as store:
            found = other_key_warning(store, secret)
    except (LedgerError, OSError):
        return
    if found:
        yield found


def _ledger_faults(settings: Settings) -> Iterator[Fault]:
    with suppress(SettingsError):  # the key's own trial tells
        ensure_founded(settings)
    try:
        with read_store(settings) as store:
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
    """Send a letter to the contestmaster; this tests that it leaves, and they can see whether it arrives."""
    from nomicwolf.letters.compose import recipient
    from nomicwolf.post.smtp import Fate, Job, send

    found: list[Fault] = []

    def end(_: Job, fate: Fate, why: str) -> None:
        if fate != "sent":
            found.append(f"the letter to {letter.to} was not taken ({fate}): {why}")

    try:
        letter = probe_letter(setup_of(settings, b""), Prose(own_templates(settings)), int(time.time()))
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
    "rule set": rule_faults, "files": file_faults, "forums": forum_faults, "ports": port_faults, "names": _name_faults,
    "letters in": _mailbox_faults, "letters out": _smtp_faults, "domain": domain_faults, "key": _key_faults,
    "ledger": _ledger_faults, "clock": _clock_faults, "archive": archive_faults, "identity": identity_faults,
    "timer": timer_faults,
}  # fmt: skip
