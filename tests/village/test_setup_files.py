"""Setups written as data: what a file may say, whom it deals to, and what is said of one that can't be used."""

from __future__ import annotations

import pytest

from nomicwolf.odds import played_session
from nomicwolf.reports.setups import checked_setup, setup_page
from nomicwolf.village.role_file import RoleError
from nomicwolf.village.rules import Refusal
from nomicwolf.village.setup_file import SetupFile, setup_of
from tests.tables import each
from tests.village.test_role_files import NURSE

FRIDAY = """
title = "Friday Night"
ruleset = "six-phases"
about = "A short game."

[roles]
mafioso = 2
detective = 1
jailkeeper = 1
nurse = 1

[hours]
discussion = 24

[switches]
mafia_picks = "each"
"""
OWN = {"nurse": NURSE}


def test_a_setup_is_its_roles_and_switches() -> None:
    """Roles by their own names; hours that aren't given are the usual ones; any number from the least can play."""
    setup, rules, players = checked_setup(FRIDAY, "setup.toml", OWN)

    assert setup == SetupFile("Friday Night", "six-phases", "A short game.", 0, (
        "mafioso", "mafioso", "cop", "jailkeeper", "nurse"), {
        "deadlines": "24, 48, 24, 48, 72", "mafia_picks": "each"})
    assert {"jailkeeper", "nurse"} <= rules.roles.keys()
    assert players[0] == 5


def test_a_setup_is_played() -> None:
    """By its roles and its switches, to an end."""
    setup, rules, players = checked_setup(FRIDAY, "setup.toml", OWN)
    game = played_session(rules, players[0] + 3, setup.roles, "7", switches=setup.switches)

    assert game.over
    assert game.switches["mafia_picks"] == "each"
    assert sorted(game.roles.values()).count("townie") == 3


@each(("players", "townies", "fits"), [("", "", (5, 60)), ("players = 9", "", (9, 9)), ("", "townie = 4", (9, 9)),
                                       ("players = 9", "townie = 4", (9, 9))])
def test_who_can_play_it(players: str, townies: str, fits: tuple[int, int]) -> None:
    """Any number that its roles can be dealt to; with plain roles counted, or a number given, just that."""
    text = FRIDAY.replace('about = "A short game."', players).replace("nurse = 1", f"nurse = 1\n{townies}")
    _, _, found = checked_setup(text, "setup.toml", OWN)

    assert (found[0], found[-1]) == fits


@each(("old", "new", "says"), [
    ("mafioso = 2", "mafioso = 0", "setup.toml, line 7: mafioso: 0 can't stand there; under [roles] write a whole"),
    ("mafioso = 2", "mafiosi = 2", "line 7: mafiosi: no such role; did you mean mafioso?"),
    ("mafioso = 2", "townie = 2", "roles: These rules name no counts"),
    ("discussion = 24", "talking = 24", "line 13: talking: no such stage; under [hours] there are discussion"),
    ("discussion = 24", 'discussion = "a day"', "line 13: discussion: 'a day' can't stand there"),
    ('mafia_picks = "each"', 'mafia_picks = "all"', "switches: The switch mafia_picks can be plurality, each"),
    ('mafia_picks = "each"', 'mafia_pick = "each"', "did you mean mafia_picks?"),
    ('mafia_picks = "each"', 'deadlines = "1, 2, 3, 4, 5"', "the hours are given twice"),
    ('title = "Friday Night"', "", "title: is missing; write what the setup is called"),
    ('about = "A short game."', "players = 500", "players: 500 can't stand there; write for how many it is"),
    ('about = "A short game."', 'abuot = "A short game."', "abuot: unknown key; did you mean about?"),
    ('about = "A short game."', "players = 4", "roles: Only 0 players are left without a role"),
    ("[switches]", "[[switches]]", "switches: write a table, under a line [switches]"),
    ('"six-phases"', '"nomic-crossing"', "mafioso: no such role"),
])
def test_what_is_wrong_is_named(old: str, new: str, says: str) -> None:
    """With the line, the key, the value, and what could stand there."""
    assert old in FRIDAY
    with pytest.raises(RoleError) as refused:
        checked_setup(FRIDAY.replace(old, new), "setup.toml", OWN)

    assert says in refused.value.why


def test_hours_are_for_rule_sets_with_stages() -> None:
    """The days of nomic-crossing end by votes."""
    with pytest.raises(RoleError, match="has no stages; its days and nights go by its switches"):
        checked_setup('title = "X"\nruleset = "nomic-crossing"\n[hours]\nnight = 3\n', "setup.toml", {})


def test_a_setup_of_no_rule_set_is_refused() -> None:
    """As it is anywhere."""
    with pytest.raises(Refusal, match="no rule set 'chess'"):
        checked_setup('title = "X"\nruleset = "chess"\n', "setup.toml", {})


@each("text", ["x" * 9000, "[roles", "\x00", "", "roles = 1", "[hours]\nnight = 10000000\n"])
def test_a_hostile_file_is_refused(text: str) -> None:
    """By an error that says so, and no other."""
    with pytest.raises(RoleError):
        setup_of(text, "setup.toml")


def test_the_page_is_what_players_read() -> None:
    """Who is dealt what, what each role does with its clauses, the hours, and what is not as usual."""
    found = checked_setup(FRIDAY.replace('about = "', 'players = 9\nabout = "'), "setup.toml", OWN)
    told = " ".join(setup_page(*found).split())

    for part in ("Friday Night", "A short game.", "Mafia in six phases, for 9 players.", "2 mafiosi", "4 townies",
                 "- jail NAME, or jail nobody: nobody can kill em tonight", "nurse (town). You are the nurse.",
                 "[SP 4]", "discussion 24, nominations 48", "mafia_picks = each (usually"):
        assert part in told
    assert "You are the miller" not in told
