"""Make everything anew that is made from the code and kept in the repository: ``make pages``.

Pictures that need a browser are not among them: see CONTRIBUTING.md.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PRINTED = {
    "docs/commands.md": "tests.docs.commandpage",
    "docs/nomicwolf.1": "tests.docs.manpage",
    "docs/library.md": "tests.docs.librarypage",
    "docs/images/watch.svg": "tests.watch.watched",
}
"""Files, with the modules that print them."""
WRITTEN = (
    ("-m", "tests.reports.gallery"), ("-m", "tests.village.told"), ("-m", "tests.rehearsal.year"),
    ("scripts/golden.py",), ("-m", "nomicwolf", "setup", "editor", "docs/editor.html"),
)
"""What writes its files itself."""
TABLE = "| room | what it is for"


def main() -> None:
    """Write each file; say which ones are being made."""
    for page, module in PRINTED.items():
        print(page, flush=True)
        (ROOT / page).write_text(_printed("-m", module), encoding="utf-8")
    for words in WRITTEN:
        print(*words, flush=True)
        _printed(*words)
    rooms = ROOT / "docs/architecture.md"
    head, _, rest = rooms.read_text(encoding="utf-8").partition(TABLE)
    table = _printed("scripts/modules.py", "--rooms").rstrip("\n")
    rooms.write_text(head + table + rest[rest.index("\n\n"):], encoding="utf-8")


def _printed(*words: str) -> str:
    """Return what a module or script of ours prints; it succeeds."""
    return subprocess.run([sys.executable, *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    main()
