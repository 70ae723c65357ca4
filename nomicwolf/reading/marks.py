"""Forum marks, comments and asides, blanked out.

Tags become plain words or boundaries; comments and asides become spaces. The length of the text stays.

Comments in ``[ ]``, ``{ }`` and ``/* */`` have no effect, as in the nomics; parentheses are left to the grammar.
"""

from __future__ import annotations

import re

from nomicwolf.reading.names import NameBook
from nomicwolf.reading.text import bracket_pairs, is_word

BOUNDARY = "\n"
"""Ends a sentence for certain (clean text has no line ends of its own)."""

_WORDS_FOR = {"[vote]": "vote: ", "[unvote]": "unvote  ", "[/vote]": BOUNDARY, "[/unvote]": BOUNDARY}
_PLAIN_TAGS = ("b", "i", "u", "s", "size", "color", "colour", "center", "font", "strong", "em", "highlight")
_COMMANDS = ("vote", "unvote", "un-vote")
_MARKED = (*_COMMANDS, "lynch", "no lynch", "no-lynch", "nolynch")
"""Commands behind ``##``."""
_BY_NIGHT = ("attack ", "attack:", "kill ", "kill:", "see ", "see:", "heal", "poison ", "poison:", "shoot ", "shoot:",
             "protect ", "protect:", "guard ", "guard:", "block ", "block:", "track ", "track:", "watch ", "watch:")
"""Those that games of forums have for the night, right behind ``##``."""
_LONGEST_TAG = 40
_MARK = re.compile(r"[\[{/#*_<~|]")
_EMPHASISED = re.compile(r"(?<![\w*])([*_]{1,2})([^\W_]+(?:['\u2019][^\W_]+)?)\1(?![\w*])")
_NEXT = re.compile(r"[/|] *(?=(?:##)?(?:un-?)?vote\b *:)", re.IGNORECASE)
"""Between two commands: "unvote: Bex / vote: Gus"."""
_STRUCK = (
    ("[s]", "[/s]"), ("[strike]", "[/strike]"), ("[del]", "[/del]"), ("[code]", "[/code]"), ("~~", "~~"),
    ("<s>", "</s>"), ("<del>", "</del>"), ("<strike>", "</strike>"),
)
"""Marks around words that have no effect."""


def without_marks(text: str, book: NameBook) -> str:
    """Return *text*, of the same length, without tags, comments, and emphasis around commands or single words."""
    if "*" in text or "_" in text:
        text = _EMPHASISED.sub(lambda found: _plain(found, text, book), text)
    places = [mark.start() for mark in _MARK.finditer(text)]
    if not places:
        return text
    pairs = bracket_pairs(text)
    last = {each: text.rfind(each) for _, closes in _STRUCK for each in (closes, closes.upper())}
    pieces: list[str] = []
    done = 0
    for at in places:
        if at >= done:
            piece = _piece(text, at, pairs, last, book)
            pieces += (text[done:at], piece)
            done = at + len(piece)
    return "".join((*pieces, text[done:]))


def _plain(found: re.Match[str], text: str, book: NameBook) -> str:
    """Return an emphasised word without its marks, unless it follows a colon or is a name or a command."""
    command = found[2].casefold().startswith(_COMMANDS) and text[:found.start()].rstrip()[-1:] not in ("I", "i")
    if command or ":" in text[:found.start()] or book.find(text, found.start()) is not None:
        return found[0]
    space = " " * len(found[1])
    return f"{space}{found[2]}{space}"


def _piece(text: str, at: int, pairs: dict[int, int], last: dict[str, int], book: NameBook) -> str:
    """Return the replacement, of equal length, for the text from the mark *at*."""
    char = text[at]
    if (name := book.find(text, at)) is not None:
        return text[at:name.end]
    if struck := _struck(text, at, last):
        return BOUNDARY.ljust(struck - at - 1) + BOUNDARY
    if char == "[" and (tag := _tag(text, at)):
        return tag
    if char == "<":
        return _html(text, at)
    if char in "[{" and at in pairs:
        return " " * (pairs[at] + 1 - at)
    if char in "/|" and (joint := _NEXT.match(text, at)):
        return BOUNDARY.ljust(len(joint[0]))
    if text.startswith("/*", at) and (end := text.find("*/", at + 2)) > 0:
        return " " * (end + 2 - at)
    return _emphasis(text, at) if char in "#*_" else char


