"""What is secret in a ledger can't be read where it lies, without its key; the chain is the same with any key."""

from __future__ import annotations

import pytest

from nomicwolf.ledger.encryption import MARK, PLAIN, make_key, sealed_columns
from nomicwolf.ledger.errors import LedgerError
from nomicwolf.ledger.records import HeardLetter, first_head, next_head, write_entry
from nomicwolf.ledger.store import Store
from nomicwolf.ledger.tables import contest_tables
from nomicwolf.ledger.transaction import Step
from nomicwolf.letters.letter import Outgoing, Raw
from nomicwolf.letters.mime import make_letter
from nomicwolf.village.events import Entry, Told
from tests.ledger.below import file_of, rows

SECRET = "Zanzibar is a werewolf"
LETTER = b"From: ash@players.example\r\nMessage-ID: <a@b.example>\r\n\r\nsee Zanzibar is a werewolf\r\n"


def filled(url: str, keys: str = "") -> Store:
    """Return a ledger with one secret event, one letter that came, and one that is owed."""
    store = Store.create(url, "s3", keys=keys)
    raw = Raw("box:1", 1, 9, LETTER, len(LETTER))
    heard = HeardLetter(raw, make_letter(raw, (), ("wolf@contest.example",)), "no-deed", why=SECRET)
    owed = Outgoing("s3/e1/private/Ash", "private", "note", SECRET, 9, to="ash@players.example", person="Ash")
    store.append(Step(0, [Entry(1, 9, Told("Ash", "answer", SECRET))], [heard], [owed], now=9))
    return store


def lying(url: str) -> bytes:
    """Return what whoever has the database can read: the bytes of its files, or each row that a server gives."""
    if url.startswith("sqlite"):
        return b"".join(path.read_bytes() for path in file_of(url).parent.rglob("*") if path.is_file())
    found = [part for table in contest_tables() for row in rows(url, f"SELECT * FROM {table.name}") for part in row]
    return b"\n".join(part if isinstance(part, bytes) else str(part).encode() for part in found)


def test_nothing_secret_lies_there_in_the_open(ledger_url: str) -> None:
    """Neither events nor letters, in or out; with the key all of it reads as it was, and verifies."""
    url, key = ledger_url, make_key()
    with filled(url, key) as store:
        data = lying(url)
        assert not store.verify()
        assert [e.event for e in store.record()] == [Told("Ash", "answer", SECRET)]
        kept = store.letter(1)
        assert kept is not None
        assert kept.raw.data == LETTER
        assert store.outbox().owed()[0].letter.body == SECRET

    assert b"Zanzibar" not in data
    assert b"told" not in data


def test_without_its_key_a_ledger_says_what_is_missing(ledger_url: str) -> None:
    """Without a key, and with another one."""
    url = ledger_url
    filled(url, make_key()).close()

    for keys, why in (("", "has no ledger.key|no ledger.key"), (make_key(), "another key"), ("short", "no key")):
        with pytest.raises(LedgerError, match=why), Store.open(url, "s3", keys=keys) as store:
            list(store.record())


def test_a_ledger_is_sealed_later_and_sealed_anew(ledger_url: str) -> None:
    """No byte of the open one is left in its file; the old key opens nothing; the chain's head is what it was."""
    url, first, second = ledger_url, make_key(), make_key()
    with filled(url) as store:
        head = store.tip().head
        assert b"Zanzibar" in lying(url)

    with Store.open(url, "s3", keys=first) as store:
        assert store.reseal() == 5
    assert b"Zanzibar" not in lying(url)
    with Store.open(url, "s3", keys=f"{second} {first}") as store:
        store.reseal()
    with Store.open(url, "s3", keys=second) as store:
        assert not store.verify()
        assert store.tip().head == head
    with pytest.raises(LedgerError), Store.open(url, "s3", keys=first) as store:
        list(store.record())


def test_what_is_sealed() -> None:
    """Every column that holds words of letters or of the record."""
    found = {(table.name, name) for table in contest_tables() for name in sealed_columns(table)}

    assert found == {
        ("contests", "head"), ("entries", "data"), ("entries", "kind"), ("entries", "head"), ("originals", "data"),
        ("letters", "author"), ("letters", "digest"), ("letters", "letter"), ("letters", "why"),
        ("outbox", "letter"), ("outbox", "data"), ("outbox", "error"), ("setups", "data"), ("happenings", "data"),
    }


def test_a_guess_can_not_be_tried_on_the_file(ledger_url: str) -> None:
    """Neither the chain nor a letter's digest lies there to be compared with a deed that somebody thinks of."""
    url = ledger_url
    with filled(url, make_key()) as store:
        data = lying(url)
        heads = [first_head("s3")]
        heads += [next_head(heads[-1], write_entry(entry)) for entry in store.record()]
        letter = store.letter(1)
        assert store.tip().head == heads[-1]
        assert letter is not None

    for told in (heads[-1], letter.letter.digest):
        assert told.encode() not in data


@pytest.mark.parametrize("keys", ["", make_key()], ids=["open", "sealed"])
@pytest.mark.parametrize("mark", [MARK, PLAIN, MARK + PLAIN + MARK])
def test_words_that_begin_as_sealed_ones_do_are_kept(ledger_url: str, mark: bytes, keys: str) -> None:
    """A stranger who knows the mark stops no ledger, with a key or without one."""
    raw = Raw("box:1", 1, 9, mark + LETTER, len(mark + LETTER))
    heard = HeardLetter(raw, make_letter(raw, (), ()), "stranger", why=mark.decode())
    with Store.create(ledger_url, "s3", keys=keys) as store:
        store.append(Step(0, (), [heard], now=9))
        kept = store.letter(1)

    assert kept is not None
    assert (kept.raw.data, kept.why) == (raw.data, mark.decode())


def test_contests_of_several_keys_share_a_database(ledger_url: str) -> None:
    """Each is sealed and opened by its own, whichever was opened last: one process polls many of them by turns."""
    keys = {"s3": make_key(), "s4": make_key(), "s5": ""}
    stores = {contest: Store.create(ledger_url, contest, keys=key) for contest, key in keys.items()}
    for contest, store in stores.items():
        store.append(Step(0, [Entry(1, 9, Told("Ash", "answer", contest))], now=9))
    for contest, store in stores.items():
        store.close()
        with Store.open(ledger_url, contest, keys=keys[contest]) as own:
            assert [entry.event for entry in own.record()] == [Told("Ash", "answer", contest)]
            assert own.verify() == []
    with pytest.raises(LedgerError), Store.open(ledger_url, "s3", keys=keys["s4"]) as wrong:
        list(wrong.record())
