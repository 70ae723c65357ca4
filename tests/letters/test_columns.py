"""Lines of at most 72 columns: nothing lost, no word broken, wide characters counted twice."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from nomicwolf.letters.compose import _words, columns, wrap72
from tests.tables import each


@each(
    ("text", "width"), [("abc", 3), ("天火狐", 6), ("e\u0301", 1), ("\u200b", 0), ("Ａ", 2), ("", 0)]
)
def test_columns(text: str, width: int) -> None:
    """East Asian wide and full-width characters take two, combining ones none (UAX 11)."""
    assert columns(text) == width


@each(
    ("text", "wrapped"),
    [
        ("aaa bbb ccc", "aaa bbb\nccc"),
        ("> aaa bbb ccc", "> aaa\n> bbb\n> ccc"),
        ("* aaa bbb ccc", "* aaa\n  bbb\n  ccc"),
        ("  aaa bbb ccc", "  aaa\n  bbb\n  ccc"),
        ("aaaaaaaaaaaa b", "aaaaaaaaaaaa\nb"),
        ("天火狐天火狐", "天火狐\n天火狐"),
        ("short\n\nalso", "short\n\nalso"),
        ("a  b", "a  b"),
    ],
)
def test_wrapping_at_seven(text: str, wrapped: str) -> None:
    """Indents, quote marks and list items are kept; lines that fit are left as they are."""
    assert wrap72(text, 7) == wrapped


@given(st.text(alphabet="ab \t-", max_size=40))
def test_ascii_is_cut_as_any_other_text(text: str) -> None:
    """A wide character behind it cuts nothing else in another way."""
    assert _words(text + "天") == [*_words(text), "天"]


@given(st.text(alphabet="ab 天\n>*.", max_size=300))
def test_nothing_is_lost_and_nothing_is_too_wide(text: str) -> None:
    """The same characters in the same order but for spaces, and no line above the width that could be broken."""
    wrapped = wrap72(text, 20)

    assert "".join(wrapped.split()).replace(">", "") == "".join(text.split()).replace(">", "")
    for line in wrapped.split("\n"):
        assert columns(line) <= 20 or " " not in line.strip(" >*") or line in text.split("\n")
