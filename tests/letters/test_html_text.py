"""HTML to the text that readers see, and how deep it may nest."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from nomicwolf.letters.attribution import own_text
from nomicwolf.letters.html_text import exceeded_limit, hides, visible
from nomicwolf.letters.letter import Limits
from tests.tables import each


@each(
    ("markup", "text"),
    [
        ("a<br>b", "a\nb"),
        ("<p>a</p><p>b</p>", "a\n\nb"),
        ("<div>a</div><div>b</div>", "a\nb"),
        ("I <b>vote</b> for <i>G</i>us", "I vote for Gus"),
        ("I\n  vote\tfor&nbsp;Gus", "I vote for Gus"),
        ("a<blockquote>b<br>c</blockquote>d", "a\n> b\n> c\n\nd"),
        ("<blockquote>a<blockquote>b</blockquote></blockquote>", "> a\n>> b"),
        ("<pre>a\n  b</pre>", "a\n  b"),
        ("<div style='white-space: pre-wrap'>a\n&gt; b</div>c\nd", "a\n> b\nc d"),
        ("<pre>a\nb<i style='white-space:normal'>c\nd</i>\ne</pre>", "a\nbc d\ne"),
        ("Bex: <q>a</q> b", "Bex: “a” b"),
        ("<div class='x_gmail_quote'>a</div>", "> a"),
        ("<div style='border-left: 1px solid'>a</div>", "> a"),
        ("<div style='border-left-width:1px;border-left-style:solid'>a</div>", "> a"),
        ("<div style='border-style: solid; border-width: 0 0 0 2px'>a</div>", "> a"),
        ("<div style='border-style: solid; border-width: 2px 0 0 0'>a</div>", "a"),
        ("<div style='border-style: solid; border-width: 2px'>a</div>", "a"),
        ("<div style='border-left: none'>a</div>", "a"),
        ("<ul><li>a<li>b</ul>", "a\nb"),
        ("<title>x</title><script>y</script><style>z</style>a", "a"),
        ("a<!-- b -->c", "ac"),
        ("&lt;p&gt;", "<p>"),
        ("", ""),
        ("<frameset><frame src=x></frameset>", ""),
    ],
)
def test_text_comes_in_lines(markup: str, text: str) -> None:
    """Block elements make lines, quotes get their marks, scripts and comments are not text."""
    assert visible(markup).text == text


@each(
    "style",
    ["display:none", "display:none!important", "visibility:hidden", "font-size:0", "font-size:1px", "opacity:0",
     "color:#fff", "color:white", "color:transparent", "color:#f0f0f0", "color:rgb(250, 250, 250)",
     "color:rgba(0,0,0,0)", "color: #FFFFFF", "color:#fff;background:#fafafa", "max-height:0px", "mso-hide:all",
     "color:hsl(0, 0%, 100%)", "color:hsl(0 0% 96%)", "color:rgb(255 255 255)", "color:rgb(100%,99%,98%)",
     "color:#ffffff00", "color:#0000", "color:rgb(0 0 0 / 0%)", "color:oklch(1 0 0)", "color:var(--x)",
     "background:#123456;color:#123456", "background:url(x) #222;color:#111", "-webkit-text-fill-color:transparent",
     "font:0/0 a", "font: italic 400 1px serif", "clip:rect(0,0,0,0)", "clip-path:inset(100%)", "transform:scale(0)",
     "filter:opacity(0)", "margin-left:-9999px", "position:absolute;left:9999px", "DISPLAY : None ! important",
     "text-indent:-9999px", "position:absolute;left:-9999px", "text-decoration:line-through"],
)  # fmt: skip
def test_hidden_text_is_set_aside(style: str) -> None:
    """Whatever makes text unseen keeps it from counting; it is remembered."""
    seen = visible(f"<p>a</p><p style='{style}'>I vote for Hal.</p>")

    assert hides(style)
    assert seen.text == "a"
    assert seen.asides == [("html-only-copy", "I vote for Hal.")]


@each(
    "style", ["color:#000", "font-size:12px", "color:#fff;background:#000", "display:block", "", ";:", "color:#ff0000",
              "color:rgb(1,2,3)", "color:#zzz", "font:12px/0 serif",
              "font:bold 10pt x", "clip:auto", "transform:none", "color:hsl(200, 50%, 40%)", "margin-left:-4px",
              "background:#fff;color:#222", "color:#000000cc",
              "color:rgb(", "color:#ffg"]
)
def test_plain_styles_hide_nothing(style: str) -> None:
    """Text that can be seen counts."""
    assert visible(f"<p style='{style}'>a</p>").text == "a"


@pytest.mark.parametrize("markup", [
    "<body bgcolor=black text=white><p style='color:#eee;background:#000'>a</p><p style='color:black'>b</p>",
    "<div style='color:navy'>a<p style='background:#000082'>b</p></div>",
    "<table bgcolor='#eeddcc'><tr><td>a<tr><td><font color='#eeddcc'>b</font></table>",
])
def test_text_in_the_colour_of_what_is_behind_it(markup: str) -> None:
    """Colours are those of the elements around, too, wherever they were set."""
    seen = visible(markup)

    assert seen.text.strip() == "a"
    assert seen.asides == [("html-only-copy", "b")]


def test_below_outlooks_copied_header_nothing_is_surely_the_authors() -> None:
    """Also where the header is cut short, and the letter below it stands in no container."""
    seen = visible("<div><p>No.</p><div id=x_divRplyFwdMsg>From: Bex<br>Sent: now</div></div><p>I vote for Gus.</p>")

    assert own_text(seen.text).strip() == "No."


def test_a_style_sheet_can_hide_too() -> None:
    """Rules by class and element; a selector that can't be read is passed over."""
    seen = visible("<style>[[{display:none} @media x{.h{display:none}}</style><p class=h>a</p><p>b</p>")

    assert seen.text == "b"


