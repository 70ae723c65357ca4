"""Werewolf by email, for nomics."""

__version__ = "0.1.0"
