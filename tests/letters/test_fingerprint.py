"""One act, many copies: both forums and the direct way give one digest, another text another one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomicwolf.letters.letter import ForumInfo, Raw
from nomicwolf.letters.mime import make_letter
from nomicwolf.maillist import MailingList, distributed
from tests.tables import each

RULE = "_" * 47
AGORA = MailingList("agora@lists.agora.example", "Agora", "BUS:", f"{RULE}\nagora mailing list\nhttp://a/x\n", ())
SPOON = MailingList(
    "spoon@lists.b.example", "B", "[s-b]", f"{RULE}\nspoon mailing list\n", (),
    reply_to="spoon-discuss@lists.b.example", rewrites_from=True,
)  # fmt: skip
FORUMS = (
    ForumInfo("agora", ("agora@lists.agora.example",)),
    ForumInfo("b", ("spoon@lists.b.example",)),
    ForumInfo("discussion", ("spoon-discuss@lists.b.example",)),
)
POST = (
    b"From: Ash <ash@example.org>\r\nTo: agora@lists.agora.example, spoon@lists.b.example\r\nSubject: lynch\r\n"
    b"Date: Tue, 01 Dec 2026 09:00:00 +0000\r\nMessage-ID: <a@mail.example.org>\r\n\r\n"
)


def digest_of(data: bytes) -> str:
    """Return the digest of the letter in *data*."""
    return make_letter(Raw("here", 1, 0, data, len(data)), FORUMS, ("wolf@wolf.example",)).digest


LINES = st.lists(st.text(alphabet="IvoteGus. >\t", max_size=20), max_size=6)
TEXTS = LINES.map(lambda lines: "\r\n".join(lines).encode())


@given(TEXTS, st.integers(0, 2_000_000_000))
def test_copies_through_both_forums_and_directly_are_one_act(body: bytes, at: int) -> None:
    """Tags, footers, rewritten From, line ends and spaces at line ends make no difference (NC 1g, CFJ 2800)."""
    direct = POST + body + b"\r\n"
    bare = direct.replace(b"\r\n", b"\n")

    assert digest_of(distributed(direct, AGORA, at)) == digest_of(direct) == digest_of(bare)
    assert digest_of(distributed(direct, SPOON, at)) == digest_of(direct)


@pytest.mark.parametrize(
    ("old", "new"),
    [(b"Gus", b"Hal"), (b"<a@mail", b"<b@mail"), (b"<ash@", b"<bex@"), (b"vote for", b"votefor")],
)
def test_other_letters_are_other_acts(old: bytes, new: bytes) -> None:
    """Another text under the same Message-ID, another id, another author: not a copy (CFJ 3572)."""
    letter = POST + b"I vote for Gus.\r\n"

    assert digest_of(letter) != digest_of(letter.replace(old, new))


def test_without_a_message_id_the_date_tells_letters_apart() -> None:
    """Text, author and Date header stand in for a missing id."""
    bare = POST.replace(b"Message-ID: <a@mail.example.org>\r\n", b"")

    assert digest_of(bare + b"x") == digest_of(bare + b"x \r\n")
    assert digest_of(bare + b"x") != digest_of(bare.replace(b"09:00:00", b"09:00:01") + b"x")


@pytest.mark.parametrize("text", [b"I vote for Gus.\r\n", b"I vote for Gus.\r\n-- \r\nAsh\r\n"])
@each("rule", [b"-- ", b"--", b"---", b"\r\n-- \r\n"])
def test_the_rule_above_a_footer_goes_with_it(text: bytes, rule: bytes) -> None:
    """Google Groups put a signature's delimiter there: each copy from it was another text."""
    footer = b'\r\nYou received this message because you are subscribed to the Google Groups "b" group.\r\n'
    assert digest_of(POST + text + b"\r\n" + rule + footer) == digest_of(POST + text)


def test_encodings_make_no_difference() -> None:
    """A list may send on as base64 what came as plain text."""
    plain = POST.replace(b"\r\n\r\n", b"\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n")
    coded = plain.replace(b"\r\n\r\n", b"\r\nContent-Transfer-Encoding: base64\r\n\r\n")

    assert digest_of(plain + "Å vote".encode()) == digest_of(coded + b"w4Ugdm90ZQ==")
