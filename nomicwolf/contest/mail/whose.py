"""Deeds of which nobody can tell whether a letter's author does them or repeats another's: e is asked (D-N10, D-N52).

What stands in a public letter that this one answers, word for word, is that letter's: where its own quotation marks
are lost, nobody has to be asked about it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import TypeAlias

from nomicwolf.contest.rosters import VERBS
from nomicwolf.letters import attribution
from nomicwolf.letters.attribution import Authored, is_reply
from nomicwolf.letters.letter import Letter
from nomicwolf.nomic.events import DeedHeard, LetterHeard
from nomicwolf.nomic.setup import PRIVATE
from nomicwolf.nomic.state import Contest
from nomicwolf.reading.deeds import Deed, Problem, Reading
from nomicwolf.reports.answers import QUESTIONS

ASKED = tuple(QUESTIONS)
"""What asks for an answer, and does nothing."""
ReadAs: TypeAlias = Callable[[Sequence[tuple[int, str]]], Reading]
"""What reads lines, each with its number."""
_MOST_ANSWERED = 20
"""So many letters that a letter answers are looked at, the latest first."""
_MOST_READ = 8192
"""So many characters in doubt are read at each end."""
_EVIDENCE = {
    attribution.UNMARKED: "It stands below a quotation whose lines have no quote mark",
    attribution.ATTRIBUTED: "It stands in what looks like the line that says whom you quote",
    attribution.BETWEEN: "It stands between the line that says whom you quote and the quotation",
    attribution.OUTDENTED: "It stands below a quotation that is only set in",
    attribution.WITHIN: "It stands below lines with a quote mark which may be the quoted letter's own",
    attribution.CHAT: "It stands below what was copied out of a chat",
    attribution.DEVICE: "It stands below the line that your device writes under letters",
}
_AGAIN = ("so it may be yours or somebody else's. Nothing was done by it. If it is yours, write it again, above all "
          "that you quote.")
_REPEATED = ("Somebody else has posted the same line, and in your answer it may be quoted. Nothing was done by it. If "
             "you mean it, write it again in a new letter.")


def own_deeds(contest: Contest, letter: Letter, author: str, text: Authored, reading: Reading) -> Reading:
    """Return *reading* without what *author* seems to repeat in an answer, which is asked about.

    So it seems where somebody else has posted the line, word for word, and eir letter has another deed of the same
    kind; or where it is the answered letter's, and *text* quotes something, but not that. Else it is eir own: two who
    both write “I vote for Gus.” do not quote each other.
    """
    if not reading.deeds or not is_reply(letter):
        return reading
    others = answered(contest, letter, but=author)
    same = [deed for deed in reading.deeds if (line := deed.text.strip()) in others
            or contest.said.get(line, author) != author]
    anew = {deed.verb for deed in reading.deeds if deed not in same}
    quoted = [line for _, line, why in text.ignored if why in ("quoted", "forwarded")]
    doubtful = [deed for deed in same if deed.verb in anew or (
        quoted and deed.text.strip() in others and not any(deed.text.strip() in line for line in quoted))]
    if not doubtful:
        return reading
    asked = tuple(_question(deed, _REPEATED) for deed in doubtful)
    kept = tuple(deed for deed in reading.deeds if deed not in doubtful)
    return replace(reading, deeds=kept, problems=(*reading.problems, *asked))


def questions(text: Authored, reading: Reading, said: Counter[str], read_as: ReadAs) -> tuple[Problem, ...]:
    """Return what the author of *text*, of which *reading* is eir own part, has to be asked about the rest.

    *said* are sentences of letters that this one answers, and how often each stands there: so often it is no question.
    Nor is what a quotation to the letter's end holds, if its author does something of the kind above it. *read_as*
    reads lines.
    """
    if not text.doubtful:
        return ()
    evidence = {number: doubt for number, _, doubt in text.doubtful}
    mine = {deed.verb for deed in reading.deeds}
    left, asked = Counter(said), []
    for deed in (deed for lines in _paragraphs(text.doubtful) for deed in read_as(lines).deeds):
        doubt = evidence.get(deed.line, attribution.UNMARKED)
        if left[deed.text.strip()] > 0:
            left[deed.text.strip()] -= 1
        elif deed.verb not in ASKED and not (doubt == attribution.UNMARKED and deed.verb in mine):
            asked.append(_question(deed, f"{_EVIDENCE[doubt]}, {_AGAIN}"))
    return tuple(asked)


def answered(contest: Contest, letter: Letter, but: str = "") -> Counter[str]:
    """Return the sentences that did something in the public letters that *letter* answers, *but* those of one author.

    What others have written in private is not known here.
    """
    found: Counter[str] = Counter()
    ids = dict.fromkeys(each for each in (letter.in_reply_to, *reversed(letter.references)) if each)
    for name in [*ids][:_MOST_ANSWERED]:
        for number in contest.by_message.get(name, ())[:2]:
            found.update(_done_by(contest, number, but))
    return found


def _done_by(contest: Contest, number: int, but: str) -> list[str]:
    """Return the public sentences of letter *number*: what it does is recorded right behind it."""
    found = []
    for entry in contest.entries[number:]:
        event = entry.event
        if isinstance(event, LetterHeard) and entry.number != number:
            break
        if isinstance(event, DeedHeard) and event.letter == number and event.channel != PRIVATE and event.who != but:
            found.append(event.text.strip())
    return found


def _paragraphs(doubtful: Sequence[tuple[int, str, str]]) -> list[list[tuple[int, str]]]:
    """Return the lines as they stand together: what is above a paragraph may be another's, and says nothing of it."""
    found: list[list[tuple[int, str]]] = []
    for number, line, _ in _ends(doubtful):
        if not found or number > found[-1][-1][0] + 1:
            found.append([])
        found[-1].append((number, line))
    return found


def _ends(doubtful: Sequence[tuple[int, str, str]]) -> Sequence[tuple[int, str, str]]:
    """Return the lines at both ends of *doubtful*: within long quotations nobody writes."""
    lengths = [len(line) for _, line, _ in doubtful]
    first = sum(total <= _MOST_READ for total in accumulate(lengths))
    last = sum(total <= _MOST_READ for total in accumulate(reversed(lengths)))
    return doubtful if first + last >= len(lengths) else (*doubtful[:first], *doubtful[len(lengths) - last:])


def _question(deed: Deed, hint: str) -> Problem:
    suggested = () if deed.verb in VERBS else (deed.says,)
    return Problem(deed.line, deed.text, "ambiguous", suggested, hint)
