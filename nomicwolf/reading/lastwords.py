"""Whether a letter without any verb is meant for everyone, as last words are (D-M14): it says so, or speaks out."""

from __future__ import annotations

import re
from collections.abc import Sequence

_SAID = re.compile(
    r"[*_#\s]*(?:(?:re|fwd?|aw): *)*(?:and |so )?(?:(?:here|these|those|this) (?:are|is|come|comes) |now )?(?:for )?"
    r"(?:my |the |some )?(?:very )?(?:last|final|dying|parting|farewell) (?:words?|speech|letter|statement|message)\b",
    re.IGNORECASE)
"""How a subject or a first line says that last words follow."""
_HEADING = re.compile(_SAID.pattern + r"[*_ \t]*(?:[:.,;!—–-][^\w\n]*|\s*$|\s*\n)", re.IGNORECASE)
_TO_ALL = re.compile(
    r"\b(?:good[ -]?bye|farewell|adieu|so long|bye|you|your|yours|yourselves|y'all|everyone|everybody|folks|friends"
    r"|townspeople|villagers|people of|dear (?:all|town|players)|avenge|remember me|good luck)\b")
"""Words that one says to all who read."""
_STATED = re.compile(
    r"(?!(?:oh|ah|argh|ugh|wow|damn|darn|drat|hm+|huh|well|what|no|ok|okay|lol|oops|ouch|seriously)\b)"
    r"[\W_]*[^\W\d_].*[.!…][\"”')*_\s]*", re.IGNORECASE | re.DOTALL)
"""A statement with its mark at the end; words that slip out, in a few letters to oneself, rarely have one."""
_TO_ONE = re.compile(
    r"\?|\b(?:please|sorry|apologies|thanks|thank you|contestmaster|moderator|game ?master|gm|narrator|nomicwolf"
    r"|(?:can|could|would|will|do|did|are|may|tell|told|ask|hope|know if|between) you|between us|in private"
    r"|don't (?:tell|publish|post)|do not (?:tell|publish|post)|not (?:for publication|to be published))\b")
"""Words that one says to the contestmaster alone."""


def last_words(lines: Sequence[str], subject: str, contestmaster: str) -> str:
    """Return the words of a letter that are meant for everyone, without the heading that says so; '' if in doubt.

    >>> last_words(["Last words:", "I was framed."], "", "Murphy")
    'I was framed.'
    >>> last_words(["I was framed, and you will miss me."], "", "Murphy")
    'I was framed, and you will miss me.'
    >>> last_words(["oh no I was the cop"], "", "Murphy")
    ''
    """
    words = "\n".join(lines).strip()
    heading = _HEADING.match(words)
    if heading is not None or _SAID.match(words) or _SAID.match(subject):
        return words[heading.end() if heading else 0:].strip() or words
    plain = " ".join(words.casefold().replace("’", "'").split())
    named = re.search(rf"\b{re.escape(contestmaster.casefold())}\b", plain) if contestmaster else None
    spoken = _TO_ALL.search(plain) or (words[:1].isupper() and _STATED.fullmatch(words))
    return words if spoken and not (named or _TO_ONE.search(plain)) else ""
