"""IMAP: every letter once, in order, whatever the server does, and nothing touched there."""

from __future__ import annotations

import smtplib
import socket
from collections.abc import Iterable, Iterator
from typing import Literal

import pytest
from imapclient import IMAPClient

from nomicwolf.mailworld import MailWorld
from nomicwolf.post import imap
from nomicwolf.post.imap import CHUNK, ImapAccount, ImapSource
from nomicwolf.post.imap_client import Client, usual
from nomicwolf.post.refusals import Away, Denied
from nomicwolf.post.source import Fetched, Known, Mark
from tests.post.scripted import ImapScript, imap_server
from tests.servers.dovecot import PASSWORD, Dovecot
from tests.tables import each

LETTER = b"From: ash@players.example\r\nMessage-ID: <%d@x>\r\n\r\nI vote for Gus.\r\n"


def letters(*uids: int) -> dict[int, bytes]:
    """Return a mailbox with a letter at each UID."""
    return {uid: LETTER % uid for uid in uids}


def nothing(places: Iterable[str]) -> set[str]:
    """Know nothing."""
    return set()


@pytest.fixture
def script() -> ImapScript:
    """Return a mailbox with three letters."""
    return ImapScript(letters(3, 5, 9))


@pytest.fixture
def source(script: ImapScript) -> Iterator[ImapSource]:
    """Return the source that reads it."""
    with imap_server(script) as port:
        made = ImapSource(ImapAccount("127.0.0.1", "wolf", "secret", port, "none", timeout=2), 1000)
        yield made
        made.close()


def all_of(source: ImapSource, mark: Mark | None = None, known: Known = nothing) -> list[Fetched]:
    """Fetch to the end."""
    return list(source.fetch(mark, known))


def test_letters_come_in_order_with_their_marks(source: ImapSource) -> None:
    """Rising UIDs, the server's date in UTC, the whole bytes, and a mark after each."""
    found = all_of(source)
    assert [(f.raw.order, f.mark) for f in found] == [(uid, (source.name, 7, uid)) for uid in (3, 5, 9)]
    assert found[0].raw.data == LETTER % 3
    assert found[0].raw.arrived == 1_800_000_003
    assert found[0].raw.place == f"{source.name};UIDVALIDITY=7;UID=3"
    assert source.mark_after() == (source.name, 7, 9)


def test_only_what_is_behind_the_mark(source: ImapSource, script: ImapScript) -> None:
    """`UID 10:*` makes a server name its last letter again (RFC 9051): that one is known."""
    assert [f.raw.order for f in all_of(source, (source.name, 7, 5))] == [9]
    assert all_of(source, (source.name, 7, 9)) == []
    script.letters |= letters(12)
    assert [f.raw.order for f in all_of(source, (source.name, 7, 9))] == [12]


def test_the_idle_check_is_one_command(source: ImapSource, script: ImapScript) -> None:
    """STATUS tells whether there is anything; no mailbox is opened for it."""
    assert source.nothing_new((source.name, 7, 9))
    assert not source.nothing_new((source.name, 7, 5))
    assert not source.nothing_new((source.name, 6, 9))
    assert not source.nothing_new(None)
    assert {command.split()[0] for command in script.asked} <= {"LOGIN", "STATUS", "CAPABILITY"}


def test_nothing_is_changed_on_the_server(source: ImapSource, script: ImapScript) -> None:
    """Only EXAMINE and PEEK, and no range that ends in a star but the search's."""
    all_of(source)
    source.close()
    said = " ".join(script.asked)
    assert "SELECT" not in said.replace("EXAMINE", "")
    assert "STORE" not in said
    assert all("PEEK" in command for command in script.asked if "BODY" in command)
    assert not any("*" in command for command in script.asked if "FETCH" in command)


def test_big_letters_bring_their_headers_only(source: ImapSource, script: ImapScript) -> None:
    """Size comes first; above the limit the text is never fetched, and order stays."""
    script.letters[5] += b"x" * 5000
    found = all_of(source)
    assert [(f.raw.order, f.raw.truncated) for f in found] == [(3, False), (5, True), (9, False)]
    assert found[1].raw.data.endswith(b"<5@x>\r\n\r\n")
    assert found[1].raw.size == len(script.letters[5])


