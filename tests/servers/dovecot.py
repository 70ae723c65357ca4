"""A private Dovecot, 2.3 or 2.4, as any user: IMAP out, LMTP in, Maildir below."""

from __future__ import annotations

import getpass
import grp
import os
import pwd
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.servers.here import free_ports, greets, loopbacks, program, short_folder, wait_until

PASSWORD = "secret"
PEOPLE = (
    "wolf", "referee", "murphy", "ash", "bex", "cam", "dov", "eli", "fay", "gus", "hal", "ida", "jan", "kit", "lou",
    "mia", "ned", "ola", "pip", "quy", "ros", "sol", "tam", "una", "vic", "wes", "xan", "yul", "zoe",
)  # fmt: skip

COMMON = """\
base_dir = {folder}/run
state_dir = {folder}/run
log_path = {folder}/dovecot.log
listen = {here}
ssl = no
default_internal_user = {inside.user}
default_internal_group = {inside.group}
default_login_user = {inside.login}
first_valid_uid = {inside.uid}
mail_fsync = never
mail_max_userip_connections = 100
recipient_delimiter = +
lda_mailbox_autocreate = yes
namespace inbox {{
  inbox = yes
  separator = /
}}
service anvil {{
  chroot =
}}
service stats {{
  chroot =
}}
service imap-login {{
  chroot =
  process_min_avail = 1
  inet_listener imap {{
    port = {imap}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
service lmtp {{
  inet_listener lmtp {{
    {listen} = 127.0.0.1
    port = {lmtp}
  }}
}}
"""

DOVECOT_2_3 = """\
protocols = imap lmtp
disable_plaintext_auth = no
auth_mechanisms = plain login
mail_location = maildir:{folder}/mail/%n
passdb {{
  driver = passwd-file
  args = scheme=PLAIN username_format=%n {folder}/users
}}
userdb {{
  driver = static
  args = uid={inside.uid} gid={inside.gid} home={folder}/mail/%n mail=maildir:{folder}/mail/%n
}}
"""

# Version 2.4 refuses the settings of 2.3, and must have its versions named first.
DOVECOT_2_4 = """\
dovecot_config_version = 2.4.0
dovecot_storage_version = 2.4.0
protocols {{
  imap = yes
  lmtp = yes
}}
auth_allow_cleartext = yes
auth_mechanisms {{
  plain = yes
  login = yes
}}
auth_username_format = %{{user | username | lower}}
mail_driver = maildir
mail_path = {folder}/mail/%{{user | username}}
passdb passwd-file {{
  passwd_file_path = {folder}/users
}}
userdb static {{
  fields {{
    uid = {inside.uid}
    gid = {inside.gid}
    home = {folder}/mail/%{{user | username}}
  }}
}}
"""


QUOTA_2_3 = """
mail_plugins = quota
protocol imap {{
  mail_plugins = quota imap_quota
}}
plugin {{
  quota = count:User quota
  quota_vsizes = yes
  quota_grace = 0
  quota_rule = *:bytes={room}
}}
"""

QUOTA_2_4 = """
mail_plugins {{
  quota = yes
}}
protocol imap {{
  mail_plugins {{
    imap_quota = yes
  }}
}}
quota "User quota" {{
  quota_storage_size = {room}
  quota_storage_grace = 0
}}
"""

# Tokens in place of passwords, each shown to its provider (RFC 7662), a socket for Postfix to ask at, and no pause
# after a wrong one, which would grow from test to test.
OAUTH_2_3 = """
auth_mechanisms = oauthbearer xoauth2
passdb {{
  driver = oauth2
  mechanisms = oauthbearer xoauth2
  args = {folder}/oauth2.conf
}}
userdb {{
  driver = static
  args = allow_all_users=yes uid={inside.uid} gid={inside.gid} home={folder}/mail/%n mail=maildir:{folder}/mail/%n
}}
service auth {{
  unix_listener {folder}/auth {{
    mode = 0666
  }}
}}
service anvil {{
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
auth_failure_delay = 0
"""
INTROSPECTION_2_3 = """
introspection_mode = post
introspection_url = {provider}
username_attribute = username
active_attribute = active
active_value = true
"""

