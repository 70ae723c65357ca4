"""Which bucket a letter ends in, and what its deeds come to."""

from __future__ import annotations

import pytest

from nomicwolf.contest import Command, LetterCame, Tick, hear
from nomicwolf.nomic.events import Asked, CopyHeard, DeedDone, LetterHeard, LetterHeld, Refused
from nomicwolf.village.events import Lynched, PhaseBegan, Voted
from tests.contest.world import SEVEN, START, B, World, setup


def voters(world: World, whom: str) -> list[str]:
    """Four who can vote for *whom*."""
    return [p for p in SEVEN if p != whom][:4]


def test_a_stranger_joins_by_mail_and_is_known() -> None:
    """NC 1c: a letter in the forum makes em a party of that nomic, under eir own name."""
    world = World()

    assert world.write("Ash", "I join the Werewolves contract.").bucket == "deeds"
    assert world.contest.parties == {"agora": ("Ash",), "b": ()}
    assert world.contest.persons["Ash"].addresses == ("ash@players.example",)


def test_a_stranger_who_does_not_join_is_not_answered() -> None:
    """Unknown senders end in their bucket, and get nothing: no backscatter."""
    world = World().start()

    assert world.write("Zoe", "I vote for Gus.", at=1).bucket == "stranger"
    assert world.letters == ()


def test_nobody_takes_a_name_that_is_taken() -> None:
    """A newcomer with a known display name stays a stranger."""
    world = World().start()

    outcome = world.write("Ash", "I join.", sender="Ash <mallory@evil.example>", at=1)
    assert outcome.bucket == "stranger"


def test_a_copy_through_the_other_forum_is_one_act() -> None:
    """NC 1g (T022): the second copy is a duplicate, and remembered as a copy."""
    world = World().start()
    world.write("Bex", "I vote for Gus.", at=1, message_id="<same@players.example>")

    assert world.write("Bex", "I vote for Gus.", "b", at=1.1, message_id="<same@players.example>").bucket == "duplicate"
    assert len(world.events(Voted)) == 1
    assert [e.event.channel for e in world.events(CopyHeard) if isinstance(e.event, CopyHeard)] == ["b"]


def test_another_text_under_a_known_id_is_held() -> None:
    """CFJ 3572: the same Message-ID with another text is no duplicate; a ruling decides."""
    world = World().start()
    world.write("Bex", "I vote for Gus.", at=1, message_id="<same@players.example>")

    outcome = world.write("Bex", "I vote for Fay.", at=2, message_id="<same@players.example>")
    assert outcome.bucket == "held"
    assert len(world.contest.held) == 1
    (told,) = [letter.body for letter in world.letters if letter.person == "Bex"]
    assert "You can write it again, as a new letter." in " ".join(told.split())


def test_a_stranger_reserves_no_message_id() -> None:
    """An id that a stranger used before does not stop its owner's letter."""
    world = World().start()
    world.write("Zoe", "hello", at=1, message_id="<expected@players.example>")

    assert world.write("Bex", "I vote for Gus.", at=2, message_id="<expected@players.example>").bucket == "deeds"


def test_machines_and_our_own_echo_do_nothing() -> None:
    """RFC 3834: an absence note is never heard nor answered."""
    world = World().start()

    outcome = world.write("Bex", "I vote for Gus.", at=1, headers="Auto-Submitted: auto-replied\r\n")
    assert (outcome.bucket, world.letters) == ("machine", ())


def test_a_private_vote_is_refused_and_told_where_to_go() -> None:
    """D-N25 (N-24): no public trace."""
    world = World().start()
    world.write("Bex", "I vote for Gus.", "contestmaster", at=1)

    assert [e.event.verb for e in world.events(Refused) if isinstance(e.event, Refused)] == ["vote"]
    assert "post it to the list" in " ".join(world.to("Bex").split())
    assert world.to("agora") == ""
    assert world.events(Voted) == []


