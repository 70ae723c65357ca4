"""SMTP: an honest word on the fate of each letter, whatever the server does."""

from __future__ import annotations

import gc
import socket
import warnings
from base64 import b64encode
from collections import defaultdict

import pytest

from nomicwolf.post.refusals import Away, Denied
from nomicwolf.post.smtp import Fate, Job, Wire, greet, send
from tests.post.scripted import SmtpScript, smtp_server
from tests.tables import each


def job(key: str, recipient: str) -> Job:
    """Return a letter."""
    return Job(key, recipient, f"Subject: {key}\r\n\r\n.dot\r\n".encode())


class Log:
    """What was said of each letter."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.fates: dict[str, tuple[Fate, str]] = {}

    def begin(self, begun: Job) -> None:
        """Note that a letter was begun."""
        self.begun.append(begun.key)

    def end(self, ended: Job, fate: Fate, why: str) -> None:
        """Note what became of it."""
        assert ended.key not in self.fates
        self.fates[ended.key] = (fate, why)


def run(script: SmtpScript, *jobs: Job, connections: int = 2, user: str = "") -> Log:
    """Send *jobs* to a scripted server."""
    log = Log()
    with smtp_server(script) as port:
        wire = Wire("127.0.0.1", "wolf@contest.example", user, "x", port, "none", 5, connections)
        send(jobs, wire, log.begin, log.end)
    return log


def test_all_is_well() -> None:
    """Every letter is begun, taken whole and said to be sent; order holds for each recipient."""
    jobs = [job(f"{who}{n}", f"{who}@players.example") for n in range(10) for who in ("ash", "bex", "cam")]
    script = SmtpScript()
    log = run(script, *jobs, connections=3)
    assert log.fates == {j.key: ("sent", "") for j in jobs}
    assert sorted(log.begun) == sorted(j.key for j in jobs)
    by_recipient: dict[str, list[bytes]] = defaultdict(list)
    for recipient, data in script.taken:
        by_recipient[recipient].append(data)
    for who in ("ash", "bex", "cam"):
        assert by_recipient[f"{who}@players.example"] == [j.data for j in jobs if j.key.startswith(who)]
    assert script.connections <= 3


def test_a_refused_recipient_hurts_nobody_else() -> None:
    """550 to one recipient is said of that letter, which was never begun; the others go out."""
    script = SmtpScript(rcpt={"bex@p.example": "550 no such user"})
    log = run(script, job("a", "ash@p.example"), job("b", "bex@p.example"), job("c", "cam@p.example"), connections=1)
    assert log.fates["b"] == ("refused", "550 no such user")
    assert (log.fates["a"][0], log.fates["c"][0]) == ("sent", "sent")
    assert log.begun == ["a", "c"]


def test_a_recipient_put_off_keeps_the_order() -> None:
    """After a 450 nothing more is sent to that recipient in this run."""
    script = SmtpScript(rcpt={"bex@p.example": "450 later"})
    log = run(script, job("b1", "bex@p.example"), job("b2", "bex@p.example"), job("a", "ash@p.example"), connections=1)
    assert log.fates == {"b1": ("later", "450 later"), "a": ("sent", "")}


@each(("reply", "fate"), [
    ("550 spam", "refused"), ("451 later", "later"), ("421 closing", "later"), ("drop", "unknown"),
    ("taken, thanks", "unknown"), ("299 fine", "unknown"), ("999 eh", "unknown"), ("250 " + 9000 * "z", "unknown"),
])
def test_after_data(reply: str, fate: Fate) -> None:
    """A reply to the end of the letter is an answer; none is doubt, and the letter may have been taken."""
    script = SmtpScript(data={"bex@p.example": reply})
    log = run(script, job("b", "bex@p.example"), job("a", "ash@p.example"), connections=1)
    assert log.fates["b"][0] == fate
    paused = reply.startswith("421")  # the server closes, so nothing more is begun
    assert log.fates.get("a") == (None if paused else ("sent", ""))
    assert log.begun == (["b"] if paused else ["b", "a"])


def test_a_refused_data_ends_the_transaction() -> None:
    """A server that refuses DATA, and a second MAIL without RSET as RFC 5321 4.1.4 lets it, gets the next letter."""
    script = SmtpScript(begin={"bex@p.example": "451 later"}, strict=True)
    log = run(script, job("b", "bex@p.example"), job("a", "ash@p.example"), connections=1)
    assert log.fates == {"b": ("later", "451 later"), "a": ("sent", "")}


@each(("reply", "advice"), [
    ("554 5.7.1 <bex@p.example>: Relay access denied", r"set smtp\.user and smtp\.password"),
    ("530 5.7.0 Log in first", r"set smtp\.user and smtp\.password"),
    ("554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.example", r"set smtp\.host"),
    ("504 5.5.2 <localhost>: Helo command rejected: need fully-qualified hostname", r"set smtp\.host"),
    ("553 5.7.1 <w@x.example>: Sender address rejected: not owned by user ash", r"set smtp\.from"),
    ("550 5.1.8 <w@x.example>: no such domain", r"set smtp\.from"),
    ("550 5.7.23 Message rejected due to: SPF fail", r"set smtp\.host"),
    ("550 5.7.60 SMTP; Client does not have permissions to send as this sender", r"set smtp\.from"),
])
def test_a_server_that_does_not_relay_for_us_costs_no_letter(reply: str, advice: str) -> None:
    """What is refused because of us waits, the others go out, and the error names the key."""
    log, script = Log(), SmtpScript(rcpt={"bex@p.example": reply})
    with smtp_server(script) as port, pytest.raises(Denied, match=advice):
        send([job("b", "bex@p.example"), job("b2", "bex@p.example"), job("a", "ash@p.example")],
             Wire("127.0.0.1", "w@x.example", "", "", port, "none", 5, 1), log.begin, log.end)
    assert log.fates == {"b": ("later", reply), "a": ("sent", "")}
    assert log.begun == ["a"]


def test_a_letter_refused_at_its_end_because_of_us_waits() -> None:
    """Some look at the sender's domain only then (RFC 7372): no letter is given up for it."""
    log, reply = Log(), "550 5.7.26 This mail has been blocked because the sender is unauthenticated."
    advice = r"550 5\.7\.26.*see what nomicwolf check says"
    with smtp_server(SmtpScript(data={"*": reply})) as port, pytest.raises(Denied, match=advice):
        send([job("a", "ash@p.example")], Wire("127.0.0.1", "w@x.example", "", "", port, "none", 5), log.begin, log.end)
    assert log.fates == {"a": ("later", reply)}


