"""Every reply of real servers lost, cut in half, withheld or late: nothing is lost, nothing goes twice unsaid."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from email import message_from_bytes
from pathlib import Path

import pytest

from nomicwolf.ledger.records import write_entry
from nomicwolf.maillist import MailingList
from nomicwolf.run import poll
from nomicwolf.settings.load import load
from tests.post.scripted import SmtpScript
from tests.run.steps import sample
from tests.run.world import BEGIN, PLAYERS, World, letter, make_world
from tests.servers.proxy import FAULTS, Fault, Spoiler, between
from tests.servers.site import MailSite

pytestmark = pytest.mark.slow

HOUR = 3600
AT = BEGIN + 2 * HOUR
TRIES = int(os.environ.get("NOMICWOLF_EXAMPLES", "2"))


def founded(site: MailSite, folder: Path, imap: Spoiler, smtp: Spoiler) -> World:
    """Return a contest among real servers behind proxies, with a session in progress and letters in its mailbox."""
    world = make_world(folder, smtp.port, SmtpScript())
    world.live_on_site(imap.port, timeout=1)
    people = tuple(f"{who.lower()}@players.example" for who in PLAYERS)
    for nomic in ("agora", "b"):
        site.add_list(MailingList(f"{nomic}-business@lists.{nomic}.example", nomic, "BUS:", "a footer", people))
    for who, address in zip(PLAYERS, people, strict=True):
        assert world.command("party-add", who=who, address=address).status == 0
    assert world.command("start", seed="7" * 64).status == 0
    site.settle()
    site.stand_at(BEGIN + HOUR)
    for who, words in (("Ash", "help"), ("Bex", "status"), ("Cam", "I vote for Gus.")):
        data = letter(who, who, words, BEGIN + HOUR, "wolf@contest.example")
        data = data.replace(b"@players.test>", b"@players.example>")
        site.send(f"{who.lower()}@players.example", ["wolf@contest.example"], data)
    world.be_impatient()
    return world


def end(folder: Path) -> tuple[list[str], dict[str, int], set[str], set[str]]:
    """Return record, buckets, Message-IDs of what was owed, and of what is in doubt or was."""
    with World(folder, SmtpScript()).store() as store:
        assert store.verify() == []
        store.check()
        outbox = tuple(store.outbox().each())
        record = [write_entry(entry) for entry in store.record()]
        return record, dict(store.counts().buckets), {o.message_id for o in outbox}, {
            o.message_id for o in outbox if o.doubtful}


def arrived(site: MailSite) -> Counter[tuple[str, str]]:
    """Return how often each letter lies in each mailbox."""
    return Counter(
        (who, str(message_from_bytes(data)["Message-ID"]))
        for who in (*(p.lower() for p in PLAYERS), "murphy") for data in site.inbox(who))


def test_every_reply_is_spoiled(mail_site: MailSite, tmp_path: Path) -> None:
    """After each fault the next polls end where one without a fault ends; what was doubted was told."""
    with between(mail_site.imap_port) as imap, between(mail_site.smtp_port) as smtp:
        founded(mail_site, tmp_path / "template", imap, smtp)
        shutil.copytree(tmp_path / "template", tmp_path / "unhurt")
        standing = arrived(mail_site)
        imap.set()
        smtp.set()
        assert poll(load(tmp_path / "unhurt", {}), lambda: AT).status == 0
        said = [(imap, imap.lines), (smtp, smtp.lines)]
        mail_site.settle()
        wanted, before = end(tmp_path / "unhurt"), arrived(mail_site)
        owed = {key[1] for key in before - standing}
        random = sample("replies")
        for spoiler, lines in said:
            assert lines > 10
            for fault in FAULTS:
                for at in random.sample(range(1, lines + 1), min(TRIES, lines)):
                    spoil(mail_site, tmp_path, spoiler, at, fault)
                    assert end(tmp_path / "case")[:3] == wanted[:3], (fault, at)
                    now, doubtful = arrived(mail_site), end(tmp_path / "case")[3]
                    came = now - before
                    assert {key[1] for key, count in came.items() if count > 1} <= doubtful, (fault, at)
                    assert {key[1] for key in came} >= owed - doubtful, (fault, at)
                    before = now


def spoil(site: MailSite, folder: Path, spoiler: Spoiler, at: int, fault: Fault) -> None:
    """Poll with one reply spoiled, then without faults until there is nothing to do."""
    shutil.rmtree(folder / "case", ignore_errors=True)
    shutil.copytree(folder / "template", folder / "case")
    settings = load(folder / "case", {})
    spoiler.set(at, fault)
    first = poll(settings, lambda: AT)
    spoiler.set()
    second = poll(settings, lambda: AT)
    assert first.status in (0, 1, 75)
    assert (first.status != 0) == bool(first.said)
    assert second.status in (0, 1), second
    if end(folder / "case")[3]:
        assert "nobody knows" in "\n".join((*first.said, *second.said))
    assert poll(settings, lambda: AT).status == 0
    site.settle()
