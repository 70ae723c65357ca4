"""What the keys of a role do is said to its holder, and what of a setup is hardly meant to its moderator."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from nomicwolf.cli.app import run
from nomicwolf.reports.setups import checked_setup, doubts, setup_page
from nomicwolf.village.role_file import DUTY, ROLE, RoleError, role_of, terms_of
from nomicwolf.village.rulesets import BUILT_IN, library, ruleset
from tests.tables import each

PLAIN = 'name = "hermit"\nside = "good"\nstory = "You live on the hill."\n'
DEED = '[[duty]]\nverb = "hex"\nsays = "e can do nothing"\ndoes = ["block"]\n'
RULES = ruleset("six-phases")


def told(keys: str, text: str = PLAIN) -> str:
    """What the holder of a role with these *keys* is told beside its story, and its side."""
    story = role_of(f"{text}{keys}\n", terms_of(RULES)).story
    return story.removeprefix("You live on the hill. You are on the good side.").strip()


@each(("keys", "says"), [
    ("", ""),
    ("known = true", "Everyone is told at the start that you hold this role."),
    ('knows = ["king", "pack"]', "You are told at the start who holds the role king and who is of the pack."),
    ("votes = 2", "Your vote counts twice, and everyone is told so at the start."),
    ("votes = 0", "Your vote counts for nothing, and everyone is told so at the start."),
    ('verdict = "twice"', "Your verdict in a trial counts twice."),
    ('card = "hidden"', "Nothing is told of what you were once you are dead."),
    ('succeeds = ["cop"]',
     "When it first becomes known that one of the good side who held the role cop is dead, you take that role."),
    ('seems = "evil"', "Whoever looks for your side by night sees you on the evil one."),
    ("survives = 1", "You survive the first time that somebody would kill you by night."),
    ("survives = 3", "You survive the first 3 times that somebody would kill you by night."),
    ('survives = "always"', "You survive whenever somebody would kill you by night."),
    ('immune = ["block", "protect"]', "Of what others do by night, this doesn't reach you: block and protect."),
    ('immune = ["all"]', "Nothing that others do by night reaches you, but killing does."),
    ('revenge = "on the last voter"', "If you are put to death by a vote, the last who voted for it dies, too."),
    ('together = true\ntalks = "always"', "All who hold your role know one another, and can talk at any time."),
    ('wins = "also if alive"', "You win with your side, and also if you are alive at the end."),
    ('wins = "only if lynched"', "You win only if you are put to death by a vote, whichever side wins."),
    ('wins = "only if among the last 3"',
     "You win only if you are alive at the end, with no more than 3 in all, whichever side wins."),
    ('wins = "also if 1 of the evil side are dead"',
     "You win with your side, and also if at least 1 of the evil side is dead at the end."),
    ('ends = "evil wins if dead"',
     "If you die in any way but by leaving, the session is over, and the evil side has won."),
    ('ends = "good wins if lynched on day 1"',
     "If you are put to death by a vote on day 1, the session is over, and the good side has won."),
    ('answers = "opposite"', ""),
])
def test_a_key_is_a_sentence_to_the_holder(keys: str, says: str) -> None:
    """It follows the story; what is answered to one who is deceived is told to nobody."""
    assert told(keys) == says


def test_each_key_that_does_something_is_told() -> None:
    """But those that are the role's text, the side of deeds, and what deceives its holder."""
    silent = {"name", "title", "story", "clauses", "rulesets", "answers", "one_a_night", "chooses", "talks"}
    values = {"side": '"evil"', "seems": '"evil"', "survives": "1", "wins": '"only if alive"', "card": '"hidden"',
              "ends": '"good wins if dead"', "immune": '["block"]', "knows": '["king"]', "votes": "3",
              "verdict": '"twice"', "visitors": '"die"', "revenge": '"on the killer"', "succeeds": '["any"]'}
    for key in ROLE.keys() - silent - {"side", "hunts"}:
        assert told(f"{key} = {values.get(key, 'true')}"), key
    evil = PLAIN.replace('"good"', '"evil"')
    assert "You are one of the pack" in told("hunts = true", evil)
    assert "The pack doesn't know you" in told("", evil)


@each(("keys", "says"), [
    ("", ""), ("uses = 1", " (once in a session)"), ("uses = 4", " (4 times in a session)"),
    ('when = "night 2"\nuses = 2', " (on night 2, twice in a session)"),
    ('when = "from night 2"', " (from night 2 on)"),
    ('when = "odd nights"', " (on odd nights)"), ('names = "anyone"', " (you can name yourself, too)"),
    ('names = "the dead"', " (to somebody who is known to be dead)"),
    ("same_again = false", " (not to the same person on two nights running)"),
])
def test_the_limits_of_a_deed_stand_behind_it(keys: str, says: str) -> None:
    """When, how often and to whom it can be done, by its keys."""
    (duty,) = role_of(f"{PLAIN}{DEED}{keys}\n", terms_of(RULES)).duties

    assert duty.says == f"hex NAME: e can do nothing{says}"


def test_what_a_deed_says_of_its_limits_is_not_said_again() -> None:
    """In the same words; each key of a deed is its words, its effect or a limit."""
    text = f"{PLAIN}{DEED}uses = 1\n".replace("e can do nothing", "e can do nothing (once in a session)")
    (duty,) = role_of(text, terms_of(RULES)).duties

    assert duty.says.count("once in a session") == 1
    assert {*DUTY} == {"verb", "says", "does", "words", "clauses", "shared", "when", "uses", "names", "same_again"}


