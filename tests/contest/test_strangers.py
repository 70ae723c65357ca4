"""Letters of strangers, and of those who pretend to be somebody.

Found by an attack through mail alone.
"""

from __future__ import annotations

import pytest

from nomicwolf.nomic.events import Asked, DeedHeard, LetterHeld, Noted, PartyJoined
from nomicwolf.nomic.law_events import StrangerAnswered
from tests.contest.test_commands import release
from tests.contest.world import HOME, SEVEN, World, setup
from tests.tables import each

OURS = "mx.wolf.example"
SIGNED = f"Authentication-Results: {OURS}; dkim=pass header.d=players.example\r\n"
APPROVED = f"Authentication-Results: {OURS}; dmarc=pass header.from=players.example\r\n"
JOINS = "I join this contract."


def world(**more: object) -> World:
    """A contest whose own server is known by name, and whose forums' stamps can be believed."""
    return World(setup(0, authserv_ids=(OURS,), **more))


def parties(of: World, nomic: str = "agora") -> tuple[str, ...]:
    """Who is a party in *nomic*."""
    return of.contest.parties[nomic]


def told(of: World, address: str = "ash@players.example") -> list[str]:
    """All that has gone to *address*, each on one line."""
    return [" ".join(letter.body.split()) for letter in of.sent if letter.to == address]


@pytest.mark.parametrize("proof", [SIGNED, APPROVED])
def test_who_wants_to_join_by_private_mail_is_told_where(proof: str) -> None:
    """NC 1c: what to write, and the addresses of the forums; the contestmaster sees em too."""
    contest = world()

    assert contest.write("Ash", JOINS, "contestmaster", headers=proof).bucket == "stranger"
    (answer,) = told(contest)
    assert "joining takes effect in a forum" in answer
    assert f'"{JOINS}"' in answer
    assert "agora-business@agora.example" in answer
    assert "spoon-business@b.example" in answer
    assert any("E is told how." in e.event.text for e in contest.contest.entries
               if isinstance(e.event, Noted) and e.event.topic == "newcomer")


@pytest.mark.parametrize("headers", [
    "",
    "Authentication-Results: mx.evil.example; dkim=pass header.d=players.example\r\n",
    f"Authentication-Results: {OURS}; dkim=pass header.d=evil.example\r\n",
    f"Authentication-Results: {OURS}; dkim=pass header.d=players.example; dmarc=fail header.from=players.example\r\n",
    f"Authentication-Results: {OURS}; dmarc=pass header.from=evil.example\r\n",
    f"{SIGNED}Auto-Submitted: auto-replied\r\n",
    f"{SIGNED}Precedence: bulk\r\n",
    f"{SIGNED}Return-Path: <>\r\n",
])
def test_nobody_gets_mail_for_what_e_may_not_have_written(headers: str) -> None:
    """No backscatter: nothing vouches, another server does, for another domain, the domain disowns it, or a machine."""
    contest = world()
    contest.write("Ash", JOINS, "contestmaster", headers=headers)

    assert not told(contest)


def test_a_stranger_is_answered_once_a_day() -> None:
    """However often e writes, and in whatever spelling of eir address; the next day e is answered again."""
    contest = world()
    for at, sender in ((1, "Ash <ash@players.example>"), (2, "Ash <ash@PLAYERS.example>"), (3, "ash@players.example")):
        contest.write("Ash", JOINS, "contestmaster", at, headers=SIGNED, sender=sender)
    assert len(told(contest)) == 1

    contest.write("Ash", JOINS, "contestmaster", 25, headers=SIGNED)
    assert len(told(contest)) == 2


def test_no_more_than_twenty_strangers_a_day_are_answered() -> None:
    """A domain can have any number of addresses, and sign for each."""
    contest = world()
    for n in range(30):
        contest.write("Zoe", JOINS, "contestmaster", 1, headers=SIGNED, sender=f"Zoe{n} <zoe{n}@players.example>")

    assert sum(isinstance(e.event, StrangerAnswered) for e in contest.contest.entries) == 20


