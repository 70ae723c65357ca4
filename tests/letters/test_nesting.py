"""How deep HTML nests, as its parser has it, told before any parsing."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from nomicwolf.letters.letter import Limits
from nomicwolf.letters.nesting import excess
from tests.tables import each

STYLES = '<w:LsdException Locked="false" Priority="0" Name="Normal"/>' * 500
OFFICE = f"<!--[if gte mso 9]><xml><w:LatentStyles>{STYLES}</w:LatentStyles></xml><![endif]-->"
DEEP = "<div>" * 401


def test_excess_is_told_before_parsing() -> None:
    """Deep nesting makes HTML parsers slow, so it is refused by a look at the tags."""
    assert "deep" in excess("<div>" * 401, Limits())
    assert "tags" in excess("<br>" * 20_001, Limits())
    assert excess("<p>" * 1000 + "<div></div>" * 1000, Limits()) == ""


def test_what_office_hides_in_comments_nests_nothing() -> None:
    """Word writes some four hundred styles into each letter, as tags that close themselves."""
    assert excess(f"<html><head>{OFFICE}<style><!-- p {{}} --></style></head><body>I vote for Gus.", Limits()) == ""


@each("before", [
    "<a title='<!--'>", '<a "><!--">', "<style><!--</style>", "<textarea><!--</textarea>", "<!-->", "<!--->",
    "<svg><![CDATA[ <!-- ]]></svg>", "<a href=<!-- x>", "</ <!-- >", "<!doctype <!-- >", "<title><!--</title>",
    "<a/b='<!--'>", "<plaintext><!--", '<a ="<!-- > ',
])
def test_no_comment_hides_what_a_parser_sees(before: str) -> None:
    """What looks like a comment's beginning may stand in a value, in a style sheet, or in another markup."""
    assert "deep" in excess(f"{before}{DEEP}-->", Limits())


PIECES = st.lists(st.sampled_from([
    "<a b='", '<a b="', "'>", '">', "<i b='<!--'>", "<!--", "-->", "--!>", "<!-->", "<!--->", "<style>", "</style>",
    "<title>", "</title>", "<svg>", "</svg>", "<math>", "<!x", "<?", "<![CDATA[", "]]>", "</", "x", '"', "'", "=", " ",
    "<textarea>", "</textarea>", "</b>", "<b>", ">", "<select>", "</select>", "<template>",
    "</template>", "<noscript>", "<frameset>", "<table>", "<td>", "<script>", "</script>", "<head>", "<body>",
]), max_size=12).map("".join)


@given(PIECES, PIECES)
def test_nothing_nests_deeper_than_is_told(before: str, between: str) -> None:
    """Whatever stands around it, an element that the parser sees deep within others is told to be too deep."""
    markup = f"{before}{'<div>' * 12}{between}{'<div>' * 12}"
    found = LexborHTMLParser(markup).css("div")
    limits = Limits(nesting=20)

    assert len(found) < 24 or "deep" in excess(markup, limits)
