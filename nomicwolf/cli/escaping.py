r"""Control characters and those that turn the direction of writing leave the program as escapes, never as themselves.

Names, subjects and words of letters are anybody's. A terminal, a spreadsheet or a log would do what such a character
says. ``\u202e`` is the same in JSON and in text for people.
"""

from __future__ import annotations

import re

_ACTING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb]|[\U000e0000-\U000e007f]")


def escaped(text: str) -> str:
    r"""Return *text* with an escape for each character that does something, but for tabs and line feeds.

    >>> escaped("Bex\x1b[31m\u202e")
    'Bex\\u001b[31m\\u202e'
    """
    return text if text.isascii() and text.isprintable() else _ACTING.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    """The escape of one character, in two halves where JSON writes it so (RFC 8259, 7)."""
    units = found[0].encode("utf-16-be")
    return "".join(f"\\u{units[at] << 8 | units[at + 1]:04x}" for at in range(0, len(units), 2))