def test_a_vote_in_the_discussion_forum_does_not_count() -> None:
    """NC 1g: NttPF, and e is told how to send it again."""
    world = World().start()
    world.write("Bex", "I vote for Gus.", "discussion", at=1)

    assert world.events(Voted) == []
    assert "discussion forum is not public" in " ".join(world.to("Bex").split())


def test_ttttpf_sends_the_quoted_letter_to_the_forum() -> None:
    """CFJ 3586: over eir own letter of the discussion forum, "TTttPF" does what it says."""
    world = World().start()
    world.write("Bex", "I vote for Gus.", "discussion", at=1, message_id="<slip@players.example>")
    world.write("Bex", "TTttPF\n\n> I vote for Gus.\n", at=2, headers="In-Reply-To: <slip@players.example>\r\n")

    assert [e.event.who for e in world.events(Voted) if isinstance(e.event, Voted)] == ["Bex"]


def test_a_night_deed_in_the_forum_is_not_done() -> None:
    """X-10: no public reaction; a private warning."""
    world = World().start()
    wolf = world.holder("werewolf")
    world.write(wolf, "attack Gus", at=1)

    assert world.to("agora") == ""
    assert "Not done (attack)" in world.to(wolf)
    assert world.contest.pending == {}


def test_a_deed_takes_effect_when_the_forum_had_it() -> None:
    """D-N9 (N-20): a poll hours late ends the day at the right minute, and refuses what came after it."""
    world = World(setup()).start()
    whom = world.holder("villager")
    first, second, third, last = voters(world, whom)
    letters = [world.letter(w, f"I vote for {whom}.", at=h, arrives=11) for w, h in
               [(first, 8), (second, 8.5), (third, 9), (last, 10)]]
    letters.append(world.letter(first, "I retract my vote.", at=10.5, arrives=11))

    for letter in reversed(letters):
        world.contest = hear(world.contest, LetterCame(letter), START + 12 * 3600).contest
    world.contest = hear(world.contest, Tick(), START + 12 * 3600).contest

    assert [e.at for e in world.events(Lynched)] == [START + 10 * 3600]
    refused = [e.event for e in world.events(Refused)]
    assert len(refused) == 1
    assert "night" in refused[0].why  # type: ignore[attr-defined]


def test_nothing_counts_before_it_is_settled() -> None:
    """2.3: a majority inside the settling time is not yet acted on; an earlier stamp may still overtake it."""
    world = World(setup(settling=600)).start()
    whom = world.holder("villager")
    first, second, third, last = voters(world, whom)
    for w in (first, second, third):
        world.write(w, f"I vote for {whom}.", at=8)
    world.tick(8.5)
    world.write(last, f"I vote for {whom}.", at=10)
    assert world.events(Lynched) == []

    world.write(first, "I retract my vote.", at=9.99, arrives=10.05)
    world.tick(11)
    assert world.events(Lynched) == []


def test_what_belongs_to_a_closed_day_is_held_with_the_other_outcome() -> None:
    """Architecture, Time: the contestmaster rules, with what would have been beside it."""
    world = World().start()
    whom = world.holder("villager")
    for i, w in enumerate(voters(world, whom)):
        world.write(w, f"I vote for {whom}.", at=8 + i)

    world.write(voters(world, whom)[0], "I retract my vote.", at=9, arrives=20)

    held = [e.event for e in world.events(LetterHeld)]
    assert len(held) == 1
    assert "nobody would have been lynched" in held[0].other  # type: ignore[attr-defined]
    assert "will rule" in " ".join(world.to(voters(world, whom)[0]).split())
    (number,) = world.contest.held
    refused = world.command("release", 21, number=str(number))
    assert refused.status == 1
    assert "announced" in refused.said
    assert world.command("reject", 21, number=str(number), why="the outcome stands").status == 0
    assert world.contest.held == {}


def test_a_late_copy_recounts_an_open_day() -> None:
    """The majority is dated where it was."""
    world = World().start()
    whom = world.holder("villager")
    first, second, third, last = voters(world, whom)
    for i, w in enumerate((first, second, third)):
        world.write(w, f"I vote for {whom}.", at=8 + i)

    world.write(last, f"I vote for {whom}.", at=9.5, arrives=20)
    world.tick(21)

    assert [e.at for e in world.events(Lynched)] == [START + 10 * 3600]
    assert isinstance(world.events(PhaseBegan)[-1].event, PhaseBegan)


