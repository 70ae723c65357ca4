"""Floods: letters and deeds above the day's caps are held, answers end, everyone is told once (D-N47)."""

from __future__ import annotations

from collections import Counter

import pytest

from nomicwolf.contest import LetterCame, Tick, hear
from nomicwolf.letters.letter import Letter, Outgoing
from nomicwolf.nomic.events import LetterHeard, LetterHeld
from nomicwolf.nomic.setup import Caps
from nomicwolf.reports.terminal import held_text, status_text
from nomicwolf.village.events import Voted
from tests.contest.world import HOUR, START, World, setup

pytestmark = pytest.mark.slow

DAY = 24


def capped(**caps: int) -> World:
    """A session with seven players, whose days hold little."""
    world = World(setup(caps=Caps(**caps)))
    return world.start()


def buckets(world: World, author: str) -> Counter[str]:
    """How many letters of *author*'s ended in which bucket."""
    return Counter(e.event.bucket for e in world.events(LetterHeard)
                   if isinstance(e.event, LetterHeard) and e.event.author == author)


def mail_to(world: World, who: str, words: str) -> int:
    """How many letters to *who* say *words*."""
    return sum(words in " ".join(o.body.split()) for o in world.sent if o.person == who)


def test_letters_above_the_cap_are_held_and_it_is_told_once() -> None:
    """The first five are heard (joining was one); of twenty more nothing is done and nothing is lost."""
    world = capped(letters=5)
    for place in range(24):
        world.write("Bex", f"I vote for {('Cam', 'Dov')[place % 2]}.", at=1 + place / 10)

    assert buckets(world, "Bex") == {"deeds": 5, "held": 20}
    assert len([e for e in world.events(Voted) if getattr(e.event, "who", "") == "Bex"]) == 4
    assert mail_to(world, "Bex", "above the limit of 5 letters a day") == 1
    assert mail_to(world, "Murphy", "above the limit of 5 letters a day: it is held") == 1
    assert len(world.contest.held) == 20


def test_talk_counts_against_the_cap_of_letters_too() -> None:
    """A letter in which nothing is done is held unread like any other, once the day's letters are spent."""
    world = capped(letters=3)
    for place in range(4):
        world.write("Bex", f"Good morning number {place}, everybody.", at=1 + place / 10)

    assert buckets(world, "Bex") == {"deeds": 1, "no-deed": 2, "held": 2}


def test_a_flood_is_one_line_for_each_of_its_authors() -> None:
    """In the journal and in `status`; `held` lists every letter, as each can be released, however many there are."""
    world = capped(letters=1)
    for place in range(40):
        world.write("Bex", "I vote for Cam.", at=1 + place / 100)
    world.write("Cam", "I vote for Bex.", at=2)
    numbers = sorted(world.contest.held)
    world.tick(DAY + 1)
    journal, short = " ".join(world.to("Murphy").split()), status_text(world.contest)
    line = (f"40 letters from Bex, letter {numbers[0]} to letter {numbers[-2]}: above the limit of 1 letters a day "
            "(nomicwolf held)")
    one = f"letter {numbers[-1]} from Cam: above the limit of 1 letters a day."
    assert f"Waiting for your ruling: - {line} - {one} Noted" in journal
    assert [line in short, one in short, f"letter {numbers[5]} " in short] == [True, True, False]
    assert all(f"letter {number} from" in held_text(world.contest) for number in numbers)


def test_the_sum_follows_at_midnight_and_the_next_day_is_new() -> None:
    """One digest says how many were held; then its author is heard again."""
    world = capped(letters=3)
    for place in range(9):
        world.write("Bex", "I vote for Cam.", at=1 + place / 10)
    world.tick(DAY + 1)
    world.tick(DAY + 2)
    assert mail_to(world, "Murphy", "by author: Bex: 7") == 1

    assert world.write("Bex", "I vote for Dov.", at=DAY + 3).bucket == "deeds"
    world.tick(2 * DAY + 1)
    assert mail_to(world, "Murphy", "by author") == 1


