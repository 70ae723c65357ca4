"""The live screen of a running contest: it looks at the ledger, and changes nothing in it."""

from nomicwolf.watch.seen import Lookout, Owing, Seen

__all__ = ["Lookout", "Owing", "Seen"]
