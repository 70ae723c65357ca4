"""Templates to pages: everything is escaped, nothing comes from elsewhere, and only our own style and script may run.

The style sheet and the script stand in the page, and its Content-Security-Policy names them by their hash
(CSP 3, 2.3.1), so that pages work from a disk too and nothing that a player wrote can style or script one.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, cached_property
from hashlib import sha256
from importlib import resources
from shlex import quote
from typing import Any

from jinja2 import DictLoader, Environment, StrictUndefined, Template
from markupsafe import Markup, escape

from nomicwolf.dataclass import dataclass
from nomicwolf.reports.archive import wording
from nomicwolf.reports.archive.picture import picture
from nomicwolf.reports.archive.published import About, Published
from nomicwolf.reports.archive.sessions import Session
from nomicwolf.reports.archive.threads import Item, span
from nomicwolf.reports.archive.tracks import Track
from nomicwolf.reports.happened import happened
from nomicwolf.reports.layout import clean
from nomicwolf.reports.times import iso, lasting, when
from nomicwolf.reports.views import PublicView, rules_of
from nomicwolf.village.events import Event
from nomicwolf.village.rules import Refusal

STYLE, SCRIPT = "style.css", "explore.js"
KEPT = "\n\t"


@dataclass(frozen=True)
class Shown:
    """What the pages have before them; *letters* are the forums', by session; *viewed* gives what everyone may know."""

    published: Published
    sessions: tuple[Session, ...]
    letters: Mapping[int, tuple[Item, ...]]
    viewed: Callable[[], PublicView]
    places: Mapping[str, int]

    @cached_property
    def view(self) -> PublicView:
        """What everyone may know."""
        return self.viewed()


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
        when=when, iso=iso, lasting=lasting, happened=happened, line=clean, body=body, bdi=bdi, names=names,
        shell=quote, title=title, titled=titled, span=span)
    made.globals.update(
        picture=drawn, said=wording, style=Markup(packaged()[STYLE]),  # noqa: S704 - a file of ours
        script=Markup(packaged()[SCRIPT]), policy=policy(), rules=rules_or_none)  # noqa: S704 - a file of ours
    return made


def drawn(track: Track, name: str, page: str = "") -> Markup:
    """Return the vote picture, which drawsvg has escaped: twice, since a phone shows another than a wide screen."""
    return Markup(picture(track, name, page) + picture(track, name, page, narrow=True))  # noqa: S704


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
    kinds = ((STYLE, "style-src"), (SCRIPT, "script-src"))
    hashes = [f"{kind} 'sha256-{b64encode(sha256(packaged()[name].encode()).digest()).decode()}'"
              for name, kind in kinds]
    return "; ".join(["default-src 'none'", *hashes, "base-uri 'none'", "form-action 'none'"])


def body(text: str) -> str:
    """Return a letter's text as it is, without characters that a page can't hold or that disguise others."""
    return "\n".join(_visible(line) for line in text.splitlines())


def _visible(line: str) -> str:
    return line if line.isprintable() else "".join(c for c in line if c.isprintable() or c in KEPT)


def bdi(name: object) -> Markup:
    """Return a person's name so that its direction and its marks stay its own affair."""
    return Markup(f"<bdi>{escape(clean(str(name)))}</bdi>")  # noqa: S704 - escaped


def names(people: tuple[str, ...]) -> Markup:
    """Return several names with commas; ``nobody`` for none."""
    return Markup(", ").join(bdi(p) for p in people) if people else Markup("nobody")


def title(text: str) -> str:
    """Return *text* with its first letter in upper case.

    >>> title("day 2")
    'Day 2'
    """
    return text[:1].upper() + text[1:]


def titled(event: Any, about: About) -> Event:  # noqa: ANN401 - any event, some of which have a nomic
    """Return *event* with its nomic as readers call it; commands go by its name in the settings."""
    nomic = getattr(event, "nomic", "")
    found: Event = replace(event, nomic=about.title(nomic)) if isinstance(nomic, str) and nomic else event
    return found


def rules_or_none(name: str) -> Any:  # noqa: ANN401 - a rule set, for templates
    """Return the rule set, or None if it is not installed here."""
    try:
        return rules_of(name)
    except Refusal:
        return None
