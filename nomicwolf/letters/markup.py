"""HTML to the text that a reader sees, quotes marked and hidden text set aside; nothing is fetched or run."""

from __future__ import annotations

from dataclasses import dataclass, field

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

from nomicwolf.letters.letter import Limits

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
_QUOTING_IDS = frozenset(("olk_src_body_section",))
_CONTAINERS = frozenset((
    "gmail_quote", "gmail_quote_container", "yahoo_quoted", "protonmail_quote", "tutanota_quote", "zmail_extra",
))
_SIGNATURES = frozenset((
    "gmail_signature", "moz-signature", "protonmail_signature_block", "signature",
))
_STRUCK = frozenset((
    "s", "del", "strike",
))
_VOID = frozenset((
    "br", "hr", "img", "input", "meta", "link", "area", "base", "col", "embed", "source", "track", "wbr",
    "param",
))
_IMPLIED = frozenset((
    "p", "li", "td", "th", "tr", "dd", "dt", "option", "thead", "tbody", "tfoot",
))
_WHITE = ("white", "snow", "ivory", "whitesmoke", "ghostwhite", "floralwhite", "mintcream", "azure", "transparent")
_PALE = 0xE8
_MAX_RULES = 60


@dataclass(slots=True)
class Seen:
    """What was found: the *text*, and *asides* as (why, line) pairs for hidden, struck and signature text."""

    text: str = ""
    asides: list[tuple[str, str]] = field(default_factory=list)


@dataclass(slots=True)
class _Page:
    """Lines under construction; *why* says where text goes that isn't the letter's own."""

    lines: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    asides: list[tuple[str, str]] = field(default_factory=list)
    depth: int = 0
    why: str = ""

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


def excess(markup: str, limits: Limits) -> str:
    """'' or which limit *markup* passes; by a linear look before any parsing (deep nesting makes parsers slow)."""
    if len(markup) > limits.markup:
        return f"its HTML is longer than {limits.markup} characters"
    pieces = markup.split("<")
    if len(pieces) > limits.tags:
        return f"its HTML has more than {limits.tags} tags"
    depth = deepest = 0
    for piece in pieces[1:]:
        closing = piece[:1] == "/"
        name = piece[closing : closing + 20].replace(">", " ").replace("/", " ").split(" ", 1)[0].strip().lower()
        if not name[:1].isalpha() or name in _VOID or name in _IMPLIED:
            continue
        depth = max(0, depth - 1) if closing else depth + 1
        deepest = max(deepest, depth)
    return f"its HTML nests more than {limits.nesting} deep" if deepest > limits.nesting else ""


def visible(markup: str) -> Seen:
    """The text of an HTML body as a reader sees it, in lines; blockquotes come out with ``>`` before each line."""
    document = LexborHTMLParser(markup)
    page = _Page()
    hidden = _hidden_by_rule(document)
    steps: list[tuple[LexborNode, str, int, str]] = []
    waiting: list[LexborNode | None] = [document.body]
    while waiting:
        node = waiting.pop()
        if node is None:
            if steps:
                _leave(page, steps)
            continue
        name = node.tag or ""
        if name == "-text":
            _write(page, node, steps)
        elif name not in _SKIPPED and not name.startswith(("-", "!")):
            _enter(page, node, name, steps, node.mem_id in hidden)
            waiting.append(None)
            waiting.extend(reversed(list(node.iter(include_text=True))))
    page.end_line()
    return Seen("\n".join(page.lines).strip("\n"), page.asides)


def _write(page: _Page, node: LexborNode, steps: list[tuple[LexborNode, str, int, str]]) -> None:
    """Take in a text node; white space is kept in ``pre`` only."""
    text = (node.text_content or "").replace("\xa0", " ")
    if any(step[1] == "pre" for step in steps):
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
    page: _Page, node: LexborNode, name: str, steps: list[tuple[LexborNode, str, int, str]], ruled_out: bool
) -> None:
    """Open an element: line ends, one more quote depth, or text set aside."""
    attributes = {key.lower(): (value or "") for key, value in node.attributes.items()}
    why = page.why or _why(name, attributes, ruled_out)
    quoting = name == "blockquote" or _quotes(node, attributes)
    if name in _BLOCKS or name == "br" or why != page.why or quoting:
        page.end_line()
        if name == "br" and len(steps) and node.prev is not None and node.prev.tag == "br":
            page.gap()
    if name in ("td", "th"):
        page.words.append(" ")
    steps.append((node, name, page.depth, page.why))
    page.why = why
    page.depth += 1 if quoting else 0


