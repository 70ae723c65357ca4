"""The letters that are owed: who gets them, what they say, and what they never say."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from nomicwolf.letters.compose import columns
from nomicwolf.letters.letter import Outgoing
from nomicwolf.nomic.events import (
    Answered,
    Asked,
    CountPosted,
    DeedHeard,
    LimitConfirmed,
    Noted,
    PartyJoined,
    PersonKnown,
    Refused,
    SessionStopped,
)
from nomicwolf.reports.owed_letters import letters_for
from nomicwolf.village.ballots import Count, Endorse, For, If, Votes
from nomicwolf.village.events import Told
from tests.reports.gallery import chapters
from tests.reports.stories import EIGHT, SEVEN, START, Story, setup_of
from tests.tables import each

ALL = [letter for _, letters in chapters() for letter in letters]


@each("letter", ALL)
def test_a_letter_is_of_72_columns(letter: Outgoing) -> None:
    """No letter has a line wider than 72 columns, and none says where a template had nothing to say."""
    assert all(columns(line) <= 72 for line in letter.body.split("\n"))
    assert not re.search(r"None|Undefined|\(\)|\{|\n\n\n|  \n|[^.]\.\.( |$)", letter.body)
    assert letter.body.endswith("\n")


@each("letter", ALL)
def test_a_subject_is_no_secret(letter: Outgoing) -> None:
    """Private subjects say a kind and the phase; public ones, an observer's too, are short and on one line."""
    if letter.kind == "private" and "/observer/" not in letter.key and not letter.key.startswith(("check/", "defect/")):
        phase = r"(Day \d+|Night \d+|After session \d+|The setting up)"
        kinds = (r"Your role", r"Please say it again", r"Please confirm", r"Due by \w{3} \d+ \w{3}",
                 rf"{phase}: (received|not done|your question|news for you|please vote)", r"Night \d+ begins",
                 r"How to join", rf"({phase}: t|T)he contestmaster's journal", r"session \d+: your private note")
        assert re.fullmatch(rf"\[Werewolves\] ({'|'.join(kinds)})", letter.subject)
    assert "\n" not in letter.subject
    assert len(letter.subject) <= 78


def test_each_forum_gets_the_same_text_once() -> None:
    """NC 1g: what one nomic reads, every nomic reads, in one letter each, each in its own thread."""
    story = Story()
    first = [m for m in story.start() if m.kind == "public"]
    story.votes("Bex", For("Gus"))
    second = [m for m in story.happens(CountPosted("daily")) if m.kind == "public"]

    assert [m.forum for m in first] == [m.forum for m in second] == ["agora", "b"]
    assert len({(m.subject, m.body) for m in first}) == 1
    assert [m.thread for m in first] == ["", ""]
    assert [m.thread for m in second] == [m.key for m in first]
    assert not any(m.to or m.person for m in first + second)


def test_everyone_gets_one_letter_at_the_start() -> None:
    """NC 2b, 2c: a role letter each, one recipient each, under one subject (N-06, X-11)."""
    story = Story(EIGHT)
    letters = [m for m in story.start() if m.kind == "private" and m.person != "Murphy"]

    assert [m.person for m in letters] == [who for who, _ in EIGHT]
    assert len({m.to for m in letters}) == len(letters)
    assert len({m.subject for m in letters}) == 1
    pack = {m.person for m in letters if "The werewolves are: Ash and Hal." in m.body}
    assert pack == {"Ash", "Hal"}


@each("who", [who for who, _ in SEVEN])
def test_a_role_letter_names_eir_own_role_only(who: str) -> None:
    """A role letter says its reader's role, and no other optional role."""
    story = Story()
    (letter,) = [m for m in story.start() if m.person == who]
    roles = dict(SEVEN)
    others = {"Seer", "Witch", "Hunter", "You are a werewolf"} - {roles[who].capitalize(), f"You are a {roles[who]}"}

    assert not [r for r in others if re.search(rf"\b{r}\b", letter.body)]


