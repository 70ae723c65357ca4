"""What holds for every deed and every text: the canonical form reads back, nothing raises, nothing is slow for long."""

from __future__ import annotations

import os
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nomicwolf.language.lexicon import lexicon
from nomicwolf.language.reader import Place, read
from nomicwolf.reading.deeds import Act, BallotError, People, Reading, says
from nomicwolf.reading.lark_driver import read_ballot
from nomicwolf.reading.set_phrases import disclaimer, forum_slip
from nomicwolf.reading.times import WHEN_CAST
from nomicwolf.village.ballots import (
    After,
    Alike,
    Alive,
    And,
    AsMany,
    AsOfNow,
    Ballot,
    Before,
    Cast,
    Condition,
    Copy,
    Count,
    Day,
    Dead,
    Endorse,
    Fact,
    FirstOf,
    Fixed,
    For,
    If,
    InPhase,
    IntoDay,
    Leads,
    Majority,
    More,
    Nobody,
    Not,
    Operator,
    Or,
    Votes,
    Was,
    ballot_text,
)
from tests.village import towns

pytestmark = pytest.mark.slow

NAMES = ("Bex", "G.", "0x44", "D. Margaux", "O'Brien", "Zoë Ångström", "λ", "IF", "voter", "-dash-", "Player #7",
         "天火狐", "No", "Mr. X", "Bob", "Bob the Builder")
TOWN = People(living=("Ash", *NAMES), dead=("Zed",), others=("Murphy",), author="Ash")
EXAMPLES = int(os.environ.get("NOMICWOLF_EXAMPLES", "150"))
quickly = settings(max_examples=EXAMPLES, deadline=None)

names = st.sampled_from(NAMES)
numbers = st.integers(0, 99)
operators: st.SearchStrategy[Operator] = st.sampled_from([">=", ">", "<=", "<", "==", "!="])
instants = st.integers(0, 4_000_000_000)
facts = st.text(alphabet="abc XYZ.,;!?()'if", min_size=1, max_size=20).map(
    lambda text: " ".join(text.split())).filter(bool)
atoms: st.SearchStrategy[Condition] = st.one_of(
    st.builds(Votes, names, st.one_of(st.none(), names)), st.builds(Alike, names, names),
    st.builds(Count, names, operators, numbers, st.booleans()), st.builds(More, names, names, st.booleans()),
    st.builds(AsMany, names, names, st.booleans()), st.builds(Leads, names, st.booleans(), st.booleans()),
    st.builds(Majority, names, st.booleans()), st.builds(Cast, operators, numbers, st.booleans()),
    st.builds(Alive, names), st.builds(Dead, names), st.builds(Was, names, st.sampled_from(["werewolf", "villager"])),
    st.builds(Day, operators.filter(lambda operator: operator != "!="), numbers), st.builds(Fixed, st.booleans()),
    st.builds(InPhase, st.sampled_from(["day", "night"])), st.builds(After, instants), st.builds(Before, instants),
    st.builds(IntoDay, numbers, st.booleans()), st.builds(Fact, facts),
)
conditions: st.SearchStrategy[Condition] = st.recursive(atoms, lambda inner: st.one_of(
    st.lists(inner, min_size=2, max_size=3).map(lambda parts: And(tuple(parts))),
    st.lists(inner, min_size=2, max_size=3).map(lambda parts: Or(tuple(parts))),
    st.builds(Not, inner), st.builds(AsOfNow, inner),
), max_leaves=6)
plain: st.SearchStrategy[Ballot] = st.one_of(
    st.just(Nobody()), st.builds(For, names), st.builds(Endorse, names), st.builds(Copy, names))
ballots: st.SearchStrategy[Ballot] = st.recursive(plain, lambda inner: st.one_of(
    st.builds(If, conditions, inner, inner),
    st.lists(inner, min_size=2, max_size=3).map(lambda parts: FirstOf(tuple(parts))),
), max_leaves=4)
words = st.text(alphabet="abc 123.,:!?'-", min_size=1, max_size=30).map(
    lambda text: " ".join(text.strip(" .,:!?'-").split())).filter(bool)

brief = st.text(alphabet="abc 123-", min_size=1, max_size=30).map(
    lambda text: " ".join(text.strip(" -").split())).filter(bool)


def _act(verb: str) -> st.SearchStrategy[Act]:
    """Acts of one verb, as the grammar can make them."""
    made: dict[str, Callable[[], st.SearchStrategy[Act]]] = {
        "match": lambda: st.tuples(names, names).map(lambda pair: Act("match", pair)),
        "heal": lambda: st.one_of(st.just(Act("heal")), names.map(lambda name: Act("heal", (name,)))),
        "vote": lambda: ballots.map(lambda ballot: Act("vote", ballot=ballot)),
        "act-for": lambda: st.tuples(names, brief).map(lambda pair: Act("act-for", (pair[0],), words=pair[1])),
        "say": lambda: st.tuples(st.sampled_from(["pack: ", "spirits: ", ""]), words).map(
            lambda two: Act("say", words="".join(two))),
        "confirm": lambda: st.just(Act("confirm", words="7Q4-KM2")),
    }
    if verb in made:
        return made[verb]()
    if verb in NIGHT or verb == "nominate":
        return st.one_of(st.just(Act(verb, words="nobody")), names.map(lambda name: Act(verb, (name,))))
    if verb in {"accuse", "second"}:
        return names.map(lambda name: Act(verb, (name,)))
    if verb in {"check", "ask", "intend"}:
        return words.map(lambda text: Act(verb, words=text))
    if verb in {"alias", "address", "holiday", "object", "support", "withdraw", "resolve"}:
        return brief.map(lambda text: Act(verb, words=text))
    return st.just(Act(verb))


