"""A private Postfix, for root only: SMTP in, to Dovecot by LMTP, to the lists by SMTP, and nowhere else."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.servers.here import free_ports, greets, loopbacks, program, short_folder, wait_until

MAIN = """\
compatibility_level = 3.6
queue_directory = {folder}/spool
data_directory = {folder}/data
command_directory = {command_directory}
daemon_directory = {daemon_directory}
mail_owner = {mail_owner}
setgid_group = {setgid_group}
myhostname = mx.contest.example
mydestination =
local_recipient_maps =
alias_maps =
virtual_mailbox_domains = contest.example, players.example
virtual_mailbox_maps = static:all
virtual_transport = lmtp:inet:127.0.0.1:{lmtp}
relay_domains = lists.agora.example, lists.b.example
transport_maps = inline:{{
  {{ lists.agora.example = smtp:[127.0.0.1]:{lists} }}
  {{ lists.b.example = smtp:[127.0.0.1]:{lists} }} }}
recipient_delimiter = +
inet_interfaces = {here}
inet_protocols = all
mynetworks = 127.0.0.0/8, [::1]/128
smtpd_relay_restrictions = permit_mynetworks, reject_unauth_destination
smtpd_recipient_restrictions = permit_mynetworks, reject
default_transport = error:5.7.1 nothing leaves this host
relay_transport = error:5.7.1 nothing leaves this host
smtp_tls_security_level = none
smtpd_tls_security_level = none
smtputf8_enable = yes
maillog_file = {folder}/postfix.log
maillog_file_prefixes = {folder}
"""

MASTER = """\
{smtpd}
pickup    unix n - n 60 1 pickup
cleanup   unix n - n - 0 cleanup
qmgr      unix n - n 300 1 qmgr
rewrite   unix - - n - - trivial-rewrite
bounce    unix - - n - 0 bounce
defer     unix - - n - 0 bounce
trace     unix - - n - 0 bounce
verify    unix - - n - 1 verify
flush     unix n - n 1000? 0 flush
proxymap  unix - - n - - proxymap
smtp      unix - - n - - smtp
relay     unix - - n - - smtp
error     unix - - n - - error
retry     unix - - n - - error
discard   unix - - n - - discard
lmtp      unix - - n - - lmtp
anvil     unix - - n - 1 anvil
scache    unix - - n - 1 scache
tlsmgr    unix - - n 1000? 1 tlsmgr
postlog   unix-dgram n - n - 1 postlogd
"""

MOVING = ("maildrop", "incoming", "active")


@dataclass(frozen=True, slots=True)
class Postfix:
    """A Postfix that runs: its port on 127.0.0.1, its *folder*."""

    smtp_port: int
    folder: Path

    @property
    def moving(self) -> bool:
        """Whether letters are on their way; looked at twice, for lists' copies go from the last queue to the first."""
        return any(self.queued(*MOVING) for _ in range(2))

    @property
    def stuck(self) -> int:
        """How many letters could not be delivered and wait for another try."""
        return self.queued("deferred")

    def queued(self, *queues: str) -> int:
        """Return how many letters the *queues* hold (their files, hashed into folders or not)."""
        return sum(len(files) for queue in queues for *_, files in os.walk(self.folder / "spool" / queue))


def configured(folder: Path, smtp: int, lmtp: int, lists: int, more: str = "") -> Path:
    """Write everything that Postfix needs into *folder*, and *more* settings; return its configuration's folder.

    No setting stands there twice: each of Postfix's programs would warn of that in its log, and wait for ever where the
    one that keeps the log has so much to say itself.
    """
    names = ("command_directory", "daemon_directory", "mail_owner", "setgid_group")
    compiled_in = subprocess.run(
        [program("postconf", "postfix"), "-d", "-h", *names], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    paths = dict(zip(names, compiled_in, strict=True))
    for part in ("etc", "spool", "data"):
        (folder / part).mkdir()
    shutil.chown(folder / "data", paths["mail_owner"])
    hosts = [f"[{each}]" if ":" in each else each for each in loopbacks()]
    again = {line.partition("=")[0].strip() for line in more.splitlines()}
    main = MAIN.format(folder=folder, lmtp=lmtp, lists=lists, here=", ".join(hosts), **paths)
    usual = [line for line in main.splitlines() if line.partition("=")[0].strip() not in again]
    (folder / "etc" / "main.cf").write_text("\n".join((*usual, more)))
    listening = "\n".join(f"{host}:{smtp} inet n - n - - smtpd" for host in hosts)
    (folder / "etc" / "master.cf").write_text(MASTER.format(smtpd=listening))
    return folder / "etc"


@contextmanager
def running_postfix(lmtp_port: int, lists_port: int, more: str = "") -> Iterator[Postfix]:
    """Run a Postfix with *more* settings while the block lasts; skip where there is none, or this is not root."""
    exe = program("postfix", "postfix")
    if os.getuid() != 0:
        pytest.skip("Postfix's master runs only for root")
    (smtp,) = free_ports(1)
    with short_folder("pf") as folder:
        etc = configured(folder, smtp, lmtp_port, lists_port, more)
        control(exe, etc, "start")
        try:
            wait_until("Postfix's greeting", lambda: greets(smtp, b"220 "))
            yield Postfix(smtp, folder)
        finally:
            control(exe, etc, "stop")


def control(exe: str, etc: Path, what: str) -> None:
    """Start or stop it; what that prints goes to a file, for a pipe would be held by what is left in the background."""
    with (etc / f"{what}.log").open("wb") as said:
        subprocess.run([exe, "-c", etc, what], check=True, stdin=subprocess.DEVNULL, stdout=said, stderr=said)
