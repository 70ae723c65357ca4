"""The first page of a running game: what a forum's vote-count page is."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from jsonschema import Draft202012Validator
from selectolax.lexbor import LexborHTMLParser

from nomicwolf.cli.app import order_of
from nomicwolf.nomic.state import Contest
from nomicwolf.rehearsal import read_script, rehearse
from nomicwolf.reports.archive import Published, pages, publish
from tests.archive.stories import Story, finished, going_on, posted, published
from tests.contest.world import SEVEN, World, setup
from tests.docs.pages import ROOT

STORY = """
title: {rules}
ruleset: {rules}
given: {{{given}}}
when:
{when}
"""
GADIANTON = STORY.format(rules="gadianton", given=(
    "roles: {Ash: gadianton, Bex: nephite, Cam: nephite, Dov: nephite, Eli: nephite}, contestmaster: Murphy, "
    "phase: day 1, at: 2026-12-01T00:00Z"), when="""
  - {at: 2026-12-01T09:00Z, from: Dov, to: agora, says: "I accuse Ash."}
  - {at: 2026-12-01T09:10Z, from: Bex, to: agora, says: "I second the accusation of Ash."}
  - {at: 2026-12-02T09:10Z}
  - {at: 2026-12-02T10:00Z, from: Cam, to: agora, says: "I vote guilty."}
  - {at: 2026-12-02T11:00Z}
""")
TWICE = GADIANTON + """\
  - {at: 2026-12-04T10:00Z, from: Dov, to: agora, says: "I accuse Cam."}
  - {at: 2026-12-04T10:10Z, from: Bex, to: agora, says: "I second the accusation of Cam."}
  - {at: 2026-12-05T10:30Z}
  - {at: 2026-12-05T11:00Z, from: Dov, to: agora, says: "I vote guilty."}
  - {at: 2026-12-05T12:00Z}
"""
SIX = STORY.format(rules="six-phases", given=(
    "roles: {Ash: mafioso, Bex: townie, Cam: townie, Dov: townie, Eli: townie, Fay: townie}, contestmaster: Murphy, "
    "phase: day 1, at: 2026-12-01T00:00Z"), when="""
  - {at: 2026-12-05T09:00Z, from: Dov, to: contestmaster, says: "nominate Ash"}
  - {at: 2026-12-05T10:00Z}
