"""How much mail players get: no more than one letter in a run, none that says nothing, and no padding (D-N48)."""

from __future__ import annotations

from scripts.golden import EXAMPLES, PLAYED
from tests.demo.reach import letters_of, measured, opened
from tests.tables import each


@each("name", PLAYED)
def test_a_session_writes_to_players_when_there_is_something_to_say(name: str) -> None:
    """A whole session of each rule set, which `test_examples` and `test_demo` play again to the byte."""
    found = measured(letters_of(EXAMPLES / name))

    assert found.letters > len(found.readers)
    assert max(found.runs.values()) == 1
    assert found.news >= 0.95


@each("name", PLAYED)
def test_subjects_tell_letters_apart_and_no_secret(name: str) -> None:
    """On a phone a letter shows what it is; nothing on its lock screen names a role, a player or a deed."""
    subjects = measured(letters_of(EXAMPLES / name)).subjects
    secret = {"werewol", "seer", "witch", "hunter", "attack", "heal", "see ", "shoot", "mafia", "cop", "doctor", "ash",
              "bex", "cam", "dov", "eli", "fay", "gus", "hal"}

    assert len(subjects) >= 3
    assert not {s for s in subjects for word in secret if word in s.lower()}


@each("name", PLAYED)
def test_threads_join_letters_of_one_kind(name: str) -> None:
    """Public letters follow public ones; no private letter shares a thread with any."""
    letters = [opened(data) for data in letters_of(EXAMPLES / name)]
    public = [m for m in letters if m["Reply-To"] is None]
    ids = {str(m["Message-ID"]).strip() for m in public}

    assert {str(m["In-Reply-To"]).strip() for m in public if m["In-Reply-To"]} <= ids
    assert not {str(m["In-Reply-To"]).strip() for m in letters if m["Reply-To"] is not None} & ids
    assert all(m["List-Id"] for m in letters if m["Reply-To"] is not None)
