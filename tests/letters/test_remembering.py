"""What is made of the same values is made once: by which they are, and only of the latest."""

from __future__ import annotations

from nomicwolf.letters.remembering import MOST, remembered


def test_only_the_very_same_values_are_remembered() -> None:
    """Equal ones are others; more than the latest few are made again."""
    asked: list[tuple[object, object]] = []

    @remembered
    def both(one: object, other: object) -> int:
        asked.append((one, other))
        return len(asked)

    values = [[n] for n in range(MOST)]
    assert [both(v, values) for v in values] == [both(v, values) for v in values] == [1, 2, 3, 4]
    assert both([0], values) == MOST + 1
    assert both(values[0], values) == MOST + 2
    assert both(values[3], values) == MOST