""")


def rehearsed(text: str) -> Published:
    """What is published of a rehearsal as far as it goes."""
    played = rehearse(read_script(text, ROOT), order_of)
    assert not played.refused
    return publish(played.contest, posted(played.letters))


def files(given: Published) -> dict[str, str]:
    """Every page."""
    return {page.path: page.make().decode() for page in pages(given)}


def words(page: str, selector: str) -> str:
    """The text of the first node that is found, with single spaces."""
    node = LexborHTMLParser(page).css_first(selector)
    assert node is not None, selector
    return " ".join(node.text(separator=" ").split())


def test_the_count_stands_first() -> None:
    """Wagons with their voters and ballots, who has not voted, and how many votes lynch; before all else."""
    world = Story().start()
    votes = {"Ash": "I vote for Bex.", "Cam": "I endorse Ash.", "Dov": "I vote for Bex.",
             "Eli": "I vote for Gus if Fay is voting for Gus, otherwise nobody."}
    for hour, (who, vote) in enumerate(votes.items(), 2):
        world.write(who, vote, at=hour)
    page = files(published(world))["index.html"]
    wagons = [" ".join(node.text().split()) for node in LexborHTMLParser(page).css(".wagons > li")]

    assert re.fullmatch(r"Bex 3/4 one more vote decides 3/4 Ash 1 Dec 02:00 , Cam \(endorsing Ash\) , Dov 1 Dec 04:00",
                        wagons[0].replace(",", " ,").replace("  ", " "))
    assert wagons[1].startswith("nobody 1 Eli (Gus if Fay is voting for Gus, otherwise nobody)")
    assert words(page, "#count ~ dl") == "Not voting Bex , Fay , Gus How it is decided 4 votes lynch"
    assert 'href="session-1/day-1.html#vote-2"' in page
    assert page.index('id="count"') < page.index('id="due"') < page.index('id="town"') < page.index('id="newest"')
    assert [node.text() for node in LexborHTMLParser(page).css("#newest ~ ol.letters li")][-4:] == [
        "1 Dec 02:00 Ash votes Bex", "1 Dec 03:00 Cam endorses Ash", "1 Dec 04:00 Dov votes Bex",
        "1 Dec 05:00 Eli votes Gus if Fay is voting for Gus, otherwise nobody"]


def test_by_night_the_last_count_stands() -> None:
    """With what is due by when, and when there is news; nothing tells for whom the night waits."""
    world = Story().start()
    for who in ("Ash", "Cam", "Dov", "Gus"):
        world.write(who, "I vote for Bex.", at=2)
    page = files(published(world))["index.html"]

    assert words(page, "#count") == "The last count: day 1"
    assert words(page, ".wagons > .full").startswith("Bex 4/4")
    assert "Tue 8 Dec 2026 02:00 UTC From then on the contestmaster may act for whoever is silent (NC 1j)" in words(
        page, ".due")
    assert "Dawn is announced at 08:00 and 20:00 UTC" in page
    assert "Dead (1) Bex , lynched on day 1: " in words(page, "#town ~ dl")


def test_in_a_pause_nothing_is_due() -> None:
    """D-A15: no time counts; the page says so in place of a date, and the calendar is empty."""
    world = Story().start()
    assert world.command("pause", at=3, why="half of us are at sea").status == 0
    found = files(published(world))

    assert "It is paused since Tue 1 Dec 2026 03:00 UTC" in words(found["index.html"], ".lead")
    assert "Nothing is due." in found["index.html"]
    assert "VEVENT" not in found["calendar.ics"]
    assert json.loads(found["state.json"])["paused"] == "2026-12-01T03:00:00Z"


def test_a_trial_shows_its_verdicts_and_its_deadline() -> None:
    """GA 5e: guilty needs a majority, innocent no number."""
    found = files(rehearsed(GADIANTON))
    page = found["index.html"]

    assert "5 of 5 players are alive." in page
    assert "no optional ones" not in page
    assert words(page, ".wagons > li").startswith("guilty 1/3")
    assert "3 for guilty convict" in page
    assert "Ballot ends" in words(page, ".due")
    assert "BEGIN:VEVENT" in found["calendar.ics"]


def test_a_session_that_is_over_has_no_stage_that_ends() -> None:
    """The end of its last stage is no date any more, neither on the page nor in the calendar."""
    world = World(replace(setup(), ruleset="gadianton")).start((*SEVEN, "Hal"), roles="")
    assert "Night ends" in files(published(world))["index.html"]
    assert world.command("end", at=3, why="enough").status == 0
    found = files(published(world))

    assert "Night ends" not in found["index.html"]
    assert "Night ends" not in found["calendar.ics"]


def test_pictures_of_a_day_have_names_of_their_own() -> None:
    """A day of stages has several; a screen reader lists them as regions by their captions, which differ."""
    page = files(rehearsed(TWICE))["session-1/index.html"]
    boxes = LexborHTMLParser(page).css("figure.vote > .scroll")
    names = [box.attributes["aria-labelledby"] for box in boxes]
    told = [words(page, f"#{name}") for name in names]

    assert len(names) == 2
    assert len(set(told)) == 2


def test_each_trial_of_a_day_has_a_heading_and_a_label_of_its_own() -> None:
    """Though one person is tried twice (SP 3d): the eye tells the trials apart by headings, the ear by labels."""
    [story] = (ROOT / "tests/scenarios/six-phases").glob("M-202-*.yaml")
    found = files(rehearsed(story.read_text(encoding="utf-8")))
    page, session = (LexborHTMLParser(found[f"session-1/{name}.html"]) for name in ("day-1", "index"))
    regions = page.css(".scroll[aria-label]")
    stages = ["Nominations", "Verdict on A", "Nominations (2)", "Verdict on A (2)"]

    assert [node.text() for node in page.css("h2[id^=stage-]")] == stages
    assert [" ".join(node.text().split()) for node in page.css("figcaption strong")] == [
        f"The votes of day 1, {stage[0].lower()}{stage[1:]}." for stage in stages]
    assert [" ".join(node.text().split()) for node in session.css("figcaption strong")] == [
        f"Day 1, {stage[0].lower()}{stage[1:]}." for stage in stages]
    assert [node.attributes["aria-label"] for node in regions] == [
        f"Count of day 1, {stage[0].lower()}{stage[1:]}" for stage in stages]


def test_sealed_ballots_are_not_counted() -> None:
    """Nobody can say who has voted before they are opened."""
    page = files(rehearsed(SIX))["index.html"]

    assert "Ballots are sealed until all are opened together." in words(page, "#count ~ p")
    assert LexborHTMLParser(page).css("progress, .wagons") == []
    assert "Nominations end" in words(page, ".due")


def test_what_is_over_has_no_count() -> None:
    """The outcome stands in its place."""
    page = files(finished())["index.html"]

    assert 'id="count"' not in page
    assert "Session 1 is over: the villagers win" in words(page, ".lead")


@pytest.mark.parametrize("given", [
    publish(Contest(setup())), published(Story().start()), going_on(), finished(), rehearsed(GADIANTON), rehearsed(SIX),
], ids=["empty", "begun", "second", "over", "trial", "sealed"])
def test_the_state_is_as_its_schema_says(given: Published) -> None:
    """`state.json` fits `state.schema.json`, which itself is a schema; no key is there that it doesn't know."""
    found = files(given)
    schema, state = json.loads(found["state.schema.json"]), json.loads(found["state.json"])
    Draft202012Validator.check_schema(schema)
    Draft202012Validator({**schema, "unevaluatedProperties": False, "properties": {
        **schema["properties"], "$schema": {"const": "state.schema.json"}}}).validate(state)
    assert state["schema"] == 1


