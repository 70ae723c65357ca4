"""What the archive's pages have before them, each part worked out once, when the first page asks for it."""

from __future__ import annotations

from functools import cached_property

from nomicwolf.nomic.state import Contest
from nomicwolf.reports.archive.careers import Career, careers
from nomicwolf.reports.archive.people import Person, people
from nomicwolf.reports.archive.published import Published
from nomicwolf.reports.archive.sessions import Session, Standings, sessions, standings
from nomicwolf.reports.archive.terms import Term, news, terms
from nomicwolf.reports.archive.threads import Item, pages_of, threads
from nomicwolf.reports.archive.tracks import Track
from nomicwolf.reports.public import fold, is_public
from nomicwolf.reports.statistics import PlayerRecord
from nomicwolf.reports.views import PublicView, view_from
from nomicwolf.reports.vote_counts import decision_rule, public_duties
from nomicwolf.village.events import Entry
from nomicwolf.village.laws.phases import about
from nomicwolf.village.rules import Refusal
from nomicwolf.village.rulesets import ruleset

NEWEST = 8
"""How many of the latest letters the first page has."""


class Shown:
    """What the pages have before them: all that is *published*, and what follows from it, worked out when asked for."""

    def __init__(self, published: Published) -> None:
        self.published = published
        self.sessions = sessions(published)
        self.letters = threads(published, self.sessions)
        self.places = pages_of(self.letters)

    @cached_property
    def contest(self) -> Contest:
        """The contest as everyone knows it."""
        return fold(self.published.about.setup, self._public)

    @cached_property
    def view(self) -> PublicView:
        """What everyone may know."""
        return view_from(self._public, self.contest)

    @cached_property
    def _public(self) -> list[Entry]:
        return [e for e in self.published.entries if is_public(e.event)]

    @cached_property
    def standings(self) -> Standings:
        """How everyone and every side has fared."""
        return standings(self.published)

    @cached_property
    def people(self) -> dict[str, Person]:
        """Everyone who has joined or played, by each name that e has had."""
        return people(self.published.entries)

    @cached_property
    def everyone(self) -> tuple[Person, ...]:
        """The same, once each, by name."""
        return tuple(sorted(dict.fromkeys(self.people.values()), key=lambda p: p.name.casefold()))

    @cached_property
    def careers(self) -> dict[str, Career]:
        """What each of them has done, by the names of eir pages."""
        return careers(self.people, self.sessions)

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """What is due when."""
        return terms(self.contest, self.view)

    @cached_property
    def records(self) -> dict[str, PlayerRecord]:
        """The record of each who stands in the statistics, by name."""
        return {score.record.who: score.record for score in self.standings.scores}

    def memberships(self, who: str) -> list[str]:
        """Return the nomics in which *who* is a party to the contract, as prose calls them."""
        return [self.published.about.title(nomic) for nomic, names in self.view.parties.items() if who in names]

    @property
    def news(self) -> str:
        """When the news of the present night comes, as a sentence; '' for no night, or no fixed time."""
        return news(self.view)

    @property
    def open(self) -> list[str]:
        """What the living can do now, in lines."""
        game = self.contest.game if self.running else None
        return public_duties(ruleset(self.view.ruleset), game) if game is not None else []

    @property
    def tried(self) -> tuple[str, ...]:
        """Who is on trial now."""
        game = self.contest.game
        return about(game) if self.running and game is not None and game.phase == "day" else ()

    def decides(self, session: Session, track: Track) -> str:
        """Return what a vote of a session takes; '' where its rule set is not installed here."""
        try:
            rules = ruleset(session.started.ruleset)
        except Refusal:
            return ""
        return decision_rule(rules, track.stage, track.count.majority if track.count else 0)

    @property
    def running(self) -> Session | None:
        """The session that is in progress."""
        return self.sessions[-1] if self.sessions and self.sessions[-1].over is None else None

    @property
    def newest(self) -> tuple[Item, ...]:
        """The latest letters, oldest first."""
        return tuple(item for items in self.letters.values() for item in items)[-NEWEST:]