@pytest.mark.parametrize("beginnings", ["given", "whole", "ignored", "refused", "turned"])
def test_letters_of_all_sizes_come_whole_and_in_order(
    script: ImapScript, source: ImapSource, monkeypatch: pytest.MonkeyPatch,
    beginnings: Literal["given", "whole", "ignored", "refused", "turned"],
) -> None:
    """Whatever a server makes of a question for the first 100 bytes (RFC 9051 6.4.5); and one above the limit."""
    monkeypatch.setattr(imap, "FIRST", 100)
    script.beginnings = beginnings
    sizes = (80, 99, 100, 101, 999, 1000)
    script.letters = {uid: (LETTER % uid).ljust(size, b"x") for uid, size in enumerate(sizes, 1)}
    script.letters[7] = LETTER % 7 + b"x" * 1000
    found = all_of(source)
    assert [f.raw.data for f in found[:6]] == list(script.letters.values())[:6]
    assert [(f.raw.order, f.raw.truncated, f.raw.size) for f in found] == [
        (uid, uid == 7, len(data)) for uid, data in script.letters.items()]
    assert found[6].raw.data == b"From: ash@players.example\r\nMessage-ID: <7@x>\r\n\r\n"
    assert {f.raw.arrived for f in found} == {1_800_000_000 + uid for uid in script.letters}


def test_a_plain_mailbox_takes_one_command(script: ImapScript, source: ImapSource) -> None:
    """Sizes, dates and letters come in one answer."""
    assert len(all_of(source)) == 3
    assert sum(command.startswith("UID FETCH") for command in script.asked) == 1


def test_many_letters_are_asked_for_in_parts(source: ImapSource, script: ImapScript) -> None:
    """No line of ours is longer than servers take: at most 500 numbers in a command."""
    script.letters = letters(*range(1, 2403, 2))
    assert len(all_of(source)) == 1201
    assert all(command.count(",") < 500 for command in script.asked)


def test_a_new_uidvalidity_means_reading_again(source: ImapSource, script: ImapScript) -> None:
    """Numbers mean other letters then; every letter is given again, under another place."""
    script.validity = 8
    found = all_of(source, (source.name, 7, 9))
    assert [f.raw.order for f in found] == [3, 5, 9]
    assert "UIDVALIDITY=8" in found[0].raw.place


def test_after_a_lost_mark_known_places_are_skipped(source: ImapSource) -> None:
    """Reading again from the start doesn't fetch what was heard."""
    known = {f"{source.name};UIDVALIDITY=7;UID=3", f"{source.name};UIDVALIDITY=7;UID=9"}
    assert [f.raw.order for f in all_of(source, None, known.intersection)] == [5]


def test_after_a_lost_mark_nothing_is_asked_for_if_all_is_known(source: ImapSource, script: ImapScript) -> None:
    """No FETCH without numbers is given, which no server would understand; also where one of many chunks is known."""
    script.letters = letters(*range(1, 2 * CHUNK + 10))
    known = {f.raw.place for f in all_of(source)}
    before = len(script.asked)
    assert all_of(source, None, known.intersection) == []
    assert not [command for command in script.asked[before:] if "FETCH" in command]
    known -= {f"{source.name};UIDVALIDITY=7;UID={2 * CHUNK + 1}"}
    assert [f.raw.order for f in all_of(source, None, known.intersection)] == [2 * CHUNK + 1]


def test_numbers_given_twice_lose_no_letter(source: ImapSource, script: ImapScript) -> None:
    """A broken server that starts again from 1 under the same UIDVALIDITY: new letters are seen all the same."""
    known = {f.raw.place for f in all_of(source)}
    script.letters = {3: LETTER % 33}
    found = all_of(source, (source.name, 7, 9), known.intersection)
    assert [f.raw.data for f in found] == [LETTER % 33]
    assert ";AGAIN=" in found[0].raw.place
    known.add(found[0].raw.place)
    assert source.mark_after() == (source.name, 7, 3)
    script.letters[5] = LETTER % 55
    found = all_of(source, (source.name, 7, 3), known.intersection)
    assert [f.raw.data for f in found] == [LETTER % 55]
    assert all_of(source, (source.name, 7, 9), {*known, found[0].raw.place}.intersection) == []


