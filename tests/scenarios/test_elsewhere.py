"""What `ELSEWHERE.md` says is held elsewhere is; and the cases that had no other place."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from nomicwolf.cli.app import order_of
from nomicwolf.nomic.events import Ruled
from nomicwolf.rehearsal import read_script, rehearse
from nomicwolf.tally import tally
from nomicwolf.village.events import Chose

HERE = Path(__file__).parent
TABLES = (HERE / "ELSEWHERE.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| ([A-Z]-[^|]*?) \|.*\| `([\w/.]+)::(\w+)` \|$", TABLES, re.MULTILINE)
TOWN = "{Ash: werewolf, Hal: werewolf, Bex: villager, Cam: seer, Dov: witch, Eli: hunter, Fay: villager, Gus: villager}"
SESSION = f"ruleset: nomic-crossing\ngiven:\n  roles: {TOWN}\n  contestmaster: Murphy\n"


@pytest.mark.parametrize(("case", "file", "name"), ROWS, ids=[f"{case} {name}" for case, _, name in ROWS])
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
