"""The store: one transaction, nothing changed afterwards, every sum right."""

from __future__ import annotations

import stat
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import make_url

from nomicwolf.ledger import database
from nomicwolf.ledger.database import connect, upgrade
from nomicwolf.ledger.errors import Conflict, Imbalance, LedgerError, NoLedger, OldLedger
from nomicwolf.ledger.idle_check import glance
from nomicwolf.ledger.records import Happened, HeardLetter, Ruling, first_head, next_head, write_entry
from nomicwolf.ledger.store import Store, backup
from nomicwolf.ledger.tables import METADATA
from nomicwolf.ledger.transaction import Step
from nomicwolf.letters.letter import Letter, Outgoing, Raw
from nomicwolf.nomic.events import LetterHeard
from nomicwolf.village.events import Entry, Lynched, PhaseBegan
from tests.ledger.below import REFUSALS, file_of, rows, unguarded


def heard(place: str, data: bytes = b"From: a\n\nx", **parts: str) -> HeardLetter:
    """Return a letter that was heard at a place of the mailbox."""
    raw = Raw(place, 7, 1000, data, len(data))
    letter = Letter(place, 7, 1000, sha256(data).hexdigest(), "d", parts.pop("message_id", "<1@x>"), "", None, (), "x")
    return HeardLetter(raw, letter, parts.pop("bucket", "deeds"), **parts)  # type: ignore[arg-type]


def owed(key: str, kind: str = "private") -> Outgoing:
    """Return a letter that is owed."""
    if kind == "private":
        return Outgoing(key, "private", "s", "b", 1000, to="ash@players.example", person="Ash")
    return Outgoing(key, "public", "s", "b", 1000, forum="agora")


def entries(first: int, count: int) -> tuple[Entry, ...]:
    """Return entries numbered from *first* on."""
    return tuple(Entry(n, 1000 + n, PhaseBegan("day", n)) for n in range(first, first + count))


@pytest.fixture
def url(ledger_url: str) -> str:
    """Return where a ledger may be made, in each kind of database."""
    return ledger_url


@pytest.fixture
def file_url(tmp_path: Path) -> str:
    """Return where a ledger may be made that is a file."""
    return f"sqlite:///{tmp_path / 'contest.db'}"


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """Return a new ledger."""
    with Store.create(url, "s3") as made:
        yield made


def test_everything_is_kept_together(store: Store) -> None:
    """Entries, letter, owed letter and mark are there after one call, and read back as they were."""
    came = heard("p1", author="Ash", why="vote")
    store.append(Step(0, entries(1, 2), [came], [owed("k1")], ("imap:x", 5, 42), now=2000, alarm=9))
    assert tuple(store.record()) == entries(1, 2)
    assert tuple(store.record(after=1)) == entries(2, 1)
    found = store.letter(1)
    assert found is not None
    assert (found.raw.data, found.bucket, found.author, found.why, found.heard_at) == (
        b"From: a\n\nx", "deeds", "Ash", "vote", 2000)
    assert found.letter == heard("p1").letter
    assert [letter.letter for letter in store.outbox().owed()] == [owed("k1")]
    assert store.mark("imap:x") == ("imap:x", 5, 42)
    assert store.mark("imap:y") is None
    tip = store.tip()
    assert (tip.last, tip.alarm, tip.polled_at) == (2, 9, 2000)
    assert store.verify() == []
    assert str(store.check()) == "received 1 = deeds 1; owed 1 = queued 1"


def test_a_second_writer_is_refused_and_nothing_is_written(store: Store, url: str) -> None:
    """Who made something from an older record gets a Conflict, and so does a key or a place that is taken."""
    with Store.open(url, "s3") as other:
        other.append(Step(0, entries(1, 1), [heard("p1")], [owed("k1")], now=1))
    attempts = (
        {"base": 0, "entries": entries(1, 1)},
        {"base": 1, "entries": entries(2, 1), "owed": [owed("k1")]},
        {"base": 1, "entries": entries(2, 1), "heard": [heard("p1")]},
    )
    for attempt in attempts:
        with pytest.raises(Conflict):
            store.append(Step(**attempt, mark=("m", 1, 1), now=2))  # type: ignore[arg-type]
    assert store.last() == 1
    assert store.mark("m") is None
    assert store.counts().received == 1
    assert store.verify() == []


