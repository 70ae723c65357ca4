"""A contest's public archive: files, checks, sessions redone."""

from nomicwolf.archive.files import Written, write
from nomicwolf.archive.verification import Verdict, verify

__all__ = ["Verdict", "Written", "verify", "write"]
