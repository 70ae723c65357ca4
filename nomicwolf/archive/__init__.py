"""A contest's public archive: files, checks, sessions redone."""

from nomicwolf.archive.verifying import Verdict, verify
from nomicwolf.archive.writing import Written, write

__all__ = ["Verdict", "Written", "verify", "write"]
