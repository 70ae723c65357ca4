"""A letter that says itself twice, as text and as HTML: whether both copies say the same."""

from __future__ import annotations

import unicodedata
from itertools import islice

from nomicwolf.letters.whose import scan

# Stems that make a line worth comparing: what a deed of any ruleset may be made with, and its value.
_STEMS = (
    "vote", "endors", "lynch", "retract", "withdraw", "rescind", "revoke", "nobody", "no one", "abstain", "otherwise",
    "attack", "kill", "eat ", "devour", "maul", "murder", "bite", "slay", "poison", "potion", "heal", "save", "cure",
    "protect", "defend", "shield", "shoot", "gun down", "guard", "accus", "nominat", "guilty", "convict", "condemn",
    "innocent", "acquit", "match", "lover", "pair", "link", "revive", "resurrect", "point", "choose", "join", "leave",
    "intend", "object", "support", "confirm", "on behalf", "act-for", "block", "track", "follow", "watch", "observe",
    "alias", "address", "resolve", "see ", "look ", "inspect", "investigat", "scry", "check", "pass", "ask ", "say ",
    "holiday", "second", "tttpf", "status", "history", "help", "resend",
    "role", "who", "standby", "volunteer", "digest", "timezone", "time zone",
    "statistics", "stats",
)
_SEARCHES, _ASIDES = 2000, 100
_LINKS = ("http", "mailto:", "cid:", "image", "tel:", "inline")


def compare(plain: str, shown: str, signed: str = "") -> tuple[str, tuple[tuple[str, str], ...]]:
    """('' or why the letter must be held, lines of the HTML alone as (``html-only-copy``, line)).

    Compared are the author's own lines that could be deeds, by letters and digits only: mailers differ in line
    breaks, bullets, emphasis and links. A line must be found in the author's own text on the other side, so that
    words which one reader sees as the author's and another as a quotation (CFJ 3581) are not passed over; what the
    text leaves in doubt may be the author's own in the HTML, for its author is asked about it. *signed* is
    what the HTML shows as its author's signature: nothing in the text tells of that where no ``-- `` stands above it.
    """
    left, right = _Side(plain), _Side(shown, signed)
    if left.core == right.core:
        return "", ()
    only = tuple(islice((("html-only-copy", line) for line in right.lines[:_SEARCHES]
                         if _core(line) not in left.whole), _ASIDES))
    if missed := left.missed_in(right.core, right):
        return "its HTML copy does not have this line: " + missed, only
    missed = right.missed_in(left.open, left)
    return "only its HTML copy has this line: " + missed if missed else "", only


class _Side:
    """One copy: the author's own *lines*, their letters and digits (*core*), and those of the *whole* copy.

    *open* are those of what may be the author's own: lines in doubt, too.
    """

    def __init__(self, text: str, signed: str = "") -> None:
        found = scan(text)
        judged = list(zip(found.lines, found.whys, strict=True))
        self.lines = [line.strip() for line, why in judged if not why and line.strip()]
        self.cores = {_core(line) for line in self.lines}
        self.core = _core("\n".join(self.lines))
        kept = [line for place, (line, why) in enumerate(judged) if not why or place in found.doubts]
        self.open = _core("\n".join(kept)) if found.doubts else self.core
        self.whole = _core(f"{text}\n{signed}")

    def missed_in(self, own: str, other: _Side) -> str:
        """The first line of this side that could be a deed and isn't in the *other* side's *own* text, or ''.

        A line of one or two words may be a name that stands for a vote, or a signature: it has to be somewhere in
        the whole of the other copy. Lines that aren't there as lines are searched for; after 2,000 of them the copies
        are too different to be one text.
        """
        strange = [line for line in self.lines if _core(line) not in other.cores]
        for line in strange[:_SEARCHES]:
            core = _core(_unlisted(line))
            if core not in (own if _deed_like(line) else other.whole) and _counts(line):
                return line[:200]
        return strange[_SEARCHES][:200] if len(strange) > _SEARCHES else ""


def _counts(line: str) -> bool:
    """Whether *line* could be a deed: by a word of it, or because it may be a bare name."""
    return _deed_like(line) or len(_without_links(line).split()) <= 2


def _deed_like(line: str) -> bool:
    """Whether *line* holds a word that deeds are made with."""
    folded = " ".join(_without_links(line).lower().split()) + " "
    return any(stem in folded for stem in _STEMS)


def _unlisted(line: str) -> str:
    """*line* without the number or letter of a list's item, which HTML does not write out."""
    mark, _, rest = line.strip().partition(" ")
    numbered = mark[-1:] in (".", ")") and (mark[:-1].isdecimal() or (len(mark) == 2 and mark[0].islower()))
    return rest if numbered and rest else line


def _core(text: str) -> str:
    """The letters and digits of *text*, case-folded, without addresses of links and pictures."""
    folded = unicodedata.normalize("NFKC", _without_links(text)).casefold()
    return "".join(char for char in folded if char.isalnum())


def _without_links(text: str) -> str:
    """*text* without ``<https://...>``, ``[image: ...]`` and ``[cid:...]``, which only the text copy writes out."""
    pieces = text.replace("[", "<").replace("]", ">").split("<") if "<" in text or "[" in text else [text]
    out = [pieces[0]]
    for piece in pieces[1:]:
        inner, close, after = piece.partition(">")
        linked = close and inner.strip().lower().startswith(_LINKS)
        out.append(after if linked else f" {inner} {after}")
    return "".join(out)
