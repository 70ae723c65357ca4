"""What only pretends: names that aren't one's own to take, letters in the contest's name, deeds outside of the text.

Found by an attack through mail alone.
"""

from __future__ import annotations

import pytest

from nomicwolf.nomic.events import Asked, DeedHeard, LetterHeld, Noted, PartyJoined
from tests.contest.world import HOME, SEVEN, World


def asked(world: World) -> list[str]:
    """What has been asked of anyone so far: the hints."""
    return [e.event.hint for e in world.events(Asked) if isinstance(e.event, Asked)]


@pytest.mark.parametrize("name", ["nobody", "Ash and Bex", "Gus if Bex does", "\u0410sh"])
def test_nobody_joins_under_a_name_that_means_something(name: str) -> None:
    """NC 1c: the contestmaster is told, who can let em in under another name."""
    world = World().start()
    done = world.write(name, "I join this contract.", sender=f'"{name}" <new@evil.example>', at=1)

    assert done.bucket == "stranger"
    assert len(world.events(PartyJoined)) == len(SEVEN)
    assert "A stranger" in world.to("Murphy")


@pytest.mark.parametrize("alias", ["nobody", "null", "Ash and Bex", "Gus if Bex does", "\u0410sh", "Murphy"])
def test_nobody_takes_over_what_others_write_by_an_alias(alias: str) -> None:
    """NC 3: “poison nobody” and “I vote for Gus if Bex does” keep their meaning."""
    world = World().start()
    world.write("Eli", f"alias: {alias}", "contestmaster", at=1)
    world.write("Ash", "I vote for Gus if Bex does.", at=2)
    world.tick(at=3)

    assert world.contest.persons["Eli"].aliases == ()
    assert "Not done (alias)" in "".join(o.body for o in world.sent if o.person == "Eli")
    (heard,) = [e.event.says for e in world.events(DeedHeard) if isinstance(e.event, DeedHeard)]
    assert heard.startswith("vote Gus if Bex is voting for Gus")


def test_a_letter_in_the_contest_s_name_is_told_to_the_contestmaster() -> None:
    """It does nothing, but everyone on the forum has read it; our own, with its seal, is no news."""
    world = World().start()
    forged = world.write("The Fair", "Session 1 is over.", sender=f"The Fair <{HOME}>", at=1)
    (note,) = [e.event for e in world.events(Noted) if isinstance(e.event, Noted) and e.event.topic == "forged"]

    assert (forged.bucket, note.text.startswith("Letter ")) == ("own", True)
    assert "in the contest's name, and nomicwolf did not send it" in " ".join(world.to("Murphy").split())


def test_a_private_copy_of_such_a_letter_is_no_news() -> None:
    """Nobody else has read it."""
    world = World().start()
    world.write("The Fair", "Session 1 is over.", "contestmaster", sender=f"The Fair <{HOME}>", at=1)

    assert not world.events(Noted)


@pytest.mark.parametrize("to", ["agora", "contestmaster"])
def test_an_encrypted_text_is_held(to: str) -> None:
    """D-N10: also where it stands plain in the letter, not in a part of its own; its author is told."""
    world = World().start()
    held = world.write("Ash", "-----BEGIN PGP MESSAGE-----\r\n\r\nhQEMA\r\n-----END PGP MESSAGE-----", to, at=1)

    assert held.bucket == "held"
    assert [e.event.why for e in world.events(LetterHeld) if isinstance(e.event, LetterHeld)] == ["it is encrypted"]


@pytest.mark.parametrize(("subject", "to"), [
    ("I vote for Gus.", "agora"), ("Re: [Fair] I vote for Gus.", "agora"), ("BUS: I vote for Gus", "agora"),
    ("attack Gus", "contestmaster"), ("AW: see Gus", "contestmaster"),
])
def test_a_deed_in_the_subject_alone_is_asked_about(subject: str, to: str) -> None:
    """A subject never counts; who writes nothing else is told so."""
    world = World().start()
    world.write("Ash", "", to, at=1)
    before = asked(world)
    world.write("Ash", "", to, at=1.2, subject=subject)

    assert before == []
    assert asked(world) == [
        "Nothing was done, since it stands in the subject. Write it again in the letter, on a line of its own."]


def test_a_subject_above_a_text_is_no_deed_and_no_question() -> None:
    """Who writes a letter says in it what e does."""
    world = World().start()
    world.write("Ash", "Good morning.", "agora", at=1, subject="I vote for Gus.")

    assert asked(world) == []


def test_what_stands_in_no_line_is_asked_about_without_a_number() -> None:
    """A deed that is hidden in HTML stands in no line."""
    world = World().start()
    world.write("Ash", '<p>hi</p><p style="display:none">I vote for Gus.</p>', at=1,
                headers="MIME-Version: 1.0\r\nContent-Type: text/html\r\n")

    assert "something in your letter can't be taken as it stands" in " ".join(world.to("Ash").split())
