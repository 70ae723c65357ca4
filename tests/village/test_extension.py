"""A role and a rule set from another package: the one in ``examples/extension``, put where Python finds packages."""

from __future__ import annotations

import importlib
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from nomicwolf.cli.app import order_of
from nomicwolf.rehearsal import read_script, rehearse
from nomicwolf.village.events import Drawn
from nomicwolf.village.kernel import Ruleset, with_role
from nomicwolf.village.lots import draw
from nomicwolf.village.rules import Refusal
from nomicwolf.village.rulesets import BUILT_IN, ruleset, source_of
from nomicwolf.village.rulesets.gadianton import gadianton
from nomicwolf.village.rulesets.nomic_crossing import nomic_crossing, seer
from tests.contest.world import World, setup
from tests.village.games import Play

EXAMPLE = Path(__file__).parents[2] / "examples" / "extension"


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The example's packages and what an installer writes of its entry points, on the path of this process."""
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text())["project"]
    info = tmp_path / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    lines = [line for group, points in project["entry-points"].items()
             for line in (f"[{group}]", *(f"{name} = {value}" for name, value in points.items()))]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")
    (tmp_path / "village_extras").symlink_to(EXAMPLE / "village_extras")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    ruleset.cache_clear()
    yield
    ruleset.cache_clear()
    for module in [name for name in sys.modules if name.startswith("village_extras")]:
        del sys.modules[module]


def holders(rules: Ruleset, *chosen: str) -> dict[str, str]:
    """Who is dealt which role among eight players."""
    return dict(rules.deal([f"p{n}" for n in range(8)], chosen, "7", {})[0])


@pytest.mark.usefixtures("installed")
def test_the_role_is_dealt_by_lot_in_place_of_a_villager() -> None:
    """With it asked for, one plain villager less; without, the deal is what it was."""
    rules = ruleset("nomic-crossing")
    without, with_one = holders(rules, "seer"), holders(rules, "seer", "gravedigger")

    assert without == holders(nomic_crossing, "seer")
    (digger,) = [who for who in without if without[who] != with_one[who]]
    assert (without[digger], with_one[digger]) == ("villager", "gravedigger")
    drawn = rules.deal([f"p{n}" for n in range(8)], ("gravedigger",), "7", {})[1]
    assert isinstance(drawn[-1], Drawn)
    assert drawn[-1].result == (digger,)


@pytest.mark.usefixtures("installed")
def test_the_role_is_played() -> None:
    """A night on which somebody is dead: the Gravedigger learns what that one was, of the living e learns nothing."""
    play = Play("Ash:werewolf Bex:gravedigger Cam:villager Dov:villager Eli:villager").lynch("Eli", "Ash", "Bex", "Cam")

    with pytest.raises(Refusal, match="not dead"):
        play.do("Bex point Ash")
    assert play.do("Bex point Eli").told("Bex")[-1] == "Eli was not a werewolf."


@pytest.mark.usefixtures("installed")
def test_the_rule_set_is_played_by_mail() -> None:
    """All that is ours works for it: a start, a vote, a night, the end, through the letters of a rehearsal."""
    script = """
    title: a quiet village
    ruleset: quiet-village
    given:
      roles: {Ash: werewolf, Bex: villager, Cam: villager, Dov: villager}
      phase: day 1
      at: 2026-12-01T00:00Z
      limit: {agora: 40}
    when:
      - {at: 2026-12-01T09:00Z, from: Bex, to: forum, says: "I vote for Cam."}
      - {at: 2026-12-01T10:00Z, from: Ash, to: forum, says: "I vote for Cam."}
      - {at: 2026-12-01T11:00Z, from: Dov, to: forum, says: "I vote the same as Bex."}
      - {at: 2026-12-01T11:30Z, from: Dov, to: forum, says: "I endorse Bex."}
      - {at: 2026-12-01T12:00Z, from: Ash, to: contestmaster, says: "attack Dov"}
      - {at: 2026-12-03T12:00Z}
    then:
      winners: [Ash]
      public: {contains: ["Cam was not a werewolf"]}
    """
    played = rehearse(read_script(script), order_of)

    assert played.failures == []
    assert played.passed


