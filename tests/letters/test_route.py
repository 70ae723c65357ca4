"""Forums and their stamps: which way a letter came, and whose word for the time counts."""

from __future__ import annotations

import pytest

from nomicwolf.letters.letter import ForumInfo
from nomicwolf.letters.route import hop, hosts_above, route, stamp
from tests.tables import each

AGORA = ForumInfo("agora", ("agora-business@lists.agora.example", "agora-official@lists.agora.example"))
SPOON = ForumInfo("b", ("spoon@lists.b.example",), ("spoon.b.example",), ("relay.b.example",))
LIST = "from localhost (localhost [127.0.0.1]) by lists.agora.example (Postfix) with ESMTP; 1 Dec 2026 09:00:05 +0000"
OURS = "from lists.agora.example (lists.agora.example [192.0.2.7]) by mx.wolf.example; 1 Dec 2026 09:00:09 +0000"
LOCAL = "from localhost (localhost [127.0.0.1]) by mx.wolf.example with LMTP; 1 Dec 2026 09:00:10 +0000"
EVIL = "from lists.agora.example (evil.example [192.0.2.66]) by mx.wolf.example; 1 Dec 2026 09:00:09 +0000"
UNKNOWN = "from lists.agora.example (unknown [192.0.2.66]) by mx.wolf.example; 1 Dec 2026 09:00:09 +0000"
RELAY = "from lists.agora.example (lists.agora.example [192.0.2.7]) by evil.example; 1 Dec 2026 09:00:09 +0000"
FROM_EVIL = "from evil.example (evil.example [192.0.2.66]) by mx.wolf.example; 1 Dec 2026 09:00:11 +0000"
INTERNAL = "by 2002:a05:7300:c50f:b0:1d5:f0cb:95c1 with SMTP id x; 1 Dec 2026 09:00:11 +0000"
AT = 1796115605


@each(
    ("received", "own_hosts", "at"),
    [
        ([LIST], (), AT),
        ([OURS, LIST], (), AT),
        ([LOCAL, OURS, LIST], ("wolf.example",), AT),
        ([LOCAL, LIST], (), AT),
        ([EVIL, LIST], (), None),
        ([UNKNOWN, LIST], (), None),
        ([LOCAL, EVIL, LIST], (), None),
        ([FROM_EVIL, RELAY, LIST], ("wolf.example",), None),
        ([FROM_EVIL, OURS, LIST], (), AT),
        ([FROM_EVIL, OURS, LIST], ("wolf.example",), None),
        ([FROM_EVIL, LOCAL, LIST], ("wolf.example",), None),
        ([LIST], ("wolf.example",), None),
        ([LIST], ("agora.example",), AT),
        (["(qmail 7 invoked from network); 1 Dec 2026 09:00:12 +0000", OURS, LIST], ("wolf.example",), None),
        ([INTERNAL, OURS, LIST], ("wolf.example",), None),
        ([INTERNAL, OURS, LIST], ("wolf.example", "2002:a00::/24"), AT),
        ([OURS], (), None),
        ([], (), None),
        (["by lists.agora.example", LIST], (), None),
    ],
)
def test_a_stamp_has_to_be_believable(received: list[str], own_hosts: tuple[str, ...], at: int | None) -> None:
    """The topmost one by the forum's host, if what stands above says that it came from there."""
    assert stamp([hop(value) for value in received], ("lists.agora.example",), own_hosts) == at


@pytest.mark.parametrize(("received", "hosts"), [
    ([OURS, LIST], ("mx.wolf.example",)),
    ([LOCAL, OURS, LIST], ("mx.wolf.example",)),
    ([INTERNAL, OURS, LIST], ("2002:a00::/24", "mx.wolf.example")),
    (["from mx6.messaging.example ([10.202.2.200]) by store.internal (LMTPProxy); 1 Dec 2026 09:00:12 +0000",
      OURS.replace("mx.wolf", "mx6.messaging"), LIST], ("store.internal", "mx6.messaging.example")),
    ([EVIL, LIST], ()),
    ([OURS], ()),
])
def test_ones_own_servers_are_read_off_a_letter(received: list[str], hosts: tuple[str, ...]) -> None:
    """Those between the forum's server and the mailbox; with them as `contest.mail_hosts` the stamp is believed."""
    fields = (*(("Received", value) for value in received), ("List-Id", "<agora-business.lists.agora.example>"))
    assert hosts_above(fields, AGORA) == hosts
    if hosts:
        assert route(fields, [AGORA], (), hosts).stamps == (("agora", AT),)
        assert len(route(fields, [AGORA], (), ("elsewhere.example",)).unnamed) == len(hosts)


def test_the_earliest_hop_within_the_list_is_not_it() -> None:
    """The list took the letter in before it made it available: the topmost stamp counts."""
    earlier = LIST.replace("09:00:05", "08:00:00")

    assert stamp([hop(OURS), hop(LIST), hop(earlier)], ("lists.agora.example",)) == AT


@pytest.mark.parametrize(
    "fields",
    [
        (("List-Id", "Public <agora-business.lists.agora.example>"),),
        (("X-BeenThere", "agora-official@lists.agora.example"),),
        (("List-Post", "<mailto:agora-business@lists.agora.example>"),),
    ],
)
def test_lists_are_known_by_their_headers(fields: tuple[tuple[str, str], ...]) -> None:
    """List-Id, X-BeenThere or List-Post: it came through the forum, and its stamp is looked for."""
    found = route((("Received", LIST), *fields), [AGORA, SPOON], ())

    assert (found.forums, found.through, found.stamps) == (("agora",), ("agora",), (("agora", AT),))


def test_an_addressed_forum_is_not_yet_passed_through() -> None:
    """A direct copy of a letter to both forums went to both, came through neither and has no stamp."""
    fields = (("To", "Agora <AGORA-business@lists.agora.example>"), ("Cc", "spoon@lists.b.example"), ("Received", LIST))
    found = route(fields, [AGORA, SPOON], ())

    assert (found.forums, found.through, found.stamps) == (("agora", "b"), (), ())


def test_the_subject_says_nothing() -> None:
    """A tag in the subject is anyone's to write (CFJ 3590)."""
    assert route((("Subject", "BUS: [s-b] x"),), [AGORA, SPOON], ()).forums == ()


@each(
    ("fields", "sent_to_us", "tag"),
    [
        ((("To", "wolf@wolf.example"),), True, ""),
        ((("Cc", "Wolf <WOLF@wolf.example>"),), True, ""),
        ((("To", "wolf+a1-b2@wolf.example"),), True, "a1-b2"),
        ((("Delivered-To", "wolf+x@wolf.example"),), True, "x"),
        ((("Delivered-To", "wolf@wolf.example"), ("To", "agora-business@lists.agora.example")), False, ""),
        ((("To", "wolfgang@wolf.example"),), False, ""),
    ],
)
def test_letters_to_the_contest_itself(fields: tuple[tuple[str, str], ...], sent_to_us: bool, tag: str) -> None:
    """To or Cc, or a blind copy; what a forum delivers to its subscriber is not a private letter."""
    found = route(fields, [AGORA], ("wolf@wolf.example",))

    assert (found.to_contestmaster, found.tag) == (sent_to_us, tag)
