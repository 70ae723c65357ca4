"""Orders from the command line: tried without being done, for a phase, and to put something right."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from nomicwolf.cli.app import app, order_of, run
from nomicwolf.contest import Command
from nomicwolf.contest.commands import COMMANDS
from nomicwolf.run import command
from tests.contest.world import World
from tests.post.scripted import SmtpScript
from tests.run.world import BEGIN, PLAYERS, make_world, new_world, running_world, started
from tests.tables import each

INNER = frozenset({"echo-missing", "only-named"})
"""What the program orders itself to do."""
UNBOUND = frozenset({"start", "party-key", "party-erase"})
"""What is for no phase of a session."""
ARGS: dict[str, dict[str, str]] = {
    "end": {"why": "by clause 1f"}, "release": {"number": "1"}, "reject": {"number": "1", "why": "forged"},
    "publish": {"fact": "it rains", "value": "true"}, "limit": {"limit": "agora=40"}, "award": {"limit": "agora=40"},
    "party-add": {"who": "Ida", "address": "ida@players.test"}, "party-remove": {"who": "Gus"},
    "party-alias": {"who": "Gus", "alias": "GG"}, "party-address": {"who": "Gus", "address": "gus@other.test"},
    "party-rename": {"who": "Ida", "new": "Idanna"}, "party-statistics": {"who": "Gus", "listed": "no"},
    "party-timezone": {"who": "Gus", "zone": "Europe/Berlin"},
    "party-status": {"who": "Gus", "nomic": "agora", "player": "no"},
    "act-for": {"who": "Gus", "deed": "attack Ash"}, "ruling": {"text": "So it is.", "authority": "CFJ 1"},
    "extend": {"until": "2026-12-09T00:00Z"}, "intend": {"what": "remove", "who": "Gus"}, "resolve": {"number": "1"},
    "clock": {"nomic": "b", "turned": "off"}, "holiday": {"nomic": "b", "from": "2026-12-20", "to": "2026-12-27"},
    "contestmaster": {"nomic": "b", "who": "Murphy", "how": "elected"},
    "claim": {"number": "1", "who": "Bex", "why": "wrong"}, "correct": {"number": "1", "amount": "3", "why": "wrong"},
    "substitute": {"old": "Gus", "new": "Ida", "address": "ida@players.test"}, "undo": {"number": "1", "why": "a slip"},
}


def orders(group: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, frozenset[str]]]:
    """Every command with ``--dry-run`` in a group of click's, and its options."""
    for name, found in group.commands.items():
        options = frozenset(o for p in found.params for o in getattr(p, "opts", ()))
        if hasattr(found, "commands"):
            yield from orders(found, (*path, name))
        elif "--dry-run" in options:
            yield "-".join((*path, name)), options


@pytest.mark.slow
def test_every_order_has_a_dry_run_and_a_phase() -> None:
    """On the command line none is missing, and none that isn't there is named."""
    found = dict(orders(typer.main.get_command(app)))
    wanted = {name for name in COMMANDS if name not in INNER | {"limit", "seed-bind"} and not name.startswith("key-")}

    assert wanted - {*found} == set()
    assert {name for name, options in found.items() if "--phase" not in options} <= UNBOUND


@pytest.mark.slow
@each("name", sorted(set(COMMANDS) - INNER))
def test_an_order_for_a_phase_that_is_over_is_refused(name: str) -> None:
    """It says which phase it is now, and nothing is done."""
    world = World().start()
    before = world.contest.last
    from nomicwolf.contest import hear

    outcome = hear(world.contest, Command(name, ARGS.get(name, {}), phase="night 4"), world.contest.clock)

    assert outcome.status == 1
    assert "This was meant for night 4, and it is day 1" in outcome.said
    assert outcome.contest.last == before


@pytest.mark.slow
def test_a_dry_run_changes_nothing(tmp_path: Path) -> None:
    """Whatever an order would do, or whyever it would be refused: record and post stay as they were."""
    smtp = SmtpScript()
    world = started(make_world(tmp_path / "w", 1, smtp))
    before = world.record()
    for name in sorted(set(COMMANDS) - INNER):
        done = command(world.settings, name, ARGS.get(name, {}), lambda: BEGIN + 60, dry_run=True)
        assert done.said
        assert world.record() == before, name
    assert smtp.taken == []


@pytest.mark.slow
@pytest.mark.parametrize("words", [
    "award --limit agora=x", "award --limit agora", "award --limit nowhere=5", "release x", "reject x --why y",
    "undo x --why y", "resolve x", "answer x text", "holiday agora x y", "holiday nowhere 2026-12-20 2026-12-27",
    "party add Zed not-an-address", "party address Ash not-an-address", "intend nonsense", "restore nofile",
    "extend x", "correct 1 --amount x --why y", "ruling So. --authority CFJ --deed vote", "ledger verify --told nofile",
    "ruling So. --authority CFJ --as-of 2026-12-01T00:00Z", "ruling So. --authority CFJ --for Ash", "publish x maybe",
    "claim 1 --why y", "claim 1 --why y --answer maybe", "intend remove", "intend amend", "party status Ash agora",
    "holiday b 2026-12-20 2026-12-27 --why y",
])
def test_what_is_wrong_however_the_contest_stands_is_wrong_use(story: Path, words: str) -> None:
    """Its status is 2, as for any other argument; what this contest alone refuses has 1."""
    assert run(["-C", str(story), *words.split()]) == 2


