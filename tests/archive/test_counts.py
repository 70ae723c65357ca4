"""A day's picture and its final count are those of the instant of the lynching, whatever came after it."""

from __future__ import annotations

import re

from nomicwolf.archive.replay import redo
from nomicwolf.cli.app import order_of
from nomicwolf.nomic.events import LimitConfirmed
from nomicwolf.nomic.law_events import Objected
from nomicwolf.rehearsal import read_script, rehearse
from nomicwolf.reports.archive import Published, pages, publish
from nomicwolf.reports.archive.render import with_nomic_title
from nomicwolf.reports.history import event_line
from nomicwolf.reports.json_reports import votes_json
from nomicwolf.reports.terminal import votes_text
from nomicwolf.village.events import Counted, Lynched, Voted
from tests.archive.stories import Story, posted, published
from tests.contest.world import SEVEN

TRIED = """
title: convicted
ruleset: gadianton
given:
  roles: {Ash: gadianton, Bex: nephite, Cam: prophet, Dov: nephite, Eli: nephite, Fay: nephite, Gus: nephite}
  contestmaster: Murphy
  phase: day 1
  at: 2026-12-01T00:00Z
  limit: {agora: 50}
when:
  - {at: 2026-12-01T01:00Z, from: Ash, to: agora, says: "I accuse Bex."}
  - {at: 2026-12-01T02:00Z, from: Cam, to: agora, says: "I second that."}
  - {at: 2026-12-02T03:00Z, from: Bex, to: agora, says: "innocent"}
  - {at: 2026-12-02T04:00Z, from: Cam, to: agora, says: "guilty"}
  - {at: 2026-12-02T05:00Z, from: Dov, to: agora, says: "guilty"}
  - {at: 2026-12-02T06:00Z, from: Eli, to: agora, says: "guilty"}
  - {at: 2026-12-02T07:00Z, from: Fay, to: agora, says: "guilty"}
"""

GRIEF = """
title: the Hunter's Lover had voted
ruleset: nomic-crossing
switches: {hunter_pause: open}
given:
  roles: {Ash: villager, Bex: cupid, Cam: villager, Dov: werewolf, Eli: villager, Fay: villager, Gus: hunter}
  at: 2026-12-01T00:00Z
when:
  - {at: 2026-12-01T00:00Z, from: Bex, to: contestmaster, says: match Gus and Ash}
  - {at: 2026-12-01T01:00Z, from: Ash, to: agora, says: I vote for Fay.}
  - {at: 2026-12-01T02:00Z, from: Bex, to: agora, says: I vote for Gus.}
  - {at: 2026-12-01T03:00Z, from: Cam, to: agora, says: I vote for Gus.}
  - {at: 2026-12-01T04:00Z, from: Dov, to: agora, says: I vote for Gus.}
  - {at: 2026-12-01T05:00Z, from: Eli, to: agora, says: I vote for Gus.}
"""


def _lynched_late(*, shoots: bool = True) -> tuple[Story, str, str]:
    """A Hunter is lynched by a vote that was heard after a later one, and takes another along: who, and whom."""
    story = Story()
    story.start(roles="hunter", seed="7")
    game = story.game
    hunter = game.holders("hunter")[0]
    others = [who for who in game.seats if who != hunter]
    for hour, who in enumerate(others[:3], 1):
        story.write(who, f"I vote for {hunter}.", at=hour)
    story.write(others[4], f"I vote for {others[0]}.", at=5)
    story.write(others[3], f"I vote for {hunter}.", at=4, arrives=6)
    if shoots:
        story.write(hunter, f"shoot {others[0]}", to="contestmaster", at=7)
    return story, hunter, others[0]


def _day(story: Story) -> str:
    """The text of day 1's page."""
    return _page(published(story), "session-1/day-1.html")


def _page(given: Published, path: str) -> str:
    """The text of a page, without its tags."""
    page = next(page for page in pages(given) if page.path == path)
    return " ".join(re.sub(r"<[^>]*>", " ", page.make().decode()).split())


def test_a_late_ballot_that_lynches_is_in_the_picture() -> None:
    """D-N9: the ballot that was heard late is counted in the picture, which tells as many votes as the letter did."""
    story, hunter, _ = _lynched_late()

    assert any(f"{hunter} is lynched" in m.body and "with 4 of 7 votes" in m.body for m in story.sent)
    assert "with 4 votes (majority: 4)" in _day(story)


def test_the_final_count_has_who_died_of_it() -> None:
    """NC 3, NC 7c: who was shot by the lynched Hunter had a vote, and was counted for the majority, until then."""
    story, hunter, shot = _lynched_late()
    count = _day(story).partition("Final count")[2].partition("Every ballot")[0].replace(" ;", ";")

    assert f"{hunter} 4" in count.split(";")[0]
    assert "; 4 are a majority." in count
    assert f"{shot} {hunter} {hunter}" in count