def _struck(text: str, at: int, last: dict[str, int]) -> int:
    """Return the end of struck-out words or code at *at*; 0 if none begins here. *last*: the last of each end."""
    for opens, closes in _STRUCK:
        start = at + len(opens)
        if text[at:start].casefold() == opens:
            ends = [text.find(each, start) for each in {closes, closes.upper()} if last[each] >= start]
            return min(ends) + len(closes) if ends else 0
    return 0


def _html(text: str, at: int) -> str:
    """Replace an HTML tag in a plain letter, such as ``<b>``, like a forum's tag."""
    if text.startswith("<!--", at) and (end := text.find("-->", at + 4)) > 0:
        return " " * (end + 3 - at)
    end = text.find(">", at, at + _LONGEST_TAG)
    tag = text[at:end + 1]
    name = tag.strip("<>/").casefold()
    if end < 0 or name not in _PLAIN_TAGS:
        return "<"
    opens = text[end + 1:end + 1 + _LONGEST_TAG].lstrip(" *_").casefold().startswith(_COMMANDS)
    return (BOUNDARY if opens or tag.startswith("</") else "").ljust(len(tag))


def _tag(text: str, at: int) -> str:
    """Return the replacement of a forum's tag; '' if this is none."""
    end = text.find("]", at, at + _LONGEST_TAG)
    if end < 0:
        return ""
    tag = text[at:end + 1].casefold()
    if tag in _WORDS_FOR:
        start = BOUNDARY if not tag.startswith("[/") else ""
        return (start + _WORDS_FOR[tag]).ljust(len(tag))[:len(tag)] if not start else _opened(tag)
    if tag.startswith("[vote="):
        value = text[at + len("[vote="):end].strip("\"' ")
        return f"{BOUNDARY}vote:{value}".ljust(len(tag) - 1) + BOUNDARY
    name = tag.strip("[]").removeprefix("/").partition("=")[0]
    if name not in _PLAIN_TAGS:
        return ""
    after = text[end + 1:end + 1 + _LONGEST_TAG].lstrip(" *_").casefold()
    opens = not tag.startswith("[/") and after.startswith(_COMMANDS)
    closes = tag.startswith("[/")
    return (BOUNDARY if opens or (closes and _closes_command(text, at)) else "").ljust(len(tag))


def _opened(tag: str) -> str:
    """Return ``[vote]`` as ``vote: `` in the same number of characters, ``[unvote]`` likewise."""
    return _WORDS_FOR[tag][:len(tag)].ljust(len(tag))


def _closes_command(text: str, at: int) -> bool:
    """Return whether the emphasis that ends at *at* began with a command."""
    opened = max(text.rfind("[", max(0, at - 80), at), 0)
    return text[text.find("]", opened) + 1:at].lstrip(" *_").casefold().startswith(_COMMANDS)


def _emphasis(text: str, at: int) -> str:
    """Set ``##Vote``, ``**Vote: Gus**`` and ``_Vote: Gus_`` apart from the prose around them."""
    end = at
    while end < len(text) and text[end] == text[at]:
        end += 1
    marks = text[at:end]
    command = text[end:end + 10].casefold()
    if marks[0] == "#" and (command.lstrip().startswith(_MARKED) or (marks == "##" and command.startswith(_BY_NIGHT))):
        return BOUNDARY.ljust(len(marks))
    if marks[0] != "#" and command.startswith(("vote:", "unvote", "vote ")):
        return BOUNDARY.ljust(len(marks))
    return marks


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
    """Return *text*, of the same length, without adverbs and the author's own name after an "I".

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
    """Return the end of the asides from *start*, with the space before the next word; *start* if there are none."""
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
    """Return the end of one adverb, or of the author's own name; *at* if there is none."""
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
