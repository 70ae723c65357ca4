"""Templates to pages: everything is escaped, nothing comes from elsewhere, and only our own style and script may run.

The style sheet and the script stand in the page, and its Content-Security-Policy names them by their hash
(CSP 3, 2.3.1), so that pages work from a disk too and nothing that a player wrote can style or script one.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass, replace
from functools import cache
from hashlib import sha256
from importlib import resources
from itertools import groupby
from operator import attrgetter
from shlex import quote
from typing import Any

from jinja2 import DictLoader, Environment, StrictUndefined, Template, pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from nomicwolf.nomic.times import duration, iso, when
from nomicwolf.reports.archive import following, wording
from nomicwolf.reports.archive.board import board
from nomicwolf.reports.archive.following import Following
from nomicwolf.reports.archive.picture import picture
from nomicwolf.reports.archive.published import About
from nomicwolf.reports.archive.shown import Shown
from nomicwolf.reports.archive.threads import span
from nomicwolf.reports.archive.tracks import Track
from nomicwolf.reports.history import event_line
from nomicwolf.reports.layout import clean
from nomicwolf.village.events import Event
from nomicwolf.village.rules import Refusal
from nomicwolf.village.rulesets import ruleset

STYLE, SCRIPTS = "style.css", ("explore.js", "search.js")
KEPT = "\n\t"


@cache
def packaged() -> dict[str, str]:
    """Return the archive's templates, style sheet and script by name."""
    folder = resources.files("nomicwolf.reports.archive") / "templates"
    return {entry.name: entry.read_text(encoding="utf-8") for entry in folder.iterdir()}


@cache
def environment() -> Environment:
    """Return the templates' environment, which escapes whatever it is given."""
    made = Environment(
        loader=DictLoader(packaged()), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True, keep_trailing_newline=True)
    made.filters.update(
        when=when, iso=iso, lasting=duration, line=clean, body=body, bdi=bdi, who=who, names=names, told=told,
        shell=quote, title=title, span=span, clock=wording.clock, board=board, percent=percent,
        groupby_in_order=groupby_in_order)
    made.globals.update(
        picture=drawn, followed=followed, said=wording, style=Markup(packaged()[STYLE]),  # noqa: S704 - a file of ours
        script=script, policy=policy(), rules=rules_or_none)
    return made


def drawn(track: Track, name: str, page: str = "") -> Markup:
    """Return the vote picture, which drawsvg has escaped: twice, since a phone shows another than a wide screen."""
    return Markup(picture(track, name, page) + picture(track, name, page, narrow=True))  # noqa: S704


def followed(found: Following, name: str) -> Markup:
    """Return the picture of who followed whom, likewise twice."""
    return Markup(following.picture(found, name) + following.picture(found, name, narrow=True))  # noqa: S704


def template(name: str) -> Template:
    """Return the template of this file name."""
    return environment().get_template(name)


def render(shown: Shown, name: str, root: str, until: int, **values: Any) -> bytes:  # noqa: ANN401 - what it shows
    """Return a page as UTF-8.

    *root* leads from it to the archive's first page (``../``), *until* is the instant up to which it tells (UTC
    seconds).
    """
    text = template(f"{name}.html").render(
        shown=shown, about=shown.published.about, root=root, page=name, until=until, **values)
    return text.encode("utf-8", "replace")


@cache
def policy() -> str:
    """Return the Content-Security-Policy of every page."""
    kinds = (("style-src", (STYLE,)), ("script-src", SCRIPTS))
    ours = [f"{kind} {' '.join(map(_hash, names))}" for kind, names in kinds]
    return "; ".join(["default-src 'none'", *ours, "base-uri 'none'", "form-action 'none'"])


def _hash(name: str) -> str:
    return f"'sha256-{b64encode(sha256(packaged()[name].encode()).digest()).decode()}'"


def script(name: str) -> Markup:
    """Return the script of this file name, as it stands in a page."""
    return Markup(packaged()[name])  # noqa: S704 - a file of ours


def body(text: str) -> str:
    """Return a letter's text as it is, without characters that a page can't hold or that disguise others."""
    return "\n".join(_visible(line) for line in text.splitlines())


def _visible(line: str) -> str:
    return line if line.isprintable() else "".join(c for c in line if c.isprintable() or c in KEPT)


def bdi(name: object) -> Markup:
    """Return a person's name so that its direction and its marks stay its own affair."""
    return Markup(f"<bdi>{escape(clean(str(name)))}</bdi>")  # noqa: S704 - escaped


@pass_context
def who(context: Context, name: object) -> Markup:
    """Return a person's name as a link to eir page, if e has one and this is another."""
    known = context["shown"].people.get(name)
    if known is None or context.get("person") == known:
        return bdi(name)
    return Markup('<a class="who" href="{}players/{}.html">{}</a>').format(context["root"], known.page, bdi(name))


@pass_context
def names(context: Context, people: tuple[str, ...]) -> Markup:
    """Return several names with commas; ``nobody`` for none."""
    return Markup(", ").join(who(context, p) for p in people) if people else Markup("nobody")


@pass_context
def told(context: Context, event: Event) -> Markup:
    """Return what happened in a sentence in which the names that the event holds are links."""
    said = escape(title(event_line(titled(event, context["about"]))))
    found = sorted({clean(name) for name in _named(event) if name in context["shown"].people}, key=len, reverse=True)
    if not found:
        return said
    each = re.compile(rf"(?<!\w)(?:{'|'.join(re.escape(str(escape(name))) for name in found)})(?!\w)")
    return Markup(each.sub(lambda m: str(who(context, Markup(m[0]).unescape())), said))  # noqa: S704 - escaped


def _named(value: object) -> Iterator[str]:
    """Yield the texts that *value* holds, any of ours."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _named(part)
    elif is_dataclass(value) and not isinstance(value, type):
        for part in fields(value):
            yield from _named(getattr(value, part.name))


def title(text: str) -> str:
    """Return *text* with its first letter in upper case.

    >>> title("day 2")
    'Day 2'
    """
    return text[:1].upper() + text[1:]


def groupby_in_order(things: Iterable[Any], name: str) -> list[tuple[Any, list[Any]]]:
    """Return *things* in runs of those that have the same attribute called *name*, each with that."""
    return [(value, list(found)) for value, found in groupby(things, attrgetter(name))]


def percent(share: float) -> str:
    """Return a share in whole percents.

    >>> percent(0.25)
    '25 %'
    """
    return f"{share * 100:.0f} %"


def titled(event: Any, about: About) -> Event:  # noqa: ANN401 - any event, some of which have a nomic
    """Return *event* with its nomic as readers call it; commands go by its name in the settings."""
    nomic = getattr(event, "nomic", "")
    found: Event = replace(event, nomic=about.title(nomic)) if isinstance(nomic, str) and nomic else event
    return found


def rules_or_none(name: str) -> Any:  # noqa: ANN401 - a rule set, for templates
    """Return the rule set, or None if it is not installed here."""
    try:
        return ruleset(name)
    except Refusal:
        return None
