"""Deeds that may be a letter's author's or somebody else's: never done, never passed over (D-N52)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nomicwolf.contest.mail.hints import by_name
from nomicwolf.nomic.events import Asked, DeedHeard, Noted
from tests.contest.world import SEVEN, World, setup
from tests.tables import each

ATTRIBUTION = "On Tue, 1 Dec 2026, Bex <bex@players.example> wrote:"
HEADER = "From: Bex <bex@players.example>\nSent: Tue, 1 Dec 2026 01:00\nTo: agora\nSubject: lynch"


def done(world: World, who: str = "Cam") -> list[str]:
    """What *who* has done in the session by mail."""
    return [e.event.says for e in world.contest.entries if isinstance(e.event, DeedHeard) and e.event.who == who]


def asked(world: World, who: str = "Cam") -> list[str]:
    """The lines about which *who* has been asked."""
    return [e.event.text for e in world.contest.entries if isinstance(e.event, Asked) and e.event.who == who]


def answering(world: World, text: str, first: str = "I vote for Fay.") -> World:
    """Let Bex post *first*, and Cam answer with *text*."""
    world.start()
    world.write("Bex", first, at=1, message_id="<first@players.example>")
    world.write("Cam", text, at=2, headers="In-Reply-To: <first@players.example>\r\n", subject="Re: Werewolves")
    return world


@pytest.mark.parametrize("announced", [ATTRIBUTION, HEADER, "---- On Tue, 1 Dec 2026 Bex <b@x.example> wrote ----"])
@each("first", ["    Hi all", "\tHi all", "\u00a0\u00a0Hi", "  1. Cam lies."])
def test_a_quoted_vote_never_replaces_ones_own(announced: str, first: str) -> None:
    """Below a first line that is set in the quotation goes on; the letter answered has that vote, so none is asked."""
    world = answering(World(), f"I vote for Gus.\n\n{announced}\n\n{first}\n\nI vote for Fay.",
                      f"{first.strip()}\n\nI vote for Fay.")

    assert (done(world), asked(world)) == (["vote Gus"], [])


def test_what_no_answered_letter_says_is_asked_about() -> None:
    """It may be a second thought, or somebody else's whom the contest has not heard."""
    world = answering(World(), f"I vote for Gus.\n\n{ATTRIBUTION}\n\n    Hi all\n\nI vote for Dov.", "Hi all")

    assert (done(world), asked(world)) == (["vote Gus"], ["I vote for Dov."])
    assert "below a quotation that is only set in" in " ".join(world.to("Cam").split())


@each("text", [
    f"Hi.\n\n{ATTRIBUTION}\n\nI vote for Fay.\n\nI vote for Gus.", f"{HEADER}\n\nI vote for Fay.\n\nI vote for Gus.",
    f"Hi.\n\n{ATTRIBUTION}\n\nI vote for Gus.\n\n> I vote for Fay.", "Hi.\n\nSent from my iPhone\n\nI vote for Gus.",
    f"{ATTRIBUTION}\n\n    I vote for Fay.\n\nI vote for Gus.",
    f"See below.\n\n---------- Forwarded message ---------\n{HEADER}\n\nI vote for Fay.\n\nI vote for Gus.",
])
def test_ones_own_vote_in_doubt_is_asked_about(text: str) -> None:
    """Below an unmarked quotation, above a marked one, below a telephone's line: and Fay's vote is known as Bex's."""
    world = answering(World(), text)

    assert (done(world), asked(world)) == ([], ["I vote for Gus."])


def test_the_same_line_once_more_is_asked_about() -> None:
    """It stands once in the letter that is answered, and twice here: one of the two is new."""
    world = answering(World(), f"Hi.\n\n{HEADER}\n\nI vote for Fay.\n\nI vote for Fay.")

    assert (done(world), asked(world)) == ([], ["I vote for Fay."])


def test_who_votes_above_what_e_answers_is_left_in_peace() -> None:
    """What a mailer puts below a vote to the letter's end is a quotation, also of words that nobody here has heard."""
    world = answering(World(), f"I vote for Gus.\n\n{HEADER}\n\nI vote for Dov.")

    assert (done(world), asked(world)) == (["vote Gus"], [])


@pytest.mark.parametrize(("text", "in_doubt"), [
    ("I vote for Gus.\n\nI vote for Fay.", ["I vote for Fay."]),
    ("I vote for Fay.\n\nNo! I vote for Gus.", []),
])
def test_a_quotation_without_any_sign_is_asked_about(text: str, in_doubt: list[str]) -> None:
    """A line of the letter that is answered, below another vote: a mailer may have lost the marks."""
    world = answering(World(), text)

    assert (done(world), asked(world)) == (["vote Gus"], in_doubt)


def test_two_who_vote_alike_do_not_quote_each_other() -> None:
    """One's only vote is one's own, though the letter that is answered has it word for word."""
    world = answering(World(), "Indeed!\n\nI vote for Fay.")

    assert (done(world), asked(world)) == (["vote Fay"], [])


def test_what_others_wrote_in_private_explains_nothing() -> None:
    """Answers to a private letter are asked about, whatever that says (NC 6)."""
    for first in ("see Fay", "see Gus"):
        world = World().start()
        world.write("Bex", first, "contestmaster", at=1, message_id="<first@players.example>")
        world.write("Cam", f"Hi.\n\n{HEADER}\n\nsee Fay", "contestmaster", at=2,
                    headers="In-Reply-To: <first@players.example>\r\n")
        assert asked(world) == ["see Fay"]


