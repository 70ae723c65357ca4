"""The contracts and the rulings can be read, and are whole."""

from pathlib import Path

import pytest

from nomicwolf.data import clauses
from nomicwolf.village.rulesets import ruleset
from tests.contract.rulings import Switch, rulings
from tests.tables import each

CONTRACT = Path(__file__).parents[2] / "contract"
FILES = {
    "NC": "nomic-crossing.md",
    "GA": "gadianton.md",
    "LT": "tabula.md",
    "SP": "six-phases.md",
    "NM": "narrated-mafia.md",
}
RULESETS = ("nomic-crossing", "gadianton", "tabula", "six-phases", "narrated-mafia")
FAMILIES = {"N": 58, "V": 11, "G": 21, "T": 29, "M": 23, "C": 19, "A": 28}
CROSSING = [
    *(f"NC 1{letter}" for letter in "abcdefghij"),
    *("NC 2", "NC 2a", "NC 2b", "NC 2c", "NC 2d", "NC 3", "NC 3 conditional", "NC 3 endorsement"),
    *("NC 4", "NC 4a", "NC 4b", "NC 4c", "NC 5", "NC 5a", "NC 5b", "NC 5i", "NC 5ii"),
    *("NC 6", "NC 6a", "NC 6b", "NC 7", "NC 7a", "NC 7b", "NC 7c", "NC 7d"),
]
RULINGS = rulings((CONTRACT / "rulings.md").read_text(encoding="utf-8"))


def every_clause() -> dict[str, str]:
    """Return the clauses of all the contracts."""
    texts = [(CONTRACT / name).read_text(encoding="utf-8") for name in FILES.values()]
    return {label: words for text in texts for label, words in clauses(text).items()}


@each("family", FILES)
def test_a_contract_has_clauses_of_its_own_family_only(family: str) -> None:
    """Each contract's labels begin with its two letters, and it has a dozen at least."""
    labels = clauses((CONTRACT / FILES[family]).read_text(encoding="utf-8"))

    assert len(labels) >= 12
    assert {label.split()[0] for label in labels} == {family}


def test_nomic_crossing_has_every_label() -> None:
    """The labels of the contract as it was registered are all there, in order, and clause 3 in its three parts."""
    labels = list(clauses((CONTRACT / FILES["NC"]).read_text(encoding="utf-8")))

    assert labels == CROSSING


@each("family", FAMILIES)
def test_every_decision_is_there(family: str) -> None:
    """The numbers of a family of rulings run from 1 without a gap."""
    numbers = {number for number in RULINGS if number.startswith(f"D-{family}")}

    assert numbers == {f"D-{family}{n}" for n in range(1, FAMILIES[family] + 1)}


@each("number", RULINGS)
def test_a_ruling_rests_on_clauses(number: str) -> None:
    """A ruling reads clauses that there are, and says what is held in sentences."""
    ruling = RULINGS[number]

    assert set(ruling.rests_on) <= set(every_clause())
    assert ruling.question.endswith("?")
    assert ruling.held.endswith(".")
    assert ruling.because.endswith(".")


def test_a_switch_means_one_thing() -> None:
    """A switch that two rulings name has the same values in both, though perhaps another default."""
    named: dict[str, set[frozenset[str]]] = {}
    for ruling in RULINGS.values():
        for switch in ruling.switches:
            named.setdefault(switch.name, set()).add(frozenset(switch.values))

    assert {name: len(values) for name, values in named.items() if len(values) > 1} == {}


@each("name", RULESETS)
def test_the_switches_of_a_rule_set_are_ruled_on(name: str) -> None:
    """Each switch that the code has names a ruling that there is, and has the values of a ruling."""
    ruled = {(switch.name, frozenset(switch.values)) for ruling in RULINGS.values() for switch in ruling.switches}
    for switch in ruleset(name).switches:
        assert switch.decision in RULINGS
        assert (switch.name, frozenset(switch.values or (switch.default,))) in ruled


def test_a_clause_is_joined_to_one_line() -> None:
    """Line ends inside a clause don't matter, and a plain heading ends it."""
    text = "# Title\n\n### NC 2b\n\nOne\ntwo.\n\nThree.\n\n## Other\n\nnot this\n"

    assert clauses(text) == {"NC 2b": "One two. Three."}


@pytest.mark.parametrize(
    ("text", "says"), [("### NC 1\na\n### NC 1\nb", "twice"), ("### NC 1\n\n### NC 2\nb", "nothing")]
)
def test_a_bad_contract_is_refused(text: str, says: str) -> None:
    """A label given twice, or without words, is an error that names it."""
    with pytest.raises(ValueError, match=f"NC 1.*{says}"):
        clauses(text)


GOOD = "- Question: q?\n- Held: h.\n- Because: b.\n- Rests on: NC 1, NC 2\n"


@each(
    ("text", "says"),
    [
        (f"### D-N1\n{GOOD}### D-N1\n{GOOD}", "twice"),
        (f"### D-N1\n{GOOD}- Held: again.\n", "one line - Held"),
        (f"### D-N1\n{GOOD}- Hold: again.\n", "no line of a ruling"),
        (f"### D-N1\n{GOOD}stray words\n", "no line of a ruling"),
        (f"### D-N1\n{GOOD}- Switch: departure is stay\n", "no switch"),
    ],
)
def test_a_bad_ruling_is_refused(text: str, says: str) -> None:
    """A number given twice, a missing line and an unknown line are errors that name the ruling."""
    with pytest.raises(ValueError, match=f"D-N1.*{says}"):
        rulings(text)


def test_a_switch_is_read() -> None:
    """Values in backquotes, the default first; kinds of value in italics."""
    ruling = rulings(f"### D-N9\n{GOOD}- Switch: `settling` = `10`, *minutes*\n")["D-N9"]

    assert ruling.switches == (Switch("settling", ("10",), ("minutes",)),)
    assert ruling.rests_on == ("NC 1", "NC 2")
