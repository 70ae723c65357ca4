"""Setups and roles written as data: rows, files that come with the program, and files of ill will."""

from __future__ import annotations

import os
import re
from collections import Counter
from pathlib import Path

import pytest

from nomicwolf.cli.app import run
from nomicwolf.language.lexicon import lexicon
from nomicwolf.odds import POLICIES, played_session
from nomicwolf.reports.setups import checked_role, checked_setup, fitting_rulesets, setup_page
from nomicwolf.run.contest_setup import own_roles
from nomicwolf.village.events import Drawn, Ended
from nomicwolf.village.lots import cases, draw, possible
from nomicwolf.village.role_file import LARGEST, RESERVED, RoleError, decoded, role_of, terms_of
from nomicwolf.village.rules import Refusal
from nomicwolf.village.rulesets import BUILT_IN, SetupFile, ruleset, setup_of, setups
from nomicwolf.village.rulesets.nomic_crossing import nomic_crossing
from tests.tables import each
from tests.village.test_role_files import JAILKEEPER, NURSE

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
LOVER = """
name = "mafia-lover"
title = "Mafia Lover"
side = "evil"
hunts = true
bound = true
story = "You are one of the Mafia Lovers, and of the mafia. If one of you is killed, so is the other."
"""


def test_a_setup_is_its_roles_and_switches() -> None:
    """Roles by their own names; hours that aren't given are the usual ones; any number from the least can play."""
    setup, rules, players = checked_setup(FRIDAY, "setup.toml", OWN)

    assert setup == SetupFile("Friday Night", "six-phases", "A short game.", 0, (
        "mafioso", "mafioso", "cop", "jailkeeper", "nurse"), {
        "deadlines": "24, 48, 24, 48, 72", "mafia_picks": "each"})
    assert {"jailkeeper", "nurse"} <= rules.roles.keys()
    assert players[0] == 5


@each(("ruleset", "alias"), [(rules.name, alias) for rules in BUILT_IN.values() for alias in rules.aliases
                             if " " not in alias])
def test_an_own_role_is_meant_before_an_alias(ruleset: str, alias: str) -> None:
    """What the rule set calls another role so without the file; a file that can't be used is told, not passed over."""
    evil = "mafioso = 2\n" if "mafioso" in BUILT_IN[ruleset].roles else ""
    text = f'title = "X"\nruleset = "{ruleset}"\nplayers = 11\n[roles]\n{evil}{alias} = 2\n'
    own = {alias: JAILKEEPER.replace('"jailkeeper"', f'"{alias}"').replace('"Jailkeeper"', '"Warden of our"')}
    setup, rules, _ = checked_setup(text, "setup.toml", own)

    assert setup.roles.count(alias) == 2
    assert "2 Warden of ours" in " ".join(setup_page(setup, rules, (11,)).split())
    with pytest.raises(Refusal, match=rf"roles/{alias}\.toml, line \d+: duty 1: verb"):
        checked_setup(text, "setup.toml", {alias: own[alias].replace('"jail"', '"vote"')})


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
    ("mafioso = 2", "mafioso = 0", "setup.toml, line 7: mafioso: 0 isn't allowed there; under [roles] write a whole"),
    ("mafioso = 2", "mafiosi = 2", "line 7: mafiosi: no such role; did you mean mafioso?"),
    ("mafioso = 2", "townie = 2", "roles: These rules name no counts"),
    ("discussion = 24", "talking = 24", "line 13: talking: no such stage; under [hours] there are discussion"),
    ("discussion = 24", 'discussion = "a day"', "line 13: discussion: 'a day' isn't allowed there"),
    ('mafia_picks = "each"', 'mafia_picks = "all"', "mafia_picks: The switch mafia_picks can be plurality, each"),
    ('mafia_picks = "each"', 'mafia_pick = "each"', "did you mean mafia_picks?"),
    ('mafia_picks = "each"', 'deadlines = "1, 2, 3, 4, 5"', "the hours are given twice"),
    ('title = "Friday Night"', "", "title: is missing; write what the setup is called"),
    ('about = "A short game."', "players = 500", "players: 500 isn't allowed there; write for how many it is"),
    ('about = "A short game."', 'abuot = "A short game."', "abuot: unknown key; did you mean about?"),
    ('about = "A short game."', "players = 4", "roles: there are 5 roles for 4 players: leave out 1"),
    ('about = "A short game."', "zz = 9", "there are title, ruleset, about, players, and under lines of their own"),
    ("mafioso = 2", "mafioso = 2\narchduke = 1", "archduke: no such role; the nearest is"),
    ("mafioso = 2", "mafioso = 2\nx-q = 1", "x-q: no such role; nomicwolf roles lists them"),
    ("mafioso = 2", "traitor = 2", "say which roles are in play, and among them a mafioso or godfather, such as"),
    ("mafioso = 2", "serial-killer = 1\ntraitor = 1", "among them a mafioso or godfather, such as"),

    ("[switches]", "[[switches]]", "switches: write a table, under a line [switches]"),
    ('"six-phases"', '"nomic-crossing"', "mafioso: no such role"),
])
def test_what_is_wrong_is_named(old: str, new: str, says: str) -> None:
    """With the line, the key, the value, and what could stand there."""
    assert old in FRIDAY
    with pytest.raises(RoleError) as refused:
        checked_setup(FRIDAY.replace(old, new), "setup.toml", OWN)

    assert says in refused.value.why