NIGHT = {f.name for f in lexicon().frames.values() if f.private and f.takes != "nothing"} - {"choose"}
"""What is done by private mail and to somebody; "choose" stands for any of these."""
VERBS = (
    "vote", "unvote", "accuse", "second", "nominate", "guilty", "innocent",
    *sorted(NIGHT), "ask", "pass", "join",
    "leave", "intend", "object", "support", "withdraw", "resolve", "act-for", "help", "status", "votes", "history",
    "check", "confirm", "alias", "address", "holiday", "say",
)


def reading(text: str, to: Place = "contestmaster") -> Reading:
    """*text* as a letter of Ash's."""
    return read(enumerate(text.split("\n"), 1), TOWN, to=to, instant=1_796_119_200, day_began=WHEN_CAST)


def attempt(text: str) -> Ballot | BallotError:
    """The ballot that *text* says, or the refusal."""
    try:
        return read_ballot(text, TOWN, day_began=WHEN_CAST)
    except BallotError as error:
        return error


@quickly
@given(ballots)
def test_the_canonical_text_of_a_ballot_reads_as_that_ballot(ballot: Ballot) -> None:
    """Text to tree to text: the same canonical words (NC 3), or a refusal of what is too long."""
    text = ballot_text(ballot)
    again = attempt(text)
    if isinstance(again, BallotError):
        assert again.problem == "too long"
    else:
        assert ballot_text(again) == text


@pytest.mark.parametrize("verb", VERBS)
def test_says_reads_as_the_same_deed(verb: str) -> None:
    """For every verb: reading `says` again gives the same deed."""
    @settings(max_examples=max(EXAMPLES // 8, 10), deadline=None)
    @given(_act(verb))
    def holds(act: Act) -> None:
        found = reading(says(act))
        if any(problem.problem == "too long" for problem in found.problems):
            return
        assert [deed.says for deed in found.deeds] == [says(act)]
        assert [deed.verb for deed in found.deeds] == [verb]
        assert found.deeds[0].names == act.names
        assert found.deeds[0].words == act.words

    holds()


PIECES = st.sampled_from([
    "I vote for ", "Gus", "Bex", "if ", "unless ", "(", ")", "[", "]", "{", "}", "/*", "*/", '"', "'",
    " otherwise ", "endorse ", "not ", "and ", "or ", "at least 3 others ", "is voting for ", "vote: ", "\n",
    "\n\n", ". ", ", ", "? ", "##vote ", "[b]", "[/b]", "G.", "it is after ", "Friday ", "12:00 ", "UTC ", "heal ",
    "attack ", "check: ", "nobody ", "as of now ", "- ", "1. ", "...", "\u200f", "\u0301", "ß", "\U0001f43a", "天火狐",
    "9" * 30, "act for ", "2026-13-45T99:99Z", "I ", "my vote ",
])
texts = st.one_of(st.text(max_size=300), st.lists(PIECES, max_size=40).map("".join))


@quickly
@given(texts, st.sampled_from(["forum", "contestmaster"]))
def test_any_text_is_read_without_an_exception(text: str, to: Place) -> None:
    """Whatever is written, reading ends with deeds, questions or nothing."""
    found = reading(text, to)
    assert all(deed.says and deed.line >= 1 for deed in found.deeds)
    assert all(problem.text for problem in found.problems)
    forum_slip(text)
    disclaimer(text.split("\n"))


@quickly
@given(texts)
def test_any_text_is_a_ballot_or_a_clear_refusal(text: str) -> None:
    """`read_ballot` raises nothing but BallotError."""
    found = attempt(text)
    if isinstance(found, BallotError):
        assert found.message
        assert found.at >= 1
    else:
        assert ballot_text(found)


@pytest.mark.parametrize("text", [
    "Bex if " + " or ".join(["Bex is alive"] * 50_000),
    "Bex if " + "not " * 900 + "Bex is alive",
    "Bex if " + "(" * 900 + "Bex is alive" + ")" * 900,
    "Bex if " + "not (" * 900 + "Bex is alive" + ")" * 900,
    " or else ".join(["Bex"] * 50_000),
    "if Bex is alive, " * 5_000 + "Bex",
])
def test_what_is_too_long_is_refused(text: str) -> None:
    """50,000 `or` terms and 900 nested `not` do no harm; the refusal names the limit."""
    with pytest.raises(BallotError) as refused:
        read_ballot(text, TOWN)
    assert refused.value.problem == "too long"
    assert "more than" in refused.value.message


@pytest.mark.parametrize("piece", [
    "On ", ">", "-", "(", "[", "{", '"', "I vote ", "Bex ", "if ", ", ", "vote: ", "/*", "*", "o\u0301",
])
def test_sixty_kilobytes_of_anything_are_read(piece: str) -> None:
    """No backtracking: long runs of one thing end in a reading."""
    found = reading(piece * (60_000 // len(piece)), "forum")
    assert len(found.deeds) + len(found.problems) <= 1


@pytest.mark.parametrize("seed", range(max(4, EXAMPLES // 25)))
def test_a_letter_may_say_any_vote_in_its_canonical_form(seed: int) -> None:
    """What `says` prints of a vote is that vote again in a letter, whatever stands in brackets in it."""
    chance = Random(seed)
    town = People(living=tuple("ABCDE"), dead=("Z",), author="A")
    for _ in range(60):
        text = ballot_text(towns.ballot(chance, "ABCDE"))
        if "it is not day" in text or " or else " in text or text in ("Z", "A", "endorse A"):
            continue
        reading = read(((1, f"vote {text}."),), town, to="forum", instant=1_796_083_200)
        assert [ballot_text(d.ballot) for d in reading.deeds if d.ballot is not None] == [text], text
