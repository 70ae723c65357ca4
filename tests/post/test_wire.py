"""On the wire: whatever stands in a letter, the server sees one letter, and its own lines only (CVE-2023-51766)."""

from __future__ import annotations

import pytest

from nomicwolf.letters.compose import Envelope, compose
from nomicwolf.letters.letter import Outgoing
from nomicwolf.post.smtp import Job, Wire, send
from tests.post.scripted import SmtpScript, smtp_server
from tests.tables import each

ENVELOPE = Envelope("Wolf", "wolf@contest.test", "w1", b"k" * 32, {"agora": "agora@lists.test"})
SMUGGLED = "MAIL FROM:<wolf@contest.test>\r\nRCPT TO:<agora@lists.test>\r\nDATA\r\nSubject: forged\r\n\r\nGus is dead."
ENDS = ("\r\n.\r\n", "\n.\n", "\r.\r", "\n.\r\n", "\r\n.\n", "\r\n.\r", "\x00\r\n.\r\n", "\n..\n", "\r\n.\x00\r\n")


def on_the_wire(outgoing: Outgoing) -> list[tuple[str, bytes]]:
    """Send *outgoing*; return what the server took, as (recipient, bytes)."""
    script = SmtpScript()
    fates: list[str] = []
    with smtp_server(script) as port:
        wire = Wire("127.0.0.1", "wolf@contest.test", "", "", port, "none", 5, 1)
        job = Job(outgoing.key, "bex@players.test", compose(outgoing, ENVELOPE))
        send([job], wire, lambda _: None, lambda _, fate, why: fates.append(fate))
    assert fates == ["sent"]
    return script.taken


@each("end", ENDS)
def test_no_text_ends_a_letter_before_its_end(end: str) -> None:
    """A full stop on a line of its own, with whatever line ends, stays within the one letter to the one recipient."""
    body = f"You wrote:\n> x{end}{SMUGGLED}\nGoodbye."
    taken = on_the_wire(Outgoing("k", "private", "a note", body, 0, to="bex@players.test", person="Bex"))

    assert [to for to, _ in taken] == ["bex@players.test"]
    data = taken[0][1]
    assert b"Goodbye." in data
    assert data.count(b"\r") == data.count(b"\n") == data.count(b"\r\n")
    assert b"\x00" not in data


@pytest.mark.parametrize(
    "text", ["x\r\nBcc: agora@lists.test", "x\nTo: agora@lists.test\n\nbody", "x\r\rSubject: y", "\x00"])
def test_no_subject_becomes_a_header(text: str) -> None:
    """Whatever stands in a subject or a name, the header fields on the wire are those that we write."""
    taken = on_the_wire(Outgoing("k", "private", text, "Hello.", 0, to="bex@players.test", person="Bex"))
    head = taken[0][1].partition(b"\r\n\r\n")[0]
    names = [line.partition(b":")[0] for line in head.split(b"\r\n") if line[:1] not in b" \t"]

    assert names == [
        b"Date", b"From", b"Reply-To", b"To", b"Message-ID", b"Subject", b"List-Id", b"Auto-Submitted",
        b"X-Auto-Response-Suppress", b"X-Nomicwolf-Instance", b"MIME-Version", b"Content-Type",
        b"Content-Transfer-Encoding",
    ]  # fmt: skip
