"""The author's own new text: what is left of a letter without quotes, signatures, footers and forwarded mail.

A linear scanner over lines. Where a reader could doubt whose words a line holds, it is left out and remembered:
a quoted vote that counts is worse than a vote that has to be sent again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from nomicwolf.dataclass import dataclass
from nomicwolf.letters import attributions, marks
from nomicwolf.letters.dividers import divider, ends_forwarded
from nomicwolf.letters.header_block import header_block
from nomicwolf.letters.letter import Letter
from nomicwolf.letters.notes import notes_header

_HEARD_LENGTH = 60
_DELIMITERS = ("-- ", "--")
_HEADER = 12
"""Lines of a copied header at most."""
_RULES = ("\u2014", "\u2013", "\u2015", "\u2014\u2014", "\u2e3a")
"""Dashes that stand for ``--`` where a telephone or a word processor has made one of it."""
_SIGNED = 6
"""Lines of such a signature at most."""
_GOING_ON = re.compile(
    r"\b(?:I|me|my|mine|p\.?s|vot(?:e|es|ing)|unvote|endorse|accuse|second|guilty|innocent|object|join|leave)\b",
    re.IGNORECASE)
_CALM = ("", *_DELIMITERS)
"""What is no quote, opens none and, like prose below such a line, is taken at a glance."""


@dataclass(frozen=True, slots=True)
class Authored:
    """The author's *lines* as (number from 1, text), empty ones too, and what was *ignored* as (number, text, why).

    *why* is ``quoted``, ``signature``, ``footer``, ``forwarded``, ``html-only-copy`` or ``attachment``; the last
    two stand outside of the body and have number 0.
    """

    lines: tuple[tuple[int, str], ...]
    ignored: tuple[tuple[int, str, str], ...]


def authored(letter: Letter, heard_before: Callable[[str], bool] = lambda line: False) -> Authored:
    """Divide the body of *letter* into what its author says and what e only repeats.

    *heard_before* says of a line's text (no spaces around) whether someone else has said it in this thread. It is
    asked only in replies, and a line counts as repeated only in a run of such lines that comes to at least 60
    characters: two players who both write ``I vote for Gus.`` do not quote each other.
    """
    lines, whys = scan(letter.body)
    if not letter.body.isascii():
        _mark_dashed(lines, whys, _names_of(letter))
    if _is_reply(letter):
        _mark_heard(lines, whys, heard_before)
    own = tuple((number, line) for number, (line, why) in enumerate(zip(lines, whys, strict=True), 1) if not why)
    ignored = tuple(
        (number, line.strip(), why)
        for number, (line, why) in enumerate(zip(lines, whys, strict=True), 1)
        if why and not marks.blank(line)
    )
    return Authored(own, ignored + tuple((0, text, why) for why, text in letter.asides))


def own_text(body: str) -> str:
    """The author's lines of *body*, one under the other."""
    lines, whys = scan(body)
    return "\n".join([line for line, why in zip(lines, whys, strict=True) if not why])


def scan(body: str) -> tuple[list[str], list[str]]:
    """The lines of *body* without OpenPGP's dash escapes, and for each why it is left out ('' if it is not)."""
    lines = [line.rstrip("\r") for line in body.split("\n")] if "\r" in body else body.split("\n")
    whys = _strip_armour(lines) if "-----BEGIN PGP " in body else [""] * len(lines)
    size, place, region, calm = len(lines), 0, "", -1
    while place < size:
        if whys[place]:
            place += 1
            continue
        line = lines[place]
        if line in _CALM or (calm == place - 1 and marks.prose(line)):
            if line in _DELIMITERS:
                region = "signature"
            whys[place], calm, place = region, place, place + 1
            continue
        if line[0] == ">" and line[-1] not in ":-" and not line.startswith(">>> "):
            whys[place], place = "quoted", place + 1
            continue
        count, why, opens = _at(lines, place, region)
        if opens == "signature":
            region = "signature"
        _fill(whys, place, place + count, why or region)
        place += count
        if opens in ("quote", "paragraph"):
            after = _quote_end(lines, place, why) if opens == "quote" else _paragraph_end(lines, place)
            _fill(whys, place, after, why)
            region = "" if after < size else region
            place = after
    return lines, whys


def _at(lines: Sequence[str], place: int, region: str) -> tuple[int, str, str]:
    """What begins at *place*: (how many lines, why they are left out, what they open)."""
    line = lines[place]
    if marks.blank(line):
        return 1, "", ""
    if marks.quoted(line):
        opens = marks.framed(line) or marks.ends_attribution(lines, place) or _divided(lines, place)
        return 1, "quoted", "quote" if opens else ""
    if marks.footer(lines, place):
        return len(lines) - place, "footer", ""
    announced = _announced(lines, place)
    if announced or region:
        return announced or (1, region, "")
    if marks.signature(line):
        return 1, "signature", "signature"
    if marks.device(line):
        return 1, "signature", ""
    if marks.torn(lines, place) or attributions.says_inline(line):
        return 1, "quoted", "quote" if attributions.begins_quote(line) else ""
    return 1, "", ""


def _announced(lines: Sequence[str], place: int) -> tuple[int, str, str] | None:
    """The same, if it announces someone else's words: a divider, a copied header, an attribution."""
    divided = divider(lines[place])
    if divided:
        return 1, divided, "quote"
    headed = header_block(lines, place) or notes_header(lines, place)
    if headed:
        return headed, "quoted", "quote"
    count = attributions.attribution(lines, place)
    if count:
        return count, "quoted", "paragraph" if count == 1 and attributions.weak(lines[place]) else "quote"
    if lines[place][0] in "_-=" and _ruled(lines[place]) and _headed_alone(lines, place + 1):
        return 1, "quoted", "quote"
    return (1, "quoted", "paragraph") if attributions.stamped(lines, place) else None