def test_what_cannot_be_read_leaves_the_vote_and_asks() -> None:
    """D-N10 (N-53)."""
    world = World().start()
    world.write("Cam", "I vote for Gus.", at=1)
    world.write("Cam", "I vote for Hall.", at=2)

    assert world.game.table["Cam"] == "Gus"
    assert world.events(Asked)
    assert "Hall" in world.to("Cam")


@pytest.mark.parametrize(("text", "said"), [
    ("> I vote for Gus.", "quoted"), ("-- \nI vote for Gus.", "signature"),
])
def test_a_deed_only_where_it_does_not_count_is_a_near_miss(text: str, said: str) -> None:
    """Mail 3.7: never counted, and never passed over in silence."""
    world = World().start()
    world.write("Cam", text, at=1)

    assert world.events(Voted) == []
    assert said in " ".join(world.to("Cam").split())


def test_who_quotes_and_answers_is_left_in_peace() -> None:
    """A reply to somebody's vote is talk."""
    world = World().start()
    world.write("Bex", "I vote for Gus.", at=1)
    world.write("Cam", "On Tue, Bex wrote:\n> I vote for Gus.\nNo way!", at=2)

    assert world.letters == ()


def test_a_letter_that_voids_itself_is_held() -> None:
    """CFJ 2069: a disclaimer of all statements."""
    world = World().start()

    outcome = world.write("Cam", "I vote for Gus.\n\nSome or all of the statements in this message may be false.", at=1)
    assert outcome.bucket == "held"


def test_released_letters_do_their_deeds() -> None:
    """A ruling lets a held letter through; it keeps its own instant."""
    world = World().start()
    letter = world.letter("Cam", "I vote for Gus.\n\nSome or all of the statements in this message may be false.", at=1)

    world.contest = hear(world.contest, LetterCame(letter), letter.arrived).contest
    (number,) = world.contest.held
    before = dict(world.contest.buckets)
    released = hear(world.contest, Command("release", {"number": str(number)}, letter=letter), START + 7200)
    world.contest = hear(released.contest, Tick(), START + 7200).contest
    assert before.pop("held") == 1
    assert world.contest.buckets == {**before, "deeds": before.get("deeds", 0) + 1}, "the sums tell what it came to"

    assert released.status == 0, released.said
    assert [e.at for e in world.events(Voted)] == [START + 3600]
    assert world.contest.held == {}


def test_rejected_letters_are_counted_as_without_a_deed() -> None:
    """Once a held letter is ruled out, none is counted as held; another's deed changes nothing of that."""
    world = World().start()
    world.write("Cam", "I vote for Gus.\n\nSome or all of the statements in this message may be false.", at=1)
    (number,) = world.contest.held
    before = dict(world.contest.buckets)
    assert world.command("reject", at=2, number=str(number), why="it says so itself").status == 0
    world.write("Dov", "I vote for Gus.", at=3)
    del before["held"]
    assert world.contest.buckets == {**before, "no-deed": 1, "deeds": before["deeds"] + 1}


def test_every_letter_ends_in_one_bucket() -> None:
    """The conservation law: each letter heard is one entry with one bucket."""
    world = World().start()
    for text in ("I vote for Gus.", "hello", "help", "> quoted"):
        world.write("Cam", text, at=1)

    heard = [e.event for e in world.events(LetterHeard)]
    assert len(heard) == len(SEVEN) + 4
    assert all(h.bucket for h in heard if isinstance(h, LetterHeard))
    assert world.events(DeedDone)


def test_a_message_to_both_forums_at_once_joins_both() -> None:
    """NC 1c, 1g: a letter addressed to both nomics' forums."""
    world = World()
    world.write("Ash", "I join.", headers=f"Cc: {B}\r\n")

    assert world.contest.parties == {"agora": ("Ash",), "b": ("Ash",)}
