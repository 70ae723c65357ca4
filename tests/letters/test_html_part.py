"""The HTML part of a private letter says what its text says, and fetches nothing."""

from __future__ import annotations

import re
from email import message_from_bytes
from email.policy import default

from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from nomicwolf.letters.compose import Envelope, compose
from nomicwolf.letters.html_part import html_of
from nomicwolf.letters.letter import Outgoing
from tests.reports.gallery import chapters

COUNT = """\
Due by Tue 8 Dec 2026 04:00 UTC, in 6 days: see.

The votes as they are, of which a majority lynches at once whoever has
got it:
  Ash  Bex [1]
  Cam  nobody

Open to you in a forum:
- vote NAME, endorse NAME, or a conditional vote that is so long that it
  takes two lines
- unvote

> I vote for <b>Gus</b> & Hal.

--
This letter is for Cam alone.
"""


def words(text: str) -> list[str]:
    """Return the words of a letter without the marks of its form."""
    return re.sub(r"(?m)^(> ?|- |--$)", "", text).split()


def shown(page: str) -> list[str]:
    """Return the words that a browser shows."""
    body = LexborHTMLParser(page.replace("<br>", "\n")).body
    return body.text(separator="").split() if body is not None else []


def test_a_letter_has_its_forms() -> None:
    """The count is a table, what is open a list, a quotation is marked, and a wrapped line is one again."""
    page = LexborHTMLParser(html_of(COUNT))

    assert [[cell.text().strip() for cell in row.css("td")] for row in page.css("tr")] == [
        ["Ash", "Bex [1]"], ["Cam", "nobody"]]
    assert [item.text() for item in page.css("li")] == [
        "vote NAME, endorse NAME, or a conditional vote that is so long that it takes two lines", "unvote"]
    assert [quote.text() for quote in page.css("blockquote")] == ["I vote for <b>Gus</b> & Hal."]
    assert page.css("b") == []
    assert "whoever has got it:" in page.css("p")[1].text()
    assert [foot.text().strip() for foot in page.css("footer")] == ["This letter is for Cam alone."]


def test_all_letters_say_in_it_what_they_say_in_text() -> None:
    """Of every kind of letter: the same words, no address that a program would fetch, nothing that runs."""
    for _, letters in chapters():
        for letter in letters:
            page = html_of(letter.body)
            assert shown(page) == words(letter.body)
            assert not re.search(r"<(?:img|link|script|iframe|a)\b|url\(|@import|\bon\w+=", page)


@given(st.text("ab <>&\"'\n->", max_size=200))
def test_no_text_becomes_markup(text: str) -> None:
    """What a player wrote is shown as written."""
    page = LexborHTMLParser(html_of(text))
    known = {"html", "head", "meta", "style", "body", "p", "blockquote", "ul", "li", "br", "table", "tbody", "tr", "td",
             "pre", "footer"}
    assert {node.tag for node in page.css("*")} <= known


def test_it_stands_beside_the_text() -> None:
    """A reader of plain text has the letter as it was."""
    envelope = Envelope("Wolf", "wolf@w.example", "two", b"k" * 32, {"agora": "list@agora.example"})
    letter = Outgoing("e1", "private", "Wolf", COUNT, 0, to="ash@p.example", html=True)
    message = message_from_bytes(compose(letter, envelope), policy=default)
    plain, page = message.iter_parts()

    assert message.get_content_type() == "multipart/alternative"
    assert plain.get_content().splitlines() == COUNT.splitlines()
    assert page.get_content().splitlines() == html_of(COUNT).splitlines()
