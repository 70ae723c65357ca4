"""What can be wrong with a ledger, each with what to do about it."""

from __future__ import annotations


class LedgerError(Exception):
    """The ledger can't be used as it is; the text says why, and what to do."""


class Conflict(LedgerError):
    """Someone else wrote first; nothing was written, so a new run will see it as it is now."""


class Busy(LedgerError):
    """The ledger is being written by someone else for longer than we wait; try again later."""


class Stopped(LedgerError):
    """Something outside isn't as it must be: nothing is dated, heard or sent before someone has looked."""


class Taken(LedgerError):
    """Another run has the contest's turn."""


class NoLedger(LedgerError):
    """There is no ledger where the settings say."""


class OldLedger(LedgerError):
    """The ledger has the tables of an earlier version and must be upgraded first."""


class Garbled(LedgerError):
    """A line of the record can't be read back as what it was."""


class Imbalance(LedgerError):
    """What came in or is owed isn't the sum of where it went: something was lost or doubled."""