@pytest.mark.parametrize("low", [False, True])
def test_numbers_of_one_look_are_no_places(source: ImapSource, script: ImapScript, *, low: bool) -> None:
    """RFC 4315 UIDNOTSTICKY: letters are known by their bytes at the next look; two copies are two letters."""
    script.letters, script.sticky, script.low = {1: LETTER, 2: b"Subject: other\r\n\r\n", 3: LETTER}, False, low
    first = list(source.fetch(None, nothing))
    places = {f.raw.place for f in first}
    mark = source.mark_after()
    assert [f.raw.data for f in first] == [*script.letters.values()]
    assert len(places) == 3
    assert not source.nothing_new(mark)

    script.letters = {5: LETTER, 6: LETTER, 7: b"Subject: other\r\n\r\n", 8: b"Subject: new\r\n\r\n"}
    new = list(source.fetch(mark, lambda asked: places & set(asked)))
    assert [f.raw.data for f in new] == [b"Subject: new\r\n\r\n"]


def test_expunged_letters_are_not_looked_for_again(source: ImapSource, script: ImapScript) -> None:
    """The mark goes up to UIDNEXT, so that the idle check is idle."""
    script.letters, script.uidnext = {}, 20
    assert all_of(source, (source.name, 7, 9)) == []
    assert source.mark_after() == (source.name, 7, 19)
    assert source.nothing_new((source.name, 7, 19))


def test_a_letter_that_is_there_but_not_given_is_not_passed_over(source: ImapSource, script: ImapScript) -> None:
    """It could be a vote: the run ends before it, says which it is, and the next one asks again."""
    script.withheld = frozenset({sorted(script.letters)[1]})
    with pytest.raises(Away, match=r"has letter 5 of INBOX, but doesn't give it.*move that letter"):
        all_of(source)
    assert source.mark_after() is None
    script.withheld = frozenset()
    assert len(all_of(source)) == 3


def test_a_letter_that_was_expunged_in_between_is_passed_over(source: ImapSource, script: ImapScript) -> None:
    """It was found, and is gone when it is asked for."""
    script.expunged = frozenset({4, 7})
    assert [fetched.raw.order for fetched in all_of(source)] == [3, 5, 9]


def test_a_stand_in_is_no_letter(source: ImapSource, script: ImapScript) -> None:
    """Courier gives a letter of its own in place of one that another client has expunged, and finds it until NOOP."""
    script.unavailable = frozenset({5})
    assert [(fetched.raw.order, fetched.raw.data) for fetched in all_of(source)] == [(3, LETTER % 3), (9, LETTER % 9)]


@pytest.mark.parametrize("limit", [1000, 100])
def test_a_letter_that_a_stand_in_is_given_for_is_not_passed_over(script: ImapScript, limit: int) -> None:
    """The server has it still, and can't open it now: it could be a vote; asked for whole, or for its headers alone."""
    script.unavailable, script.taken = frozenset({5}), False
    with imap_server(script) as port:
        source = ImapSource(ImapAccount("127.0.0.1", "wolf", "secret", port, "none", timeout=2), limit)
        with pytest.raises(Away, match="has letter 5 of INBOX, but doesn't give it"):
            all_of(source)
        script.unavailable = frozenset()
        assert [fetched.raw.data for fetched in all_of(source)] == [LETTER % uid for uid in (3, 5, 9)]
        source.close()


def test_a_connection_that_breaks_is_away(source: ImapSource, script: ImapScript) -> None:
    """Half a letter is none: what came before it stands, and the next run goes on."""
    script.cut_in = "BODY.PEEK"
    with pytest.raises(Away, match="next run goes on"):
        all_of(source)
    script.cut_in = ""
    assert len(all_of(source)) == 3


@pytest.mark.parametrize("size", [70_000_000, 99_999_999_999_999])
def test_a_literal_that_is_announced_and_huge_is_not_read(source: ImapSource, script: ImapScript, size: int) -> None:
    """Whatever a server says that it will send, no more is asked of the memory than an answer may have."""
    script.status = (f"* STATUS {{{size}}}", "OK done")
    with pytest.raises(Away, match=r"more than 6[78][0-9]{6} bytes in answer to one command"):
        source.nothing_new((source.name, 7, 9))


