"""A contest with roles of its own: they are played by mail, told to all, and kept in the record."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from nomicwolf.archive.replay import Redone, _dealt, replay_moves
from nomicwolf.contest import Contest
from nomicwolf.ledger.records import read_entry, write_entry
from nomicwolf.nomic.events import DeedDone, Refused
from nomicwolf.nomic.state import is_village
from nomicwolf.village.events import Chose, Drawn, RolesBrought
from nomicwolf.village.rulesets import SetupFile, library, rules_in
from tests.contest.world import SEVEN, World, setup
from tests.tables import each
from tests.village.test_role_files import JAILKEEPER

pytestmark = pytest.mark.slow

SETUP = SetupFile(
    "Friday Night", "six-phases", players=7, roles=("mafioso", "mafioso", "cop", "jailkeeper"),
    switches={"mafia_picks": "each"})


def world(text: str = JAILKEEPER) -> World:
    """A session of seven with a Jailkeeper, in its first night."""
    made = World(replace(setup(), roles={"jailkeeper": text}))
    made.start(roles="seer,jailkeeper")
    return made


def at_night(made: World) -> tuple[str, str]:
    """Let one villager be lynched; return the Jailkeeper, and somebody else who lives."""
    keeper = made.holder("jailkeeper")
    plain = [who for who in SEVEN if made.contest.game is not None and made.game.roles[who] == "villager"]
    for who in SEVEN:
        if who != plain[0]:
            made.write(who, f"I vote for {plain[0]}.", at=1)
    assert made.game.phase == "night"
    return keeper, plain[1]


def test_the_start_tells_everyone_what_the_role_does() -> None:
    """Its title, side, story and deed; its holder is told in private, with the help."""
    made = world()
    told, keeper = " ".join(made.to("agora").split()), made.holder("jailkeeper")

    assert "Optional roles in play (NC 2c), each held by a villager: Seer and Jailkeeper." in told
    assert "Jailkeeper (villagers): You are the Jailkeeper." in told
    assert "jail NAME, or jail nobody: no one can kill em tonight, and e can do nothing" in told
    assert "You are the Jailkeeper." in made.to(keeper)


@each("words", ["jail {}", "I detain {} tonight.", "I'm locking up {}", "lock up {}", "Jail: {}", "I jail {}."])
def test_the_holder_writes_it_in_many_ways(words: str) -> None:
    """Its verb and its other words are frames of the language, in private letters."""
    made = world()
    keeper, other = at_night(made)
    made.write(keeper, words.format(other), to="contestmaster", at=2)

    assert [e.event for e in made.entries if isinstance(e.event, Chose)] == [Chose(keeper, "jail", (other,))]
    assert f"jail {other}" in made.to(keeper)


def test_an_html_copy_that_jails_somebody_else_is_held() -> None:
    """The role's own verb is compared like any of the language's."""
    made = world()
    keeper, other = at_night(made)
    html = "Content-Type: multipart/alternative; boundary=x\r\n"
    text = "--x\r\n\r\nNow I jail {}, alas.\r\n--x\r\nContent-Type: text/html\r\n\r\nNow I jail {}, alas.\r\n--x--"

    assert made.write(keeper, text.format(other, keeper), to="contestmaster", at=2, headers=html).bucket == "held"
    assert made.write(keeper, text.format(other, other), to="contestmaster", at=2, headers=html).bucket == "deeds"


def test_the_holder_can_decline_and_ask_for_help() -> None:
    """Nobody is jailed; the help has the deed."""
    made = world()
    keeper, _ = at_night(made)
    made.write(keeper, "jail nobody", to="contestmaster", at=2)
    (done,) = [e.event for e in made.entries if isinstance(e.event, DeedDone)]
    assert done.says == "jail nobody"

    made.write(keeper, "help", to="contestmaster", at=3)
    assert "jail NAME, or jail nobody" in made.to(keeper)


def test_others_are_refused_in_words_that_tell_nothing() -> None:
    """Whoever isn't the Jailkeeper can't jail; in a forum it is refused by the way it came."""
    made = world()
    keeper, other = at_night(made)
    made.write(other, f"jail {keeper}", to="contestmaster", at=2)
    assert "Not done (jail): You can't do this now" in " ".join(made.to(other).split())

    made.write(keeper, f"jail {other}", at=3)
    (refused,) = [e.event for e in made.entries if isinstance(e.event, Refused)]
    assert "private mail was posted where others can read it" in refused.why


def test_the_contestmaster_acts_for_the_holder() -> None:
    """NC 1j: by the same words, once eir time is over."""
    made = world()
    keeper, other = at_night(made)
    outcome = made.command("act-for", at=24 * 9, who=keeper, deed=f"detain {other}", phase="night 1")

    assert outcome.status == 0, outcome.said
    assert made.game.ever(Chose, verb="jail") == [Chose(keeper, "jail", (other,), by="Murphy")]


def test_what_is_played_is_what_the_record_has() -> None:
    """Another file, or none, changes nothing in a session that has begun: it is what its record says."""
    made = world()
    keeper, other = at_night(made)
    (pinned,) = made.events(RolesBrought)
    assert pinned.event == RolesBrought((JAILKEEPER,))

    kept = [read_entry(write_entry(entry)) for entry in made.contest.entries]
    for own in ({}, {"jailkeeper": JAILKEEPER.replace('"jail"', '"arrest"')}):
        made.contest = Contest.of(replace(setup(), roles=own), kept)
        assert rules_in(made.game).roles["jailkeeper"].duties[0].verb == "jail"
    made.write(keeper, f"jail {other}", to="contestmaster", at=2)
    assert [e.event for e in made.entries if isinstance(e.event, Chose)] == [Chose(keeper, "jail", (other,))]


def test_every_move_can_be_made_again_from_the_record() -> None:
    """As `verify` and `replay` do it."""
    made = world()
    keeper, other = at_night(made)
    made.write(keeper, f"jail {other}", to="contestmaster", at=2)
    game = made.game

    entries = [e for e in made.contest.entries if is_village(e.event)]
    assert list(replay_moves(entries, rules_in(game), Redone(exact=False))) == []


@each(("own", "roles", "says"), [
    ({"jailkeeper": JAILKEEPER.replace("good", "bad")}, "jailkeeper", "roles/jailkeeper.toml, line 4: side: 'bad'"),
    ({"seer": JAILKEEPER}, "seer", "roles/seer.toml: nomic-crossing has a role called seer"),
    ({"warden": JAILKEEPER}, "warden", "the file is called warden.toml"),
    ({"warden": ""}, "warden", "nothing can be read of it"),
    ({}, "warden", "Optional roles are seer, witch, hunter, cupid"),
])
def test_a_file_that_cant_be_used_stops_the_start(own: dict[str, str], roles: str, says: str) -> None:
    """The contestmaster is told what to mend, and nothing was started."""
    made = World(replace(setup(), roles=own))
    for name in SEVEN:
        made.write(name, "I join.")
    outcome = made.command("start", roles=roles, seed="7", limit="agora=35")

    assert outcome.status == 1
    assert says in " ".join(outcome.said.split())
    assert made.contest.running is None


def test_a_session_without_such_roles_has_a_record_as_before() -> None:
    """Files that nobody asks for are looked at by nobody, be they wrong."""
    made = World(replace(setup(), roles={"warden": "nonsense"})).start(roles="seer")

    assert made.events(RolesBrought) == []


def started_by(chosen: SetupFile, roles: str = "", ruleset: str = "six-phases") -> tuple[World, str]:
    """A contest with a setup whose session was started, and what was said."""
    made = World(replace(setup(), ruleset=ruleset, switches=chosen.switches, chosen=chosen))
    for name in SEVEN:
        made.write(name, "I join.")
    return made, made.command("start", seed="7", roles=roles, limit="agora=35").said


def test_a_start_deals_the_roles_of_the_setup() -> None:
    """Those of the library are brought along; --roles takes others in their place."""
    made, said = started_by(SETUP)
    assert "has started with 7 players" in said
    game = made.game
    assert sorted(game.roles.values()) == ["cop", "jailkeeper", "mafioso", "mafioso", "townie", "townie", "townie"]
    assert game.brought == (library()["jailkeeper"],)
    assert game.switches["mafia_picks"] == "each"

    others, _ = started_by(SETUP, roles="mafioso,doctor")
    assert "cop" not in others.game.roles.values()


def test_a_setup_for_another_number_or_rule_set_is_not_dealt() -> None:
    """The start is refused, or asks for roles as ever."""
    made, said = started_by(replace(SETUP, players=9))
    assert "Friday Night is for 9 players, and there are 7" in said
    assert made.contest.running is None

    _, said = started_by(replace(SETUP, ruleset="tabula"))
    assert "These rules name no counts" in said


ROWS = "hunter,seer+witch|jailkeeper+tracker|nothing"


def rows_fallen(made: World) -> list[str]:
    """The special roles that were dealt."""
    return sorted(set(made.game.roles.values()) - {"villager", "werewolf"})


def test_rows_are_told_and_not_which_was_drawn() -> None:
    """Of seeds that have other rows fall, the public letters are the same but for the hashes."""
    told = dict[str, str]()
    for seed in "1234567":
        made = World(setup()).start(roles=ROWS, seed=seed)
        told[",".join(rows_fallen(made))] = re.sub(r"[0-9a-f]{64}", "#", made.to("agora"))

    assert {*told} == {"hunter", "hunter,seer,witch", "hunter,jailkeeper,tracker"}
    assert len({*told.values()}) == 1
    words = " ".join(next(iter(told.values())).split())
    assert "each held by a villager: Hunter." in words
    assert "Drawn by lot, and known to nobody: 1 Seer and 1 Witch; or 1 Jailkeeper and 1 Tracker; or nothing." in words
    assert "Tracker (villagers): You are the Tracker" in words


def test_the_row_can_be_redone_from_the_record() -> None:
    """As `verify` and `replay` do it; another row than that of the seed is found."""
    made = World(setup()).start(roles=ROWS)
    game = made.game
    entries = [e for e in made.contest.entries if is_village(e.event)]
    assert list(replay_moves(entries, rules_in(game), Redone(exact=False))) == []
    assert list(_dealt("session 1", game.opened, entries, rules_in(game))) == []  # type: ignore[arg-type]

    row = next(e for e in entries if isinstance(e.event, Drawn) and e.event.purpose == "row 1")
    assert isinstance(row.event, Drawn)
    others = [option for option in row.event.options if (option,) != row.event.result]
    forged = [replace(e, event=replace(row.event, result=(others[0],))) if e is row else e for e in entries]
    assert "not those of the seed" in next(_dealt("session 1", game.opened, forged, rules_in(game)))  # type: ignore[arg-type]


def test_a_row_that_could_not_be_dealt_stops_the_start() -> None:
    """Whatever the seed, so that a refusal tells nothing of what would have been drawn."""
    for seed in "123":
        made = World(setup())
        for name in SEVEN:
            made.write(name, "I join.")
        outcome = made.command("start", roles="seer,jailkeeper|seer+witch", seed=seed, limit="agora=35")
        assert outcome.status == 1
        assert made.contest.running is None
