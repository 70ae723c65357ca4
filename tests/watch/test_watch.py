"""The live screen: what it shows, hides and follows, driven by Textual's own pilot."""

from __future__ import annotations

import asyncio
import os
import pty
import re
import shutil
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from nomicwolf import watch
from nomicwolf.cli.app import order_of, run
from nomicwolf.contest import Contest
from nomicwolf.rehearsal import read_script, rehearse
from nomicwolf.run.contest_setup import setup_of
from nomicwolf.settings.load import load
from nomicwolf.watch import KEYS, TITLES, Mail, Panel, Snapshot, look, owed_text, snapshot_of
from tests.post.scripted import SmtpScript
from tests.run.world import BEGIN, World, letter, make_world
from tests.watch.watched import HOUR, app_of, first_day, settle, watched

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def day(tmp_path_factory: pytest.TempPathFactory) -> World:
    """A contest on its first day."""
    return first_day(tmp_path_factory.mktemp("watched") / "contest")


@pytest.fixture
def contest(day: World, tmp_path: Path) -> World:
    """A copy of that contest for one test."""
    shutil.copytree(day.folder, tmp_path / "contest")
    return World(tmp_path / "contest", day.smtp)


def said(pilot: Pilot[None], panel: str) -> str:
    """Return a panel's text."""
    return str(pilot.app.query_one(f"#{panel}-text", Static).content)


def test_it_shows_the_day_at_a_glance(contest: World) -> None:
    """The clock, the wagons with bars and reasons, the letters and the outbox."""

    async def steps(pilot: Pilot[None]) -> None:
        assert "Session 1, day 1" in said(pilot, "clock")
        assert "Living (7)" in said(pilot, "clock")
        votes = said(pilot, "votes")
        assert "4 of 7 are a majority" in votes
        assert "Gus ████████████░░░░░░░░░░░░ 2/4\n  Ash, Bex (endorsing Ash)" in votes
        assert "Fay ██████░░░░░░░░░░░░░░░░░░ 1/4" in votes
        assert "For nobody: Cam" in votes
        assert "No vote yet: Dov, Fay, Gus" in votes
        assert "Cam: Gus if Dov is voting for Gus, otherwise nobody = nobody\n  Dov is voting for nobody" in votes
        assert "Eli to agora  deeds" in said(pilot, "mail")
        assert re.match(r"\d+ queued, \d+ sent\n", said(pilot, "outbox"))
        assert "day 1 begins" in said(pilot, "record").casefold()

    watched(contest, steps)


def test_secrets_are_hidden_until_a_key_is_pressed(contest: World) -> None:
    """NC 6: whose the private letter was and what was dealt are shown by s, and hidden by it again."""

    async def steps(pilot: Pilot[None]) -> None:
        everything = [said(pilot, panel) for panel in TITLES]
        assert not any("werewolf" in text or "Dov to contestmaster" in text for text in everything)
        assert "a private letter" in said(pilot, "mail")
        await pilot.press("s")
        assert "Dov to contestmaster" in said(pilot, "mail")
        assert "werewolf" in said(pilot, "record")
        assert "secrets are shown" in str(pilot.app.query_one("#clock", Panel).border_title)
        await pilot.press("s")
        assert [said(pilot, panel) for panel in TITLES] == everything

    watched(contest, steps)


def test_who_owes_a_deed_is_a_secret(contest: World) -> None:
    """At night the number of deeds owed and their term are shown; names and deeds come with s."""
    assert run(["-C", str(contest.folder), "status"]) == 0
    night = ("Dov", "Eli", "Fay")
    for number, who in enumerate(night):
        contest.post(f"n{number}", who, "I vote for Gus.", BEGIN + 6 * HOUR)
    contest.poll(BEGIN + 6 * HOUR + 60)

    async def steps(pilot: Pilot[None]) -> None:
        assert "night 1" in said(pilot, "clock")
        assert "Nobody votes now." in said(pilot, "votes")
        hidden = said(pilot, "owed")
        assert "of players, until " in hidden
        assert "attack" not in hidden
        await pilot.press("s")
        assert "attack" in said(pilot, "owed")

    watched(contest, steps)


def test_reasons_can_be_put_away(contest: World) -> None:
    """The key w leaves the counts alone."""

    async def steps(pilot: Pilot[None]) -> None:
        await pilot.press("w")
        assert "Gus if Dov" not in said(pilot, "votes")
        assert "2/4" in said(pilot, "votes")

    watched(contest, steps)


def test_it_looks_again(contest: World) -> None:
    """What was polled meanwhile is on the screen after the next look, and the ledger is as the poll left it."""

    async def steps(pilot: Pilot[None]) -> None:
        contest.post("late", "Dov", "I vote for Fay.", BEGIN + 6 * HOUR)
        await asyncio.to_thread(contest.poll, BEGIN + 6 * HOUR + 60)
        before = contest.record()
        await pilot.press("r")
        await settle(pilot)
        assert "Fay ████████████░░░░░░░░░░░░ 2/4" in said(pilot, "votes")
        assert contest.record() == before

    watched(contest, steps)


