"""Near misses: what looks like a deed but stands only where it can't count is said so to its author, never done.

So is a player's private letter in which nothing was understood: e may think that it is done, and if only those who owe
something were answered, whoever carries the mail would see who does.
And so is a member's objection in words that fit nothing while an intent is open, for it would happen against eir word.
"""

from __future__ import annotations

import re

from nomicwolf.contest.happenings import ReadLetter
from nomicwolf.contest.intending import is_member
from nomicwolf.contest.work import Work
from nomicwolf.language.reader import Place, read
from nomicwolf.nomic.events import Asked, Noted
from nomicwolf.nomic.intents import open_intents
from nomicwolf.nomic.setup import PRIVATE
from nomicwolf.reading.set_phrases import only_agrees, says_nothing
from nomicwolf.reports.people import own_frames, people_of

ANSWERED = re.compile(r"^(?:\s*(?:re|aw|sv|fwd?|fw|wg)\s*:|\s*\[[^\]]*\]|\s*[A-Z]{3}:)+", re.IGNORECASE)
"""What stands before a subject's own words: answers, forwards, a list's tag."""
OBJECTS = re.compile(r"\bI (?:(?!do|don't|would|might|may|could|will|can|cannot|never|not)\w+ ){0,2}object(?:ed)?\b"
                     r"|^\W*(?:my )?objection\b", re.IGNORECASE)
WHERE = {
    "quoted": "it stands only in quoted text", "signature": "it stands below your signature",
    "footer": "it stands in a list's footer", "forwarded": "it stands in a forwarded letter",
    "html-only-copy": "it stands only in the HTML copy of your letter, or is hidden there",
    "attachment": "it stands in an attachment",
}


def near_misses(work: Work, heard: ReadLetter) -> None:
    """Tell a letter's author of the first deed that stands only in a part of it that doesn't count.

    A quotation counts as a near miss only in a letter without words of its author's own: who quotes and answers
    knows that e quotes.
    """
    text, author = heard.text, heard.author
    mute = says_nothing(line for _, line in text.lines)
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
            _ask(work, heard, (line, plain), "quoted only", hint)
            return
    if not mute and only_agrees(line for _, line in text.lines) and _agrees_to(work, heard):
        return
    if not mute or not _in_subject(work, heard):
        _unheard(work, heard)


def _ask(work: Work, heard: ReadLetter, line: tuple[int, str], problem: str, hint: str) -> None:
    """Ask a letter's author about a *line*, by its number and words."""
    asked = Asked(heard.number, heard.author, *line, problem, hint)
    work.add(asked, cites=("D-N10",), cause=f"letter {heard.number}")


def _agrees_to(work: Work, heard: ReadLetter) -> bool:
    """Ask who says only "so do I" below another's vote whether e votes so, and return whether e is asked."""
    people = people_of(work.contest, heard.author)
    for line, words, why in heard.text.ignored:
        if why == "quoted" and (deeds := read(((max(line, 1), words.lstrip("> ").strip()),), people, to="forum").deeds):
            own = next((place, written.strip()) for place, written in heard.text.lines if written.strip())
            hint = f"Nothing was done: what you answer to is quoted. If you do the same, write “{deeds[0].says}”."
            _ask(work, heard, own, "ambiguous", hint)
            return True
    return False


def _in_subject(work: Work, heard: ReadLetter) -> bool:
    """Tell the author of an empty letter whose subject alone says what e does, and return whether it is such a one."""
    plain = ANSWERED.sub("", heard.letter.subject).strip()
    to: Place = "contestmaster" if heard.channel == PRIVATE else "forum"
    people, own = people_of(work.contest, heard.author), own_frames(work.contest)
    if not plain or not read(((1, plain),), people, to=to, own=own).deeds:
        return False
    hint = "Nothing was done, since it stands in the subject. Write it again in the letter, on a line of its own."
    _ask(work, heard, (0, plain), "quoted only", hint)
    return True


def _unheard(work: Work, heard: ReadLetter) -> None:
    """Tell a letter's author, a player, that a private letter did nothing: no answer would tell who has nothing to do.

    The same words are answered once in a phase, for they may be a machine's that doesn't say what it is.
    """
    game, author = work.contest.running, heard.author
    written = next(((line, words.strip()) for line, words in heard.text.lines if words.strip()), None)
    if game is None or written is None or heard.channel != PRIVATE:
        return
    told = any(isinstance(e.event, Asked) and (e.event.who, e.event.text) == (author, written[1])
               for e in work.contest.entries[game.phase_mark:])
    if author in game.seats and not told:
        hint = "Nothing in your letter was understood as an action, so nothing was done."
        _ask(work, heard, written, "not understood", hint)


def objection_missed(work: Work, heard: ReadLetter) -> None:
    """Ask a member who seems to object, in words that were not understood, while an intent is open (D-N36)."""
    reading, lines = heard.reading, heard.text.lines
    known = {d.line for d in reading.deeds if d.verb in ("object", "withdraw")} | {p.line for p in reading.problems}
    missed = next(((n, line.strip()) for n, line in lines if n not in known and OBJECTS.search(line)), None)
    if missed is None or any(d.verb == "object" for d in reading.deeds) or not is_member(work.contest, heard.author):
        return
    if not (open_ := open_intents(work.contest)):
        return
    hint = (f"If you object to what the contestmaster intends, write “I object to intent {open_[0].number}.” in a "
            "forum, on a line of its own; you can withdraw it when you like.")
    asked = Asked(heard.number, heard.author, *missed, "not understood", hint)
    work.add(asked, cites=("NC 1c", "D-N36"), cause=f"letter {heard.number}")


def tell_of_wording(work: Work, heard: ReadLetter) -> None:
    """Tell the contestmaster what in a public letter its author is asked about: others may have understood it."""
    asked = [e.event for e in work.entries if isinstance(e.event, Asked) and e.event.letter == heard.number]
    if asked and heard.channel in work.contest.setup.nomics:
        lines = "; ".join(f'"{event.text}" ({event.problem})' for event in asked)
        told = f"{heard.author} is asked about eir letter to the forum of {heard.channel}: {lines}."
        work.add(Noted("wording", told), cites=("D-N10",), cause=f"letter {heard.number}")
