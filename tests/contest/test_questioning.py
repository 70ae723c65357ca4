"""Questions to the contestmaster, eir answers, and what is told again (SP 0f, D-M16)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nomicwolf.contest.step import wrong_channel
from nomicwolf.language.reader import read
from nomicwolf.nomic.delivery import USUAL
from nomicwolf.nomic.law_events import QuestionAnswered
from nomicwolf.reading.deeds import People
from nomicwolf.village.lots import role_commitment
from nomicwolf.village.rulesets import ruleset
from tests.contest.world import SEVEN, World, setup


def asked() -> tuple[World, int]:
    """A session of nomic-crossing in which Bex has asked something; the question's number."""
    world = World().start(roles="seer")
    world.write("Bex", "ask gm: does a tie lynch anybody?", to="contestmaster", at=1)
    (number,) = world.contest.recalled.questions
    return world, number


def test_an_answer_goes_to_the_asker_alone() -> None:
    """It repeats the question; no public letter has a word of it."""
    world, number = asked()
    outcome = world.command("answer", at=2, number=str(number), text="No: NC 3 asks for more than half.")

    assert outcome.status == 0
    letters = [letter for letter in outcome.letters if "NC 3 asks for more than half" in letter.body]
    assert [letter.person for letter in letters] == ["Bex"]
    assert "does a tie lynch anybody?" in letters[0].body
    assert not world.contest.recalled.questions


def test_a_public_answer_does_not_say_who_asked() -> None:
    """All are told what the contestmaster says, without asker and question."""
    world, number = asked()
    outcome = world.command("answer", at=2, number=str(number), text="No tie lynches.", public="yes")

    public = [letter for letter in outcome.letters if letter.forum and "No tie lynches." in letter.body]
    assert public
    assert all("does a tie" not in letter.body for letter in public)
    assert all("Bex" not in letter.body.partition("No tie lynches.")[0] for letter in public)


def test_a_question_is_answered_once() -> None:
    """A second answer and a wrong number are refused, with what waits; nothing is lost."""
    world, number = asked()
    wrong = world.command("answer", at=2, number="9999", text="?")
    assert wrong.status
    assert f"{number} (Bex: does a tie lynch anybody?)" in wrong.said
    empty = world.command("answer", at=2, number=str(number), text=" ")
    assert empty.status
    assert "words" in empty.said
    world.command("answer", at=3, number=str(number), text="No.")
    again = world.command("answer", at=4, number=str(number), text="Yes.")

    assert again.status
    assert "was answered at" in again.said
    assert len([e for e in world.contest.entries if isinstance(e.event, QuestionAnswered)]) == 1


def lines_of_role(body: str) -> list[str]:
    """Return the six lines that a role's hash is made of, as a letter prints them."""
    lines = body.splitlines()
    first = lines.index("  nomicwolf role 1")
    return [line.strip() for line in lines[first:first + 6]]


def test_who_asks_is_told_all_again() -> None:
    """Eir role, the last line of its hash, what eir visions showed, and how things stand; nothing of another's."""
    world = World().start()
    seer = world.holder("seer")
    lynched = world.holder("villager")
    other, seen = [who for who in SEVEN if who not in (seer, lynched)][:2]
    for who in SEVEN:
        world.write(who, f"I vote for {lynched if who != lynched else other}.", at=1)
    assert world.contest.running is not None
    assert world.contest.running.place == "night 1"
    world.write(seer, f"see {seen}", "contestmaster", at=2)

    world.write(seer, "resend", "contestmaster", at=3)

    (letter,) = [o for o in world.letters if o.kind == "private"]
    game = world.contest.running
    assert letter.person == seer
    assert "You alone are told what you are: Seer." in letter.body
    assert f'Done, as you wrote: "see {seen}".' in letter.body
    _, contest, session, who, role, nonce = lines_of_role(letter.body)
    bound = dict(world.contest.sessions[1].bound)
    assert (contest, session, who, role) == ("wolf", "1", seer, "seer")
    assert role_commitment(contest, 1, who, role, nonce) == bound[seer]
    assert "it is night 1" in letter.body
    assert all(o.kind == "private" for o in world.letters)
    assert game is not None
    werewolf = world.holder("werewolf")
    world.write(werewolf, "resend", "contestmaster", at=4)
    assert f'"see {seen}"' not in world.to(werewolf)


def test_the_contestmaster_sends_it_again_to_the_present_address() -> None:
    """After a change of address it goes to the new one; nobody is named who isn't known, or has no address."""
    world = World().start()
    world.command("party-address", at=1, who="Gus", address=("gus@right.example",), only="yes")

    outcome = world.command("resend", at=1, who="gus")

    (letter,) = world.letters
    assert (outcome.status, letter.to, letter.person) == (0, "gus@right.example", "Gus")
    assert lines_of_role(letter.body)[3] == "Gus"
    assert world.command("resend", at=1, who="Nob").status == 1


def test_the_size_of_what_is_told_again_tells_no_role() -> None:
    """A Seer's is as long as a villager's, though more was told to em."""
    world = World(setup(cover=USUAL)).start()
    sizes = set()
    for number, who in enumerate(SEVEN):
        world.command("resend", at=1 + number / 100, who=who)
        (letter,) = world.letters
        sizes.add(letter.room)

    assert len(sizes) == 1


def test_before_the_first_session_it_tells_how_things_stand() -> None:
    """There is no role to tell yet."""
    world = World()
    world.write("Ash", "I join.")

    world.write("Ash", "resend", "contestmaster", at=1)

    assert "No session has been started yet." in world.to("Ash")


@pytest.mark.parametrize(("game", "words", "place"), [
    ("gadianton", "guilty", "in a forum"),
    ("gadianton", "I claim an error in award 3", "in a forum"),
    ("nomic-crossing", "I claim an error in award 3", "in a forum"),
    ("nomic-crossing", "I retract my vote.", "in a forum"),
    ("six-phases", "guilty", "by private mail"),
])
def test_a_check_names_the_place_where_it_counts(game: str, words: str, place: str) -> None:
    """What is told to who asks is what is done with a letter there, before and in a session."""
    world = World(replace(setup(), ruleset=game))
    world.write("Ash", "I join.")
    world.write("Ash", f"check: {words}", to="contestmaster", at=1)
    assert f"Written {place}, it would be: " in " ".join(world.to("Ash").split())

    rules = ruleset(game)
    here, there = ("contestmaster", "agora") if place == "in a forum" else ("agora", "contestmaster")
    (deed,) = read(((1, words),), People(SEVEN), to="forum" if place == "in a forum" else "contestmaster").deeds
    assert wrong_channel(rules, deed.verb, here, ("agora",))
    assert not wrong_channel(rules, deed.verb, there, ("agora",))