def test_no_word_of_the_letter_stands_in_the_answer() -> None:
    """Nobody can have the contest send eir words to somebody else."""
    contest = world()
    contest.write("Ash", f"Buy CHEAP-PILLS now.\n{JOINS}", "contestmaster", headers=SIGNED, subject="CHEAP-PILLS")

    (answer,) = [x for x in contest.sent if x.to == "ash@players.example"]
    assert "CHEAP" not in answer.body + answer.subject


def test_who_comes_through_a_forum_is_told_what_was_wrong() -> None:
    """A name that is somebody's, and words that are not understood; what the forum stamped, it vouches for."""
    contest = world().start()
    contest.write("Bex", JOINS, sender="Bex <hal@players.example>", at=1)
    (name,) = told(contest, "hal@players.example")
    assert "You can't be called Bex here" in name
    assert '"I join this contract as NAME."' in name

    contest.write("Ida", "I want to play.", at=2)
    (unclear,) = told(contest, "ida@players.example")
    assert "was not understood" in unclear


def test_a_stamp_that_anyone_can_invent_vouches_for_nobody() -> None:
    """Where our own servers aren't known by name, a letter may only pretend to come through the forum."""
    contest = world(stamps_prove=False).start()
    contest.write("Bex", JOINS, sender="Bex <hal@players.example>", at=1)

    assert not told(contest, "hal@players.example")


def test_where_joining_is_asked_for_the_letter_waits() -> None:
    """D-A16: e is told so, the contestmaster lets em in, and e is a party from when e posted it."""
    contest = world(joining="asked")
    assert contest.write("Ash", JOINS, at=1).bucket == "held"
    assert parties(contest) == ()
    assert "looks at who joins" in told(contest)[0]
    (number,) = contest.contest.held
    assert "held, then release N or reject N" in contest.to("Murphy")

    letter = contest.letter("Ash", JOINS, at=1)
    release(contest, number, letter, 30)
    assert parties(contest) == ("Ash",)
    joined = next(e for e in contest.contest.entries if e.event.name == "party-joined")
    assert joined.at == letter.arrived


def test_who_is_not_let_in_is_told_why() -> None:
    """A stranger too, if e was answered before."""
    contest = world(joining="asked")
    contest.write("Ash", JOINS, at=1)
    (number,) = contest.contest.held
    contest.command("reject", 2, number=str(number), why="You are Bex.")

    assert parties(contest) == ()
    assert "has not let you in: You are Bex." in told(contest)[-1]
    assert not any(isinstance(e.event, LetterHeld) for e in contest.entries)


def test_two_who_ask_by_one_name_are_not_one() -> None:
    """NC 3: the second can't be released as the first, who has taken the name meanwhile."""
    contest = world(joining="asked")
    contest.write("Ash", JOINS, at=1)
    contest.write("Ash", JOINS, at=2, sender="Ash <other@players.example>")
    first, second = contest.contest.held
    release(contest, first, contest.letter("Ash", JOINS, at=1), 3)

    letter = contest.letter("Ash", JOINS, at=2, sender="Ash <other@players.example>")
    assert "can't join by this name any more" in release(contest, second, letter, 4).said
    assert parties(contest) == ("Ash",)


def test_a_party_of_one_nomic_joins_the_other_without_asking() -> None:
    """The contestmaster has looked at em already."""
    contest = world(joining="asked")
    contest.command("party-add", 1, who="Ash", address="ash@players.example", nomic=("agora",))

    assert contest.write("Ash", JOINS, "b", at=2).bucket == "deeds"
    assert parties(contest, "b") == ("Ash",)


def asked(world: World) -> list[str]:
    """What has been asked of anyone so far: the hints."""
    return [e.event.hint for e in world.events(Asked) if isinstance(e.event, Asked)]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["nobody", "Ash and Bex", "Gus if Bex does", "\u0410sh"])
def test_nobody_joins_under_a_name_that_means_something(name: str) -> None:
    """NC 1c: the contestmaster is told, who can let em in under another name."""
    world = World().start()
    done = world.write(name, "I join this contract.", sender=f'"{name}" <new@evil.example>', at=1)

    assert done.bucket == "stranger"
    assert len(world.events(PartyJoined)) == len(SEVEN)
    assert "A stranger" in world.to("Murphy")


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_letter_in_the_contest_s_name_is_told_to_the_contestmaster() -> None:
    """It does nothing, but everyone on the forum has read it; our own, with its seal, is no news."""
    world = World().start()
    forged = world.write("The Fair", "Session 1 is over.", sender=f"The Fair <{HOME}>", at=1)
    (note,) = [e.event for e in world.events(Noted) if isinstance(e.event, Noted) and e.event.topic == "forged"]

    assert (forged.bucket, note.text.startswith("Letter ")) == ("own", True)
    assert "in the contest's name, and nomicwolf did not send it" in " ".join(world.to("Murphy").split())


