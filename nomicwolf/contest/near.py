"""Near misses: what looks like a deed but stands only where it can't count is said so to its author, never done."""

from __future__ import annotations

from nomicwolf.contest.work import Work
from nomicwolf.letters.authored import Authored
from nomicwolf.nomic.events import Asked
from nomicwolf.reading.reader import read
from nomicwolf.reports.views import people_of

WHERE = {
    "quoted": "it stands only in quoted text", "signature": "it stands below your signature",
    "footer": "it stands in a list's footer", "forwarded": "it stands in a forwarded letter",
    "html-only-copy": "it stands only in the HTML copy of your letter", "attachment": "it stands in an attachment",
}


def near_misses(work: Work, author: str, text: Authored, number: int) -> None:
    """Tell *author* of the first deed that stands only in a part of eir letter that doesn't count.

    A quotation counts as a near miss only in a letter without words of its author's own: who quotes and answers
    knows that e quotes.
    """
    mute = not any(line.strip() for _, line in text.lines)
    people = people_of(work.contest, author)
    for line, words, why in text.ignored:
        if why not in WHERE or (why in ("quoted", "forwarded", "footer") and not mute):
            continue
        plain = words.lstrip("> ").strip()
        if work.contest.said.get(plain, author) != author:
            continue
        reading = read(((max(line, 1), plain),), people, to="forum")
        if reading.deeds:
            hint = f"Nothing was done, since {WHERE[why]}. Write it again as your own words, on a line of its own."
            asked = Asked(number, author, line, plain, "quoted only", hint)
            work.add(asked, cites=("D-N10",), cause=f"letter {number}")
            return
