"""Every letter that the program writes, made by the program: all in `letters.md`, a choice in `docs/letters.md`.

``python -m tests.reports.gallery`` writes both anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from nomicwolf.contest.mail.hearing import LINE, UNCLEAR
from nomicwolf.letters.letter import Outgoing
from nomicwolf.nomic.delivery import Batched, CoverBegan, ObserverCame, ObserverLeft
from nomicwolf.nomic.events import (
    ActedFor,
    Answered,
    Asked,
    CountPosted,
    DeedHeard,
    HalfTold,
    LetterHeard,
    LetterHeld,
    LimitConfirmed,
    Noted,
    PartyJoined,
    PartyLeft,
    PersonKnown,
    Refused,
    Reminded,
    Ruled,
    SeedBound,
    SeedMixed,
    SessionStarted,
    SessionStopped,
)
from nomicwolf.nomic.law import KeyAdded, SetAside
from nomicwolf.nomic.law_events import StrangerAnswered
from nomicwolf.nomic.setup import Policy, Prodded, StandbyOffered
from nomicwolf.reports.answers import QUESTIONS
from nomicwolf.reports.prose import Prose
from nomicwolf.reports.sections import defect_letter, probe_letter
from nomicwolf.village.ballots import Count, Endorse, For, If, Votes
from nomicwolf.village.events import (
    Acquitted,
    Announced,
    BallotsOpened,
    Declared,
    Disclosed,
    Extended,
    Lynched,
    Nominated,
    PhaseBegan,
    Published,
    Recounted,
    Removed,
    Replaced,
    StageBegan,
    Tried,
    Voided,
)
from nomicwolf.village.lots import half_commitment
from tests.reports.law_gallery import law_chapters
from tests.reports.stories import SEVEN, Story, only, setup_of

ROOT = Path(__file__).resolve().parents[2]
HEAD = """# The letters

