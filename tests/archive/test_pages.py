"""The pages are well formed, complete, linked, and proof against what players write."""

from __future__ import annotations

import mailbox
import posixpath
import re
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from hashlib import sha256
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

from selectolax.lexbor import LexborHTMLParser, LexborNode

from nomicwolf.nomic.events import DeedHeard
from nomicwolf.nomic.state import Contest
from nomicwolf.reports.archive import pages, publish
from nomicwolf.reports.archive.sessions import standings
from nomicwolf.reports.awards import statistics_csv
from tests.archive.stories import FACT, HOSTILE, Story, finished, going_on, play, published
from tests.contest.world import World, setup
from tests.tables import each

VOID = {"meta", "link", "br", "img", "input", "hr"}
WRITTEN_ELSEWHERE = {"record.json", "letters.json"}


@cache
def made() -> dict[str, str]:
    """The pages of a contest with a session over and one that runs, by path."""
    return {page.path: page.make().decode() for page in pages(going_on())}


def html() -> list[str]:
    """The paths of the HTML pages."""
    return [path for path in made() if path.endswith(".html")]


class Balance(HTMLParser):
    """Reads a page and notes elements that are closed in another order than they were opened."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.wrong: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element that is opened."""
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element that closes itself, as SVG has them."""

    def handle_endtag(self, tag: str) -> None:
        """Note an element that is closed."""
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}> in line {self.getpos()[0]}")


@each("path", html())
def test_pages_are_well_formed(path: str) -> None:
    """Every element is closed in its turn, ids are unique, there is one h1, and headings skip no level."""
    balance = Balance()
    balance.feed(made()[path])
    tree = LexborHTMLParser(made()[path])
    ids = [node.attributes["id"] for node in tree.css("[id]")]
    levels = [int((node.tag or "")[1:]) for node in tree.css("h1,h2,h3,h4")]

    assert (balance.wrong, balance.open) == ([], [])
    assert len(ids) == len(set(ids))
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(later - sooner <= 1 for sooner, later in pairwise(levels))


def one(path: str, selector: str) -> LexborNode:
    """The first node of a page that a CSS selector finds."""
    found = LexborHTMLParser(made()[path]).css_first(selector)
    assert found is not None
    return found


def links(path: str) -> Iterator[tuple[str, str]]:
    """Each link of a page as the file and the anchor that it leads to."""
    for node in LexborHTMLParser(made()[path]).css("a[href],link[href]"):
        target, _, anchor = (node.attributes["href"] or "").partition("#")
        yield posixpath.normpath(posixpath.join(posixpath.dirname(path), target)) if target else path, anchor


@each("path", html())
def test_links_resolve(path: str) -> None:
    """Every link leads to a file of the archive, and to an anchor that is there."""
    for target, anchor in links(path):
        assert target in made() or target in WRITTEN_ELSEWHERE
        if anchor:
            assert f'id="{anchor}"' in made()[target]


def test_links_to_votes_stay() -> None:
    """What was linked to while the session ran is there when more has happened, and when all is revealed."""
    world = World().start()
    world.write("Ash", "I vote for Bex.", at=2)
    world.write("Cam", "I vote for Gus.", at=3)
    first = {page.path: page.make().decode() for page in pages(published(world))}["session-1/day-1.html"]

    assert 'id="vote-2"' in first
    assert re.search(r'id="vote-2".*?<bdi>Cam</bdi>', made()["session-1/day-1.html"], re.DOTALL)


@each("path", html())
def test_nothing_comes_from_elsewhere(path: str) -> None:
    """No page loads or runs anything but its own style and script, which its policy names by their hash."""
    tree = LexborHTMLParser(made()[path])
    policy = one(path, "meta[http-equiv]").attributes["content"] or ""
    inline = [node.text(deep=True, strip=False) for node in tree.css("style,script:not([type])")]
    hashes = re.findall(r"'sha256-([^']+)'", policy)

    assert policy.startswith("default-src 'none'")
    assert not tree.css("img,iframe,object,embed,form,[style],[src],[onload],[onclick],[onerror]")
    assert {b64encode(sha256(text.encode()).digest()).decode() for text in inline} <= set(hashes)
    assert "http://" not in made()[path].replace("http://www.w3.org/", "")


def test_what_players_write_is_text() -> None:
    """Scripts, styles and tags in votes and rulings are shown as they were written, and do nothing."""
    shown = HOSTILE.replace("ash@secret.example", "ash@…")

    assert not [path for path in made() if path != "letters.mbox" and "<script>alert" in made()[path]]
    assert shown in one("session-1/index.html", "#timeline ~ ol.events, ol.events").text()
    assert FACT in one("session-1/day-1.html", "#vote-3 blockquote").text()
    assert len(LexborHTMLParser(made()["session-1/day-1.html"]).css("script,style")) == 2


def test_hostile_names_do_no_harm() -> None:
    """Names of players and of the contest can't open tags, break headers, or disguise one another."""
    world = World(replace(setup(), name='"><script>x</script>\r\nBcc: a@b.example', contest="x'; rm -rf ~ #"))
    names = ("<b>Ash", 'B"ex', "C&am", "E'li")
    assert world.command("party-add", who="D\u202eov", address="dov@players.example").status == 0
    for place, name in enumerate(names):
        coded = "".join(f"={byte:02X}" for byte in name.encode())
        outcome = world.write("Ash", "I join.", sender=f"=?utf-8?q?{coded}?= <p{place}@players.example>")
        assert outcome.bucket == "deeds"
    given = published(world)
    made_here = {page.path: page.make() for page in pages(given)}

    for path, data in made_here.items():
        if path.endswith(".html"):
            balance = Balance()
            balance.feed(data.decode())
            assert (balance.wrong, balance.open) == ([], []), path
        assert b"<script>x" not in data or path in ("letters.mbox", "calendar.ics", "state.json")
    ET.fromstring(made_here["feed.atom"])
    headers = made_here["letters.mbox"].partition(b"\n\n")[0]
    assert b"\nBcc" not in headers
    assert b'From: "' in headers