def test_the_record_has_no_gaps(store: Store) -> None:
    """An entry with a number that doesn't follow is a mistake of ours, and is refused."""
    with pytest.raises(ValueError, match="no gaps"):
        store.append(Step(0, entries(2, 1), now=1))
    assert store.last() == 0


def test_only_known_buckets(store: Store) -> None:
    """A letter is in one of the seven buckets or isn't kept at all."""
    with pytest.raises(ValueError, match="no bucket"):
        store.append(Step(0, heard=[heard("p", bucket="lost")], now=1))


def test_the_chain_is_what_it_says(store: Store) -> None:
    """The head is SHA-256 over the head before and the entry's canonical JSON, from the contest's name on."""
    store.append(Step(0, entries(1, 2), now=1))
    head = first_head("s3")
    for entry in entries(1, 2):
        head = next_head(head, write_entry(entry))
    assert store.tip().head == head


@pytest.mark.parametrize("statement", [
    "UPDATE entries SET data = '{}'",
    "DELETE FROM entries",
    "UPDATE originals SET data = NULL",
    "DELETE FROM letters",
    "UPDATE letters SET place = 'elsewhere'",
    "INSERT INTO entries VALUES ('s3', 'two', 1, 'x', '{}', '')",
    "UPDATE letters SET bucket = 'lost'",
    "UPDATE outbox SET state = 'sending'",
    "INSERT INTO marks VALUES ('other', 'imap', 1, 1)",
])
def test_the_database_itself_refuses(store: Store, url: str, statement: str) -> None:
    """Triggers, types, CHECK and foreign keys hold against any program: the ledger only grows."""
    store.append(Step(0, entries(1, 1), [heard("p1")], [owed("k1")], now=1))
    with pytest.raises(REFUSALS):
        rows(url, statement)
    assert store.verify() == []


@pytest.mark.parametrize(("table", "statement", "says"), [
    ("entries", "UPDATE entries SET data = replace(data, 'day', 'night') WHERE number = 2",
     "entry 2: the chain breaks here"),
    ("entries", "DELETE FROM entries WHERE number = 3", "left at entry 3"),
    ("entries", "DELETE FROM entries WHERE number = 2", "entry 3: follows entry 1"),
    ("originals", "UPDATE originals SET data = CAST('' AS {bytes})", "letter 1: its bytes"),
    ("letters", "DELETE FROM letters", "0 are there and 1 came"),
    ("outbox", "DELETE FROM outbox", "outbox: 0 letters are there and 1 became owed"),
    ("outbox", "UPDATE outbox SET letter = '{{}}'", "owed letter 1: Outgoing"),
])
def test_verify_finds_what_was_changed(store: Store, url: str, table: str, statement: str, says: str) -> None:
    """Whoever gets round the triggers is found out, with the place."""
    store.append(Step(0, entries(1, 3), [heard("p1")], [owed("k1")], now=1))
    kind = "BLOB" if url.startswith("sqlite") else "bytea"
    rows(url, *unguarded(url, table), statement.format(bytes=kind))
    assert any(says in line for line in store.verify()), store.verify()


COLUMNS = "is not what its columns say"


