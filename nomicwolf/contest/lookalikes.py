"""Whose name a name looks like: also where the letters differ by their marks alone, as "Bëx" and "Bex" do (NC 3).

Marks above, below and through letters are often left out in mail, and hardly seen. Marks that are vowels or sounds of
their own, as many scripts write them, are none of these.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from nomicwolf.language.naming import skeleton

_MARKED = frozenset((1, 202, 216, 220, 230))
"""The combining classes of overlays, cedillas, horns, and what stands below or above a letter."""
_STRUCK = str.maketrans("øØłŁđĐħĦŧŦƀɨɇɍɏ", "oOlLdDhHtTbiery")
"""Letters that have a stroke, which Unicode takes for letters of their own."""


def looks_like(name: str, others: Iterable[str]) -> str:
    """Return whose of the names of *others* *name* looks like, or that it looks like nothing; '' if neither.

    >>> looks_like("Bëx", ["Gus", "Bex"])
    '“Bëx” looks like Bex.'
    >>> looks_like("がな", ["かな"])
    ''
    """
    shape = _shape(name)
    like = next((other for other in others if _shape(other) == shape), "")
    return f"“{name}” looks like {like or 'nothing'}." if like or not shape else ""


def _shape(name: str) -> str:
    """Return what *name* looks like without the marks on its letters."""
    apart = unicodedata.normalize("NFKD", name)
    bare = "".join(c for c in apart if unicodedata.combining(c) not in _MARKED)
    return skeleton(unicodedata.normalize("NFKC", bare).translate(_STRUCK))