def test_nightfall_writes_to_those_who_can_act() -> None:
    """D-N48: to whom nothing is open by night the forum has told all that there is (NC 4)."""
    letters = [m for m in _lynched().letters if m.kind == "private" and m.person != "Murphy"]

    assert {m.person for m in letters} == {who for who, role in SEVEN if role in ("werewolf", "seer")}
    assert not any(m.room for m in letters)


def _lynched(deal: tuple[tuple[str, str], ...] = SEVEN, whom: str = "Gus") -> Story:
    story = Story(deal)
    story.start()
    for who in [w for w, _ in deal if w not in ("Ash", whom)][: len(deal) // 2 + 1]:
        story.votes(who, For(whom))
    return story


def test_a_lynching_is_told_with_its_count() -> None:
    """NC 3: who, when, by how many of how many, the ballot that did it, and whether e was a werewolf (N-61)."""
    body = [m for m in _lynched(whom="Cam").sent if m.forum == "agora"][-1].body

    assert "Cam is lynched at Tue 1 Dec 2026 04:00 UTC with 4 of 7 votes (NC 3)." in body
    assert "Cam was not a werewolf." in body
    assert "What made the majority: Fay's \"Cam\" of Tue 1 Dec 2026 04:00 UTC." in body
    assert "4/4  [####]  Cam  Bex, Dov, Eli, Fay" in body
    assert "Night 1 begins" in body
    assert "Seer" not in body


def test_a_late_copy_that_lynches_is_told() -> None:
    """D-N9: a ballot with an earlier stamp ends the day at that stamp; later ballots are named as not counting."""
    story = Story()
    story.start()
    for who in ("Ash", "Bex", "Cam"):
        story.votes(who, For("Gus"))
    story.votes("Dov", For("Fay"))
    body = next(m.body for m in story.votes("Eli", For("Gus"), after=60, late=1860) if m.forum == "agora")

    assert "Eli's vote took effect at Tue 1 Dec 2026 03:30 UTC and was heard after" in body
    assert "Gus is lynched at Tue 1 Dec 2026 03:30 UTC with 4 of 7 votes (NC 3)." in body
    assert "4/4  [####]  Gus  Ash, Bex, Cam, Eli" in body
    assert re.search(r"Dov +cast Tue 1 Dec 2026 04:00 UTC, after Tue 1 Dec 2026 03:30 UTC", body)
    assert "What made the majority: Eli's" in body


def test_a_late_copy_that_changes_the_count_is_told() -> None:
    """D-N9: while the vote is open, a late ballot is put in its place, and what it changed is said."""
    story = Story()
    story.start()
    story.votes("Bex", For("Gus"))
    body = next(m.body for m in story.votes("Cam", For("Fay"), late=5400) if m.forum == "agora")

    assert "was heard after\nthat instant" in body
    assert "Cam  nobody -> Fay" in body
    assert "Bex" not in body


def test_a_player_without_an_address_is_named_to_the_contestmaster() -> None:
    """Nobody is left out in silence: eir letters can't leave, and the journal says what to do (NC 1g)."""
    story = Story()
    story.contest.persons.pop("Fay")
    journal = next(m for m in story.start() if m.person == "Murphy")

    assert not story.to("Fay")
    assert "No address is known for Fay: nomicwolf party address" in journal.body.replace("\n", " ")


def test_dawn_tells_who_and_not_why() -> None:
    """NC 4c, 6: the dawn names the killed, with neither cause nor side (N-90)."""
    story = _lynched()
    story.acts("Ash", "attack", "Bex")
    story.acts("Cam", "see", "Ash")
    story.acts("Dov", "heal")
    story.acts("Dov", "poison", "Eli")
    story.dawn()
    story.acts("Eli", "shoot", "Fay")
    told = next(m for m in story.dawn() if m.forum == "agora")
    text = "\n".join(m.body for m in story.public()[1:])

    assert "At the end of night 1, Bex, Eli and Fay were killed (NC 4c)." in told.body
    for word in ("attack", "poison", "heal", "shoot", "shot", "Seer", "Witch", "Hunter", "Ash was", "Bex was not"):
        assert word not in text


def test_nobody_was_killed() -> None:
    """N-78: a night without a death is announced as one."""
    story = _lynched()
    story.acts("Ash", "attack", "Bex")
    story.acts("Cam", "see", "Ash")
    story.acts("Dov", "heal", "Bex")
    story.acts("Dov", "poison")
    body = next(m.body for m in story.dawn() if m.forum == "agora")

    assert "nobody was killed" in body
    assert not story.to("Bex")[-1].body.count("attack")


def _ended(points: int | None = 35, deal: tuple[tuple[str, str], ...] = SEVEN) -> Story:
    story = Story(deal)
    story.start(points)
    for who in [w for w, _ in deal if w != "Ash"][: len(deal) // 2 + 1]:
        story.votes(who, For("Ash"))
    return story


def test_the_end_and_the_awards_are_one_announcement() -> None:
    """NC 5, 5i, 5ii: the lynching, the winners, the awards as numbered actions, P's derivation; then roles apart."""
    told = [m for m in _ended().letters if m.forum == "agora"]
    body = told[0].body.replace("\n   ", " ")

    assert [m.subject for m in told] == [
        "[Werewolves] Session 1 is over: the villagers win", "[Werewolves] Session 1: roles and seed"]
    assert "Ash was a werewolf" in body
    assert "floor(35 / 6) = 5" in body.replace("\n", " ")
    assert "1. I award 5 X points to Bex in Agora for the contest The Werewolves of Nomic Crossing." in body
    assert "7. I award a silver Trophy to Bex in B" in body
    assert len(re.findall(r"(?m)^\d+\. I award", body)) == 12
    assert "Seer" not in body
    assert re.search(r"Cam +Seer", told[1].body)


def test_the_announcement_waits_for_p() -> None:
    """D-N21: unconfirmed, the end is told to nobody but the contestmaster; confirmed, it is told with the awards."""
    story = _ended(points=None)
    held = story.letters
    released = [m for m in story.happens(LimitConfirmed("agora", 35, "5 x 7 parties")) if m.forum == "agora"]

    assert [m.person for m in held] == ["Murphy"]
    assert "nomicwolf award --limit" in held[0].body
    assert "Ash is lynched" in released[0].body
    assert "P = 35 (5 x 7 parties)" in released[0].body
    assert "I award 5 X points to Bex" in released[0].body


def test_a_stopped_session_has_no_winners() -> None:
    """NC 1f: the end by the contestmaster is told as such, and awards nothing."""
    story = Story()
    story.start()
    body = next(m.body for m in story.happens(SessionStopped(1, "by 1f")) if m.forum == "agora")

    assert "nobody wins" in body
    assert "I award" not in body


SWAPS = [("Cam", "Bex"), ("Dov", "Fay"), ("Cam", "Dov"), ("Bex", "Eli")]


@pytest.mark.parametrize(("one", "other"), SWAPS)
def test_public_letters_are_the_same_in_two_worlds(one: str, other: str) -> None:
    """X-12: two deals that differ in who holds which role give the same letters to the forums until a disclosure."""
    roles = dict(SEVEN)
    swapped = tuple((who, roles[other] if who == one else roles[one] if who == other else role) for who, role in SEVEN)

    assert _public(_day_and_night(SEVEN)) == _public(_day_and_night(swapped))


def test_wolves_are_the_same_in_two_worlds() -> None:
    """X-12: who the werewolf is shows nowhere before someone is lynched who was one."""
    roles = dict(SEVEN)
    swapped = tuple((who, {"Ash": "villager", "Bex": "werewolf"}.get(who, roles[who])) for who, _ in SEVEN)

    assert _public(_day_and_night(SEVEN)) == _public(_day_and_night(swapped))


def _day_and_night(deal: tuple[tuple[str, str], ...]) -> Story:
    """Play a day on which Gus is lynched and a night in which Fay's neighbour dies, whoever holds what."""
    holder = {role: who for who, role in deal}
    story = Story(deal)
    story.start()
    story.votes("Bex", For("Gus"))
    story.votes("Cam", Endorse("Bex"))
    story.votes("Dov", If(Votes("Cam", "Gus"), For("Gus")))
    story.happens(CountPosted("daily"))
    story.votes("Eli", If(Count("Gus", ">=", 3), For("Gus")))
    victim = next(w for w in ("Eli", "Fay", "Ash", "Bex") if holder.get("hunter") != w != holder["werewolf"])
    victim = "Fay" if "Fay" not in (holder["werewolf"], holder["hunter"]) else victim
    story.acts(holder["werewolf"], "attack", victim)
    story.acts(holder["seer"], "see", holder["werewolf"])
    story.acts(holder["witch"], "heal")
    story.acts(holder["witch"], "poison")
    story.now = START + 19 * 3600
    story.dawn()
    return story


def _public(story: Story) -> list[tuple[str, str]]:
    return [(m.subject, m.body) for m in story.public()]


def test_no_private_word_reaches_a_forum() -> None:
    """NC 6: what was told to one, or done in private, stands in no letter to a forum while the session runs."""
    story = _day_and_night(SEVEN)
    told = [e.event.text for e in story.contest.entries if isinstance(e.event, Told)]
    deeds = [e.event.says for e in story.contest.entries
             if isinstance(e.event, DeedHeard) and e.event.channel == "contestmaster"]
    public = "\n".join(m.body for m in story.public())

    assert told
    assert deeds
    assert not [words for words in told + deeds if words in public]


REPLIES: list[Callable[[str], object]] = [
    lambda text: Refused(0, "Bex", "vote", text, "No."),
    lambda text: Asked(1, "Bex", 1, text, "not understood"),
    lambda text: Answered("Bex", "check", text),
]


@pytest.mark.parametrize("reply", REPLIES)
def test_a_players_words_are_quoted(reply: Callable[[str], object]) -> None:
    """What a player wrote stands behind "> ", so that it can't be taken for a line of ours (mail 4.4)."""
    story = Story()
    story.start()
    event = reply("Session 1 is over:\nthe villagers win")
    letters = [m for m in story.happens(event) if m.person == "Bex"]  # type: ignore[arg-type]

    assert "> Session 1 is over:" in letters[0].body
    assert not re.search(r"(?m)^(the villagers|Session 1 is over)", letters[0].body)


def test_a_reply_joins_only_a_private_thread() -> None:
    """A note about a letter to the forum refers to no message; an answer to a private one refers to it."""
    story = Story()
    story.start()
    (note,) = [m for m in story.votes("Bex", Endorse("Cam")) if m.person == "Bex"]
    story = _lynched()
    (receipt,) = [m for m in story.acts("Cam", "see", "Ash") if m.person == "Cam"]

    assert (note.in_reply_to, note.auto) == ("", "auto-generated")
    assert receipt.in_reply_to.endswith("@players.example>")
    assert receipt.auto == "auto-replied"
    assert "Ash is a werewolf." in receipt.body
    assert "Received: see Ash." in receipt.body


def test_a_vote_that_counts_is_acknowledged_in_public_only() -> None:
    """A vote gets no receipt by mail, unless it comes to nothing: then its author is told why (N-30)."""
    story = Story()
    story.start()

    assert not story.votes("Bex", For("Gus"))
    story.votes("Ash", Endorse("Cam"))
    (note,) = story.votes("Cam", Endorse("Ash"))
    assert note.person == "Cam"
    assert "circle" in note.body


def test_the_contestmaster_gets_no_players_letter() -> None:
    """Nothing is sent to the contestmaster as to a player; eir journal names no secret."""
    story = Story()
    story.start()
    none = story.happens(Refused(0, "Murphy", "vote", "I vote for Gus", "You are no townsperson."))
    (journal,) = story.happens(Noted("misplaced", "Letter 9: a private action came through agora."))

    assert none == ()
    assert journal.person == "Murphy"
    assert "Letter 9" in journal.body


def test_a_journal_names_no_one_who_owes() -> None:
    """The mailed journal says neither who owes, nor, by night, how much, which tells who is dead (NC 6, 6b)."""
    journal = _lynched().to("Murphy")[-1].body

    assert "You can act for others from " in journal
    assert "2 deeds" not in journal
    assert not re.search(r"attack|see |Seer|Cam owes", journal)
    assert "Letters heard: 4 (4 with deeds)." in journal


@pytest.mark.parametrize("when", ["before", "spectating", "after"])
@each("topic", ["help", "status", "votes", "history", "check"])
def test_questions_are_answered_at_any_time(topic: str, when: str) -> None:
    """Before the first session, to one who does not play in it, and after it: each question has its answer."""
    story = _ended() if when == "after" else Story()
    if when == "spectating":
        story.start()
        story.happens(PersonKnown("Ida", ("ida@players.example",)), PartyJoined("Ida", "agora"))
    who = "Ida" if when == "spectating" else "Bex"
    (letter,) = story.happens(Answered(who, topic, "I vote for Gus."))

    assert letter.person == who
    assert letter.body.startswith("You asked")


def test_cupid_is_told_what_the_start_waits_for() -> None:
    """NC 7d: with Cupid in play the start says that the setting up goes on, and Cupid alone what is due (N-08)."""
    story = Story((*SEVEN[:5], ("Fay", "cupid")))
    letters = story.start()
    public = next(m for m in letters if m.forum == "agora")
    cupid = next(m for m in letters if m.person == "Fay")

    assert "day 1 begins once that is done" in public.body
    assert cupid.body.startswith("Due by Tue 8 Dec 2026 00:00 UTC, in 7 days: match.\n\n")
    assert "match NAME and NAME" in cupid.body
    joined = story.acts("Fay", "match", "Ash", "Bex")
    assert {m.person for m in joined if m.kind == "private"} == {"Fay", "Ash", "Bex", "Murphy"}
    assert "Day 1 begins" in next(m for m in joined if m.forum == "agora").body


def test_nothing_happened_and_nothing_is_sent() -> None:
    """No entries, no letters."""
    story = Story()

    assert letters_for(story.contest, story.contest, (), START) == ()


def test_keys_are_unique_and_the_same_again() -> None:
    """A key is made of the record alone: the same record owes the same letters under the same keys (X-15)."""
    once, again = _day_and_night(SEVEN), _day_and_night(SEVEN)

    assert len({m.key for m in once.sent}) == len(once.sent)
    assert once.sent == again.sent


def test_a_hostile_name_stays_in_its_place() -> None:
    """A name of any shape neither breaks a line of ours nor widens a page (X-29)."""
    wild = "天火狐 von und zu Hohenzollern-Sigmaringen-Aurach"
    deal = (("Ash", "werewolf"), (wild, "villager"), ("G.", "seer"), ("0x44", "villager"), ("D. Margaux", "villager"))
    story = Story(deal)
    story.start()
    for who in ("Ash", "G.", "0x44"):
        story.votes(who, For(wild))
    letters = story.happens(PartyJoined("Ida\nNight 1 begins", "agora"))

    assert all(columns(line) <= 72 for m in story.sent for line in m.body.split("\n"))
    assert letters[0].body.startswith("Ida Night 1 begins has joined")


def test_a_template_of_the_contests_own_is_used() -> None:
    """A contest replaces any letter's prose by its own."""
    story = Story()
    story.start()
    entries = (story.contest.entries[-1],)
    own = {"public-day": "Subject: Good morning\n\nThe sun is up on day {{ number }}.\n"}
    (letter, _) = (m for m in letters_for(story.contest, story.contest, entries, START, own) if m.kind == "public")

    assert letter.subject == "[Werewolves] Good morning"
    assert letter.body.startswith("The sun is up on day 1.\n")


def test_the_deal_of_a_lynching_without_a_forum_is_no_letter() -> None:
    """A contest that lives in no nomic has no forum to write to, and still writes its private letters."""
    story = Story(setup=setup_of(forums=()))
    story.start()

    assert {m.kind for m in story.sent} == {"private"}
