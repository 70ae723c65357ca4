"""Lines whose meaning is told at a glance mean what all the questions about them come to."""

from __future__ import annotations

import os
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from nomicwolf.letters import attribution, quote_headers, quote_marks
from nomicwolf.letters.letter import Raw
from nomicwolf.letters.mime import make_letter
from nomicwolf.letters.quote_headers import header_block
from nomicwolf.letters.quote_marks import divider
from tests.tables import each

EXAMPLES = int(os.environ.get("NOMICWOLF_EXAMPLES", "150"))
CORPUS = sorted((Path(__file__).parent / "corpus").glob("*.eml"))
SAID = sorted({
    *quote_marks.WROTE, *quote_marks.SAID, *quote_marks.OPENERS, *quote_marks.QUOTING, *quote_marks.ORIGINAL,
    *quote_marks.FORWARDED, *quote_marks.DEVICES, *quote_marks.LISTS, *quote_marks.FOOTERS, *quote_marks.FROM,
    *quote_marks.SENT, *quote_marks.TO, *quote_marks.SUBJECT, quote_marks.PROCESSED,
})
PIECES = [
    *SAID, *(each.title() for each in SAID), "Bex", "I vote for Gus.", "On Tue, 1 Dec 2026 at 09:01", "12:30", "2026",
    "a@b.test", ":", "：", ">", "<", "<Bex> ", "EM> ", "-", "--", "-- ", "---", "*", "_", "|", "&gt;", ".", "!", "?",
    ",", " ", "\t", "  ", "\u200b", "\u00a0", "__________", "-----BEGIN PGP SIGNATURE-----", "ſ", "\u212a", "é", "\r",
    "(so)", "/",
]
lines = st.lists(st.sampled_from(PIECES), max_size=5).map(" ".join) | st.lists(
    st.sampled_from(PIECES), max_size=4).map("".join) | st.text(max_size=30).map(lambda text: text.replace("\n", ""))
bodies = st.lists(lines, max_size=8)


def asked(letter: list[str]) -> attribution.Scanned:
    """Why each line is left out, each asked about in full: no glance, no armour."""
    found = attribution.Scanned([*letter], [""] * len(letter))
    place, region = 0, ("", "")
    while place < len(letter):
        count, why, opens = attribution._begins_at(letter, place, region)
        broken = count > 1 and letter[place].rstrip(quote_marks.SPACE).endswith(".")
        found.fill(place, place + count, *((why, attribution.ATTRIBUTED if broken else "") if why else region))
        place += count
        if opens in ("signature", "device"):
            region = region if region[1] else ("signature", attribution.DEVICE if opens == "device" else "")
        elif opens:
            place, region = attribution._quotation(found, place, why, opens, region)
        elif region[1] == attribution.DEVICE and why == "quoted" and not found.doubts:
            region = ("", "")
    return found


def glanced(letter: list[str]) -> attribution.Scanned:
    """Why each line is left out, as letters are divided."""
    return attribution.scan("\n".join(letter))


@settings(max_examples=2 * EXAMPLES, deadline=None)
@given(bodies)
def test_a_glance_comes_to_what_asking_comes_to(letter: list[str]) -> None:
    """Over marks of mailers in all tongues, in any order (RFC 3676 4.3, 4.5)."""
    letter = [line.rstrip("\r") for line in letter]
    if not any("BEGIN PGP" in line for line in letter) and letter:
        assert glanced(letter) == asked(letter)


@each("path", CORPUS)
def test_letters_are_divided_the_same_at_a_glance(path: Path) -> None:
    """The corpus of letters, whole and from each of its first lines on."""
    data = path.read_bytes()
    letter = [line.rstrip("\r") for line in make_letter(Raw(path.name, 1, 0, data, len(data))).body.split("\n")]
    letter = [line for line in letter if "BEGIN PGP" not in line][:60] or [""]
    for start in range(min(len(letter), 20)):
        assert glanced(letter[start:]) == asked(letter[start:])


@settings(max_examples=2 * EXAMPLES, deadline=None)
@given(lines, bodies, bodies)
def test_prose_is_nothing_else(line: str, above: list[str], below: list[str]) -> None:
    """No quote, footer, divider, header, attribution, signature or device's words, whatever stands around it."""
    if not quote_marks.prose(line):
        return
    letter, place = [*above, line, *below], len(above)
    assert not quote_marks.blank(line)
    assert not quote_marks.quoted(line)
    assert not quote_marks.footer(letter, place)
    assert not divider(line)
    assert not header_block(letter, place)
    assert not quote_headers.attribution(letter, place)
    assert not quote_marks.signature(line)
    assert not quote_marks.device(line)
    assert not quote_headers.says_inline(line)


@each("line", [
    "That was quick.", "I vote for Gus.", "Let us see; I will be away.", "See you at 12.", "Write to a@b.test!",
])
def test_what_people_write_is_prose(line: str) -> None:
    """Most lines are told at a glance."""
    assert quote_marks.prose(line)


@each("line", [
    "", " so", "Bex wrote:", "On 1 Dec 2026 Bex", "Sent from my iPhone", "sent FROM my phone", "From: Bex", "> so",
    "--", "EM> so", "You received this message because you are here.", "ſent from my phone",
])
def test_what_could_be_more_is_asked_about(line: str) -> None:
    """Figures without an end, colons, brackets, and the words of devices and lists, in any case."""
    assert not quote_marks.prose(line)
