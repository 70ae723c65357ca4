"""The page on rehearsals tells every key of their files, and none that there isn't."""

import re

import pytest

from nomicwolf.rehearsal.script import GIVEN, STEP, THEN, TOP
from tests.docs.pages import table


@pytest.mark.parametrize(
    ("heading", "keys"),
    [("## The file", TOP), ("## How things stand: `given`", GIVEN), ("## What happens: `when`", STEP),
     ("## What must be so: `then`", THEN)],
)
def test_every_key_is_told(heading: str, keys: tuple[str, ...]) -> None:
    """The first cells of a section's table name exactly the keys that the reader of scripts knows."""
    told = [key for row in table("docs/rehearsals.md", heading) for key in re.findall(r"`([a-z]+)`", row[0])]

    assert sorted(told) == sorted(keys)