Some letters of a contest, as they leave; `[...]` is what an earlier one has in the same words.
`tests/reports/letters.md` has every letter, and the [examples](../examples/README.md) those of whole sessions. Your
[own words](every-day.md#your-own-words) can replace ours.
"""
CHOSEN = {
    "A session starts": 2, "A lynching, and nightfall": 1, "The Seer's answer": 1,
    "The end, the awards, and what was secret": 1, "The contestmaster's journal": 1, "A question": 1,
    "A letter that isn't certainly yours (kept until you confirm it)": 1,
}
"""How many letters the handbook shows of each chapter that it has, from the first on."""


def page() -> str:
    """Return the handbook's page."""
    shown = ((title, letters[:CHOSEN[title]]) for title, letters in chapters() if title in CHOSEN)
    return HEAD + _chapters(shown)


def gallery() -> str:
    """Return every letter."""
    return "# Every letter\n" + _chapters(chapters())


def _chapters(shown: Iterable[tuple[str, list[Outgoing]]]) -> str:
    parts, seen = [""], set[str]()
    for title, letters in shown:
        parts.append(f"## {title}\n")
        parts += [_shown(letter, seen) for letter in letters]
    return "\n".join(parts)


MADE = {ROOT / "docs/letters.md": page, ROOT / "tests/reports/letters.md": gallery}
"""Files, with what writes them."""


def _shown(letter: Outgoing, seen: set[str]) -> str:
    """Return a letter with dots for its paragraphs that have been *seen*, to which the others are added."""
    to = f"the forum of {letter.forum}" if letter.forum else letter.to
    shown: list[str] = []
    for paragraph in letter.body.rstrip().split("\n\n"):
        known = paragraph.replace(f"This letter is for {letter.person} alone", "")
        shown.append("[...]" if known in seen else paragraph)
        seen.add(known)
    body = "\n\n".join(text for number, text in enumerate(shown) if number == 0 or text != shown[number - 1])
    return f"To {to}: **{letter.subject}**\n\n```text\n{body}\n```\n"


def chapters() -> Iterator[tuple[str, list[Outgoing]]]:
    """Yield the chapters of the page: a title, and its letters."""
    yield from _session()
    yield from _around()
    yield from _replies()
    yield from _others()
    yield from law_chapters()


def _session() -> Iterator[tuple[str, list[Outgoing]]]:
    story = Story()
    yield "A session starts", only(story.start(), "Ash", "Bex", "Murphy")
    story.votes("Bex", For("Gus"))
    story.votes("Cam", Endorse("Bex"))
    story.votes("Dov", If(Votes("Cam", "Gus"), For("Gus")))
    yield "A vote that counts as null", only(story.votes("Eli", If(Count("Gus", ">=", 5), For("Gus"))), "Eli")
    yield "A vote count", only(story.happens(CountPosted("daily")))
    yield "A lynching, and nightfall", only(story.votes("Fay", For("Gus")), "Bex", "Cam", "Murphy")
    yield "A night deed", only(story.acts("Ash", "attack", "Fay"), "Ash", "Dov")
    yield "The Seer's answer", only(story.acts("Cam", "see", "Ash"), "Cam")
    story.acts("Dov", "heal", "Fay")
    story.acts("Dov", "poison")
    yield "Dawn", only(story.dawn())
    for who in ("Bex", "Cam", "Fay"):
        story.votes(who, For("Eli"))
    yield "A lynched Hunter", only(story.votes("Dov", For("Eli")), "Eli")
    yield "A death by day", only(story.acts("Eli", "shoot", "Bex"), "Eli")
    story.acts("Ash", "attack", "Dov")
    story.acts("Cam", "see", "Dov")
    story.acts("Dov", "poison", "Ash")
    yield "The end, the awards, and what was secret", only(story.dawn())


def _around() -> Iterator[tuple[str, list[Outgoing]]]:
    story = Story()
    joined = (PersonKnown("Ida", ("ida@players.example",)), PartyJoined("Ida", "agora"), PartyJoined("Ida", "b"))
    yield "Someone joins", only(story.happens(*joined))
    yield "Someone leaves", only(story.happens(PartyLeft("Ida", "agora", "by eir own word"), PartyLeft("Ida", "b")))
    story.start()
    fact = Published("the Assessor has resolved decision 12", value=True)
    yield "A fact is published", only(story.happens(fact))
    yield "A ruling", only(story.happens(Ruled("Bex's letter of Monday was public.", "NC 1g", ("Bex",))))
    secret = Ruled("The lot drew Gus.", "the amendment of 1 December", ("Fay",), secret=True)
    yield "A ruling on a secret deed", only(story.happens(secret), "Fay")
    yield "A townsperson leaves the contract", only(story.happens(Removed("Fay", "by eir own word")))
    yield "A replacement", only(story.happens(Replaced("Fay", "Ida")))
    since = story.now
    story.now += 7200
    again = (Recounted("Bex", since + 3600), Voided("Cam", since + 5400, since + 3600))
    yield "A late copy", only(story.happens(*again))
    held = (LetterHeard("<x@players.example>", "0", "0", "Gus", "held", "agora", arrived=story.now),)
    waits = LetterHeld(story.contest.last + 1, "came in after its day had ended", "With it, nobody would have died.")
    noted = Noted("misplaced", "Letter 30: a private action came through agora; it was not done.")
    yield "The contestmaster's journal", only(story.happens(*held, waits, noted), "Murphy")
    keyed = Story()
    keyed.start()
    keyed.happens(KeyAdded("Murphy", "ab" * 20, "a public key"))
    yield "The contestmaster's journal, encrypted to eir key", [
        replace(x, body=x.secret, secret="") for x in only(keyed.happens(noted), "Murphy")]
    yield "A session is ended", only(story.happens(SessionStopped(1, "amended away under 1e")))
    seeded, half = Story(), "5" * 64
    bound = SeedBound(1, half_commitment(seeded.contest.setup.contest, 1, half))
    yield "Players have a part in the seed", only(seeded.happens(bound))[:1]
    yield "What went into the seed", only(seeded.happens(SeedMixed(1, (("Bex", "b" * 64), ("Dov", "d" * 64)))))[:1]
    yield "The half of the seed is told", only(seeded.happens(HalfTold(1, half)))[:1]
    unconfirmed = Story(SEVEN[:5])
    unconfirmed.start(points=None)
    for who in ("Bex", "Cam"):
        unconfirmed.votes(who, For("Ash"))
    yield "The end waits for P (the forums are told nothing yet)", only(unconfirmed.votes("Dov", For("Ash")), "Murphy")
    yield "P is confirmed", only(unconfirmed.happens(LimitConfirmed("agora", 25, "5 parties at 5 points each")))[:1]


def _replies() -> Iterator[tuple[str, list[Outgoing]]]:
    story = Story()
    story.start()
    story.votes("Bex", For("Gus"))
    refused = Refused(0, "Bex", "vote", "I vote for Ivy.", "Ivy is no townsperson of this session.", ("Ash", "Cam"))
    yield "A refusal", only(story.happens(refused), "Bex")
    asked = Asked(30, "Bex", 3, "I vote for Guss", "unknown player", "Write the name as in the list.", ("Gus",))
    yield "A question", only(story.happens(asked), "Bex")
    story.happens(DeedHeard(
        31, "Cam", "vote", (), Endorse("Bex"), "", "vote endorse Bex", 1, "I endorse Bex.", "agora", story.now, (2,)))
    for topic in (topic for topic in QUESTIONS if topic != "check"):
        yield f"Answer: {topic}", only(story.happens(Answered("Bex", topic, "")), "Bex")
    check = Answered("Bex", "check", "I vote for Gus if Cam does, otherwise I endorse Dov.")
    yield "Answer: check", only(story.happens(check), "Bex")
    yield "Acting for a silent player", only(story.happens(ActedFor("Cam", "see Bex", story.now)), "Cam")
    deed = DeedHeard(30, "Cam", "see", ("Bex",), None, "", "see Bex", 1, "I see Bex.", "contestmaster", story.now, (1,))
    aside = SetAside(30, "Cam", "from", "signed", (deed,), (), "session 1, night 1", story.now + 172_800, "")
    yield "A stranger who seems to want to join", list(story.happens(
        StrangerAnswered("zoe@players.example", UNCLEAR, LINE)))
    yield "A letter that isn't certainly yours (kept until you confirm it)", only(story.happens(aside), "Cam")


def _others() -> Iterator[tuple[str, list[Outgoing]]]:
    other = Story(setup=setup_of(name="Gadianton", ruleset="gadianton"))
    players = tuple(who for who, _ in SEVEN)
    other.happens(SessionStarted(1, "gadianton", players, (), "0" * 64))
    day = (PhaseBegan("day", 1), StageBegan("ballot", other.now + 172_800, ("Gus",)), Extended(other.now + 200_000))
    other.happens(ObserverCame("Ash", daily=False))
    night = other.happens(PhaseBegan("night", 1), StageBegan("night", other.now + 259_200))
    yield "A phase in another rule set", only(night)
    yield "What an observer gets", [letter for letter in night if "/observer/" in letter.key]
    other.happens(ObserverLeft("Ash"))
    yield "A day in stages", only(other.happens(*day))
    yield "Nominations", only(other.happens(Nominated(("Gus", "Fay"), 2)))
    heard = StageBegan("defence", other.now + 86_400, ("Gus",))
    yield "A trial", only(other.happens(Tried("Gus"), heard))
    opened = BallotsOpened((("Ash", "guilty"), ("Bex", "innocent"), ("Cam", None)))
    yield "A verdict", only(other.happens(opened, Acquitted("Gus")))
    yield "A conviction", only(other.happens(Lynched("Gus"), Disclosed("Gus", "a Nephite")))
    story = Story(setup=setup_of(switches={"departure": "kill"}))
    story.start()
    until = story.now + 172_800
    yield "Stages, where a rule set has them", only(story.happens(StageBegan("defence", until, ("Gus",))))
    yield "Said in a forum", only(story.happens(Declared("Bex", "accuse", ("Gus",))))
    yield "Announced", only(story.happens(Announced("first victim", "The Moderator is dead.")))
    yield "A card is shown", only(story.happens(Disclosed("Gus", "Nephite")))
    covered = Story()
    covered.start()
    for who in ("Bex", "Cam", "Dov", "Fay"):
        covered.votes(who, For("Gus"))
    yield "A reminder", only(covered.happens(Reminded("Cam", "see", covered.now)), "Cam")
    silent = Story(setup=setup_of(absence=Policy(("prod", "replace"))))
    silent.start()
    silent.votes("Bex", For("Gus"))
    named = silent.happens(*(Prodded(who, silent.now - 259_200, 1) for who in ("Cam", "Dov")), CountPosted("daily"))
    yield "Who is silent is named", only(named)
    yield "Who is silent is asked", only(named, "Cam")
    yield "Somebody is on standby", only(silent.happens(StandbyOffered("Ida")))
    yield "A night's letter in a covered session", only(
        covered.happens(CoverBegan(("08:00", "20:00")), Batched("slot")), "Bex")
    place, why = "imap:mail.example/wolf/INBOX;UIDVALIDITY=7;UID=42", "KeyError in x.py:1"
    yield "A letter was set aside", [defect_letter(story.contest.setup, Prose(), place, why, story.now)]
    yield "A test letter (`check --send`)", [probe_letter(story.contest.setup, Prose(), story.now)]


if __name__ == "__main__":
    for path, made in MADE.items():
        path.write_text(made(), encoding="utf-8")
