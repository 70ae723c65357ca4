"""Where a letter came from: forums and their stamps, bounces, auto-replies, our own echo."""

from __future__ import annotations

import pytest

from nomicwolf.letters.compose import Envelope, compose, message_id
from nomicwolf.letters.letter import ForumInfo, Letter, Outgoing, Raw
from nomicwolf.letters.mime import make_letter
from nomicwolf.letters.origin import (
    Bounce,
    OwnMarks,
    answerable,
    bounce,
    hop,
    hosts_above,
    is_own,
    machine,
    return_path,
    route,
    stamp,
)
from nomicwolf.maillist import MailingList, distributed
from tests.tables import each

AGORA = ForumInfo("agora", ("agora-business@lists.agora.example", "agora-official@lists.agora.example"))
SPOON = ForumInfo("b", ("spoon@lists.b.example",), ("spoon.b.example",), ("relay.b.example",))
LIST = "from localhost (localhost [127.0.0.1]) by lists.agora.example (Postfix) with ESMTP; 1 Dec 2026 09:00:05 +0000"
OUR_HOP = "from lists.agora.example (lists.agora.example [192.0.2.7]) by mx.wolf.example; 1 Dec 2026 09:00:09 +0000"
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
        ([OUR_HOP, LIST], (), AT),
        ([LOCAL, OUR_HOP, LIST], ("wolf.example",), AT),
        ([LOCAL, LIST], (), AT),
        ([EVIL, LIST], (), None),
        ([UNKNOWN, LIST], (), None),
        ([LOCAL, EVIL, LIST], (), None),
        ([FROM_EVIL, RELAY, LIST], ("wolf.example",), None),
        ([FROM_EVIL, OUR_HOP, LIST], (), AT),
        ([FROM_EVIL, OUR_HOP, LIST], ("wolf.example",), None),
        ([FROM_EVIL, LOCAL, LIST], ("wolf.example",), None),
        ([LIST], ("wolf.example",), None),
        ([LIST], ("agora.example",), AT),
        (["(qmail 7 invoked from network); 1 Dec 2026 09:00:12 +0000", OUR_HOP, LIST], ("wolf.example",), None),
        ([INTERNAL, OUR_HOP, LIST], ("wolf.example",), None),
        ([INTERNAL, OUR_HOP, LIST], ("wolf.example", "2002:a00::/24"), AT),
        ([OUR_HOP], (), None),
        ([], (), None),
        (["by lists.agora.example", LIST], (), None),
    ],
)
def test_a_stamp_has_to_be_believable(received: list[str], own_hosts: tuple[str, ...], at: int | None) -> None:
    """The topmost one by the forum's host, if what stands above says that it came from there."""
    assert stamp([hop(value) for value in received], ("lists.agora.example",), own_hosts) == at


