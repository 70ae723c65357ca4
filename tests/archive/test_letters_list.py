"""The list of letters in parts: the last session's letters, and the way to those of each one before."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from nomicwolf.archive import verify, write
from nomicwolf.letters.letter import letter_anchor
from nomicwolf.reports.archive import Published, pages
from nomicwolf.reports.archive.published import Sent
from nomicwolf.reports.archive.sessions import sessions_of
from nomicwolf.reports.archive.threads import threads_of
from tests.archive.stories import Story, finished, going_on, play, published

ITEM = re.compile(r'href="session-(\d+)\.html#([a-z]+-\d+)"')


def text_of(found: Published, path: str) -> str:
    """The page at *path*."""
    return next(page for page in pages(found) if page.path == path).make().decode()


def three_sessions() -> Published:
    """A contest of three sessions, of which two were ended by hand."""
    story = Story()
    play(story)
    for hour in (800, 900):
        assert story.command("start", at=hour, roles="seer", seed="7", limit="agora=35").status == 0
        story.write("Ash", "Here I am.", at=hour + 1)
        assert story.command("end", at=hour + 2, why="enough").status == 0
    return published(story)


def test_the_list_leads_to_every_letter() -> None:
    """To those of the last session one by one, to those of others by their session, where each is listed."""
    found = three_sessions()
    letters = threads_of(found, sessions_of(found))
    listed = text_of(found, "letters/index.html")
    last = max(letters)
    assert ITEM.findall(listed) == [(str(last), item.anchor) for item in letters[last]]
    for number, items in letters.items():
        assert f'id="session-{number}"' in listed
        assert f'href="session-{number}.html"' in listed
        page = text_of(found, f"letters/session-{number}.html")
        assert all(f'id="{item.anchor}"' in page for item in items)
        assert (f"<summary>{len(items)} letters</summary>" in page) == (len(items) > 5)
        if len(items) > 5:
            assert re.findall(r'<li><time.*?<a href="#([a-z]+-\d+)"', page) == [item.anchor for item in items]
    assert "Earlier" in listed
    assert f"{len(letters[1])} letters" in listed


def test_letters_belong_to_the_session_that_they_say() -> None:
    """A letter links to its own page by its subject and its time: the page that was its session's when it was written.

    The roster was posted in the second in which the session started, and before it.
    """
    found = finished()
    for letter in found.sent:
        page = text_of(found, f"letters/session-{letter.session}.html")
        assert f'<span id="{letter_anchor(letter.subject, letter.at)}"></span>' in page
    assert {letter.session for letter in found.sent} == {0, 1}


def test_letters_of_one_subject_and_second_have_one_place() -> None:
    """The link of both leads to the first; ids stay unique."""
    found = finished()
    twice = replace(found, sent=(*found.sent, replace(found.sent[-1], number=len(found.sent) + 1)))
    page = text_of(twice, f"letters/session-{found.sent[-1].session}.html")
    assert page.count(f'id="{found.sent[-1].anchor}"') == 1


def test_letters_of_one_second_stand_as_they_were_numbered() -> None:
    """The tenth after the ninth; what came in before what was posted."""
    found = going_on()
    sent = tuple(Sent(n, f"Letter {n}", "", 5, ("agora",), (f"{n:064}",)) for n in range(1, 12))
    heard = tuple(replace(found.heard[0], number=n, stamped=5, subject="so", reply=0, thread=0) for n in range(1, 12))
    items = threads_of(replace(found, sent=sent, heard=heard), ())[0]
    assert [item.anchor for item in items] == [f"{kind}-{n}" for kind in ("heard", "letter") for n in range(1, 12)]


def test_an_earlier_session_is_left_alone_by_a_letter(tmp_path: Path) -> None:
    """Only what has the latest letters, or all, is written anew; all of it is verified."""
    story = Story()
    play(story)
    assert story.command("start", at=800, roles="seer", seed="7", limit="agora=35").status == 0
    write(published(story), tmp_path)
    story.write("Ash", "Hello.", at=801)
    assert write(published(story), tmp_path).changed == 7
    assert verify(tmp_path).verified


def test_what_ends_a_phase_is_of_it() -> None:
    """The vote that lynches stands under its day, though the night begins at the same second."""
    found = finished()
    last = [item for item in threads_of(found, sessions_of(found))[1] if item.author and item.phase == "day 1"][-1]
    assert [deed.said for deed in last.deeds] == ["votes Bex"]
    assert last.deeds[0].place == "session-1/day-1.html#vote-7"
