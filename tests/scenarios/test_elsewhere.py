"""What `ELSEWHERE.md` says is held elsewhere is; and the cases that had no other place."""

from __future__ import annotations

import random
import re
from math import sqrt
from pathlib import Path

import pytest

from nomicwolf.cli.app import order_of
from nomicwolf.ledger.records import read_entry, write_entry
from nomicwolf.nomic.events import Ruled
from nomicwolf.nomic.state import Contest
from nomicwolf.rehearsal import read_script, rehearse
from nomicwolf.tally import tally
from nomicwolf.village.events import Chose, Drawn, Voted
from nomicwolf.village.lots import draw
from nomicwolf.village.rulesets.nomic_crossing import deal
from tests.tables import each

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
TABLES = (HERE / "ELSEWHERE.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| ([A-Z]-[^|]*?) \|.*\| `([\w/.]+)::(\w+)` \|$", TABLES, re.MULTILINE)
TOWN = "{Ash: werewolf, Hal: werewolf, Bex: villager, Cam: seer, Dov: witch, Eli: hunter, Fay: villager, Gus: villager}"
SESSION = f"ruleset: nomic-crossing\ngiven:\n  roles: {TOWN}\n  contestmaster: Murphy\n"


@each(("case", "file", "name"), ROWS)
def test_a_test_that_is_named_is_there(case: str, file: str, name: str) -> None:
    """Each case names a function of a file below `tests`."""
    assert f"\ndef {name}(" in (HERE.parent / file).read_text(encoding="utf-8"), case


def test_every_row_is_read() -> None:
    """No line of a table escapes by its form."""
    lines = [line for line in TABLES.splitlines() if re.match(r"\| [A-Z]-", line)]

    assert len(ROWS) == len(lines) > 40


def ballots(names: list[str], dice: random.Random) -> dict[str, str]:
    """A ballot for each: plain, endorsing, or hanging on what others vote."""
    def one(who: str) -> str:
        first, second, third = dice.sample([n for n in names if n != who], 3)
        return dice.choice((
            first, f"endorse {first}", f"{first} if {second} is voting for {first}, otherwise endorse {third}",
            f"{first} if at least {dice.randint(1, 60)} others are voting for {first}, otherwise {second}"))

    return {who: one(who) for who in names}


@pytest.mark.parametrize("seed", range(3))
def test_two_hundred_voters(seed: int) -> None:
    """N-55: it ends, in any order of ballots it comes to the same, and so it does when asked again."""
    dice = random.Random(seed)
    names = [f"P{number}" for number in range(200)]
    votes = ballots(names, dice)
    given = {"townspersons": names, "votes": votes}
    shuffled = dict(dice.sample(sorted(votes.items()), len(votes)))
    first, again, other = tally(given), tally(given), tally({**given, "votes": shuffled})

    assert first == again
    assert (first["counts"], first["lynched"]) == (other["counts"], other["lynched"])
    assert {who: vote["value"] for who, vote in first["votes"].items()} == {
        who: vote["value"] for who, vote in other["votes"].items()}


def test_a_ruling_does_what_acting_for_someone_may_not() -> None:
    """N-67: 1j gives no power over a lynched Hunter by day; a ruling that names its authority shoots."""
    played = rehearse(read_script(SESSION + """\
  phase: day 1
  at: 2026-12-01T00:00Z
  votes: {Ash: Eli, Bex: Eli, Cam: Eli, Dov: Eli}
when:
  - {at: 2026-12-01T09:00Z, from: Fay, says: "I vote for Eli."}
  - {at: 2026-12-09T09:00Z, from: Murphy, command: "act-for Eli 'shoot Gus'"}
  - at: 2026-12-09T09:10Z
    from: Murphy
    command: "ruling 'Eli has been silent for eight days.' --authority 'D-N3' --for Eli --deed 'shoot Gus'"
then:
  refused: [{from: Murphy, contains: "1j"}]
  phase: night 1
  dead: [Eli, Gus]
"""), order_of)

    assert played.failures == []
    assert {type(e.event) for e in played.entries} >= {Ruled, Chose}


