"""Poolers between the program and PostgreSQL: a PgBouncer where there is one, and one that drops what it is told."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import struct
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Literal, TypeAlias

from sqlalchemy import URL, make_url

from tests.servers.here import free_ports, short_folder, wait_until

Kind: TypeAlias = Literal["drops", "PgBouncer", "PgBouncer that drops"]
BOUNCER = shutil.which("pgbouncer", path=os.environ.get("PATH", os.defpath) + ":/usr/sbin")
KINDS: tuple[Kind, ...] = ("drops", *(("PgBouncer", "PgBouncer that drops") if BOUNCER else ()))
"""Those that can be had here. PgBouncer refuses ``options`` as it comes, and can be told to leave them aside."""
CONFIGURATION = """
[databases]
* = host=127.0.0.1 port={port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {own}
unix_socket_dir =
auth_type = trust
auth_file = {folder}/users
pool_mode = transaction
{more}
"""
_PATIENCE = 10.0  # seconds
_THREE = 3 << 16  # the protocol's version


@contextmanager
def pooled(url: str, kind: Kind) -> Iterator[str]:
    """Give the URL of the same database behind a pooler, for as long as the block lasts."""
    parsed = make_url(url)
    assert parsed.port is not None
    with _dropping(parsed.port) if kind == "drops" else _bouncer(parsed, kind) as own:
        yield parsed.set(port=own).render_as_string(hide_password=False)


@contextmanager
def _bouncer(server: URL, kind: Kind) -> Iterator[int]:
    (own,) = free_ports(1)
    more = "ignore_startup_parameters = options" if kind == "PgBouncer that drops" else ""
    with short_folder("pb") as folder:
        (folder / "ini").write_text(CONFIGURATION.format(
            port=server.port, own=own, folder=folder, more=more))
        (folder / "users").write_text(f'"{server.username}" "{server.password or ""}"\n')
        user = None if os.getuid() else "nobody"
        if user:
            os.chown(folder, pwd.getpwnam(user).pw_uid, pwd.getpwnam(user).pw_gid)
        assert BOUNCER
        process = subprocess.Popen([BOUNCER, "-q", folder / "ini"], user=user, stderr=subprocess.DEVNULL)

        def up() -> bool:
            with suppress(OSError), socket.create_connection(("127.0.0.1", own), 1):
                return True
            return False

        try:
            wait_until("PgBouncer", up)
            yield own
        finally:
            process.terminate()
            process.wait(30)


@contextmanager
def _dropping(port: int) -> Iterator[int]:
    """Listen on a port of loopback, and carry all to and from PostgreSQL's but the options of new sessions."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            with suppress(OSError):
                while True:
                    client, _ = listening.accept()
                    threading.Thread(target=_carry, args=(client, port), daemon=True).start()

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield listening.getsockname()[1]
        listening.shutdown(socket.SHUT_RDWR)
        thread.join(_PATIENCE)


def _carry(client: socket.socket, port: int) -> None:
    with client, socket.create_connection(("127.0.0.1", port)) as server, suppress(OSError):
        server.sendall(_without_options(client))
        back = threading.Thread(target=_pump, args=(server, client), daemon=True)
        back.start()
        _pump(client, server)
        back.join(_PATIENCE)


def _without_options(client: socket.socket) -> bytes:
    """Return a session's first message (PostgreSQL's protocol 3.0) but for the options; TLS is declined."""
    while True:
        size, kind = struct.unpack("!II", client.recv(8, socket.MSG_WAITALL))
        rest = client.recv(size - 8, socket.MSG_WAITALL) if size > 8 else b""
        if kind != _THREE:
            client.sendall(b"N")
            continue
        words = rest.split(b"\0")
        kept = [word for pair in zip(words[::2], words[1::2], strict=False) if pair[0] not in (b"options", b"")
                for word in pair]
        message = b"\0".join([*kept, b"", b""])
        return struct.pack("!II", len(message) + 8, kind) + message


def _pump(of: socket.socket, to: socket.socket) -> None:
    """Carry all that comes; when one side has ended, so does the other."""
    with suppress(OSError):
        while data := of.recv(65_536):
            to.sendall(data)
    for end in (of, to):
        with suppress(OSError):  # it was closed already
            end.shutdown(socket.SHUT_RDWR)