@pytest.mark.parametrize("reply", [
    "550 5.1.1 <bex@p.example>: Recipient address rejected: User unknown", "552 5.2.2 mailbox full",
    "550 User not listed in public Name & Address Book", "554 5.7.1 looks like spam",
])
def test_what_is_about_the_recipient_is_refused(reply: str) -> None:
    """The contestmaster has to look after that one letter."""
    log = run(SmtpScript(rcpt={"bex@p.example": reply}), job("b", "bex@p.example"), job("a", "ash@p.example"))
    assert log.fates == {"b": ("refused", reply), "a": ("sent", "")}


def test_a_server_without_starttls_gets_no_word() -> None:
    """Somebody on the way may have taken the offer out (RFC 3207 6): the contestmaster has to look at it."""
    log, script = Log(), SmtpScript()
    with smtp_server(script) as port, pytest.raises(Denied, match=r"Set smtp\.security"):
        send([job("a", "ash@p.example")], Wire("127.0.0.1", "w@x.example", "w", "pw", port, "starttls", 5),
             log.begin, log.end)
    assert (log.fates, script.mails, script.taken) == ({}, [], [])


def test_a_server_that_repeats_the_password_is_not_repeated() -> None:
    """Errors are mailed by cron."""
    secret = b64encode(b"\0wolf\0x-pw-x").decode()
    script = SmtpScript(auth=f"535 no such thing: PLAIN {secret} x-pw-x")
    with smtp_server(script) as port, pytest.raises(Denied) as told:
        greet(Wire("127.0.0.1", "w@x.example", "wolf", "x-pw-x", port, "none", 5))
    assert "no such thing" in str(told.value)
    assert not {secret, "x-pw-x"} & set(str(told.value).replace(";", " ").split())


@pytest.mark.parametrize("reply", ["hello there", "250-" + 9000 * "z", "999 eh"])
def test_an_answer_that_is_none_to_the_recipient(reply: str) -> None:
    """Nothing was begun, so the letter is still owed; the next one has a connection of its own."""
    log = run(SmtpScript(rcpt={"bex@p.example": reply}), job("b", "bex@p.example"), job("a", "ash@p.example"),
              connections=1)
    assert (log.fates["b"][0], log.fates["a"]) == ("later", ("sent", ""))
    assert len(log.fates["b"][1]) < 400


def test_a_connection_that_breaks_before_the_letter() -> None:
    """Nothing was begun, so the letter is simply still owed."""
    log = run(SmtpScript(rcpt={"*": "drop"}), job("b", "bex@p.example"), connections=1)
    assert log.fates["b"][0] == "later"
    assert log.begun == []