@each(("roles", "players", "says"), [
    ("mafioso = 2\ntownie = 3", 9, "9 players less 2 others are 7 of townie, not 3: write townie = 7, or leave it out"),
    ("mafioso = 60\ncop = 60", 0, "there are 120 roles; a setup is for 60 players at most"),
    ("mafioso = 9", 9, "9 of 9 are on the side of the mafia; the others have to be more, or they have lost"),
    ("mafioso = 2\nconsort = 3", 9, "5 of 9 are on the side of the mafia"),
    ("mafioso = 2\nconsort = 1", 5, "3 of 5 are on the side of the mafia"),
    ("raider = 5", 8, "5 of 8 are on the side of the raider"),
])
def test_who_can_t_be_dealt_is_told(roles: str, players: int, says: str) -> None:
    """In numbers; a setup that is lost before it begins is one, too."""
    text = f'title = "X"\nruleset = "six-phases"\n{f"players = {players}" if players else ""}\n[roles]\n{roles}\n'
    with pytest.raises(RoleError, match=re.escape(f"roles: {says}")):
        checked_setup(text, "setup.toml", {})


@each(("switch", "says"), [
    ("surrender = 2", "2 of the mafia give up before anything begins; write a smaller number for surrender"),
    ('evil_wins = "as many"', "2 of 4 are on the side of the mafia; the others have to be more, or they have lost"),
    ('hunt_nights = "never"', "2 of 4 are on the side of the mafia; the others have to be more, or they have lost"),
])
def test_a_setup_that_is_over_before_it_begins_is_refused(switch: str, says: str) -> None:
    """By switches, too; without them four can play it."""
    text = 'title = "X"\nruleset = "six-phases"\nplayers = 4\n[roles]\nmafioso = 2\n'
    assert checked_setup(text, "setup.toml", {})[2] == (4,)
    with pytest.raises(RoleError, match=re.escape(f"roles: {says}")):
        checked_setup(f"{text}[switches]\n{switch}\n", "setup.toml", {})


def test_a_setup_is_for_no_number_that_has_lost_already() -> None:
    """Two mafiosi and their Consort need three others."""
    _, _, players = checked_setup(
        'title = "X"\nruleset = "six-phases"\n[roles]\nmafioso = 2\nconsort = 1\n', "setup.toml", {})

    assert players[0] == 6


@each(("ruleset", "roles", "side"), [
    ("six-phases", "consort = 2\ncop = 1", "mafia"), ("narrated-mafia", "consort = 2\nmason = 2", "mafia"),
    ("six-phases", "serial-killer = 1", "serial-killer"), ("narrated-mafia", "serial-killer = 1", "serial-killer"),
    ("six-phases", "raider = 2\ncop = 1", "raider"), ("six-phases", "consort = 1\ntraitor = 1", "mafia"),
    ("six-phases", "mafia-lover = 2", "mafia"), ("narrated-mafia", "mafia-lover = 2", "mafia"),
])
def test_whoever_is_against_the_others_is_opponent_enough(ruleset: str, roles: str, side: str) -> None:
    """Without a mafioso of the rule set's own; each side wins some, and the lots are of those who are there."""
    text = f'title = "X"\nruleset = "{ruleset}"\nplayers = 8\n[roles]\n{roles}\n'
    setup, rules, _ = checked_setup(text, "setup.toml", {"mafia-lover": LOVER})
    won = set[str]()
    for seed in range(12):
        game = played_session(rules, 8, setup.roles, str(seed), "random", setup.switches)
        ended, lots = game.last(Ended), {drawn.purpose for drawn in game.ever(Drawn)}
        assert ended is not None
        assert lots.isdisjoint({"mafioso", "godfather"})
        assert lots >= {*setup.roles}
        won.add(ended.side)

    assert won == {side, rules.roles[rules.plain].side}