def test_a_vote_that_is_heard_and_not_counted_yet_is_shown(contest: World) -> None:
    """D-N9: until earlier mail can't come any more, the forum has read it and the count hasn't got it."""

    async def steps(pilot: Pilot[None]) -> None:
        assert "not in this count yet" not in said(pilot, "votes")
        contest.post("late", "Dov", "I vote for Fay.", BEGIN + 6 * HOUR - 60)
        await asyncio.to_thread(contest.poll, BEGIN + 6 * HOUR)
        await pilot.press("r")
        await settle(pilot)
        votes = said(pilot, "votes")
        assert "Heard, and not in this count yet:\n  " in votes
        assert re.search(r"not in this count yet:\n  .* UTC  Dov: Fay\n", votes)
        assert "Fay ██████░░░░░░░░░░░░░░░░░░ 1/4" in votes

    contest.change("settling = 0", "settling = 10")
    watched(contest, steps)


def test_our_own_letters_are_no_strangers(contest: World) -> None:
    """What a forum sends back of the contest's own is told as the contest's; who isn't known is a stranger."""
    there = look(load(contest.folder, {}, mail=False))
    came = tuple(Mail(BEGIN, "", "agora", bucket, "", secret=False) for bucket in ("own", "stranger"))
    told = watch.mail_text(replace(there, mail=came), secrets=False).plain.splitlines()

    said_of = [line.partition("UTC  ")[2] for line in told]
    assert said_of == ["a stranger to agora  stranger", "the contest to agora  own"]


def test_a_session_that_ends_meanwhile_is_over_since_then(contest: World) -> None:
    """Not since its last phase began; and nobody votes any more."""

    async def steps(pilot: Pilot[None]) -> None:
        await asyncio.to_thread(contest.command, "end", BEGIN + 6 * HOUR - 60, why="by clause 1f")
        await pilot.press("r")
        await settle(pilot)
        assert "Session 1, over, for 1 minute\n" in said(pilot, "clock")
        assert said(pilot, "votes") == "Nobody votes now."

    watched(contest, steps)


def test_ctrl_c_ends_it(contest: World) -> None:
    """As in any other command; Textual would only tell of a key."""
    app = app_of(contest)

    async def go() -> None:
        async with app.run_test() as pilot:
            await settle(pilot)
            await pilot.press("ctrl+c")

    asyncio.run(go())
    assert app.return_code == 0


def test_a_ledger_that_is_away_is_told(contest: World) -> None:
    """What was seen last stays on the screen, with the reason why it is not renewed."""

    async def steps(pilot: Pilot[None]) -> None:
        (contest.folder / "contest.db").unlink()
        await pilot.press("r")
        await settle(pilot)
        assert "contest.db" in said(pilot, "clock")
        assert "2/4" in said(pilot, "votes")

    watched(contest, steps)


def test_what_is_seen_as_the_screen_goes_is_no_error(contest: World) -> None:
    """The clock's next second, or the end of a look, may come when the panels are gone: they aren't looked for."""
    app = app_of(contest)

    async def go() -> None:
        async with app.run_test() as pilot:
            await settle(pilot)
        await asyncio.to_thread(app.call_from_thread, app.action_secrets)

    asyncio.run(go())
    assert app.return_code in (None, 0)


@pytest.mark.parametrize("size", [(36, 20), (80, 24), (140, 50)])
def test_it_fits_the_terminal(contest: World, size: tuple[int, int]) -> None:
    """Below 100 columns the panels stand in one column, none wider than the terminal; Tab reaches all but the clock."""

    async def steps(pilot: Pilot[None]) -> None:
        found = list(pilot.app.query(Panel))
        assert all(0 < panel.outer_size.width <= size[0] for panel in found)
        assert all(panel.virtual_region.right <= size[0] for panel in found)
        votes, owed = found[1].virtual_region, found[2].virtual_region
        assert (owed.y >= votes.bottom) is (size[0] < 100)
        reached = set()
        for _ in found:
            await pilot.press("tab")
            reached.add(pilot.app.focused)
        assert reached == set(found[1:])

    watched(contest, steps, size)


def test_names_are_no_markup(contest: World) -> None:
    """What players wrote can't colour or link anything on the screen."""
    assert contest.command("ruling", BEGIN + 6 * HOUR, text="[@click=app.quit]All[/]", authority="CFJ 1").status == 0

    async def steps(pilot: Pilot[None]) -> None:
        assert "[@click=app.quit]All[/]" in said(pilot, "record")

    watched(contest, steps)


