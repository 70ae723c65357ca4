"""A letter sent on under its old Message-ID: one act stays one, and what came by the wrong way is done (D-N49)."""

from __future__ import annotations

import pytest

from nomicwolf.nomic.events import DeedHeard, PartyJoined
from nomicwolf.nomic.law import ReplyTagSeen
from nomicwolf.reports.sections import reply_tag_of
from tests.contest.world import World
from tests.tables import each

pytestmark = pytest.mark.slow

SAME = "<same@players.example>"


def started() -> World:
    """A session of seven in its first day."""
    return World().start()


@pytest.mark.parametrize("first", ["contestmaster", "discussion"])
def test_a_vote_that_is_sent_on_to_the_forum_counts(first: str) -> None:
    """It was refused where it came; from the forum it counts once, also through the second forum and read anew."""
    world = started()
    world.write("Ash", "I vote for Gus.", first, 1, message_id=SAME)
    assert world.events(DeedHeard) == []

    for forum, at in (("agora", 2), ("b", 2), (first, 3), ("agora", 4)):
        world.write("Ash", "I vote for Gus.", forum, at, message_id=SAME)

    assert [e.event.says for e in world.events(DeedHeard)] == ["vote Gus"]  # type: ignore[attr-defined]


def test_a_night_deed_that_is_sent_on_to_the_contest_is_done() -> None:
    """In the forum it was refused, and never quoted there; by private mail it is kept for the night."""
    world = started()
    world.write("Ash", "see Gus", "agora", 1, message_id=SAME)
    assert world.events(DeedHeard) == []
    assert not any("see Gus" in letter.body for letter in world.sent if letter.kind == "public")

    assert world.write("Ash", "see Gus", "contestmaster", 2, message_id=SAME).bucket == "deeds"
    assert world.write("Ash", "see Gus", "contestmaster", 3, message_id=SAME).bucket == "duplicate"

    assert len(world.events(DeedHeard)) == 1


@pytest.mark.parametrize(("first", "second"), [("contestmaster", "agora"), ("agora", "contestmaster")])
def test_what_was_done_is_not_done_again(first: str, second: str) -> None:
    """A night deed shown to a forum, a vote shown to the contest: only a copy, and nobody gets a letter for it."""
    world = started()
    text = "see Gus" if first == "contestmaster" else "I vote for Gus."
    world.write("Ash", text, first, 1, message_id=SAME)

    assert world.write("Ash", text, second, 2, message_id=SAME).bucket == "duplicate"
    assert world.letters == ()
    assert len(world.events(DeedHeard)) == 1


def test_who_joins_by_the_wrong_way_may_send_it_on() -> None:
    """Joining takes effect in a forum: it was refused in private, and there it is done."""
    world = started()
    world.write("Hal", "I join this contract.")
    world.write("Hal", "I leave.", at=1)
    world.write("Hal", "I join.", "contestmaster", 2, message_id=SAME)
    before = len(world.events(PartyJoined))

    world.write("Hal", "I join.", "agora", 3, message_id=SAME)

    assert len(world.events(PartyJoined)) == before + 1


def test_a_reply_address_that_a_forum_could_read_is_replaced() -> None:
    """The copy that a forum has shows the tag that the letter was sent to."""
    world = started()
    tag = reply_tag_of(world.contest, "Ash")
    to = f"wolf+{tag}@wolf.example"
    world.write("Ash", "see Gus", "contestmaster", 1, message_id=SAME, address=to)
    assert world.events(ReplyTagSeen) == []

    world.write("Ash", "see Gus", "agora", 2, message_id=SAME, headers=f"To: {to}\r\n")

    assert len(world.events(ReplyTagSeen)) == 1
    assert reply_tag_of(world.contest, "Ash") != tag


@pytest.mark.parametrize("around", ["[the spoon-business list]\n\n{}", "{}\n\n--\nScanned by our gateway.", "Hi!\n{}"])
def test_a_list_may_put_lines_around_what_it_passes_on(around: str) -> None:
    """Mailman's header, a gateway's banner: through the other forum it is a copy, if it does just the same."""
    world, text = started(), "I vote for Gus if Bex does, otherwise Cam."
    world.write("Ash", text, "agora", 1, message_id=SAME)
    outcome = world.write("Ash", around.format(text), "b", 1, message_id=SAME)

    assert (outcome.bucket, outcome.author) == ("duplicate", "Ash")
    assert len(world.events(DeedHeard)) == 1


def test_talk_with_a_lists_lines_around_it_is_a_copy() -> None:
    """Neither has a deed in it, so there is nothing to rule on."""
    world = started()
    world.write("Ash", "What a lovely day.", "agora", 1, message_id=SAME)

    assert world.write("Ash", "[the list]\n\nWhat a lovely day.", "b", 1, message_id=SAME).bucket == "duplicate"
    assert not world.contest.held
    assert world.letters == ()


@each(("text", "channel", "sender"), [
    ("I vote for Gus.\nI vote for Cam.", "b", ""), ("Hello, I vote for Cam.", "b", ""), ("Hello.", "b", ""),
    ("I vote for Gus.\nThe above is a joke.", "b", ""), ("I vote for Gus.\nI accuse you", "b", ""),
    ("Hello!\nI vote for Gus.", "agora", ""), ("Hello!\nI vote for Gus.", "contestmaster", ""),
    ("Hello!\nI vote for Gus.", "b", "Bex <bex@players.example>"),
])
def test_what_says_other_things_is_no_copy(text: str, channel: str, sender: str) -> None:
    """Nor what comes the same way, or in private, or from somebody else: it is held, and the vote stands."""
    world = started()
    world.write("Ash", "I vote for Gus.", "agora", 1, message_id=SAME)
    outcome = world.write("Ash", text, channel, 1, message_id=SAME, sender=sender)

    assert (outcome.bucket, outcome.why) == ("held", "another text came under the same Message-ID")
    assert len(world.events(DeedHeard)) == 1


def test_other_words_under_that_message_id_are_held() -> None:
    """What was refused may come again as it is, not as something else."""
    world = started()
    world.write("Ash", "I vote for Gus.", "contestmaster", 1, message_id=SAME)

    outcome = world.write("Ash", "I vote for Bex.", "agora", 2, message_id=SAME)

    assert (outcome.bucket, outcome.why) == ("held", "another text came under the same Message-ID")