def test_pictures_have_words_for_those_who_do_not_see() -> None:
    """Every picture is named by a caption that tells what it shows, and its ballots by titles (WCAG 1.1.1)."""
    picture = one("session-1/day-1.html", "svg.votes")
    caption = one("session-1/day-1.html", f"#{picture.attributes['aria-labelledby']}")

    assert "Bex up to 5" in caption.text()
    assert "Bex was lynched at Tue 1 Dec 2026 20:00 UTC, with 5 votes (majority: 4)" in caption.text()
    assert [node.text().partition(":")[0] for node in picture.css("a.cast title")] == [
        f"Vote {n}, Tue 1 Dec 2026 {hour}" for n, hour in enumerate(("02", "03", "04", "09", "09", "15", "20"), 1)]


def test_an_endorsement_is_an_arrow_and_a_lynching_a_line() -> None:
    """NC 3: chains, wagons and the instant of the majority are all to be seen."""
    picture = one("session-1/day-1.html", "svg.votes")

    assert len(picture.css(".chain")) == len(picture.css(".head")) == 3
    assert len(picture.css(".wagon")) == 2
    assert len(picture.css(".instant")) == len(picture.css(".ring")) == 1
    assert len(picture.css(".rolled.wagon")) == 1
    assert "ring" in (one("session-1/day-1.html", "svg.narrow .ring").attributes["class"] or "")
    assert "Bex lynched, 1 Dec 20:00" in picture.text()


def test_an_empty_contest_has_pages() -> None:
    """Before anything has happened the archive says so, and still links."""
    empty = {page.path: page.make().decode() for page in pages(publish(Contest(setup())))}

    assert "No session has begun yet" in empty["index.html"]
    assert "None yet" in empty["awards.html"]
    assert set(empty) == {
        "index.html", "letters/index.html", "players/index.html", "statistics.html", "awards.html", "verify.html",
        "search.html", "feed.atom", "calendar.ics", "letters.mbox", "statistics.csv", "state.json", "state.schema.json"}


def test_roles_and_night_deeds_are_told_after_the_end() -> None:
    """D-N23: who was what, and who did what at night, once it is over; nothing of the session that runs."""
    assert "Told to Dov: Cam is a werewolf." in LexborHTMLParser(made()["session-1/index.html"]).text()
    assert "werewolf" in one("session-1/index.html", "table").text()
    assert "Role dealt" not in made()["session-2/index.html"]
    assert "secret until the session is over" in made()["session-2/index.html"]


def test_the_feed_is_atom() -> None:
    """RFC 4287: ids stay, instants are given, entries lead to the letters."""
    space = {"a": "http://www.w3.org/2005/Atom"}
    root = ET.fromstring(made()["feed.atom"])
    entries = root.findall("a:entry", space)
    before = ET.fromstring({p.path: p.make() for p in pages(finished())}["feed.atom"]).findall("a:entry/a:id", space)

    assert len(entries) == min(50, len(going_on().sent))
    assert {e.text for e in before} <= {e.text for e in root.findall("a:entry/a:id", space)}
    assert all((e.findtext("a:updated", "", space)).endswith("Z") for e in entries)


def test_the_feed_names_its_address_where_it_is_known() -> None:
    """With archive.url, links are whole."""
    feed = {page.path: page.make().decode() for page in pages(published(World(), "https://wolf.example/a"))}["feed.atom"]

    assert '<link rel="self" href="https://wolf.example/a/feed.atom"/>' in feed