@pytest.mark.parametrize(("prefix", "cited"), [("NC", True), ("QC", False)])
def test_a_game_with_the_contracts_clauses_is_told_by_them(
    monkeypatch: pytest.MonkeyPatch, prefix: str, cited: bool
) -> None:
    """Letters of a variant under another name cite the clauses that it has; those of a game that has others don't."""
    monkeypatch.setitem(BUILT_IN, f"variant-{prefix}", replace(nomic_crossing, name=f"variant-{prefix}", prefix=prefix))
    world = World(replace(setup(), ruleset=f"variant-{prefix}")).start()

    told = " ".join(world.to("agora").split())
    assert ("is lynched at once, and nothing else ends the day" in told, "NC 3" in told) == (cited, cited)


@pytest.mark.usefixtures("installed")
def test_the_rule_set_is_known_by_name() -> None:
    """Among the others, where one is asked for that is not there."""
    assert sorted(holders(ruleset("quiet-village")).values()).count("werewolf") == 2
    with pytest.raises(Refusal, match="quiet-village"):
        ruleset("loud-village")


def test_without_the_package_nothing_is_known_of_it() -> None:
    """Neither the role nor the rule set."""
    assert "gravedigger" not in ruleset("nomic-crossing").roles
    with pytest.raises(Refusal, match="no rule set 'quiet-village'"):
        ruleset("quiet-village")


def test_a_role_needs_a_name_of_its_own() -> None:
    """A second Seer is an error of the package's, said at once."""
    with pytest.raises(ValueError, match="name of its own"):
        with_role(nomic_crossing, seer)


def test_more_of_a_role_than_there_are_villagers_is_refused() -> None:
    """Five players, four villagers: a role can't be held five times."""
    rules = with_role(nomic_crossing, replace(seer, name="oracle"))
    with pytest.raises(Refusal, match="Only 4 players"):
        rules.deal([f"p{n}" for n in range(5)], ("oracle",) * 5, "7", {})


def test_a_role_that_is_brought_is_dealt_by_a_lot_of_its_own() -> None:
    """Among those who would hold the plain role, after all others; as many as are asked for, up to all of them."""
    rules = with_role(gadianton, replace(seer, name="oracle"))
    assert rules.optional == (*gadianton.optional, "oracle")
    names = [f"p{n}" for n in range(8)]
    before, drawn = gadianton.deal(names, (), "7", {"prophets": "2"})
    free = tuple(sorted(who for who, role in before if role == "nephite"))
    for number in (1, 4):
        there, lots = rules.deal(names, ("oracle",) * number, "7", {"prophets": "2"})
        holders = draw("7", "oracle", free, number)
        assert lots == (*drawn, Drawn("oracle", free, holders))
        assert there == tuple((who, "oracle" if who in holders else role) for who, role in before)


def second_package(folder: Path, points: str) -> None:
    """Another package that brings what the example brings."""
    info = folder / "night_shift-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: night-shift\nVersion: 1\n")
    (info / "entry_points.txt").write_text(points)
    importlib.invalidate_caches()
    ruleset.cache_clear()


@pytest.mark.usefixtures("installed")
def test_two_packages_with_one_role_are_both_named(tmp_path: Path) -> None:
    """Neither role is taken for the other: the error says which packages to choose between."""
    second_package(tmp_path, "[nomicwolf.roles]\nnomic-crossing.undertaker = village_extras.gravedigger:gravedigger\n")

    with pytest.raises(Refusal, match="role called gravedigger") as refused:
        ruleset("nomic-crossing")
    assert set(refused.value.options) == {"village-extras", "night-shift"}
    assert all(name in refused.value.why for name in refused.value.options)
    assert [source_of(name) for name in ("tabula", "quiet-village", "nowhere")] == [
        "nomicwolf", "village-extras", "nowhere"]


@pytest.mark.usefixtures("installed")
def test_two_packages_with_one_rule_set_are_both_named(tmp_path: Path) -> None:
    """So it is with rule sets, a built-in one included."""
    second_package(tmp_path, "[nomicwolf.rulesets]\nquiet-village = village_extras.quiet_village:quiet_village\n"
                   "tabula = village_extras.quiet_village:quiet_village\n")

    with pytest.raises(Refusal, match="night-shift"):
        ruleset("quiet-village")
    with pytest.raises(Refusal, match="nomicwolf and night-shift"):
        ruleset("tabula")
