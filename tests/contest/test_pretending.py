"""What only pretends: names that aren't one's own to take, letters in the contest's name, deeds outside of the text.

Found by an attack through mail alone.
"""

from __future__ import annotations

import pytest

from nomicwolf.nomic.events import Asked, DeedHeard, LetterHeld, Noted, PartyJoined
from tests.contest.world import HOME, SEVEN, World, setup
from tests.tables import each

pytestmark = pytest.mark.slow


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


@each("alias", ["nobody", "null", "Ash and Bex", "Gus if Bex does", "\u0410sh", "Murphy"])
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


def test_letters_in_the_contest_s_name_are_told_of_twenty_times_a_day() -> None:
    """Anyone can send any number of them, and each would bring the contestmaster a letter."""
    world = World().start()
    for place in range(30):
        world.write("The Fair", f"Session {place} is over.", sender=f"The Fair <{HOME}>", at=1)

    notes = [e.event for e in world.events(Noted) if isinstance(e.event, Noted) and e.event.topic == "forged"]
    assert (len(notes), notes[-1].text.endswith("from midnight UTC on.")) == (20, True)


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


@each(("subject", "to"), [
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

    assert "something in your letter is not clear" in " ".join(world.to("Ash").split())


@pytest.mark.parametrize("order", ["party-alias", "party-add", "party-rename"])
@each(("name", "why"), [
    ("gus", "gus is somebody else's name"), ("Gustav", "Gustav is somebody else's name"),
    ("\u0410sh", "looks like Ash"), ("Murphy", "Murphy is somebody else's name"), ("\u200b", "looks like nothing"),
    ("The Werewolves of Nomic Cros\u0455ing", "looks like The Werewolves"),
])
def test_the_contestmaster_gives_nobody_such_a_name_by_an_oversight(order: str, name: str, why: str) -> None:
    """NC 3: a vote for one must not be taken for the other's; nothing is done."""
    world = World()
    for number, who in enumerate(SEVEN):
        world.write(who, "I join this contract.", at=number / 100)
    assert world.command("party-alias", 0.5, who="Gus", alias="Gustav").status == 0
    given = {"party-alias": {"who": "Bex", "alias": name}, "party-add": {"who": name, "address": "new@x.example"},
             "party-rename": {"who": "Bex", "new": name}}[order]
    before = world.contest.last
    done = world.command(order, 1, **given)

    assert done.status == 1
    assert why in done.said
    assert "Choose another name" in done.said
    assert world.contest.last == before


def test_one_s_own_name_and_alias_are_no_others() -> None:
    """Given twice an alias is one; a name of one's own may be written otherwise."""
    world = World().start()
    for alias in ("Gustav", "Gustav", "GUS"):
        assert world.command("party-alias", 1, who="Gus", alias=alias).status == 0

    assert world.contest.persons["Gus"].aliases == ("Gustav", "GUS")


def test_a_name_that_means_something_is_the_contestmaster_s_to_give() -> None:
    """Somebody may really be called so; e is told what comes of it."""
    world = World().start()
    done = world.command("party-alias", 1, who="Gus", alias="nobody")

    assert done.status == 0
    assert "“nobody” means something else in votes and deeds. Another name would be safer" in done.said


@pytest.mark.parametrize("name", ["The Werewolves of Nomic Crossing", "the werewolves of nomic cros\u0455ing"])
def test_nobody_takes_the_contest_s_own_name_by_mail(name: str) -> None:
    """Neither who joins nor by an alias: eir letters would look like the contest's."""
    world = World().start()
    joined = world.write("Zoe", "I join this contract.", sender=f'"{name}" <new@evil.example>', at=1)
    world.write("Eli", f"alias: {name}", "contestmaster", at=2)
    world.tick(at=3)

    assert joined.bucket == "stranger"
    assert world.contest.persons["Eli"].aliases == ()


@pytest.mark.parametrize("order", ["party-add", "party-address"])
@each(("address", "whose"), [
    ("ash@players.example", "Ash"), ("ASH@players.example", "Ash"), ("murphy@murphy.example", "Murphy"),
    ("agora-business@agora.example", "the forum of agora"), ("wolf@wolf.example", "The Werewolves"),
    ("no address", "is no address"), ("zoë@players.example", "No letter can go to"),
])
def test_an_address_is_one_person_s(order: str, address: str, whose: str) -> None:
    """By a slip of the contestmaster's, letters of two would be held for ever."""
    world = World(setup(utf8=False)).start()
    before = world.contest.last
    done = world.command(order, 1, who="Zoe" if order == "party-add" else "Gus", address=address)

    assert done.status == (2 if address == "no address" else 1)
    assert whose in done.said
    assert world.contest.last == before