def test_the_mbox_opens(tmp_path: Path) -> None:
    """RFC 4155: every posted letter is in it, threaded, with no address that leads anywhere."""
    (tmp_path / "letters.mbox").write_text(made()["letters.mbox"])
    box = mailbox.mbox(tmp_path / "letters.mbox")
    letters = list(box)
    box.close()
    ids = {letter["Message-ID"] for letter in letters}

    assert len(letters) == len(going_on().sent) + len(going_on().heard)
    assert len(ids) == len(letters)
    assert all(letter["In-Reply-To"] in ids for letter in letters if letter["In-Reply-To"])
    assert any(letter["In-Reply-To"] for letter in letters)
    assert set(re.findall(r"@([\w.-]+)>", made()["letters.mbox"])) == {"archive.invalid"}


@each("path", html())
def test_sentences_have_spaces_between_them(path: str) -> None:
    """No sentence of ours runs into the next one."""
    paragraphs = [node.text() for node in LexborHTMLParser(made()[path]).css("p,figcaption")]

    assert [text for text in paragraphs if re.search(r"[a-z][.,:;](?=[A-Z])", text)] == []


def test_players_own_letters_are_shown() -> None:
    """What came through a forum is shown with its author and what it did, the newest last, its addresses hidden."""
    page = "letters/session-1.html"
    times = [node.attributes["datetime"] for node in LexborHTMLParser(made()[page]).css("article > .faint time")]
    answer = one(page, "#heard-11")

    assert times == sorted(times, key=str)
    assert "Gus votes Cam." in one(page, "#heard-11 .does").text()
    assert 'href="../session-1/day-1.html#vote-4"' in (answer.html or "")
    assert "Gus," in answer.text()
    assert "Ask me at gus@\u2026." in answer.text()
    assert "> I vote for Bex." in answer.text()
    assert 'href="session-1.html#heard-8"' in (answer.html or "")
    assert one(page, "#heard-8 .player").text().startswith("I vote for Bex. </pre><script>")
    assert 'href="../letters/session-1.html#heard-11"' in made()["session-1/day-1.html"]


def test_a_long_letter_is_cut() -> None:
    """Twenty thousand characters are enough for a page; what is left out is told."""
    world = Story()
    world.start()
    world.write("Ash", "I vote for Bex.\n" + "much to say " * 3000, at=2)
    letter = published(world).heard[-1]

    assert len(letter.body) < 20_100
    assert letter.body.endswith("characters in all]")


def test_standings_are_those_of_the_statistics() -> None:
    """Sides and players have fared in the archive as `nomicwolf statistics` tells it, in the page and as CSV."""
    world = play(Story())
    made = {page.path: page.make().decode() for page in pages(published(world))}
    rows = [[" ".join(cell.text().split()) for cell in row.css("th,td")] for path in ("index.html", "statistics.html")
            for row in LexborHTMLParser(made[path]).css("tr")]

    assert made["statistics.csv"] == statistics_csv(world.contest, public=True)
    assert ["Ash", "1", "1", "1", "26.5 ± 8.2", "8 X points (Agora), 1 silver Trophy (B)"] in rows
    assert ["Eli", "1", "0/1", "0", "0", "1", "0 % of 1", "23.5 ± 8.2"] in rows
    assert ["Werewolves", "nomic-crossing", "0 of 1", "0 %", "0 to 79 %"] in rows
    assert ["werewolf", "werewolves", "nomic-crossing", "1", "0 %", "0 %"] in rows


def test_standings_of_what_runs_tell_no_side() -> None:
    """A session that isn't over counts for nothing, and its sides are nowhere in the figures (NC 6)."""
    told = standings(published(Story().start()))

    assert (told.scores, told.found.sides, told.found.parts) == ((), (), ())


def test_a_page_tells_once_how_sure_the_authors_are_and_who_is_known_otherwise() -> None:
    """Each ballot has the level of most, or another beside its letter (commands.md, `assurance`)."""
    whole = finished()
    heard = next(e for e in whole.entries if isinstance(e.event, DeedHeard) and e.event.verb == "vote")
    assert isinstance(heard.event, DeedHeard)
    signed = replace(heard, event=replace(heard.event, sure="signed"))
    one_signed = replace(whole, entries=tuple(signed if e is heard else e for e in whole.entries))
    day = next(page.make().decode() for page in pages(one_signed) if page.path == "session-1/day-1.html")
    page = LexborHTMLParser(day)
    usual = "Its author is known by the forum, which took it from its address (forum), where nothing else is said."

    assert page.text().count(usual) == 1
    assert page.text().count("Message-ID") == 1
    assert ["known by" in ballot.text() for ballot in page.css("ol.ballots li")][:3] == [True, False, False]
    assert "a signature of the sender's domain (signed)" in page.css("ol.ballots li")[0].text()
