"""Strangers who try to join: who is answered, what, how often, and who never is (D-A16, D-A17)."""

from __future__ import annotations

import pytest

from nomicwolf.nomic.events import LetterHeld, Noted
from nomicwolf.nomic.law_events import StrangerAnswered
from tests.contest.test_held_letters import release
from tests.contest.world import World, setup

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
    assert any("E is told how." in told for told in told_master(contest))


def told_master(of: World) -> list[str]:
    """What the contestmaster's journal has been told of newcomers."""
    return [e.event.text for e in of.contest.entries
            if isinstance(e.event, Noted) and e.event.topic == "newcomer"]


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
