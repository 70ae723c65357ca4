"""What is made of the same value is made once: by which it is, and only of the latest."""

from __future__ import annotations

from nomicwolf.letters.remembering import MOST, remembered


def test_only_the_very_same_values_are_remembered() -> None:
    """An equal one is another; more than the latest few are made again."""
    asked: list[object] = []

    @remembered
    def place(value: object) -> int:
        asked.append(value)
        return len(asked)

    values = [[n] for n in range(MOST)]
    assert [place(v) for v in values] == [place(v) for v in values] == [1, 2, 3, 4]
    assert place([0]) == MOST + 1
    assert place(values[0]) == MOST + 2
    assert place(values[3]) == MOST
