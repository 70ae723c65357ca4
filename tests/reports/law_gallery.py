"""The chapters of the gallery of letters on the law around the game: intents, contestmasters, corrections, care."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from nomicwolf.letters.letter import Outgoing
from nomicwolf.nomic.events import Answered, Awarded, PartyLeft
from nomicwolf.nomic.law_events import (
    AbsenceAnnounced,
    AbsenceEnded,
    AddressAsked,
    Amended,
    AwardCorrected,
    ClockTurned,
    ContestmasterChanged,
    DeedUndone,
    ErrorAnswered,
    ErrorClaimed,
    GuardLifted,
    HolidayDeclared,
    HolidayUndone,
    IntentAnnounced,
    IntentBlocked,
    IntentEffective,
    MemberReminded,
    Objected,
    ObjectionWithdrawn,
    Paused,
    PauseEnded,
    PersonRenamed,
    QuestionAnswered,
    SubgameEnded,
)
from nomicwolf.village.ballots import For, Nobody
from tests.reports.stories import Story, only

DIFF = "@@ -3,2 +3,2 @@\n-A day begins with nobody voting for anyone.\n+A day begins with the votes of the day before."


def law_chapters() -> Iterator[tuple[str, list[Outgoing]]]:
    """Yield the chapters: a title, and its letters."""
    story = Story()
    remove = IntentAnnounced(1, "remove", "Gus", why="e hasn't answered for two months")
    yield "An intent", only(story.happens(remove))
    yield "An objection", only(story.happens(Objected(1, "Bex")))
    yield "An objection is withdrawn", only(story.happens(ObjectionWithdrawn(1, "Bex")))
    yield "An intent takes effect by itself", only(story.happens(
        IntentEffective(1, "b", "by itself"), PartyLeft("Gus", "b", "removed without member objection")))
    yield "An intent is resolved", only(story.happens(
        IntentEffective(1, "agora", "by announcement"), PartyLeft("Gus", "agora", "removed without member objection")))
    story.happens(IntentAnnounced(2, "amend", text="A day begins with the votes of the day before.", diff=DIFF))
    yield "An intent is blocked", only(story.happens(IntentBlocked(2, "b", "Bex objects")))
    amended = Amended(2, "A day begins with the votes of the day before.", DIFF, 2)
    yield "An amendment", only(story.happens(amended))
    yield "The subgame is ended", only(story.happens(SubgameEnded()))
    yield "B's clock", only(story.happens(ClockTurned("b", on=False)))
    yield "Another contestmaster", only(story.happens(ContestmasterChanged("b", "Root", "elected in B")))
    holiday = HolidayDeclared("agora", story.now, story.now + 604_800)
    yield "A holiday", only(story.happens(holiday))
    undone = HolidayUndone("agora", holiday.since, holiday.until, "that was last year's")
    yield "A holiday is undone", only(story.happens(undone))
    yield "After an outage", only(story.happens(GuardLifted(story.now - 259_200)))
    yield "A pause", only(story.happens(Paused("Half of us are at a wedding.")))
    yield "It goes on", only(story.happens(PauseEnded(story.now - 259_200)))
    yield "A new name", only(story.happens(PersonRenamed("Gus", "Gustav")))
    yield from _corrections()


def _corrections() -> Iterator[tuple[str, list[Outgoing]]]:
    story = Story()
    story.happens(Awarded(1, 3, "agora", "Cam", "X points", 15))
    claim = ErrorClaimed(1, 3, "Bex", "P was 45, not 60")
    yield "A claim of error", only(story.happens(claim))
    yield "Its answer", only(story.happens(ErrorAnswered(1, 3, accepted=True, why="two parties were no players")))
    put_right = AwardCorrected(1, 6, 3, "agora", "Cam", "X points", -5, "P was 45")
    yield "Its correction", only(story.happens(put_right))
    story.start()
    story.votes("Dov", For("Gus"))
    story.votes("Bex", For("Gus"))
    yield "A vote is undone", only(story.undoes("Bex", "it was sent by eir cat", Nobody()), "Bex")
    secret = DeedUndone(41, "Cam", "see Bex", "it was sent by eir cat", secret=True)
    yield "A secret deed is undone", only(story.happens(secret), "Cam")
    answered = QuestionAnswered(34, "Cam", "does a tie lynch anybody?", "No: NC 3 asks for more than half.")
    yield "An answer to a question", only(story.happens(answered), "Cam")
    yield "An answer to all", only(story.happens(replace(answered, public=True)))
    yield "A reminder to join", only(story.happens(MemberReminded("Cam", "b", "agora", story.now)), "Cam")
    asked = AddressAsked("Cam", "cam@elsewhere.example")
    yield "A change of address", only(story.happens(asked, Answered("Cam", "votes", "")), "Cam")[1:]
    away = AbsenceAnnounced("Cam", story.now, story.now + 864_000)
    yield "An absence", only(story.happens(away), "Cam")
    yield "An absence is over", only(story.happens(AbsenceEnded("Cam")), "Cam")
