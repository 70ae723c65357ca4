"""The outbox: no letter is lost, none is sent twice without need, and doubt is said."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from nomicwolf.ledger.errors import Conflict
from nomicwolf.ledger.idle_check import glance
from nomicwolf.ledger.records import HeardLetter
from nomicwolf.ledger.store import Store
from nomicwolf.ledger.transaction import Outbox, Step
from nomicwolf.letters.letter import Letter, Outgoing, Raw


@pytest.fixture
def store(ledger_url: str) -> Iterator[Store]:
    """Return a ledger that owes a private and a public letter, in each kind of database."""
    with Store.create(ledger_url, "s3") as made:
        made.append(Step(0, owed=[
            Outgoing("p", "private", "s", "b", 1, to="ash@players.example"),
            Outgoing("f", "public", "s", "b", 1, forum="agora"),
        ], now=1))
        yield made


def keys(outbox: Outbox) -> list[str]:
    """Return the keys of what is to be sent now."""
    return [letter.letter.key for letter in outbox.owed()]


def test_the_usual_way(store: Store) -> None:
    """Queued, sending, sent; and then it is owed no more."""
    outbox = store.outbox()
    assert keys(outbox) == ["p", "f"]
    outbox.mark_sending("p", b"bytes", "<p@x>", 2)
    assert [letter.letter.key for letter in outbox.in_state("sending")] == ["p"]
    outbox.mark_sent("p", 3)
    assert keys(outbox) == ["f"]
    assert str(store.check()) == "received 0 = none; owed 2 = queued 1, sent 1"


def test_a_surely_unsent_letter_is_tried_again(store: Store) -> None:
    """What failed before its bytes left is queued, with the reason kept."""
    outbox = store.outbox()
    outbox.mark_sending("p", b"bytes", "<p@x>", 2)
    outbox.mark_queued("p", "421 later", 3)
    found = outbox.get("p")
    assert found is not None
    assert (found.state, found.error, found.tries, found.doubtful) == ("queued", "421 later", 1, 0)
    assert keys(outbox) == ["p", "f"]


def test_doubt_stays_with_a_letter_that_is_put_off(store: Store) -> None:
    """A letter of unknown fate that is put off, or refused at the next try, is not called queued again."""
    outbox = store.outbox()
    outbox.mark_sending("p", b"bytes", "<p@x>", 2)
    outbox.mark_unknown("p", "no reply", 3)
    outbox.mark_queued("p", "450 later", 4)
    outbox.mark_sending("p", b"bytes", "<p@x>", 5)
    outbox.mark_queued("p", "451 later", 6)
    found = outbox.get("p")
    assert found is not None
    assert (found.state, found.doubtful, found.error) == ("unknown", 1, "451 later")


def test_an_interrupted_run_leaves_doubt(store: Store) -> None:
    """Sending becomes unknown; a private letter is tried again with the same bytes, thrice; a public one waits."""
    outbox = store.outbox()
    outbox.mark_sending("p", b"bytes", "<p@x>", 2)
    outbox.mark_sending("f", b"bytes", "<f@x>", 2)
    assert [letter.number for letter in outbox.settle_interrupted(3)] == [1, 2]
    assert keys(outbox) == ["p"]
    with pytest.raises(Conflict, match="other bytes"):
        outbox.mark_sending("p", b"different", "<p@x>", 4)
    for _ in range(2):
        outbox.mark_sending("p", b"bytes", "<p@x>", 4)
        outbox.mark_unknown("p", "no reply", 5)
    assert keys(outbox) == []
    assert [letter.letter.key for letter in outbox.in_state("unknown")] == ["p", "f"]


def test_the_echo_settles_doubt(store: Store) -> None:
    """A public letter that comes back through its forum was sent; an echo of nothing settles nothing."""
    outbox = store.outbox()
    outbox.mark_sending("f", b"bytes", "<f@x>", 2)
    outbox.mark_unknown("f", "timeout after DATA", 3)
    assert not outbox.settle_by_echo("", 4)
    assert not outbox.settle_by_echo("<g@x>", 4)
    assert outbox.settle_by_echo("<f@x>", 4)
    assert not outbox.settle_by_echo("<f@x>", 5)
    assert [letter.letter.key for letter in outbox.in_state("sent")] == ["f"]


def test_refused_for_good_until_someone_looks(store: Store) -> None:
    """A failed letter stays failed until the contestmaster queues it again."""
    outbox = store.outbox()
    outbox.mark_sending("p", b"bytes", "<p@x>", 2)
    outbox.mark_failed("p", "550 no such user", 3)
    assert keys(outbox) == ["f"]
    outbox.requeue("p", 4)
    assert keys(outbox) == ["p", "f"]


def test_steps_out_of_order_are_refused(store: Store) -> None:
    """No step can be taken from a state where it makes no sense."""
    outbox = store.outbox()
    with pytest.raises(Conflict, match="p is queued"):
        outbox.mark_sent("p", 2)
    with pytest.raises(Conflict, match="q is not owed"):
        outbox.mark_failed("q", "why", 2)
    outbox.mark_sending("p", b"bytes", "<p@x>", 2)
    with pytest.raises(Conflict, match="p is sending"):
        outbox.mark_sending("p", b"bytes", "<p@x>", 2)


def test_one_that_was_asked_for_again_stays_queued_when_put_off(store: Store) -> None:
    """The contestmaster has looked: there is no doubt any longer, and a server that is busy loses nothing."""
    outbox = store.outbox()
    outbox.mark_sending("f", b"bytes", "<f@x>", 2)
    outbox.mark_unknown("f", "no reply", 3)
    outbox.requeue("f", 4)
    outbox.mark_sending("f", b"bytes", "<f@x>", 5)
    outbox.mark_queued("f", "450 later", 6)

    assert keys(outbox) == ["p", "f"]


def test_an_echo_is_in_time_for_one_asked_for_again(store: Store) -> None:
    """What the forum has already isn't sent a second time; what was never tried isn't settled by anything."""
    outbox = store.outbox()
    outbox.mark_sending("f", b"bytes", "<f@x>", 2)
    outbox.mark_unknown("f", "no reply", 3)
    outbox.requeue("f", 4)

    assert outbox.settle_by_echo("<f@x>", 5)
    assert keys(outbox) == ["p"]


def test_a_forum_that_has_a_letter_has_it_whatever_was_said(store: Store) -> None:
    """The echo of one that was refused, or came back, calls it sent: it isn't announced as lost, nor sent again."""
    outbox = store.outbox()
    outbox.mark_sending("f", b"bytes", "<f@x>", 2)
    outbox.mark_failed("f", "550 no", 3)

    assert outbox.settle_by_echo("<f@x>", 4)
    assert [letter.letter.key for letter in outbox.in_state("sent")] == ["f"]