@pytest.mark.parametrize(("received", "hosts"), [
    ([OUR_HOP, LIST], ("mx.wolf.example",)),
    ([LOCAL, OUR_HOP, LIST], ("mx.wolf.example",)),
    ([INTERNAL, OUR_HOP, LIST], ("2002:a00::/24", "mx.wolf.example")),
    (["from mx6.messaging.example ([10.202.2.200]) by store.internal (LMTPProxy); 1 Dec 2026 09:00:12 +0000",
      OUR_HOP.replace("mx.wolf", "mx6.messaging"), LIST], ("store.internal", "mx6.messaging.example")),
    ([EVIL, LIST], ()),
    ([OUR_HOP], ()),
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

    assert stamp([hop(OUR_HOP), hop(LIST), hop(earlier)], ("lists.agora.example",)) == AT


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


FORUMS = (ForumInfo("agora", ("agora@lists.agora.example",)),)
MARKS = OwnMarks(b"k" * 32, ("wolf@wolf.example",), "c1")
LISTED = "List-Id: <agora.lists.agora.example>\n"


def letter_of(data: bytes) -> Letter:
    """Return the letter in *data*."""
    return make_letter(Raw("here", 1, 0, data, len(data)), FORUMS, ("wolf@wolf.example",))


def written(head: str, sender: str = "ash@example.org") -> Letter:
    """Return a letter of *sender* with further header lines."""
    return letter_of(f"From: {sender}\nMessage-ID: <a@b>\n{head}\nI vote for Gus.\n".encode())


@each(
    "head",
    ["Auto-Submitted: auto-replied\n", "Auto-Submitted: Auto-Generated (x); owner=x\n", "Return-Path: <>\n",
     "Return-Path:  <> \n", "Content-Type: multipart/report; report-type=delivery-status; boundary=x\n",
     "Content-Type: message/disposition-notification\n", "X-Autoreply: yes\n", "X-Autorespond: x\n",
     "X-Failed-Recipients: bex@example.org\n", "X-Auto-Response-Suppress: All\n", "Precedence: auto_reply\n",
     "Precedence: junk\n", "Subject: Automatic reply: x\n", "Subject: Out of Office: x\n",
     "X-Autogenerated: Reply\n", "X-POST-MessageClass: 9; Autoresponder\n", "X-FC-MachineGenerated: true\n",
     "Delivered-To: Autoresponder\n", "Auto-Submitted: no\nAuto-Submitted: auto-replied\n",
     "Subject: 自動返信: x\n", "Subject: Automatická odpoveď: x\n",
     "Subject: Undelivered Mail Returned to Sender\n", LISTED + "Auto-Submitted: auto-replied\n"],
)  # fmt: skip
def test_machines_are_told(head: str) -> None:
    """RFC 3834, 3464, 8098 and what answering machines add of their own; the reason is given."""
    assert machine(written(head))


@each(
    "head",
    ["Subject: AUTO: Ash is out of the office (returning 12/07/2026)\n",
     "Subject: AUTO: Ash ist bis zum 7.12. abwesend\n",
     "X-MIMETrack: Serialize by Router on MAIL01\nSubject: Ash Orr/Office/Acme is out of the office.\n",
     "X-Mailer: Lotus Notes Release 8.5\nSubject: Ash Orr is out of the office until 7 December\n",
     "Subject: Out of Office AutoReply: Werewolves\n", "Subject: Out of the office: Werewolves\n",
     "Subject: [Auto-Reply] Werewolves\n", "Subject: (AUTOREPLY) Re: Werewolves\n",
     "Subject: Automated response: we have got your message\n", "Subject: Auto-Responder: Werewolves\n",
     "Subject: OOO: back on Monday\n", "Subject: Vacation reply\n", "Subject: Away from my mail\n",
     "Subject: Respuesta automatica: Werewolves\n", "Subject: REPONSE AUTOMATIQUE : Werewolves\n",
     "Subject: Abwesenheit: Werewolves\n", "Subject: Fora do escrit\u00f3rio\n", "Subject: Afwezigheidsbericht\n",
     "Subject: Fr\u00e5nvaromeddelande\n", "Subject: Nieobecno\u015b\u0107\n",
     "Subject: Delivery delayed: Werewolves\n",
     "X-Auto-Response: yes\n", "X-MDAutoResponder: ash@example.org\n", "X-Amazon-Auto-Reply: true\n",
     "X-Autoreply-Version: 1\n", "X-Out-Of-Office: 1\n", "X-MS-Exchange-OOF-Type: External\n",
     "X-Automatic-Reply: 1\n", "X-Auto-Submitted: auto-replied\n", "X-RT-Loop-Prevention: acme\n",
     "X-Mailer: vacation 1.2.7\n", "User-Agent: Horde Autoresponder 5\n", "Precedence: auto-reply\n",
     "X-Message-Class: IPM.Note.Rules.OofTemplate.Microsoft\n", "Content-Class: urn:content-classes:mdn\n",
     "Subject: Your email requires verification verify#k3J\n"],
)  # fmt: skip
def test_machines_are_told_by_their_shape(head: str) -> None:
    """As Notes, Exchange, MDaemon, procmail, help desks and many others write: none of them is heard as a person."""
    assert machine(written(head))


@each(
    "head",
    ["Subject: Auto: my car broke down\n", "Subject: Bex is out of the office\n", "Subject: Automatic lynchings\n",
     "Subject: Absence of evidence\n", "Subject: OOOPS\n", "Subject: Vacation plans\n",
     "Subject: Vacationing wolves\n", "X-Loop: ash@example.org\n",
     "Subject: Response to Bex\n", "Subject: On holiday until Monday\n", "Subject: Autopsy of Gus\n",
     "Subject: Office of the Speaker\n",
     "Subject: Delivery of the verdict\n", "Subject: [Auto] report\n", "X-Autoresponse: off\n", "X-Autoreply: none\n",
     "X-Auto-Submitted: no\n", "X-Mailer: Lotus Notes\nSubject: I vote\n", "X-Mailer: Apple Mail\n",
     LISTED + "X-Loop: agora@lists.agora.example\n", "X-Automation: yes\n",
     "Subject: Reply: automatic\n", "Subject: Warning: wolves\n", "Subject: AW: Abwesenheitsnotiz f\u00fcr Gus\n"],
)  # fmt: skip
def test_people_are_not_machines_by_a_word(head: str) -> None:
    """A subject or a field that says such a word, and isn't of that shape, is a person's."""
    assert machine(written(head)) == ""


@pytest.mark.parametrize(
    "sender", ["MAILER-DAEMON@example.org", "no-reply@example.org", "agora-bounces@lists.agora.example"]
)
def test_robots_are_told_by_their_address(sender: str) -> None:
    """Nobody writes from these."""
    assert machine(written("", sender))


@each(
    "head",
    ["", "Auto-Submitted: no\n", "Auto-Submitted:\n", "Return-Path: <ash@example.org>\n", "X-Autoreply: no\n",
     LISTED + "Precedence: list\n", LISTED + "Precedence: bulk\n", LISTED + "X-Auto-Response-Suppress: All\n",
     "To: agora@lists.agora.example\nPrecedence: bulk\n", "Subject: Re: Automatic reply: x\n", "List-Id: <x.y>\n",
     "Subject: I am out of office next week\n"],
)  # fmt: skip
def test_people_on_lists_are_not_machines(head: str) -> None:
    """Precedence and list headers stand on most people's letters on lists."""
    assert machine(written(head)) == ""


def test_our_own_mail_is_known_when_it_comes_back() -> None:
    """Directly, through a forum, and through one that rewrites From: by the seal in its Message-ID."""
    envelope = Envelope("Wolf", "wolf@wolf.example", "c1", MARKS.secret, {"agora": "agora@lists.agora.example"})
    sent = compose(Outgoing("s1/e1", "public", "Day 1", "The day begins.", 0, forum="agora"), envelope)
    forum = MailingList("agora@lists.agora.example", "Agora", "BUS:", "x", (), rewrites_from=True)

    assert is_own(letter_of(sent), MARKS)
    assert is_own(letter_of(distributed(sent, forum, 0)), MARKS)
    assert is_own(letter_of(distributed(sent.replace(b"X-Nomicwolf-Instance", b"X-Lost"), forum, 0)), MARKS)
    assert not is_own(letter_of(distributed(sent, forum, 0)), OwnMarks(b"j" * 32, ("other@wolf.example",), "c2"))


@each(
    ("head", "sender", "ours"),
    [("", "wolf@wolf.example", True), ("", "WOLF@wolf.example", True), ("X-Nomicwolf-Instance: c1\n", "a@b.c", True),
     ("X-Nomicwolf-Instance: c2\n", "a@b.c", False), ("Sender: wolf@wolf.example\n", "a@b.c", False)],
)  # fmt: skip
def test_marks_of_our_own(head: str, sender: str, ours: bool) -> None:
    """Our address in From or our mark: not heard, also if it is forged."""
    assert is_own(written(head, sender), MARKS) == ours


def test_whom_to_answer() -> None:
    """A person gets an answer; a machine, ourselves, an unclear sender and whoever has had enough today don't."""
    assert answerable(written(""), MARKS)
    assert not answerable(written(""), MARKS, ("ASH@example.org",))
    assert not answerable(written("Auto-Submitted: auto-replied\n"), MARKS)
    assert not answerable(written("", "wolf@wolf.example"), MARKS)
    assert not answerable(written("", "a@b.c, d@e.f"), MARKS)


SECRET = b"0123456789abcdef"
OURS = message_id("private/s1/e9/private/Gus", SECRET, "contest.example")
REPORT = """\
Return-Path: <>
From: MAILER-DAEMON@mx.example
To: {to}
Subject: Undelivered Mail Returned to Sender
Message-ID: <report@mx.example>
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b

Your letter said: I attack Ash.
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example

Final-Recipient: rfc822; gus@players.example
Action: {action}
Status: {status}
--b
Content-Type: {kind}

{back}
--b--
"""


def told(
    to: str = "wolf@contest.example", action: str = "failed", status: str = "5.1.1", kind: str = "text/rfc822-headers",
    back: str = f"Message-ID: {OURS}\nSubject: secret\n",
) -> Bounce | None:
    """Return what a report says."""
    data = REPORT.format(to=to, action=action, status=status, kind=kind, back=back).replace("\n", "\r\n").encode()
    raw = Raw("p", 1, 1, data, len(data))
    return bounce(raw, make_letter(raw, (), ("wolf@contest.example",)), "contest.example")


def test_the_return_path_names_the_letter() -> None:
    """A report to the letter's own address tells which it was, even if it brings nothing of it back (RFC 3461, 4.3)."""
    path = return_path("wolf@contest.example", OURS)
    assert path.startswith("wolf+b-")
    assert "Gus" not in path

    assert told(to=path, back="Subject: x\n") == Bounce("5.1.1", (OURS,))
    assert told(to=path.upper(), back="Subject: x\n") == Bounce("5.1.1", (OURS,))


@pytest.mark.parametrize("kind", ["text/rfc822-headers", "message/rfc822"])
def test_the_headers_that_come_back_name_it_too(kind: str) -> None:
    """Where a server knows no subaddresses, the Message-ID in what it returns tells which letter it was."""
    assert told(kind=kind) == Bounce("5.1.1", (OURS,))


@each("action", ["delayed", "relayed", "delivered", "expanded", ""])
def test_what_is_no_failure_is_none(action: str) -> None:
    """A server that goes on trying, or has passed the letter on, has not given it up (RFC 3464, 2.3.3)."""
    assert told(action=action) is None


def test_a_status_that_is_none_is_not_repeated() -> None:
    """Nothing that somebody else wrote gets into the contestmaster's letters."""
    assert told(status="I attack Ash") == Bounce("", (OURS,))
    assert told(status="5.1.1 (no such user)") == Bounce("5.1.1", (OURS,))


def test_a_sender_without_room_stays_plain() -> None:
    """A local part holds 64 bytes at most (RFC 5321, 4.5.3.1.1)."""
    long = "a" * 40 + "@contest.example"
    assert return_path(long, OURS) == long
