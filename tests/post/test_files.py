"""Letters from files, and when they came."""

from __future__ import annotations

import io
import multiprocessing
import os
import platform
from pathlib import Path

import pytest

from nomicwolf.letters.letter import Raw
from nomicwolf.post.imap import ImapAccount, fullness, limits
from nomicwolf.post.refusals import Away, Denied, Locked
from nomicwolf.post.source import AHEAD, Fetched, MaildirSource, MboxSource, Source, StreamSource, head_of, in_time
from nomicwolf.run.resources import only_run
from tests.post.scripted import ImapScript, imap_server
from tests.tables import each

LETTER = b"From: ash@players.example\n\nI vote for Gus.\n"


@pytest.fixture
def maildir(tmp_path: Path) -> Path:
    """Return an empty Maildir."""
    for name in ("new", "cur", "tmp"):
        (tmp_path / "box" / name).mkdir(parents=True)
    return tmp_path / "box"


def deliver(maildir: Path, name: str, data: bytes, at: int) -> None:
    """Deliver a letter as an MDA does, with the time at which it came."""
    (maildir / "tmp" / name).write_bytes(data)
    os.utime(maildir / "tmp" / name, (at, at))
    (maildir / "tmp" / name).rename(maildir / "new" / name)


def places(source: Source, known: set[str]) -> list[str]:
    """Return the places of what is new."""
    return [fetched.raw.place for fetched in source.fetch(None, known.intersection)]


def test_maildir_in_order_of_delivery(maildir: Path) -> None:
    """Oldest first; what was moved to cur and flagged by a reader is the same letter."""
    deliver(maildir, "2.b.host", LETTER, 2000)
    deliver(maildir, "1.a.host", LETTER, 3000)
    source = MaildirSource(maildir, 1000)
    found = list(source.fetch(None, lambda _: set()))
    assert [(f.raw.place, f.raw.arrived, f.raw.order, f.raw.data) for f in found] == [
        ("maildir:2.b.host", 2000, 0, LETTER), ("maildir:1.a.host", 3000, 0, LETTER)]
    (maildir / "new" / "2.b.host").rename(maildir / "cur" / "2.b.host:2,S")
    assert places(source, {"maildir:2.b.host"}) == ["maildir:1.a.host"]


def test_maildir_with_a_name_that_is_no_text(maildir: Path) -> None:
    """Its bytes are spelled out, so that the ledger and all who read it have one name for the letter."""
    deliver(maildir, os.fsdecode(b"1.a\xff.h\xc3\xb6st"), LETTER, 2000)
    source = MaildirSource(maildir, 1000)

    assert places(source, set()) == ["maildir:1.a\\xff.höst"]
    assert places(source, {"maildir:1.a\\xff.höst"}) == []


def test_maildir_idle_check(maildir: Path) -> None:
    """Nothing is new until a file comes; reading changes nothing."""
    source = MaildirSource(maildir, 1000)
    assert not source.nothing_new(None)
    assert places(source, set()) == []
    mark = source.mark_after()
    assert source.nothing_new(mark)
    deliver(maildir, "1.a.host", LETTER, 2000)
    assert not source.nothing_new(mark)
    before = sorted(maildir.rglob("*"))
    assert places(source, set()) == ["maildir:1.a.host"]
    assert sorted(maildir.rglob("*")) == before


def test_a_letter_as_long_as_the_limit_is_whole(maildir: Path) -> None:
    """The limit is the size up to which letters are read whole; a byte more, and they aren't."""
    deliver(maildir, "1.a.host", LETTER, 2000)

    for limit, truncated in ((len(LETTER), False), (len(LETTER) - 1, True)):
        [found] = MaildirSource(maildir, limit).fetch(None, lambda _: set())
        assert found.raw.truncated is truncated


def test_maildir_big_letters(maildir: Path) -> None:
    """Above the limit only the headers come, with the full size."""
    deliver(maildir, "1.a.host", LETTER + b"x" * 5000, 2000)
    [found] = MaildirSource(maildir, 1000).fetch(None, lambda _: set())
    assert (found.raw.data, found.raw.truncated, found.raw.size) == (
        b"From: ash@players.example\n\n", True, len(LETTER) + 5000)


