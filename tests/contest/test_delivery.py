"""Observers and daily letters: who gets what, when, and that the hour tells nothing (D-A18, D-A19)."""

from __future__ import annotations

from email import message_from_bytes
from email.policy import default
from urllib.parse import parse_qsl, urlsplit

import pytest

from nomicwolf.archive.replay import redo
from nomicwolf.contest import LetterCame, Tick, hear
from nomicwolf.letters.compose import Envelope, compose
from nomicwolf.nomic.delivery import DigestSent, ObserverCame, PutOff
from nomicwolf.nomic.state import Contest
from nomicwolf.reports.archive import publish
from tests.archive.stories import posted
from tests.contest.test_caring import DAY, night
from tests.contest.test_strangers import JOINS, SIGNED, world
from tests.contest.world import AGORA, HOME, HOUR, START, B, World, setup


def got(of: World, who: str) -> list[str]:
    """The subjects of all that *who* was sent."""
    return [letter.subject for letter in of.sent if letter.person == who]


def alive(of: World, but: str) -> str:
    """Somebody who lives, *but* for one."""
    return next(who for who in of.game.living() if who != but)


def hours(of: World, who: str) -> list[float]:
    """When *who* was sent letters, in hours."""
    return [(letter.at - START) / HOUR for letter in of.sent if letter.person == who]


def test_a_stranger_observes_whose_domain_vouches_for_em() -> None:
    """E is known from then on, gets what the forums get and no more, and may join later under eir name."""
    contest = world().start()
    contest.write("Ida", "observe", "contestmaster", 1, headers=SIGNED)
    contest.tick(9 + DAY)

    forum = [letter for letter in contest.letters if letter.forum == "agora"]
    copies = [letter for letter in contest.letters if letter.person == "Ida"]
    assert [letter.subject for letter in copies] == [letter.subject for letter in forum]
    assert forum[0].body.rstrip() in copies[0].body
    assert not contest.write("Ida", "who", "contestmaster", 40).why
    contest.write("Ida", JOINS, at=50)
    assert "Ida" in contest.contest.parties["agora"]


@pytest.mark.parametrize(("headers", "words", "observers"), [
    ("", "observe", 100), (SIGNED, "observe", 0), (SIGNED, "observe: over", 100), (SIGNED, "observe\nstatus", 100),
    (f"{SIGNED}Auto-Submitted: auto-replied\r\n", "observe", 100),
])
def test_no_other_stranger_gets_anything(headers: str, words: str, observers: int) -> None:
    """Nothing vouches, there is no room, e asks for something else, or a machine wrote it."""
    contest = world(observers=observers)
    contest.write("Ida", words, "contestmaster", 1, headers=headers)

    assert not contest.contest.persons
    assert not contest.sent


@pytest.mark.parametrize("button", ["as-it-says", "subject-alone", "with-words-of-the-program"])
def test_the_button_of_a_mail_program_ends_it(button: str) -> None:
    """It sends the letter that the header says; some programs leave its words out, or put others there."""
    contest = world().start()
    contest.write("Ida", "observe", "contestmaster", 1, headers=SIGNED)
    contest.tick(9 + DAY)
    (copy,) = [letter for letter in contest.letters if letter.person == "Ida"]
    envelope = Envelope("Wolf", HOME, "wolf", b"k" * 32, {"agora": AGORA, "b": B})
    said = urlsplit(message_from_bytes(compose(copy, envelope), policy=default)["List-Unsubscribe"].strip("<>"))
    assert (said.scheme, said.path) == ("mailto", HOME)
    fields = dict(parse_qsl(said.query))
    body = {"as-it-says": fields["body"], "subject-alone": ""}.get(button, "Sent by a mail program on behalf of Ida.")
    contest.write("Ida", body, "contestmaster", 40, subject=fields["subject"])

    assert "You get no public letters any more." in contest.to("Ida")
    assert not contest.contest.law.observers


def test_nobody_else_has_that_button() -> None:
    """Neither a player's own letters nor the forums'; who observes nothing ends nothing by a subject."""
    contest = world().start()
    contest.write("Cam", "Hello.", "contestmaster", 1, subject="observe: over")

    assert not any(letter.ends for letter in contest.sent)
    assert "You don't observe" not in contest.to("Cam")


def test_a_name_that_is_taken_is_not_needed() -> None:
    """Who only reads needs no name that can be told from the players'."""
    contest = world().start()
    contest.write("Ash", "observe", "contestmaster", 1, headers=SIGNED, sender="Ash <zoe@else.players.example>")

    assert [e.event.who for e in contest.events(ObserverCame) if isinstance(e.event, ObserverCame)] == ["zoe"]


def test_a_day_of_news_is_one_letter_with_the_latest_count() -> None:
    """At half past eight, after the day's count; without news there is none."""
    contest = World().start()
    contest.write("Ida", JOINS, at=1)
    contest.write("Ida", "observe: daily", "contestmaster", at=2)
    contest.command("ruling", 3, text="A vote for Gus is one for Gus.", authority="NC 1i")
    for hour in range(4, 4 * DAY):
        contest.tick(hour)

    daily = [letter for letter in contest.sent if letter.person == "Ida"][1:]
    assert hours(contest, "Ida")[1:] == [9, 33, 57, 81]
    assert "A vote for Gus is one for Gus." in daily[0].body
    assert all(letter.body.count("Not voting:") == 1 for letter in daily[1:])