def test_a_server_that_takes_few_letters_at_a_time() -> None:
    """When a connection has brought as many as it may, a new one goes on."""
    script = SmtpScript(most=3)
    jobs = [job(str(n), f"p{n}@p.example") for n in range(10)]
    log = run(script, *jobs, connections=1)
    assert {fate for fate, _ in log.fates.values()} == {"sent"}
    assert len(script.taken) == 10
    assert script.connections == 4


@pytest.mark.parametrize(("reply", "error"), [("535 wrong", Denied), ("454 later", Away)])
def test_refused_logins(reply: str, error: type[Exception]) -> None:
    """A wrong password needs the contestmaster; a server that can't look it up needs time."""
    with pytest.raises(error, match=r"smtp 127\.0\.0\.1"):
        run(SmtpScript(auth=reply), job("a", "ash@p.example"), user="wolf")


@pytest.mark.parametrize(("reply", "advice"), [
    ("530 authentication required", r"set smtp\.user and smtp\.password"),
    ("553 not your address", r"set smtp\.user, smtp\.password and smtp\.from"),
    ("550 5.7.1 relaying denied", r"set smtp\.user and smtp\.password"),
])
def test_a_refused_sender_is_no_letter_s_fault(reply: str, advice: str) -> None:
    """All letters wait until the settings are right: none is given up, and the error names the keys (RFC 5321 3.3)."""
    log, script = Log(), SmtpScript(mail=reply)
    with smtp_server(script) as port, pytest.raises(Denied, match=advice):
        send([job("a", "ash@p.example"), job("b", "bex@p.example")],
             Wire("127.0.0.1", "w@x.example", "", "", port, "none", 5), log.begin, log.end)
    assert (log.begun, log.fates) == ([], {})


@pytest.mark.parametrize("script", [SmtpScript(mail="530 who are you", latency=0.03),
                                    SmtpScript(mail="530 who are you", hello={"EHLO": "502 what"}, latency=0.03)])
def test_a_round_that_ends_early_hangs_up_all_its_connections(script: SmtpScript) -> None:
    """One connection's refusal ends the round while the others greet or say goodbye: no socket stays open."""
    log = Log()
    with smtp_server(script) as port:
        for _ in range(3):
            with pytest.raises(Denied):
                send([job(name, f"{name}@p.example") for name in "abcd"],
                     Wire("127.0.0.1", "w@x.example", "", "", port, "none", 5), log.begin, log.end)
        with warnings.catch_warnings(record=True) as left:
            warnings.simplefilter("always", ResourceWarning)
            gc.collect()
    assert [str(each.message) for each in left] == []


def test_a_sender_refused_in_the_midst_leaves_no_letter_in_doubt() -> None:
    """A limit is reached while other connections wait for a 250: what they have begun has its end, and is sent."""
    jobs = [job(str(n), f"p{n}@p.example") for n in range(8)]
    log, script = Log(), SmtpScript(mail_after=(3, "550 5.7.1 too many letters in this hour"))
    script.go.clear()
    script.at_refusal = script.go
    with smtp_server(script) as port, pytest.raises(Denied, match="too many letters"):
        send(jobs, Wire("127.0.0.1", "w@x.example", "", "", port, "none", 5, 4), log.begin, log.end)
    assert log.fates == dict.fromkeys(log.begun, ("sent", ""))
    assert sorted(recipient for recipient, _ in script.taken) == sorted(f"p{key}@p.example" for key in log.begun)
    assert len(log.begun) == 3


@pytest.mark.parametrize(("script", "asked"), [
    (SmtpScript(rcpt={"*": "450 4.2.0 Greylisted, see you in five minutes"}), 10),
    (SmtpScript(mail="450 4.7.1 Error: too much mail from 192.0.2.1"), 1),
])
def test_a_server_that_wants_all_of_them_later_is_not_asked_by_a_connection_for_each(
    script: SmtpScript, asked: int,
) -> None:
    """Of each recipient it may say otherwise; where it has too much of us, one answer is enough."""
    log = run(script, *(job(str(n), f"p{n}@p.example") for n in range(10)), connections=1)
    assert {fate for fate, _ in log.fates.values()} == {"later"}
    assert len(log.fates) == asked
    assert script.connections == 1


def test_a_greylisted_letter_changes_nothing_for_those_that_want_a_new_connection() -> None:
    """One is put off for now, and the server still takes three at a time."""
    script = SmtpScript(rcpt={"p0@p.example": "450 4.2.0 Greylisted"}, most=3)
    log = run(script, *(job(str(n), f"p{n}@p.example") for n in range(10)), connections=1)
    assert [log.fates[str(n)][0] for n in range(10)] == ["later", *9 * ["sent"]]


