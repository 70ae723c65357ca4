"""Statistics and ratings over many sessions, as text, CSV and JSON: the year of `examples/a-year` in numbers."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from nomicwolf.cli.app import run
from nomicwolf.contest import Contest
from nomicwolf.nomic.events import Revealed
from nomicwolf.nomic.law_events import PersonRenamed
from nomicwolf.reports.awards import accuracy, rated, results_of, statistics_csv, statistics_json, statistics_text
from nomicwolf.village.events import Entry
from tests.archive.stories import Story, play
from tests.rehearsal.year import played


def test_sides_of_unequal_size_are_even() -> None:
    """Two who beat seven gain as much as seven who beat two, though the model adds up the members of a side."""
    few, many = ["Ash", "Bex"], ["Cam", "Dov", "Eli", "Fay", "Gus", "Hal", "Ida"]
    one, other = rated([(few, many)]), rated([(many, few)])

    assert one["Ash"].value - 25 == pytest.approx(25 - other["Ash"].value, abs=0.02)
    assert one["Ash"].value - 25 == pytest.approx(25 - one["Cam"].value, abs=0.1)
    assert one["Ash"] == one["Bex"]


def test_the_more_is_known_the_surer() -> None:
    """Who wins again and again rises, ever less; the uncertainty falls."""
    steps = [rated([(["Ash"], ["Bex"])] * games) for games in (1, 5, 25)]
    values, doubts = [r["Ash"].value for r in steps], [r["Ash"].uncertainty for r in steps]

    assert 25 < values[0] < values[1] < values[2]
    assert 8.33 > doubts[0] > doubts[1] > doubts[2]
    assert rated([]) == {}


def test_votes_count_as_they_stood_when_the_poll_ended() -> None:
    """Cam, the werewolf, was lynched on day 2 by villagers; on day 1 five had lynched a villager, at eir last word."""
    game = play(Story()).contest.game
    assert game is not None
    found = accuracy(game, game.sides)

    assert found == {"Ash": (1, 2), "Dov": (1, 2), "Gus": (2, 2), "Fay": (0, 1), "Eli": (0, 1), "Cam": (1, 1)}


def test_who_is_not_known_is_left_out() -> None:
    """Without sides nothing is accurate or not."""
    game = play(Story()).contest.game
    assert game is not None
    assert accuracy(game, {}) == {}


@pytest.fixture(scope="module")
def year() -> Contest:
    """The contest after its year: two sessions were won, a third was ended."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(Path(__file__).parents[2])
        return played().contest


def test_players_and_sides_are_counted(year: Contest) -> None:
    """Sessions, wins, survival and deaths of each, the substitute for eir seat; a session ended by NC 1f is none."""
    told = {r.who: r for r in results_of(year).players}

    assert (told["Gus"].sessions, told["Gus"].won, told["Gus"].survived) == (2, 2, 2)
    assert told["Gus"].sides == (("villagers", 1), ("werewolves", 1))
    assert (told["Ida"].sessions, told["Ida"].won) == (1, 0)
    assert (told["Ash"].condemned, told["Ash"].killed) == (1, 1)
    assert [(s.side, s.sessions, s.won) for s in results_of(year).sides] == [("villagers", 2, 1), ("werewolves", 2, 1)]


def test_csv_and_json_say_the_same(year: Contest) -> None:
    """Every number of the one is in the other."""
    rows = list(csv.DictReader(statistics_csv(year).splitlines()))
    data = statistics_json(year)

    assert data["schema"] == 1
    assert data["sessions"] == 2
    assert [(r["name"], int(r["won"])) for r in rows if r["kind"] == "player"] == [
        (p["who"], p["won"]) for p in data["players"]]
    assert [(r["name"], int(r["sessions"])) for r in rows if r["kind"] == "side"] == [
        (s["side"], s["sessions"]) for s in data["sides"]]
    assert json.loads(json.dumps(data)) == data


def test_the_table_is_plain(year: Contest) -> None:
    """One line for each, the head first, nothing at the ends of lines."""
    lines = statistics_text(year).splitlines()

    assert lines[0].split()[:4] == ["player", "sessions", "won", "survived"]
    assert len(lines) == 1 + len(results_of(year).players) + len(results_of(year).sides)
    assert all(line == line.rstrip() for line in lines)


def test_who_has_been_renamed_is_one_player(year: Contest) -> None:
    """NC 1c: another name is no other person."""
    contest = year.branch()
    for old, new in (("Cam", "Camille"), ("Camille", "C.")):
        contest.record(Entry(contest.last + 1, contest.clock, PersonRenamed(old, new)))
    told = {r.who: r for r in results_of(contest).players}

    assert "Cam" not in told
    assert told["C."].sessions == 2


def test_what_was_not_revealed_is_not_public(year: Contest) -> None:
    """D-N23: without the reveal, public statistics tell nobody's side."""
    contest = year.branch()
    contest.revealed = {n: Revealed(n, "", ()) for n in contest.revealed}

    assert {r.sides for r in results_of(contest, public=True).players} == {()}
    assert all(r.sides for r in results_of(contest).players)


def test_before_the_first_end_there_is_a_sentence(year: Contest) -> None:
    """A new contest has nothing to count."""
    assert statistics_text(Contest(year.setup)) == "No session has been played to its end yet."
    assert statistics_json(Contest(year.setup))["players"] == []


def test_the_command_prints_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Text, CSV and JSON from a contest's folder."""
    from tests.post.scripted import SmtpScript
    from tests.run.world import make_world, started

    world = started(make_world(tmp_path / "w", 1, SmtpScript()))
    for words, begins in ((["statistics"], "No session"), (["statistics", "--csv"], "kind,name"),
                          (["statistics", "--json"], '{"schema": 1')):
        assert run(["-C", str(world.folder), *words]) == 0
        assert capsys.readouterr().out.startswith(begins)