def test_a_count_has_order_chains_reasons_and_changes() -> None:
    """X-27: voters in order of arrival, who endorses whom, why a vote hangs, who is silent, what has changed."""
    played = rehearse(read_script(SESSION + """\
  phase: day 1
  at: 2026-12-01T00:00Z
when:
  - {at: 2026-12-01T09:00Z, from: Cam, says: "I vote for Gus."}
  - {at: 2026-12-01T10:00Z, from: Bex, says: "I endorse Cam."}
  - {at: 2026-12-01T11:00Z, from: Dov, says: "I vote for Gus if Fay is voting for Gus, otherwise nobody."}
  - {at: 2026-12-01T12:00Z, from: Murphy, command: announce}
  - {at: 2026-12-01T13:00Z, from: Cam, says: "I vote for Fay."}
  - {at: 2026-12-01T14:00Z, from: Murphy, command: announce}
"""), order_of)
    first, second = [o.body for o in played.letters if o.forum == "agora" and "count" in o.subject]

    assert "2/5" in first
    assert "Gus  Cam, Bex (endorsing Cam)" in first
    assert "Dov" in first.partition("[1]")[2]
    assert "Ash" in first.partition("Not voting:")[2].splitlines()[0]
    assert "Cam  Gus -> Fay" in second
    assert max(len(line) for body in (first, second) for line in body.splitlines()) <= 72


def test_so_many_are_dealt_a_werewolf() -> None:
    """N-01: in sessions that begin with 5 to 20 contestants, counted in the cards."""
    found = []
    for players in range(5, 21):
        names = ", ".join(f"P{number}" for number in range(players))
        played = rehearse(read_script(f"""\
ruleset: nomic-crossing
given: {{contestants: [{names}], contestmaster: Murphy, limit: {{agora: 50}}, at: 2026-12-01T00:00Z}}
when:
  - {{at: 2026-12-01T09:00Z, from: Murphy, command: start}}
"""), order_of)
        game = played.contest.running
        assert game is not None
        found.append(len(game.holders("werewolf")))

    assert found == [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6]


def test_over_ten_thousand_seeds_the_deal_is_fair() -> None:
    """N-05: each of eight is a werewolf in a quarter of the deals, within three standard deviations."""
    names = [f"P{number}" for number in range(8)]
    held = dict.fromkeys(names, 0)
    for seed in range(10_000):
        for who, role in deal(names, (), str(seed), {})[0]:
            held[who] += role == "werewolf"

    assert sum(held.values()) == 20_000
    assert all(abs(number - 2500) <= 3 * sqrt(10_000 * 0.25 * 0.75) for number in held.values()), held


def test_role_letters_have_one_shape_and_one_recipient() -> None:
    """N-06: each player gets one letter, to em alone, under one subject, that tells eir own role only."""
    played = rehearse(read_script(SESSION + "  phase: setup\n  at: 2026-12-01T00:00Z\nwhen: []\n"), order_of)
    told = [x for x in played.letters if x.kind == "private" and x.person != "Murphy"]
    roles = dict(played.script.given.position.roles)

    assert [x.person for x in told] == list(roles)
    assert len({x.to for x in told}) == len(roles)
    assert len({x.subject for x in told}) == 1
    for letter in told:
        assert f"what you are: {roles[letter.person]}" in letter.body.replace("Seer", "seer").replace(
            "Witch", "witch").replace("Hunter", "hunter")
        others = {role for who, role in roles.items() if role not in (roles[letter.person], "villager", "werewolf")}
        assert not [role for role in others if role in letter.body.lower()]
        assert ("Ash and Hal" in letter.body) is (letter.person in ("Ash", "Hal"))


@pytest.mark.parametrize(("first", "second", "lynched"), [
    ("Bex: I vote for Fay.", "Ash: I vote for Gus.", ()), ("Ash: I vote for Gus.", "Bex: I vote for Fay.", ("Gus",)),
])
def test_a_tie_within_a_second_is_recorded(first: str, second: str, lynched: tuple[str, ...]) -> None:
    """N-115: the record says which place in the mailbox each vote had, and comes to the same when told again."""
    lines = "".join(f'  - {{at: 2026-12-01T10:00Z, from: {who}, says: "{says}"}}\n'
                    for who, says in (first.split(": "), second.split(": ")))
    votes = "{Bex: Gus, Cam: Gus, Fay: Gus, Dov: Gus}"
    played = rehearse(read_script(
        SESSION + f"  phase: day 1\n  at: 2026-12-01T00:00Z\n  votes: {votes}\nwhen:\n{lines}"), order_of)
    cast = [e for e in played.entries if isinstance(e.event, Voted)][-2 + bool(lynched):]
    keys = [e.event.key for e in cast if isinstance(e.event, Voted)]
    again = Contest.of(played.contest.setup, map(read_entry, map(write_entry, played.contest.entries)))

    assert {e.at for e in cast} == {played.contest.clock}
    assert keys == sorted(keys)
    assert len(set(keys)) == len(keys)
    assert played.contest.game is not None
    assert again.game is not None
    assert again.game.shown_dead == played.contest.game.shown_dead == lynched


