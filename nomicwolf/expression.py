"""The standard library's regular expressions, which are compiled when they are first asked.

What reads letters knows a hundred expressions, most of which few letters need: to compile them all on import took a
tenth of the time of a poll that finds one letter (docs/performance.md). What every letter is asked is compiled at once
by `re.compile`, as anywhere else; asking it is then a little quicker.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

__all__ = ["expression"]

if TYPE_CHECKING:
    from re import compile as expression
else:

    class expression:  # noqa: N801 - it stands for a function
        """What `re.compile` makes of a text and flags, as soon as anything is asked of it.

        >>> words = expression(r"[a-z]+")
        >>> words.findall("one two"), words.pattern
        (['one', 'two'], '[a-z]+')
        """

        __slots__ = ("_flags", "_text", "findall", "finditer", "fullmatch", "match", "search", "split", "sub")

        def __init__(self, text: str, flags: int = 0) -> None:
            self._text, self._flags = text, flags

        def __getattr__(self, name: str) -> object:
            """Return a method or value of the expression; its methods stand in their slots from here on."""
            made = re.compile(self._text, self._flags)
            for method in self.__slots__[2:]:
                setattr(self, method, getattr(made, method))
            return getattr(made, name)