def test_an_answer_without_end_is_not_kept(source: ImapSource, script: ImapScript) -> None:
    """A server that says more and more behind one question is given up."""
    script.listed_all = ("* SEARCH" + 400_000 * " 1",) * 200
    with pytest.raises(Away, match=r"more than 6[78][0-9]{6} bytes in answer to one command"):
        all_of(source)


def test_a_server_that_hangs_is_away(source: ImapSource, script: ImapScript) -> None:
    """Every answer has its time."""
    script.hang_in = "SEARCH"
    with pytest.raises(Away, match="timed out"):
        all_of(source)
    script.gone.set()


def test_a_server_that_says_bye_is_away(source: ImapSource, script: ImapScript) -> None:
    """A greeting of BYE is a server that is going away, not a wrong setting (RFC 9051 7.1.5)."""
    script.greeting = "BYE shutting down"
    with pytest.raises(Away, match=r": broke off: \* BYE shutting down; the next run goes on"):
        all_of(source)


@pytest.mark.parametrize(("refusal", "error"), [
    ("NO [AUTHENTICATIONFAILED] wrong", Denied),
    ("NO [UNAVAILABLE] later", Away),
    ("NO [LIMIT] many sessions", Away),
    ("NO [ALERT] Too many simultaneous connections. (Failure)", Away),
])
def test_refused_logins(source: ImapSource, script: ImapScript, refusal: str, error: type[Exception]) -> None:
    """A wrong password needs the contestmaster; a server that can't look it up needs time."""
    script.refuse_login = refusal
    with pytest.raises(error, match=r"imap 127\.0\.0\.1"):
        all_of(source)


def test_no_such_mailbox(source: ImapSource, script: ImapScript) -> None:
    """The key to look at is named."""
    script.refusals["EXAMINE"] = "NO no such mailbox"
    with pytest.raises(Denied, match=r"imap\.mailbox"):
        all_of(source)


@pytest.mark.parametrize(("named", "folders", "told"), [
    ("wolf", ('(\\Marked) "." "INBOX"', '() "." INBOX.wolf'), "no such mailbox; the server has 'INBOX.wolf'; look"),
    ("Lists/Wolf", ('() "." INBOX', '() "." INBOX.Lists.wolf'), "the server has 'INBOX.Lists.wolf'; look"),
    ("Wolfs", ("() NIL INBOX", "() NIL Wolf"), "the server has 'Wolf'; look"),
    ("W\u00f6lfe", ('() "/" INBOX', '() "/" "INBOX/W&APY-lfe"'), "the server has 'INBOX/W\u00f6lfe'; look"),
    ("wolf", tuple(f'() "/" box{n}/wolf' for n in range(5)), "has 'box0/wolf', 'box1/wolf', 'box2/wolf'; look"),
    ("wolf", ('() "." "INBOX"',), "no such mailbox; look"),
    ("wolf", ("what?",), "no such mailbox; look"),
])
def test_mailboxes_of_a_like_name_are_told(
    script: ImapScript, named: str, folders: tuple[str, ...], told: str,
) -> None:
    """Courier and Cyrus have all of a user's mailboxes below INBOX (RFC 2342), where mail programs don't show it."""
    script.refusals["EXAMINE"], script.folders = "NO no such mailbox.", folders
    with imap_server(script) as port:
        source = ImapSource(ImapAccount("127.0.0.1", "wolf", "secret", port, "none", named, 2), 1000)
        with pytest.raises(Denied) as refused:
            all_of(source)
        source.close()
    assert told in str(refused.value)


@pytest.mark.parametrize("answer", ["* BYE going down", "Good evening!", "* OK " + 1_100_000 * "x", "drop"])
def test_a_login_that_breaks_off(source: ImapSource, script: ImapScript, answer: str) -> None:
    """Only a server's no is about the password; anything else is a server that is away."""
    script.refuse_login, script.cut_in = (answer, "") if answer != "drop" else ("", "LOGIN")
    with pytest.raises(Away, match=r"next run (tries again|goes on)"):
        all_of(source)


def test_a_greeting_that_wants_no_login(source: ImapSource, script: ImapScript) -> None:
    """PREAUTH (RFC 9051 7.1.4): the letters are read, and no password goes out."""
    script.greeting = "PREAUTH welcome"
    assert [f.raw.order for f in all_of(source)] == [3, 5, 9]
    assert "LOGIN" not in script.asked


