"""What a contest's ledger is asked, made once; each question has the contest as *of*."""

from __future__ import annotations

from sqlalchemy import and_, bindparam, func, select

from nomicwolf.ledger.tables import CONTESTS, ENTRIES, HAPPENINGS, LETTERS, MARKS, ORIGINALS, OUTBOX

KNOWN_PLACES = select(LETTERS.c.place).where(
    LETTERS.c.contest == bindparam("of"), LETTERS.c.place.in_(bindparam("places", expanding=True)))
KEPT_LETTERS = select(LETTERS, ORIGINALS.c.data).join(ORIGINALS).where(LETTERS.c.contest == bindparam("of"))
NAMESAKES = select(LETTERS.c.message_id, LETTERS.c.letter).where(
    LETTERS.c.contest == bindparam("of"), LETTERS.c.message_id.in_(bindparam("ids", expanding=True)))
HEAD = select(ENTRIES.c.head).where(ENTRIES.c.contest == bindparam("of"), ENTRIES.c.number == bindparam("number"))
ENDS = select(
    select(func.count()).where(HAPPENINGS.c.contest == bindparam("of")).scalar_subquery().label("happened"),
    select(func.max(ENTRIES.c.number)).where(ENTRIES.c.contest == bindparam("of")).scalar_subquery().label("last"))
STANDING = select(CONTESTS).where(CONTESTS.c.contest == bindparam("of"))
ALL_MARKS = select(MARKS.c.source, MARKS.c.validity, MARKS.c.last).where(MARKS.c.contest == bindparam("of"))
_EARLIER = HAPPENINGS.alias("earlier")
_BEFORE = select(_EARLIER.c.number).where(
    _EARLIER.c.contest == bindparam("of"), _EARLIER.c.owed < bindparam("owed")
).order_by(_EARLIER.c.number.desc()).limit(1).scalar_subquery()
HEAD_WHEN_OWED = select(ENTRIES.c.head).join(HAPPENINGS, and_(
    HAPPENINGS.c.contest == ENTRIES.c.contest, HAPPENINGS.c.last == ENTRIES.c.number
)).where(HAPPENINGS.c.contest == bindparam("of"), HAPPENINGS.c.number > func.coalesce(_BEFORE, 0)
).order_by(HAPPENINGS.c.number).limit(1)
"""The head when a letter became owed, which is looked for from the latest on: it is sent soon after."""
_OF_CONTEST = tuple(
    select(bindparam(None, column.name), bindparam(None, ""), column).where(CONTESTS.c.contest == bindparam("of"))
    for column in (CONTESTS.c.received, CONTESTS.c.owed))
_OF_LETTERS = tuple(
    select(bindparam(None, column.name), column, func.count()).where(
        column.table.c.contest == bindparam("of")).group_by(column) for column in (LETTERS.c.bucket, OUTBOX.c.state))
COUNTS = _OF_CONTEST[0].union_all(_OF_CONTEST[1], *_OF_LETTERS)
"""How many letters came and are owed, and how many are in each bucket and state: (what, name, count)."""
