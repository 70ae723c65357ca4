"""The live, read-only screen of a contest."""

from nomicwolf.watch.seen import Lookout, Owing, Seen

__all__ = ["Lookout", "Owing", "Seen"]
