"""Names that stand above another's words: ``Bex:`` over a gap, and what chat programs put there (``Bex 9:00 AM``)."""

from __future__ import annotations

import re

from nomicwolf.reading.names import NameBook

Line = tuple[int, str]
_LONGEST = 80
_TIME = (
    r"(?:(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|today|yesterday),? (?:at )?)?"
    r"(?:\d{1,4}[./-]\d\d?[./-]\d{2,4},? )?\d\d?:\d\d(?::\d\d)?(?: ?[ap]m)?")
_STAMP = re.compile(
    rf"(?P<name>[^\[(:]{{1,40}}?)[ ,\u2013\u2014|-]+[\[(]?{_TIME}[\])]?:?|[\[(]{_TIME}[\])] *(?P<after>[^:]{{1,40}}):?",
    re.IGNORECASE)
"""Who and when: "Bex  9:00 AM", "Bex [9:00 AM]", "[Monday 9:00 AM] Bex"."""
_ONLY_TIME = re.compile(rf"[\[(]?{_TIME}[\])]?", re.IGNORECASE)
_CLOCK = re.compile(r":\d\d")


def without_headed(lines: list[Line], book: NameBook, whole: str) -> tuple[list[Line], list[Line]]:
    """(*lines* without another's name and the paragraph below, that paragraph's lines); *whole*: the lines' text.

    A name with a colon over a gap is a greeting where the letter begins with it and no other such name follows.
    """
    if ":\n\n" not in whole and not _CLOCK.search(whole):
        return lines, []
    heads = [place for place in range(len(lines)) if _is_called(lines, place, book) or _is_stamped(lines, place, book)]
    called = [place for place in heads if _is_called(lines, place, book)]
    first = next((place for place, (_, line) in enumerate(lines) if line.strip()), 0)
    if called == [first]:
        heads.remove(first)
    others: set[int] = set()
    plates: set[int] = set()
    for head in heads:
        place = head + 1 + (not _is_stamped(lines, head, book, at_once=True) and head not in called)
        plates.update(range(head, place))
        while place < len(lines) and not lines[place][1].strip():
            place += 1
        while place < len(lines) and lines[place][1].strip() and place not in heads:
            others.add(place)
            place += 1
    return ([line for place, line in enumerate(lines) if place not in others | plates],
            [line for place, line in enumerate(lines) if place in others])


def _is_called(lines: list[Line], place: int, book: NameBook) -> bool:
    """Whether the line at *place* is another's name and a colon, over a gap."""
    text = lines[place][1].strip(" \t*_#@>")
    if not text.endswith(":") or len(text) > _LONGEST or place + 1 >= len(lines) or lines[place + 1][1].strip():
        return False
    return _is_another(text[:-1], book)


def _is_stamped(lines: list[Line], place: int, book: NameBook, *, at_once: bool = False) -> bool:
    """Whether another's name and a time stand on the line at *place*, or on two lines unless *at_once*."""
    text = lines[place][1].strip()
    if not text or len(text) > _LONGEST:
        return False
    found = _STAMP.fullmatch(text) if _CLOCK.search(text) else None
    if found is not None:
        return _is_another(found["name"] or found["after"], book)
    below = lines[place + 1][1].strip() if place + 1 < len(lines) and not at_once else ""
    timed = bool(below) and len(below) <= _LONGEST and _ONLY_TIME.fullmatch(below) is not None
    return timed and _is_another(text, book)


def _is_another(name: str, book: NameBook) -> bool:
    person = book.whole(name.strip(" \t*_#@>"))
    return person is not None and person.names != (book.people.author,)