OAUTH_2_4 = """
auth_mechanisms {{
  plain = no
  login = no
  oauthbearer = yes
  xoauth2 = yes
}}
oauth2 {{
  introspection_mode = post
  introspection_url = {provider}
  username_attribute = username
  active_attribute = active
  active_value = true
}}
passdb oauth2 {{
  mechanisms_filter = oauthbearer xoauth2
}}
service auth {{
  unix_listener {folder}/auth {{
    mode = 0666
  }}
}}
service anvil {{
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
auth_failure_delay = 0
"""

# Ways to log in besides the usual, a socket for Postfix to ask at, and no pause after a wrong password.
WAYS_2_3 = """
auth_mechanisms = {ways}
service auth {{
  unix_listener {folder}/auth {{
    mode = 0666
  }}
}}
service anvil {{
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
auth_failure_delay = 0
"""
WAYS_2_4 = WAYS_2_3.replace("auth_mechanisms = {ways}", "auth_mechanisms {{\n  {ways}\n}}")

# Encryption, for whoever shows a certificate of the same authority, by which one can also log in without a password.
SHOWN_2_3 = """
ssl = required
ssl_cert = <{tls}/server.pem
ssl_key = <{tls}/server.pem
ssl_ca = <{tls}/ca.pem
ssl_require_crl = no
ssl_verify_client_cert = yes
auth_ssl_require_client_cert = yes
auth_ssl_username_from_cert = yes
ssl_cert_username_field = commonName
auth_mechanisms = plain external
passdb {{
  driver = static
  mechanisms = external
  args = nopassword=y
}}
"""
SHOWN_2_4 = """
ssl = required
ssl_server_cert_file = {tls}/server.pem
ssl_server_key_file = {tls}/server.pem
ssl_server_ca_file = {tls}/ca.pem
ssl_server_require_crl = no
ssl_server_request_client_cert = yes
auth_ssl_require_client_cert = yes
auth_ssl_username_from_cert = yes
ssl_server_cert_username_field = commonName
auth_mechanisms {{
  external = yes
}}
passdb static {{
  mechanisms_filter = external
  fields {{
    nopassword = yes
  }}
}}
"""
HASHED = "$6$wolfwolf$JaxOdu6XYnWfPQTs3HgSKCgKoR4G/HJEO./GAviAgSHTRGvfJw3sPdYcfhq6AAzA8qJqmbGsilHNRdEALM0A70"
"""PASSWORD as a one-way hash (crypt(3)), by which nobody can prove that e knows it."""


@dataclass(frozen=True, slots=True)
class Inside:
    """Who runs what: the inner processes' *user* and *group*, the *login* process's user, the mail's *uid*, *gid*."""

    user: str
    group: str
    login: str
    uid: int
    gid: int

    @classmethod
    def here(cls) -> Inside:
        """Root's Dovecot uses the package's own users and never keeps mail as root; anyone else's uses em alone."""
        if os.getuid() == 0:
            nobody = pwd.getpwnam("nobody")
            return cls("dovecot", "dovecot", "dovenull", nobody.pw_uid, nobody.pw_gid)
        me = getpass.getuser()
        return cls(me, grp.getgrgid(os.getgid()).gr_name, me, os.getuid(), os.getgid())


