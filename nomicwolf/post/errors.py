"""What can go wrong on the way to a mail server or a mailbox; nothing of the contest is lost by it."""

from __future__ import annotations


class PostError(Exception):
    """Mail can't be read or sent as things are; the text names the server, and what to do."""


class Away(PostError):
    """A server is not to be had now; the next run tries again (exit status 75)."""


class Denied(PostError):
    """A server or a file refuses us, and will until someone changes the settings or the rights."""


class Locked(PostError):
    """Another run is at work; the next one will do."""
