"""What all sources of letters have in common: when a letter came, where its headers end, how full a mailbox is."""

from __future__ import annotations

from nomicwolf.letters.letter import Raw
from nomicwolf.post.imap import ImapAccount, fullness, limits
from nomicwolf.post.source import AHEAD, Fetched, head_of, in_time
from tests.post.scripted import ImapScript, imap_server
from tests.tables import each

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
        assert fullness(ImapAccount("127.0.0.1", port, "none", "wolf", "p", timeout=5)) == full
    assert any(asked.startswith("GETQUOTAROOT") for asked in script.asked)


def test_a_server_that_knows_no_quotas_is_not_asked() -> None:
    """It might hang up on a word that it doesn't know."""
    script = ImapScript()
    with imap_server(script) as port:
        assert fullness(ImapAccount("127.0.0.1", port, "none", "wolf", "p", timeout=5)) is None
    assert not any(asked.startswith("GETQUOTAROOT") for asked in script.asked)
