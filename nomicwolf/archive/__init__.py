"""The archive as files: written beside what is there, read back, and checked. The pages themselves are pure."""

from nomicwolf.archive.verifying import Verdict, verify
from nomicwolf.archive.writing import Written, write

__all__ = ["Verdict", "Written", "verify", "write"]
