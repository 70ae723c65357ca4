"""Values of ours as few bytes: pickled, and compressed as the pieces come, so that all of them are nowhere at once."""

from __future__ import annotations

import io
import pickle
import zlib

_LEVEL = 1  # three times as fast as the usual one; what is left is mostly hashes


class _Press:
    """A file that compresses what is written to it."""

    def __init__(self) -> None:
        self._out = io.BytesIO()
        self._press = zlib.compressobj(_LEVEL)

    def write(self, data: bytes) -> int:
        """Take a piece."""
        self._out.write(self._press.compress(data))
        return len(data)

    def all(self) -> bytes:
        """Return everything that was written."""
        self._out.write(self._press.flush())
        return self._out.getvalue()


def pressed(value: object) -> bytes:
    """Return the bytes of *value*, which `unpressed` makes a pickle again.

    >>> pickle.loads(unpressed(pressed({"a": [1, 2]})))
    {'a': [1, 2]}
    """
    press = _Press()
    pickle.Pickler(press, protocol=5).dump(value)
    return press.all()


def unpressed(data: bytes) -> bytes:
    """Return the pickle that was pressed; only for bytes that are known to be ours (zlib.error for others)."""
    return zlib.decompress(data)
