"""What stands around a deed and makes it a question: a joke in the next sentence, a heading, too many deeds."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeAlias

from nomicwolf.reading.acting import only_leads
from nomicwolf.reading.correcting import cancels, corrects
from nomicwolf.reading.deeds import Deed, Ignored, Problem
from nomicwolf.reading.headings import asks_wording, begins_deed, heading_of, is_titled
from nomicwolf.reading.kinds import OPENINGS
from nomicwolf.reading.names import NameBook
from nomicwolf.reading.performing import begins_dangling
from nomicwolf.reading.preludes import only_plays
from nomicwolf.reading.sentences import Sentence
from nomicwolf.reading.telling import Told, lacks
from nomicwolf.reading.whose import LEADING, SENDING, WROTE, tells_whose
from nomicwolf.village.ballots import Endorse, For

Finding: TypeAlias = Deed | Problem | Ignored
_OPEN_ENDED = frozenset({
    "after", "because", "before", "can", "cannot", "could", "did", "do", "does", "e.g", "e.g.", "eg", "example",
    "hardly", "how", "i.e", "i.e.", "if", "instance", "may", "post", "posts", "reads", "say", "says", "send", "type",
    "write", "writes", "wrote",
    "might", "must", "never", "no", "nobody", "not", "refuse", "shall", "should", "that", "to", "unless", "until",
    "when", "whether", "why", "will", "without", "would",
})
"""Words with which no sentence ends."""
_MENTIONING = frozenset({
    "answered", "be", "called", "command", "is", "like", "posted", "replied", "said", "typed", "use", "used", "using",
    "via", "was", "with", "wrote",
})
"""Words with which one comes to words that are only mentioned."""
_FORMS = frozenset({"command", "commands", "format", "syntax", "usage"})
_PLACEHOLDER = re.compile(r"(?i:vote):? *[<\[({]?(?:NAME|PLAYER|TARGET|USER|USERNAME|SOMEONE|SOMEBODY)\b")
"""What stands for a name where voting is explained, in capitals."""
_TURNS = ("no,", "no wait", "actually, no", "actually no", "wait, no", "wait no", "scratch that", "never mind",
          "nevermind", "on second thought", "correction", "strike that", "forget that")
"""With these someone takes back what e has just said, and means it."""

_COUNTED = Told(re.compile(
    r"(?:(?:day \w+|official|unofficial|current|latest|updated|final|new),? ){0,3}"
    r"(?:vote ?count|(?:vote )?tally|(?<=current )votes|(?:vote )?standings|votes so far)"
    r"(?: (?:so far|today|day \w+|for day \w+))?:?", re.IGNORECASE), {
    "count", "standings", "tally", "votecount", "votes",
})
"""A count's heading, under which stands how others vote."""
_LONGEST = 120
_DENIES = re.compile(
    r"(?:but |and |so )?I (?:do not|don't|am not|no longer|'m not) (?:vote|voting|endorse|endorsing) (?:for )?",
    re.IGNORECASE)
_NO_MORE = re.compile(r"(?:,? (?:any ?more|any longer|after all|now|today|at all|then))?[ .!]*", re.IGNORECASE)


def considered(
    found: list[Finding], title: Sentence | None, sentence: Sentence, lines: Sequence[tuple[int, str]],
) -> list[Finding]:
    """What was *found* in *sentence*; under a heading such as "Plan:" a deed is asked about.

    *title* is the heading above it, if any, and *lines* those that are read: none is left out between the two.
    """
    if title is None or not _is_under(title, sentence) or not _unbroken(lines, title, sentence):
        return found
    return [each if not isinstance(each, Deed) else Problem(
        each.line, each.text, "ambiguous", (each.says,),
        f"It stands under “{title.written}”. If the deed is meant, send it again without that.") for each in found]


def _is_under(title: Sentence, sentence: Sentence) -> bool:
    """Whether *sentence* stands under the heading: in its paragraph, or the next if it has one for itself."""
    return sentence.paragraph - title.paragraph <= title.closes_paragraph and (
        sentence.start > title.start or sentence.paragraph > title.paragraph)


def _unbroken(lines: Sequence[tuple[int, str]], title: Sentence, sentence: Sentence) -> bool:
    """Whether no lines, such as a quotation, were left out of *lines* between *title* and *sentence*."""
    present = {number for number, _ in lines}
    return present.issuperset(range(title.line_at(0), sentence.line_at(0)))