def test_a_late_poll_brings_one_daily_letter() -> None:
    """Not one for each day on which nobody polled."""
    contest = World(setup(guard=0)).start()
    contest.write("Gus", "observe: daily", "contestmaster", at=2)
    contest.tick(20 * DAY)

    assert got(contest, "Gus").count("[Werewolves] Day 1: vote count") == 1


@pytest.mark.parametrize("cover", [(), ("02:00", "08:00", "14:00", "20:00")])
def test_what_is_not_due_waits_for_the_morning(cover: tuple[str, ...]) -> None:
    """A Seer's receipt and finding come in one letter; what e asks is answered at once, and so is the new phase."""
    contest, seer = night(setup(cover=cover))
    begun = len(got(contest, seer))
    contest.write(seer, "digest: daily", "contestmaster", 3)
    other = alive(contest, seer)
    contest.write(seer, f"see {other}", "contestmaster", 4)
    contest.write(seer, "who", "contestmaster", 5)
    for hour in range(5, 24 + 10):
        contest.tick(hour)

    later = [letter for letter in contest.sent if letter.person == seer][begun:]
    (told,) = [letter for letter in later if f"{other} is" in letter.body]
    assert (told.at - START) // HOUR in (8, 9)
    assert contest.events(PutOff)
    assert any("Ash" in letter.body and letter.at == START + 5 * HOUR for letter in later)


def test_whose_letters_are_daily_shows_no_role() -> None:
    """In a covered night a Seer who is told something and a Villager who isn't get letters at the same times."""
    contest, seer = night(setup(cover=("02:00", "08:00", "14:00", "20:00")))
    villager = next(who for who in contest.game.living() if contest.game.roles[who] == "villager")
    for who in (seer, villager):
        contest.write(who, "digest: daily", "contestmaster", 3)
    contest.write(seer, f"see {villager}", "contestmaster", 4)
    for hour in range(4, 11 * DAY):
        contest.tick(hour)

    assert hours(contest, seer)[-14:] == hours(contest, villager)[-14:]
    days = [hour // 24 for hour in hours(contest, seer) if 24 <= hour < 6 * 24]
    assert len(days) == len(set(days))


def test_what_is_due_within_a_day_goes_at_once() -> None:
    """A last reminder can't wait for the morning after."""
    contest, seer = night()
    contest.write(seer, "digest: daily", "contestmaster", 3)
    for hour in range(4, 8 * DAY):
        contest.tick(hour)

    last = [letter for letter in contest.sent if letter.person == seer and "owe" in letter.body.casefold()][-1]
    assert last.at == START + (2 + 6 * DAY) * HOUR


def test_a_run_that_hears_and_then_sends_the_daily_letter_leaves_nothing_out() -> None:
    """Letters of a run are told together: what is put off and brought in one run is told once."""
    contest, seer = night()
    contest.write(seer, "digest: daily", "contestmaster", 3)
    other = alive(contest, seer)
    letter = contest.letter(seer, f"see {other}", "contestmaster", 4, arrives=33)
    contest.contest = hear(contest.contest, LetterCame(letter, run=7), START + 33 * HOUR).contest
    sent = [*hear(contest.contest, Tick(run=7), START + 33 * HOUR).letters]
    contest.contest = hear(contest.contest, Tick(run=7), START + 33 * HOUR).contest
    for hour in (40, 60):
        outcome = hear(contest.contest, Tick(), START + hour * HOUR)
        contest.contest = outcome.contest
        sent += outcome.letters

    assert sum(f"{other} is" in found.body for found in sent if found.person == seer) == 1


def test_it_is_taken_back() -> None:
    """What has waited comes at once then."""
    contest, seer = night()
    other = alive(contest, seer)
    contest.write(seer, "digest: daily", "contestmaster", 3)
    contest.write(seer, f"see {other}", "contestmaster", 4)
    assert f"{other} is" not in contest.to(seer)
    contest.write(seer, "digest: over", "contestmaster", 5)

    assert f"{other} is" in contest.to(seer)
    assert not contest.contest.law.put_off


def test_the_record_tells_it_all_again() -> None:
    """Who observes, what waits, and a new name are a fold over the record; the archive can be redone."""
    contest, seer = night()
    contest.write("Ida", JOINS, at=2.5)
    contest.write("Ida", "observe: daily\ndigest: daily\nstandby", "contestmaster", 3)
    contest.command("party-rename", 4, who="Ida", new="Zed")
    contest.write(seer, "digest: daily", "contestmaster", 4)
    contest.write(seer, f"see {alive(contest, seer)}", "contestmaster", 5)
    again = Contest.of(contest.contest.setup, contest.contest.entries)

    assert again.law == contest.contest.law
    assert again.law.digests == ("Zed", seer)
    assert again.law.standby == tuple(again.law.observers) == ("Zed",)
    assert list(again.law.put_off) == [seer]
    contest.tick(40)
    assert contest.events(DigestSent)
    contest.command("end", 50, why="enough")
    assert redo(publish(contest.contest, posted(contest.sent))).differs == []