@pytest.mark.parametrize(("table", "change", "says"), [
    ("entries", "at = 1 WHERE number = 2", f"entry 2: {COLUMNS}"),
    ("entries", "kind = 'Lynched' WHERE number = 2", f"entry 2: {COLUMNS}"),
    ("letters", "message_id = '<2@x>'", f"letter 1: {COLUMNS}"),
    ("letters", "digest = 'e'", f"letter 1: {COLUMNS}"),
    ("letters", "author = 'Bex'", "letter 1: is not by Bex, as entry 1 says"),
    ("letters", "number = 2", "letters: 1 are there and 1 came"),
    ("outbox", "key = 'k2'", f"owed letter 1: {COLUMNS}"),
    ("outbox", "kind = 'public'", f"owed letter 1: {COLUMNS}"),
    ("setups", "data = '{\"roles\":[]}'", "settings 44136fa355b3: are not those that were in force then"),
    ("happenings", "number = 2", "happening 2: number 1 is gone"),
    ("happenings", "base = 3", "happening 1: is of entries 3 to 2, behind entry 0"),
    ("happenings", "last = 3", "happening 1: is of entries 0 to 3, behind entry 0"),
    ("happenings", "owed = 2", "happening 1: owes letters up to 2, behind letter 0, and 1 became owed"),
    ("happenings", "data = 'x'", "happening 1: can't be read"),
    ("happenings", "kind = 'tick'", "happening 1: can't be read"),
])
def test_verify_finds_what_was_told_otherwise(store: Store, url: str, table: str, change: str, says: str) -> None:
    """What stands beside the chain is held to it, or to what it was made of; nothing else is doubted."""
    came = LetterHeard("<1@x>", "c", "d", "Ash", "deeds", "agora")
    letter = replace(heard("p1"), author="Ash", entry=1)
    store.append(Step(0, [Entry(1, 9, came), *entries(2, 1)], [letter], [owed("k1")], now=9,
               happened=Happened("letter", "", "{}")))
    assert store.verify() == []

    rows(url, *unguarded(url, table), f"UPDATE {table} SET {change}")
    assert store.verify() == [says]


@pytest.mark.parametrize(("change", "says"), [
    ("base = 0", "is of entries 0 to 2, behind entry 1"),
    ("owed = 0", "owes letters up to 0, behind letter 1, and 2 became owed"),
])
def test_what_happened_later_stands_behind_what_came_before(store: Store, url: str, change: str, says: str) -> None:
    """Neither entries nor letters of an earlier happening are a later one's: letters print the head by that."""
    tick = Happened("tick", "{}", "{}")
    store.append(Step(0, entries(1, 1), owed=[owed("k1")], now=1, happened=tick))
    store.append(Step(1, entries(2, 1), owed=[owed("k2")], now=2, happened=tick))
    assert store.verify() == []

    rows(url, *unguarded(url, "happenings"), f"UPDATE happenings SET {change} WHERE number = 2")
    assert store.verify() == [f"happening 2: {says}"]


@pytest.mark.parametrize(("said", "kept"), [("", "Ash"), ("Ash", "")])
def test_verify_finds_a_letter_that_is_nobodys_or_anybodys(store: Store, url: str, said: str, kept: str) -> None:
    """A stranger's letter that is given an author is found, and so is one that has lost its own."""
    came = LetterHeard("<1@x>", "c", "d", said, "stranger", "agora")
    store.append(Step(0, [Entry(1, 9, came)], [replace(heard("p1"), author=said, entry=1)], now=9))
    assert store.verify() == []

    rows(url, *unguarded(url, "letters"), f"UPDATE letters SET author = '{kept}'")
    assert store.verify() == [f"letter 1: is not by {kept or 'nobody'}, as entry 1 says"]


def test_verify_finds_what_was_not_sent_so(store: Store, url: str) -> None:
    """The bytes that a server was given have the Message-ID under which the letter is known."""
    store.append(Step(0, owed=[owed("k1")], now=1))
    store.outbox().mark_sending("k1", b"Message-ID: <a@x>\r\n\r\nHello.\r\n", "<a@x>", 2)
    assert store.verify() == []
    rows(url, "UPDATE outbox SET message_id = '<b@x>'")
    assert store.verify() == ["owed letter 1: its bytes are not those that were made of it"]


def test_an_imbalance_is_loud(store: Store, url: str) -> None:
    """A letter that vanished fails the check."""
    store.append(Step(0, owed=[owed("k1")], now=1))
    rows(url, "DELETE FROM outbox")
    with pytest.raises(Imbalance, match="owed 1 = none"):
        store.check()