def test_werewolves_who_disagree_kill_by_lot() -> None:
    """T-09: a tie of the pack is drawn from the seed and recorded with its options; they hear of it at dawn."""
    played = rehearse(read_script("""\
ruleset: tabula
given:
  roles: {W1: werewolf, W2: werewolf, Se: seer, V1: villager, V2: villager, V3: villager, V4: villager, V5: villager}
  phase: night 2
  at: 2026-12-01T00:00Z
when:
  - {at: 2026-12-01T09:00Z, from: W1, to: contestmaster, says: "attack V1"}
  - {at: 2026-12-01T09:01Z, from: W2, to: contestmaster, says: "attack V2"}
  - {at: 2026-12-04T09:00Z}
"""), order_of)
    (lot,) = [e.event for e in played.entries if isinstance(e.event, Drawn) and e.event.purpose == "attack, night 2"]

    assert lot.options == ("V1", "V2")
    assert lot.result == draw("rehearsal", "attack, night 2", ["V1", "V2"])
    assert played.contest.game is not None
    assert played.contest.game.shown_dead == lot.result
    killed = f"{lot.result[0]} was killed"
    assert all(killed not in x.body for x in played.letters if x.kind == "private")
    assert any(killed in x.body for x in played.letters if x.kind == "public")


def test_more_than_the_deck_has_is_warned_of() -> None:
    """C-02: seven policemen and mafiosi, three Godfathers and Doctors may be asked for, with a warning each."""
    names = ", ".join(f"P{number}" for number in range(24))
    roles = ",".join(["policeman"] * 7 + ["mafioso"] * 7 + ["godfather"] * 3 + ["doctor"] * 3)
    script = f"""\
ruleset: narrated-mafia
given: {{contestants: [{names}], contestmaster: Murphy, limit: {{agora: 50}}, at: 2026-12-01T00:00Z}}
when:
  - {{at: 2026-12-01T09:00Z, from: Murphy, command: start}}
  - {{at: 2026-12-01T10:00Z, from: Murphy, command: "start --roles {roles}"}}
"""
    played = rehearse(read_script(script), order_of)

    assert [denied.who for denied in played.refused] == ["Murphy"]
    assert "say which roles are in play" in played.refused[0].why
    (said,) = [text for text in played.said if "more than the deck" in text]
    for number, role, most in ((7, "policem", 6), (7, "mafios", 6), (3, "godfather", 2), (3, "doctor", 2)):
        assert re.search(rf"{number} (of )?{role}\w* are more than the deck has \({most}\)", said, re.IGNORECASE), said


def test_the_death_stands_before_the_return() -> None:
    """C-07: in the letter of the morning; and of nobody is said what e is."""
    played = rehearse(read_script("""\
ruleset: narrated-mafia
given:
  roles: {Gf: godfather, Ma: mafioso, Do: doctor, Ca: civilian, Cb: civilian, Cc: civilian, Cd: civilian}
  phase: night 2
  dead: [Ca]
  at: 2026-12-01T00:00Z
when:
  - {at: 2026-12-01T09:00Z, from: Do, to: contestmaster, says: "revive Ca"}
  - {at: 2026-12-01T09:01Z, from: Ma, to: contestmaster, says: "attack Cb"}
  - {at: 2026-12-01T09:02Z, from: Gf, to: contestmaster, says: "attack Cb"}
  - {at: 2026-12-04T09:00Z}
"""), order_of)
    (dawn,) = [x.body for x in played.letters if x.forum == "agora" and "Dawn" in x.subject]

    assert 0 < dawn.index("Cb was killed") < dawn.index("Back among the living: Ca.")
    assert not re.search(r"civilian|Doctor|mafioso|Godfather", dawn)