def _leave(page: _Page, steps: list[tuple[LexborNode, str, int, str]]) -> None:
    """Close the innermost open element."""
    _, name, depth, why = steps.pop()
    if name in _BLOCKS or why != page.why or depth != page.depth:
        page.end_line()
    page.depth, page.why = depth, why
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
    return bool(_classes(attributes) & _CONTAINERS) and node.css_first("blockquote") is None


def _barred(attributes: dict[str, str]) -> bool:
    """Whether an element has a line along its left side alone, as Outlook and web mailers draw beside a quote."""
    style = "".join(attributes.get("style", "").lower().split())
    declarations = dict(part.split(":", 1) for part in style.split(";") if ":" in part)
    bar = declarations.get("border-left", "")
    return any(word in bar for word in ("solid", "double", "dotted", "dashed"))


def _why(name: str, attributes: dict[str, str], ruled_out: bool) -> str:
    """Why an element's text is not read as the letter's: hidden or struck out, or a signature; '' if it is."""
    style = "".join(attributes.get("style", "").lower().split())
    if ruled_out or "hidden" in attributes or name in _STRUCK or hides(style):
        return "html-only-copy"
    if _pale(attributes.get("color", "").lower().strip()) and not _coloured_ground(style):
        return "html-only-copy"
    return "signature" if _classes(attributes) & _SIGNATURES else ""


def hides(style: str) -> bool:
    """Whether a style (lower case, no spaces) makes text unseen: not displayed, of no size, white, off the page."""
    declarations = dict(part.split(":", 1) for part in style.split(";") if ":" in part)
    plain = {key: value.removesuffix("!important") for key, value in declarations.items()}
    if plain.get("display") == "none" or plain.get("visibility") in ("hidden", "collapse"):
        return True
    if plain.get("mso-hide") == "all" or "line-through" in plain.get("text-decoration", ""):
        return True
    for key in ("font-size", "opacity", "max-height", "max-width", "height", "width"):
        if key in plain and _tiny(plain[key], 2.0 if key == "font-size" else 0.0):
            return True
    if any(plain.get(key, "").startswith("-") for key in ("text-indent", "left", "top")):
        return True
    return _pale(plain.get("color", "")) and not _coloured_ground(style)


def _pale(color: str) -> bool:
    """Whether *color* (lower case, no spaces) can't be told from white paper."""
    if color.startswith("#") and len(color) in (4, 7):
        parts = [color[1 + n] * 2 for n in range(3)] if len(color) == 4 else [color[n : n + 2] for n in (1, 3, 5)]
        return all(part.isalnum() and part.isascii() and part >= f"{_PALE:x}" and part[1] <= "f" for part in parts)
    if color.startswith(("rgb(", "rgba(")):
        numbers = color.partition("(")[2].rstrip(")").split(",")
        light = all(number.isdecimal() and int(number[:3]) >= _PALE for number in numbers[:3])
        return light or (len(numbers) == 4 and numbers[3].strip("0.") == "")
    return color in _WHITE


def _tiny(value: str, most: float) -> bool:
    """Whether a length is at most *most* pixels or points."""
    number = value.rstrip("abcdefghijklmnopqrstuvwxyz%")
    unit = value[len(number) :]
    try:
        return float(number) <= (most if unit in ("px", "pt") else 0.05 if unit in ("em", "rem", "") else 0.0)
    except ValueError:
        return False


def _coloured_ground(style: str) -> bool:
    """Whether the same style gives a background that white text can be read on."""
    declarations = dict(part.split(":", 1) for part in style.split(";") if ":" in part)
    ground = declarations.get("background-color", declarations.get("background", ""))
    return bool(ground) and ground not in ("none", "inherit") and not _pale(ground)


def _hidden_by_rule(document: LexborHTMLParser) -> set[int]:
    """The elements that a ``<style>`` sheet of the letter hides; rules beyond the first 60 hiding ones are not read."""
    found: set[int] = set()
    sheets = " ".join(node.text() or "" for node in document.css("style")[:20])
    rules = 0
    for chunk in sheets.split("}"):
        selector, _, declarations = chunk.rpartition("{")
        selector = selector.rpartition("{")[2].strip()
        if not selector or selector.startswith("@") or not hides("".join(declarations.lower().split())):
            continue
        rules += 1
        if rules > _MAX_RULES:
            break
        try:
            found.update(node.mem_id for node in document.css(selector))
        except (SelectolaxError, ValueError):
            continue
    return found