def test_lovers_of_the_mafia_die_together() -> None:
    """Lovers Mafia, as forums play it: no kills by night, and the town has won when one of the two is found."""
    text = ('title = "Lovers Mafia"\nruleset = "six-phases"\nplayers = 6\n[roles]\nmafia-lover = 2\ntownie = 4\n'
            '[switches]\nhunt_nights = "never"\nfirst_day = "trial"\n')
    setup, rules, players = checked_setup(text, "setup.toml", {"mafia-lover": LOVER})
    assert players == (6,)
    for seed in range(20):
        game = played_session(rules, 6, setup.roles, str(seed), "random", setup.switches)
        dead = {who for who, role in game.roles.items() if role == "mafia-lover" and who not in game.alive}
        ended = game.last(Ended)
        assert ended is not None
        assert (len(dead), ended.side) in ((2, "town"), (0, "mafia"))


def test_everything_is_told_at_once() -> None:
    """Of the file's keys, roles, rows and switches, and of all roles' files, each with its line."""
    text = FRIDAY.replace("about", "foo").replace("detective", "detectice").replace('picks = "each"', 'picks = "all"')
    text = f"{text}daylight = 3\nx = 2\n".replace("discussion", "talking").replace("jailkeeper", "warden")
    own = {"nurse": NURSE.replace("nurse", "nures"), "warden": JAILKEEPER.replace('side = "good"', 'side = "red"')}
    with pytest.raises(RoleError) as refused:
        checked_setup(text, "setup.toml", own)

    told = "\n".join(refused.value.problems)
    for says in ("foo: unknown key", "detectice: no such role; did you mean detective?", "talking: no such stage",
                 "line 16: mafia_picks: ", "line 17: daylight: ", "line 18: x: ", "roles/nurse.toml, line 2: name:",
                 "roles/warden.toml, line 4: side:"):
        assert says in told
    assert len({*refused.value.problems}) == len(refused.value.problems)


def test_every_rule_set_is_named_where_none_is() -> None:
    """Also beside other faults."""
    with pytest.raises(RoleError, match=f"ruleset: 'Six-Phases' .*{', '.join(BUILT_IN)}"):
        checked_setup(FRIDAY.replace("six-phases", "Six-Phases"), "setup.toml", OWN)
    with pytest.raises(RoleError, match=r"abuot: unknown key(.|\n)*ruleset: There is no rule set 'chess'"):
        checked_setup(FRIDAY.replace("six-phases", "chess").replace("about", "abuot"), "setup.toml", OWN)


def test_a_setup_says_how_many_werewolves() -> None:
    """By a switch, which its page names; not as a role, for those are dealt by the contract."""
    text = 'title = "X"\nruleset = "nomic-crossing"\nplayers = 11\n[roles]\nseer = 1\nmiller = 1\n'
    setup, rules, players = checked_setup(f"{text}[switches]\nwolves = 2\n", "setup.toml", {})
    told = " ".join(setup_page(setup, rules, players).split())
    assert "Dealt to 11: 7 villagers, 2 werewolves" in told
    assert "wolves = 2 (usually formula): how many werewolves there are. D-N57" in told

    with pytest.raises(RoleError, match="roles: Of 11 townspersons 3 are werewolves without being asked for; leave"):
        checked_setup(f"{text}werewolf = 2\n", "setup.toml", {})


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


