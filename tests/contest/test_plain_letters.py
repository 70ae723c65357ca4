"""Private letters say one thing once: where to write, whose deeds they were, why a vote counts as null."""

from __future__ import annotations

from nomicwolf.reports.terminal import status_text
from tests.contest.test_assurance import answer, by_night, role_holder, strict
from tests.contest.world import HOME, SEVEN, World


def test_who_answers_under_an_own_address_is_told_no_other() -> None:
    """D-N44: the list of what is open sends nobody to the address at which a deed may have to be confirmed."""
    letter = next(o.body for o in by_night().sent if "see NAME" in o.body)

    assert "Open to you by private mail, in answer to this letter:\n- see NAME" in letter
    assert f"private mail to {HOME}" not in letter


def test_deeds_of_one_letter_are_receipted_together() -> None:
    """The Witch heals and poisons in one letter; that it is eirs by its reply address takes no words."""
    world = strict()
    for who in SEVEN:
        world.write(who, "I vote for Bex.", at=1)
    world.tick(2)
    answer(world, role_holder(world, "attack"), "attack Fay", at=3)
    witch = role_holder(world, "heal")

    answer(world, witch, "heal\n\npoison nobody", at=4)
    told = world.to(witch)

    assert "Received: heal" in told
    assert "Received: poison nobody" in told
    assert "Known to be yours" not in told


def test_a_null_vote_has_its_reason_where_it_is_announced() -> None:
    """NC 3: in a sentence if it is short, and no sentence says only that it comes to what it comes to."""
    world = World().start()
    world.write("Bex", "I endorse Fay.", at=1)
    told = world.to("Bex")
    world.command("announce", at=2)
    counted = world.to("agora")

    assert "The reason: it endorses Fay; Fay has cast no vote." in " ".join(told.split())
    assert "at present" not in told + counted
    assert told.count("Fay has cast no vote") == 1


def test_letters_are_summed_up_in_words() -> None:
    """The journal tells what became of every letter, as one would say it."""
    world = World()
    none = status_text(world.contest)
    world = World().start()
    world.write("Bex", "Hello there.", at=1)
    for who in ("Ash", "Bex", "Cam", "Dov"):
        world.write(who, "I vote for Gus.", at=2)
    journals = [o.body for o in world.sent if o.person == "Murphy"]

    assert "Letters heard: none yet." in none
    assert "Letters heard: 12 (11 with deeds, 1 without a deed)." in journals[-1]


def test_before_the_first_session_it_is_told_what_comes_next() -> None:
    """NC 2: how many contestants there have to be, how they come in, and then how a session is tried."""
    few, enough = World(), World()
    for who in ("Ash", "Bex"):
        few.write(who, "I join.")
    for who in SEVEN:
        enough.write(who, "I join.")

    said = " ".join(status_text(few.contest).split())
    assert 'Next: a session needs 5 contestants, and there are 2. Players write "I join this contract."' in said
    assert "Next: nomicwolf start --dry-run" in status_text(enough.contest)
    assert "Next:" not in status_text(World().start().contest)


def test_our_own_words_have_the_same_quotation_marks_everywhere() -> None:
    """A question or refusal about words in ASCII is a letter in ASCII, though hints are set with others."""
    world = World().start()
    world.write("Bex", "I vote for Dovv.", at=1)
    asked = world.to("Bex")
    world.write("Cam", "alias: nobody", at=2, to="contestmaster")

    assert 'Nobody here is called "Dovv".' in asked
    assert '"nobody" means something else in votes and deeds.' in " ".join(world.to("Cam").split())
    assert all(o.body.isascii() for o in world.sent)