@dataclass(frozen=True, slots=True)
class Dovecot:
    """A Dovecot that runs: its ports on 127.0.0.1, its *folder*.

    Everyone of PEOPLE can log in with PASSWORD, and the user of an address is its local part; LMTP refuses others.
    """

    imap_port: int
    lmtp_port: int
    folder: Path
    dated: set[str] = field(default_factory=set)

    def date_new(self, at: int) -> list[str]:
        """Let all letters that came since the last call have come at *at* (UTC seconds), and tell for whom there are.

        A Maildir's INTERNALDATE is its file's time, unless Dovecot has noted another on delivery.
        """
        found: dict[str, None] = {}
        for file in (self.folder / "mail").glob("*/new/*"):
            if file.name not in self.dated:
                self.dated.add(file.name)
                os.utime(file, (at, at))
                (file.parents[1] / "dovecot.index.cache").unlink(missing_ok=True)
                found[file.parents[1].name] = None
        return list(found)

    def wipe(self) -> None:
        """Empty all mailboxes, their UIDs and UIDVALIDITY too; nobody may be logged in."""
        for mailbox in (self.folder / "mail").iterdir():
            shutil.rmtree(mailbox)
        self.dated.clear()


def configured(
    folder: Path, version: str, imap: int, lmtp: int, room: int = 0, provider: str = "", ways: str = "",
    tls: Path | None = None,
) -> Path:
    """Write everything that Dovecot of this *version* needs into *folder*; return its configuration.

    *room* is how many bytes a mailbox may hold, 0 for any number; *provider* is where tokens are shown (RFC 7662),
    beside which no password is taken; *ways* are the mechanisms by which one logs in, if not the usual.
    The password of "zoe" is kept as a hash. *tls* is a folder with ``server.pem`` and ``ca.pem``: only who shows a
    certificate comes in.
    """
    inside = Inside.here()
    old = version.startswith("2.3")
    settings = (DOVECOT_2_3 if old else DOVECOT_2_4) + COMMON
    if provider:
        settings = (DOVECOT_2_3.partition("passdb {{")[0] + COMMON + OAUTH_2_3) if old else settings + OAUTH_2_4
        (folder / "oauth2.conf").write_text(INTROSPECTION_2_3.format(provider=provider))
    if ways:
        ways = ways if old else "\n  ".join(f"{way} = yes" for way in ways.split())
        settings += WAYS_2_3 if old else WAYS_2_4
    if tls:
        settings += SHOWN_2_3 if old else SHOWN_2_4
    if room:
        settings += QUOTA_2_3 if old else QUOTA_2_4
    configuration = folder / "dovecot.conf"
    configuration.write_text(
        settings.format(folder=folder, inside=inside, imap=imap, lmtp=lmtp, room=room, provider=provider, ways=ways,
                        tls=tls, here=", ".join(loopbacks()), listen="address" if old else "listen")
    )
    (folder / "users").write_text("".join(
        f"{person}:{f'{{CRYPT}}{HASHED}' if person == 'zoe' and ways else f'{{PLAIN}}{PASSWORD}'}\n"
        for person in PEOPLE))
    (folder / "run").mkdir()
    (folder / "mail").mkdir()
    os.chown(folder / "mail", inside.uid, inside.gid)
    return configuration


@contextmanager
def running_dovecot(
    room: int = 0, provider: str = "", ways: str = "", tls: Path | None = None
) -> Iterator[Dovecot]:
    """Run a Dovecot for as long as the block lasts, with *room* (bytes) for each; skip where there is none.

    With a *provider* (where tokens are shown) it takes its tokens, and no password; *ways* are the mechanisms by which
    one logs in, if not the usual; with *tls* (a folder) it wants a certificate.
    """
    exe = program("dovecot", "dovecot-imapd dovecot-lmtpd")
    version = subprocess.run([exe, "--version"], capture_output=True, text=True, check=True).stdout
    imap, lmtp = free_ports(2)
    with short_folder("dc") as folder:
        made = configured(folder, version, imap, lmtp, room, provider, ways, tls)
        process = subprocess.Popen([exe, "-F", "-c", made])

        def up() -> bool:
            if process.poll() is not None:
                raise RuntimeError(f"Dovecot ended with {process.returncode}: {(folder / 'dovecot.log').read_text()}")
            return greets(imap, b"* OK")

        try:
            wait_until("Dovecot's greeting", up)
            yield Dovecot(imap, lmtp, folder)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(30)