@each("name", sorted(library()))
def test_a_story_of_the_library_tells_its_keys_itself(name: str) -> None:
    """So nothing is added to it, and an own role of the same story has added what the library's lacks."""
    text = library()[name]
    for rules in BUILT_IN.values():
        terms = terms_of(rules)
        if name not in terms.names and (name != "mayor" or terms.trials):
            story = role_of(text, terms).story
            assert story in " ".join(text.split())
            assert role_of(f"votes = 3\n{re.sub('votes = .', '', text)}", terms).story == (
                f"{story} Your vote counts three times, and everyone is told so at the start.")


def test_an_own_cop_who_is_deceived_is_told_what_the_cop_is() -> None:
    """By the story of the library's, or of the rule set's own."""
    for story, rules in ((role_of(library()["cop"], terms_of(ruleset("tabula"))).story, ruleset("tabula")),
                         (RULES.roles["cop"].story, RULES)):
        text = f'name = "sleepy-cop"\nside = "good"\nanswers = "opposite"\nstory = "{story}"\n'
        assert role_of(text, terms_of(rules)).story == story


SETUP = """
title = "Hill"
ruleset = "six-phases"
players = 9

[roles]
mafioso = 2
"""


@each(("keys", "more", "says"), [
    ('knows = ["king"]', "hermit = 1",
     "setup.toml, line 7: hermit: its knows names king, held by nobody here; others hold mafioso, townie"),
    ('succeeds = ["seer", "king"]', "hermit = 1", "hermit: its succeeds names seer and king, held by nobody here"),
    ('knows = ["pack"]\nsucceeds = ["any"]', "hermit = 1", ""),
    ('succeeds = ["cop", "king"]', "hermit = 1\ncop = 1", ""),
    ("", "lover = 1", "line 7: lover: 1 alone is dealt, but its holders know one another; write lover = 2, or more"),
    ("", "lover = 2", ""),
    ("bound = true", "hermit = 1", "hermit: 1 alone is dealt, but its holders die together; write hermit = 2, or more"),
    ("", "templar = 1", ""),
    ("", '[[choice]]\nrows = [["cop", "doctor"], ["doctor", "cop"], []]',
     'line 8: rows: ["cop", "doctor"] is there 2 times, and that much likelier; leave it once'),
    ("", '[[choice]]\nrows = [["cop"], ["cop"]]', 'rows: all are the same, ["cop"]; write its roles under [roles]'),
    ("", '[[choice]]\nrows = [["cop"], []]', ""),
])
def test_what_is_hardly_meant_is_told(
    keys: str, more: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With its key and what could stand there; the setup can be played all the same."""
    text, own = f"{SETUP}{more}\n".lstrip(), {"hermit": f"{PLAIN}{keys}\n"}
    found = doubts(*checked_setup(text, "setup.toml", own), text, "setup.toml")

    assert len(found) == bool(says)
    assert says in "".join(found)
    (tmp_path / "roles").mkdir(exist_ok=True)
    (tmp_path / "roles" / "hermit.toml").write_text(own["hermit"])
    (tmp_path / "setup.toml").write_text(text)
    assert run(["setup", "check", str(tmp_path / "setup.toml")]) == 0
    assert says.partition("line")[2] in capsys.readouterr().out


def test_a_role_that_is_called_like_a_side_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of its file by the rule sets, and of a setup; it can be played, as an alias can that it takes the place of."""
    (tmp_path / "roles").mkdir()
    file, setup = tmp_path / "roles" / "mafia.toml", tmp_path / "setup.toml"
    file.write_text(PLAIN.replace("hermit", "mafia"))
    setup.write_text(f"{SETUP}mafia = 1\n".lstrip())

    assert run(["setup", "check", str(file), str(setup)]) == 0
    said = capsys.readouterr().out
    assert "mafia.toml: name: mafia is a side in six-phases, narrated-mafia; give the role a name of its own" in said
    assert "setup.toml, line 7: mafia: Mafia in six phases calls a side so; give the role a name of its own" in said


@each(("old", "new", "says"), [
    ('"good"', '"good"\nchooses = true', "line 3: chooses: it has nothing to do by night; add a [[duty]]"),
    ('"good"', '"good"\nchooses = true\none_a_night = true', "chooses: who does one deed in the session does no more"),
    ('"good"', '"good"\none_a_night = true', "line 3: one_a_night: it has nothing to do by night; add a [[duty]]"),
])
def test_what_can_never_be_meant_is_refused(old: str, new: str, says: str) -> None:
    """A role that does one of no deeds, and one that does one a night of one in all."""
    with pytest.raises(RoleError) as refused:
        role_of(PLAIN.replace(old, new), terms_of(RULES), "roles/hermit.toml")

    assert says in refused.value.why


@each(("keys", "says"), [
    ("", "Drawn by lot, and known to nobody: 1 hermit; or 1 Tracker."),
    ("known = true", "1 hermit; or 1 Tracker. Everyone is told at the start who is hermit, if anyone is."),
    ("votes = 2", "1 hermit; or 1 Tracker. Everyone is told at the start who is hermit, if anyone is."),
])
def test_rows_with_a_role_that_is_announced_are_not_known_to_nobody(keys: str, says: str) -> None:
    """The page of the setup says which role is; and by its story that its vote counts twice."""
    text = f'{SETUP}[[choice]]\nrows = [["hermit"], ["tracker"]]\n'
    page = " ".join(setup_page(*checked_setup(text, "setup.toml", {"hermit": f"{PLAIN}{keys}\n"})).split())

    assert says.lower() in page.lower()
    assert ("Your vote counts twice" in page) == (keys == "votes = 2")