def test_a_line_that_another_has_posted_is_not_counted_beside_ones_own() -> None:
    """Also where the letter that is answered isn't known, or another's: a mailer may have lost all signs."""
    world = World().start()
    world.write("Bex", "I vote for Fay.", at=1)
    world.write("Cam", "I vote for Gus.\n\nI vote for Fay.", at=2, subject="Re: Werewolves")
    assert (done(world), asked(world)) == (["vote Gus"], ["I vote for Fay."])

    world.write("Cam", "I vote for Gus. No, wait.\n\nI vote for Fay.", at=3)
    assert done(world)[-1] == "vote Fay", "what begins a thread quotes nothing"


def test_long_quotations_are_read_at_their_ends() -> None:
    """A vote below a long unmarked quotation is asked about, and reading takes no longer for what lies between."""
    long = "\n\n".join(f"Number {n}: this is what I think of the matter, as I said." for n in range(3000))
    world = answering(World(), f"Hi.\n\n{HEADER}\n\n{long}\n\nI vote for Gus.")

    assert asked(world) == ["I vote for Gus."]


WOLVES = replace(setup(), name="The Wolves of Agora")


@each(("text", "verb"), [
    ("I hereby join The Wolves of Agora.", "join"), ("Ok, I join the contract The Wolves of Agora!", "join"),
    ("I become a party to the contract known as the wolves of agora.", "join"), ("I join the Wolves.", "join"),
    ("I leave The Wolves of Agora.", "leave"), ("So I resign from the Wolves of\nAgora, sadly.", "leave"),
])
def test_by_name(text: str, verb: str) -> None:
    """The whole name, or the tag of its letters, also where a line was wrapped."""
    said = by_name(WOLVES, enumerate(text.split("\n"), 1))

    assert said is not None
    assert said[2] == verb


@each("text", [
    "I might join The Wolves of Agora.", "If I join The Wolves of Agora, who else does?", "I like The Wolves of Agora.",
    "Who joins The Wolves of Agora?", "I think that people leave The Wolves of Agora.", "I join the Partnership.",
    "I don't leave The Wolves of Agora.", "I join the Scholarship. The Wolves of Agora is fun.",
])
def test_talk_of_it(text: str) -> None:
    """Nobody is asked back who only talks of it."""
    assert by_name(WOLVES, [(1, text)]) is None


def test_a_letter_without_words_names_nothing() -> None:
    """A letter may be empty, or all of it quoted."""
    assert by_name(WOLVES, []) is None
    assert World(WOLVES).start(SEVEN).write("Bex", "> I join The Wolves of Agora.", at=1).bucket == "no-deed"


def test_a_stranger_who_joins_by_name_is_told_of() -> None:
    """The contestmaster alone can tell em how it is written."""
    world = World(WOLVES)
    world.write("Cam", "I hereby join The Wolves of Agora.")

    noted = world.events(Noted)[0].event
    assert isinstance(noted, Noted)
    assert 'Cam <cam@players.example>, seems to want to join: "I hereby join The Wolves of Agora."' in noted.text


def test_a_party_who_leaves_by_name_is_asked() -> None:
    """Nothing is done, and e is told what to write."""
    world = World(WOLVES)
    world.start(SEVEN)
    world.write("Bex", "I leave The Wolves of Agora.", at=2)
    assert "Did you mean: leave?" in " ".join(world.to("Bex").split())
    assert "Bex" in world.contest.parties["agora"]


def asked_back(world: World) -> list[Asked]:
    """Whom the contest has asked back what, in order."""
    return [entry.event for entry in world.contest.entries if isinstance(entry.event, Asked)]


def test_every_player_is_told_whatever_e_holds() -> None:
    """Nobody can tell by the answers who owes something."""
    found = World().start(roles="seer")
    for who in SEVEN:
        found.write(who, "The stars are dim.", "contestmaster", at=1)

    assert [each.who for each in asked_back(found)] == list(SEVEN)


def test_the_same_words_are_answered_once_in_a_phase() -> None:
    """They may be those of a machine that doesn't say what it is; other words are answered."""
    found = World().start()
    for hour in (1, 2, 3):
        found.write("Ash", "Thank you. We will look at it soon.", "contestmaster", at=hour)
    found.write("Ash", "The stars are dim.", "contestmaster", at=4)

    assert [each.text for each in asked_back(found)] == ["Thank you. We will look at it soon.", "The stars are dim."]


@each(("says", "suggested"), [
    ("> I vote for Gus.\nSo do I!", "vote Gus"),
    ("> I think Hal is a wolf.\n> I endorse Cam.\n\nMe too.\n\nBex", "vote endorse Cam"),
    ("> I vote for Gus.\nSo do I hope that it rains.", None),
    ("> Gus is a wolf.\nSame here.", None),
    ("> I vote for Gus.\nI do not.", None),
])
def test_who_does_as_the_quoted_one_does_is_asked(says: str, suggested: str | None) -> None:
    """A quotation does nothing, and what "so do I" means stands only there (D-N10)."""
    found = World().start()
    found.write("Bex", says, at=1)

    assert [each.hint.split("write ")[1] for each in asked_back(found)] == ([f"“{suggested}”."] if suggested else [])
    assert not [entry for entry in found.contest.entries if isinstance(entry.event, DeedHeard)]
