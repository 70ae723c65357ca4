"""The ledger's errors, each with its remedy.

Databases' errors are translated into them.
"""

from __future__ import annotations


class LedgerError(Exception):
    """The ledger can't be used as it is; the text gives the reason and the remedy."""


class Conflict(LedgerError):
    """Someone else wrote first; nothing was written, and a new run will see the ledger as it is now."""


class Busy(LedgerError):
    """Someone else has locked the ledger for longer than we wait; try again later."""


class Stopped(LedgerError):
    """Something outside is wrong, such as the clock; nothing is dated, heard or sent before someone has looked."""


class Taken(LedgerError):
    """Another run has the contest's turn."""


class NoLedger(LedgerError):
    """There is no ledger at the place in the settings."""


class OldLedger(LedgerError):
    """The ledger has the tables of an earlier version and must be upgraded first."""


class Garbled(LedgerError):
    """A line of the record can't be read back."""


class Imbalance(LedgerError):
    """The letters received or owed don't add up; one was lost or counted twice."""


_AWAY = "the ledger is not to be had now ({text}); the next run tries again, and a command has to be given again"
_READONLY = ("the database takes no changes now ({text}), as a standby doesn't; the next run tries again, and a "
             "command has to be given again")
_NOBODY = ("the database lets nobody in ({text}); look at ledger.url, on a host at database.url, and at what the "
           "server allows")
_RIGHTS = ("the ledger can't be used ({text}); GRANT this user what it needs, or use another one: on a host the owner "
           "of the database, who may make roles, or for workers the role in database.worker, to which "
           "`nomicwolf host setup` gives what it needs")
_STATES: tuple[tuple[str, type[LedgerError], str], ...] = (
    ("40", Conflict, "the ledger has changed meanwhile, nothing was written: {text}"),
    ("23", Conflict, "the ledger has changed meanwhile, nothing was written: {text}"),
    ("P0001", Conflict, "nothing was written: {text}"),
    ("55P03", Busy, _AWAY), ("53300", Busy, _AWAY), ("57", Busy, _AWAY), ("08", Busy, _AWAY),
    ("53", LedgerError, "no room for the ledger ({text}); free some, nothing is lost"),
    ("25006", Busy, _READONLY), ("25P", Busy, _AWAY),
    ("42501", LedgerError, _RIGHTS),
    ("28", LedgerError, _NOBODY),
    ("3D000", NoLedger, "{text}; `createdb` makes one, `nomicwolf ledger copy` brings a ledger there"),
)
"""PostgreSQL's SQLSTATEs by prefix (its appendix A)."""
_PASSING = ("locked", "connection", "server closed", "starting up", "consuming input", "sending query", "ssl ",
            "temporary failure in name resolution")
"""Words of passing errors: SQLite's of a locked file, libpq's of an absent server or a broken line, the DNS's."""


UNKNOWN = "connection option"
"""Words of libpq's error about an unknown option in the URL."""


def translated(error: BaseException | None) -> LedgerError:
    """Return a database's error as a `LedgerError`, by its SQLSTATE or, where it has none, by its words."""
    text, code = first_line(error), sqlstate(error)
    for prefix, kind, words in _STATES:
        if code.startswith(prefix):
            return kind(words.format(text=text))
    return _by_words(text)


def pooler_error(text: str) -> LedgerError:
    """Return the error for a server behind a pooler that shares sessions; *text* is the symptom."""
    return LedgerError(f"a pooler such as PgBouncer stands before the database ({text}), and turns need sessions of "
                       "their own; let ledger.url, on a host database.url, name the server itself")


def _by_words(text: str) -> LedgerError:
    if "startup parameter" in text:
        return pooler_error(text)
    if UNKNOWN in text:
        return LedgerError(f"the database's URL asks for what there isn't ({text}); look at what stands behind its ?, "
                           "in ledger.url, on a host database.url")
    if "too many connections" in text:
        return Busy(_AWAY.format(text=text))
    if "password authentication" in text or "no pg_hba.conf entry" in text or "role " in text:
        return LedgerError(_NOBODY.format(text=text))
    if "database " in text and "does not exist" in text:
        return NoLedger(f"{text}; `createdb` makes one, `nomicwolf ledger copy` brings a ledger there")
    if any(word in text.lower() for word in _PASSING):
        return Busy(_AWAY.format(text=text))
    if "full" in text:
        return LedgerError(f"no room for the ledger ({text}); free some, nothing is lost")
    if "disk I/O" in text:
        return LedgerError(f"the ledger can't be used ({text}); see whether its disk is full (`df`) or fails (`dmesg`)")
    if "readonly" in text or "unable to open" in text:
        return LedgerError(f"the ledger can't be written ({text}); let this user write it and its folder")
    return LedgerError(f"the ledger can't be used: {text}")


def sqlstate(error: BaseException | None) -> str:
    """Return PostgreSQL's SQLSTATE, '' for SQLite and for a failed connection."""
    return getattr(error, "sqlstate", None) or ""


def first_line(error: BaseException | None) -> str:
    """Return an error's first line: the second one of PostgreSQL's, DETAIL, may quote what was to be written."""
    said = getattr(error, "orig", None) or error
    return str(said).strip().partition("\n")[0]
