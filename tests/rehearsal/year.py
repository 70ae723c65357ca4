"""Play the year of `examples/a-year` again and write its letters: ``python -m tests.rehearsal.year``."""

from pathlib import Path

from nomicwolf.cli.app import order_of
from nomicwolf.nomic.times import when
from nomicwolf.rehearsal.outcome import Played
from nomicwolf.rehearsal.play import rehearse
from nomicwolf.rehearsal.script import read_script
from nomicwolf.reports.awards import book_csv

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "a-year"
BAR = "=" * 72


def played() -> Played:
    """Return the year as it is rehearsed; it is to be played from the checkout's root."""
    return rehearse(read_script((FOLDER / "year.yaml").read_text(encoding="utf-8"), FOLDER), order_of)


def letters(year: Played) -> str:
    """Return every letter that was sent, one after the other; of those to the forums, Agora's."""
    parts = [
        f"{BAR}\nTo: {letter.person or 'the forums'}\nAt: {when(letter.at)}\nSubject: {letter.subject}\n\n{letter.body}"
        for letter in year.letters if letter.forum in ("", "agora")
    ]
    return "\n".join(parts)


def main() -> None:
    """Write the letters and the award book."""
    year = played()
    (FOLDER / "letters.txt").write_text(letters(year), encoding="utf-8")
    (FOLDER / "awards.csv").write_text(book_csv(year.contest), encoding="utf-8", newline="")


if __name__ == "__main__":
    main()
