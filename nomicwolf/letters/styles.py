"""Which styles (CSS) make text unseen: not displayed, of no size, of the paper's colour, cut or moved away.

Text that a reader may not see does not count, so what can't be told is taken as unseen; its author is shown it.
"""

from __future__ import annotations

import colorsys
import re
from typing import TypeAlias

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
    """What a style declares, by property; in lower case, one space for any, without ``!important``."""
    pairs = (part.split(":", 1) for part in style.lower().split(";") if ":" in part)
    return {key.strip(): " ".join(value.replace("!important", "").replace("! important", "").split())
            for key, value in pairs}


def hides(style: str, around: Paint = (None, None)) -> bool:
    """Whether a style makes text unseen, *around* being the colours that it stands in."""
    found = declared(style)
    if found.get("display") == "none" or found.get("visibility") in ("hidden", "collapse"):
        return True
    if found.get("mso-hide") == "all" or any(
            "line-through" in found.get(key, "") for key in ("text-decoration", "text-decoration-line")):
        return True
    for key in _SIZES:
        if key in found and _tiny(found[key], 2.0 if key == "font-size" else 0.0):
            return True
    return _small(found.get("font", "")) or _away(found) or unseen(painted(found), around)


def painted(found: dict[str, str], color: str = "", ground: str = "") -> Paint:
    """The colours that such declarations, and such HTML attributes, give to an element."""
    grounds = [ground, *(found.get(key, "") for key in _GROUND)]
    colours = [_colour(value) for value in (color, *(found.get(key, "") for key in _TEXT))]
    behind = [_colour(value) or next(filter(None, map(_colour, value.split())), None) for value in grounds]
    return next(filter(None, reversed(colours)), None), next(filter(None, reversed(behind)), None)


def within(own: Paint, around: Paint) -> Paint:
    """The colours in an element with colours of its *own* that stands in others."""
    return own[0] or around[0], own[1] or around[1]


def unseen(own: Paint, around: Paint) -> bool:
    """Whether an element's *own* colours make its text one with what is behind it, or with paper.

    That what is *around* it is dark makes white text no surer: a style sheet may paint over it.
    """
    colour, ground = within(own, around)
    if own == (None, None) or colour is None:
        return False
    alike = ground is not None and all(abs(one - other) <= _NEAR for one, other in zip(colour, ground, strict=True))
    return alike or (min(colour) >= _PALE and own[1] is None)


def _colour(text: str) -> Colour | None:
    """The colour that *text* names; the paper's for one that can be seen through, or by a function unknown here."""
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
    """A number, a hundredth of it for a percentage; 0 for what is none."""
    try:
        return float(text.rstrip("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        return 0.0


def _tiny(value: str, most: float) -> bool:
    """Whether a length is at most *most* pixels or points."""
    number = value.rstrip("abcdefghijklmnopqrstuvwxyz%")
    unit = value[len(number) :]
    try:
        return float(number) <= (most if unit in ("px", "pt") else 0.05 if unit in ("em", "rem", "") else 0.0)
    except ValueError:
        return False


def _small(font: str) -> bool:
    """Whether the shorthand of a font tells of a size that is none: ``0/0 a``; weights are above it."""
    return any(_tiny(number + unit, 2.0) for number, unit in _SIZE.findall(font.partition("/")[0]))


def _away(found: dict[str, str]) -> bool:
    """Whether text is moved off the page, cut off, turned or shrunk."""
    if any(found.get(key, "").startswith("-") for key in _MOVED[:3]):
        return True
    if any(_NUMBER.search(found.get(key, "")) and _far(found[key]) for key in _MOVED):
        return True
    cut = any(found.get(key, "none") not in ("", "none", "auto") for key in ("clip", "clip-path", "transform"))
    return cut or "opacity(" in found.get("filter", "")


def _far(value: str) -> bool:
    """Whether a length is above 500 pixels, or as many of any unit."""
    return any(_amount(number.rstrip("%")) > 500 for number in _NUMBER.findall(value))
