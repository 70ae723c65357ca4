"""Private sentences that speak to somebody: a greeting, or to a group without the words that pass them on."""

from __future__ import annotations

import re

from nomicwolf.reading.deeds import Problem
from nomicwolf.reading.names import NameBook
from nomicwolf.reading.performing import Opening
from nomicwolf.reading.phrases import vocabulary
from nomicwolf.reading.sentences import Sentence

_SAYS = re.compile(r"(?:say|tell) (?:to )?(?:the )?(?!(?:me|us)\b)(?=[\w\"'])", re.IGNORECASE)
_CALLED = re.compile(
    r"(?:@(?=\w+[ ,:])|(?=\w+:))(?:(?P<pack>pack|wolves|werewolves)|(?P<masons>masons)|(?P<spirits>spirits))[ ,:]+"
    r"(?=\S)", re.IGNORECASE)
"""A group that is spoken to as in a chat: the name of its group tells which."""
_FIRST = frozenset("@PMSWpmsw")
"""With one of these it begins."""
_GREETS = ("Dear ", "Good ", "Hello ", "Hey ", "Hi ", "dear ", "good ", "hello ", "hey ", "hi ")
_GREETED = re.compile(
    r"(?:dear|hi|hello|hey|good (?:morning|day|afternoon|evening))(?: there)?,? "
    r"((?-i:[A-Z])[^\s,.!?:;\"]*(?: (?-i:[A-Z])[^\s,.!?:;\"]*)?) ?(?:,| --?|!)\s+(?=\w)(?!confirm\b)", re.IGNORECASE)
"""Of a confirmation nothing stands before it on its line."""
_OTHERS = frozenset({
    "all", "diary", "everybody", "everyone", "fellow", "folks", "freemasons", "friend", "friends", "gadiantons", "guys",
    "love", "lover", "lovers", "mafia", "mafiosi", "masons", "mate", "mates", "pack", "partner", "people", "players",
    "policemen", "prophets", "team", "town", "werewolves", "wolf", "wolves",
})
"""Who is greeted so isn't the contestmaster."""


def unspoken(sentence: Sentence, stands: Opening) -> Problem | None:
    """Return the question about a private *sentence* that would say something, and has no colon: "say who was it"."""
    said = _SAYS.match(sentence.text, stands.at) if "SAY" in stands.kinds else None
    if said is None:
        return None
    rest = sentence.text[said.end():]
    named = [(article, rest[:end - len(article)]) for article in ("", "the ")
             for end, kind in vocabulary().matches(article + rest, 0) if kind == "GROUP"]
    article, group = next((found for found in named if not rest[len(found[1]):len(found[1]) + 1].isalnum()), ("", ""))
    words = rest[len(group):].lstrip(" :,")
    if not words:
        return None
    return _problem(sentence, stands.at, f"say {article}{group}: {words}" if group else f"say: {words}",
                    "what is to be passed on stands behind a colon: “say: TEXT”, or “say pack: TEXT” to one group")


def ungrouped(sentence: Sentence) -> Problem | None:
    """Return the question about a private *sentence* that only names who is to hear it: "Pack: Gus?", "@pack Gus?"."""
    called = _CALLED.match(sentence.text) if sentence.text[:1] in _FIRST else None
    if called is None:
        return None
    group = called.lastgroup
    return _problem(sentence, 0, f"say {group}: {sentence.text[called.end():]}",
                    f"what is to be passed on begins with “say”: “say {group}: TEXT”")


def _problem(sentence: Sentence, at: int, suggestion: str, hint: str) -> Problem:
    return Problem(sentence.line_at(at), sentence.written, "ambiguous", (suggestion,), hint)


def greeting(text: str, book: NameBook) -> int:
    """How long the greeting is with which a private sentence begins: "Hi Murphy, attack Fay"; 0 for none.

    Whoever is greeted by the name of a player, or of several, isn't the contestmaster.
    """
    if not text.startswith(_GREETS) or (found := _GREETED.match(text)) is None:
        return 0
    players = {*book.people.living, *book.people.dead}
    several = not _OTHERS.isdisjoint(found[1].casefold().split())
    return 0 if several or not players.isdisjoint(book.names_in(found[1])) else found.end()
