"""Whose words each line of a letter's text is: its author's own, somebody else's, or either's.

A linear scanner over lines. Marks, copied headers and attributions show somebody else's words; where nothing shows
where those end, what follows is in doubt, and the evidence is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import TypeAlias

from nomicwolf.letters import attributions, marks
from nomicwolf.letters.dividers import divider, ends_forwarded
from nomicwolf.letters.header_block import header_block
from nomicwolf.letters.notes import notes_header

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
    """The *lines* of a text without OpenPGP's dash escapes, and for each in *whys* why it is left out ('' if it isn't).

    *doubts* has the evidence (``unmarked``, ``between`` and so on, above) by the places of those
    lines that may be the author's own all the same.
    """

    lines: list[str]
    whys: list[str]
    doubts: dict[int, str] = field(default_factory=dict)

    def fill(self, start: int, end: int, why: str, doubt: str = "") -> None:
        """Give the lines from *start* to before *end* their *why*, but keep what they have.

        There is no doubt about lines with a quote mark, nor about what can't be seen.
        """
        for place in range(start, min(end, len(self.whys))):
            if not self.whys[place]:
                self.whys[place] = why
                if doubt and not marks.blank(self.lines[place]) and not marks.quoted(self.lines[place]):
                    self.doubts[place] = doubt


def scan(body: str) -> Scanned:
    """Return whose words each line of *body* is.

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
        if line in _CALM or (calm == place - 1 and marks.prose(line)):
            if line in _DELIMITERS and region == _OWN:
                region = ("signature", "")
            found.fill(place, place + 1, *region)
            calm, place = place, place + 1
            continue
        if line[0] == ">" and line[-1] not in ":-" and not line.startswith(">>> "):
            whys[place], place = "quoted", place + 1
            region = _OWN if region[1] == DEVICE and not found.doubts else region
            continue
        count, why, opens = _at(lines, place, region)
        doubt = ATTRIBUTED if count > 1 and attributions.abbreviated(lines, place, count) else ""
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
    """Take in what was announced just above *start*, in *region*; return where it ends, and what is below it.

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
    """Take in the text that an attribution (*attributed*), divider or header block just before *start* has announced.

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
    if place < size and marks.quoted(lines[place]):
        labelled = any(sign in lines[place] for sign in ":@\uff1a")
        alone = _headed_alone(lines, place) if labelled else 0
        if not alone:
            found.fill(start, place, why)
            attributed = attributed or any(attributions.says_who(line) for line in lines[start:place])
            return place, "" if _marked_by_mailer(lines, place, attributed=attributed) else WITHIN
        place = _past_headers(lines, alone)
    found.fill(start, place, why)
    if why == "forwarded":
        for index in range(place, size):
            if ends_forwarded(lines[index]):
                found.fill(place, index + 1, why)
                return index + 1, ""
    marked = next((index for index in range(place, size) if marks.quoted(lines[index])), place)
    found.fill(place, marked, why, BETWEEN)
    found.fill(marked, size, why, UNMARKED)
    return size, ""


def _set_in(lines: Sequence[str], start: int) -> int:
    """Where the text ends that begins set in at *start*; *start* if it doesn't, or has quote marks on all its lines."""
    place, bare = start, False
    while place < len(lines) and (marks.blank(lines[place]) or marks.indented(lines[place])):
        bare = bare or not (marks.blank(lines[place]) or marks.quoted(lines[place]))
        place += 1
    return place if bare else start


def _marked_by_mailer(lines: Sequence[str], start: int, *, attributed: bool) -> bool:
    """Whether the quote marks from *start* on are those of who answers.

    Mailers that copy a header, and say in no line who wrote, put none, so there they are the quoted letter's own. So
    they are where each line is a quotation's quotation. Marks before a copied header are a mailer's.
    """
    run = list(takewhile(marks.quoted, (line for line in lines[start:start + _RUN] if not marks.blank(line))))
    if not attributed and not (run and ":" in run[0] and "@" in run[0]):
        return False
    return any(marks.depth(line) == 1 for line in run)


def _at(lines: Sequence[str], place: int, region: _Region) -> tuple[int, str, str]:
    """What begins at *place*: (how many lines, why they are left out, what they open)."""
    line = lines[place]
    if marks.blank(line):
        return 1, "", ""
    if marks.quoted(line):
        if marks.ends_attribution(lines, place):
            return 1, "quoted", "attributed"
        return 1, "quoted", "quote" if marks.framed(line) or _divided(lines, place) else ""
    if marks.footer(lines, place):
        return len(lines) - place, "footer", ""
    announced = _announced(lines, place)
    if announced or (region != _OWN and region[1] != DEVICE):
        return announced or (1, "", "")
    if marks.signature(line):
        return 1, "signature", "signature"
    if marks.device(line):
        return 1, "signature", "device"
    if marks.torn(lines, place) or attributions.says_inline(line):
        return 1, "quoted", "attributed" if attributions.begins_quote(line) else ""
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
        return count, "quoted", "paragraph" if count == 1 and attributions.weak(lines[place]) else "attributed"
    if lines[place][0] in "_-=" and _ruled(lines[place]) and _headed_alone(lines, place + 1):
        return 1, "quoted", "quote"
    return (1, "quoted", "chat") if attributions.stamped(lines, place) else None


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


def _past_headers(lines: Sequence[str], place: int) -> int:
    """Past empty lines, copied headers and attributions, from *place* on; no quoted line is one of those."""
    while place < len(lines):
        headed = 1 if marks.blank(lines[place]) else 0
        if not headed and not marks.quoted(lines[place]):
            headed = header_block(lines, place) or attributions.attribution(lines, place)
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
