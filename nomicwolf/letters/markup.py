"""HTML to the text that a reader sees, quotes marked and hidden text set aside; nothing is fetched or run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

from nomicwolf.letters import styles

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
_Step: TypeAlias = tuple[LexborNode, str, int, str, styles.Paint, bool]
"""An open element: its name, and the depth, reason, colours and care for line ends around it."""


@dataclass(slots=True)
class Seen:
    """What was found: the *text*, and *asides* as (why, line) pairs for hidden, struck and signature text."""

    text: str = ""
    asides: list[tuple[str, str]] = field(default_factory=list)


@dataclass(slots=True)
class _Page:
    """Lines under construction; *why* says where text goes that isn't the letter's own, *kept* that line ends count."""

    lines: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    asides: list[tuple[str, str]] = field(default_factory=list)
    depth: int = 0
    why: str = ""
    paint: styles.Paint = (None, None)
    kept: bool = False

    def end_line(self) -> None:
        """Finish the line that is being written, if there is something in it."""
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
        """An empty line, unless there is one already."""
        if not self.why and self.lines and self.lines[-1]:
            self.lines.append("")


def visible(markup: str) -> Seen:
    """The text of an HTML body as a reader sees it, in lines; blockquotes come out with ``>`` before each line."""
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
    return Seen("\n".join(page.lines).strip("\n"), page.asides)


def _write(page: _Page, node: LexborNode) -> None:
    """Take in a text node; white space is kept in ``pre``, and where a style says so, only."""
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
    own: styles.Paint = (None, None)
    kept = page.kept or name == "pre"
    if "white-space" in style.lower():
        kept = styles.declared(style).get("white-space", "").startswith(_KEEPING)
    if style or any(colours):
        own = styles.painted(styles.declared(style), *colours)
        ruled_out = ruled_out or styles.hides(style, page.paint) or styles.unseen(own, page.paint)
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
    page.why, page.paint, page.kept = why, styles.within(own, page.paint), kept
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
    """An element's classes, without the ``x_`` that Outlook puts before foreign ones."""
    found = set()
    for written in attributes.get("class", "").lower().split()[:50]:
        found.add(written.removeprefix("x_"))
    return found


def _quotes(node: LexborNode, attributes: dict[str, str]) -> bool:
    """Whether an element is some mailer's container of quoted text.

    Some also hold what the writer answers between and below the quotes: there the blockquotes show what is quoted.
    """
    name = attributes.get("id", "").lower()
    if _classes(attributes) & _QUOTING or name.removeprefix("x_") in _QUOTING_IDS or _barred(attributes):
        return True
    contains = _classes(attributes) & _CONTAINERS or attributes.get("name", "").lower() in _CONTAINER_NAMES
    return bool(contains) and node.css_first("blockquote") is None


def _barred(attributes: dict[str, str]) -> bool:
    """Whether an element has a line along its left side alone, as Outlook and web mailers draw beside a quote."""
    if "border" not in attributes.get("style", "").lower():
        return False
    found = styles.declared(attributes["style"])
    bar = found.get("border-left", "") + found.get("border-left-style", "")
    sides = found.get("border-width", "").split()
    if len(sides) == 4 and not any(side.strip("0pxtem") for side in sides[:3]) and sides[3].strip("0pxtem"):
        bar += found.get("border-style", "")
    return any(word in bar for word in ("solid", "double", "dotted", "dashed"))


def _why(name: str, attributes: dict[str, str], ruled_out: bool) -> str:
    """Why an element's text is not read as the letter's: hidden or struck out, or a signature; '' if it is."""
    if ruled_out or "hidden" in attributes or name in _STRUCK:
        return "html-only-copy"
    named = {attributes.get(each, "").lower().removeprefix("x_") for each in ("id", "name")}
    return "signature" if (_classes(attributes) | named) & _SIGNATURES else ""


def _hidden_by_rule(document: LexborHTMLParser) -> set[int]:
    """The elements that a ``<style>`` sheet of the letter hides; rules beyond the first 60 hiding ones are not read."""
    found: set[int] = set()
    sheets = " ".join(node.text() or "" for node in document.css("style")[:20])
    rules = 0
    for chunk in sheets.split("}"):
        selector, _, declarations = chunk.rpartition("{")
        selector = selector.rpartition("{")[2].strip()
        if not selector or selector.startswith("@") or not styles.hides(declarations):
            continue
        rules += 1
        if rules > _MAX_RULES:
            break
        try:
            found.update(node.mem_id for node in document.css(selector))
        except (SelectolaxError, ValueError):
            continue
    return found
