"""The Atom feed (RFC 4287): what was posted to the forums, newest first."""

from __future__ import annotations

from uuid import NAMESPACE_URL, uuid5

from nomicwolf.reports.archive.showing import template
from nomicwolf.reports.archive.shown import Shown

NEWEST = 50
"""How many of the contest's letters the feed has."""


def feed(shown: Shown) -> bytes:
    """Return the feed; its names are made from the letters, so that they stay whatever is built anew."""
    about = shown.published.about
    newest = [*reversed(shown.published.sent)][:NEWEST]
    items = [
        {"id": name(about.contest, letter.messages[0]), "letter": letter,
         "page": shown.places[f"letter-{letter.number}"]}
        for letter in newest
    ]
    text = template("feed.atom").render(
        about=about, items=items, id=name(about.contest, ""), base=about.url.rstrip("/") + "/" if about.url else "",
        updated=max((letter.at for letter in newest), default=shown.published.at))
    return text.encode()


def name(contest: str, what: str) -> str:
    """Return a name for *what* in *contest* that is the same for ever (RFC 4122, version 5)."""
    return uuid5(NAMESPACE_URL, f"nomicwolf:{contest}:{what}").urn