TAGS = st.sampled_from(
    ["<p>", "</p>", "<div>", "</div>", "<b>", "<table>", "<td>", "<blockquote>", "a", " ", "<", ">", "<!--", "-->",
     "<pre>", "&", "<br>", "<svg>", "</svg>", "<html>", "<body>"],
)  # fmt: skip


@given(st.lists(TAGS))
def test_any_tags_make_text(pieces: list[str]) -> None:
    """Tag soup in any order gives lines without line ends within, and no exception."""
    seen = visible("".join(pieces))

    assert "\r" not in seen.text
    assert not seen.asides


STYLES = '<w:LsdException Locked="false" Priority="0" Name="Normal"/>' * 500
OFFICE = f"<!--[if gte mso 9]><xml><w:LatentStyles>{STYLES}</w:LatentStyles></xml><![endif]-->"
DEEP = "<div>" * 401


def test_excess_is_told_before_parsing() -> None:
    """Deep nesting makes HTML parsers slow, so it is refused by a look at the tags."""
    assert "deep" in exceeded_limit("<div>" * 401, Limits())
    assert "tags" in exceeded_limit("<br>" * 20_001, Limits())
    assert exceeded_limit("<p>" * 1000 + "<div></div>" * 1000, Limits()) == ""


def test_what_office_hides_in_comments_nests_nothing() -> None:
    """Word writes some four hundred styles into each letter, as tags that close themselves."""
    html = f"<html><head>{OFFICE}<style><!-- p {{}} --></style></head><body>I vote for Gus."
    assert exceeded_limit(html, Limits()) == ""


@each("before", [
    "<a title='<!--'>", '<a "><!--">', "<style><!--</style>", "<textarea><!--</textarea>", "<!-->", "<!--->",
    "<svg><![CDATA[ <!-- ]]></svg>", "<a href=<!-- x>", "</ <!-- >", "<!doctype <!-- >", "<title><!--</title>",
    "<a/b='<!--'>", "<plaintext><!--", '<a ="<!-- > ',
])
def test_no_comment_hides_what_a_parser_sees(before: str) -> None:
    """What looks like a comment's beginning may stand in a value, in a style sheet, or in another markup."""
    assert "deep" in exceeded_limit(f"{before}{DEEP}-->", Limits())


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

    assert len(found) < 24 or "deep" in exceeded_limit(markup, limits)
