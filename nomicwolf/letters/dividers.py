"""Lines that announce an older letter by themselves: ``-----Original Message-----``, an mbox's ``From ``."""

from __future__ import annotations

import re

from nomicwolf.letters import tongues
from nomicwolf.letters.marks import DASHES, DECORATION, LONGEST, SPACE, foreign

_POSTMARK = re.compile(
    r">?From \S+ +[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d(?::\d\d)? .{0,9}\d{4}.{0,6}", re.ASCII)


def divider(line: str) -> str:
    """``forwarded``, ``quoted`` or '' as *line* announces an older letter (``-----Original Message-----``).

    So does an mbox's ``From `` line (RFC 4155).
    """
    text = line.strip(SPACE).replace("&nbsp;", " ") if "&nbsp;" in line else line.strip(SPACE)
    if len(text) > 160:
        return _divided_within(text[:LONGEST])
    core = text.strip(DECORATION).rstrip(" :：").lower()
    if not core:
        return ""
    if _POSTMARK.fullmatch(text):
        return "forwarded"
    dashed = len(text) > 2 and not text.lstrip("*")[:2].strip(DASHES)
    framed = dashed and not text.rstrip("*")[-2:].strip(DASHES)
    announced = text.rstrip("*").endswith((":", "："))
    if (framed and core.startswith(tongues.FORWARDED)) or ((dashed or announced) and core in tongues.FORWARDED):
        return "forwarded"
    original = (framed and core.startswith(tongues.ORIGINAL)) or (dashed and core in tongues.ORIGINAL)
    unread = framed and ("@" in core or core == "original" or foreign(core))
    if core[:1] == "[" and core.lstrip("[ ").startswith("forwarded from "):  # Telegram
        return "forwarded"
    if original or unread or core.lstrip("[").startswith(tongues.PROCESSED):
        return "quoted"
    return _divided_within(text)


def _divided_within(text: str) -> str:
    """The same for a line with a divider in it and more around that, as a flattened letter has it."""
    for piece in text.split("----")[1:-1] if "----" in text else ():
        core = piece.strip(DECORATION).lower()
        if core in tongues.FORWARDED:
            return "forwarded"
        if core in tongues.ORIGINAL:
            return "quoted"
    return ""


def ends_forwarded(line: str) -> bool:
    """Whether *line* closes forwarded text, as mutt does."""
    text = line.strip(SPACE)
    return text.startswith("--") and text.strip(DECORATION).lower().startswith(tongues.END_FORWARDED)
