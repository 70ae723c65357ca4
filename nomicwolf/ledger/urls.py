"""A database's URLs: as libpq takes them, and with what each of a server's sessions begins with."""

from __future__ import annotations

from urllib.parse import quote

from nomicwolf.expression import expression

PATIENCE = {
    "connect_timeout": "10", "keepalives": "1", "keepalives_idle": "15", "keepalives_interval": "5",
    "keepalives_count": "3", "tcp_user_timeout": "30000",
}
"""What libpq is told, so that a server that is gone is noticed within half a minute; the URL may say otherwise.

Keepalives are for a session in which nothing is under way (tcp(7)); the last is for a question that nobody takes.
"""
SERVER_PATIENCE = (
    "tcp_keepalives_idle=15", "tcp_keepalives_interval=5", "tcp_keepalives_count=3", "tcp_user_timeout=30000",
    "idle_in_transaction_session_timeout=0", "idle_session_timeout=0", "statement_timeout=0", "nomicwolf.session=on",
)
"""What the server is told for a session, so that it lets go of the locks of a machine that is gone as soon.

Of one that is there it doesn't, however long its letters take: a turn is a transaction that waits for mail servers.
The last tells whether the server was told at all (`nomicwolf.ledger.lines.demand_told`).
"""
_ROLE = expression(r"[?&]options=-c%20role%3D(\w+)$")


def libpq(url: str) -> str:
    """Return a PostgreSQL URL of SQLAlchemy's as libpq takes it, whose sessions don't outlast their machine for long.

    >>> libpq("postgresql+psycopg://wolf@db.example/contests")[:65]
    'postgresql://wolf@db.example/contests?options=-c%20tcp_keepalives'
    """
    kind, _, rest = url.partition("://")
    return with_options(f"{kind.partition('+')[0]}://{rest}", *SERVER_PATIENCE)


def with_options(url: str, *settings: str) -> str:
    """Return a PostgreSQL URL whose sessions begin with some settings; those that the URL has already are stronger.

    >>> with_options("postgresql://db/wolves?options=-c%20role%3Dann", "lock_timeout=9s")
    'postgresql://db/wolves?options=-c%20lock_timeout%3D9s%20-c%20role%3Dann'
    """
    ours = quote(" ".join(f"-c {setting}" for setting in settings))
    before, found, given = url.partition("options=")
    if found:
        return f"{before}options={ours}%20{given}"
    return f"{url}{'&' if '?' in url else '?'}options={ours}"


def as_role(url: str) -> tuple[str, str]:
    """Return a URL without the role that its sessions are to be, and that role, '' if it names none.

    >>> as_role("postgresql://db/wolves?options=-c%20role%3Dann")
    ('postgresql://db/wolves', 'ann')
    """
    found = _ROLE.search(url)
    return (url[:found.start()], found[1]) if found else (url, "")
