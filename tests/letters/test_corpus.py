"""Letters as real mailers and hostile hands shape them: one file an oddity, what it comes to in corpus.yaml."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml

from nomicwolf.letters.attribution import authored
from nomicwolf.letters.letter import ForumInfo, Letter, Raw
from nomicwolf.letters.mime import make_letter
from nomicwolf.letters.origin import machine
from tests.tables import each

HERE = Path(__file__).parent
CASES: dict[str, dict[str, Any]] = yaml.load((HERE / "corpus.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader)
FORUMS = (
    ForumInfo("agora", ("agora-business@lists.agora.example",)),
    ForumInfo("b", ("spoon-business@lists.b.example",)),
)
WHYS = ("quoted", "signature", "footer", "forwarded", "html-only-copy", "attachment")


def letter_of(name: str) -> Letter:
    """Return the letter in ``corpus/NAME.eml``, as the contest at wolf@wolf.example gets it."""
    data = (HERE / "corpus" / f"{name}.eml").read_bytes()
    return make_letter(Raw(name, 1, 0, data, len(data)), FORUMS, ("wolf@wolf.example",))


def test_every_letter_has_its_meaning_and_every_meaning_its_letter() -> None:
    """The folder and the table name the same letters, and there are many."""
    assert sorted(CASES) == sorted(path.stem for path in (HERE / "corpus").glob("*.eml"))
    assert len(CASES) >= 100


@each("name", CASES)
def test_only_the_authors_own_lines_count(name: str) -> None:
    """The author's lines are these and no others, in order."""
    lines = [text for _, text in authored(letter_of(name)).lines if text.strip()]

    assert [line.strip() for line in lines] == [line.strip() for line in CASES[name]["authored"]]


@each("name", [name for name in CASES if {w.replace("-", "_") for w in WHYS} & CASES[name].keys()])
def test_what_is_left_out_is_remembered_with_its_reason(name: str) -> None:
    """Each line that the table names is ignored for that reason."""
    ignored = {(text, why) for _, text, why in authored(letter_of(name)).ignored}
    wanted = {(text, why) for why in WHYS for text in CASES[name].get(why.replace("-", "_"), [])}

    assert wanted <= ignored


@pytest.mark.parametrize("name", [name for name in CASES if "doubtful" in CASES[name]])
def test_what_may_be_anyones_is_in_doubt(name: str) -> None:
    """Lines that may be the author's, or a quotation's, are left out, and remembered as such."""
    assert [text for _, text, _ in authored(letter_of(name)).doubtful] == CASES[name]["doubtful"]


@each("name", CASES)
def test_every_line_is_either_the_authors_or_left_out(name: str) -> None:
    """No line is lost between the two: numbers from 1 to the end of the body, each once."""
    letter = letter_of(name)
    found = authored(letter)
    lines = letter.body.split("\n")
    left = {number for number, _, _ in found.ignored if number}
    own = {number for number, _ in found.lines}

    seen = {number for number, line in enumerate(lines, 1) if line.strip(" \t\u200b")}

    assert not own & left
    assert seen <= own | left <= set(range(1, len(lines) + 1))


@each("name", CASES)
def test_who_what_and_where(name: str) -> None:
    """Sender, trouble, machine, HTML, loss and attachments are as the table has them."""
    case, letter = CASES[name], letter_of(name)
    sender = case.get("sender", "ash@example.org")

    assert [address for _, address in letter.senders] == ([sender] if sender else [])
    assert case.get("trouble", "") in letter.trouble
    assert bool(letter.trouble) == bool(case.get("trouble"))
    assert bool(machine(letter)) == case.get("machine", False)
    assert (letter.html_only, letter.lossy) == (case.get("html_only", False), case.get("lossy", False))
    assert list(letter.attachments) == case.get("attachments", [])


@each("name", [name for name in CASES if CASES[name].keys() & {
    "forums", "stamps", "tag", "private", "subject", "message_id", "sent"}])  # fmt: skip
def test_the_way_it_came(name: str) -> None:
    """Forums, stamps, our own address and its tag, and the header fields that the table names."""
    case, letter = CASES[name], letter_of(name)
    stamps = {forum: datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ") for forum, at in letter.stamps}

    assert list(letter.forums) == case.get("forums", ["agora"])
    assert stamps == case.get("stamps", {})
    assert (letter.to_contestmaster, letter.tag) == (case.get("private", False), case.get("tag", ""))
    for field in ("subject", "message_id", "sent"):
        assert field not in case or getattr(letter, field) == case[field]
