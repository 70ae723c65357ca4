"""What lets a contest run by itself: a crontab line, and a systemd service with its timer, to be copied."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path

CRON = "*/10 * * * * {command}\n"
SERVICE = """\
[Unit]
Description=Poll the Werewolf contest {name}
Documentation=man:nomicwolf(1)
Wants=network-online.target
After=network-online.target

[Service]
Type=oneshot
User={user}
WorkingDirectory={folder}
ExecStart={command}
# 75: another run is at work, or a server is away; the next run tries again.
SuccessExitStatus=75
# limits.run_seconds (half an hour) ends a run before that, and says so; if you set it higher, set this higher, too.
TimeoutStartSec=40min
UMask=0077
LimitCORE=0
# It writes in the contest's folder and nowhere else. Add a folder here if archive.path lies elsewhere.
ReadWritePaths={place}
ProtectSystem=strict
ProtectHome=read-only
PrivateTmp=yes
PrivateDevices=yes
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectKernelLogs=yes
ProtectControlGroups=yes
ProtectClock=yes
ProtectHostname=yes
ProtectProc=invisible
NoNewPrivileges=yes
CapabilityBoundingSet=
AmbientCapabilities=
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
"""
TIMER = """\
[Unit]
Description=Poll the Werewolf contest {name} every ten minutes

[Timer]
OnCalendar=*:0/10
RandomizedDelaySec=30
Persistent=true

[Install]
WantedBy=timers.target
"""


def program() -> str:
    """Return how this program is called from anywhere: the path that it was started by, or where PATH finds it.

    What ``python -m nomicwolf`` started lies beside that Python.
    """
    started = Path(sys.argv[0])
    if started.name == "__main__.py":
        started = Path(sys.executable).with_name("nomicwolf")
    if started.name == "nomicwolf" and started.is_file():
        return str(started.absolute())
    return shutil.which("nomicwolf") or "nomicwolf"


def command_of(*words: str) -> str:
    """Return a command line that works in the reader's shell now: the bare name only if PATH finds it."""
    return shlex.join(["nomicwolf" if shutil.which("nomicwolf") else program(), *words])


def write_units(folder: Path, name: str) -> None:
    """Write ``crontab`` and ``systemd/`` into a contest's *folder* (absolute); *name* is the contest's id."""
    words = (program(), "-C", str(folder), "poll")
    (folder / "crontab").write_text(CRON.format(command=shlex.join(words).replace("%", "\\%")), encoding="utf-8")
    units = folder / "systemd"
    units.mkdir(exist_ok=True)
    user = os.environ.get("USER") or os.environ.get("LOGNAME") or "nomicwolf"
    for ending, text in (("service", SERVICE), ("timer", TIMER)):
        filled = text.format(
            name=name, user=user, folder=str(folder).replace("%", "%%"), place=_quoted(str(folder)),
            command=" ".join(map(_quoted, words)))
        (units / f"nomicwolf.{ending}").write_text(filled, encoding="utf-8")


def _quoted(word: str) -> str:
    """Return a word as systemd.syntax(7) and systemd.unit(5) want it, specifiers escaped."""
    word = word.replace("%", "%%")
    if not any(c.isspace() or c in "\"'\\" for c in word):
        return word
    return '"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"'
