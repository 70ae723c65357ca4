"""Near misses: what looks like a deed but stands only where it can't count is said so to its author, never done.

So is a private letter in which nothing was understood while its author owes something: e may think that it is done.
"""

from __future__ import annotations

from nomicwolf.contest.work import Work
from nomicwolf.letters.authored import Authored
from nomicwolf.nomic.events import Asked
from nomicwolf.reading.reader import read
from nomicwolf.reports.views import people_of

PRIVATE = "contestmaster"
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
    _unheard(work, author, text, number)


def _unheard(work: Work, author: str, text: Authored, number: int) -> None:
    """Ask *author*, who owes something by private mail, about a private letter that did nothing."""
    game = work.contest.running
    written = next(((line, words.strip()) for line, words in text.lines if words.strip()), None)
    if game is None or written is None or work.contest.letters[number].channel != PRIVATE:
        return
    if any(d.owed and not d.public for d in work.rules.duties(game, author)):
        hint = "Nothing in your letter was understood as an action, so nothing was done."
        work.add(Asked(number, author, *written, "not understood", hint), cites=("D-N10",), cause=f"letter {number}")
