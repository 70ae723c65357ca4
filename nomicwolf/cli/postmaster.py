"""What ``check`` finds of the contest's own domain, and ``dkim``: the key by which letters are signed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import typer

from nomicwolf.cli.base import Untried, fail, here, say
from nomicwolf.settings import Settings, SettingsError
from nomicwolf.settings.keys import is_loopback

if TYPE_CHECKING:
    from nomicwolf.postmaster.examining import Examined, Sending
    from nomicwolf.postmaster.records import Dns

RESERVED = frozenset({
    "test", "example", "invalid", "localhost", "local", "internal", "example.com", "example.net", "example.org",
})
"""Domains that the DNS of the world doesn't have (RFC 2606, 6761, 6762); one's own name server may."""


def domain(settings: Settings) -> Iterator[str]:
    """Yield what keeps letters of the contest's domain from arriving; say what is open.

    `Untried` if nobody has answered, or nothing was asked.
    """
    from nomicwolf.postmaster.examining import Sending
    from nomicwolf.postmaster.records import Dns, Unanswered

    name, key = _domain_of(settings.address), ""
    if settings.domain.dkim_sign:
        try:
            key = _record(settings)
        except SettingsError as error:
            yield from error.problems
    if not settings.identity.nameservers and not RESERVED.isdisjoint({name, _last(name, 1), _last(name, 2)}):
        raise Untried(f"{name} is a name for examples and local networks, so the DNS wasn't asked about it; to have it "
                      "asked, set identity.nameservers")
    smtp = settings.smtp
    sending = Sending(
        name, _domain_of(smtp.sender), smtp.host.lower().rstrip("."), is_loopback(smtp.host),
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
    from nomicwolf.postmaster.examining import examine
    from nomicwolf.postmaster.incoming import incoming

    yield examine(sending, dns)
    yield incoming(sending.domain, dns)


def _domain_of(address: str) -> str:
    return address.rpartition("@")[2].lower().rstrip(".")


def _last(name: str, labels: int) -> str:
    return ".".join(name.split(".")[-labels:])


def _record(settings: Settings) -> str:
    """Return the record of the key that signs; `SettingsError` if that can't be used."""
    from nomicwolf.proofs.signing import record_of
    from nomicwolf.run.sending import signer_of

    signer = signer_of(settings)
    assert signer is not None, "asked only where nomicwolf signs"
    return record_of(signer.pem)


def dkim(ctx: typer.Context) -> None:
    """Make the key by which nomicwolf signs letters (DKIM) where the mail server doesn't, and say what to do with it.

    A key that is there already is kept, and what to do with it is said again. domain.dkim_key_file names the file.

    Example: nomicwolf -C crossing dkim
    """
    from nomicwolf.ledger.files import write_private
    from nomicwolf.postmaster.records import key_name
    from nomicwolf.proofs.signing import new_key, record_of, zone_line

    settings = here(ctx).settings(mail=False)
    path, name = settings.domain.dkim_key_file, _domain_of(settings.address)
    found = path.exists()
    if not found:
        write_private(path, new_key().decode("ascii"))
    try:
        record = record_of(path.read_bytes())
    except ValueError as error:
        fail(f"{path}: {error}; move it away, and nomicwolf dkim makes another")
    selector = settings.domain.selector or "nomicwolf"
    say(f"The key is in {path}{', as before' if found else ''}. Put its public half into the DNS of {name}:")
    say(f"  {zone_line(key_name(selector, name), record)}")
    if settings.domain.dkim_sign:
        say("Letters are signed by it. `nomicwolf check` says whether the DNS has it.")
    else:
        say("When it is there, write [domain] and below it dkim_sign = true into contest.toml; `nomicwolf check` then "
            "says whether receivers find it.")


COMMANDS = {"dkim": dkim}
