"""What happens to a mailbox on a real server behind our back: nothing is lost by it, nothing is done twice.

Renumbered, its numbers given again, read and flagged by others, emptied, its letters moved away and back; an
announcement whose receipt the network swallowed, and which its forum's echo settles.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator
from email import message_from_bytes
from pathlib import Path

import pytest
from imapclient import IMAPClient

from nomicwolf.maillist import MailingList
from tests.post.scripted import SmtpScript
from tests.run.world import BEGIN, PLAYERS, World, letter, make_world
from tests.servers.dovecot import PASSWORD
from tests.servers.proxy import Spoiler, between
from tests.servers.site import MailSite

pytestmark = pytest.mark.slow

HOUR = 3600
WOLF = "wolf@contest.example"
AGORA = "agora-business@lists.agora.example"


@pytest.fixture
def wire(mail_site: MailSite) -> Iterator[Spoiler]:
    """The line between the program and Postfix."""
    with between(mail_site.smtp_port) as spoiler:
        yield spoiler


@pytest.fixture
def world(mail_site: MailSite, wire: Spoiler, tmp_path: Path) -> World:
    """A contest on real servers, which has heard a vote and a question, and the echoes of what it announced."""
    people = tuple(f"{who.lower()}@players.example" for who in PLAYERS)
    for nomic in ("agora", "b"):
        mail_site.add_list(MailingList(
            f"{nomic}-business@lists.{nomic}.example", nomic, "BUS:", "a footer", (*people, WOLF)))
    world = make_world(tmp_path / "contest", wire.port, SmtpScript())
    world.live_on_site(mail_site.imap_port)
    mail_site.stand_at(BEGIN)
    for who, address in zip(PLAYERS, people, strict=True):
        assert world.command("party-add", who=who, address=address).status == 0
    assert world.command("start", seed="7" * 64).status == 0
    mail_site.settle()
    mail_site.stand_at(BEGIN + HOUR)
    post(mail_site, "v1", "Ash", "I vote for Gus.", AGORA)
    post(mail_site, "q1", "Bex", "status", WOLF)
    polled(mail_site, world, BEGIN + 2 * HOUR)
    polled(mail_site, world, BEGIN + 2 * HOUR)
    return world


def post(site: MailSite, name: str, who: str, text: str, to: str, at: int = BEGIN + HOUR) -> None:
    """Let a player write."""
    data = letter(name, who, text, at, to).replace(b"@players.test>", b"@players.example>")
    site.send(f"{who.lower()}@players.example", [to], data)


def polled(site: MailSite, world: World, at: int, status: int = 0) -> tuple[str, ...]:
    """Poll by a clock that isn't that of the servers, let the mail come to rest, and return what was said."""
    report = world.poll(at, clock_is_right=True)
    assert report.status == status, report.said
    site.settle()
    return report.said


def arrived(site: MailSite) -> Counter[tuple[str, str]]:
    """Return how often each letter lies in each player's mailbox."""
    return Counter((who, str(message_from_bytes(data)["Message-ID"]))
                   for who in (p.lower() for p in PLAYERS) for data in site.inbox(who))


def acts(world: World) -> tuple[list[str], int, int]:
    """Return the deeds of the record, and how many letters did something and were our own; all is whole."""
    with world.store() as store:
        assert store.verify() == []
        buckets = store.check().buckets
    deeds = [line for line in world.record() if '"deed-heard"' in line]
    assert deeds
    return deeds, buckets["deeds"], buckets["own"]


def contests_mailbox(site: MailSite) -> IMAPClient:
    """Log in to the contest's mailbox as another program of its owner's, which may write."""
    imap = IMAPClient("127.0.0.1", site.imap_port, ssl=False, timeout=20)
    imap.login("wolf", PASSWORD)
    imap.select_folder("INBOX")
    return imap


def hears_the_next(site: MailSite, world: World) -> None:
    """A new letter is heard as ever, and then there is nothing to do."""
    before = len(acts(world)[0])
    post(site, "v9", "Cam", "I vote for Gus.", AGORA, BEGIN + 4 * HOUR)
    polled(site, world, BEGIN + 5 * HOUR)
    assert len(acts(world)[0]) == before + 1
    polled(site, world, BEGIN + 5 * HOUR)
    assert world.poll(BEGIN + 5 * HOUR).idle


def renumber(site: MailSite) -> None:
    """Let Dovecot forget its numbers, as after a move to another machine: UIDVALIDITY is new, UIDs count from 1."""
    mail = site.dovecot.folder / "mail" / "wolf"
    for name in ("dovecot-uidlist", "dovecot-uidvalidity", "dovecot.index", "dovecot.index.log"):
        (mail / name).unlink(missing_ok=True)
    for named in mail.glob("dovecot-uidvalidity.*"):
        named.rename(mail / "dovecot-uidvalidity.7fffffff")
    (mail / "dovecot-uidvalidity").write_text("7fffffff")


