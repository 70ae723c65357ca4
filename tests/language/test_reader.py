"""Letters' own lines to deeds, questions and talk."""

from __future__ import annotations

import pytest

from nomicwolf.language.reader import Place, read
from nomicwolf.reading.deeds import People, Reading

TOWN = People(living=("Ash", "Bex", "Cam", "Dov", "Fay", "Gus", "Hal", "G."), dead=("Zed",), others=("Murphy",),
              author="Ash")


def reading(body: str, to: Place = "forum") -> Reading:
    """*body* read as Ash's."""
    return read(enumerate(body.split("\n"), 1), TOWN, to=to)


def test_a_vote_amid_prose_is_a_deed_on_its_line() -> None:
    """One vote in an essay; its line is the one it stands on (NC 3)."""
    found = reading("I have read it all.\n\nHal worries me. I vote for Gus\nif Bex does, otherwise nobody. Bye!")
    assert [(deed.line, deed.says, deed.text) for deed in found.deeds] == [
        (3, "vote Gus if Bex is voting for Gus, otherwise nobody", "I vote for Gus if Bex does, otherwise nobody."),
    ]


def test_night_deeds_stand_on_lines_of_their_own() -> None:
    """Heal and poison in one private letter (NC 7b)."""
    found = reading("Hi Murphy,\n\nheal\npoison Fay\n\nThanks,\nDov", "contestmaster")
    assert [(deed.line, deed.says) for deed in found.deeds] == [(3, "heal"), (4, "poison Fay")]
    assert found.problems == ()


def test_what_points_at_a_deed_is_not_another_one() -> None:
    """"I use the potion on her" heals whom the letter names; after "heal nobody" it is the last word (NC 7b)."""
    told = [reading(body, "contestmaster") for body in (
        "I heal Bex. I use the healing potion on her.", "heal nobody\nheal", "heal\nheal nobody")]
    assert [[deed.says for deed in found.deeds] for found in told] == [
        ["heal Bex"], ["heal nobody", "heal"], ["heal", "heal nobody"]]


def test_a_joke_is_asked_about() -> None:
    """A vote that is taken back in the next sentence is a question, not a deed."""
    found = reading("I vote for Gus. Just kidding!")
    assert (found.deeds, [problem.problem for problem in found.problems]) == ((), ["ambiguous"])


@pytest.mark.parametrize("again", [", sorry", " well, well", " lol lol"])
def test_who_hesitates_without_end_is_read(again: str) -> None:
    """However long it is, it is read to its end."""
    found = reading("I vote for Gus" + ("." if again[0] == " " else "") + again * 3_000)
    assert ([deed.says for deed in found.deeds], found.problems) == (["vote Gus"], ())


def test_an_objection_with_commas_without_end_is_read() -> None:
    """Where its reason would begin is looked for in a time that its length bounds, not that length's square."""
    found = reading("I object to intent 1" + ", " * 100_000)
    assert [deed.verb for deed in found.deeds] == ["object"]


@pytest.mark.parametrize("behind", [" 2026-12-24", ", because of the weather" * 50])
def test_days_without_end_are_read_to_the_first_that_fit(behind: str) -> None:
    """Nobody is away on a hundred days of which each is named; the first two are meant."""
    found = reading("I am away from 2026-12-20 to 2026-12-24" + behind * (20_000 // len(behind)))
    assert [deed.says for deed in found.deeds] == ["holiday: from 2026-12-20 to 2026-12-24"]


@pytest.mark.parametrize(("text", "days"), [
    ("I am away from 2026-12-20 to 2026-12-24, sorry, sorry!", ["holiday: from 2026-12-20 to 2026-12-24"]),
    ("I am away from 2026-12-20, sorry, to 2026-12-24.", []),
])
def test_a_courtesy_amid_the_days_is_asked_about(text: str, days: list[str]) -> None:
    """Behind them it changes nothing."""
    found = reading(text)
    assert [deed.says for deed in found.deeds] == days
    assert bool(found.problems) is (not days)


@pytest.mark.parametrize("text", ["I vote {Gus}.", "I vote for [Gus]", "I vote for", "I vote for [my friend] and"])
def test_a_name_in_brackets_does_nothing_and_its_author_is_asked(text: str) -> None:
    """Words in brackets are a comment (NC 3)."""
    found = reading(text)
    assert (found.deeds, len(found.problems)) == ((), 1)


@pytest.mark.parametrize("name", ["Hope", "May", "Trust", "Wish"])
def test_a_remark_is_none_where_somebody_is_called_so(name: str) -> None:
    """“I vote for Gus and Hope for the best” votes for nobody in a town with a Hope: two may be meant (NC 3)."""
    town = People(living=("Ash", "Gus", name), author="Ash")
    found = read([(1, f"I vote for Gus and {name} for the best of us.")], town, to="forum")
    assert (found.deeds, len(found.problems)) == ((), 1)


def test_a_letter_holds_at_most_forty_deeds() -> None:
    """What stands after them is refused in one problem that says so."""
    found = read(((line, f"vote {'Bex' if line % 2 else 'Gus'}") for line in range(1, 61)), TOWN, to="forum")
    assert len(found.deeds) == 40
    assert [(problem.line, problem.problem) for problem in found.problems] == [(41, "too long")]
    assert "40 deeds" in found.problems[0].hint


def test_what_a_forum_quotation_holds_is_remembered() -> None:
    """A vote between the marks never counts, and is among what was left out."""
    found = reading("[quote=Bex]I vote for\nGus.[/quote] No.\n[quote]vote Gus[/quote]")
    assert found.deeds == ()
    assert [(each.line, each.why) for each in found.ignored] == [(3, "quoted")]


@pytest.mark.parametrize("text", ["Van Helsing", "Quincey", "Dracula", "a long evening"])
def test_suggestions_are_near(text: str) -> None:
    """A name that is like none is answered without one."""
    found = reading(f"vote: {text}")
    assert [problem.suggestions for problem in found.problems] == [()]
