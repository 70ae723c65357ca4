"""The man page, made from the program: ``python -m tests.docs.manpage > docs/nomicwolf.1`` writes it anew (man(7))."""

from __future__ import annotations

import sys
from typing import Any

from nomicwolf import __version__
from tests.docs.commandpage import commands, group, shape

HEAD = f""".\\" Made from the program's help by tests/docs/manpage.py.
.TH NOMICWOLF 1 "" "nomicwolf {__version__}" "User Commands"
.SH NAME
nomicwolf \\- Werewolf by email, for nomics
.SH SYNOPSIS
.B nomicwolf
.RB [ \\-C
.IR DIR ]
.I COMMAND
.RI [ ARGUMENT ...]
"""
STATUS = (
    ("0", "done"), ("1", "something needs the contestmaster; standard error says what"), ("2", "wrong use"),
    ("75", "try again later: another run is at work, or a server is away"),
)
FILES = (
    ("contest.toml", "the settings of a contest, in its folder"),
    ("contest.db", "its ledger: the whole state of the contest"),
    ("contest.key", "the key by which its own mail is known; back it up beside the ledger"),
)
ENVIRONMENT = (
    ("NOMICWOLF_IMAP_PASSWORD, NOMICWOLF_SMTP_PASSWORD", "passwords, where contest.toml names none"),
    ("NOMICWOLF_TABLE_KEY", "any other setting: imap.host is NOMICWOLF_IMAP_HOST"),
    ("NO_COLOR", "if it is set, nothing is coloured"),
)


MORE = "nomicwolf COMMAND --help prints the arguments and options of a command, with examples."


def man() -> str:
    """Return the man page's whole text."""
    whole = group()
    parts = [HEAD, ".SH DESCRIPTION\n", *(_paragraph(p) for p in _paragraphs(whole.help)), ".SH OPTIONS\n"]
    parts += [_option(o) for o in whole.params if o.name != "help"]
    parts.append(f".SH COMMANDS\n{_paragraph(MORE)}")
    for path, command in commands():
        parts.append(_command(path, command))
    for title, rows in (("EXIT STATUS", STATUS), ("ENVIRONMENT", ENVIRONMENT), ("FILES", FILES)):
        parts.append(f".SH {title}\n")
        parts += [f".TP\n.B {_safe(name)}\n{_safe(says)}\n" for name, says in rows]
    parts.append(".SH SEE ALSO\n.BR crontab (5),\n.BR systemd.timer (5)\n")
    return "".join(parts)


def _command(path: str, command: Any) -> str:
    arguments = [p for p in command.params if p.param_type_name == "argument"]
    name = path.removeprefix("nomicwolf ")
    return f".TP\n.B {_safe(' '.join([name, *(shape(a) for a in arguments)]))}\n{_safe(_paragraphs(command.help)[0])}\n"


def _option(option: Any) -> str:
    names = ", ".join(_safe(name) for name in option.opts)
    value = "" if option.is_flag else f" {_safe(option.metavar or option.name.upper())}"
    return f".TP\n.B {names}{value}\n{_safe(option.help or '')}\n"


def _paragraphs(text: str | None) -> list[str]:
    return [" ".join(p.split()) for p in str(text).partition("Example:")[0].strip().split("\n\n")]


def _paragraph(text: str) -> str:
    return f".PP\n{_safe(text)}\n"


def _safe(text: str) -> str:
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    return f"\\&{escaped}" if escaped.startswith(".") else escaped


if __name__ == "__main__":
    sys.stdout.write(man())