@pytest.mark.parametrize("greeting", ["220 mail.example ESMTP", "HTTP/1.1 400 Bad Request", "+OK POP3 ready"])
def test_a_port_of_another_service(source: ImapSource, script: ImapScript, greeting: str) -> None:
    """Whoever mixed up the ports is told so."""
    script.greeting = greeting
    with pytest.raises(Denied, match=r"no IMAP server .* imap\.port"):
        all_of(source)


def test_a_mailbox_that_is_in_use(source: ImapSource, script: ImapScript) -> None:
    """A no for now (RFC 5530) is no wrong setting."""
    script.refusals["EXAMINE"] = "NO [INUSE] somebody repairs it"
    with pytest.raises(Away, match="INUSE"):
        all_of(source)


@pytest.mark.parametrize("status", [
    ("", "NO not now"), ("", "BAD what?"), ("", "OK said nothing"), ("* STATUS INBOX (UIDVALIDITY 7", "OK cut"),
    ("* STATUS INBOX (UIDVALIDITY x UIDNEXT y)", "OK no numbers"), ("* STATUS INBOX ()", "OK empty"),
])
def test_a_server_that_cannot_tell_a_mailbox_s_status(
    source: ImapSource, script: ImapScript, status: tuple[str, str]
) -> None:
    """It has its mailbox opened: the idle check is a short cut and nothing that reading hangs on."""
    script.status = status
    assert not source.nothing_new((source.name, 7, 9))
    assert [f.raw.order for f in all_of(source, (source.name, 7, 3))] == [5, 9]


@pytest.mark.parametrize("line", ["I see Bex.", "* SEARCH Bex", "ABCD9 Bex", "* X Bex {999999999999999}"])
def test_no_piece_of_a_letter_is_told(source: ImapSource, script: ImapScript, line: str) -> None:
    """A server that is out of step may say a letter's lines where its answers belong: no error repeats them."""
    script.listed_all = (line,)
    with pytest.raises(Away, match=r"broke off: .*next run goes on") as told:
        all_of(source)
    assert "bex" not in str(told.value).lower()


def test_a_mailbox_that_is_not_there_is_told_by_the_idle_check(source: ImapSource, script: ImapScript) -> None:
    """`nomicwolf check` asks by it whether imap.mailbox is right."""
    script.status, script.refusals = ("", "NO no such mailbox"), {"EXAMINE": "NO no such mailbox"}
    with pytest.raises(Denied, match=r"imap\.mailbox"):
        source.nothing_new((source.name, 0, 0))


@pytest.mark.parametrize("most", [0, 1, 40])
def test_a_server_that_gives_less_than_it_is_asked_for(source: ImapSource, script: ImapScript, most: int) -> None:
    """A beginning that is shorter than the letter is no letter: it is asked for whole."""
    script.most = most
    assert [f.raw.data for f in all_of(source)] == [LETTER % uid for uid in (3, 5, 9)]


def test_a_letter_that_comes_empty_is_not_passed_over(source: ImapSource, script: ImapScript) -> None:
    """No byte of a letter that has some: the run ends before it, and the next one asks again."""
    script.empty = frozenset({5})
    read: list[int] = []
    with pytest.raises(Away, match="has letter 5"):
        read.extend(f.raw.order for f in source.fetch(None, nothing))
    script.empty = frozenset()
    assert [f.raw.order for f in all_of(source, (source.name, 7, 3))] == [5, 9]


def test_a_server_that_speaks_in_lower_case(source: ImapSource, script: ImapScript) -> None:
    """The words of IMAP are the same in any case (RFC 9051 9), and a text behind OK is more than some have to say."""
    script.low, script.greeting = True, "OK [CAPABILITY IMAP4rev1]"
    assert [(f.raw.order, f.raw.data) for f in all_of(source)] == [(uid, LETTER % uid) for uid in (3, 5, 9)]
    assert all_of(source)[0].raw.arrived == 1_800_000_003
    assert source.mark_after() == (source.name, 7, 9)
    before = len(script.asked)
    assert source.nothing_new((source.name, 7, 9))
    assert script.asked[before:] == ['STATUS "INBOX" (UIDVALIDITY UIDNEXT)']


