"""Files of ill will: refused with what is wrong, and nothing else happens."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from nomicwolf.language.lexicon import lexicon
from nomicwolf.reports.setups import checked_role, fitting_rulesets
from nomicwolf.run.contest_setup import own_roles
from nomicwolf.village.role_file import LARGEST, RESERVED, RoleError, role_of, terms_of
from nomicwolf.village.rulesets.nomic_crossing import nomic_crossing
from nomicwolf.village.setup_file import setup_of
from tests.tables import each
from tests.village.test_role_files import JAILKEEPER


@each("text", [
    "[" * 4000, "a = " + "[" * 4000, "a = " + "{b = " * 1300, "a." * 2000 + "b = 1", "[[duty]]\n" * 800,
    "x" * (LARGEST + 1), f"{JAILKEEPER}verb = 'again'\n", f"name = 'x'\n{JAILKEEPER}",
    f"{JAILKEEPER}\n[duty]\nverb = 'x'\n", "\ufeffname = 'x'", "name = 'x'\x00", "uses = 1e400",
    f"uses = {'9' * 5000}", "a = 0x" + "f" * 4000, "day = 2026-12-01T09:00:00Z",
    'duty = "jail"', "duty = [1, 2]", "duty = {verb = 'x'}",
])
def test_what_is_no_role_is_refused(text: str) -> None:
    """Deep, long, double, odd: by an error with the place, in no time."""
    with pytest.raises(RoleError):
        role_of(text, terms_of(nomic_crossing), "roles/x.toml")
    with pytest.raises(RoleError):
        setup_of(text, "setup.toml")


@each("name", ["j\u0430il", "jail\u200b", "ja\u00efl", "\u5929", "jail ", "JAIL", "..", "a/b",
               "a" * 25, "con.fig", "-jail", "jail--er"])
def test_names_and_verbs_are_plain_letters(name: str) -> None:
    """No letters that look like others, or that show as nothing."""
    for key in ("name", "verb"):
        text = JAILKEEPER.replace('"jailkeeper"' if key == "name" else '"jail"', f'"{name}"')
        with pytest.raises(RoleError, match=f"{key}: "):
            role_of(text, terms_of(nomic_crossing), "roles/jailkeeper.toml")


def test_no_word_of_the_programs_own_can_be_taken() -> None:
    """Whatever is done in forums, or to the program: neither as a verb, nor at the beginning of another word."""
    public = {name for name, frame in lexicon().frames.items() if not frame.private}
    for word in sorted(public | RESERVED):
        assert not fitting_rulesets(JAILKEEPER.replace('"jail"', f'"{word}"'), "jailkeeper.toml")[0], word
    for words in ("vote for", "object to", "join with", "endorse", "retract"):
        with pytest.raises(RoleError):
            checked_role(JAILKEEPER.replace('"detain"', f'"{words}"'), nomic_crossing, "jailkeeper.toml")


def test_only_plain_files_of_the_contest_are_read(tmp_path: Path) -> None:
    """A pipe would never end, a device neither; a link leads to what is another's to read."""
    roles = tmp_path / "contest" / "roles"
    roles.mkdir(parents=True)
    (tmp_path / "secret.toml").write_text('password = "hush"', encoding="utf-8")
    os.mkfifo(roles / "pipe.toml")
    (roles / "zero.toml").symlink_to("/dev/zero")
    (roles / "link.toml").symlink_to(tmp_path / "secret.toml")
    (roles / "loop.toml").symlink_to(roles / "loop.toml")
    (roles / "folder.toml").mkdir()
    (roles / "large.toml").write_text("x" * (LARGEST + 1), encoding="utf-8")
    (roles / "jailkeeper.toml").write_text(JAILKEEPER, encoding="utf-8")

    found = own_roles(tmp_path / "contest")
    assert found.pop("jailkeeper") == JAILKEEPER
    assert set(found.values()) == {""}