@each(("data", "line", "why"), [
    (b'title = "A"\nabout = "\xff"\n', 2, "byte 0xff there is no text; save it as a UTF-8 file"),
    (b'title = "A"\n\nx = ' + b"[" * 4000 + b"]" * 4000, 3, "lists in lists go too deep"),
    (b'title = "A"\nx = ' + b"{a=" * 1300 + b"1" + b"}" * 1300, 2, "lists in lists go too deep"),
    (b'title = "A"\nabout = "\x00"\n', 2, "Illegal character"), (b'title = "A"\ntitle = "B"\n', 2, "overwrite"),
    (b'title = "open\n', 1, "Illegal character"),
])
def test_what_is_no_toml_is_refused_with_its_line(data: bytes, line: int, why: str) -> None:
    """Bytes that are no text, lists in lists without an end, signs that can't be there, values that are never ended."""
    with pytest.raises(RoleError, match=rf"setup\.toml.*line {line}\b.*{why}|{why}.*line {line}\b"):
        setup_of(decoded(data, "setup.toml"), "setup.toml")


def test_the_mark_of_utf8_is_no_part_of_a_file() -> None:
    """Some editors write it in front, where nobody sees it."""
    assert setup_of(decoded(b"\xef\xbb\xbf" + FRIDAY.encode(), "setup.toml"), "setup.toml") == setup_of(FRIDAY, "")


def test_the_page_is_what_players_read() -> None:
    """Who is dealt what, what each role does with its clauses, the hours, and what is not as usual."""
    found = checked_setup(FRIDAY.replace('about = "', 'players = 9\nabout = "'), "setup.toml", OWN)
    told = " ".join(setup_page(*found).split())

    for part in ("Friday Night", "A short game.", "Mafia in six phases, for 9 players.", "2 mafiosi", "4 townies",
                 "- jail NAME, or jail nobody: nobody can kill em tonight", "nurse (town). You are the nurse.",
                 "[SP 4]", "discussion 24, nominations 48", "mafia_picks = each (usually"):
        assert part in told
    assert "You are the miller" not in told


