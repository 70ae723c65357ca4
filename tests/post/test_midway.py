"""Dovecot's mailboxes of odd names, and what others do to a mailbox between two of our commands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from imapclient import IMAPClient

from nomicwolf.post import imap
from nomicwolf.post.imap import ImapAccount, ImapSource, fullness
from nomicwolf.post.imap_client import Client
from nomicwolf.post.refusals import Away, Denied
from tests.post.test_imap import LETTER, all_of
from tests.servers.dovecot import PASSWORD, Dovecot

pytestmark = pytest.mark.slow

MANY, PART = 12, 5


@contextmanager
def other(dovecot: Dovecot) -> Iterator[IMAPClient]:
    """Log in as another program of the same person's, which may write."""
    with IMAPClient("127.0.0.1", dovecot.imap_port, ssl=False, timeout=20) as client:
        client.login("wolf", PASSWORD)
        yield client


def account(dovecot: Dovecot, mailbox: str) -> ImapAccount:
    """Return how the contest reads that *mailbox*."""
    return ImapAccount("127.0.0.1", "wolf", PASSWORD, dovecot.imap_port, "none", mailbox, 20)


@pytest.mark.parametrize("name", [
    "Zoë & Ängström", 'say "hi"', "back\\slash", "a b  c", " around ", "日本語/夜", "&", "&-", "&AAo-", "per%cent",
    "st*ar", "paren(s)", "br{5}", "{10}", "{3+}", "wolf 🐺", "iNbOx", "INBOX/sub", "-d", "NIL", "a]b", "x" * 200,
    "a\u0301cute",
])
def test_a_mailbox_of_any_name(dovecot: Dovecot, name: str) -> None:
    """Quoted, and in modified UTF-7 (RFC 3501 5.1.3): opened, asked for its status and its quota."""
    with other(dovecot) as client:
        if name.upper() != "INBOX":
            client.create_folder(name)
        client.append(name, LETTER % 1)
    source = ImapSource(account(dovecot, name), 1000)
    assert [f.raw.data for f in all_of(source)] == [LETTER % 1]
    assert source.nothing_new(source.mark_after())
    source.close()
    assert fullness(account(dovecot, name)) is None


@pytest.mark.parametrize("name", ["Ends/", "two//parts", "/begins", "Nowhere"])
def test_a_mailbox_that_can_not_be(dovecot: Dovecot, name: str) -> None:
    """The server's words are told, and the key."""
    source = ImapSource(account(dovecot, name), 1000)
    with pytest.raises(Denied, match=r"(Invalid mailbox name|doesn't exist).*imap\.mailbox"):
        all_of(source)
    source.close()


def filled(client: IMAPClient, first: int) -> None:
    """Make the mailbox, with letters."""
    client.create_folder("Box")
    for number in range(first, first + MANY):
        client.append("Box", LETTER % number)


def renamed(client: IMAPClient, _: Path) -> None:
    """Move it, with all that is in it."""
    client.rename_folder("Box", "Elsewhere")


def deleted(client: IMAPClient, _: Path) -> None:
    """Throw it away."""
    client.delete_folder("Box")


def made_anew(client: IMAPClient, _: Path) -> None:
    """Throw it away, and make another one of that name."""
    client.delete_folder("Box")
    filled(client, 100)


def expunged(client: IMAPClient, _: Path) -> None:
    """Remove some letters."""
    client.select_folder("Box")
    client.delete_messages([6, 7, 8])
    client.expunge()


def emptied(client: IMAPClient, _: Path) -> None:
    """Remove all letters."""
    client.select_folder("Box")
    client.delete_messages(client.search())
    client.expunge()


def taken_away(_: IMAPClient, box: Path) -> None:
    """Another program removes the files, unknown to Dovecot."""
    for file in [*box.glob("cur/*"), *box.glob("new/*")]:
        file.unlink()


def renumbered(_: IMAPClient, box: Path) -> None:
    """UIDVALIDITY is new, as after a repair."""
    for name in ("dovecot-uidlist", "dovecot.index", "dovecot.index.log", "dovecot.index.cache"):
        (box / name).unlink(missing_ok=True)
    (box.parent / "dovecot-uidvalidity").write_text("7fffffff")


