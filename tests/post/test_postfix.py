"""A Postfix that sets limits: what it takes is sent, what it puts off waits, and it isn't asked more than need be."""

from __future__ import annotations

import re

import pytest

from nomicwolf.post.smtp import Fate, Job, Wire, send
from tests.servers.dovecot import Dovecot
from tests.servers.postfix import running_postfix

MANY, CONNECTIONS = 12, 3
LIMITS = {
    "sessions at once": "smtpd_client_connection_count_limit = 1",
    "sessions in a minute": "smtpd_client_connection_rate_limit = 2",
    "letters in a minute": "smtpd_client_message_rate_limit = 5",
    "recipients in a minute": "smtpd_client_recipient_rate_limit = 5",
    "greylisting": "smtpd_hard_error_limit = 3\nsmtpd_recipient_restrictions = check_recipient_access inline:"
                   "{{ ash@players.example = 450 4.2.0 Greylisted }}, permit_mynetworks, reject",
    "size": "message_size_limit = 2000",
}
TAKEN = {"letters in a minute": 5, "recipients in a minute": 5, "greylisting": MANY // 2, "size": MANY - 1}
PAUSING = ("letters in a minute", "recipients in a minute")
LEFT: dict[str, Fate] = {"size": "refused"}


@pytest.mark.parametrize("limit", LIMITS)
def test_what_postfix_limits(dovecot: Dovecot, limit: str) -> None:
    """Each letter has one fate, which is the server's; a limit costs a connection or two, not one for each letter.

    Where the server has too much of us it isn't asked for the rest, which stays as it was.
    """
    people = ("ash", "bex")
    jobs = [Job(str(n), f"{people[n % 2]}+{n}@players.example", f"Subject: {n}\r\n\r\nx\r\n".encode())
            for n in range(MANY)]
    jobs[4] = Job("4", jobs[4].recipient, jobs[4].data + (b"x" * 70 + b"\r\n") * 50 * (limit == "size"))
    fates: dict[str, Fate] = {}
    with running_postfix(dovecot.lmtp_port, 1, f"smtpd_client_event_limit_exceptions =\n{LIMITS[limit]}\n") as postfix:
        send(jobs, Wire("127.0.0.1", "wolf@contest.example", "", "", postfix.smtp_port, "none", 20, CONNECTIONS),
             lambda _: None, lambda job, fate, _: fates.update({job.key: fate}))
        log = (postfix.folder / "postfix.log").read_text()
    paused = limit in PAUSING
    assert TAKEN[limit] < len(fates) <= TAKEN[limit] + CONNECTIONS if paused else len(fates) == MANY
    assert [*fates.values()].count("sent") == TAKEN.get(limit, MANY)
    assert set(fates.values()) <= {"sent", LEFT.get(limit, "later")}
    assert len(set(re.findall(r"(\w+): client=", log))) >= TAKEN.get(limit, MANY)
    assert 0 < log.count(": connect from") <= 3 * CONNECTIONS