def _ruled(line: str) -> bool:
    """Whether *line* is nothing but a rule."""
    return line[:3] in ("___", "---", "===") and not line.strip(marks.SPACE + "_-=")


def _divided(lines: Sequence[str], place: int) -> bool:
    """Whether the quoted line at *place* is a divider, above a quoted header and text that has no quote marks."""
    line = lines[place]
    return "--" in line and bool(divider(line.lstrip(marks.SPACE + ">"))) and _headed_alone(lines, place + 1) > 0


def _headed_alone(lines: Sequence[str], start: int) -> int:
    """Where the run of quoted lines at *start* ends, if it is an older letter's header and nothing else; 0 if not.

    Some web mailers put quote marks, or a table's bars, before the header that they copy and none before the text.
    """
    stop = start
    while stop < len(lines) and stop - start < _HEADER and marks.quoted(lines[stop]):
        stop += 1
    below = next((line for line in lines[stop:stop + _HEADER] if not marks.blank(line)), ">")
    run = [line.strip(marks.SPACE + ">|") for line in lines[start:stop]]
    if not run or marks.quoted(below):
        return 0
    headed = header_block(run, 0)
    return stop if headed and not any(run[headed:]) else 0


def _quote_end(lines: Sequence[str], start: int, why: str) -> int:
    """Where the text ends that an attribution, divider or header block just before *start* has announced.

    If the text carries quote marks they show its end; if it is set in, it ends with the indentation; otherwise
    there is no telling, and it ends with the letter (or with the closing line of forwarded text).
    """
    place = _past_headers(lines, start)
    if place >= len(lines):
        return place
    if marks.quoted(lines[place]):
        field = ":" in lines[place] or "@" in lines[place] or "\uff1a" in lines[place]
        alone = _headed_alone(lines, place) if field else 0
        if not alone:
            return place
        place = _past_headers(lines, alone)
    if marks.indented(lines[place]) and why != "forwarded":
        while place < len(lines) and (marks.blank(lines[place]) or marks.indented(lines[place])):
            place += 1
        return place
    if why == "forwarded":
        for index in range(place, len(lines)):
            if ends_forwarded(lines[index]):
                return index + 1
    return len(lines)


def _past_headers(lines: Sequence[str], place: int) -> int:
    """Past empty lines and copied headers, from *place* on; no quoted line is one of those."""
    while place < len(lines):
        headed = 1 if marks.blank(lines[place]) else 0
        if not headed and not marks.quoted(lines[place]):
            headed = header_block(lines, place)
        if not headed:
            return place
        place += headed
    return place


def _paragraph_end(lines: Sequence[str], start: int) -> int:
    """Where the next paragraph after *start* ends, if it has no quote marks that show by themselves what is quoted."""
    place = start
    while place < len(lines) and marks.blank(lines[place]):
        place += 1
    while place < len(lines) and not marks.blank(lines[place]) and not marks.quoted(lines[place]):
        place += 1
    return place


def _fill(whys: list[str], start: int, end: int, why: str) -> None:
    """Give the lines from *start* to before *end* their *why*, but keep what they have."""
    for index in range(start, min(end, len(whys))):
        whys[index] = whys[index] or why


def _strip_armour(lines: list[str]) -> list[str]:
    """Whys for OpenPGP's armour; dash escapes within signed text are undone in place (RFC 9580 7)."""
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


def _names_of(letter: Letter) -> set[str]:
    """How the sender of *letter* may sign, casefolded: by eir name, the first word of it, or what e is at eir host."""
    name, address = letter.senders[0] if len(letter.senders) == 1 else ("", "")
    local, plain = address.partition("@")[0], " ".join(name.split())
    return {each.casefold() for each in (plain, plain.partition(" ")[0], local) if each}


def _mark_dashed(lines: Sequence[str], whys: list[str], names: set[str]) -> None:
    """Mark a few lines below a dash on a line of its own as a signature, where they begin with the sender's name.

    Only as the last of what e says, with no empty line in it, and no word as if e went on: many set such dashes
    between parts of a letter.
    """
    own = [place for place, line in enumerate(lines) if not whys[place] and not marks.blank(line)]
    rule = next((place for place in own[:-_SIGNED - 2:-1] if lines[place].strip() in _RULES), None)
    if rule is None or not own or own[-1] == rule:
        return
    first, *more = (lines[place].strip() for place in range(rule + 1, own[-1] + 1))
    known = first.strip(" .,").casefold() in names and own[-1] - rule == len(own) - own.index(rule) - 1
    if known and not any(_GOING_ON.search(line) for line in more):
        _fill(whys, rule, own[-1] + 1, "signature")


def _is_reply(letter: Letter) -> bool:
    """Whether *letter* answers another one, by its headers."""
    return bool(letter.in_reply_to or letter.references) or letter.subject[:3].lower() == "re:"


def _mark_heard(lines: Sequence[str], whys: list[str], heard_before: Callable[[str], bool]) -> None:
    """Leave out the runs of lines, empty ones between, that someone else has said before in the thread."""
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
            _fill(whys, run[0], run[-1] + 1, "quoted")
        run, length = [], 0