@pytest.fixture
def box(dovecot: Dovecot) -> Path:
    """Return the files of a mailbox that has letters."""
    with other(dovecot) as client:
        filled(client, 0)
    return dovecot.folder / "mail" / "wolf" / ".Box"


Act = Callable[[IMAPClient, Path], None]
GONE: tuple[Act, ...] = (renamed, deleted)
FEWER: tuple[Act, ...] = (expunged, emptied, taken_away)
OTHERS: tuple[Act, ...] = (made_anew, renumbered)


@pytest.mark.parametrize("when", ["opened", "listed", "half read"])
@pytest.mark.parametrize("act", [*GONE, *FEWER, *OTHERS])
def test_what_others_do_between_two_commands(
    dovecot: Dovecot, box: Path, monkeypatch: pytest.MonkeyPatch, act: Act, when: str
) -> None:
    """Each letter that is left is read, once; whatever the server says, the next run goes on, or tells the key."""
    monkeypatch.setattr(imap, "CHUNK", PART)
    source, done = ImapSource(account(dovecot, "Box"), 1000), list[str]()

    def happens(at: str) -> None:
        if at == when and not done:
            with other(dovecot) as client:
                act(client, box)
            done.append(at)

    found, ask = list[tuple[str, bytes]](), Client.by_uids

    def by_uids(client: Client, command: str, *arguments: str) -> object:
        happens("opened" if command == "SEARCH" else "listed")
        return ask(client, command, *arguments)

    monkeypatch.setattr(Client, "by_uids", by_uids)
    mark = None
    try:
        for fetched in source.fetch(None, lambda _: set()):
            found.append((fetched.raw.place, fetched.raw.data))
            mark = fetched.mark
            if len(found) == PART:
                happens("half read")
        mark = source.mark_after()
    except Away:
        pass
    source.close()
    assert done
    before = [data for _, data in found]
    assert before == [LETTER % n for n in range(MANY) if LETTER % n in before]
    known = {place for place, _ in found}
    again = ImapSource(account(dovecot, "Box"), 1000)
    if act in GONE:
        with pytest.raises(Denied, match=r"imap\.mailbox"):
            again.nothing_new(mark) or all_of(again, mark)
    else:
        later = [f.raw.data for f in all_of(again, mark, known.intersection)]
        left = {renumbered: range(MANY), made_anew: range(100, 100 + MANY), expunged: [0, 1, 2, 3, 4, 8, 9, 10, 11]}
        wanted = [LETTER % n for n in left.get(act, ())]
        assert later == wanted if act in OTHERS else [d for d in wanted if d not in before] == later
        assert again.nothing_new(again.mark_after())
    again.close()


def test_a_mailbox_whose_numbers_change_while_it_is_opened(
    dovecot: Dovecot, box: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Dovecot calls it deleted under us, once: that is no wrong setting, and the next run reads it."""
    source = ImapSource(account(dovecot, "Box"), 1000)
    source._server.client().select_folder("Box", readonly=True)
    with other(dovecot) as client:
        renumbered(client, box)
    with pytest.raises(Away, match="deleted under us"):
        all_of(source)
    assert len(all_of(source)) == MANY
    source.close()


def test_a_mailbox_that_may_only_be_read_from_now_on(dovecot: Dovecot, box: Path) -> None:
    """Who has it open reads on. Dovecot opens none that it can't lock, for now, and then nothing is missing."""
    source, parts = ImapSource(account(dovecot, "Box"), 1000), [box, *box.rglob("*")]
    source._server.client().select_folder("Box", readonly=True)
    for path in parts:
        path.chmod(0o555 if path.is_dir() else 0o444)
    assert len(all_of(source)) == MANY
    mark = source.mark_after()
    source.close()
    again = ImapSource(account(dovecot, "Box"), 1000)
    with pytest.raises(Away, match="SERVERBUG"):
        again.nothing_new(mark) or all_of(again, mark)
    for path in parts:
        path.chmod(0o755 if path.is_dir() else 0o644)
    assert again.nothing_new(mark)
    assert len(all_of(again)) == MANY
    again.close()