def test_an_echo_is_waited_for_from_the_second_of_sending(store: Store) -> None:
    """Public letters that were sent then or later are looked for; private ones have no echo."""
    outbox = store.outbox()
    for key in ("p", "f"):
        outbox.mark_sending(key, b"bytes", f"<{key}@x>", 2)
        outbox.mark_sent(key, 5)

    assert [letter.letter.key for letter in outbox.not_back(5)] == ["f"]
    assert outbox.not_back(6) == ()


def test_only_what_came_back_as_ours_is_an_echo(store: Store) -> None:
    """A stranger's letter under the Message-ID of ours doesn't tell that the forum has ours."""
    for place, bucket, ours in (("1", "stranger", False), ("2", "own", True)):
        raw = Raw(place, 1, 1, place.encode(), 1)
        letter = Letter(place, 1, 1, "", place, "<f@x>", "", None, (), "x")
        store.append(Step(0, heard=[HeardLetter(raw, letter, bucket)], now=1))  # type: ignore[arg-type]

        assert store.outbox().heard_again("<f@x>") is ours


def test_a_glance_counts_what_the_outbox_would_send(store: Store, ledger_url: str) -> None:
    """A private letter of unknown fate is tried three times in all, and no poll is woken for it after that."""
    outbox, found = store.outbox(), []
    outbox.mark_failed("f", "550 no", 2)
    for at in range(3, 6):
        outbox.mark_sending("p", b"bytes", "<p@x>", at)
        outbox.mark_unknown("p", "no reply", at)
        seen = glance(ledger_url, "s3", 3)
        assert seen is not None
        found.append((seen.sendable, len(outbox.owed(3))))

    assert found == [(1, 1), (1, 1), (0, 0)]