@pytest.mark.slow
@pytest.mark.parametrize("blank", ["", " \t"])
@pytest.mark.parametrize("words", [
    "end --why", "reject 1 --why", "undo 1 --why", "claim 1 --by Ash --why", "correct 1 --amount 3 --why",
    "contestmaster b Murphy --how", "ruling So. --authority", "holiday b 2026-12-20 2026-12-27 --undo --why",
])
def test_a_reason_that_is_needed_has_words(
    story: Path, words: str, blank: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """One of nothing, or of blanks alone, is none, and the option that wants it is named."""
    option = words.rpartition(" ")[2]

    assert run(["-C", str(story), *words.split(), blank]) == 2

    assert option in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("blank", ["", " \t"])
@pytest.mark.parametrize("words", ["act-for Ash", "answer 1", "publish", "ruling --authority CFJ"])
def test_words_that_are_needed_are_not_blank(story: Path, words: str, blank: str) -> None:
    """It is as if they had been left out, whether or not this contest could take any."""
    assert run(["-C", str(story), *words.split(), blank]) == 2


@pytest.mark.slow
@pytest.mark.parametrize("blank", ["", " \t"])
@pytest.mark.parametrize("words", ["party remove Ash --why", "intend remove --who Ash --why"])
def test_a_reason_that_nobody_needs_may_be_blank(
    story: Path, words: str, blank: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is as if it had not been given."""
    said = []
    for more in ([], ["--why", blank]):
        assert run(["-C", str(story), *words.split()[:-1], *more, "--dry-run"]) == 0
        said.append(capsys.readouterr().out)

    assert said[0] == said[1]


@pytest.mark.slow
@pytest.mark.parametrize("words", [
    "release 99", "undo 99 --why y", "resolve 99", "answer 99 text", "start --limit agora=50", "substitute Zed Ash",
])
def test_what_this_contest_refuses_needs_its_contestmaster(story: Path, words: str) -> None:
    """Its status is 1: another contest, or the same at another time, could take it."""
    assert run(["-C", str(story), *words.split()]) == 1


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a contest whose first session has begun."""
    with running_world(tmp_path_factory.mktemp("story") / "c") as world:
        return world.folder


@pytest.mark.slow
@each(("line", "name", "args"), [
    ("substitute Gus Ida --address ida@x.example", "substitute",
     {"old": "Gus", "new": "Ida", "address": "ida@x.example"}),
    ("undo 117 --why 'a slip' --authority 'CFJ 9'", "undo", {"number": "117", "why": "a slip", "authority": "CFJ 9"}),
    ("contestmaster b Root --how elected", "contestmaster", {"nomic": "b", "who": "Root", "how": "elected"}),
    ("claim 3 --by Bex --why wrong", "claim", {"number": "3", "who": "Bex", "why": "wrong"}),
    ("claim 3 --answer denied --why right --session 2", "claim",
     {"number": "3", "answer": "denied", "why": "right", "session": "2"}),
    ("correct 3 --amount 11 --why 'P was 45'", "correct", {"number": "3", "amount": "11", "why": "P was 45"}),
    ("party status Bex agora --player yes --first-class no", "party-status",
     {"who": "Bex", "nomic": "agora", "player": "yes", "first-class": "no"}),
])
def test_an_order_says_what_was_written(line: str, name: str, args: dict[str, str]) -> None:
    """Each becomes the command of the same name, with what was given and nothing else."""
    order = order_of(shlex.split(line))

    assert (order.name, dict(order.args)) == (name, args)


@pytest.mark.slow
def test_an_order_for_a_phase_is_refused_in_another(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What was meant for night 1 does nothing on day 1, dry or not; the award book is CSV with a head line."""
    with running_world(tmp_path / "contest") as world:
        folder = str(world.folder)
        at = ["--at", "2026-12-01T06:00Z"]
        assert run(["-C", folder, "substitute", "Gus", "Ida", "--phase", "night 1", *at]) == 1
        assert "meant for night 1, and it is day 1" in capsys.readouterr().err
        assert run(["-C", folder, "party", "add", "Ida", "ida@players.test", *at]) == 0
        before = world.record()
        assert run(["-C", folder, "substitute", "Gus", "Ida", "--phase", "day 1", "--dry-run", *at]) == 0
        told = capsys.readouterr().out
        assert "Nothing was done, as this was a dry run. It would have said:\nIda takes over from Gus" in told
        assert "All would see: Ida takes over from Gus\n" in told
        assert world.record() == before
        assert run(["-C", folder, "award", "--csv"]) == 0

    assert capsys.readouterr().out == "session,ruleset,number,at,nomic,who,what,amount,corrects,claim\n"


def test_a_ballot_that_waits_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """D-N9: within the ten minutes a ballot isn't counted; ``explain`` says so, and ``status`` when it will be."""
    with new_world(tmp_path / "contest") as world:
        world.change("settling = 0", "settling = 10")
        for who in PLAYERS:
            assert world.command("party-add", who=who, address=f"{who.lower()}@players.test").status == 0
        assert world.command("start", seed="1").status == 0
        assert run(["-C", str(world.folder), "status"]) == 0
        silent = re.search("Time acts next: (.*) by", capsys.readouterr().out)
        assert silent is not None, "day 1 has no end, but whoever is silent is named in the end"
        world.post("v1", "Bex", "I vote for Gus.", BEGIN + 3600)
        assert world.poll(BEGIN + 3660).status == 0
        assert run(["-C", str(world.folder), "explain", "Bex"]) == 0
        explained = " ".join(capsys.readouterr().out.split())
        assert run(["-C", str(world.folder), "status"]) == 0
        status = capsys.readouterr().out

    assert "Bex has no vote standing" in explained
    assert "Waiting: 'vote Gus' of " in explained
    assert "mail with earlier stamps may still come first" in explained
    acts = re.search("Time acts next: (.*) by", status)
    assert acts is not None
    assert acts[1] != silent[1]
