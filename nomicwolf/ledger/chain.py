"""The chain of hashes over the record: whoever knows one head can tell that nothing before it was changed."""

from __future__ import annotations

from hashlib import sha256


def first_head(contest: str) -> str:
    """Return the head of a contest's empty record, as hex."""
    return sha256(f"nomicwolf ledger 1\n{contest}\n".encode()).hexdigest()


def next_head(head: str, line: str) -> str:
    """Return the head after *line* (an entry's canonical JSON): SHA-256 of the head's 32 bytes and the line."""
    return digest_after(bytes.fromhex(head), line).hex()


def digest_after(head: bytes, line: str) -> bytes:
    """Return the head after *line* as bytes, the one before it being *head*."""
    return sha256(head + line.encode("ascii")).digest()