def test_same_letters(store: Store) -> None:
    """Places and equal Message-IDs are found; equal bytes are stored once."""
    store.append(Step(0, heard=[heard("p1"), heard("p2", bucket="duplicate"), heard("p3", b"other")], now=1))
    assert store.known(("p1", "p4")) == {"p1"}
    assert [letter.raw.place for letter in store.letters()] == ["p1", "p2", "p3"]


def test_what_letters_name(store: Store) -> None:
    """Which forums the letters name that came under some Message-IDs; nothing of an id under which none came."""
    public = heard("p2", bucket="duplicate")
    public = replace(public, letter=replace(public.letter, forums=("agora", "b")))
    store.append(Step(0, heard=[heard("p1"), public, heard("p3", b"z", message_id="<3@x>")], now=1))
    found = store.forums_of(("<1@x>", "<2@x>", "<3@x>"))
    assert {name: sorted(forums) for name, forums in found.items()} == {"<1@x>": [(), ("agora", "b")], "<3@x>": [()]}
    assert store.forums_of(()) == {}


def test_held_letters_are_ruled_on_once(store: Store) -> None:
    """A held letter goes to another bucket in the same transaction as what follows, and only once."""
    too_big = replace(heard("p1", bucket="held", why="too big"), entry=1)
    store.append(Step(0, entries(1, 1), [heard("p0", b"y"), too_big], now=1))
    assert [(letter.number, letter.entry) for letter in store.held()] == [(2, 1)]
    found = store.letter_of(1)
    assert found is not None
    assert found.number == 2
    assert store.letter_of(0) is None
    store.append(Step(1, entries(2, 1), now=2, ruled=[Ruling(1, "deeds", "released: it is a vote")]))
    assert store.held() == ()
    with pytest.raises(Conflict, match="not held"):
        store.append(Step(2, entries(3, 1), now=3, ruled=[Ruling(1, "no-deed", "again")]))
    assert store.last() == 2


def test_odd_characters_are_kept(store: Store) -> None:
    """NUL and half characters in a letter don't stop the ledger."""
    odd = heard("p\x00\udc80", why="\udcff", message_id="<\x00>")
    store.append(Step(0, entries(1, 0), [odd], [Outgoing("k", "private", "\udc80", "\x00", 1, to="a@b.c")], now=1))
    assert store.known(("p\x00\udc80",)) == {"p\x00\udc80"}
    assert store.outbox().owed()[0].letter.body == "\x00"
    assert store.verify() == []


def test_files_are_for_their_owner(file_url: str, tmp_path: Path) -> None:
    """The ledger and what SQLite lays beside it have mode 0600, and so has a copy."""
    with Store.create(file_url, "s3") as store:
        store.append(Step(0, entries(1, 1), now=1))
        backup(file_url, "s3", tmp_path / "copy.db")
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    assert set(modes) >= {"contest.db", "contest.db-wal", "copy.db"}
    assert set(modes.values()) == {0o600}


def test_a_backup_is_the_ledger(store: Store, url: str, tmp_path: Path) -> None:
    """A copy made while the ledger is open is whole, and an older copy is not written over; servers copy too."""
    store.append(Step(0, entries(1, 3), [heard("p1")], [owed("k1")], now=1))
    backup(url, "s3", tmp_path / "copy.db")
    with Store.open(f"sqlite:///{tmp_path / 'copy.db'}", "s3") as copy:
        assert tuple(copy.record()) == tuple(store.record())
        assert copy.verify() == []
    with pytest.raises(LedgerError, match="already"):
        backup(url, "s3", tmp_path / "copy.db")


def test_several_contests_in_one_ledger(store: Store, url: str) -> None:
    """Contests don't see each other."""
    with Store.create(url, "s4") as other:
        store.append(Step(0, entries(1, 2), [heard("p1")], [owed("k1")], now=1))
        other.append(Step(0, entries(1, 1), [heard("p1")], [owed("k1")], now=1))
        assert (store.last(), other.last()) == (2, 1)
        assert store.verify() == other.verify() == []
    with pytest.raises(Conflict, match="already"):
        Store.create(url, "s3")


