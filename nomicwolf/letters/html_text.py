"""HTML to the text that readers see.

Quotes are marked and hidden text is set aside; nothing is fetched or run. Nesting is measured before any parsing, for
deep nesting makes parsers slow.

Text that a reader may not see does not count, so whatever is unclear is taken as unseen; its author is shown it.
"""

from __future__ import annotations

import colorsys
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TypeAlias

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

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


def exceeded_limit(markup: str, limits: Limits) -> str:
    """Return which limit *markup* exceeds, or ''."""
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
    """Return the tags of *markup* without its comments, in which Office hides XML.

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
    """Return where to continue after *tag*: the end tag of an element without markup; -1 if it isn't there."""
    name = re.split(r"[\s/>]", tag[1:], maxsplit=1)[0].lower()
    if name not in _RAW:
        return after
    ended = re.compile(f"</{name}[\\s/>]", re.IGNORECASE).search(markup, after)
    return ended.start() if ended else -1


Colour: TypeAlias = tuple[float, float, float]
"""Red, green and blue from 0 to 255."""
Paint: TypeAlias = tuple[Colour | None, Colour | None]
"""The colour of text and of what is behind it; None: not told."""

_PAPER: Colour = (255.0, 255.0, 255.0)
_WHITE = ("white", "snow", "ivory", "whitesmoke", "ghostwhite", "floralwhite", "mintcream", "azure", "transparent")
_NAMED: dict[str, Colour] = {
    **dict.fromkeys(_WHITE, _PAPER), "black": (0, 0, 0), "gray": (128, 128, 128), "grey": (128, 128, 128),
    "silver": (192, 192, 192), "maroon": (128, 0, 0), "red": (255, 0, 0), "purple": (128, 0, 128),
    "fuchsia": (255, 0, 255), "green": (0, 128, 0), "lime": (0, 255, 0), "olive": (128, 128, 0),
    "yellow": (255, 255, 0), "navy": (0, 0, 128), "blue": (0, 0, 255), "teal": (0, 128, 128), "aqua": (0, 255, 255),
}
_PALE = 0xE8  # what is lighter can't be told from paper
_NEAR = 0x17  # nor colours that are as close as that
_FAINT = 0.1  # of an opaque colour
_TEXT = ("color", "-webkit-text-fill-color")
_GROUND = ("background", "background-color")
_SIZES = ("font-size", "opacity", "max-height", "max-width", "height", "width", "line-height", "zoom")
_MOVED = ("text-indent", "left", "top", "right", "bottom", "margin-left", "margin-top")
_NUMBER = re.compile(r"[\d.]+%?", re.ASCII)
_SIZE = re.compile(r"(?<![\d.])(\d*\.?\d+)(px|pt|em|rem|%|)(?![\d.])", re.ASCII)


def declared(style: str) -> dict[str, str]:
    """Return a style's declarations by property, lower case, with single spaces, without ``!important``."""
    pairs = (part.split(":", 1) for part in style.lower().split(";") if ":" in part)
    return {key.strip(): " ".join(value.replace("!important", "").replace("! important", "").split())
            for key, value in pairs}


def hides(style: str, around: Paint = (None, None)) -> bool:
    """Return whether a style hides text, with *around* as the surrounding colours."""
    found = declared(style)
    if found.get("display") == "none" or found.get("visibility") in ("hidden", "collapse"):
        return True
    if found.get("mso-hide") == "all" or any(
            "line-through" in found.get(key, "") for key in ("text-decoration", "text-decoration-line")):
        return True
    for key in _SIZES:
        if key in found and _tiny(found[key], 2.0 if key == "font-size" else 0.0):
            return True
    short = found.get("font", "").partition("/")[0]  # such as 0/0 a
    if any(_tiny(number + unit, 2.0) for number, unit in _SIZE.findall(short)):
        return True
    return _away(found) or unseen(painted(found), around)


def painted(found: dict[str, str], color: str = "", ground: str = "") -> Paint:
    """Return the colours that declarations and HTML attributes give to an element."""
    grounds = [ground, *(found.get(key, "") for key in _GROUND)]
    colours = [_colour(value) for value in (color, *(found.get(key, "") for key in _TEXT))]
    behind = [_colour(value) or next(filter(None, map(_colour, value.split())), None) for value in grounds]
    return next(filter(None, reversed(colours)), None), next(filter(None, reversed(behind)), None)