@each(("line", "known"), [
    (b"* 1 FETCH (UID 7)", b"* 1 FETCH (UID 7)"),
    (b"*  3   exists", b"* 3 EXISTS"),
    (b"* ok [uidvalidity 7] valid", b"* OK [UIDVALIDITY 7] valid"),
    (b"ABCD3 Ok", b"ABCD3 OK "),
    (b"ABCD3 no [inuse] not now", b"ABCD3 NO [INUSE] not now"),
    (b"+ go on", b"+ go on"),
    (b" flags (\\seen))", b" flags (\\seen))"),
    (b"I see Bex.", b"I see Bex."),
    (b"* 1 FETCH (UID 7 BODY[] ~{5}", b"* 1 FETCH (UID 7 BODY[] {5}"),
    (b" BODY[] {5+}", b" BODY[] {5}"),
])
def test_lines_in_their_usual_form(line: bytes, known: bytes) -> None:
    """Only the words that begin an answer are put in upper case, and nothing that isn't one."""
    assert usual(line) == known


def test_a_server_of_imap4rev2_alone(source: ImapSource, script: ImapScript) -> None:
    """It answers SEARCH by ESEARCH (RFC 9051 7.3.4), whose sets may be ranges, also from behind."""
    script.capability, script.listed_all = "IMAP4rev2", ('* ESEARCH (TAG "A1") UID ALL 9,5:3',)
    script.expunged = frozenset({4})
    assert [f.raw.order for f in all_of(source)] == [3, 5, 9]


@pytest.mark.parametrize("line", ["* ESEARCH UID ALL 1:4294967295", "* ESEARCH UID ALL 3,,5", "* SEARCH 3,5"])
def test_a_search_that_tells_no_numbers(source: ImapSource, script: ImapScript, line: str) -> None:
    """Nor does an endless range fill the memory: the next run asks again."""
    script.listed_all = (line,)
    with pytest.raises(Away, match="can't be understood"):
        all_of(source)


@pytest.mark.parametrize("greeting", ["OK scripted", "PREAUTH as somebody"])
def test_without_starttls_nothing_is_told(script: ImapScript, greeting: str) -> None:
    """Somebody on the way may have taken the offer out, or made the greeting (RFC 9051 11.1): no name, no password."""
    script.greeting = greeting
    with imap_server(script) as port:
        plain = ImapSource(ImapAccount("127.0.0.1", "wolf", "secret", port, "starttls", timeout=2), 1000)
        with pytest.raises(Denied, match=r"imap\.security"):
            all_of(plain)
    assert set(script.asked) <= {"CAPABILITY", "STARTTLS", "LOGOUT"}


@pytest.mark.parametrize(("user", "password", "offers"), [
    ("wolf", "pässwörd", ""), ("wölf", "secret", ""), ("a wolf", "secret", ""), ("CONTEST\\wolf", "secret", ""),
    ("wolf", "secret", " LOGINDISABLED"),
])
def test_what_login_is_not_for(script: ImapScript, user: str, password: str, offers: str) -> None:
    """Names and passwords beyond ASCII, and servers that forbid LOGIN: by SASL PLAIN (RFC 4616), in UTF-8."""
    script.capability = f"IMAP4rev1 AUTH=PLAIN{offers}"
    with imap_server(script) as port:
        other = ImapSource(ImapAccount("127.0.0.1", user, password, port, "none", timeout=2), 1000)
        assert len(all_of(other)) == 3
        other.close()
    assert script.authenticated == f"\0{user}\0{password}".encode()
    assert "LOGIN" not in script.asked


@pytest.mark.parametrize(("user", "said"), [
    ("wolf", 'wolf "a \\"b\\\\c"'), ("a wolf", '"a wolf" "a \\"b\\\\c"'),
    ('CONTEST\\w"f', '"CONTEST\\\\w\\"f" "a \\"b\\\\c"'),
])
def test_a_name_is_quoted_where_login_is_all_there_is(script: ImapScript, user: str, said: str) -> None:
    """A space ends a name otherwise, and the password is half of it (RFC 9051 9)."""
    with imap_server(script) as port:
        other = ImapSource(ImapAccount("127.0.0.1", user, 'a "b\\c', port, "none", timeout=2), 1000)
        assert len(all_of(other)) == 3
        other.close()
    assert script.logged_in == said