def title_above(
    sentence: Sentence, found: Sequence[Finding], title: Sentence | None, book: NameBook,
) -> Sentence | None:
    """What stands over the sentences after *sentence*: its own heading, or the *title* above it; None for nothing.

    Under it things are only considered, or another's. What keeps the first line below a heading from being a deed (it
    was *found* to be none) keeps the others, too. A question of wording ends with the samples below it, other headings
    with their paragraph.
    """
    text = sentence.text
    own = None
    if sentence.alone and len(text) <= _LONGEST and _COUNTED.fullmatch(text):
        own = sentence
    elif text.endswith(LEADING) or text.startswith(SENDING):
        own = sentence if leads_on(text, book) else None
    elif "?" in sentence.close:
        own = sentence if asks_wording(text) else None
    elif ":" in text and (head := heading_of(sentence)) is not None:
        kept = begins_deed(text[len(head.text):]) and not any(isinstance(each, Deed) for each in found)
        own = head if kept or _COUNTED.fullmatch(head.text) or leads_on(head.text, book) else None
    if own is None and title is not None and "?" in title.close and lacks(text, OPENINGS):
        return None
    return own or title


def leads_on(text: str, book: NameBook) -> bool:
    """Whether what follows *text* is only considered, or another's: "Plan:", "Bex wrote:", "Posted for Bex"."""
    return (text.endswith(":") and is_titled(text)) or tells_whose(text, book)


def _is_unfinished(before: Sentence) -> bool:
    """Whether *before* breaks off in such a way that the next line could go on with it: "I do not", "If Bex lies"."""
    if any(mark in before.close for mark in ".!?"):
        return False
    words = before.text.casefold().split()
    last = words[-1].strip("*_\"'") if words else ""
    reported = len(words) > 1 and words[-2] in WROTE
    return reported or last in _OPEN_ENDED or last.endswith("n't") or begins_dangling(before.text)


def _mentions(before: Sentence, book: NameBook) -> bool:
    """Whether *before*, words in front of a command in marks, only mention it: "Bex said", "to vote use", "Bex:"."""
    if any(mark in before.close for mark in ".!?") or len(before.text) > _LONGEST:
        return False
    if before.text.endswith(":"):
        name = book.whole(before.text[:-1].strip())
        return before.text[:-1].casefold() in _FORMS or (name is not None and name.names != (book.people.author,))
    words = before.text.casefold().split()
    return bool(words) and words[-1] in _MENTIONING and words[0] != "my"


def going_on(
    found: list[Finding], around: Sequence[Sentence], last: list[Finding], book: NameBook,
) -> list[Finding]:
    """*found*, where a deed that could go on with the words before it is asked about, if *last* they did nothing.

    So is one that stands right behind a supposition. *around*: the sentence before it, if any is, and its own.
    """
    before = around[0]
    if len(around) == 1 or any(isinstance(each, Deed) for each in last):
        return found
    supposed = before.paragraph == around[-1].paragraph and only_plays(before.text)
    if not supposed and not _is_unfinished(before) and not (around[-1].marked and _mentions(before, book)):
        return found
    why = "and only supposes, or quotes" if supposed else "and has no end"
    return [each if not isinstance(each, Deed) else Problem(
        each.line, each.text, "ambiguous", (each.says,),
        f"“{before.written}” stands before it {why}. If the deed is meant, send it by itself.")
        for each in found]


def headed(findings: list[Finding], found: Sequence[Finding], before: Sentence) -> list[Finding]:
    """*findings* without the question about *before*, the heading "My vote:", if right below a vote was *found*."""
    asked = findings[-1] if only_leads(before.text) else None
    votes = isinstance(asked, Problem) and asked.text == before.written and any(
        isinstance(each, Deed) and each.verb in ("vote", "unvote") for each in found)
    return findings[:-1] if votes else findings


def undoing(found: Finding, last: Finding, book: NameBook) -> Finding:
    """A retraction right after a vote, that names somebody else: "vote: Gus", "unvote: Bex"; its author is asked."""
    if not (isinstance(found, Deed) and found.verb == "unvote" and isinstance(last, Deed)):
        return found
    names = book.names_in(found.text)
    if not isinstance(last.ballot, For | Endorse) or not names or last.ballot.whom in names:
        return found
    return Problem(found.line, found.text, "ambiguous", (),
                   "It would undo the vote that stands before it. A new vote replaces the old one by itself.")