def test_files_that_are_no_ledgers(tmp_path: Path) -> None:
    """Each kind of wrong file says what to do."""
    with pytest.raises(NoLedger, match="nomicwolf init"):
        Store.open(f"sqlite:///{tmp_path / 'nowhere.db'}", "s3")
    (tmp_path / "text.db").write_text("this is no database" * 100)
    with pytest.raises(LedgerError, match="restore a backup"):
        Store.open(f"sqlite:///{tmp_path / 'text.db'}", "s3")
    (tmp_path / "empty.db").touch()
    with pytest.raises(LedgerError, match="no ledger of nomicwolf's"):
        Store.open(f"sqlite:///{tmp_path / 'empty.db'}", "s3")


def test_ledgers_of_another_contest_or_version(store: Store, url: str) -> None:
    """A contest that isn't there, and a schema that this program doesn't know, are told."""
    assert store.last() == 0
    place = make_url(url)
    asked = place.set(password="hush") if place.host else place
    with pytest.raises(NoLedger, match="no contest s9") as told:
        Store.open(asked.render_as_string(hide_password=False), "s9")
    assert "hush" not in str(told.value), "nor is the password of a server"
    rows(url, "UPDATE alembic_version SET version_num = '9999', oldest = '9999'")
    with pytest.raises(LedgerError, match="newer"):
        Store.open(url, "s3")


@pytest.mark.parametrize("name", ["what?", "100%41", "a?mode=memory", "a#b", "a b"])
def test_a_folder_of_any_name_has_a_ledger(name: str, tmp_path: Path) -> None:
    """What follows the three slashes is a path: nothing in it is a query, or stands for another character."""
    (tmp_path / name).mkdir()
    url = f"sqlite:///{tmp_path / name / 'contest.db'}"
    Store.create(url, "s3").close()

    with Store.open(url, "s3") as store:
        assert store.last() == 0
    assert (tmp_path / name / "contest.db").is_file()
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_newer_schema_that_only_adds_is_good(store: Store, url: str) -> None:
    """Two versions work side by side while the newer one's tables hold all that the older one knows."""
    rows(url, "ALTER TABLE outbox ADD COLUMN flavour TEXT",
         f"UPDATE alembic_version SET version_num = '9999', oldest = '{database.NEWEST}'")
    store.append(Step(0, entries(1, 1), [heard("p1")], [owed("k1")], now=1))
    with Store.open(url, "s3") as other:
        other.outbox().mark_sending("k1", b"Message-ID: <k1@x>\r\n\r\nbytes", "<k1@x>", 2)
        assert other.verify() == []


def test_upgrade_makes_what_is_missing(url: str) -> None:
    """An empty database gets its tables; one that is at the newest schema is left alone."""
    if url.startswith("sqlite"):
        file_of(url).touch()
    assert upgrade(url) is None
    with Store.create(url, "s3") as made:
        assert made.last() == 0
    assert upgrade(url) is None