def test_long_headers_of_a_big_letter_are_whole(maildir: Path) -> None:
    """A quarter of a megabyte of it is looked at; below that no header is cut off, and no text stands behind them."""
    head = b"".join(b"X-Trace-%d: %s\n" % (number, b"x" * 80) for number in range(2_500)) + b"From: ash@x.test\n\n"
    deliver(maildir, "1", head + b"text\n" * 100_000, 1_800_000_000)
    assert len(head) > 200_000
    [found] = MaildirSource(maildir, 1_000).fetch(None, lambda _: set())
    assert (found.raw.data, found.raw.truncated) == (head, True)


def test_maildir_that_is_none(tmp_path: Path) -> None:
    """The key to look at is named."""
    with pytest.raises(Denied, match=r"maildir\.path"):
        places(MaildirSource(tmp_path, 1000), set())


MBOX = (
    b"From ash@players.example Sat Nov 21 02:00:00 2026\n" + LETTER + b"\n"
    b"From bex@players.example Sat Nov 21 03:00:00 +0100 2026\n"
    b"From: bex@players.example\n\nFirst line\nFrom here on no blank line was before.\n>From x\n\n"
    b"From ash@players.example Sat Nov 21 02:00:00 2026\n" + LETTER + b"\n"
)


def test_mbox_letters(tmp_path: Path) -> None:
    """Letters part at From lines behind blank lines; equal ones are two; times are UTC."""
    (tmp_path / "mbox").write_bytes(MBOX)
    source = MboxSource(tmp_path / "mbox", 1000)
    found = [f.raw for f in source.fetch(None, lambda _: set())]
    assert [raw.data for raw in found] == [
        LETTER, b"From: bex@players.example\n\nFirst line\nFrom here on no blank line was before.\n>From x\n", LETTER]
    assert [raw.arrived for raw in found] == [1795226400] * 3
    assert len({raw.place for raw in found}) == 3
    mark = source.mark_after()
    assert source.nothing_new(mark)
    with (tmp_path / "mbox").open("ab") as file:
        file.write(b"From cam@players.example Sat Nov 21 04:00:00 2026\n" + LETTER.replace(b"Gus", b"Hal"))
    assert not source.nothing_new(mark)
    assert len(places(source, {raw.place for raw in found})) == 1


def test_mbox_that_is_being_written(tmp_path: Path) -> None:
    """While a dot lock lies there the run comes back later."""
    (tmp_path / "mbox").write_bytes(MBOX)
    (tmp_path / "mbox.lock").touch()
    with pytest.raises(Away, match="writing"):
        places(MboxSource(tmp_path / "mbox", 1000), set())
    os.utime(tmp_path / "mbox.lock", (1, 1))
    with pytest.raises(Away, match=r"mbox\.lock .* remove that"):
        places(MboxSource(tmp_path / "mbox", 1000), set())


def test_mbox_that_is_none(tmp_path: Path) -> None:
    """The key to look at is named."""
    with pytest.raises(Denied, match=r"mbox\.path"):
        places(MboxSource(tmp_path / "nothing", 1000), set())


@pytest.mark.parametrize(("data", "count"), [(LETTER, 1), (MBOX, 3), (b"", 0), (b"From nobody\n", 0)])
def test_standard_input(data: bytes, count: int) -> None:
    """One letter as a mail filter pipes it, or an mbox; the same letter has the same place."""
    found = [f.raw for f in StreamSource(io.BytesIO(data), 5000, 1000).fetch(None, lambda _: set())]
    assert len(found) == count
    assert places(StreamSource(io.BytesIO(data), 6000, 1000), {raw.place for raw in found}) == []
    if data == LETTER:
        assert (found[0].data, found[0].arrived) == (LETTER, 5000)


def test_standard_input_is_bounded() -> None:
    """Of a letter above the limit only its headers stay in memory."""
    [found] = StreamSource(io.BytesIO(LETTER + b"x\n" * 10_000), 5000, 1000).fetch(None, lambda _: set())
    assert (found.raw.truncated, found.raw.size, found.raw.data) == (
        True, len(LETTER) + 20_000, b"From: ash@players.example\n\n")