def unsettled(findings: list[Finding]) -> list[Finding]:
    """*findings*, where a vote that a later sentence perhaps takes back is asked about with it."""
    asked = findings[-1] if findings else None
    if not isinstance(asked, Problem) or asked.suggestions != ("unvote",):
        return findings
    return [each if not isinstance(each, Deed) or each.verb != "vote" else Problem(
        each.line, each.text, "ambiguous", (each.says,), f"“{asked.text}” follows, and could take it back.")
        for each in findings]


def explained(findings: list[Finding]) -> list[Finding]:
    """*findings*, where a retraction beside a placeholder, "vote NAME, unvote", explains voting: it is asked about."""
    forms = {each.line for each in findings if isinstance(each, Problem) and _PLACEHOLDER.search(each.text)}
    return findings if not forms else [
        each if not isinstance(each, Deed) or each.verb != "unvote" or each.line not in forms else Problem(
            each.line, each.text, "ambiguous", (each.says,),
            "Beside it stands how to vote for whomever. If you mean it, send it by itself.")
        for each in findings]


def capped(findings: list[Finding], most: int) -> list[Finding]:
    """*findings* with everything after the first *most* deeds refused in one problem."""
    deeds = [place for place, each in enumerate(findings) if isinstance(each, Deed)]
    if len(deeds) <= most:
        return findings
    first = findings[deeds[most]]
    refused = Problem(first.line, first.text, "too long", (),
                      f"A letter may hold {most} deeds. Nothing from here on was done; send it in a letter of its own.")
    return [*findings[:deeds[most]], refused]


def taken_back(before: Finding, sentence: Sentence, found: list[Finding], book: NameBook) -> list[Finding]:
    """What is left of *before*, a deed, where *sentence* takes it back: a question; [] for all other sentences.

    So with one that names somebody else: "I meant Cam". A deed of the same verb *found* in that sentence replaces it by
    itself: "No wait, I vote for Cam"; and who leaves has left, whatever e said before. Another deed stands beside the
    question ("Actually, no: I leave."), but not after a joke ("just kidding"), which may go on.
    """
    if not isinstance(before, Deed):
        return []
    if not cancels(sentence.text) and not corrects(sentence.text, book) and not _denies(sentence.text, before, book):
        return []
    deeds = all(isinstance(each, Deed) for each in found)
    if found and deeds and all(isinstance(each, Deed) and _replaces(each, before) for each in found):
        return []
    question = Problem(before.line, before.text, "ambiguous", (before.says,),
                       f"“{sentence.written}” follows. If the deed is meant, send it again without that.")
    turns = sentence.text.casefold().lstrip(" *_\"'").startswith(_TURNS)
    return [question, *(found if deeds and turns else [])]


def only_said(
    found: list[Finding], inside: list[Sentence], alone: Callable[[Sentence], list[Finding]],
) -> list[Finding]:
    """A question about the first line *inside* of what is said that would do something *alone*: "attack Gus"."""
    if not any(isinstance(each, Deed) and each.verb in ("say", "ask") for each in found):
        return []
    deeds = [each for sentence in inside if sentence.alone for each in alone(sentence) if isinstance(each, Deed)]
    return [Problem(each.line, each.text, "ambiguous", (each.says,),
                    "It was only said, as part of what stands above it. If you mean to do it, send it by itself, or "
                    "leave an empty line before it.") for each in deeds[:1]]


def only_fenced(found: Deed) -> Problem:
    """The question about a deed that stands only in a block which may be somebody else's words (D-N50)."""
    return Problem(found.line, found.text, "quoted only", (found.says,),
                   "It stands only in a code block, or set in under a line that tells whose words it is. If the deed "
                   "is meant, send it again outside of that, or below “I act as follows:”.")


def _denies(text: str, before: Deed, book: NameBook) -> bool:
    """Whether *text* says the contrary of a vote *before* it: "I do not vote for Gus", and no reason."""
    start = _DENIES.match(text) if "not " in text or "n't " in text or " no " in text else None
    name = book.find(text, start.end()) if start and start.end() < len(text) else None
    if name is None or not isinstance(before.ballot, For | Endorse) or before.ballot.whom not in name.person.names:
        return False
    return _NO_MORE.fullmatch(text, name.end) is not None


def _replaces(deed: Deed, before: Deed) -> bool:
    pair = {deed.verb, before.verb}
    return len(pair) == 1 or pair == {"join", "leave"} or (pair == {"vote", "unvote"} and deed.verb == "unvote")
