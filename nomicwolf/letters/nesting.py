"""How much HTML is in a letter, by a linear look before any parsing: deep nesting makes parsers slow."""

from __future__ import annotations

import re
from collections import Counter

from nomicwolf.letters.letter import Limits

_VOID = frozenset((
    "br", "hr", "img", "input", "meta", "link", "area", "base", "col", "embed", "source", "track", "wbr",
    "param",
))
_IMPLIED = frozenset((
    "p", "li", "td", "th", "tr", "dd", "dt", "option", "thead", "tbody", "tfoot",
))
_RAW = frozenset((
    "script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes",
))
"""Elements in which no tag and no comment begins."""
_OTHERWISE = re.compile(r"<(?:!\[CDATA\[|svg|math|select|frameset|template|noscript|plaintext)", re.IGNORECASE)
"""What begins markup in which those are none, or where it is another question what is a tag."""
_TAG = re.compile(
    r"</?[a-z][^\s/>]*+(?:[\s/]++(?:[^\s/>=\"']++(?:\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+'|[^\s\"'>][^\s>]*+))?+)?+)*+>",
    re.IGNORECASE)
"""A whole tag, each quotation mark in it around a value."""
_COMMENT_END = re.compile("--!?>")


def excess(markup: str, limits: Limits) -> str:
    """'' or which limit *markup* passes."""
    if len(markup) > limits.markup:
        return f"its HTML is longer than {limits.markup} characters"
    if markup.count("<") > limits.tags:
        return f"its HTML has more than {limits.tags} tags"
    open_: Counter[str] = Counter()
    depth = deepest = 0
    for piece in _outside_comments(markup).split("<")[1:]:
        closing = piece[:1] == "/"
        name = piece[closing : closing + 20].replace(">", " ").replace("/", " ").split(" ", 1)[0].strip().lower()
        if not name[:1].isalpha() or name in _VOID or name in _IMPLIED:
            continue
        if closing and not open_[name]:
            continue
        step = -1 if closing else 1
        open_[name] += step
        depth += step
        deepest = max(deepest, depth)
    return f"its HTML nests more than {limits.nesting} deep" if deepest > limits.nesting else ""


def _outside_comments(markup: str) -> str:
    """The tags of *markup* without its comments, in which Office hides XML.

    From the first place on at which a parser might see something else than is seen here, all of it.
    """
    if "<!--" not in markup or _OTHERWISE.search(markup):
        return markup
    kept: list[str] = []
    place = 0
    while (at := markup.find("<", place)) >= 0:
        following = markup[at + 1 : at + 2]
        if markup.startswith("<!--", at):
            ended = _COMMENT_END.search(markup, at + 2)
            place = ended.end() if ended else -1
        elif following in ("!", "?"):
            place = markup.find(">", at) + 1 or -1
        elif tag := _TAG.match(markup, at):
            kept.append(tag[0])
            place = _past_raw(markup, tag[0], tag.end())
        else:
            place = -1 if following.isalpha() or following == "/" else at + 1
        if place < 0:
            return "".join((*kept, markup[at:]))
    return "".join(kept)


def _past_raw(markup: str, tag: str, after: int) -> int:
    """Where to go on after *tag*: at the end tag of one in which no other can stand; -1 if that isn't there."""
    name = re.split(r"[\s/>]", tag[1:], maxsplit=1)[0].lower()
    if name not in _RAW:
        return after
    ended = re.compile(f"</{name}[\\s/>]", re.IGNORECASE).search(markup, after)
    return ended.start() if ended else -1
