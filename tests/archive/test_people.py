"""A page for each player, at an address that stays, and links to it from eir name wherever it stands."""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser

from nomicwolf.nomic.events import PartyJoined
from nomicwolf.nomic.law_events import PersonRenamed, StatisticsChosen
from nomicwolf.reports.archive import Published, pages
from nomicwolf.reports.archive.sessions import known_people
from nomicwolf.village.events import Entry, Event
from tests.archive.stories import Story, finished, going_on, play, published
from tests.archive.test_front import files, words


def entries(*events: Event) -> list[Entry]:
    """A record of these events."""
    return [Entry(number, number, event) for number, event in enumerate(events, 1)]


def test_addresses_are_plain_and_stay() -> None:
    """Whoever takes another name keeps eir page; names that would have one address get two."""
    known = known_people(entries(
        PartyJoined("Ash", "b"), PartyJoined("G.", "b"), PartyJoined("g", "b"), PartyJoined("天火狐", "b"),
        PartyJoined("Index", "b"), PersonRenamed("Ash", "Ashley"), PersonRenamed("Ashley", "A."),
        PartyJoined("ash", "b")))

    assert known["A."] == known["Ash"] == known["Ashley"]
    assert (known["A."].name, known["A."].page, known["A."].former) == ("A.", "ash", ("Ash", "Ashley"))
    assert known["G."].page == "g"
    assert known["g"].page.startswith("g-")
    assert known["Index"].page.startswith("index-")
    assert known["ash"].page.startswith("ash-")
    pages_ = [person.page for person in dict.fromkeys(known.values())]
    assert len(pages_) == len(set(pages_)) == 6
    assert all(page.isascii() and page.replace("-", "").isalnum() for page in pages_)


def test_a_page_tells_what_a_player_has_done() -> None:
    """Seats with roles once they are told, ballots that lead to theirs, endorsements, awards, and the record."""
    found = files(going_on())
    page = found["players/gus.html"]
    text = words(page, "main")

    assert "A party to the contract in Agora." in text
    assert "1, of which 1 won and 1 survived" in text
    assert "100 % against another side (2 of 2)" in text
    assert "26.5 ± 8.2" in text
    assert "Witch, of the villagers; alive; won." in text
    assert [node.attributes["href"] for node in LexborHTMLParser(page).css("details .letters a")] == [
        "../session-1/day-1.html#vote-4", "../session-1/day-2.html#vote-9"]
    assert "Endorsed nobody Endorsed by Fay , Ash" in text
    assert 'href="../awards.html#session-1"' in page
    assert "Alive in session 2" in text


def test_a_running_session_shows_no_role() -> None:
    """The page tells the seat and the ballots, and nothing of who is what."""
    section = LexborHTMLParser(files(going_on())["players/ash.html"]).css("section")[-1].text()

    assert "Session 2: in progress" in section
    assert " ".join(section.split()).startswith("Session 2: in progress: day 1 Alive. 1 ballot")


def test_no_statistics_are_said_once_to_be_none() -> None:
    """Before a session has ended there is one sentence, and no link to an empty table."""
    found = files(published(Story().start()))

    assert words(found["statistics.html"], "main") == "Statistics No session has ended yet."


def test_names_are_links_to_pages() -> None:
    """On every page, each name that a table, a ballot, a letter or an event tells; not on one's own page."""
    found = files(going_on())

    for path, root in (("index.html", ""), ("session-1/index.html", "../"), ("session-1/day-1.html", "../"),
                       ("letters/session-1.html", "../"), ("statistics.html", ""), ("awards.html", "")):
        assert f'<a class="who" href="{root}players/ash.html"><bdi>Ash</bdi></a>' in found[path], path
    assert 'players/ash.html"><bdi>Ash' not in found["players/ash.html"]
    events = LexborHTMLParser(found["session-1/index.html"]).css(".events a.who")
    assert {node.text() for node in events} >= {"Bex", "Cam", "Eli"}


def test_players_follow_each_other() -> None:
    """Previous and next go through all, by name."""
    found, path, seen = files(going_on()), "players/ash.html", list[str]()
    while path:
        seen.append(path)
        following = LexborHTMLParser(found[path]).css_first("a[rel=next]")
        path = f"players/{following.attributes['href']}" if following else ""

    assert seen == sorted(p for p in found if p.startswith("players/") and p != "players/index.html")


def test_sessions_days_and_letters_follow_each_other() -> None:
    """The next one of each leads on, and its previous one leads back."""
    found = files(going_on())

    for first, second in (("session-1/index.html", "session-2/index.html"),
                          ("session-1/day-1.html", "session-1/day-2.html"),
                          ("letters/session-0.html", "letters/session-1.html"),
                          ("letters/session-1.html", "letters/session-2.html")):
        there = LexborHTMLParser(found[first]).css_first("a[rel=next]")
        back = LexborHTMLParser(found[second]).css_first("a[rel=prev]")
        assert there is not None
        assert back is not None
        assert second.endswith((there.attributes["href"] or "").removeprefix("../"))
        assert first.endswith((back.attributes["href"] or "").removeprefix("../"))


def test_who_does_not_want_to_be_listed_is_not() -> None:
    """E has no row, no rating and no record there, under no name; the sides count em, and the session tells of em."""
    world = play(Story())
    assert world.command("party-statistics", at=60, who="Gus", listed="no").status == 0
    found = files(published(world))

    assert "Gus" not in found["statistics.html"]
    assert "Gus" not in found["statistics.csv"]
    assert "1 who has chosen not to be listed counts in what follows alone" in words(found["statistics.html"], "main")
    assert 'id="record"' not in found["players/gus.html"]
    assert "Gus" in found["session-1/index.html"]
    assert world.command("party-statistics", at=61, who="Gus", listed="no").status == 1
    assert world.command("party-statistics", at=62, who="Gus", listed="yes").status == 0
    assert "Gus" in files(published(world))["statistics.csv"]


def test_the_choice_goes_with_another_name() -> None:
    """Whoever is renamed afterwards stays unlisted."""
    given = finished()
    last = given.entries[-1].number
    more = (StatisticsChosen("Gus", listed=False), PersonRenamed("Gus", "Gustav"))
    told = Published(given.about, (*given.entries, *(Entry(last + n, given.at, e) for n, e in enumerate(more, 1))),
                     given.heard, given.sent)
    found = {page.path: page.make().decode() for page in pages(told)}

    assert "Gus" not in found["statistics.csv"]
    assert "Formerly Gus ." in words(found["players/gus.html"], ".lead")
