"""When letters go that were put off: by the class of the answer, by recipient, by what the server takes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomicwolf.post.refusals import DAY, HOUR, MINUTE, Waiting, class_of, provider_of, schedule

NOW = 1_796_083_200


@pytest.mark.parametrize(("said", "name", "scope"), [
    ("450 4.2.0 <gus@p.example>: Recipient address rejected: Greylisted", "greylisting", "letter"),
    ("451 4.7.1 Greylisting in action, please come back later", "greylisting", "letter"),
    ("450 4.7.1 Try again in 300 seconds", "greylisting", "letter"),
    ("452 4.2.2 The email account that you tried to reach is over quota", "a full mailbox", "letter"),
    ("452 4.2.2 Mailbox full", "a full mailbox", "letter"),
    ("450 4.2.1 The user you are trying to contact is receiving mail at a rate that", "a busy mailbox", "letter"),
    ("421 4.7.28 Our system has detected an unusual rate of unsolicited mail", "the server's limits", "server"),
    ("432 4.3.2 Concurrent connections limit exceeded", "the server's limits", "server"),
    ("454 4.7.0 Too many login attempts, please try again later", "the server's limits", "server"),
    ("452 4.5.3 Your message has too many recipients", "the server's limits", "server"),
    ("452 4.3.1 Insufficient system resources", "the server's limits", "server"),
    ("421 4.4.2 Connection dropped due to timeout", "the server's limits", "server"),
    ("421 [TSS04] Messages temporarily deferred due to unexpected volume", "the server's limits", "server"),
    ("451 4.3.0 Error: queue file write error", "a passing trouble", "letter"),
    ("451 4.4.1 the operation timed out", "a passing trouble", "letter"),
    ("450 later", "a passing trouble", "letter"),
])
def test_classes(said: str, name: str, scope: str) -> None:
    """Real answers of Postfix, Postgrey, Gmail, Exchange and Yahoo."""
    found = class_of(said)
    assert found is not None
    assert (found.name, found.scope) == (name, scope)


@pytest.mark.parametrize("said", ["", "550 no such user", "the connection broke: EOF", "came back: 5.1.1", "45 what"])
def test_what_is_no_pause(said: str) -> None:
    """A lost connection is tried again at once, and a no for good isn't tried."""
    assert class_of(said) is None


def test_waits_double_with_the_age() -> None:
    """Tried at once, after five minutes, ten, twenty, and so on, an hour at most: nothing counts the tries."""
    at, tries = NOW, []
    for _ in range(9):
        at = Waiting(1, "gus", NOW, at, "450 4.2.0 Greylisted").due
        tries.append((at - NOW) // MINUTE)
    assert tries == [5, 10, 20, 40, 80, 140, 200, 260, 320]


def test_one_recipient_waits_for_eirs() -> None:
    """Later letters of one who is put off wait behind the first; others go."""
    letters = [Waiting(1, "gus", NOW - HOUR, NOW - MINUTE, "452 4.2.2 Mailbox full"), Waiting(2, "ash", NOW),
               Waiting(3, "gus", NOW)]
    found = schedule(letters, [], {}, NOW)
    assert found == {1: NOW - MINUTE + HOUR, 2: NOW, 3: NOW - MINUTE + HOUR}


def test_a_server_that_wants_a_pause_has_it_of_all() -> None:
    """One letter is told, all wait."""
    letters = [Waiting(1, "gus", NOW - MINUTE, NOW, "421 4.7.28 unusual rate"), Waiting(2, "ash", NOW)]
    assert {*schedule(letters, [], {}, NOW).values()} == {NOW + 15 * MINUTE}


@given(
    sent=st.lists(st.integers(NOW - 2 * DAY, NOW), max_size=60),
    count=st.integers(0, 60), hour=st.integers(1, 20), day=st.integers(1, 50),
)
def test_no_time_has_more_letters_than_the_server_takes(sent: list[int], count: int, hour: int, day: int) -> None:
    """Within any hour and any day, those that went before included as far as these were within the limits."""
    limits = {HOUR: hour, DAY: day}
    found = schedule([Waiting(n, str(n), NOW) for n in range(count)], sent, limits, NOW)

    times = sorted(found.values())
    assert len(times) == count
    for seconds, most in limits.items():
        for at in times:
            window = [t for t in (*sent, *times) if at - seconds < t <= at]
            before = [t for t in sent if at - seconds < t <= at]
            assert len(window) <= max(most, len(before))


def test_all_go_at_once_where_nothing_hinders() -> None:
    """The usual case."""
    assert {*schedule([Waiting(n, "gus", NOW) for n in range(9)], [], {}, NOW).values()} == {NOW}


def test_providers_are_known_by_their_servers() -> None:
    """Whatever the case, and nobody else's."""
    found = provider_of("SMTP.Office365.com")
    assert found is not None
    assert found.takes[MINUTE] == 30
    assert found.connections == 3
    assert provider_of("smtp.gmail.com.example.org") is None
