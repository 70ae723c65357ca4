"""What alarms are called: the words in which the record says that an instant has come (`ClockStruck`).

The laws of other packages may have further ones.
"""

from __future__ import annotations

CONDITION = "a condition"
"""An instant that a ballot's condition names."""
DAWN = "dawn"
"""A slot at which a night may end (D-N24)."""
STAGE = "stage"
"""The deadline of a stage (D-A1)."""
TURN = "turn"
"""The end of somebody's turn to vote (D-T22)."""
ACCUSATIONS = "accusations"
"""The end of the time in which somebody can be accused (D-C17)."""
