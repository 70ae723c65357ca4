"""A letter that says itself twice, as text and as HTML: whether both copies say the same."""

from __future__ import annotations

import unicodedata

from nomicwolf.letters.authored import own_text

# Stems that make a line worth comparing: what a deed of any ruleset may be made with, and its value.
_STEMS = (
    "vote", "endors", "lynch", "retract", "withdraw", "nobody", "no one", "attack", "poison", "heal", "protect",
    "shoot", "guard", "accus", "nominat", "guilty", "innocent", "match", "revive", "point", "join", "leave", "intend",
    "object", "support", "confirm", "on behalf", "block", "track", "watch", "alias", "address", "resolve", "see ",
    "pass", "ask ", "say ", "holiday", "second", "tttpf",
)
_LINKS = ("http", "mailto:", "cid:", "image", "tel:", "inline")


def compare(plain: str, shown: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """('' or why the letter must be held, lines of the HTML alone as (``html-only-copy``, line)).

    Compared are the author's own lines that could be deeds, by letters and digits only: mailers differ in line
    breaks, bullets, emphasis and links. A line must be found in the author's own text on the other side, so that
    words which one reader sees as the author's and another as a quotation (CFJ 3581) are not passed over.
    """
    left, right = own_text(plain), own_text(shown)
    left_core, right_core = _core(left), _core(right)
    whole = _core(plain)
    if left_core == right_core:
        return "", ()
    for line in left.split("\n"):
        if _deed_like(line) and _core(_unlisted(line)) not in right_core:
            return "its HTML copy does not have this line: " + line.strip()[:200], ()
    for line in right.split("\n"):
        if _deed_like(line) and _core(line) not in left_core:
            return "only its HTML copy has this line: " + line.strip()[:200], ()
    only = [line.strip() for line in right.split("\n") if _core(line) and _core(line) not in whole]
    return "", tuple(("html-only-copy", line) for line in only[:100])


def _deed_like(line: str) -> bool:
    """Whether *line* holds a word that deeds are made with."""
    folded = " ".join(_without_links(line).lower().split()) + " "
    return any(stem in folded for stem in _STEMS)


def _unlisted(line: str) -> str:
    """*line* without the number or letter of a list's item, which HTML does not write out."""
    mark, _, rest = line.strip().partition(" ")
    return rest if mark[:-1].isalnum() and len(mark) <= 4 and mark[-1] in ".)" else line


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