@pytest.mark.parametrize(("user", "password"), [("wolf", "secret\r\nA9 LOGOUT"), ("wolf\n", "secret")])
def test_no_line_break_in_a_name_or_password_becomes_a_command(script: ImapScript, user: str, password: str) -> None:
    """As one could come from a keyring."""
    with imap_server(script) as port:
        other = ImapSource(ImapAccount("127.0.0.1", user, password, port, "none", timeout=2), 1000)
        with pytest.raises(Denied, match=r"line break .*imap\.password"):
            all_of(other)
    assert "LOGIN" not in script.asked


@pytest.mark.parametrize(("password", "offers", "hint"), [
    ("pässwörd", "", "AUTH=PLAIN"), ("secret", " LOGINDISABLED", r"imap\.security"),
])
def test_a_server_that_takes_no_such_login(script: ImapScript, password: str, offers: str, hint: str) -> None:
    """It is told no password, and the contestmaster is told why."""
    script.capability = f"IMAP4rev1{offers}"
    with imap_server(script) as port:
        other = ImapSource(ImapAccount("127.0.0.1", "wolf", password, port, "none", timeout=2), 1000)
        with pytest.raises(Denied, match=hint):
            all_of(other)
    assert "LOGIN" not in script.asked


def test_dovecot_takes_a_password_beyond_ascii(dovecot: Dovecot) -> None:
    """As real servers do."""
    with (dovecot.folder / "users").open("a", encoding="utf-8") as file:
        file.write("owl:{PLAIN}pässwörd\n")
    owl = ImapSource(ImapAccount("127.0.0.1", "owl", "pässwörd", dovecot.imap_port, "none", timeout=20), 1000)
    assert all_of(owl) == []
    owl.close()


def test_a_login_that_wants_privacy(source: ImapSource, script: ImapScript) -> None:
    """RFC 5530: it is no wrong password."""
    script.refuse_login = "NO [PRIVACYREQUIRED] not without TLS"
    with pytest.raises(Denied, match=r"set imap\.security"):
        all_of(source)


def test_uids_in_several_lines(source: ImapSource, script: ImapScript) -> None:
    """SEARCH may be answered by more than one line, and with a MODSEQ behind (RFC 7162 3.1.5)."""
    script.listed_all = ("* SEARCH 9 3", "* SEARCH", "* SEARCH 5 (MODSEQ 917)")
    assert [f.raw.order for f in all_of(source)] == [3, 5, 9]


def test_a_mailbox_of_very_many_letters(source: ImapSource, script: ImapScript) -> None:
    """No line of more than a million bytes is taken, which is the numbers of 91,000 letters: they come in parts."""
    script.letters = dict.fromkeys(range(2**32 - 95_002, 2**32 - 2), b"x")
    asked: set[str] = set()

    def heard(places: Iterable[str]) -> set[str]:
        asked.update(found := set(places))
        return found

    assert all_of(source, known=heard) == []
    assert len(asked) == 95_000


def test_letters_that_move_while_they_are_listed(dovecot: Dovecot, monkeypatch: pytest.MonkeyPatch) -> None:
    """Dovecot is asked in parts by place, and another program expunges in between: no letter slips through."""
    lmtp(dovecot, *(LETTER % n for n in range(1, 26)))
    monkeypatch.setattr(imap, "LISTED", 10)
    source = ImapSource(ImapAccount("127.0.0.1", "wolf", PASSWORD, dovecot.imap_port, "none", timeout=30), 2000)
    ask, asked = Client.uids, list[str]()
    with IMAPClient("127.0.0.1", dovecot.imap_port, ssl=False, timeout=30) as other:
        other.login("wolf", PASSWORD)
        other.select_folder("INBOX")

        def disturbed(client: Client, uids: str, places: str = "") -> list[int]:
            asked.append(places)
            found = ask(client, uids, places)
            if places:
                other.delete_messages([len(asked)])
                other.expunge()
            client.noop()  # which tells the session that places have moved
            return found

        monkeypatch.setattr(Client, "uids", disturbed)
        assert [f.raw.order for f in all_of(source)] == list(range(4, 26))
    source.close()
    assert asked[:3] == ["21:*", "11:20", "1:10"]