def test_the_state_tells_what_the_page_tells() -> None:
    """The count, the living, what the last letters did, and where they are."""
    found = files(going_on())
    state = json.loads(found["state.json"])

    assert (state["session"], state["phase"], state["votes"]["counts"]) == (2, "day 1", {"Fay": 2})
    assert state["votes"]["votes"]["Bex"]["ballot"] == "endorse Ash"
    assert state["letters"][-1]["deeds"] == ["endorses Ash"]
    path, _, anchor = state["letters"][-1]["page"].partition("#")
    assert f'id="{anchor}"' in found[path]
    assert state["sessions"][0]["outcome"] == "the villagers win"


def test_the_calendar_is_one() -> None:
    """RFC 5545: lines end with CRLF and have 75 octets at most; a term that is moved keeps its UID."""
    world = Story().start()
    for who in ("Ash", "Cam", "Dov", "Gus"):
        world.write(who, "I vote for Bex.", at=2)
    given = published(world, "https://wolf.example/")
    data = next(page for page in pages(given) if page.path == "calendar.ics").make()
    lines = data.decode().split("\r\n")

    assert lines[0] == "BEGIN:VCALENDAR"
    assert lines[-2:] == ["END:VCALENDAR", ""]
    assert b"\n" not in data.replace(b"\r\n", b"")
    assert max(len(line.encode()) for line in lines) <= 75
    whole = data.decode().replace("\r\n ", "")
    assert whole.count("BEGIN:VEVENT") == whole.count("END:VEVENT") == whole.count("UID:") > 0
    assert "DTSTART:20261208T020000Z" in whole
    assert "SUMMARY:The Werewolves of Nomic Crossing: from then on the contestmaster may act" in whole
    later = Story().start()
    for who in ("Ash", "Cam", "Dov", "Gus"):
        later.write(who, "I vote for Bex.", at=3)
    other = next(page for page in pages(published(later)) if page.path == "calendar.ics").make().decode()
    assert re.findall(r"UID:(\S+)", other.replace("\r\n ", "")) == re.findall(r"UID:(\S+)", whole)
    assert "DTSTART:20261208T030000Z" in other