def test_every_key_is_in_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    """The help text of the command names each key of the screen."""
    assert run(["watch", "--help"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert all(f" {key} " in text for key in KEYS)


@pytest.fixture
def no_textual(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which textual is not installed."""
    for name in [n for n in sys.modules if n.partition(".")[0] == "textual" or n == "nomicwolf.watch"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "textual", None)


@pytest.mark.usefixtures("no_textual")
def test_without_textual_it_says_how_to_get_it(contest: World, capsys: pytest.CaptureFixture[str]) -> None:
    """The error names the line that installs it, and the commands that do without."""
    assert run(["-C", str(contest.folder), "watch"]) == 2
    said = capsys.readouterr().err
    assert "pipx inject nomicwolf" in said
    assert "nomicwolf status" in said


def test_without_a_ledger_it_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder whose ledger was never made gives an error, not an empty screen."""
    make_world(tmp_path / "contest", 1, SmtpScript())
    assert run(["-C", str(tmp_path / "contest"), "watch"]) == 1
    assert "contest.db" in capsys.readouterr().err


def test_the_handbook_shows_it() -> None:
    """The picture in the handbook has every panel and key, and loads nothing."""
    picture = (ROOT / "docs" / "images" / "watch.svg").read_text(encoding="utf-8")
    told = re.sub(r"<[^>]*>", "", picture).replace("&#160;", " ")

    assert all(title in told for title in list(TITLES.values())[1:])
    assert all(said in told for said in KEYS.values())
    assert not re.search(r"url\(.?http|@import|<image|href=", picture)


def test_without_utf_8_it_says_so(contest: World) -> None:
    """On a terminal whose locale has no UTF-8 the panels would be backslashes."""
    ours, theirs = pty.openpty()
    env = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": ""}
    words = [sys.executable, "-m", "nomicwolf", "-C", str(contest.folder), "watch"]
    done = subprocess.run(words, stdin=theirs, stderr=theirs, stdout=subprocess.PIPE, env=env, check=False, timeout=60)
    told = os.read(ours, 65_536).decode()
    os.close(theirs)
    os.close(ours)

    assert done.returncode == 2
    assert "set LC_ALL=C.UTF-8, else nomicwolf status tells it" in told


def test_without_a_terminal_it_says_so(contest: World, capsys: pytest.CaptureFixture[str]) -> None:
    """In a pipe it painted, and waited for a key for ever."""
    assert run(["-C", str(contest.folder), "watch"]) == 2

    assert "needs a terminal, and this is a pipe or a file; nomicwolf status tells it" in capsys.readouterr().err


LINES = 3


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    """A contest on its first day, of which little is shown."""
    monkeypatch.setattr(watch, "LINES", LINES)
    return first_day(tmp_path / "contest")


def should(world: World, there: Snapshot) -> Snapshot:
    """Return what is to be seen by the whole record, polled when it was *there*."""
    with closing(world.store()) as ledger:
        contest, tip = Contest.of(setup_of(world.settings, b""), ledger.record()), ledger.tip()
        unsent = ledger.outbox().in_state("queued", "sending", "unknown", "failed")
        return snapshot_of(contest, tip.alarm or 0, there.polled, unsent, ledger.counts().states)


def test_each_look_is_what_the_whole_record_shows(world: World) -> None:
    """Followed letter by letter through the night."""
    settings, looks = load(world.folder, {}, mail=False), list[Snapshot]()
    for number, (who, text) in enumerate((("Dov", "I vote for Gus."), ("Fay", "I vote for Gus."),
                                          ("Gus", "I vote for Eli."), ("Eli", "I attack Ash."))):
        at = BEGIN + (6 + number) * HOUR
        world.deliver(f"w{number}", letter(f"w{number}", who, text, at), at)
        world.poll(at + 60)
        looks.append(look(settings))
        assert looks[-1] == should(world, looks[-1])
    assert len({there.last for there in looks}) == len(looks)


def test_without_the_contests_key_all_is_seen(world: World) -> None:
    """The record is read whole then."""
    (world.folder / "contest.key").unlink()
    there = look(load(world.folder, {}, mail=False))
    assert there == should(world, there)


def test_nobody_is_said_to_be_late_for_whom_nobody_can_act() -> None:
    """NC 1j, D-N3: by day the lynched Hunter's choice is late after seven days, and act-for is never open for it."""
    hunted = rehearse(read_script("""\
title: a silent Hunter
ruleset: nomic-crossing
given:
  roles: {Ash: werewolf, Bex: villager, Cam: seer, Dov: witch, Eli: hunter, Fay: villager, Gus: villager}
  phase: day 1
  at: 2026-12-01T00:00Z
  votes: {Ash: Eli, Bex: Eli, Cam: Eli}
when: [{at: 2026-12-01T09:00Z, from: Fay, says: "I vote for Eli."}]
"""), order_of).contest
    there = snapshot_of(hunted, 0, hunted.clock, (), {})
    said = owed_text(there, hunted.clock + 8 * 24 * HOUR, secrets=True).plain

    assert "Eli: shoot" in said
    assert "late since" in said
    assert "act-for is open" not in said