def test_the_picture_ends_with_the_vote() -> None:
    """Who dies after the lynching takes no vote from it: the wagon stands as it was when the vote was over."""
    story, hunter, shot = _lynched_late()
    picture = _day(story).partition("Final count")[0]

    assert f"{shot} died" not in picture
    assert f"{hunter} is lynched." in picture


def test_the_votes_of_a_day_that_waits_for_a_hunter_are_those_that_lynched() -> None:
    """NC 3, NC 7c: the count doesn't fall apart because whom it lynched is dead; it says that it is over."""
    story, hunter, _ = _lynched_late(shoots=False)
    said = votes_text(story.contest)

    assert said.startswith(f"The vote of day 1 is over: {hunter} was lynched at Tue 1 Dec 2026 04:00 UTC.")
    assert f"4/4  [####]  {hunter}" in said
    assert "null" not in said
    told = votes_json(story.contest)
    assert (told["lynched"], told["majority"]) == (hunter, 4)


def test_the_players_of_a_session_are_told_with_their_fates() -> None:
    """How and when each of the dead died, as the letters told it; whoever lives has no more to be told."""
    story, hunter, shot = _lynched_late()
    page = next(page for page in pages(published(story)) if page.path == "session-1/index.html").make().decode()
    fates = dict(re.findall(r"<bdi>(\w+)</bdi></a></th><td>([^<]*)</td>", page))

    assert fates[hunter] == "lynched on day 1"
    assert fates[shot] == "killed on day 1"
    assert sorted(fates.values())[:5] == ["alive"] * 5


def test_the_final_count_has_the_verdict_of_who_was_convicted() -> None:
    """GA 5e: e had a vote, and was counted for the majority, as the picture and the announcement tell."""
    played = rehearse(read_script(TRIED), order_of)
    day = _page(publish(played.contest, posted(played.letters)), "session-1/day-1.html")
    count = day.partition("Final count")[2].partition("Every ballot")[0]

    assert "with 4 votes of guilty (majority: 4)" in day
    assert count.startswith(" guilty 4, innocent 1; 4 are a majority.")
    assert "Bex innocent innocent" in count


def test_a_page_says_up_to_when_it_tells() -> None:
    """The end of a session is told with what was announced after it, and nomics by their titles."""
    story = Story()
    story.start(roles="", seed="7")
    game = story.game
    wolf = game.holders("werewolf")[0]
    for hour, who in enumerate([who for who in game.seats if who != wolf][:4], 1):
        story.write(who, f"I vote for {wolf}.", at=hour, arrives=6 if hour == 4 else hour)
    text = _page(published(story), "session-1/index.html")

    assert "over Tue 1 Dec 2026 04:00 UTC" in text
    assert "Tue 1 Dec 2026 06:00 UTC Roles and seed are told" in text
    assert "Made from public facts up to Tue 1 Dec 2026 06:00 UTC." in text
    assert "The session is over: the villagers win; winners: " in text


def test_nomics_have_their_titles() -> None:
    """Readers know a nomic by its title, not by its name in the settings."""
    about = publish(Story().start().contest).about

    assert event_line(with_nomic_title(LimitConfirmed("agora", 50, "so"), about)) == "P of Agora is 50: so"
    assert with_nomic_title(Lynched("Ash"), about) == Lynched("Ash")


def test_counts_are_redone_and_drawn_where_the_record_of_a_session_looks_back() -> None:
    """An intent of before it is objected to in it: what is told of such an intent stands before the session's start."""
    story = Story()
    for who in SEVEN:
        story.write(who, "I join.")
    assert story.command("intend", what="remove", who="Fay", why="gone").status == 0
    assert story.command("start", seed="7", limit="agora=35").status == 0
    story.write("Bex", "I object to intent 1.", at=1)
    assert story.events(Objected)
    story.write("Bex", "I vote for Cam.", at=2)
    told = published(story)
    redone = redo(told)

    assert (redone.differs, redone.checked["counts"]) == ([], 1)
    assert "Bex" in _page(told, "session-1/day-1.html")


def test_a_count_that_a_late_vote_changed_is_redone_by_what_was_known_when_it_was_heard() -> None:
    """It is dated back to that vote, before the time that a condition names."""
    story = Story().start()
    story.write("Cam", "I vote for Eli if it is after 2026-12-01T02:00Z, otherwise nobody.", at=1)
    story.write("Fay", "I vote for Ash.", at=5)
    story.write("Gus", "I vote for Ash.", at=1.5, arrives=6)
    redone = redo(published(story))

    assert story.events(Voted)[-1].at < story.events(Counted)[1].at
    assert (redone.differs, redone.checked["counts"]) == ([], 3)


def test_a_count_without_a_lover_who_is_named_as_dead_behind_it_is_no_fault() -> None:
    """Where the vote goes on while a lynched Hunter chooses, what e leaves is counted at once."""
    played = rehearse(read_script(GRIEF), order_of)
    redone = redo(publish(played.contest, posted(played.letters)))

    assert played.contest.running is not None
    assert played.contest.running.shown_dead == ("Gus", "Ash")
    assert (redone.differs, redone.checked["counts"]) == ([], 6)
