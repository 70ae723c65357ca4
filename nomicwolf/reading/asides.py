"""Words between "I" and what the writer does that change nothing: "I, Ash, therefore vote for Gus"."""

from __future__ import annotations

import re

from nomicwolf.reading.names import NameBook
from nomicwolf.reading.text import is_word

_ADVERBS = frozenset({
    "accordingly", "again", "also", "confidently", "consequently", "definitely", "definitively", "finally", "firmly",
    "formally", "gladly", "happily", "hence", "henceforth", "hereby", "herewith", "however", "humbly", "instead",
    "irrevocably", "likewise", "moreover", "now", "officially", "openly", "personally", "proudly", "publicly",
    "regretfully", "reluctantly", "respectfully", "sadly", "simply", "sincerely", "solemnly", "still", "strongly",
    "then", "thereby", "therefore", "thus", "too", "unconditionally", "wholeheartedly",
})
_FIRST = _ADVERBS | {"do", "once", "only", "yet"}
_I = re.compile(r"[iI](?=[ ,][ ,]*([^\W_]*))")
_MOST_WORDS = 3
_ONCE_MORE = re.compile(r"(?:once (?:again|more)|yet (?:again|once more))(?=[ ,])", re.IGNORECASE)
_ONLY = "only"
"""Of no consequence where an "if" follows."""
_CAST = r"(?:,? (?:that )?I(?:'ve| have| may have| might have| may or may not have)?(?: previously| already| ever)? "
_QUALIFIED = re.compile(
    r"\b(?:votes?|ballots?|objections?)((?:,? \(?if any\)?,?|,? \(?if I have (?:one|any)\)?,?"
    r"| (?:on|for|in) (?:the|this|today's) (?:lynching|hanging)(?: decision)?(?! of\b)"
    rf"|{_CAST}(?:cast|made|raised|filed|posted)))+)(?=[ .,;!]|$)", re.IGNORECASE)
"""What tells of a vote nothing but that it is one's own: "my vote, if any", "any vote that I may have cast"."""
_FORMER = re.compile(
    r"\b(?:retract|withdraw|rescind|revoke|cancel|remove|take back|undo|drop|change|switch|move|revise|replace|alter"
    r"|amend|update) my"
    r"( (?:current|earlier|existing|former|last|latest|most recent|old|original|outstanding|present|previous|prior"
    r"|recent|standing))(?= (?:vote|ballot|endorsement)\b)", re.IGNORECASE)
"""Which vote it is that one takes back, or changes: there is but one."""
_OWNED = re.compile("vote|ballot|object")
"""One of these, casefolded, is in all that the expression takes."""


def without_asides(text: str, book: NameBook) -> str:
    """*text*, of the same length, with adverbs and the author's own name after an "I" made spaces.

    Only in front of another word: "so do I, too." stays as it is. So is "if any" after "my vote".
    """
    if _OWNED.search(text.casefold()):
        text = _QUALIFIED.sub(lambda found: found[0][:found.start(1) - found.end()] + " " * len(found[1]), text)
        if " my " in text:
            text = _FORMER.sub(lambda found: found[0][:found.start(1) - found.end()] + " " * len(found[1]), text)
    pieces: list[str] = []
    done = 0
    for speaker in _I.finditer(text):
        at = speaker.start()
        if at < done or (at and is_word(text[at - 1])):
            continue
        word = speaker[1].casefold()
        if word and word not in _FIRST and word not in book.author_heads:
            continue
        end = _past_asides(text, at + 1, book)
        if end > at + 1:
            pieces += [text[done:at + 1], " " * (end - at - 1)]
            done = end
    return "".join((*pieces, text[done:])) if pieces else text


def _past_asides(text: str, start: int, book: NameBook) -> int:
    """The end of the asides from *start* on, the space before the next word included; *start* if there are none."""
    at = end = start
    for _ in range(_MOST_WORDS):
        while at < len(text) and text[at] in " ,":
            at += 1
        finish = _aside_end(text, at, book)
        if finish == at:
            break
        at = end = finish
    after = end
    while after < len(text) and text[after] in " ,":
        after += 1
    return after if end > start and after < len(text) and is_word(text[after]) else start


def _aside_end(text: str, at: int, book: NameBook) -> int:
    """Where one adverb, or the author's own name, ends; *at* if none stands there."""
    bracket = text[at:at + 1] == "("
    name = book.find(text, at + bracket) if at + bracket < len(text) else None
    if name is not None:
        closed = not bracket or text[name.end:name.end + 1] == ")"
        return name.end + bracket if closed and name.person.names == (book.people.author,) else at
    if text[at:at + 3].casefold() == "do " and (after := _aside_end(text, at + 3, book)) > at + 3:
        return after
    if turn := _ONCE_MORE.match(text, at):
        return turn.end()
    end = at
    while end < len(text) and is_word(text[end]):
        end += 1
    if text[at:end].casefold() == _ONLY:
        return end if " if " in text[end:] else at
    return end if text[at:end].casefold() in _ADVERBS and text[end:end + 1] in {" ", ","} else at
