"""Every line of the handbook that can be run is run, and does what the page says.

Blocks are of these kinds: ``sh`` is typed and succeeds; ``console`` is typed too, and what stands under each ``$`` is
what is printed; ``shell`` needs the reader's own machine, and calls nothing of ours; ``python`` runs; a block with a
file's name after its kind is that file.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.pages import PAGES, blocks, name_of
from tests.docs.shell import Shell, lines_of, shell
from tests.tables import each

pytestmark = pytest.mark.slow

RUN = ("sh", "console", "python")
MACHINE = ("make", "cat", "pipx", "pip", "uv", "python3", "git", "cd", "sudo", "crontab", "systemctl", "cp", "openssl",
           "printf", "sha256sum", "export", "alias", "chmod", "ssh", "touch", "nomicwolf demo")
AFTER = {"docs/every-day.md": "docs/first-evening.md", "docs/troubleshooting.md": "docs/every-day.md"}
"""Pages whose lines go on from those of another."""
RUNNABLE = [name_of(p) for p in PAGES if any(b.kind in RUN for b in blocks(name_of(p)))]


@pytest.mark.parametrize("page", RUNNABLE)
def test_a_page_can_be_followed(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The blocks of a page, one after the other, in one folder, after those of the page that it goes on from."""
    pages = [page]
    while pages[0] in AFTER:
        pages.insert(0, AFTER[pages[0]])
    told = [block for name in pages for block in blocks(name)]
    names: dict[str, object] = {}
    followed = 0
    with shell(tmp_path, monkeypatch, capsys) as reader:
        for block in told:
            followed += block.kind in RUN
            if block.name:
                Path(block.name).parent.mkdir(exist_ok=True)
                Path(block.name).write_text(block.text, encoding="utf-8")
            elif block.kind == "sh":
                for line in lines_of(block.text):
                    reader.type(line)
            elif block.kind == "console":
                converse(reader, block.text)
            elif block.kind == "python":
                exec(compile(block.text, f"{page}:{block.line}", "exec"), names)

    assert followed == sum(block.kind in RUN for block in told) > 0


@each("page", [name_of(p) for p in PAGES])
def test_what_is_not_run_is_not_ours(page: str) -> None:
    """A block for the reader's own machine calls nothing that could have been tried here."""
    lines = [line for b in blocks(page) if b.kind == "shell" for line in lines_of(b.text) if not line.startswith("#")]

    assert [line for line in lines if not line.startswith(MACHINE)] == []


def converse(reader: Shell, text: str) -> None:
    """Type the lines after ``$`` and compare what each prints with what stands below it."""
    for part in text.split("$ ")[1:]:
        line, _, wanted = part.partition("\n")
        assert reader.type(line).rstrip("\n") == wanted.rstrip("\n")