def test_strangers_cannot_flood_the_contestmaster() -> None:
    """Of those who seem to want to join e is told twenty times a day; all letters are there, as strangers'."""
    world = World(setup()).start()
    for place in range(50):
        sender = f"Z{place} <z{place}@new.example>"
        assert world.write("Zoe", "I join this contract.", "contestmaster", sender=sender, at=1).bucket == "stranger"
    assert mail_to(world, "Murphy", "seems to want to join") == 20
    assert mail_to(world, "Murphy", "Of further strangers you are told from midnight UTC on.") == 1

    world.write("Zoe", "I join this contract.", "contestmaster", sender="Y <y@new.example>", at=DAY + 1)
    assert mail_to(world, "Murphy", "seems to want to join") == 21


def test_a_letter_with_too_many_deeds_is_held_whole() -> None:
    """Half of a letter is never done."""
    world = capped(deeds=3)
    assert world.write("Bex", "I vote for Cam.\nI vote for Dov.", at=1).bucket == "deeds"
    assert world.write("Bex", "I vote for Cam.\nI vote for Dov.", at=2).bucket == "held"
    assert world.write("Bex", "I vote for Eli.", at=3).bucket == "deeds"

    assert len(world.events(Voted)) == 3
    assert mail_to(world, "Bex", "above the limit of 3 deeds a day") == 1


def test_questions_above_the_cap_are_answered_no_more() -> None:
    """RFC 3834 2: whoever asks on and on gets a last word, and then silence until midnight."""
    world = capped(answers=4)
    for place in range(10):
        assert world.write("Bex", "status", "contestmaster", at=1 + place / 10).bucket == "deeds"
    answers = [o for o in world.sent if o.person == "Bex"]
    assert mail_to(world, "Bex", "answered no more until midnight UTC") == 1
    before = len(answers)
    world.write("Bex", "status", "contestmaster", at=DAY + 1)

    assert len([o for o in world.sent if o.person == "Bex"]) == before + 1


def test_a_held_letter_of_a_flood_can_be_released() -> None:
    """The contestmaster lets it through as any other, and the caps don't hinder em."""
    world = capped(letters=2)
    world.write("Bex", "I vote for Cam.", at=1)
    letter = world.letter("Bex", "I vote for Dov.", at=2)
    from nomicwolf.contest import Command, LetterCame, hear

    world.contest = hear(world.contest, LetterCame(letter), letter.arrived).contest
    (number,) = world.contest.held
    released = hear(world.contest, Command("release", {"number": str(number)}, letter=letter), letter.arrived + 60)

    assert released.status == 0, released.said
    assert "vote Dov" in released.said


def test_letters_in_anothers_name_dont_use_up_eir_day() -> None:
    """What is held because nobody is certain to have written it counts for nobody, and is told one by one at first."""
    world = capped(letters=3)
    for place in range(30):
        world.write("Bex", "I vote for Cam.", at=1 + place / 100,
                    sender="Bex <bex@players.example>, Cam <cam@players.example>")
    assert world.write("Bex", "I vote for Dov.", at=2).bucket == "deeds"
    journals = [o for o in world.sent if o.person == "Murphy" and "journal" in o.subject and "held" in o.body]
    held = [e.event for e in world.events(LetterHeld) if isinstance(e.event, LetterHeld)]
    world.tick(DAY + 1)

    assert [h.quiet for h in held] == [False] * 20 + [True] * 10
    assert len(journals) < 25
    assert mail_to(world, "Murphy", "nobody for certain: 10") == 1


def test_no_limit_is_no_limit() -> None:
    """0 switches a cap off."""
    world = capped(letters=0, deeds=0, answers=0)
    for place in range(150):
        world.write("Bex", "votes", "contestmaster", at=1 + place / 1000)

    assert buckets(world, "Bex") == {"deeds": 151}