def test_a_server_that_lists_no_letter(source: ImapSource, script: ImapScript) -> None:
    """Where a range that always has a letter is told to have none, all are listed; if that fails, nothing is passed."""
    script.listed = ()
    assert [f.raw.order for f in all_of(source, (source.name, 7, 3))] == [5, 9]
    script.listed_all = ("* SEARCH",)
    with pytest.raises(Away, match="lists none"):
        all_of(source, (source.name, 7, 3))


@pytest.mark.parametrize("line", ["* SEARCH 3 99999999999999999999", "* SEARCH 3 five", "* SEARCH -3"])
def test_numbers_that_are_none(source: ImapSource, script: ImapScript, line: str) -> None:
    """UIDs have 32 bits (RFC 9051 9); what a server makes up otherwise reaches no ledger."""
    script.listed_all = (line,)
    with pytest.raises(Away, match=r"asks again|goes on"):
        all_of(source)
    script.listed_all, script.validity = None, 2**70
    with pytest.raises(Away, match="asks again"):
        all_of(source)


def test_nobody_there() -> None:
    """A port where nothing listens is a server that is away."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(Away, match=r"nothing listens there; .*; the next run tries again"):
        ImapSource(ImapAccount("127.0.0.1", "wolf", "x", port, "none", timeout=2), 1000).nothing_new(("m", 1, 1))


def lmtp(dovecot: Dovecot, *letters: bytes) -> None:
    """Deliver letters to the contest's mailbox."""
    with smtplib.LMTP("127.0.0.1", dovecot.lmtp_port) as client:
        for data in letters:
            client.sendmail("ash@players.example", ["wolf@contest.example"], data)


def test_dovecot(dovecot: Dovecot) -> None:
    """A real mailbox: order, sizes, the idle check, flags set and letters expunged by others, a new UIDVALIDITY."""
    account = ImapAccount("127.0.0.1", "wolf", PASSWORD, dovecot.imap_port, "none", timeout=30)
    lmtp(dovecot, *(LETTER % n for n in range(30)), LETTER % 30 + b"x" * 5000, LETTER % 31)
    source = ImapSource(account, 2000)
    found = all_of(source)
    assert [f.raw.order for f in found] == list(range(1, 33))
    assert [b"<%d@x>" % n in f.raw.data for n, f in enumerate(found)] == [True] * 32
    assert [f.raw.truncated for f in found].index(True) == 30
    mark = source.mark_after()
    with IMAPClient("127.0.0.1", dovecot.imap_port, ssl=False, timeout=30) as other:
        other.login("wolf", PASSWORD)
        other.select_folder("INBOX")
        assert b"\\Seen" not in other.get_flags([1])[1]  # EXAMINE and PEEK left no trace
        other.add_flags([1, 2], [b"\\Seen", b"\\Deleted"])
        other.expunge()
    source.close()
    source = ImapSource(account, 2000)
    assert source.nothing_new(mark)
    source.close()
    lmtp(dovecot, LETTER % 77)
    assert not source.nothing_new(mark)
    assert [f.raw.order for f in all_of(source, mark)] == [33]
    source.close()
    dovecot.wipe()
    lmtp(dovecot, LETTER % 99)
    again = ImapSource(account, 2000)
    known = {f.raw.place for f in found}
    assert [b"<99@x>" in f.raw.data for f in all_of(again, mark, known.intersection)] == [True]
    again.close()


def test_pymap() -> None:
    """The same on pymap: two letters sent by SMTP come in order, and then there is nothing new."""
    now = 1_800_000_000
    with MailWorld([], lambda: now, ["wolf@contest.example"]) as world:
        with smtplib.SMTP("127.0.0.1", world.smtp_port) as client:
            for number in (1, 2):
                client.sendmail("ash@players.example", ["wolf@contest.example"], LETTER % number)
        account = ImapAccount("127.0.0.1", "wolf@contest.example", world.password, world.imap_port, "none", timeout=10)
        source = ImapSource(account, 10_000)
        found = all_of(source)
        assert [f.raw.data.partition(b"\r\n\r\n")[2] for f in found] == [b"I vote for Gus.\r\n"] * 2
        assert [f.raw.arrived for f in found] == [now, now]
        assert source.nothing_new(found[-1].mark)
        assert all_of(source, found[-1].mark) == []
        source.close()