def test_new_numbers_for_the_same_letters(mail_site: MailSite, world: World) -> None:
    """UIDVALIDITY has changed: every letter is read again, and every one is known."""
    before, inboxes = acts(world), arrived(mail_site)
    with contests_mailbox(mail_site) as imap:
        old = imap.folder_status("INBOX", ["UIDVALIDITY"])
    renumber(mail_site)
    with contests_mailbox(mail_site) as imap:
        assert imap.folder_status("INBOX", ["UIDVALIDITY"]) != old

    polled(mail_site, world, BEGIN + 3 * HOUR)

    assert acts(world) == before
    assert arrived(mail_site) == inboxes
    hears_the_next(mail_site, world)


def test_the_same_numbers_for_other_letters(mail_site: MailSite, world: World) -> None:
    """The mailbox was lost and begun anew, with the UIDVALIDITY of before: what comes under a known UID is heard."""
    before = acts(world)
    with contests_mailbox(mail_site) as imap:
        validity = imap.folder_status("INBOX", ["UIDVALIDITY"])[b"UIDVALIDITY"]
        imap.logout()
    mail = mail_site.dovecot.folder / "mail" / "wolf"
    shutil.rmtree(mail)
    post(mail_site, "v2", "Dov", "I vote for Gus.", AGORA, BEGIN + 2 * HOUR)
    uidlist = (mail / "dovecot-uidlist").read_text().splitlines()
    uidlist[0] = " ".join(f"V{validity}" if word.startswith("V") else word for word in uidlist[0].split())
    (mail / "dovecot-uidlist").write_text("\n".join(uidlist) + "\n")
    for index in mail.glob("dovecot.index*"):
        index.unlink()
    with contests_mailbox(mail_site) as imap:
        status = imap.folder_status("INBOX", ["UIDVALIDITY", "UIDNEXT"])
        assert status[b"UIDVALIDITY"] == validity

    polled(mail_site, world, BEGIN + 3 * HOUR)

    assert len(acts(world)[0]) == len(before[0]) + 1
    hears_the_next(mail_site, world)


def test_others_read_and_flag(mail_site: MailSite, world: World) -> None:
    """New letters that somebody has read, answered, flagged and marked for deletion are heard; we set no flag."""
    post(mail_site, "v2", "Dov", "I vote for Gus.", AGORA, BEGIN + 2 * HOUR)
    with contests_mailbox(mail_site) as imap:
        uids = imap.search()
        imap.add_flags(uids[-1], [b"\\Seen", b"\\Answered", b"\\Flagged", b"\\Deleted", b"Junk"])
        flags = imap.get_flags(uids)
    before = len(acts(world)[0])

    polled(mail_site, world, BEGIN + 3 * HOUR)

    assert len(acts(world)[0]) == before + 1
    with contests_mailbox(mail_site) as imap:
        now = imap.get_flags(uids)
    assert {uid: set(of) - {b"\\Recent"} for uid, of in now.items()} == {
        uid: set(of) - {b"\\Recent"} for uid, of in flags.items()}
    hears_the_next(mail_site, world)


def test_an_emptied_mailbox(mail_site: MailSite, world: World) -> None:
    """Whoever cleans up takes nothing from the contest: the ledger has its letters."""
    before, inboxes = acts(world), arrived(mail_site)
    with contests_mailbox(mail_site) as imap:
        imap.delete_messages(imap.search())
        imap.expunge()

    polled(mail_site, world, BEGIN + 3 * HOUR)

    assert (acts(world), arrived(mail_site)) == (before, inboxes)
    hears_the_next(mail_site, world)


def test_letters_moved_away_and_back(mail_site: MailSite, world: World) -> None:
    """They come back under new numbers, and are known."""
    before, inboxes = acts(world), arrived(mail_site)
    with contests_mailbox(mail_site) as imap:
        imap.create_folder("Old")
        imap.copy(imap.search(), "Old")
        imap.delete_messages(imap.search())
        imap.expunge()
        imap.select_folder("Old")
        imap.copy(imap.search(), "INBOX")

    polled(mail_site, world, BEGIN + 3 * HOUR)

    assert (acts(world), arrived(mail_site)) == (before, inboxes)
    hears_the_next(mail_site, world)


def test_an_echo_makes_up_for_a_lost_receipt(mail_site: MailSite, world: World, wire: Spoiler) -> None:
    """The server took an announcement and its 250 was lost: no second one; the echo says that the forum has it.

    One connection, so that the last line but one is that 250, and not another letter's go-ahead.
    """
    world.change("connections = 2", "connections = 1")
    world.be_impatient()
    wire.set()
    before = arrived(mail_site)
    assert world.command("announce", BEGIN + 3 * HOUR).status == 0
    mail_site.settle()
    once, lines = arrived(mail_site) - before, wire.lines
    assert set(once.values()) == {1}
    doubted = 0
    for number, at in enumerate(range(lines, 0, -1), 1):
        before = arrived(mail_site)
        wire.set(at, "cut")
        said = world.command("announce", BEGIN + (3 + number) * HOUR).said
        wire.set()
        mail_site.settle()
        polled(mail_site, world, BEGIN + (3 + number) * HOUR + 60)
        polled(mail_site, world, BEGIN + (3 + number) * HOUR + 60)
        with world.store() as store:
            assert set(store.check().states) == {"sent"}, (at, said)
        came = arrived(mail_site) - before
        public = {key: count for key, count in came.items() if key[0] == "ash"}
        assert set(public.values()) == {1}, (at, said)
        doubted += "look whether the forum has it" in said
        if doubted:
            break
    assert doubted