def inner_paint(own: Paint, around: Paint) -> Paint:
    """Return the colours in an element with colours of its *own* inside others."""
    return own[0] or around[0], own[1] or around[1]


def unseen(own: Paint, around: Paint) -> bool:
    """Return whether an element's *own* colours make its text invisible on its background or on paper.

    That what is *around* it is dark makes white text no surer: a style sheet may paint over it.
    """
    colour, ground = inner_paint(own, around)
    if own == (None, None) or colour is None:
        return False
    alike = ground is not None and all(abs(one - other) <= _NEAR for one, other in zip(colour, ground, strict=True))
    return alike or (min(colour) >= _PALE and own[1] is None)


def _colour(text: str) -> Colour | None:
    """Return the colour that *text* names; the paper's for a transparent one or an unknown function."""
    if text.startswith("#"):
        digits = text[1:] if len(text) in (7, 9) else "".join(digit * 2 for digit in text[1:])
        if len(digits) not in (6, 8) or not all(digit in "0123456789abcdef" for digit in digits):
            return None
        parts = [int(digits[at : at + 2] or "ff", 16) for at in (0, 2, 4, 6)]
        return (parts[0], parts[1], parts[2]) if parts[3] >= 255 * _FAINT else _PAPER
    name, bracket, inside = text.partition("(")
    if not bracket or name == "url":
        return _NAMED.get(text)
    numbers = [_amount(found) for found in _NUMBER.findall(inside)[:4]]
    if name not in ("rgb", "rgba", "hsl", "hsla") or len(numbers) < 3:
        return _PAPER if inside else None
    if len(numbers) == 4 and numbers[3] < _FAINT:
        return _PAPER
    if name.startswith("rgb"):
        most = 255 if "%" in inside.split(",")[0] else 1
        return most * numbers[0], most * numbers[1], most * numbers[2]
    red, green, blue = colorsys.hls_to_rgb(numbers[0] / 360, min(1.0, numbers[2]), min(1.0, numbers[1]))
    return 255 * red, 255 * green, 255 * blue


