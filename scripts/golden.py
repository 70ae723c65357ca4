"""Play the examples again and write what they give, to be looked at: ``python scripts/golden.py [RULESET ...]``."""

import shutil
import sys
import tempfile
from contextlib import closing
from pathlib import Path

from nomicwolf.demo import run_demo
from nomicwolf.demo.play import letters_in, letters_out
from nomicwolf.ledger.store import Store
from nomicwolf.settings.load import load

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
PLAYED = {
    "nomic-crossing": (7, "8"), "gadianton": (8, "2"), "tabula": (8, "2"), "six-phases": (5, "1"),
    "narrated-mafia": (5, "2"),
}


def main() -> None:
    """Write each example's letters, in and out."""
    for name, (players, seed) in PLAYED.items():
        if sys.argv[1:] and name not in sys.argv[1:]:
            continue
        with tempfile.TemporaryDirectory() as folder:
            demo = run_demo(name, players, seed, Path(folder) / "demo", lambda kind, line: None)
            settings = load(demo.folder / "contest", {})
            with closing(Store.open(settings.ledger.url, settings.contest.id, readonly=True)) as store:
                write(EXAMPLES / name / "in", letters_in(store))
                write(EXAMPLES / name / "out", letters_out(store))
        print(f"{name}: written")


def write(folder: Path, letters: dict[str, bytes]) -> None:
    """Write *letters* into *folder*, and nothing else may be there."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, data in letters.items():
        (folder / name).write_bytes(data)


if __name__ == "__main__":
    main()