def test_an_older_ledger_is_copied_before_it_is_upgraded(
    file_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An old schema is refused with what to do, and upgrading leaves a sound copy of the ledger as it was."""
    with Store.create(file_url, "s3") as store:
        store.append(Step(0, entries(1, 2), now=1))
    now = database.NEWEST
    monkeypatch.setattr(database, "NEWEST", "9998")
    with pytest.raises(OldLedger, match="needs 9998"):
        Store.open(file_url, "s3")
    copy = upgrade(file_url)
    assert copy == tmp_path / f"contest.db.schema-{now}"
    monkeypatch.undo()
    with Store.open(f"sqlite:///{copy}", "s3") as old:
        assert tuple(old.record()) == entries(1, 2)


def test_a_reader_writes_nothing(store: Store, url: str) -> None:
    """A ledger opened for reading refuses to be written."""
    with Store.open(url, "s3", readonly=True) as reader:
        assert reader.last() == 0
        with pytest.raises(LedgerError):
            reader.append(Step(0, entries(1, 1), now=1))
    assert store.last() == 0


def test_migrations_make_the_tables_of_the_code(store: Store, url: str) -> None:
    """What the revisions leave is what the models say."""
    engine = connect(url)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection, opts={"compare_type": True}), METADATA) == []
    engine.dispose()


def test_a_glance_tells_what_is_to_do(store: Store, url: str, tmp_path: Path) -> None:
    """The cheap look agrees with the store, and leaves to it whatever is odd."""
    store.append(Step(0, entries(1, 1), owed=[owed("k1"), owed("f1", "public")], mark=("imap:x", 5, 42), now=70,
                      alarm=99))
    seen = glance(url, "s3", 3)
    assert seen is not None
    assert (seen.alarm, seen.sendable, seen.polled_at, seen.marks) == (99, 2, 70, {"imap:x": ("imap:x", 5, 42)})
    assert glance(url, "s9", 3) is None
    assert glance(f"{url}.nowhere", "s3", 3) is None
    assert not (tmp_path / "contest.db.nowhere").exists()


def test_many_writers_lose_nothing(store: Store, url: str) -> None:
    """Two processes that read, then write, a hundred times each: every update is there."""
    code = f"""
from nomicwolf.ledger.errors import Conflict
from nomicwolf.ledger.store import Store
from nomicwolf.ledger.transaction import Step
from nomicwolf.village.events import Entry, PhaseBegan
store, done = Store.open({url!r}, "s3"), 0
while done < 100:
    last = store.last()
    try:
        store.append(Step(last, [Entry(last + 1, 0, PhaseBegan("day", done))], now=1))
        done += 1
    except Conflict:
        continue
"""
    workers = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(2)]
    assert [worker.wait() for worker in workers] == [0, 0]
    assert store.last() == 200
    assert store.verify() == []


def test_errors_quote_nothing(store: Store) -> None:
    """An error of the database doesn't show what was to be written."""
    secret = heard("p1", b"a secret", why="a secret")
    store.append(Step(0, heard=[secret], now=1))
    with pytest.raises(Conflict) as caught:
        store.append(Step(0, heard=[secret], now=1))
    assert "secret" not in f"{caught.value}{caught.value.__cause__}"


def test_lynched_is_kept_by_name(store: Store, url: str) -> None:
    """The kind of an entry stands in a column, for whoever looks with other tools."""
    store.append(Step(0, [Entry(1, 5, Lynched("Gus"), ("NC 3",), "letter 1")], now=1))
    assert rows(url, "SELECT kind, at FROM entries") == [("lynched", 5)]


def test_a_store_knows_when_the_contest_is_to_be_asked_again(store: Store, url: str) -> None:
    """As it was when it was opened, and by what was kept since: of several things kept at once the last alarm."""
    known = [store.alarm]
    store.append(Step(0, now=1, alarm=70))
    known.append(store.alarm)
    with Store.open(url, "s3") as opened:
        known.append(opened.alarm)
        opened.append(Step(0, now=2))
        known.append(opened.alarm)

    assert known == [None, 70, 70, None]


def test_the_last_change_never_goes_back(store: Store) -> None:
    """A run whose clock is behind doesn't make the ledger look older than it is: that would hide its clock."""
    store.append(Step(0, now=500))
    store.append(Step(0, now=400))

    assert store.tip().polled_at == 500


def test_the_head_that_a_letter_prints_is_the_one_when_it_became_owed(store: Store) -> None:
    """NC 6: behind all entries of the happening that owed it, and none after; '' if that was never written down."""
    tick = Happened("tick", "{}", "{}")
    store.append(Step(0, entries(1, 2), owed=[owed("a"), owed("b")], now=1, happened=tick))
    store.append(Step(2, entries(3, 1), now=2, happened=tick))
    store.append(Step(3, entries(4, 1), owed=[owed("c")], now=3, happened=tick))
    heads = dict(store.heads())

    assert [store.head_when_owed(number) for number in (1, 2, 3)] == [heads[2], heads[2], heads[4]]
    assert store.head_when_owed(4) == ""