def test_the_page_shows_what_a_pack_does_under_the_switches(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each kills, or nobody; and roles are called as forums call them."""
    file = tmp_path / "goons.toml"
    for switch, attacks in (('mafia_picks = "each"', "whom you name is killed; so is"), ('hunt_nights = "never"', "")):
        file.write_text('title = "Goons"\nruleset = "six-phases"\nplayers = 7\n[roles]\n"mafia goon" = 2\n'
                        f"vanilla-townie = 5\n[switches]\n{switch}\n", encoding="utf-8")
        assert run(["setup", "show", str(file)]) == 0
        told = " ".join(capsys.readouterr().out.split())

        assert "Dealt to 7: 5 townies and 2 mafiosi." in told
        assert attacks in told if attacks else "attack NAME" not in told


ROWS = """
title = "Rows"
ruleset = "six-phases"
players = 9

[roles]
mafioso = 1

[[choice]]
rows = [["cop", "doctor"], ["mafioso", "mason", "mason"], []]

[[choice]]
rows = [["jailkeeper"], ["consort", "tracker", "townie"]]
"""
NAMES = [f"p{n}" for n in range(9)]


def test_the_seed_draws_one_row_of_each_choice() -> None:
    """By the tickets of numbered rows, so that anyone can redo it; over many seeds each comes up."""
    setup, rules, players = checked_setup(ROWS, "rows.toml", {})
    assert players == (9,)
    assert setup.roles == ("mafioso", "cop+doctor|mafioso+mason+mason|nothing", "jailkeeper|consort+tracker+townie")

    fallen = Counter[tuple[str, ...]]()
    for seed in range(300):
        dealt, lots = rules.dealt(NAMES, setup.roles, str(seed), {})
        first, second = lots[:2]
        options = ("1 cop+doctor", "2 mafioso+mason+mason", "3 nothing")
        assert first == Drawn("row 1", options, draw(str(seed), "row 1", options))
        fallen[first.result + second.result] += 1
        special = sorted(role for _, role in dealt if role != "townie")
        assert special in [sorted(role for role in case if role != "townie") for case in cases(setup.roles)]
    assert len(fallen) == 6
    assert min(fallen.values()) > 25


def test_the_page_has_the_rows_and_each_role_that_can_be() -> None:
    """What is dealt in any case, and the rest by lot."""
    told = " ".join(setup_page(*checked_setup(ROWS, "rows.toml", {})).split())

    assert "Dealt to 9: 3 or more townies and 1 or more mafiosi, and more." in told
    assert "1 cop and 1 doctor; or 2 Masons and 1 mafioso; or nothing." in told
    for title in ("Mason (town)", "Consort (mafia)", "tracker (town)", "Jailkeeper (town)"):
        assert title in told


def test_rows_that_are_the_same_are_told_once() -> None:
    """With how likely they are."""
    text = ROWS.replace('["mafioso", "mason", "mason"], []', "[], []")
    told = " ".join(setup_page(*checked_setup(text, "rows.toml", {})).split())

    assert "1 cop and 1 doctor (1 in 3); or nothing (2 in 3)." in told
    assert "1 Jailkeeper; or 1 Consort" in told


@each(("old", "new", "says"), [
    ('["jailkeeper"], ["consort", "tracker", "townie"]', '["jailkeeper"]', "a choice has rows, from 2 to 20"),
    ('["jailkeeper"]', '"jailkeeper"', "'jailkeeper' is no row; write a list of up to 20 names of roles"),
    ('["jailkeeper"]', '["jail|keeper"]', "['jail|keeper'] is no row"),
    ('["jailkeeper"]', '["nothing"]', "['nothing'] is no row"),
    ('["jailkeeper"]', '["jailkeper"]', "jailkeper: no such role; did you mean jailkeeper?"),
    ('rows = [["j', 'weight = 2\nrows = [["j', "a choice has rows, from 2 to 20, and nothing else"),
    ("mafioso = 1", "mafioso = 6", "roles: there are 12 roles for 9 players: leave out 3"),
    ('"mason", "mason"', '"mason", "seer"', "seer: no such role"),
])
def test_what_is_wrong_with_rows_is_named(old: str, new: str, says: str) -> None:
    """With what could stand there; a row that can't be dealt is one, too."""
    assert old in ROWS
    with pytest.raises(RoleError) as refused:
        checked_setup(ROWS.replace(old, new, 1), "rows.toml", {})

    assert says in " ".join(refused.value.why.split())


def test_a_single_table_is_no_choice() -> None:
    """It is told how one looks."""
    with pytest.raises(RoleError, match=r"choice: write up to 6 tables under lines \[\[choice\]\]"):
        checked_setup(ROWS.partition("[[choice]]")[0] + "[choice]\nrows = [[]]\n", "rows.toml", {})


def test_too_many_ways_are_refused() -> None:
    """So that each of them can be tried."""
    choice = f"[[choice]]\nrows = [{', '.join(['[]'] * 8)}]\n"
    with pytest.raises(RoleError, match="more than 1000 ways"):
        checked_setup(ROWS.partition("[[choice]]")[0] + choice * 4, "rows.toml", {})


def test_a_row_with_an_unknown_role_is_refused_whatever_the_seed() -> None:
    """Not just when it falls."""
    with pytest.raises(Refusal, match="no role wizard"):
        ruleset("nomic-crossing").dealt(NAMES, ("seer|wizard",), "1", {})


SETUPS = setups()


def test_there_are_a_dozen_of_all_rule_sets() -> None:
    """Each rule set has one that is its own: none but its own roles."""
    found = [checked_setup(text, name, {}) for name, text in SETUPS.items()]

    assert len(found) >= 12
    own = {rules.name for setup, rules, _ in found if {*possible(setup.roles)} <= {*BUILT_IN[rules.name].roles}}
    assert own == {*BUILT_IN}
    assert all(setup.about and setup.players for setup, _, _ in found)


@each("name", sorted(SETUPS))
def test_its_page_has_every_role_once(name: str) -> None:
    """With how many hold it; roles that seem the same are told as one."""
    setup, rules, players = checked_setup(SETUPS[name], name, {})
    told = setup_page(setup, rules, players)

    assert told.startswith(setup.title)
    for title in {rules.roles[role].title for role in possible(setup.roles)}:
        assert told.count(f"\n{title} (") == 1


@pytest.mark.parametrize("policy", sorted(POLICIES))
@pytest.mark.parametrize("name", sorted(SETUPS))
def test_it_is_played_to_its_end(name: str, policy: str) -> None:
    """By every policy; somebody wins, and who was dealt what is what it says."""
    setup, rules, players = checked_setup(SETUPS[name], name, {})
    for seed in "12":
        game = played_session(rules, players[0], setup.roles, seed, policy, setup.switches)

        assert game.over
        assert game.last(Ended) is not None
        assert game.opened is not None
        dealt = Counter(role for _, role, _ in game.opened.deal)
        asked = [Counter(role for role in case if role != rules.plain) for case in cases(setup.roles)]
        assert any(all(dealt[role] == count for role, count in case.items()) for case in asked)


def test_the_evil_side_is_no_minority_of_none() -> None:
    """In each setup somebody is against the good side, and no side of those is as large as all others."""
    for name, text in SETUPS.items():
        setup, rules, players = checked_setup(text, name, {})
        for deck in rules.decks([f"p{n}" for n in range(players[0])], setup.roles, dict(setup.switches)):
            against = rules.opponents(deck.elements())
            assert 0 < max(against.values()) < players[0] - max(against.values()), name


@each("text", [
    "[" * 4000, "a = " + "[" * 4000, "a = " + "{b = " * 1300, "a." * 2000 + "b = 1", "[[duty]]\n" * 800,
    "x" * (LARGEST + 1), f"{JAILKEEPER}verb = 'again'\n", f"name = 'x'\n{JAILKEEPER}",
    f"{JAILKEEPER}\n[duty]\nverb = 'x'\n", "\ufeffname = 'x'", "name = 'x'\x00", "uses = 1e400",
    f"uses = {'9' * 5000}", "a = 0x" + "f" * 4000, "day = 2026-12-01T09:00:00Z",
    'duty = "jail"', "duty = [1, 2]", "duty = {verb = 'x'}",
])
def test_what_is_no_role_is_refused(text: str) -> None:
    """Deep, long, double, odd: by an error with the place, in no time."""
    with pytest.raises(RoleError):
        role_of(text, terms_of(nomic_crossing), "roles/x.toml")
    with pytest.raises(RoleError):
        setup_of(text, "setup.toml")


@each("name", ["j\u0430il", "jail\u200b", "ja\u00efl", "\u5929", "jail ", "JAIL", "..", "a/b",
               "a" * 25, "con.fig", "-jail", "jail--er"])
def test_names_and_verbs_are_plain_letters(name: str) -> None:
    """No letters that look like others, or that show as nothing."""
    for key in ("name", "verb"):
        text = JAILKEEPER.replace('"jailkeeper"' if key == "name" else '"jail"', f'"{name}"')
        with pytest.raises(RoleError, match=f"{key}: "):
            role_of(text, terms_of(nomic_crossing), "roles/jailkeeper.toml")


def test_no_word_of_the_programs_own_can_be_taken() -> None:
    """Whatever is done in forums, or to the program: neither as a verb, nor at the beginning of another word."""
    public = {name for name, frame in lexicon().frames.items() if not frame.private}
    for word in sorted(public | RESERVED):
        assert not fitting_rulesets(JAILKEEPER.replace('"jail"', f'"{word}"'), "jailkeeper.toml")[0], word
    for words in ("vote for", "object to", "join with", "endorse", "retract"):
        with pytest.raises(RoleError):
            checked_role(JAILKEEPER.replace('"detain"', f'"{words}"'), nomic_crossing, "jailkeeper.toml")


def test_only_plain_files_of_the_contest_are_read(tmp_path: Path) -> None:
    """A pipe would never end, a device neither; a link leads to what is another's to read."""
    roles = tmp_path / "contest" / "roles"
    roles.mkdir(parents=True)
    (tmp_path / "secret.toml").write_text('password = "hush"', encoding="utf-8")
    os.mkfifo(roles / "pipe.toml")
    (roles / "zero.toml").symlink_to("/dev/zero")
    (roles / "link.toml").symlink_to(tmp_path / "secret.toml")
    (roles / "loop.toml").symlink_to(roles / "loop.toml")
    (roles / "folder.toml").mkdir()
    (roles / "large.toml").write_text("x" * (LARGEST + 1), encoding="utf-8")
    (roles / "jailkeeper.toml").write_text(JAILKEEPER, encoding="utf-8")

    found = own_roles(tmp_path / "contest")
    assert found.pop("jailkeeper") == JAILKEEPER
    assert set(found.values()) == {""}