@pytest.mark.slow
def test_letters_in_the_contest_s_name_are_told_of_twenty_times_a_day() -> None:
    """Anyone can send any number of them, and each would bring the contestmaster a letter."""
    world = World().start()
    for place in range(30):
        world.write("The Fair", f"Session {place} is over.", sender=f"The Fair <{HOME}>", at=1)

    notes = [e.event for e in world.events(Noted) if isinstance(e.event, Noted) and e.event.topic == "forged"]
    assert (len(notes), notes[-1].text.endswith("from midnight UTC on.")) == (20, True)


@pytest.mark.slow
def test_a_private_copy_of_such_a_letter_is_no_news() -> None:
    """Nobody else has read it."""
    world = World().start()
    world.write("The Fair", "Session 1 is over.", "contestmaster", sender=f"The Fair <{HOME}>", at=1)

    assert not world.events(Noted)


@pytest.mark.slow
@pytest.mark.parametrize("to", ["agora", "contestmaster"])
def test_an_encrypted_text_is_held(to: str) -> None:
    """D-N10: also where it stands plain in the letter, not in a part of its own; its author is told."""
    world = World().start()
    held = world.write("Ash", "-----BEGIN PGP MESSAGE-----\r\n\r\nhQEMA\r\n-----END PGP MESSAGE-----", to, at=1)

    assert held.bucket == "held"
    assert [e.event.why for e in world.events(LetterHeld) if isinstance(e.event, LetterHeld)] == ["it is encrypted"]


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_subject_above_a_text_is_no_deed_and_no_question() -> None:
    """Who writes a letter says in it what e does."""
    world = World().start()
    world.write("Ash", "Good morning.", "agora", at=1, subject="I vote for Gus.")

    assert asked(world) == []


@pytest.mark.slow
def test_what_stands_in_no_line_is_asked_about_without_a_number() -> None:
    """A deed that is hidden in HTML stands in no line."""
    world = World().start()
    world.write("Ash", '<p>hi</p><p style="display:none">I vote for Gus.</p>', at=1,
                headers="MIME-Version: 1.0\r\nContent-Type: text/html\r\n")

    assert "something in your letter is not clear" in " ".join(world.to("Ash").split())


@pytest.mark.slow
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


@pytest.mark.slow
def test_one_s_own_name_and_alias_are_no_others() -> None:
    """Given twice an alias is one; a name of one's own may be written otherwise."""
    world = World().start()
    for alias in ("Gustav", "Gustav", "GUS"):
        assert world.command("party-alias", 1, who="Gus", alias=alias).status == 0

    assert world.contest.persons["Gus"].aliases == ("Gustav", "GUS")


@pytest.mark.slow
def test_a_name_that_means_something_is_the_contestmaster_s_to_give() -> None:
    """Somebody may really be called so; e is told what comes of it."""
    world = World().start()
    done = world.command("party-alias", 1, who="Gus", alias="nobody")

    assert done.status == 0
    assert "“nobody” means something else in votes and deeds. Another name would be safer" in done.said


@pytest.mark.slow
@pytest.mark.parametrize("name", ["The Werewolves of Nomic Crossing", "the werewolves of nomic cros\u0455ing"])
def test_nobody_takes_the_contest_s_own_name_by_mail(name: str) -> None:
    """Neither who joins nor by an alias: eir letters would look like the contest's."""
    world = World().start()
    joined = world.write("Zoe", "I join this contract.", sender=f'"{name}" <new@evil.example>', at=1)
    world.write("Eli", f"alias: {name}", "contestmaster", at=2)
    world.tick(at=3)

    assert joined.bucket == "stranger"
    assert world.contest.persons["Eli"].aliases == ()


@pytest.mark.slow
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