def _amount(text: str) -> float:
    """Return a number, or a hundredth of a percentage; 0 for anything else."""
    try:
        return float(text.rstrip("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        return 0.0


def _tiny(value: str, most: float) -> bool:
    """Return whether a length is at most *most* pixels or points."""
    number = value.rstrip("abcdefghijklmnopqrstuvwxyz%")
    unit = value[len(number) :]
    try:
        return float(number) <= (most if unit in ("px", "pt") else 0.05 if unit in ("em", "rem", "") else 0.0)
    except ValueError:
        return False


def _away(found: dict[str, str]) -> bool:
    """Return whether text is moved off the page, cut off, turned or shrunk."""
    if any(found.get(key, "").startswith("-") for key in _MOVED[:3]):
        return True
    if any(_NUMBER.search(found.get(key, "")) and _far(found[key]) for key in _MOVED):
        return True
    cut = any(found.get(key, "none") not in ("", "none", "auto") for key in ("clip", "clip-path", "transform"))
    return cut or "opacity(" in found.get("filter", "")


def _far(value: str) -> bool:
    """Return whether a length is above 500 pixels, or as many of any unit."""
    return any(_amount(number.rstrip("%")) > 500 for number in _NUMBER.findall(value))


_SKIPPED = frozenset((
    "head", "script", "style", "title", "template", "noscript", "svg", "math", "textarea", "select", "option",
    "object", "iframe", "audio", "video", "dialog", "datalist", "canvas", "noembed", "noframes",
))
_BLOCKS = frozenset((
    "address", "article", "aside", "blockquote", "center", "dd", "details", "dialog", "div", "dl", "dt",
    "fieldset", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main",
    "nav", "ol", "p", "pre", "section", "summary", "table", "tbody", "thead", "tfoot", "tr", "ul", "body",
    "html", "caption",
))
_PARAGRAPHS = frozenset((
    "p", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "pre", "table",
))
# Containers that hold nothing but a quote. What only announces one (an attribution, a copied header) is not among
# them: marked as quoted it could not be told any more that the text below it is, too.
_QUOTING = frozenset(("cite", "mail_quote", "freebirdfxdivquote"))
_QUOTING_IDS = frozenset(("olk_src_body_section", "mail-editor-reference-message-container"))
_CONTAINERS = frozenset((
    "gmail_quote", "gmail_quote_container", "yahoo_quoted", "protonmail_quote", "tutanota_quote", "zmail_extra",
))
_CONTAINER_NAMES = frozenset(("messagereplysection",))
_SIGNATURES = frozenset((
    "-x-evo-signature", "-x-evo-signature-wrapper", "bloop_sign", "composer_signature", "gmail_signature",
    "k9mail-signature", "messagesignaturesection", "moz-signature", "ms-outlook-mobile-signature",
    "protonmail_signature_block", "signature", "_rc_sig",
))
"""Classes, or the id or name, by which mailers mark what they put below a letter."""
_STRUCK = frozenset((
    "s", "del", "strike",
))
_MAX_RULES = 60
_REST_QUOTED = frozenset(("divrplyfwdmsg",))
"""What begins the letter that is answered: Outlook on the web's copied header, which may be cut short."""
_DIVIDER = "-----Original Message-----"
"""What the text has above it, as other mailers of Outlook's family write it."""
_KEEPING = ("pre", "break-spaces")
"""What ``white-space`` begins with where line ends are shown."""
_Step: TypeAlias = tuple[LexborNode, str, int, str, Paint, bool]
"""An open element: its name, and the depth, reason, colours and care for line ends around it."""


@dataclass(slots=True)
class VisibleText:
    """The *text* that was found, and *asides* as (why, line) pairs for hidden, struck and signature text."""

    text: str = ""
    asides: list[tuple[str, str]] = field(default_factory=list)


@dataclass(slots=True)
class _Page:
    """Lines under construction; *why* says where other text goes, *kept* that line ends count."""

    lines: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    asides: list[tuple[str, str]] = field(default_factory=list)
    depth: int = 0
    why: str = ""
    paint: Paint = (None, None)
    kept: bool = False

    def end_line(self) -> None:
        """Finish the current line, if there is something on it."""
        text = "".join(self.words).strip("\n")
        self.words.clear()
        for line in text.split("\n"):
            shown = line.rstrip()
            if not shown.strip():
                continue
            if self.why:
                self.asides.append((self.why, shown.strip()))
            else:
                self.lines.append(f"{'>' * self.depth} {shown.strip()}" if self.depth else shown)

    def gap(self) -> None:
        """Add an empty line, unless there is one already."""
        if not self.why and self.lines and self.lines[-1]:
            self.lines.append("")


def visible(markup: str) -> VisibleText:
    """Return the visible text of an HTML body in lines, blockquotes with ``>`` before each line."""
    document = LexborHTMLParser(markup)
    page = _Page()
    hidden = _hidden_by_rule(document)
    steps: list[_Step] = []
    waiting: list[LexborNode | None] = [document.body]
    while waiting:
        node = waiting.pop()
        if node is None:
            if steps:
                _leave(page, steps)
            continue
        name = node.tag or ""
        if name == "-text":
            _write(page, node)
        elif name not in _SKIPPED and not name.startswith(("-", "!")):
            _enter(page, node, name, steps, node.mem_id in hidden)
            waiting.append(None)
            waiting.extend(reversed(list(node.iter(include_text=True))))
    page.end_line()
    return VisibleText("\n".join(page.lines).strip("\n"), page.asides)


def _write(page: _Page, node: LexborNode) -> None:
    """Add a text node; white space is kept only in ``pre`` and where a style says so."""
    text = (node.text_content or "").replace("\xa0", " ")
    if page.kept:
        page.words.append(text)
        return
    words = " ".join(text.split())
    if not words:
        words = " " if text and page.words else ""
    else:
        words = f"{' ' if text[0].isspace() and page.words else ''}{words}{' ' if text[-1].isspace() else ''}"
    if words and page.words and page.words[-1].endswith(" "):
        words = words.lstrip(" ")
    if words:
        page.words.append(words)


def _enter(
    page: _Page, node: LexborNode, name: str, steps: list[_Step], ruled_out: bool
) -> None:
    """Open an element: line ends, one more quote depth, or text set aside."""
    attributes = {key.lower(): (value or "") for key, value in node.attributes.items()}
    style = attributes.get("style", "")
    colours = [attributes.get(key, "").lower().strip() for key in ("color", "bgcolor")]
    own: Paint = (None, None)
    kept = page.kept or name == "pre"
    if "white-space" in style.lower():
        kept = declared(style).get("white-space", "").startswith(_KEEPING)
    if style or any(colours):
        own = painted(declared(style), *colours)
        ruled_out = ruled_out or hides(style, page.paint) or unseen(own, page.paint)
    why = page.why or _why(name, attributes, ruled_out)
    quoting = name == "blockquote" or _quotes(node, attributes)
    if name in _BLOCKS or name == "br" or why != page.why or quoting:
        page.end_line()
        if name == "br" and len(steps) and node.prev is not None and node.prev.tag == "br":
            page.gap()
    if name in ("td", "th"):
        page.words.append(" ")
    if name == "q":
        page.words.append("“")
    steps.append((node, name, page.depth, page.why, page.paint, page.kept))
    page.why, page.paint, page.kept = why, inner_paint(own, page.paint), kept
    if attributes.get("id", "").lower().removeprefix("x_") in _REST_QUOTED and not why:
        page.lines.append(_DIVIDER)
    page.depth += 1 if quoting else 0


def _leave(page: _Page, steps: list[_Step]) -> None:
    """Close the innermost open element."""
    _, name, depth, why, paint, kept = steps.pop()
    if name == "q":
        page.words.append("”")
    if name in _BLOCKS or why != page.why or depth != page.depth:
        page.end_line()
    page.depth, page.why, page.paint, page.kept = depth, why, paint, kept
    if name in _PARAGRAPHS:
        page.gap()


def _classes(attributes: dict[str, str]) -> set[str]:
    """Return an element's classes, without the ``x_`` that Outlook puts before foreign ones."""
    found = set()
    for written in attributes.get("class", "").lower().split()[:50]:
        found.add(written.removeprefix("x_"))
    return found


def _quotes(node: LexborNode, attributes: dict[str, str]) -> bool:
    """Return whether an element is some mailer's container of quoted text.

    Some also hold what the writer answers between and below the quotes: there the blockquotes show what is quoted.
    """
    name = attributes.get("id", "").lower()
    if _classes(attributes) & _QUOTING or name.removeprefix("x_") in _QUOTING_IDS or _barred(attributes):
        return True
    contains = _classes(attributes) & _CONTAINERS or attributes.get("name", "").lower() in _CONTAINER_NAMES
    return bool(contains) and node.css_first("blockquote") is None


def _barred(attributes: dict[str, str]) -> bool:
    """Return whether an element has a border on its left alone, as mailers draw beside a quote."""
    if "border" not in attributes.get("style", "").lower():
        return False
    found = declared(attributes["style"])
    bar = found.get("border-left", "") + found.get("border-left-style", "")
    sides = found.get("border-width", "").split()
    if len(sides) == 4 and not any(side.strip("0pxtem") for side in sides[:3]) and sides[3].strip("0pxtem"):
        bar += found.get("border-style", "")
    return any(word in bar for word in ("solid", "double", "dotted", "dashed"))


def _why(name: str, attributes: dict[str, str], ruled_out: bool) -> str:
    """Return why an element's text isn't the letter's (hidden, struck out or a signature); '' if it is."""
    if ruled_out or "hidden" in attributes or name in _STRUCK:
        return "html-only-copy"
    named = {attributes.get(each, "").lower().removeprefix("x_") for each in ("id", "name")}
    return "signature" if (_classes(attributes) | named) & _SIGNATURES else ""


def _hidden_by_rule(document: LexborHTMLParser) -> set[int]:
    """Return the elements that a ``<style>`` sheet hides, by its first 60 hiding rules."""
    found: set[int] = set()
    sheets = " ".join(node.text() or "" for node in document.css("style")[:20])
    rules = 0
    for chunk in sheets.split("}"):
        selector, _, declarations = chunk.rpartition("{")
        selector = selector.rpartition("{")[2].strip()
        if not selector or selector.startswith("@") or not hides(declarations):
            continue
        rules += 1
        if rules > _MAX_RULES:
            break
        try:
            found.update(node.mem_id for node in document.css(selector))
        except (SelectolaxError, ValueError):
            continue
    return found
