"""The words of a command line before they are understood. It imports nothing heavy: shells ask it at every Tab."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

STDIN = "-"
OPTIONS = ("--json", "--text", "--author", "--players", "--dead", "--aliases", "--to", "--role", "--ruleset", "--why",
           "--help", "-h")
"""The options of ``read``; one of them after ``--text`` is not its value."""


def with_value(words: Sequence[str]) -> list[str]:
    """Return a command line in which a ``--text`` of ``read`` has its value, which may be left out for ``-``.

    >>> with_value(["read", "--text", "--json"]), with_value(["read", "--text", "vote Gus"]), with_value([])
    (['read', '--text', '-', '--json'], ['read', '--text', 'vote Gus'], [])
    """
    found: list[str] = []
    for word, after in zip_longest(words, words[1:], fillvalue="--json"):
        found.append(word)
        if word == "--text" and "read" in found and after.partition("=")[0] in OPTIONS:
            found.append(STDIN)
    return found
