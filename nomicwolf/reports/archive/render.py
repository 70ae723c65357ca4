"""The content and templates of archive pages.

The style sheet and the script are in the page, and its Content-Security-Policy names them by their hash
(CSP 3, 2.3.1), so that pages work from a disk too and nothing that a player wrote can style or script one.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache, cached_property
from hashlib import sha256
from importlib import resources
from itertools import groupby
from operator import attrgetter
from shlex import quote
from typing import Any

from jinja2 import DictLoader, Environment, StrictUndefined, Template, pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from nomicwolf.nomic.duties import contract_duties, term
from nomicwolf.nomic.state import Contest
from nomicwolf.nomic.times import duration, iso, when
from nomicwolf.reports.archive import charts, vote_picture
from nomicwolf.reports.archive.charts import Following, Track
from nomicwolf.reports.archive.published import About, Published
from nomicwolf.reports.archive.sessions import (
    Career,
    Person,
    Session,
    Standings,
    careers_of,
    known_people,
    sessions_of,
    standings,
)
from nomicwolf.reports.archive.threads import Item, session_pages, threads_of, time_span
from nomicwolf.reports.archive.vote_picture import board, draw_picture
from nomicwolf.reports.awards import PlayerRecord
from nomicwolf.reports.history import event_line, fold, is_public, side_name
from nomicwolf.reports.layout import clean
from nomicwolf.reports.views import PublicView, view_from
from nomicwolf.reports.vote_counts import decision_rule, public_duties
from nomicwolf.village.events import Entry, Event
from nomicwolf.village.laws.phases import about
from nomicwolf.village.rules import Refusal, listed
from nomicwolf.village.rulesets import ruleset

SLOTS = "dawn"
"""The switch with the times of day at which a night may end (D-N24)."""


@dataclass(frozen=True, slots=True)
class Term:
    """*what* is due at *at* (UTC seconds), *who* owes it ('': no one person), by *clause* ('': the rule set's own)."""

    at: int
    what: str
    who: str = ""
    clause: str = ""


def terms_of(shown: Contest, view: PublicView) -> tuple[Term, ...]:
    """Return what is due in *shown*, the publicly known contest, soonest first; *view* is the view of it.

    What is owed by night is secret. A night without an end of its own therefore has only the day from which the
    contestmaster may act for the silent, assuming that everything was owed from the beginning. In a pause nothing is
    due.
    """
    if view.law.paused:
        return ()
    found = [Term(d.until, d.what, d.who, d.clause) for d in contract_duties(shown)]
    if view.deadline and view.phase != "over":
        what = view.stage or view.place
        found.append(Term(view.deadline, f"{what} end{'' if what.endswith('s') else 's'}"))
    elif view.phase == "night":
        silent = "from then on the contestmaster may act for whoever is silent"
        found.append(Term(term(view.setup, view.law, view.began), silent, clause="NC 1j"))
    return tuple(sorted(found, key=lambda t: (t.at, t.what)))


def dawn_news(view: PublicView) -> str:
    """Return when news of the night comes, as a sentence; '' by day, or if there is no fixed time."""
    slots = dict(view.switches).get(SLOTS, "")
    if view.phase != "night" or ":" not in slots:
        return ""
    times = listed(tuple(slot.strip() for slot in slots.split(",")))
    return f"Dawn is announced at {times} UTC, at the first of these times after all is done."


NEWEST = 8
"""The number of latest letters on the first page."""


class ArchiveView:
    """What pages show: all that is *published*, and what follows from it, computed on demand."""

    def __init__(self, published: Published) -> None:
        self.published = published
        self.sessions = sessions_of(published)
        self.letters = threads_of(published, self.sessions)
        self.places = session_pages(self.letters)

    @cached_property
    def contest(self) -> Contest:
        """The contest as publicly known."""
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
        """The results of everyone and every side."""
        return standings(self.published)

    @cached_property
    def people(self) -> dict[str, Person]:
        """Everyone who has joined or played, by each name they have had."""
        return known_people(self.published.entries)

    @cached_property
    def everyone(self) -> tuple[Person, ...]:
        """The same people once each, by name."""
        return tuple(sorted(dict.fromkeys(self.people.values()), key=lambda p: p.name.casefold()))

    @cached_property
    def careers(self) -> dict[str, Career]:
        """Everyone's career by the name of their page."""
        return careers_of(self.people, self.sessions)

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """What is due and when."""
        return terms_of(self.contest, self.view)

    @cached_property
    def records(self) -> dict[str, PlayerRecord]:
        """The records of everyone listed in the statistics, by name."""
        return {score.record.who: score.record for score in self.standings.scores}

    def memberships(self, who: str) -> list[str]:
        """Return the titles of the nomics in which *who* is a party to the contract."""
        return [self.published.about.title(nomic) for nomic, names in self.view.parties.items() if who in names]

    @property
    def news(self) -> str:
        """When news of the present night comes, as a sentence; '' if it is not night or there is no fixed time."""
        return dawn_news(self.view)

    @property
    def open(self) -> list[str]:
        """What the living can do now, as lines."""
        game = self.contest.game if self.running else None
        return public_duties(ruleset(self.view.ruleset), game) if game is not None else []

    @property
    def tried(self) -> tuple[str, ...]:
        """Who is on trial now."""
        game = self.contest.game
        return about(game) if self.running and game is not None and game.phase == "day" else ()

    def decides(self, session: Session, track: Track) -> str:
        """Return what decides a vote of a session; '' if its rule set is not installed."""
        try:
            rules = ruleset(session.started.ruleset)
        except Refusal:
            return ""
        return decision_rule(rules, track.stage, track.count.majority if track.count else 0)

    @property
    def running(self) -> Session | None:
        """The session in progress."""
        return self.sessions[-1] if self.sessions and self.sessions[-1].over is None else None

    @property
    def newest(self) -> tuple[Item, ...]:
        """The latest letters, oldest first."""
        return tuple(item for items in self.letters.values() for item in items)[-NEWEST:]


STYLE, SCRIPTS = "style.css", ("explore.js", "search.js")
KEPT_CONTROLS = "\n\t"


@cache
def packaged() -> dict[str, str]:
    """Return the archive's templates, style sheet and script by name."""
    folder = resources.files("nomicwolf.reports.archive") / "templates"
    return {entry.name: entry.read_text(encoding="utf-8") for entry in folder.iterdir()}


@cache
def environment() -> Environment:
    """Return the templates' environment, which escapes every value."""
    made = Environment(
        loader=DictLoader(packaged()), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True, keep_trailing_newline=True)
    made.filters.update(
        when=when, iso=iso, lasting=duration, line=clean, body=letter_body, bdi=bdi, who=person_link,
        names=person_links, told=event_text, shell=quote, title=capitalised, span=time_span,
        clock=vote_picture.short_time, board=board, percent=percent, groupby_in_order=groupby_in_order, side=side_name)
    made.globals.update(
        picture=picture_markup, followed=following_markup, said=vote_picture, style=Markup(packaged()[STYLE]),  # noqa: S704 - a file of ours
        script=script, policy=security_policy(), rules=rules_or_none)
    return made


def picture_markup(track: Track, name: str, page: str = "") -> Markup:
    """Return the vote picture, escaped by drawsvg, in one version for phones and one for wide screens."""
    return Markup(draw_picture(track, name, page) + draw_picture(track, name, page, narrow=True))  # noqa: S704


def following_markup(found: Following, name: str) -> Markup:
    """Return the chart of who followed whom, likewise in two versions."""
    return Markup(charts.following_chart(found, name) + charts.following_chart(found, name, narrow=True))  # noqa: S704


def get_template(name: str) -> Template:
    """Return the template with this file name."""
    return environment().get_template(name)


def render(shown: ArchiveView, name: str, root: str, until: int, **values: Any) -> bytes:  # noqa: ANN401 - what it shows
    """Return a page as UTF-8.

    *root* leads from it to the archive's first page (``../``), *until* is the latest instant that it covers (UTC
    seconds).
    """
    text = get_template(f"{name}.html").render(
        shown=shown, about=shown.published.about, root=root, page=name, until=until, **values)
    return text.encode("utf-8", "replace")


@cache
def security_policy() -> str:
    """Return the Content-Security-Policy of every page."""
    kinds = (("style-src", (STYLE,)), ("script-src", SCRIPTS))
    ours = [f"{kind} {' '.join(map(_hash, names))}" for kind, names in kinds]
    return "; ".join(["default-src 'none'", *ours, "base-uri 'none'", "form-action 'none'"])


def _hash(name: str) -> str:
    return f"'sha256-{b64encode(sha256(packaged()[name].encode()).digest()).decode()}'"


def script(name: str) -> Markup:
    """Return the script with this file name, to be embedded in a page."""
    return Markup(packaged()[name])  # noqa: S704 - a file of ours


def letter_body(text: str) -> str:
    """Return a letter's text without characters that are invalid in a page or disguise others."""
    return "\n".join(_visible(line) for line in text.splitlines())


def _visible(line: str) -> str:
    return line if line.isprintable() else "".join(c for c in line if c.isprintable() or c in KEPT_CONTROLS)


def bdi(name: object) -> Markup:
    """Return a person's name with its text direction isolated."""
    return Markup(f"<bdi>{escape(clean(str(name)))}</bdi>")  # noqa: S704 - escaped


@pass_context
def person_link(context: Context, name: object) -> Markup:
    """Return a person's name as a link to their page, unless they have none or this is it."""
    known = context["shown"].people.get(name)
    if known is None or context.get("person") == known:
        return bdi(name)
    return Markup('<a class="who" href="{}players/{}.html">{}</a>').format(context["root"], known.page, bdi(name))


@pass_context
def person_links(context: Context, people: tuple[str, ...]) -> Markup:
    """Return several names with commas; ``nobody`` for none."""
    return Markup(", ").join(person_link(context, p) for p in people) if people else Markup("nobody")


@pass_context
def event_text(context: Context, event: Event) -> Markup:
    """Return a sentence about *event*, with links for the names in it."""
    session = context.get("session")
    rules = session.started.ruleset if isinstance(session, Session) else ""
    said = escape(capitalised(event_line(with_nomic_title(event, context["about"]), rules)))
    found = sorted({clean(name) for name in _named(event) if name in context["shown"].people}, key=len, reverse=True)
    if not found:
        return said
    each = re.compile(rf"(?<!\w)(?:{'|'.join(re.escape(str(escape(name))) for name in found)})(?!\w)")
    return Markup(each.sub(lambda m: str(person_link(context, Markup(m[0]).unescape())), said))  # noqa: S704 - escaped


def _named(value: object) -> Iterator[str]:
    """Yield the texts within *value*."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _named(part)
    elif is_dataclass(value) and not isinstance(value, type):
        for part in fields(value):
            yield from _named(getattr(value, part.name))


def capitalised(text: str) -> str:
    """Return *text* with its first letter in upper case.

    >>> capitalised("day 2")
    'Day 2'
    """
    return text[:1].upper() + text[1:]


def groupby_in_order(things: Iterable[Any], name: str) -> list[tuple[Any, list[Any]]]:
    """Return *things* in runs that share the value of the attribute *name*, each with that value."""
    return [(value, list(found)) for value, found in groupby(things, attrgetter(name))]


def percent(share: float) -> str:
    """Return a share as a whole percentage.

    >>> percent(0.25)
    '25 %'
    """
    return f"{share * 100:.0f} %"


def with_nomic_title(event: Any, about: About) -> Event:  # noqa: ANN401 - any event, some of which have a nomic
    """Return *event* with the title of its nomic in place of its name in the settings."""
    nomic = getattr(event, "nomic", "")
    found: Event = replace(event, nomic=about.title(nomic)) if isinstance(nomic, str) and nomic else event
    return found


def rules_or_none(name: str) -> Any:  # noqa: ANN401 - a rule set, for templates
    """Return the rule set, None if it is not installed."""
    try:
        return ruleset(name)
    except Refusal:
        return None
