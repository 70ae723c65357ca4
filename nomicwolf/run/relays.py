"""One's own mail servers, as letters name them that came through a forum: what `contest.mail_hosts` has to name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing

from nomicwolf.contest.channels import forums_of
from nomicwolf.ledger.errors import LedgerError
from nomicwolf.ledger.store import Store
from nomicwolf.letters.letter import ForumInfo, Letter, Raw
from nomicwolf.letters.mime import make_letter
from nomicwolf.letters.route import hosts_above
from nomicwolf.run.contest_setup import setup_of
from nomicwolf.settings import Settings

LATEST = 50
"""How many of the latest letters are looked at."""
UNNAMED = ("contest.mail_hosts names none of your mail servers, so that no stamp of a forum proves anything: what "
           'comes by a list that rewrites From is held, and assurance.public = "forum" waits for a confirmation')


def relays(letter: Letter, forums: Sequence[ForumInfo]) -> tuple[str, ...]:
    """Return the servers between a forum's and the mailbox, as *letter* tells; none if it came through no forum."""
    found = [hosts_above(letter.headers, forum) for forum in forums if forum.name in letter.through]
    return next(filter(None, found), ())


def lacking(settings: Settings) -> str:
    """Return what is to be said of `contest.mail_hosts`, '' if nothing: by the latest letters, where there are any."""
    named = bool(settings.contest.mail_hosts)
    forums, latest = forums_of(setup_of(settings, b"")), ""
    for letter in _latest(settings):
        if not letter.through:
            continue
        if named and letter.stamps:
            return ""
        found = relays(letter, forums)
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
        with closing(Store.open(
                settings.ledger.url, settings.contest.id, readonly=True, keys=settings.ledger.key)) as store:
            last = store.counts().received
            for number in range(last, max(last - LATEST, 0), -1):
                if (kept := store.letter(number)) is not None:
                    yield kept.letter
    except LedgerError:
        return


def relays_in(data: bytes, forums: Mapping[str, str]) -> tuple[str, ...]:
    """Return the same of a letter's bytes; *forums* are the addresses by nomic."""
    known = tuple(ForumInfo(nomic, (address,)) for nomic, address in forums.items())
    return relays(make_letter(Raw("", 0, 0, data, len(data)), known), known)