def test_one_run_at_a_time(tmp_path: Path) -> None:
    """A second run is refused at once, in this process or another; a run that died holds nothing."""
    path = tmp_path / "contest.lock"
    with only_run(path):
        with pytest.raises(Locked, match=f"process {os.getpid()} on {platform.node()}"), only_run(path):
            pytest.fail("both runs hold the lock")
        child = multiprocessing.get_context("fork").Process(target=_hold, args=(path,))
        child.start()
        child.join()
        assert child.exitcode == 75
    with only_run(path):
        assert path.stat().st_mode & 0o777 == 0o600


def _hold(path: Path) -> None:
    try:
        with only_run(path):
            os._exit(0)
    except Locked:
        os._exit(75)


def test_no_place_for_the_lock(tmp_path: Path) -> None:
    """A folder that isn't there is told."""
    with pytest.raises(Denied, match="folder"), only_run(tmp_path / "no" / "contest.lock"):
        pytest.fail("the lock can't be there")


NOW = 1_800_000_000


@each(("arrived", "counts"), [
    (0, NOW), (1, 1), (-1, NOW), (-62_135_646_800, NOW), (NOW, NOW), (NOW + AHEAD, NOW + AHEAD),
    (NOW + AHEAD + 1, NOW)])
def test_when_a_letter_came(arrived: int, counts: int) -> None:
    """A clock may be a day ahead, to the second; what has no time of 1970 on, or came later than that, comes now."""
    letter = Fetched(Raw("maildir:a", 1, arrived, b"", 0), ("maildir:a", 1, 1))
    found = in_time(letter, NOW)
    assert (found.raw.arrived, found.mark) == (counts, letter.mark)
    assert AHEAD == 24 * 60 * 60


@each(("letter", "head"), [
    (b"A: b\r\nC: d\r\n\r\ntext\n\nmore", b"A: b\r\nC: d\r\n\r\n"),
    (b"A: b\nC: d\n\ntext\r\n\r\nmore", b"A: b\nC: d\n\n"),
    (b"\n\ntext", b"\n\n"),
    (b"\r\n\r\ntext", b"\r\n\r\n"),
    (b"A: b\r\nC: d", b"A: b\r\nC: d"),
])
def test_where_the_headers_end(letter: bytes, head: bytes) -> None:
    """At the first blank line, however lines end; a letter without one is all headers."""
    assert head_of(letter) == head


@each(("answer", "told"), [
    (b'"User quota" (STORAGE 10 512 MESSAGE 3 50)', [(10, 512), (3, 50)]),
    (b'"a (STORAGE 1 2) b" (STORAGE 10 512)', [(10, 512)]),
    (b'"" (STORAGE 10 0)\r\n', [(10, 0)]),
    (b'"" (STORAGE ten 512 MESSAGE 3 many X-NUMBER 4 5)', [(4, 5)]),
    (b'"" (STORAGE 10)', []),
    (b'"" ()', []),
    (b"", []),
])
def test_what_a_server_tells_of_its_limits(answer: bytes, told: list[tuple[int, int]]) -> None:
    """Whatever resources it has (RFC 9208, 5.1), and nothing of what isn't said so."""
    assert [*limits(answer)] == told


@each(("quotas", "full"), [
    (('"a" (STORAGE 10 100)',), 0.1),
    (('"a" (STORAGE 10 100 MESSAGE 45 50)',), 0.9),
    (('"a" (STORAGE 10 100)', '"b" (STORAGE 60 100)'), 0.6),
    (('"a" (STORAGE 10 0)',), None),
    (('"a" ()',), None),
    ((), None),
    (None, None),
])
def test_how_full_a_mailbox_is(quotas: tuple[str, ...] | None, full: float | None) -> None:
    """By whichever limit comes first of all that hold for it; a server without any, or that refuses, tells nothing."""
    script = ImapScript(capability="IMAP4rev1 QUOTA", quotas=quotas)
    with imap_server(script) as port:
        assert fullness(ImapAccount("127.0.0.1", "wolf", "p", port, "none", timeout=5)) == full
    assert any(asked.startswith("GETQUOTAROOT") for asked in script.asked)


def test_a_server_that_knows_no_quotas_is_not_asked() -> None:
    """It might hang up on a word that it doesn't know."""
    script = ImapScript()
    with imap_server(script) as port:
        assert fullness(ImapAccount("127.0.0.1", "wolf", "p", port, "none", timeout=5)) is None
    assert not any(asked.startswith("GETQUOTAROOT") for asked in script.asked)
