"""Attribution of each line, and the author's text.

A linear scanner over lines. Marks, copied headers and attributions show somebody else's words. Where a reader could
doubt whose words a line holds, it is left out and remembered with the evidence: a quoted vote that counts is worse than
a vote that has to be sent again, and its author is asked about it.

A reader may look at a sentence as often as it has words, so a sentence without end would take forever. What is longer
than anyone writes is left out. If it seems to say what its author does, the whole letter waits for a ruling: a vote
must not count without the rest of what was said.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import TypeAlias

from nomicwolf.letters import quote_headers, quote_marks
from nomicwolf.letters.letter import Letter
from nomicwolf.letters.quote_headers import header_block, notes_header
from nomicwolf.letters.quote_marks import divider, ends_forwarded

Lines = tuple[tuple[int, str], ...]
LONGEST, WORDS, CLAUSES, SENTENCES, ABOUT = 1000, 250, 80, 3000, 200
"""Characters, words and clauses of one sentence; sentences of one letter, and those of them that speak of votes."""
_END = re.compile(r"""(?<![.!?\u2026])[.!?\u2026]++["')\]*_\u201d\u2019]*+(?=\s|$)""")
_CLAUSE = re.compile(r"[,;:()\u2014\u2013]|\b(?:and|or|but|because|if|unless|that|who|which|then|otherwise|else)\b")
_OWN_WORDS = re.compile(r"\b(?:I|me|my|mine|vot\w*|unvote\w*|lynch\w*)\b", re.IGNORECASE)
_VOTES = re.compile(r"\b(?:vot\w*|unvote\w*|lynch\w*)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Bounded:
    """The *lines* that are left, and *why* all of them must wait ('' if they needn't)."""

    lines: Lines
    why: str = ""


@dataclass(slots=True)
class _Sentence:
    """A sentence under construction; *pieces* are (place of the line, start, end)."""

    pieces: list[tuple[int, int, int]]
    size: int = 0

    def add(self, place: int, start: int, end: int) -> None:
        """Add a piece of a line."""
        self.pieces.append((place, start, end))
        self.size += end - start + 1


def bounded(lines: Lines) -> Bounded:
    """Return *lines* (number from 1, text) without the sentences that are longer than anyone writes."""
    if sum([len(line) + 1 for _, line in lines]) <= LONGEST:
        return Bounded(lines)
    sentences = _sentences(lines)
    over = [each for each in sentences if _too_long(_text(lines, each), each.size)]
    about = sum(_VOTES.search(_text(lines, each)) is not None for each in sentences if each.size <= LONGEST)
    why = f"it speaks of votes in more than {ABOUT} sentences" if about > ABOUT else ""
    why = f"it has more than {SENTENCES} sentences" if len(sentences) > SENTENCES else why
    if not over:
        return Bounded(lines, why)
    if any(_OWN_WORDS.search(_text(lines, each)) for each in over):
        why = f"a sentence of it has more than {LONGEST} characters, {WORDS} words or {CLAUSES} clauses"
    left = [list(line) for _, line in lines]
    for sentence in over:
        for place, start, end in sentence.pieces:
            left[place][start:end] = " " * (end - start)
    return Bounded(tuple((number, "".join(chars).rstrip()) for (number, _), chars in zip(lines, left, strict=True)),
                   why)


def _sentences(lines: Lines) -> list[_Sentence]:
    """Split *lines* at full stops and empty lines."""
    found = [_Sentence([])]
    for place, (_, line) in enumerate(lines):
        start = 0
        for end in [each.end() for each in _END.finditer(line)]:
            found[-1].add(place, start, end)
            found.append(_Sentence([]))
            start = end
        if line[start:].strip():
            found[-1].add(place, start, len(line))
        elif not line.strip() and found[-1].pieces:
            found.append(_Sentence([]))
    return found


def _text(lines: Lines, sentence: _Sentence) -> str:
    return " ".join([lines[place][1][start:end] for place, start, end in sentence.pieces])


def _too_long(text: str, size: int) -> bool:
    """Return whether a sentence has more characters, words or clauses than anyone writes."""
    return size > LONGEST or text.count(" ") >= WORDS or len(_CLAUSE.findall(text)) > CLAUSES


UNMARKED = "unmarked"
"""Below what announces a quotation, with no mark on it: it may go on to the end of the letter."""
ATTRIBUTED = "attributed"
"""What reads on as an attribution, over a full stop which may be an abbreviation's."""
BETWEEN = "between"
"""Below what announces a quotation, and above the lines that are marked as one."""
OUTDENTED = "outdented"
"""Below a quotation that is set in: it may go on, for a quoted letter's first line may have been set in alone."""
WITHIN = "within"
"""Below quote marks that the quoted letter may have had itself."""
CHAT = "chat"
"""Below the first paragraph that was copied out of a chat."""
DEVICE = "device"
"""Below what a telephone writes under letters: an unmarked quotation, or more of the author's."""
_HEADER = 12
"""Lines of a copied header at most."""
_RUN = 60
"""So many of the lines with quote marks are looked at."""
_DELIMITERS = ("-- ", "--")
_CALM = ("", *_DELIMITERS)
"""What is no quote, opens none and, like prose below such a line, is taken at a glance."""
_Region: TypeAlias = tuple[str, str]
"""Why lines are left out until something else begins, and what doubt there is about them; two '' for the author's."""
_OWN: _Region = ("", "")


@dataclass(slots=True)
class Scanned:
    """The *lines* of a text without dash escapes, and in *whys* why each is left out, '' for the author's.

    *doubts* has the evidence (``unmarked``, ``between`` and so on, above) by the places of those
    lines that may be the author's own all the same.
    """

    lines: list[str]
    whys: list[str]
    doubts: dict[int, str] = field(default_factory=dict)

    def fill(self, start: int, end: int, why: str, doubt: str = "") -> None:
        """Set *why* for the lines from *start* to before *end* that have none yet.

        There is no doubt about lines with a quote mark, nor about what can't be seen.
        """
        for place in range(start, min(end, len(self.whys))):
            if not self.whys[place]:
                self.whys[place] = why
                if doubt and not quote_marks.blank(self.lines[place]) and not quote_marks.quoted(self.lines[place]):
                    self.doubts[place] = doubt


def scan(body: str) -> Scanned:
    """Attribute each line of *body*.

    Quote marks right below a telephone's line show that its mailer sets some: then what has none is the author's.
    """
    lines = [line.rstrip("\r") for line in body.split("\n")] if "\r" in body else body.split("\n")
    whys = _strip_armour(lines) if "-----BEGIN PGP " in body else [""] * len(lines)
    found, size, place, region, calm = Scanned(lines, whys), len(lines), 0, _OWN, -1
    while place < size:
        if whys[place]:
            place += 1
            continue
        line = lines[place]
        if line in _CALM or (calm == place - 1 and quote_marks.prose(line)):
            if line in _DELIMITERS and region == _OWN:
                region = ("signature", "")
            found.fill(place, place + 1, *region)
            calm, place = place, place + 1
            continue
        if line[0] == ">" and line[-1] not in ":-" and not line.startswith(">>> "):
            whys[place], place = "quoted", place + 1
            region = _OWN if region[1] == DEVICE and not found.doubts else region
            continue
        count, why, opens = _begins_at(lines, place, region)
        doubt = ATTRIBUTED if count > 1 and line.rstrip(quote_marks.SPACE).endswith(".") else ""
        found.fill(place, place + count, *((why, doubt) if why else region))
        place += count
        if opens in ("signature", "device"):
            region = region if region[1] else ("signature", DEVICE if opens == "device" else "")
        elif opens:
            place, region = _quotation(found, place, why, opens, region)
        elif region[1] == DEVICE and why == "quoted" and not found.doubts:
            region = _OWN
    return found


def _quotation(found: Scanned, start: int, why: str, opens: str, region: _Region) -> tuple[int, _Region]:
    """Attribute what the line above *start* announced; return its end and the region below.

    Below a quotation there is no signature any more, but a doubt lasts.
    """
    if opens in ("quote", "attributed"):
        after, doubt = _quote(found, start, why, attributed=opens == "attributed")
    else:
        after, doubt = _paragraph_end(found.lines, start), CHAT if opens == "chat" else ""
        found.fill(start, after, why, region[1] if region[1] != DEVICE else "")
    if doubt:
        return after, (why, doubt)
    return after, _OWN if after < len(found.lines) and region[0] == "signature" else region


def _quote(found: Scanned, start: int, why: str, *, attributed: bool) -> tuple[int, str]:
    """Attribute the text after an attribution, divider or header block; return its end and the doubt below.

    Return where it ends, and the doubt about what is below. If the text carries quote marks they show its end, and
    forwarded text may have a closing line. If it begins set in, it may end with the indentation, or not; else there
    is no telling at all, and it is in doubt to the end of the letter.
    """
    lines, size = found.lines, len(found.lines)
    place = _past_headers(lines, start)
    set_in = _set_in(lines, place) if why != "forwarded" else place
    if set_in > place:
        found.fill(start, set_in, why)
        return set_in, OUTDENTED
    if place < size and quote_marks.quoted(lines[place]):
        labelled = any(sign in lines[place] for sign in ":@\uff1a")
        alone = _headed_alone(lines, place) if labelled else 0
        if not alone:
            found.fill(start, place, why)
            attributed = attributed or any(quote_headers.says_who(line) for line in lines[start:place])
            return place, "" if _marked_by_mailer(lines, place, attributed=attributed) else WITHIN
        place = _past_headers(lines, alone)
    found.fill(start, place, why)
    if why == "forwarded":
        for index in range(place, size):
            if ends_forwarded(lines[index]):
                found.fill(place, index + 1, why)
                return index + 1, ""
    marked = next((index for index in range(place, size) if quote_marks.quoted(lines[index])), place)
    found.fill(place, marked, why, BETWEEN)
    found.fill(marked, size, why, UNMARKED)
    return size, ""


def _set_in(lines: Sequence[str], start: int) -> int:
    """Return the end of the indented text at *start*; *start* if there is none, or all of it is marked."""
    place, bare = start, False
    while place < len(lines) and (quote_marks.blank(lines[place]) or quote_marks.indented(lines[place])):
        bare = bare or not (quote_marks.blank(lines[place]) or quote_marks.quoted(lines[place]))
        place += 1
    return place if bare else start


def _marked_by_mailer(lines: Sequence[str], start: int, *, attributed: bool) -> bool:
    """Return whether the quote marks from *start* are the replying mailer's.

    Mailers that copy a header, and say in no line who wrote, put none, so there they are the quoted letter's own. So
    they are where each line is a quotation's quotation. Marks before a copied header are a mailer's.
    """
    seen = (line for line in lines[start:start + _RUN] if not quote_marks.blank(line))
    run = list(takewhile(quote_marks.quoted, seen))
    if not attributed and not (run and ":" in run[0] and "@" in run[0]):
        return False
    return any(quote_marks.depth(line) == 1 for line in run)


def _begins_at(lines: Sequence[str], place: int, region: _Region) -> tuple[int, str, str]:
    """Return what begins at *place*: (number of lines, why they are left out, what they open)."""
    line = lines[place]
    if quote_marks.blank(line):
        return 1, "", ""
    if quote_marks.quoted(line):
        if quote_marks.ends_attribution(lines, place):
            return 1, "quoted", "attributed"
        return 1, "quoted", "quote" if quote_marks.framed(line) or _divided(lines, place) else ""
    if quote_marks.footer(lines, place):
        return len(lines) - place, "footer", ""
    announced = _announced(lines, place)
    if announced or (region != _OWN and region[1] != DEVICE):
        return announced or (1, "", "")
    if quote_marks.signature(line):
        return 1, "signature", "signature"
    if quote_marks.device(line):
        return 1, "signature", "device"
    if quote_marks.torn(lines, place) or quote_headers.says_inline(line):
        return 1, "quoted", "attributed" if quote_headers.begins_quote(line) else ""
    return 1, "", ""


def _announced(lines: Sequence[str], place: int) -> tuple[int, str, str] | None:
    """Return the same for a divider, a copied header or an attribution; None for anything else."""
    divided = divider(lines[place])
    if divided:
        return 1, divided, "quote"
    headed = header_block(lines, place) or notes_header(lines, place)
    if headed:
        return headed, "quoted", "quote"
    count = quote_headers.attribution(lines, place)
    if count:
        return count, "quoted", "paragraph" if count == 1 and quote_headers.weak(lines[place]) else "attributed"
    if lines[place][0] in "_-=" and _ruled(lines[place]) and _headed_alone(lines, place + 1):
        return 1, "quoted", "quote"
    return (1, "quoted", "chat") if quote_headers.stamped(lines, place) else None


def _ruled(line: str) -> bool:
    """Return whether *line* is only a rule."""
    return line[:3] in ("___", "---", "===") and not line.strip(quote_marks.SPACE + "_-=")


def _divided(lines: Sequence[str], place: int) -> bool:
    """Return whether the quoted line at *place* is a divider above a quoted header and unmarked text."""
    line = lines[place]
    return "--" in line and bool(divider(line.lstrip(quote_marks.SPACE + ">"))) and _headed_alone(lines, place + 1) > 0


def _headed_alone(lines: Sequence[str], start: int) -> int:
    """Return the end of the quoted lines at *start* if they are only an older letter's header; else 0.

    Some web mailers put quote marks, or a table's bars, before the header that they copy and none before the text.
    """
    stop = start
    while stop < len(lines) and stop - start < _HEADER and quote_marks.quoted(lines[stop]):
        stop += 1
    below = next((line for line in lines[stop:stop + _HEADER] if not quote_marks.blank(line)), ">")
    run = [line.strip(quote_marks.SPACE + ">|") for line in lines[start:stop]]
    if not run or quote_marks.quoted(below):
        return 0
    headed = header_block(run, 0)
    return stop if headed and not any(run[headed:]) else 0


def _past_headers(lines: Sequence[str], place: int) -> int:
    """Skip empty lines, copied headers and attributions from *place*."""
    while place < len(lines):
        headed = 1 if quote_marks.blank(lines[place]) else 0
        if not headed and not quote_marks.quoted(lines[place]):
            headed = header_block(lines, place) or quote_headers.attribution(lines, place)
        if not headed:
            return place
        place += headed
    return place


def _paragraph_end(lines: Sequence[str], start: int) -> int:
    """Return the end of the next paragraph after *start*, unless it has quote marks itself."""
    place = start
    while place < len(lines) and quote_marks.blank(lines[place]):
        place += 1
    while place < len(lines) and not quote_marks.blank(lines[place]) and not quote_marks.quoted(lines[place]):
        place += 1
    return place


def _strip_armour(lines: list[str]) -> list[str]:
    """Mark OpenPGP's armour and undo dash escapes in signed text in place (RFC 9580 7)."""
    whys = [""] * len(lines)
    state = ""
    for index, line in enumerate(lines):
        mark = line.rstrip()
        if mark == "-----BEGIN PGP SIGNED MESSAGE-----" and not state:
            state, whys[index] = "hash", "signature"
        elif state == "hash":
            whys[index] = "signature"
            state = "" if mark and not mark.startswith(("Hash:", "NotDashEscaped:", "Charset:")) else state
            state = "signed" if not mark else state
        elif mark == "-----BEGIN PGP SIGNATURE-----" and state in ("", "signed"):
            state, whys[index] = "armour", "signature"
        elif mark.startswith("-----BEGIN PGP ") and mark.endswith("-----") and not state:
            state, whys[index] = "block", "attachment"
        elif state in ("armour", "block"):
            whys[index] = "signature" if state == "armour" else "attachment"
            state = "" if mark.startswith("-----END PGP ") else state
        elif state == "signed" and line.startswith("- "):
            lines[index] = line[2:]
    return whys


_HEARD_LENGTH = 60
_RULES = ("\u2014", "\u2013", "\u2015", "\u2014\u2014", "\u2e3a")
"""Dashes that stand for ``--`` where a telephone or a word processor has made one of it."""
_STRANGERS = 4096
_SIGNED = 6
"""Lines of such a signature at most."""
_GOING_ON = re.compile(
    r"\b(?:I|me|my|mine|p\.?s|vot(?:e|es|ing)|unvote|endorse|accuse|second|guilty|innocent|object|join|leave)\b",
    re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Authored:
    """The author's *lines* as (number from 1, text), empty ones too, and what was *ignored* as (number, text, why).

    *why* is ``quoted``, ``signature``, ``footer``, ``forwarded``, ``html-only-copy`` or ``attachment``; the last
    two are outside of the body and have number 0. *doubtful* are those ignored lines that may be the author's own
    all the same, as (number, text, evidence); the evidence is one of those above. *too_long*
    is empty, or says why the letter must be held: it has more than is read (see `bounded`).
    """

    lines: tuple[tuple[int, str], ...]
    ignored: tuple[tuple[int, str, str], ...]
    doubtful: tuple[tuple[int, str, str], ...] = ()
    too_long: str = ""


def beginning(letter: Letter) -> Authored:
    """Return the author's own text in the first 4,096 characters of *letter*: more of a stranger's nobody looks at."""
    if len(letter.body) <= _STRANGERS:
        return authored(letter)
    first = letter.body[:_STRANGERS]
    return authored(replace(letter, body=first.rpartition("\n")[0] or first, asides=()))


def authored(letter: Letter, heard_before: Callable[[str], bool] = lambda line: False) -> Authored:
    """Split the body of *letter* into the author's text and what they only repeat.

    *heard_before* says of a line's text (no spaces around) whether someone else has said it in this thread. It is
    asked only in replies, and a line counts as repeated only in a run of such lines that comes to at least 60
    characters: two players who both write ``I vote for Gus.`` do not quote each other.
    """
    found = scan(letter.body)
    if not letter.body.isascii():
        _mark_dashed(found, _names_of(letter))
    if is_reply(letter):
        _mark_heard(found, heard_before)
    judged = list(enumerate(zip(found.lines, found.whys, strict=True), 1))
    ignored = tuple(
        (number, line.strip(), why) for number, (line, why) in judged if why and not quote_marks.blank(line))
    own = bounded(tuple((number, line) for number, (line, why) in judged if not why))
    doubts = bounded(tuple((place + 1, found.lines[place].strip()) for place in found.doubts))
    return Authored(
        own.lines, ignored + tuple((0, text, why) for why, text in letter.asides),
        tuple((number, line, found.doubts[number - 1]) for number, line in doubts.lines), own.why or doubts.why)


def own_text(body: str, *, signed: bool = False) -> str:
    """Return the author's lines of *body*, joined by line ends; with *signed*, the signature's, too."""
    found, own = scan(body), {"", "signature"} if signed else {""}
    return "\n".join([line for line, why in zip(found.lines, found.whys, strict=True) if why in own])


def own_words(letter: Letter) -> Iterator[str]:
    """Yield what *letter* says in its author's own words; the subject of an answer is another's."""
    yield own_text(letter.body, signed=True)
    yield from (line for _, line in letter.asides)
    if not letter.in_reply_to:
        yield letter.subject


def _names_of(letter: Letter) -> set[str]:
    """Return how the sender of *letter* may sign, casefolded: name, first name, or local part."""
    name, address = letter.senders[0] if len(letter.senders) == 1 else ("", "")
    local, plain = address.partition("@")[0], " ".join(name.split())
    return {each.casefold() for each in (plain, plain.partition(" ")[0], local) if each}


def _mark_dashed(found: Scanned, names: set[str]) -> None:
    """Mark a few lines below a dash on a line of its own as a signature, where they begin with the sender's name.

    Only as the last of what they say, with no empty line in it, and no word as if they went on: many set such dashes
    between parts of a letter.
    """
    lines, whys = found.lines, found.whys
    own = [place for place, line in enumerate(lines) if not whys[place] and not quote_marks.blank(line)]
    rule = next((place for place in own[:-_SIGNED - 2:-1] if lines[place].strip() in _RULES), None)
    if rule is None or not own or own[-1] == rule:
        return
    first, *more = (lines[place].strip() for place in range(rule + 1, own[-1] + 1))
    known = first.strip(" .,").casefold() in names and own[-1] - rule == len(own) - own.index(rule) - 1
    if known and not any(_GOING_ON.search(line) for line in more):
        found.fill(rule, own[-1] + 1, "signature")


def is_reply(letter: Letter) -> bool:
    """Return whether *letter* answers another one, by its headers."""
    return bool(letter.in_reply_to or letter.references) or letter.subject[:3].lower() == "re:"


def _mark_heard(found: Scanned, heard_before: Callable[[str], bool]) -> None:
    """Leave out runs of lines that someone else has said before in the thread."""
    lines, whys = found.lines, found.whys
    run: list[int] = []
    length = 0
    for index in range(len(lines) + 1):
        line = lines[index].strip() if index < len(lines) else ""
        if index < len(lines) and not whys[index] and not line:
            continue
        if index < len(lines) and not whys[index] and heard_before(line):
            run.append(index)
            length += len(line)
            continue
        if length >= _HEARD_LENGTH:
            found.fill(run[0], run[-1] + 1, "quoted")
        run, length = [], 0