def polled(world: World, letters: list[Letter], at: float) -> list[Outgoing]:
    """Let *letters* be heard in one run at *at* (hours), a second after the other; return what goes out."""
    out: list[Outgoing] = []
    now, run = START + int(at * HOUR), world.contest.last + 1
    for place, letter in enumerate(letters):
        found = hear(world.contest, LetterCame(letter, run=run), now + place // 10)
        world.contest, out = found.contest, out + list(found.letters)
    found = hear(world.contest, Tick(run=run), now + len(letters) // 10)
    world.contest = found.contest
    return out + list(found.letters)


def test_midnight_between_arrival_and_poll_gives_no_second_day() -> None:
    """300 letters of 23:58 that are polled at 00:01 are letters of one day, by one clock for them and their answers."""
    world = World(setup()).start()
    letters = [world.letter("Bex", f"check: I vote for Nobody{place}.", "contestmaster", DAY - 1 / 30)
               for place in range(300)]
    out = polled(world, letters, DAY + 1 / 60)

    assert buckets(world, "Bex")["held"] == 201, "joining was one of the hundred"
    assert len([o for o in out if o.person == "Bex"]) <= 62


def test_letters_of_many_days_bring_no_more_answers_than_a_run_has() -> None:
    """A machine that was off for a month hears all letters, each on its day, and answers as many as in one."""
    world = World(setup()).start()
    letters = [world.letter("Bex", f"check: I vote for Nobody{day}-{place}.", "contestmaster", day * DAY + place / 10)
               for day in range(1, 31) for place in range(40)]
    out = polled(world, letters, 31 * DAY)

    assert buckets(world, "Bex")["held"] == 0
    assert len([o for o in out if o.person == "Bex"]) <= 61


def test_a_question_of_one_kind_is_answered_once_in_a_run() -> None:
    """Ten that ask how things stand, and ten with the same slip, get one letter with both; later ones get another."""
    world = World(setup()).start()
    letters = [world.letter("Bex", text, "contestmaster", 1 + place / 100)
               for place in range(10) for text in ("status", "I vote for Zed.")]
    out = [o.body for o in polled(world, letters, 2) if o.person == "Bex"]
    (told,) = out
    assert (told.count("You asked how things stand"), told.count("This does not count by private mail")) == (1, 1)

    later = polled(world, [world.letter("Bex", "status", "contestmaster", 2.2)], 2.3)
    assert len([o for o in later if o.person == "Bex"]) == 1


def test_runs_of_one_second_answer_each_for_itself() -> None:
    """However near to each other they are, and though the mailbox's clock is ahead, or behind."""
    world = World(setup()).start()
    for stamp in (2, 2, 1, 3):
        out = polled(world, [world.letter("Bex", text, "contestmaster", stamp) for text in ("status", "status")], 2)
        assert len([o for o in out if o.person == "Bex"]) == 1, stamp


def test_a_refusal_is_told_once_in_the_run_in_which_time_passes() -> None:
    """Deeds wait for the clock: it tells what it refuses in its own run, and again in the next one."""
    world = World(setup(settling=600)).start()
    world.write("Zoe", "I join.", at=1)
    told = []
    for at in (3, 4):
        letters = [world.letter("Zoe", "I vote for Bex.", "agora", at + late) for late in (0, 0, 0.1)]
        runs = polled(world, letters, at + 0.1), polled(world, [], at + 0.2), polled(world, [], at + 0.5)
        told.append([len([o for o in out if o.person == "Zoe"]) for out in runs])
    assert told == [[0, 1, 1]] * 2


def test_an_address_is_asked_once_in_a_run() -> None:
    """Whoever forges eir From can't fill an address with questions."""
    world = World(setup()).start()
    letters = [world.letter("Bex", "address: new@players.example", "contestmaster", 1) for _ in range(20)]
    out = [o for o in polled(world, letters, 2) if o.to == "new@players.example"]
    assert len(out) == 1


def test_a_mailbox_whose_clock_is_ahead_takes_no_days_away() -> None:
    """What is stamped years ahead counts today: else nothing would be heard until then."""
    world = capped(letters=3)
    polled(world, [world.letter("Bex", "I vote for Cam.", at=24 * 900)], 1)
    assert world.write("Bex", "I vote for Dov.", at=DAY + 1).bucket == "deeds"
    for place in range(2):
        world.write("Bex", "I vote for Cam.", at=DAY + 2 + place)
    assert world.write("Bex", "I vote for Dov.", at=2 * DAY + 1).bucket == "deeds"