def test_a_greeting_of_too_many_connections_is_told_in_its_words() -> None:
    """As Postfix says it (smtpd_client_connection_count_limit)."""
    with smtp_server(SmtpScript(greeting="421 4.7.0 mx Error: too many connections")) as port, pytest.raises(
            Away, match=r": 421 4\.7\.0 mx Error: too many connections; the next run tries again"):
        greet(Wire("127.0.0.1", "w@x.example", "", "", port, "none", 5))


@pytest.mark.parametrize(("reply", "told"), [
    ("530 5.5.1 Invalid command: Must issue a STARTTLS command first", r'smtp\.security = "starttls"$'),
    ("530 5.7.0 Authentication Required", r"set smtp\.user and smtp\.password$"),
    ("553 5.7.1 not owned by you", r"takes no letter from w@x\.example: 553 .* set smtp\.user"),
])
def test_a_server_that_will_refuse_our_sender_is_known_before_there_is_a_letter(reply: str, told: str) -> None:
    """As OpenSMTPD says it where it wants TLS, Gmail where it wants a login, Postfix of a sender that isn't one's own.

    `check` looks by this.
    """
    script = SmtpScript(mail=reply)
    with smtp_server(script) as port, pytest.raises(Denied, match=told):
        greet(Wire("127.0.0.1", "w@x.example", "", "", port, "none", 5))
    assert len(script.mails) == 1
    assert script.taken == []


@pytest.mark.parametrize("reply", ["", "451 4.7.1 greylisted"])
def test_a_sender_that_is_taken_or_put_off_is_no_fault(reply: str) -> None:
    """A no for now tells nothing of the settings."""
    script = SmtpScript(mail=reply)
    with smtp_server(script) as port:
        greet(Wire("127.0.0.1", "w@x.example", "", "", port, "none", 5))
    assert script.taken == []


@pytest.mark.parametrize(("reply", "told"), [("drop", "the connection broke"), ("hello?", "an answer that is none")])
def test_a_server_that_hangs_up_on_our_sender_is_away(reply: str, told: str) -> None:
    """It says nothing of the settings."""
    with smtp_server(SmtpScript(hello={"MAIL": reply})) as port, pytest.raises(Away, match=told):
        greet(Wire("127.0.0.1", "w@x.example", "", "", port, "none", 5))


def test_a_server_that_is_too_old_for_ehlo() -> None:
    """It is greeted by HELO (RFC 5321 3.2), and gets its letters."""
    script = SmtpScript(hello={"EHLO": "502 never heard of it"})
    assert run(script, job("a", "ash@p.example")).fates == {"a": ("sent", "")}


@pytest.mark.parametrize("reply", ["554 go away", "450 not now", "drop"])
def test_a_server_that_does_not_greet_us_costs_no_letter(reply: str) -> None:
    """Neither EHLO nor HELO is answered well: no letter is blamed for it, and all wait."""
    log, script = Log(), SmtpScript(hello={"EHLO": reply, "HELO": reply})
    with smtp_server(script) as port, pytest.raises(Away):
        send([job("a", "ash@p.example")], Wire("127.0.0.1", "w@x.example", "", "", port, "none", 5), log.begin, log.end)
    assert log.fates == {}


def test_a_sender_put_off_waits() -> None:
    """A 451 to MAIL on a new connection puts that letter off."""
    log = run(SmtpScript(mail="451 later"), job("b", "bex@p.example"), connections=1)
    assert log.fates == {"b": ("later", "451 later")}


def test_nobody_there() -> None:
    """A port where nothing listens is a server that is away; no letter was begun."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    log = Log()
    with pytest.raises(Away, match=r"nothing listens there; .*; the next run tries again"):
        send([job("a", "ash@p.example")], Wire("127.0.0.1", "w@x.example", "", "", port, "none", 2), log.begin, log.end)
    assert (log.begun, log.fates) == ([], {})


def test_what_goes_wrong_in_the_ledger_stops_the_sending() -> None:
    """If the beginning can't be written down, the letter isn't begun, and the error comes through as it is."""

    class Full(Exception):
        """The disk is full."""

    def begin(begun: Job) -> None:
        raise Full(begun.key)

    script, end = SmtpScript(), Log().end
    with smtp_server(script) as port, pytest.raises(Full):
        send([job("a", "ash@p.example")], Wire("127.0.0.1", "w@x.example", "", "", port, "none", 2), begin, end)
    assert script.taken == []


def test_nothing_to_send_needs_no_server() -> None:
    """No letter, no connection."""
    log = Log()
    send([], Wire("127.0.0.1", "w@x.example", port=1, security="none"), log.begin, log.end)

    assert vars(log) == vars(Log())
